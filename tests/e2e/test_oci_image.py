"""scripts/oci-image: the writer of OCI image layouts, and what the images start. scripts/test-images makes whole images."""

import gzip
import hashlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile
import unittest

from harness import ROOT, run


def load_script():
    loader = importlib.machinery.SourceFileLoader("oci_image", str(ROOT / "scripts/oci-image"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


SCRIPT = load_script()
CREATED = 1_700_000_000


class OciImage(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.root = self.folder / "root.tar"
        with tarfile.open(self.root, "w") as archive:
            entry = tarfile.TarInfo("./usr/bin/vitrail")
            entry.size = 5_000_000
            archive.addfile(entry, io.BytesIO(bytes(range(250)) * 20_000))

    def write(self, kind, name="image.tar", version="0.2.0"):
        out = self.folder / name
        SCRIPT.write_image(self.root, kind, out, version, CREATED, "amd64")
        return out

    def blob(self, archive, descriptor):
        """The bytes of the blob, if digest and size are right."""
        data = archive.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()
        self.assertEqual(len(data), descriptor["size"])
        self.assertEqual("sha256:" + hashlib.sha256(data).hexdigest(), descriptor["digest"])
        return data

    def parse(self, out):
        """(index entry, configuration, bytes of the layer)"""
        with tarfile.open(out) as archive:
            self.assertEqual(json.load(archive.extractfile("oci-layout")), {"imageLayoutVersion": "1.0.0"})
            index = json.load(archive.extractfile("index.json"))
            (entry,) = index["manifests"]
            manifest = json.loads(self.blob(archive, entry))
            self.assertEqual(manifest["mediaType"], entry["mediaType"])
            configuration = json.loads(self.blob(archive, manifest["config"]))
            (layer,) = manifest["layers"]
            bytes_of_layer = gzip.decompress(self.blob(archive, layer))
            digests = [item["digest"] for item in (entry, manifest["config"], layer)]
            self.assertEqual(sorted(archive.getnames()), sorted(
                ["oci-layout", "index.json", *("blobs/" + digest.replace(":", "/") for digest in digests)]))
        return entry, configuration, bytes_of_layer

    def test_all_digests_and_sizes_are_right(self):
        for kind, image in SCRIPT.IMAGES.items():
            with self.subTest(kind):
                entry, configuration, layer = self.parse(self.write(kind, f"{kind}.tar"))
                self.assertEqual(entry["annotations"]["org.opencontainers.image.ref.name"], f"vitrail-{kind}:0.2.0")
                self.assertEqual(layer, self.root.read_bytes())
                self.assertEqual(configuration["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layer).hexdigest()])
                self.assertEqual((configuration["os"], configuration["architecture"]), ("linux", "amd64"))
                self.assertEqual(configuration["created"], "2023-11-14T22:13:20Z")
                self.assertEqual(configuration["config"]["User"], "7440:7440")
                self.assertEqual(configuration["config"]["Volumes"], {"/var/lib/vitrail": {}})
                self.assertEqual("Healthcheck" in configuration["config"], image["health"] is not None)

    def test_equal_input_gives_equal_bytes(self):
        self.assertEqual(self.write("manager", "one.tar").read_bytes(), self.write("manager", "two.tar").read_bytes())

    def test_versions_of_debian_become_tags(self):
        entry, _, _ = self.parse(self.write("tools", version="0.2.0~git20261129+1"))
        self.assertEqual(entry["annotations"]["org.opencontainers.image.ref.name"], "vitrail-tools:0.2.0-git20261129-1")

    def test_the_tag_has_no_revision_of_debian(self):
        for package, version in (("vitrail-cli_0.2.0-1_amd64.deb", "0.2.0"), ("libsail0_0.2.0~git2026.abc-1_amd64.deb", "0.2.0~git2026.abc"),
                                 ("libsail0_0.2.0_amd64.deb", "0.2.0")):
            self.assertEqual(SCRIPT.version_of(pathlib.Path(package)), version)

    def test_programs_have_the_options(self):
        for kind, image in SCRIPT.IMAGES.items():
            for words in (image["entry"] + image["arguments"], image["health"] or []):
                text = run(words[0], *([words[1]] if words[1:2] == ["films"] else []), "--help").stdout if words else ""
                for option in (word for word in words if word.startswith("--")):
                    self.assertIn(option, text, kind)

    def test_the_compose_file_is_of_these_images(self):
        compose = (ROOT / "scripts/compose.yaml").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"image: vitrail-([\w-]+):", compose)), set(SCRIPT.IMAGES))
        version = re.search(r"^project\(vitrail VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
        self.assertEqual(set(re.findall(r"image: vitrail-[\w-]+:(\S+)", compose)), {version})
        checks = [[word.strip('"') for word in words.split(", ")] for words in re.findall(r"test: \[CMD, (.*)\]", compose)]
        self.assertEqual(checks, [image["health"] for image in SCRIPT.IMAGES.values() if image["health"]])

    def test_mistakes_are_reported(self):
        debs = self.folder / "debs"
        debs.mkdir()
        there = self.folder / "there.tar"
        there.write_text("kept")
        for words, code, said in (((), 2, "usage"), (("receiver", debs, there), 2, "usage"), (("manager", debs, there), 1, "already exists"),
                                  (("manager", debs, self.folder / "none/new.tar"), 1, "none is not a folder"),
                                  (("manager", debs, self.folder / "new.tar"), 1, "vitrail-manager: there must be one")):
            made = subprocess.run([ROOT / "scripts/oci-image", *map(str, words)], capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, code, made.stderr)
            self.assertIn(said, made.stderr)
        self.assertEqual(there.read_text(), "kept")


if __name__ == "__main__":
    unittest.main()
