"""Who drives a window: `vitrail drive`, and input of several people."""

import unittest

from harness import EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually


class Drivers(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [640, 360]}

    @property
    def manager_options(self):
        return ("--state", self.folder / "state")

    def person(self, name):
        control = Control(self.port, hello=False)
        self.addCleanup(control.close)
        self.assertIn("result", control.hello(name=name))
        self.assertIn("result", control.call("subscribe"))
        return control

    def driver(self):
        return self.window(self.number).get("driver", {}).get("name")

    def test_a_window_is_driven_given_and_released(self):
        _, self.number = self.play("--loop", "--place", "0,0,640x360", self.clip(seconds=20, size="320x180", rate=10))
        ann, ben = self.person("ann"), self.person("ben")
        key = {"window": self.number, "type": "key_down", "key": "F9"}
        self.assertIn("result", ann.call("input", **key))
        self.assertEqual(self.driver(), "ann")
        self.assertRegex(self.vitrail("ls").stdout, "ann drives it\n")
        self.assertIn("result", ben.call("input", **key))
        self.assertIn("result", ann.call("drive", window=self.number, action="take"))
        refused = ben.call("input", **key)["error"]
        self.assertEqual(refused["data"]["name"], "conflict")
        self.assertIn("'ann' drives window", refused["message"])

        self.vitrail("drive", self.number, "give", "ben")
        self.assertEqual(self.driver(), "ben")
        self.assertIn("ben drives it alone", self.vitrail("ls").stdout)
        self.assertIn("result", ben.call("input", **key))
        self.assertEqual(ann.call("input", **key)["error"]["data"]["name"], "conflict")
        self.vitrail("drive", self.number, "release")
        self.assertIsNone(self.driver())
        # On a wall without a key everybody may take over.
        self.assertIn("result", ben.call("drive", window=self.number, action="take"))
        self.assertIn("result", ann.call("drive", window=self.number, action="take"))
        self.assertEqual(self.driver(), "ann")
        ann.close()
        eventually(lambda: self.driver() is None, "a person who leaves drives no longer")
        entries = ben.call("journal", verb="drive")["result"]["entries"]
        self.assertEqual([entry["params"]["action"] for entry in entries], ["take", "take", "release", "give", "take"])

        self.assertIn("no client 'nobody'", self.vitrail("drive", self.number, "give", "nobody", expect=EXIT_FAILED).stderr)
        self.vitrail("drive", self.number, "give", expect=EXIT_USAGE)
        self.vitrail("drive", self.number, "release", "ben", expect=EXIT_USAGE)
        # The console's connection ends at once: the console cannot drive.
        self.vitrail("drive", self.number, "take", expect=EXIT_USAGE)


if __name__ == "__main__":
    unittest.main()
