"""GlusterFS for tests and benchmarks: glusterd instances with their own files, and volumes of local bricks."""

import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess

ADDRESS = "127.0.0.2"  # GlusterFS refuses bricks on 127.0.0.1
PORT = 24007           # here clients ask a brick's host for the brick's port
PROGRAMS = [shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
            for name in ("glusterd", "gluster", "glusterfsd")]
GFAPI = "libgfapi.so.0"


def why_not():
    """The reason why these servers cannot run here, or ""."""
    if None in PROGRAMS:
        return "glusterfs-server is not installed"
    if os.geteuid() != 0:
        return "glusterd serves as root only"
    with socket.socket() as probe:
        return "something listens on glusterd's port already" if probe.connect_ex((ADDRESS, PORT)) == 0 else ""


class Gluster:
    """nodes: addresses, each with the command prefix that runs a program there. Bricks are assigned round-robin."""

    def __init__(self, folder, nodes=None):
        self.folder = pathlib.Path(folder) / "gluster"
        self.nodes = nodes or {ADDRESS: []}
        self.elsewhere = set()  # files that the servers create outside their folder
        self.processes = [self.start(address, self.place(number), words)
                          for number, (address, words) in enumerate(self.nodes.items())]

    def place(self, number):
        return self.folder / f"node{number}"

    @staticmethod
    def start(address, place, words):
        (place / "run").mkdir(parents=True)
        (place / "glusterd.vol").write_text(f"""volume management
    type mgmt/glusterd
    option working-directory {place}/lib
    option run-directory {place}/run
    option glusterd-sockfile {place}/socket
    option transport-type socket
    option transport.address-family inet
    option transport.socket.bind-address {address}
    option transport.socket.listen-port {PORT}
    option transport.socket.keepalive-time 10
    option transport.socket.keepalive-interval 2
    option ping-timeout 0
    option max-port 60999
end-volume
""")
        return subprocess.Popen([*words, PROGRAMS[0], "--no-daemon", "-f", place / "glusterd.vol", "-p", place / "pid", "-l", place / "log"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_up(self):
        return all(self.ask(number, "pool", "list").returncode == 0 for number in range(len(self.nodes)))

    def ask(self, number, *words):
        return subprocess.run([PROGRAMS[1], "--mode=script", f"--glusterd-sock={self.place(number)}/socket", *map(str, words)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)

    def tell(self, *words):
        done = self.ask(0, *words)
        if done.returncode != 0:
            raise RuntimeError(f"gluster {words}: {done.stdout}")

    def join(self):
        """Adds the other nodes to the first node's pool."""
        for address in list(self.nodes)[1:]:
            self.tell("peer", "probe", address)

    def is_joined(self):
        """Whether all nodes know that all others are in the pool; connected peers may not be members yet."""
        return all(self.ask(number, "peer", "status").stdout.count("State: Peer in Cluster (Connected)") == len(self.nodes) - 1
                   for number in range(len(self.nodes)))

    def make_volume(self, name, bricks, kind=(), settings=()):
        """Creates and starts a volume. `kind`: as in `volume create`. `settings`: pairs for `volume set`."""
        addresses = list(self.nodes)
        places = [f"{addresses[brick % len(addresses)]}:{self.folder}/{name}{brick}" for brick in range(bricks)]
        self.tell("volume", "create", name, *kind, *places, "force")
        for key, value in settings:
            self.tell("volume", "set", name, key, value)
        self.tell("volume", "start", name)
        for words in self.started().values():
            options = ("-S", "-l") if "--brick-name" in words else ("-S",)
            self.elsewhere.update(words[words.index(option) + 1] for option in options if option in words)

    def started(self):
        """Number → arguments of each process that serves from this folder, without glusterd."""
        found = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if "glusterfs" in words[0] and any(f"{self.folder}/" in word for word in words):
                found[int(process.name)] = words
        return found

    def bricks(self, volume):
        return [number for number, words in self.started().items()
                if any(f"{self.folder}/{volume}" in word for word in words)]

    def write(self, volume, files):
        """Writes files (paths with their bytes) through GlusterFS's own client library."""
        api = ctypes.CDLL(GFAPI, use_errno=True)
        api.glfs_new.restype = api.glfs_creat.restype = ctypes.c_void_p
        api.glfs_write.restype = ctypes.c_ssize_t
        mount = ctypes.c_void_p(api.glfs_new(volume.encode()))
        api.glfs_set_logging(mount, b"/dev/null", 0)
        api.glfs_set_volfile_server(mount, b"tcp", ADDRESS.encode(), PORT)
        if api.glfs_init(mount) != 0:
            raise OSError(ctypes.get_errno(), f"{volume} cannot be mounted")
        for path, content in files.items():
            file = ctypes.c_void_p(api.glfs_creat(mount, path.encode(), os.O_RDWR, 0o644))
            for begin in range(0, len(content), 1 << 20):
                piece = content[begin:begin + (1 << 20)]
                if api.glfs_write(file, piece, ctypes.c_size_t(len(piece)), 0) != len(piece):
                    raise OSError(ctypes.get_errno(), f"{path} cannot be written")
            api.glfs_close(file)
        # glfs_fini() is omitted: it would take ten seconds, and closed files are already written.

    def end(self):
        for process in self.processes:  # first, because they start other processes
            process.kill()
            process.wait(10)
        for number in self.started():
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self.remove_elsewhere()

    def remove_elsewhere(self):
        """Removes what the servers, which have ended, left outside their folder."""
        for path in self.elsewhere:
            pathlib.Path(path).unlink(missing_ok=True)
