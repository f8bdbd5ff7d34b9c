"""A machine in QEMU: power, wires, display, and commands by ssh."""

import json
import os
import pathlib
import re
import shlex
import socket
import subprocess
import time

from image import card

PATIENCE_S = float(os.environ.get("VITRAIL_TEST_PATIENCE_S", "600"))  # for one wait: emulated machines boot in two minutes
SSH_S = 100  # for a connection to ssh: less than sshd's LoginGraceTime
DISPLAY = (640, 360)


class Failed(Exception):
    """A step of the test failed. The message says why."""


def eventually(condition, what, seconds=PATIENCE_S):
    """Waits for the first true value of the condition and returns it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.5)
    raise Failed(f"{what}: not within {seconds} s")


def free_port():
    """A TCP port of loopback that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def kvm_works():
    """Whether guests run on the processor here. Without its support for them (vmx or svm), /dev/kvm is slower than emulation."""
    flags = re.search(r"^flags\s*:(.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    return os.access("/dev/kvm", os.R_OK | os.W_OK) and bool(flags) and bool({"vmx", "svm"} & set(flags[1].split()))


class Machine:
    """One machine with a disk of its own, the wall's network on eth1, and a display."""

    def __init__(self, name, image, folder, packages, network, kvm):
        self.name, self.image, self.folder, self.packages = name, image, folder, packages
        self.network, self.kvm = network, kvm
        self.port = free_port()
        self.guest = None
        self.disk = folder / f"{name}.qcow2"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", image.disk, "-F", "raw", self.disk], check=True)

    def start(self, displays=1):
        """Turns the power on. For the kernel, this number of displays is plugged in."""
        self.path("qmp").unlink(missing_ok=True)
        speed = ["kvm", "-cpu", "host"] if self.kvm else ["tcg", "-cpu", "Nehalem"]
        command = [
            "qemu-system-x86_64", "-accel", *speed, "-m", "1024", "-smp", "1", "-display", "none", "-nodefaults",
            "-kernel", self.image.kernel, "-initrd", self.image.initrd, "-append",
            f"root=/dev/vda rw console=ttyS0 quiet no_timer_check net.ifnames=0 mitigations=off consoleblank=0 systemd.hostname={self.name}"
            + "".join(f" video=Virtual-{number}:{DISPLAY[0]}x{DISPLAY[1]}e" for number in range(2, displays + 1)),
            "-drive", f"file={self.disk},if=virtio", "-drive", f"file={self.packages},if=virtio,format=raw,readonly=on",
            "-device", "virtio-rng-pci", "-device", f"virtio-gpu-pci,id=video,max_outputs={displays},xres={DISPLAY[0]},yres={DISPLAY[1]}",
            "-netdev", f"user,id=host,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22", "-device", "virtio-net-pci,netdev=host",
            "-netdev", f"socket,id=wall,mcast={self.network},localaddr=127.0.0.1",
            "-device", f"virtio-net-pci,netdev=wall,id=wire,mac={card(self.name)}",
            "-serial", f"file:{self.path('console')}", "-qmp", f"unix:{self.path('qmp')},server=on,wait=off"]
        with open(self.path("qemu"), "a", encoding="utf-8") as log:
            # A group of its own hides Ctrl-C from the machine. A session of its own would lose the priority (autogroup) of the test's.
            self.guest = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, process_group=0)

    def path(self, what):
        """A file of this machine in the test's folder."""
        return self.folder / f"{self.name}.{what}"

    def is_up(self):
        """Whether the machine answers. Fails if QEMU has ended."""
        if self.guest.poll() is not None:
            raise Failed(f"QEMU has ended: {self.path('qemu')}")
        if self.ssh("true", patience=SSH_S + 20).returncode == 0:
            return True
        self.hang_up()  # its connection may be that of a system that has stopped
        return False

    def wait(self):
        """Waits until the machine answers."""
        eventually(self.is_up, f"{self.name} answers by ssh")

    def ssh(self, command, text="", patience=PATIENCE_S):
        """Runs a shell command as root, and returns the process that ended."""
        # The default key exchange takes an emulated machine on a busy computer longer than sshd waits for a login.
        line = ["ssh", "-q", "-i", self.image.key, "-p", self.port, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "KexAlgorithms=curve25519-sha256", "-o", f"ConnectTimeout={SSH_S}", "-o", "ServerAliveInterval=60",
                "-o", "ControlMaster=auto", "-o", "ControlPersist=yes", "-o", f"ControlPath={self.path('ssh')}", "root@127.0.0.1", f"bash -c {shlex.quote(command)}"]
        try:
            return subprocess.run([str(word) for word in line], input=text, capture_output=True, text=True, errors="replace",
                                  timeout=patience, check=False)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(line, 124, "", f"no end within {patience} s")

    def run(self, command, good=(0,), text=""):
        """Runs a command that must succeed, writes what it printed to the machine's log, and returns it."""
        ran = self.ssh(command, text)
        with open(self.path("log"), "a", encoding="utf-8") as log:
            log.write(f"$ {command}\n{ran.stdout}{ran.stderr}[{ran.returncode}]\n")
        if ran.returncode not in good:
            raise Failed(f"{self.name}: “{command}” ended with {ran.returncode}: {(ran.stderr or ran.stdout).strip()[-300:]}")
        return ran.stdout

    def hang_up(self):
        """Forgets the connection of a machine that restarts."""
        subprocess.run(["ssh", "-q", "-O", "exit", "-o", f"ControlPath={self.path('ssh')}", "root@127.0.0.1"],
                       capture_output=True, check=False)
        self.path("ssh").unlink(missing_ok=True)

    def restart(self):
        """Restarts the machine's system and waits for another boot."""
        before = self.run("cat /proc/sys/kernel/random/boot_id")
        self.ssh("systemctl reboot", patience=60)
        self.hang_up()
        eventually(lambda: self.is_up() and self.ssh("cat /proc/sys/kernel/random/boot_id").stdout not in ("", before),
                   f"{self.name} has restarted")

    def cut_power(self):
        """Turns the power off without notice, if it is on."""
        self.hang_up()
        if self.guest:
            self.guest.kill()
            self.guest.wait()

    def link(self, up):
        """Connects or disconnects the cable to the wall's network."""
        self.qmp("set_link", name="wire", up=up)

    def screendump(self, display=0):
        """What a display shows now: size and pixels (RGB)."""
        self.qmp("screendump", filename=str(self.path("ppm")), device="video", head=display)
        kind, size, most, pixels = self.path("ppm").read_bytes().split(b"\n", 3)
        if (kind, most) != (b"P6", b"255"):
            raise Failed(f"{self.name}: QEMU wrote no picture: {self.path('ppm')}")
        return tuple(int(number) for number in size.split()), pixels

    def qmp(self, command, **arguments):
        """Orders QEMU, and returns its answer."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.settimeout(60)
            monitor.connect(str(self.path("qmp")))
            lines = monitor.makefile("rw", encoding="utf-8")
            self.answer(lines)  # its greeting
            for name, values in (("qmp_capabilities", {}), (command, arguments)):
                lines.write(json.dumps({"execute": name, "arguments": values}) + "\n")
                lines.flush()
                while "event" in (answer := self.answer(lines)):
                    pass
                if "error" in answer:
                    raise Failed(f"{self.name}: QEMU refuses {name}: {answer['error']['desc']}")
        return answer["return"]

    def answer(self, lines):
        """The next answer or event of QEMU."""
        line = lines.readline()
        if not line:
            raise Failed(f"{self.name}: QEMU has closed the connection: {self.path('qemu')}")
        return json.loads(line)
