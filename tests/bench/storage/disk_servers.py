"""Vitrail's disk servers: films striped over all three, each part twice, read by our client of the exNode."""

from engine import Engine
from rig import SERVERS, Failed

from paper_part import BIN

KEY = {"VITRAIL_KEY": "a key of the benchmark's own"}


class DiskServers(Engine):
    name, title = "vitrail", "Vitrail's disk servers, 2 copies"

    def start(self):
        self.env = KEY
        rig = self.rig
        for node in SERVERS:
            self.serve(node, f"{rig.address(node)}:7452", "--role", "disk", "--films", rig.place("parts", node))
        disks = [word for node in SERVERS for word in ("--disk", f"{rig.address(node)}:7452")]
        self.serve("reader", "127.0.0.1:7450", "--films", self.films, "--catalogue", rig.folder / "films.db", *disks)
        for film in sorted(self.films.iterdir()):
            self.place(film.name)
        rig.kill("reader")  # the film server, which would spend the measurement probing noise; readers do not need it

    def serve(self, node, address, *words):
        port = self.rig.folder / f"port-{node}"
        self.rig.start(node, BIN / "vitrail-server", "--listen", address, "--port-file", port, *words, env=KEY)
        self.rig.wait(port.exists, f"vitrail-server listens on {address}")

    def place(self, film):
        try:
            self.rig.run("reader", BIN / "vitrail", "films", "place", film, "--stripe", "3", "--copies", "2", env=KEY)
        except Failed:  # always, because the films are noise: the server places them, but has no such film to answer with
            if not (self.films / f"{film}.xnd").exists():
                raise

    def url_of(self, film):
        return f"lors://{self.films / film}.xnd"
