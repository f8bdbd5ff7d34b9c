"""Debian packages: their files agree with the build and documents. Scripts make packages and repositories."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

from harness import BIN, ROOT
from test_build import STUBS

DEBIAN = ROOT / "scripts/debian"
VERSION = re.search(r"^project\(vitrail VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
# Packages of scripts/packages.txt that only run programs or speed up builds, and g++, which Debian's builders have.
NOT_FOR_BUILDING = {"ca-certificates", "ccache", "ffmpeg", "fonts-dejavu-core", "g++", "libegl1", "libgl1", "libgl1-mesa-dri",
                    "libwebsockets-evlib-uv"}
# Stand-ins for the programs that build and check packages.
BUILDERS = STUBS | {
    "dpkg-buildpackage": """cp -r debian ../../built; touch ../vitrail.deb ../vitrail.changes ../vitrail.buildinfo
case $* in
  *--build=binary*) test -d "$VITRAIL_BUILD" ;;
  *) touch ../vitrail.dsc ../vitrail.debian.tar.xz ;;
esac""",
    "lintian": "exit ${LINTIAN_FINDS:-0}",
}


# CMake's own modules, and those that are optional or only for tests.
NOT_LIBRARIES = {"PkgConfig", "Python3", "Threads", "MPI"}


def cmake_looks_for():
    """The files of libraries and programs that the CMakeLists.txt of the product look for, by the names there. Files that are
    not installed are optional: else the build would have failed."""
    lists = [ROOT / "CMakeLists.txt", *(path for folder in ("codecs", "manager", "receiver", "sail", "ui")
                                        for path in (ROOT / folder).rglob("CMakeLists.txt"))]
    text = "\n".join(path.read_text() for path in lists)
    modules = {re.split("[<>=]", word)[0] for words in re.findall(r"^ *pkg_check_modules\(\w+ ([^)]+)\)", text, re.MULTILINE)
               for word in words.split()} - {"REQUIRED", "IMPORTED_TARGET"}
    names = {module: [f"lib/*/pkgconfig/{module}.pc", f"share/pkgconfig/{module}.pc"] for module in modules}
    for name in set(re.findall(r"^ *find_package\((\w+)", text, re.MULTILINE)) - NOT_LIBRARIES:
        names[name] = [f"{top}/cmake/{name}/{file}" for top in ("lib/*", "lib", "share")
                       for file in (f"{name}Config.cmake", f"{name.lower()}-config.cmake")]
    for name in re.findall(r"^ *find_library\(\w+ (\w+)", text, re.MULTILINE):
        names[name] = [f"lib/*/lib{name}.so"]
    for name in re.findall(r"^ *find_program\(\w+ ([\w-]+)", text, re.MULTILINE):
        names[name] = [f"bin/{name}"]
    files = {name: [str(file) for pattern in patterns for file in pathlib.Path("/usr").glob(pattern)] for name, patterns in names.items()}
    return {name: found[0] for name, found in files.items() if found}


def packages_of(*lists):
    lines = (line for name in lists for line in (ROOT / "scripts" / name).read_text().splitlines())
    return {line for line in lines if not line.startswith("#")}


class PackageFiles(unittest.TestCase):
    def setUp(self):
        self.control = (DEBIAN / "control").read_text()

    def test_each_component_is_a_package(self):
        components = {component for file in BIN.parent.rglob("cmake_install.cmake")
                      for component in re.findall(r'CMAKE_INSTALL_COMPONENT STREQUAL "([^"]+)"', file.read_text())}
        packages = set(re.findall(r"^Package: (.+)", self.control, re.MULTILINE))
        if not (BIN / "vitrail-whip").exists():  # without GStreamer's headers
            packages -= {"vitrail-whip", "gstreamer1.0-vitrail"}
        self.assertEqual({name.removeprefix("vitrail-") for name in packages}, components - {"Unspecified"})

    def test_packages_are_built_with_what_the_build_needs(self):
        needed = set(re.findall(r"^ ([\w.+-]+)(?: \(.*\))?,$", self.control.split("Standards-Version")[0], re.MULTILINE))
        provided = {"debhelper-compat": "debhelper", "dh-sequence-installsysusers": "debhelper", "dh-sequence-python3": "dh-python"}
        needed = {provided.get(name, name) for name in needed}
        self.assertLessEqual(packages_of("packages.txt") - NOT_FOR_BUILDING, needed)
        self.assertLessEqual(needed, packages_of("packages.txt", "packages-debian.txt"))

    def test_the_lists_have_what_cmake_looks_for(self):
        files = cmake_looks_for()
        self.assertLessEqual({"libgsf-1", "libical", "esbuild", "fmt", "squish"}, set(files))
        owners = subprocess.run(["dpkg", "-S", *files.values()], capture_output=True, text=True, check=False).stdout
        owner = {file: package.partition(":")[0] for package, file in (line.rsplit(": ", 1) for line in owners.splitlines())}
        listed = packages_of("packages.txt", "packages-debian.txt")
        self.assertEqual({name: owner.get(file) for name, file in files.items() if owner.get(file) not in listed}, {})

    def test_a_restart_of_the_manager_keeps_its_players(self):
        # SIGTERM would end them; with SIGKILL the next manager takes them over, as after a crash.
        lines = (DEBIAN / "vitrail-manager.service").read_text().splitlines()
        self.assertLessEqual({"KillMode=process", "RestartKillSignal=SIGKILL"}, set(lines))

    def test_an_upgrade_leaves_the_restart_to_the_receiver(self):
        self.assertRegex((DEBIAN / "rules").read_text(), r"--name=vitrail-kiosk .*--no-restart-on-upgrade\n")
        for unit in DEBIAN.glob("vitrail-receiver*.service"):
            lines = unit.read_text().splitlines()
            self.assertLessEqual({"Environment=VITRAIL_UPDATE_AFTER_S=60", "Restart=always"}, set(lines), unit.name)

    def test_firewalls_open_the_ports_of_the_document(self):
        table = (ROOT / "receiver/KIOSK.md").read_text(encoding="utf-8").split("## Firewall")[1].split("## ")[0]
        documented = {"head": set(), "node": set()}
        for machine, ports in re.findall(r"^\| (head|node|all) \| ([^|]+) \|", table, re.MULTILINE):
            port = re.search(r"\d+", ports)[0]
            opened = {(protocol.lower(), port) for protocol in re.findall("TCP|UDP", ports)}
            for one in ("head", "node") if machine == "all" else (machine,):
                documented[one] |= opened
        for machine, name in (("head", "vitrail-manager"), ("node", "vitrail-receiver")):
            service = xml.etree.ElementTree.parse(DEBIAN / "firewall" / f"{name}.xml")
            self.assertEqual({(port.get("protocol"), port.get("port")) for port in service.iter("port")}, documented[machine])
            profile = (DEBIAN / "firewall" / name).read_text()
            rules = re.search(r"^ports=(.+)$", profile, re.MULTILINE)[1].split("|")
            self.assertEqual({(protocol, port) for ports, protocol in (rule.split("/") for rule in rules)
                              for port in ports.split(",")}, documented[machine])


class PackageScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def stubs(self):
        stubs = self.folder / "stubs"
        stubs.mkdir()
        for name, body in BUILDERS.items():
            stub = stubs / name
            stub.write_text(f"#!/bin/sh\n{body}\n")
            stub.chmod(0o755)
        return {"PATH": f"{stubs}:{os.environ['PATH']}"}

    def git(self, *words):
        subprocess.run(["git", "-C", self.folder / "tree", "-c", "user.name=n", "-c", "user.email=n@example.org", *words],
                       env=os.environ | {"GIT_COMMITTER_DATE": "2026-01-02T04:04:05+0100"}, check=True, capture_output=True)

    def project(self):
        """A project with the scripts, of one commit."""
        tree = self.folder / "tree"
        shutil.copytree(ROOT / "scripts", tree / "scripts")
        shutil.copy(ROOT / "CMakeLists.txt", tree)
        (tree / ".gitignore").write_text("/build/\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "all")
        return tree

    def test_a_finished_build_is_packaged(self):
        (self.folder / "built").mkdir()
        made = subprocess.run([self.project() / "scripts/package", "--build", self.folder / "built", self.folder / "made"],
                              env=os.environ | self.stubs() | {"LINTIAN_FINDS": "2"}, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual({path.suffix for path in (self.folder / "made").iterdir()}, {".deb", ".changes", ".buildinfo", ".gz"})

    def test_versions_are_those_of_commits(self):
        tree = self.project()
        environment = os.environ | self.stubs()

        def package(**more):
            made = subprocess.run([tree / "scripts/package", self.folder / "made"], env=environment | more, capture_output=True, text=True)
            changelog = (tree / "build/built/changelog").read_text()
            shutil.rmtree(tree / "build/built")
            return made, re.match(r"vitrail \((.+)\) unstable; ", changelog)[1]

        made, version = package()
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertRegex(version, rf"^{re.escape(VERSION)}~git20260102030405\.[0-9a-f]{{9}}-1$")
        self.assertEqual({path.suffix for path in (self.folder / "made").iterdir()}, {".deb", ".dsc", ".changes", ".buildinfo", ".xz", ".gz"})
        subprocess.run(["dpkg", "--compare-versions", version, "lt", f"{VERSION}-1"], check=True)
        self.git("tag", f"v{VERSION}")
        made, version = package(LINTIAN_FINDS="2")
        self.assertEqual((made.returncode, version), (2, f"{VERSION}-1"))

    def packed(self, name):
        """A package that contains nothing, in the folder debs."""
        control = self.folder / name / "DEBIAN/control"
        control.parent.mkdir(parents=True)
        control.write_text(f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: n <n@example.org>\nDescription: nothing\n")
        debs = self.folder / "debs"
        debs.mkdir(exist_ok=True)
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", control.parents[1], debs], check=True, capture_output=True)
        return debs

    def apt(self, program, *words):
        """Runs apt with a state of its own, in which only the repository exists."""
        for folder in ("apt/lists/partial", "apt/archives/partial"):
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
        (self.folder / "apt/status").touch()
        places = {"Dir::State": "apt", "Dir::State::lists": "apt/lists", "Dir::State::status": "apt/status", "Dir::Cache": "apt",
                  "Dir::Etc::SourceList": "vitrail.list", "Dir::Etc::SourceParts": "apt/none"}
        options = [f"-o{key}={self.folder / place}" for key, place in places.items()]
        return subprocess.run([program, *options, "-oAPT::Sandbox::User=root", "-oAPT::Update::Error-Mode=any", *words],
                              capture_output=True, text=True)

    def repository(self, *words):
        made = subprocess.run([ROOT / "scripts/apt-repository", *words], capture_output=True, text=True)
        (self.folder / "vitrail.list").write_text(made.stdout)
        return made

    def test_apt_reads_a_repository(self):
        names = []
        for name in ("vitrail-one", "vitrail-two"):
            names.append(name)
            self.assertEqual(self.repository(self.packed(name)).returncode, 0)
            updated = self.apt("apt-get", "update")
            self.assertEqual(updated.returncode, 0, updated.stdout + updated.stderr)
            self.assertEqual(sorted(self.apt("apt-cache", "pkgnames", "vitrail").stdout.split()), names)

    def test_a_changed_repository_breaks_its_signature(self):
        home = self.folder / "gnupg"
        home.mkdir(mode=0o700)
        self.addCleanup(subprocess.run, ["gpgconf", "--homedir", home, "--kill", "all"], check=False)
        subprocess.run(["gpg", "--homedir", home, "--batch", "--passphrase", "", "--quick-gen-key", "wall@example.org", "ed25519"],
                       check=True, capture_output=True)
        debs = self.packed("vitrail-one")
        with unittest.mock.patch.dict(os.environ, {"GNUPGHOME": str(home)}):
            made = self.repository(debs, "--key", "wall@example.org")
        self.assertIn(f"signed-by={debs}/vitrail.asc", made.stdout, made.stderr)
        updated = self.apt("apt-get", "update")
        self.assertEqual(updated.returncode, 0, updated.stdout + updated.stderr)
        signed = debs / "InRelease"
        signed.write_text(signed.read_text().replace("Origin: Vitrail", "Origin: another"))
        self.assertNotEqual(self.apt("apt-get", "update").returncode, 0)

    @unittest.skipUnless(os.getuid() == 0 and subprocess.run(["id", "_apt"], capture_output=True).returncode == 0, "needs root and apt's user")
    def test_a_folder_that_apt_cannot_read_is_named(self):
        self.folder.chmod(0o700)
        debs = self.packed("vitrail-one")
        made = self.repository(debs)
        self.assertEqual((made.returncode, made.stdout), (0, f"deb [trusted=yes] file:{debs} ./\n"))
        self.assertIn("the user _apt cannot read", made.stderr)
        self.folder.chmod(0o755)
        self.assertNotIn("_apt", self.repository(debs).stderr)

    def test_mistakes_are_named(self):
        self.assertIn("no .deb file", self.repository(self.folder).stderr)
        spaced = self.packed("vitrail-one").rename(self.folder / "two words")
        made = self.repository(spaced)
        self.assertEqual(made.returncode, 1)
        self.assertIn("must not have white space", made.stderr)
        self.assertEqual([path.suffix for path in spaced.iterdir()], [".deb"])
        made = self.repository(self.folder, "--sign")
        self.assertEqual((made.returncode, made.stderr), (2, "apt-repository: unexpected '--sign'. Try scripts/apt-repository --help.\n"))


if __name__ == "__main__":
    unittest.main()
