"""Runs the test on the machines: run.py DEBS NODES. scripts/test-machines starts this."""

import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import image
import packages
import picture
import steps
from machine import Failed, Machine, free_port, kvm_works
from page import Page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXIT_FAILED, EXIT_INTERRUPTED = 1, 130


def make_wall(debs, folder, nodes):
    """The machines, turned off."""
    page = Page((ROOT / "receiver/KIOSK.md").read_text(encoding="utf-8"))
    made = image.make_once(packages.dependencies(debs))
    picture.make_film(folder / "film.mkv")
    disk = packages.make_disk(debs, folder, ROOT / "scripts/apt-repository", folder / "film.mkv")
    kvm = kvm_works()
    print(f"Machines run {'with KVM' if kvm else 'emulated, some twenty times as slow'}.", flush=True)
    network = f"230.77.7.7:{free_port()}"
    machines = [Machine(name, made, folder, disk, network, kvm) for name in list(image.ADDRESSES)[:1 + nodes]]
    return steps.Wall(machines[0], machines[1:], page)


def run(wall, folder):
    """Runs all steps, and returns the number of those that failed. Without a film on the wall, no others follow."""
    failed, last = 0, False
    for step in steps.STEPS:
        began = time.monotonic()
        try:
            step(wall)
            result = "ok"
        except (Failed, OSError, LookupError, ValueError) as mistake:
            result = f"FAILED: {mistake if isinstance(mistake, (Failed, OSError)) else repr(mistake)}"
            failed += 1
            last = step in steps.FIRST
            keep(wall, folder / f"failed-{step.__name__}")
        print(f"{time.monotonic() - began:6.0f} s  {step.__doc__}: {result}", flush=True)
        if last:
            break
    return failed


def keep(wall, folder):
    """Keeps logs and displays of all machines."""
    folder.mkdir()
    for machine in wall.machines:
        try:
            machine.screendump()
            machine.path("ppm").rename(folder / f"{machine.name}.ppm")
        except (Failed, OSError):
            pass
        (folder / f"{machine.name}.journal").write_text(machine.ssh("journalctl -b --no-pager -n 300", patience=120).stdout, encoding="utf-8")


def test(debs, folder, nodes):
    """Makes the machines and runs all steps on them. Returns the number of steps that failed."""
    wall = make_wall(debs, folder, nodes)
    try:
        failed = run(wall, folder)
    finally:
        for machine in wall.machines:
            machine.cut_power()
            machine.disk.unlink()
        wall.head.packages.unlink()
    for what, seconds in sorted(wall.times.items(), key=lambda item: -item[1])[:10]:
        print(f"{seconds:6.0f} s  {what}")
    return failed


def main():
    """Returns the exit code. The folder of logs and displays is kept if a step failed."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-machines-"))
    try:
        failed = test(pathlib.Path(sys.argv[1]), folder, int(sys.argv[2]))
    except KeyboardInterrupt:
        shutil.rmtree(folder)
        return EXIT_INTERRUPTED
    except (OSError, ValueError, subprocess.CalledProcessError) as mistake:
        print(f"test-machines: the machines could not be made: {mistake}", file=sys.stderr)
        shutil.rmtree(folder)
        return EXIT_FAILED
    if failed:
        print(f"{failed} steps failed. Logs and displays are in {folder}.", file=sys.stderr)
        return EXIT_FAILED
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
