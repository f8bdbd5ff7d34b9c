"""The disk of all machines at /srv/vitrail: an apt repository, and in `next` one with the same packages as a newer version."""

import re
import shutil
import subprocess

# What the head and the nodes install, with what those packages need and recommend.
WANTED = ("libsail0", "vitrail-apps", "vitrail-cli", "vitrail-decoder", "vitrail-manager", "vitrail-poster", "vitrail-receiver")


def field(package, name):
    """A field of a package, or ""."""
    return subprocess.run(["dpkg-deb", "-f", package, name], capture_output=True, text=True, check=True).stdout.strip()


def wanted(folder):
    """The newest package of each name in the folder."""
    found = {}
    for package in folder.glob("*.deb"):
        name, version = field(package, "Package"), field(package, "Version")
        newer = name not in found or subprocess.run(["dpkg", "--compare-versions", version, "gt", found[name][0]], check=False).returncode == 0
        if name in WANTED and newer:
            found[name] = (version, package)
    missing = set(WANTED) - set(found)
    if missing:
        raise FileNotFoundError(f"{folder} has no package {', '.join(sorted(missing))}: scripts/package makes them")
    return [package for _, package in found.values()]


def dependencies(folder):
    """The packages of Debian that the packages need and recommend: the first of alternatives, sorted."""
    names = set()
    for package in wanted(folder):
        for relation in f"{field(package, 'Depends')}, {field(package, 'Recommends')}".split(","):
            names.add(re.sub(r"[(|:].*", "", relation).strip())
    return sorted(names - set(WANTED) - {""})


def repack(package, suffix, target):
    """Writes the package without compression, because emulated machines take minutes for that, with a suffix to its version."""
    tree = target / "tree"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN/control"
    text, version = control.read_text(encoding="utf-8"), field(package, "Version")
    text = text.replace(f"Version: {version}\n", f"Version: {version}{suffix}\n").replace(f" {version})", f" {version}{suffix})")
    control.write_text(text, encoding="utf-8")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, target], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)


def make_disk(folder, work, script, film):
    """Makes a disk with the repositories of these packages (by the script for that) and a film, and returns its path."""
    tree, disk = work / "repositories", work / "packages.img"
    for target, suffix in ((tree, ""), (tree / "next", "+next")):
        target.mkdir()
        for package in wanted(folder):
            repack(package, suffix, target)
        done = subprocess.run([script, target], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise OSError(f"{script}: {done.stderr.strip()[-300:]}")
    shutil.copy(film, tree)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", tree, disk, "1G"], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return disk
