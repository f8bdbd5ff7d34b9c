"""Ceph without authentication: monitor, manager, metadata server and RGW on the gateway, an OSD on each server, two copies."""

import hashlib
import hmac
import os
import time
import urllib.parse
import uuid

from engine import Engine, Mounted, program
from rig import SERVERS, Failed

CONF = """[global]
fsid = {fsid}
mon_host = [v1:{gate}:6789]
ms_bind_msgr2 = false
mon_initial_members = a
public_network = 10.78.0.0/16
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = {folder}
admin_socket = {folder}/$name.$pid.asok
log_file = {folder}/$name.log
mon_data = {folder}/mon
mgr_data = {folder}/mgr
mds_data = {folder}/mds
osd_data = {folder}/osd$id
osd_pool_default_size = 2
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 16
osd_pool_default_pg_autoscale_mode = off
mon_max_pg_per_osd = 1000
mon_data_avail_crit = 1
mon_data_avail_warn = 2
bluestore_block_size = 8589934592
osd_memory_target = 939524096
{more}
[client.rgw]
rgw_data = {folder}/rgw
rgw_frontends = beast endpoint={gate}:8000
"""
LAYOUT = b"stripe_unit=1048576 stripe_count=3 object_size=4194304 pool=data"
TRIES = 3
ACCESS, SECRET, REGION = "films", "films-secret", "us-east-1"


def signed_url(method, host, path):
    """A URL that is signed by AWS's version 4, for ten minutes."""
    now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    scope = f"{now[:8]}/{REGION}/s3/aws4_request"
    query = urllib.parse.urlencode({"X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"{ACCESS}/{scope}", "X-Amz-Date": now,
                                    "X-Amz-Expires": "600", "X-Amz-SignedHeaders": "host"})
    request = f"{method}\n{path}\n{query}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD"
    text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    key = f"AWS4{SECRET}".encode()
    for word in (now[:8], REGION, "s3", "aws4_request", text):
        key = hmac.digest(key, word.encode(), "sha256")
    return f"http://{host}{path}?{query}&X-Amz-Signature={key.hex()}"


class Ceph:
    """Mixed into engines."""

    more = ""

    def start_cluster(self):
        rig = self.rig
        self.conf = rig.folder / "ceph.conf"
        folder = rig.place("ceph")
        fsid = str(uuid.uuid4())
        places = "".join(f"[osd.{number}]\ncrush_location = root=default host={node}\n" for number, node in enumerate(SERVERS))
        self.conf.write_text(CONF.format(fsid=fsid, gate=rig.address("gate"), folder=folder, more=self.more) + places)
        for name in ("mon", "mgr", "mds", "rgw"):
            rig.place("ceph", name)
        monmap = folder / "monmap"
        rig.run("gate", "monmaptool", "--create", "--addv", "a", f"[v1:{rig.address('gate')}:6789]", "--fsid", fsid, monmap)
        rig.run("gate", "ceph-mon", "-c", self.conf, "-i", "a", "--mkfs", "--monmap", monmap)
        self.serve("gate", "ceph-mon", "-i", "a")
        rig.wait(lambda: "quorum" in self.ask("-s"), "the monitor answers")
        self.serve("gate", "ceph-mgr", "-i", "a")
        for number, node in enumerate(SERVERS):
            rig.place("ceph", f"osd{number}")
            osd = str(uuid.uuid4())
            self.ask("osd", "new", osd)
            rig.run(node, "ceph-osd", "-c", self.conf, "-i", number, "--mkfs", "--osd-uuid", osd)
            self.serve(node, "ceph-osd", "-i", number)
        rig.wait(self.is_whole, "three OSDs are up")

    def serve(self, node, name, *words):
        self.rig.start(node, program(name), "-c", self.conf, *words, "-f")

    def ask(self, *words):
        """Sends the monitor a command that may be repeated, because Ceph's client sometimes sends before it knows the cluster."""
        for again in range(TRIES, -1, -1):
            try:
                return self.rig.run("gate", "ceph", "-c", self.conf, "--connect-timeout", "10", *words)
            except Failed:
                if not again:
                    raise
        return ""

    def is_whole(self):
        states = self.ask("pg", "stat")
        return "3 up" in self.ask("osd", "stat") and not any(word in states for word in ("peering", "degraded", "unknown", "inactive", "undersized"))


class CephFs(Ceph, Mounted):
    name, title = "cephfs", "CephFS (ceph-fuse), 2 copies"
    programs, package = ("ceph-mon", "ceph-mgr", "ceph-osd", "ceph-mds", "ceph-fuse", "ceph"), \
        "ceph-mon, ceph-mgr, ceph-osd, ceph-mds, ceph-fuse and ceph-common"

    def start(self):
        self.start_cluster()
        for pool in ("meta", "data"):
            self.ask("osd", "pool", "create", pool, "16")
        self.ask("fs", "new", "films", "meta", "data")
        self.serve("gate", "ceph-mds", "-i", "a")
        self.rig.wait(lambda: "active" in self.ask("mds", "stat"), "the metadata server is active")
        self.begin_reading()
        os.setxattr(self.mount_point, "ceph.dir.layout", LAYOUT)
        self.end_reading()
        self.store()

    def mount_words(self):
        return ["ceph-fuse", "-c", self.conf]


class ImpatientCephFs(CephFs):
    name, title = "cephfs-grace", "… `osd_heartbeat_grace = 3`"
    more = "osd_heartbeat_grace = 3\nosd_heartbeat_interval = 1\nmon_osd_adjust_heartbeat_grace = false"


class Rgw(Ceph, Engine):
    name, title = "rgw", "S3 of Ceph (RGW), 2 copies"
    programs, package = ("ceph-mon", "ceph-mgr", "ceph-osd", "radosgw", "radosgw-admin", "ceph"), \
        "ceph-mon, ceph-mgr, ceph-osd, radosgw and ceph-common"

    def start(self):
        self.start_cluster()
        self.serve("gate", "radosgw", "-n", "client.rgw")
        self.env = {"AWS_ENDPOINT_URL": f"http://{self.rig.address('gate')}:8000", "AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": REGION}
        self.rig.run("gate", "radosgw-admin", "-c", self.conf, "user", "create", "--uid=films", "--display-name=films",
                     f"--access-key={ACCESS}", f"--secret-key={SECRET}")
        self.rig.wait(lambda: self.put("/films") == "", "RGW makes a bucket")
        for film in sorted(self.films.iterdir()):
            self.put(f"/films/{film.name}", "--upload-file", film)

    def put(self, path, *words):
        host = f"{self.rig.address('gate')}:8000"
        return self.rig.run("reader", "curl", "--fail", "--silent", "--show-error", "--request", "PUT", *words, signed_url("PUT", host, path))

    def url_of(self, film):
        return f"s3://films/{film}"
