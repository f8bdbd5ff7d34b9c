"""An NFS server for tests and benchmarks: nfs-ganesha in user space, NFSv4 on its own port."""

import os
import pathlib
import shutil
import subprocess

GANESHA = shutil.which("ganesha.nfsd", path=os.environ.get("PATH", "") + ":/usr/sbin")


def why_not():
    """The reason why this server cannot run here, or ""."""
    if not GANESHA or not list(pathlib.Path("/usr/lib").glob("**/ganesha/libfsalvfs.so")):
        return "nfs-ganesha with nfs-ganesha-vfs is not installed"
    return "" if os.geteuid() == 0 else "nfs-ganesha opens files as root only"


def ganesha_command(folder, films, port, address="127.0.0.1"):
    """The command of a server that exports `films` read-only, keeps all its files in `folder`, and notices when other
    processes change films."""
    folder = pathlib.Path(folder)
    (folder / "recovery").mkdir(exist_ok=True)
    (folder / "ganesha.conf").write_text(f"""
NFS_CORE_PARAM {{ NFS_Port = {port}; Bind_addr = {address}; Protocols = 4; Enable_NLM = false; Enable_RQUOTA = false;
  Enable_UDP = false; }}
NFSV4 {{ Graceless = true; RecoveryBackend = fs; RecoveryRoot = {folder}/recovery; }}
LOG {{ Default_Log_Level = WARN; }}
EXPORT {{ Export_Id = 1; Path = {films}; Pseudo = {films}; Access_Type = RO; Squash = No_Root_Squash; SecType = sys;
  Protocols = 4; Transports = TCP; Attr_Expiration_Time = 0; FSAL {{ Name = VFS; }} }}
""")
    return [GANESHA, "-F", "-f", f"{folder}/ganesha.conf", "-L", f"{folder}/ganesha.log", "-p", f"{folder}/ganesha.pid"]


class Ganesha:
    """Stops at the end of the test."""

    def __init__(self, test, folder, films, port):
        self.command = ganesha_command(folder, films, port)
        self.port = port
        self.process = None
        test.addCleanup(self.end)
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        self.process.kill()  # also if it is stopped
        self.process.wait(10)
