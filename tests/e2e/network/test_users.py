"""Users with passwords, managed by the console."""

import pathlib

from harness import EXIT_FAILED, EXIT_NO_MANAGER, WallTest, run


class Users(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def env(self, **more):
        return {**super().env(VITRAIL_KEY="open sesame, please"), **more}

    def file(self, password):
        file = pathlib.Path(self.folder) / "password"
        file.write_text(password + "\n")
        return file

    def console(self, *words, expect=0, stdin="", **environment):
        result = run("vitrail", *words, env=self.env(**environment), stdin=stdin)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result

    def test_added_signed_in_changed_and_removed(self):
        self.console("user", "add", "ann", "--role", "viewer", "--password-file", self.file("correct horse"))
        self.console("--user", "ann", "ls", stdin="correct horse\n", VITRAIL_KEY="")
        refused = self.console("--user", "ann", "ls", stdin="correct house\n", VITRAIL_KEY="", expect=EXIT_NO_MANAGER)
        self.assertIn("name or password", refused.stderr)
        by_key = {"VITRAIL_KEY": "user/ann:correct horse"}
        self.console("ls", **by_key)
        self.assertIn("'presenter'", self.console("undo", expect=EXIT_FAILED, **by_key).stderr)
        self.assertRegex(self.console("user", "list").stdout, r"(?m)^ann +viewer +0$")

        self.console("user", "password", "ann", stdin="battery staple\n")
        self.console("ls", expect=EXIT_NO_MANAGER, **by_key)
        self.console("ls", VITRAIL_KEY="user/ann:battery staple")
        self.console("user", "remove", "ann")
        self.console("ls", expect=EXIT_NO_MANAGER, VITRAIL_KEY="user/ann:battery staple")
        kept = [file.read_text() for file in pathlib.Path(self.folder).rglob("people.json")]
        self.assertEqual(len(kept), 1)

    def test_what_is_refused(self):
        def add(name, password, *more):
            return self.console("user", "add", name, *more, stdin=password + "\n", expect=EXIT_FAILED).stderr
        self.assertIn("8 to 256", add("ann", "short"))
        self.assertIn("letters", add("a/b", "correct horse"))
        self.console("user", "add", "ann", stdin="correct horse\n")
        self.assertIn("vitrail user password", add("ann", "correct horse"))
        self.assertIn("unknown user 'bob'", self.console("user", "remove", "bob", expect=EXIT_FAILED).stderr)
        self.assertIn("'admin'", self.console("user", "list", expect=EXIT_FAILED,
                                              VITRAIL_KEY="user/ann:correct horse").stderr)
