"""Remote hosts for tests: a real sshd with its own keys that listens on several loopback addresses."""

import getpass
import os
import pathlib
import shutil
import socket
import subprocess

from harness import eventually, free_port

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin")


class FarHosts:
    """`environment` makes Vitrail's ssh connect to these hosts."""

    passwords = "no"

    def __init__(self, folder, hosts, port=None):
        self.folder = pathlib.Path(folder)
        self.hosts = hosts
        self.port = port or free_port(hosts[0])
        self.environment = {"VITRAIL_SSH": f"ssh -F {folder}/config"}
        for name in ("host", "other", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        self.know("host")
        (self.folder / "config").write_text(
            f"Host *\n IdentityFile {folder}/user\n IdentitiesOnly yes\n"
            f" UserKnownHostsFile {folder}/known\n GlobalKnownHostsFile /dev/null\n")
        self.sshd = self.start()

    def know(self, key):
        public = " ".join((self.folder / f"{key}.pub").read_text().split()[:2])
        (self.folder / "known").write_text("".join(f"{self.known_as(host)} {public}\n" for host in self.hosts))

    def known_as(self, host):
        return host if self.port == 22 else f"[{host}]:{self.port}"

    def let_nobody_in(self):
        (self.folder / "authorized").write_text("")

    def lose(self, host):
        """From now on, nobody can connect to this host. Connections stay."""
        self.hosts = [other for other in self.hosts if other != host]
        self.end()
        self.sshd = self.start()

    def ask_for_passwords(self):
        """From now on, requires a password for each login."""
        self.let_nobody_in()
        self.passwords = "yes"
        self.end()
        self.sshd = self.start()

    def sshd_config(self, addresses):
        listen = "".join(f"ListenAddress {address}\n" for address in addresses)
        return (f"{listen}Port {self.port}\nHostKey {self.folder}/host\nPidFile none\nMaxStartups 100\n"
                f"AuthorizedKeysFile {self.folder}/authorized\nStrictModes no\nUsePAM no\nPasswordAuthentication {self.passwords}\n"
                "Subsystem sftp internal-sftp\n")

    def start(self):
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        (self.folder / "sshd_config").write_text(self.sshd_config(self.hosts))
        sshd = subprocess.Popen([SSHD, "-D", "-e", "-f", self.folder / "sshd_config"], stderr=subprocess.DEVNULL)

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex((self.hosts[-1], self.port)) == 0
        eventually(listens, "sshd listens")
        return sshd

    def place(self, name, host, **more):
        """A receiver's entry in the wall file."""
        return {"name": name, "host": host, "port": self.port, "user": getpass.getuser(), "display": "null", **more}

    def end(self):
        self.sshd.terminate()
        self.sshd.wait()
