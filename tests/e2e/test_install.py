"""`cmake --install` into a folder: the programs run there, and applications build against it."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import BIN

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {"bplay", "vitrail", "vitrail-bridge", "vitrail-camera", "vitrail-convert", "vitrail-decoder", "vitrail-guest", "vitrail-hooks", "vitrail-lab", "vitrail-manager",
            "vitrail-mqtt", "vitrail-pointer", "vitrail-poster",
            "vitrail-receiver", "vitrail-recorder", "vitrail-server", "vitrail-share", "vitrail-show", "vitrail-vnc",
            "vitrail-web"}
if (BIN / "vitrail-whip").exists():  # only where GStreamer's headers are installed
    PROGRAMS.add("vitrail-whip")

ONE_OF_SAGE = '''#include <sail.h>
#include <misc.h>
#include "libsage.h"
int main() {
  sail *window = createSAIL("one", 64, 64, PIXFMT_888, NULL);
  memset(nextBuffer(window), 0, 64 * 64 * 3);
  processMessages(window, NULL, NULL, NULL);
}
'''


def output_of(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name)
        output_of("cmake", "--install", str(BIN.parent), "--prefix", str(cls.prefix))
        cls.description = next(cls.prefix.rglob("sail.pc"))

    def test_the_programs_find_their_library(self):
        self.assertEqual({path.name for path in (self.prefix / "bin").iterdir()}, PROGRAMS)
        for program in PROGRAMS:
            with self.subTest(program):
                self.assertIn(program, output_of(str(self.prefix / "bin" / program), "--version"))
        libraries = output_of("ldd", str(self.prefix / "bin" / "bplay"))
        self.assertIn(str(self.prefix), next(line for line in libraries.splitlines() if "libsail" in line).replace("/bin/..", ""))

    def test_players_find_the_module_for_stills(self):
        module = next(self.prefix.rglob("vitrail-stills.so")).relative_to(self.prefix)
        self.assertTrue((BIN.parent / module).exists(), f"programs look for {module}, relative to their own folder")

    def test_every_program_has_a_manual_page(self):
        self.assertEqual({path.name for path in (self.prefix / "share/man/man1").iterdir()}, {f"{name}.1.gz" for name in PROGRAMS})

    def test_every_program_has_completions(self):
        for program in PROGRAMS - {"vitrail"}:
            bash = (self.prefix / "share/bash-completion/completions" / program).read_text()
            self.assertEqual(bash, f"complete -F _longopt {program}\n")
            zsh = (self.prefix / "share/zsh/vendor-completions" / f"_{program}").read_text()
            self.assertEqual(zsh, f"#compdef {program}\n_gnu_generic\n")

    def test_an_application_builds_with_pkg_config(self):
        flags = output_of("pkg-config", "--cflags", "--libs", str(self.description)).split()
        sanitizers = os.environ.get("VITRAIL_SANITIZE")
        if sanitizers:
            flags.append(f"-fsanitize={sanitizers}")
        hello = self.prefix / "hello"
        output_of("cc", str(ROOT / "sail" / "examples" / "hello.c"), "-o", str(hello), *flags)
        environment = os.environ | {"LD_LIBRARY_PATH": str(self.description.parents[1]), "VITRAIL_MANAGER": "127.0.0.1:1"}
        run = subprocess.run([str(hello)], env=environment, capture_output=True, text=True)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("127.0.0.1:1", run.stdout + run.stderr)

    def test_a_program_of_sage_builds_in_all_ways(self):
        description = next(self.prefix.rglob("vitrail-sage.pc"))
        sage = description.parents[1] / "vitrail-sage"
        by_pkg_config = output_of("pkg-config", "--cflags", "--libs", str(description)).split()
        as_sage_had_it = [[f"-I{sage}/include", f"-L{sage}/{lib}", "-lsail", "-lquanta"] for lib in ("lib", "lib64")]
        sanitizers = os.environ.get("VITRAIL_SANITIZE")
        more = [f"-fsanitize={sanitizers}"] if sanitizers else []
        (self.prefix / "one.cpp").write_text(ONE_OF_SAGE)
        for flags in (by_pkg_config, *as_sage_had_it):
            program = self.prefix / "one"
            output_of("c++", "-std=c++17", str(self.prefix / "one.cpp"), "-o", str(program), *flags, *more)
            environment = os.environ | {"LD_LIBRARY_PATH": str(description.parents[1]), "VITRAIL_MANAGER": "127.0.0.1:1"}
            run = subprocess.run([str(program)], env=environment, capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn("one is not shown: no manager answers at 127.0.0.1:1", run.stderr)

    @unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "Python itself has no sanitizer")
    def test_pythons_package_finds_the_library(self):
        script = "import vitrail\ntry: vitrail.Session(manager='127.0.0.1:1')\nexcept vitrail.Unavailable as error: print(error)"
        environment = {name: value for name, value in os.environ.items() if name != "VITRAIL_LIBSAIL"}
        reported = output_of("/usr/bin/python3", "-c", script, env=environment | {"PYTHONPATH": str(self.prefix / "lib/python3/dist-packages")})
        self.assertIn("no manager answers at 127.0.0.1:1", reported)


if __name__ == "__main__":
    unittest.main()
