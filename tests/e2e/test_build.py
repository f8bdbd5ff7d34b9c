"""Building Vitrail without its tests needs only what the build itself uses."""

import ast
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import ROOT

# Stand-ins for system programs: nothing is installed, and their arguments are logged.
STUBS = {"dpkg-query": "exit 1", "apt-get": "exit 0", "npm": "exit 0", "id": "echo 0", "sleep": "exit 0"}


class Build(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def installed_by_deps(self, *options, apt_get="exit 0"):
        stubs = self.folder / "stubs"
        stubs.mkdir(exist_ok=True)
        for name, body in (STUBS | {"apt-get": apt_get}).items():
            stub = stubs / name
            stub.write_text(f"#!/bin/sh\necho {name} $@ >>{self.folder}/asked\n{body}\n")
            stub.chmod(0o755)
        self.told = subprocess.run([ROOT / "scripts/deps", *options], env=os.environ | {"PATH": f"{stubs}:{os.environ['PATH']}"},
                                   check=True, capture_output=True, text=True).stdout
        return set((self.folder / "asked").read_text().split())

    def test_packages_of_tests_are_for_tests_alone(self):
        without = self.installed_by_deps("--without-tests")
        self.assertLessEqual({"g++", "libavcodec-dev", "libwebsockets-dev"}, without)
        self.assertFalse({"xvfb", "libgtest-dev", "chromium", "clang-tidy", "npm"} & without)
        self.assertLessEqual(without | {"xvfb", "libgtest-dev", "chromium", "clang-tidy"}, self.installed_by_deps())

    def test_packages_of_packaging_are_for_packaging_alone(self):
        packaging = self.installed_by_deps("--packaging")
        self.assertLessEqual({"g++", "debhelper", "lintian"}, packaging)
        self.assertFalse({"xvfb", "libgtest-dev", "npm"} & packaging)

    def test_another_apt_is_waited_for(self):
        refused_twice = f"[ -e {self.folder}/refused2 ] && exit 0; [ ! -e {self.folder}/refused ] || touch {self.folder}/refused2; " \
            f"touch {self.folder}/refused; echo 'E: Could not get lock L' >&2; exit 100"
        self.assertLessEqual({"sleep", "update", "install", "g++"}, self.installed_by_deps(apt_get=refused_twice))
        self.assertEqual(self.told.count("another apt runs: waiting"), 1)

    def test_an_apt_that_never_ends_is_waited_for_ten_minutes(self):
        with self.assertRaises(subprocess.CalledProcessError) as failure:
            self.installed_by_deps(apt_get="echo 'E: Could not get lock L' >&2; exit 100")
        self.assertEqual(failure.exception.stderr, "E: Could not get lock L\n")
        self.assertEqual((self.folder / "asked").read_text().splitlines().count("sleep 10"), 59)

    def test_an_installation_that_fails_is_not_repeated(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.installed_by_deps(apt_get="case $* in *install*) echo 'E: Could not get lock L' >&2; exit 100;; esac")
        self.assertNotIn("sleep", (self.folder / "asked").read_text().split())

    def test_what_apt_says_is_told(self):
        with self.assertRaises(subprocess.CalledProcessError) as failure:
            self.installed_by_deps(apt_get="echo 'E: no such host' >&2; exit 100")
        self.assertEqual(failure.exception.stderr, "E: no such host\n")
        self.assertNotIn("sleep", (self.folder / "asked").read_text().split())

    def test_every_test_is_run(self):
        listed = (ROOT / "tests/e2e/CMakeLists.txt").read_text(encoding="utf-8").split()
        written = {f"{file.stem}.{part.name}" for file in (ROOT / "tests/e2e").rglob("test_*.py")
                   for part in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(part, ast.ClassDef)
                   for method in part.body if isinstance(method, ast.FunctionDef) and method.name.startswith("test_")}
        self.assertEqual(sorted(written - {word.rstrip(")") for word in listed}), [])
        files = {file.name.removesuffix(".test.js") for file in (ROOT / "tests/page/browser").glob("*.test.js")}
        listed = (ROOT / "tests/page/CMakeLists.txt").read_text(encoding="utf-8").split()
        self.assertEqual(sorted(files - {word.rstrip(")") for word in listed}), [])

    def test_without_tests_nothing_of_theirs_is_looked_for(self):
        subprocess.run(["cmake", "-S", ROOT, "-B", self.folder / "build", "-G", "Ninja", "-DVITRAIL_TESTS=OFF"], check=True,
                       capture_output=True)
        found = (self.folder / "build/CMakeCache.txt").read_text()
        for tool in ("XVFB_RUN", "GTest", "NODE:"):
            self.assertNotIn(tool, found)
        self.assertIn("VITRAIL_WERROR:BOOL=OFF", found)  # warnings are errors only in the project's own checks
        targets = subprocess.run(["ninja", "-C", self.folder / "build", "-t", "targets", "all"], check=True,
                                 capture_output=True, text=True).stdout
        self.assertIn("bin/bplay:", targets)
        self.assertNotIn("tests/", targets)

    def test_the_embedded_page_is_the_same_wherever_it_is_made(self):
        (self.folder / "api.json").write_text("{}")
        (self.folder / "there").mkdir()
        (self.folder / "link").symlink_to("there")
        made = []
        for scratch in ("there", "link"):
            made.append(self.folder / f"{scratch}.cpp")
            subprocess.run([ROOT / "manager/embed_page.py", "--folder", ROOT / "manager/page", "--api", self.folder / "api.json",
                            "--out", made[-1]], env=os.environ | {"TMPDIR": str(self.folder / scratch)}, check=True)
        self.assertTrue(made[0].read_bytes() == made[1].read_bytes(), "neither random paths nor links change the scripts")


if __name__ == "__main__":
    unittest.main()
