"""GlusterFS, mounted: two parts of data and one of redundancy on three bricks."""

import sys

from engine import Mounted
from rig import ROOT, SERVERS

sys.path.append(str(ROOT / "tests/e2e"))

import gluster  # noqa: E402

KIND = ("disperse", "3", "redundancy", "1")


class GlusterFs(Mounted):
    name, title = "gluster", "GlusterFS, disperse 2+1"
    programs, package = ("glusterd", "gluster", "glusterfsd", "glusterfs"), "glusterfs-server and glusterfs-client"
    settings = ()
    cluster = None

    def start(self):
        self.cluster = gluster.Gluster(self.rig.folder, {self.rig.address(node): self.rig.words(node) for node in SERVERS})
        self.rig.started += self.cluster.processes
        self.rig.wait(self.cluster.is_up, "glusterd answers")
        self.cluster.join()
        self.rig.wait(self.is_whole, "the nodes are one pool")
        self.cluster.make_volume("films", len(SERVERS), KIND, self.settings)
        self.store()

    def mount_words(self):
        return ["glusterfs", "--log-file=/dev/null", f"--volfile-server={self.rig.address('one')}", "--volfile-id=films"]

    def is_whole(self):
        return self.cluster.is_joined()

    def end(self):
        if self.cluster:
            self.cluster.remove_elsewhere()


class ImpatientGlusterFs(GlusterFs):
    name, title = "gluster-ping", "… `network.ping-timeout 2`"
    settings = (("network.ping-timeout", "2"),)
