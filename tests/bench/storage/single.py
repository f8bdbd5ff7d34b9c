"""Storages of one machine: the local disk, a web server, an NFS server."""

import sys

from engine import Engine, program
from rig import ROOT

sys.path.append(str(ROOT / "tests/e2e"))

import ganesha  # noqa: E402

NGINX = """worker_processes 2; daemon off; pid {folder}/pid; error_log {folder}/log; user root;
events {{}}
http {{ access_log off; sendfile on; server {{ listen {address}:8000; location / {{ root {films}; }} }} }}
"""
NFS_PORT = 2049


class Local(Engine):
    name, title, victim = "local", "local disk (in memory)", ""

    def url_of(self, film):
        return self.films / film


class Http(Engine):
    name, title, victim = "http", "HTTP (nginx)", "one"
    programs, package = ("nginx",), "nginx"

    def start(self):
        folder = self.rig.place("nginx")
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, films=self.films, address=self.rig.address("one")))
        self.rig.start("one", program("nginx"), "-c", folder / "nginx.conf")
        self.rig.wait(lambda: self.rig.run("reader", "curl", "-sI", self.url_of("")), "nginx answers")

    def url_of(self, film):
        return f"http://{self.rig.address('one')}:8000/{film}"


class Nfs(Engine):
    name, title, victim = "nfs", "NFS (nfs-ganesha)", "one"

    @classmethod
    def why_not(cls):
        return ganesha.why_not()

    def start(self):
        address = self.rig.address("one")
        self.rig.start("one", *ganesha.ganesha_command(self.rig.place("ganesha"), self.films, NFS_PORT, address))
        self.rig.wait(lambda: self.rig.run("reader", "bash", "-c", f": < /dev/tcp/{address}/{NFS_PORT}") == "", "nfs-ganesha answers")

    def url_of(self, film):
        return f"nfs://{self.rig.address('one')}{self.films / film}"
