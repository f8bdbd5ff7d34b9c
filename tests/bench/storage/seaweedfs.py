"""SeaweedFS: master and filer on the gateway, a volume server on each server, two copies."""

from engine import Engine, Mounted, program
from rig import SERVERS


class SeaweedFs(Engine):
    """Films are read by S3."""

    name, title = "seaweed-s3", "S3 of SeaweedFS, 2 copies"
    programs, package = ("weed",), "SeaweedFS 3 or later from its releases (https://github.com/seaweedfs/seaweedfs)"

    def start(self):
        rig, gate = self.rig, self.rig.address("gate")
        self.serve("gate", "master", f"-mdir={rig.place('weed', 'master')}", "-defaultReplication=001", "-volumeSizeLimitMB=1024")
        for node in SERVERS:
            self.serve(node, "volume", "-port=8080", f"-mserver={gate}:9333", f"-dir={rig.place('weed', node)}", "-max=40")
        self.serve("gate", "filer", f"-master={gate}:9333", f"-defaultStoreDir={rig.place('weed', 'filer')}", "-defaultReplicaPlacement=001", "-s3",
                   "-s3.port=8333")
        self.env = {"AWS_ENDPOINT_URL": f"http://{gate}:8333", "AWS_REGION": "us-east-1"}
        curl = ["curl", "--fail", "--silent", "--show-error"]
        rig.wait(lambda: rig.run("reader", *curl, "--request", "PUT", f"http://{gate}:8333/films") == "", "the filer makes a bucket")
        for film in sorted(self.films.iterdir()):
            rig.run("reader", *curl, "--upload-file", film, f"http://{gate}:8888/buckets/films/{film.name}")

    def serve(self, node, role, *words):
        address = self.rig.address(node)
        self.rig.start(node, program("weed"), role, f"-ip={address}", f"-ip.bind={address}", *words)

    def url_of(self, film):
        return f"s3://films/{film}"


class MountedSeaweedFs(Mounted, SeaweedFs):
    name, title = "seaweed", "SeaweedFS mount, 2 copies"

    def begin_reading(self):
        path = self.rig.place("mount")
        self.rig.start("reader", program("weed"), "mount", f"-filer={self.rig.address('gate')}:8888", "-filer.path=/buckets/films", f"-dir={path}",
                       "-readOnly", "-cacheCapacityMB=0")
        self.mount_point = self.rig.mount("true")
