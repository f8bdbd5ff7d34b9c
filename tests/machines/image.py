"""The disk image of a Debian 12 machine, made once in ~/.cache/vitrail/machines (as root).

The image has what Vitrail's packages need, but not these: emulated machines would take an hour to unpack that. All
machines start from it; their names and addresses come from QEMU.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "vitrail/machines"
SUITE = "bookworm"
DISK = "8G"
# In the wall's network; eth0 leads to this machine only.
ADDRESSES = {"head": "10.77.0.1", "node1": "10.77.0.11", "node2": "10.77.0.12"}
PACKAGES = ["dbus", "initramfs-tools", "iproute2", "kmod", "libpam-systemd", "linux-image-amd64", "openssh-client", "openssh-server",
            "procps", "systemd-sysv", "udev"]
# A small initrd starts sooner.
INITRD = """set -e
mkdir -p "$1/etc/initramfs-tools/conf.d"
echo MODULES=list >"$1/etc/initramfs-tools/conf.d/machine"
printf '%s\\n' virtio_pci virtio_blk ext4 >"$1/etc/initramfs-tools/modules"
"""
# They would run in the middle of a test.
MASKED = ("apt-daily-upgrade.timer", "apt-daily.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "e2scrub_reap.service",
          "fstrim.timer")
# In place of the editor, for the page's "the second OPTIONS line has page and films".
NANO = r"""#!/bin/sh
exec sed -i -e 's/^OPTIONS=/#&/' -e 's/^#\(OPTIONS=.*--page\)/\1/' "$1"
"""
FILES = {
    "etc/fstab": "/dev/vda / ext4 errors=remount-ro,x-systemd.device-timeout=1h 0 1\n"
                 "/dev/vdb /srv/vitrail ext4 ro,x-systemd.device-timeout=1h 0 0\n",
    "etc/systemd/system.conf.d/slow.conf": "[Manager]\nDefaultTimeoutStartSec=1h\n",
    "etc/apt/apt.conf.d/machines": 'APT::Get::Assume-Yes "true";\n',
    "etc/apt/sources.list": "",
    "etc/hosts": "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in ADDRESSES.items()),
    "etc/systemd/network/internet.network": "[Match]\nName=eth0\n[Network]\nDHCP=ipv4\n",
    "etc/ssh/ssh_config.d/machines.conf": "StrictHostKeyChecking accept-new\n",
    "usr/local/bin/nano": NANO,
}


def card(name):
    """The MAC address of a machine's card in the wall's network."""
    return f"52:54:00:77:00:{int(ADDRESSES[name].split('.')[-1]):02x}"


class Image:
    """Paths of what machines start from."""

    def __init__(self, folder):
        self.disk = folder / "disk.img"
        self.kernel = folder / "vmlinuz"
        self.initrd = folder / "initrd"
        self.key = folder / "ssh_key"


def mirrors():
    """Lines for sources.list with the mirrors of this machine."""
    said = subprocess.run(["apt-get", "indextargets", "--format", "$(LABEL)|$(REPO_URI)", "Created-By: Packages", "Origin: Debian"],
                          capture_output=True, text=True, check=True).stdout
    found = {}
    for line in said.splitlines():
        label, address = line.split("|")
        found.setdefault(label, address)
    missing = {"Debian", "Debian-Security"} - set(found)
    if missing:
        raise FileNotFoundError(f"apt of this machine has no lists of {', '.join(sorted(missing))}: apt-get update")
    return [f"deb {found['Debian']} {SUITE} main", f"deb {found['Debian-Security']} {SUITE}-security main"]


def write_files(root, key):
    """Writes the machine's settings into its root folder."""
    cards = {f"etc/systemd/network/{name}.network": f"[Match]\nMACAddress={card(name)}\n[Network]\nAddress={address}/24\n"
             for name, address in ADDRESSES.items()}
    for name, text in (FILES | cards).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "usr/local/bin/nano").chmod(0o755)
    ssh = root / "root/.ssh"
    ssh.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(key, ssh / "id_ed25519")
    shutil.copy(key.with_suffix(".pub"), ssh / "authorized_keys")
    (ssh / "id_ed25519").chmod(0o600)
    (root / "srv/vitrail").mkdir()
    subprocess.run(["systemctl", f"--root={root}", "enable", "--quiet", "systemd-networkd"], check=True)
    subprocess.run(["systemctl", f"--root={root}", "mask", "--quiet", *MASKED], check=True)


def make(folder, packages):
    """Makes the image in a new folder: some minutes."""
    image = Image(folder)
    root = folder / "root"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "machines", "-f", image.key], check=True)
    hook = "; ".join(INITRD.splitlines())
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}", f"--essential-hook={hook}",
                    "--dpkgopt=force-unsafe-io", SUITE, root, *mirrors()], check=True)
    write_files(root, image.key)
    shutil.copy(next((root / "boot").glob("vmlinuz-*")), image.kernel)
    shutil.copy(next((root / "boot").glob("initrd.img-*")), image.initrd)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, image.disk, DISK], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root)


def make_once(dependencies):
    """The image with these packages, made if it is missing. Other images are deleted."""
    packages = sorted({*PACKAGES, *dependencies})
    folder = CACHE / f"{SUITE}-{hashlib.sha256(repr((packages, FILES, INITRD, MASKED)).encode()).hexdigest()[:8]}"
    if not folder.exists():
        print(f"Making {folder} …", flush=True)
        shutil.rmtree(CACHE, ignore_errors=True)
        fresh = CACHE / "new"
        fresh.mkdir(parents=True)
        make(fresh, packages)
        fresh.rename(folder)
    return Image(folder)
