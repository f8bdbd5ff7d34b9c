"""Live streams of the wall to real peers: they see what the wall shows, and do not hold it up."""

import pathlib
import re
import resource
import signal
import socket
import ssl
import subprocess
import threading
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, NEVER_DROPPED, PATIENCE_S, eventually, free_port, run
from test_record import RecordTest, pictures_of, pixels_of


def difference(a, b):
    """The mean difference of two pictures' bytes."""
    assert len(a) == len(b), (len(a), len(b))
    return sum(abs(x - y) for x, y in zip(a, b)) / len(a)


def seconds_of(film):
    """The time from the first to the last picture."""
    times = subprocess.run(["ffprobe", "-loglevel", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
                            film], capture_output=True, text=True, check=True).stdout.replace(",", " ").split()
    return float(times[-1]) - float(times[0])


class LiveTest(RecordTest):
    def receive(self, name, *source):
        """Starts a peer that keeps what it gets in the first two seconds."""
        peer = subprocess.Popen(["ffmpeg", "-loglevel", "error", "-y", *source, "-t", "2", "-c", "copy", self.folder / name],
                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(peer.communicate)
        self.addCleanup(peer.kill)
        return peer

    def assert_received(self, peer, name, wall, caster):
        self.assertEqual(peer.wait(PATIENCE_S), 0, self.output(caster))
        self.assertLess(difference(pictures_of(self.folder / name)[-1], wall), 8, "it is the wall's picture")

    def interrupt(self, caster):
        caster.send_signal(signal.SIGINT)
        self.assert_ends(caster)
        return self.output(caster)


class Live(LiveTest):
    def test_peers_see_the_wall(self):
        _, wall = self.still_wall()
        rtmp, srt, rtsp = free_port(), free_port(kind=socket.SOCK_DGRAM), free_port()
        for name, url, source in (
                ("rtmp.mkv", f"rtmp://127.0.0.1:{rtmp}/live/wall", ("-listen", "1", "-i", f"rtmp://127.0.0.1:{rtmp}/live/wall")),
                ("srt.mkv", f"srt://127.0.0.1:{srt}", ("-i", f"srt://127.0.0.1:{srt}?mode=listener")),
                ("rtsp.mkv", f"rtsp://127.0.0.1:{rtsp}/wall", ("-rtsp_flags", "listen", "-i", f"rtsp://127.0.0.1:{rtsp}/wall"))):
            with self.subTest(name):
                peer = self.receive(name, *source)
                caster = self.record(url)
                self.assert_received(peer, name, wall, caster)
                self.assertGreater(seconds_of(self.folder / name), 1, self.output(caster))
                self.assertRegex(self.interrupt(caster), r"\d+ pictures sent, \d+ dropped, \d+ reconnect")
        kinds = subprocess.run(["ffprobe", "-loglevel", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
                                self.folder / "rtmp.mkv"], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(kinds, ["h264", "aac"], "services of RTMP want sound")

    def test_datagrams(self):
        _, wall = self.still_wall()
        port = free_port(kind=socket.SOCK_DGRAM)
        peer = self.receive("udp.mkv", "-i", f"udp://127.0.0.1:{port}")
        caster = self.record(f"udp://127.0.0.1:{port}")
        self.assert_received(peer, "udp.mkv", wall, caster)
        self.interrupt(caster)
        port = free_port(kind=socket.SOCK_DGRAM)
        peer = self.receive("rtp.mkv", "-protocol_whitelist", "rtp,udp", "-i", f"rtp://127.0.0.1:{port}")
        caster = self.record(f"rtp://127.0.0.1:{port}")
        self.assert_received(peer, "rtp.mkv", wall, caster)
        self.interrupt(caster)

    def test_a_peer_that_goes_away_and_comes_back(self):
        _, wall = self.still_wall()
        port = free_port()
        url = f"rtmp://127.0.0.1:{port}/live/a-secret-key"
        first = self.receive("first.mkv", "-listen", "1", "-i", url)
        caster = self.record(url)
        self.assert_received(first, "first.mkv", wall, caster)
        eventually(lambda: "trying again" in self.output(caster), "it is told that the peer has gone")
        again = self.receive("again.mkv", "-listen", "1", "-i", url)
        self.assert_received(again, "again.mkv", wall, caster)
        arguments = pathlib.Path(f"/proc/{caster.pid}/cmdline").read_bytes()
        text = self.interrupt(caster)
        self.assertRegex(text, r"rtmp://127.0.0.1:\d+/live/….*, [1-9]\d* dropped, [1-9]\d* reconnect")
        self.assertNotIn("a-secret-key", text + arguments.decode())

    def test_a_peer_that_accepts_and_never_reads(self):
        _, number = self.play("test:320x180@30", "--place", "160,0")
        self.wait_for_frames(number)
        before = self.window(number)["stats"]["dropped"]
        with socket.create_server(("127.0.0.1", 0)) as peer:
            # Pictures without loss are large, so the system's buffers are full soon.
            caster = self.record(f"tcp://127.0.0.1:{peer.getsockname()[1]}", "--codec", "ffv1", "--size", "1280x360")
            eventually(lambda: "no answer for too long; trying again" in self.output(caster), "it gives the peer up", 2 * PATIENCE_S)
            self.wait_for_frames(number, more=30)
            text = self.interrupt(caster)
        self.assertRegex(text, r"[1-9]\d* pictures sent, [1-9]\d* dropped")
        for cause in NEVER_DROPPED:
            self.assertEqual(self.window(number)["stats"]["dropped"][cause], before[cause], cause)

    def test_hls(self):
        _, wall = self.still_wall()
        playlist = self.folder / "www" / "wall.m3u8"
        playlist.parent.mkdir()
        pieces = lambda: sorted(int(re.search(r"\d+", path.name)[0]) for path in playlist.parent.glob("wall*.ts"))
        caster = self.record(playlist, "--fps", "10")
        eventually(playlist.exists, "the first piece is there", 2 * PATIENCE_S)
        raw = pixels_of(playlist, "-frames:v", "20")
        self.assertEqual(len(raw), 20 * len(wall))
        self.assertLess(difference(raw[-len(wall):], wall), 8)
        eventually(lambda: pieces() and pieces()[0] > 0, "the oldest piece is deleted", 2 * PATIENCE_S)
        self.assertLessEqual(len(pieces()), 8)
        self.interrupt(caster)
        self.assertIn("#EXT-X-ENDLIST", playlist.read_text())
        last = pieces()[-1]
        # A later start continues the list, so that no old piece stays.
        caster = self.record(playlist, "--fps", "10")
        eventually(lambda: pieces()[-1] > last, "there is a new piece", 2 * PATIENCE_S)
        eventually(lambda: "#EXT-X-DISCONTINUITY" in playlist.read_text(), "players know", 2 * PATIENCE_S)
        self.assertLessEqual(len(pieces()), 9)
        self.interrupt(caster)


class Refused(LiveTest):
    def fails(self, *arguments):
        return self.vitrail("record", *arguments, expect=EXIT_FAILED).stderr

    def test_wrong_urls(self):
        for url, words in (("foo://127.0.0.1:9", "unknown kind of URL"), ("rtmp:///live/key", "the host is missing"),
                           ("srt://127.0.0.1", "the port is missing"), ("http://127.0.0.1/wall.m3u8", "local FILE.m3u8")):
            refused = run("vitrail", "record", url)
            self.assertEqual(refused.returncode, EXIT_USAGE, url)
            self.assertIn(words, refused.stderr)

    def test_what_cannot_succeed_ends_it(self):
        self.assertIn("no encoder 'nothing'", self.fails("udp://127.0.0.1:9", "--codec", "nothing"))
        self.assertIn("No such file or directory", self.fails(self.folder / "no" / "wall.m3u8"))
        self.assertIn("Invalid argument", self.fails("md5:film.mkv"), "no protocol but file")
        nobody = f"tcp://127.0.0.1:{free_port()}"
        self.assertIn(f"{nobody}: nothing was sent", self.fails(nobody, "--seconds", "1"))

    def test_a_server_that_refuses_the_stream(self):
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def refuse():
            peer, _ = server.accept()
            with peer:
                peer.recv(4096)
                peer.sendall(b"RTSP/1.0 403 Forbidden\r\nCSeq: 1\r\n\r\n")
                peer.recv(4096)
        thread = threading.Thread(target=refuse)
        thread.start()
        self.assertIn("the server refuses the stream", self.fails(f"rtsp://127.0.0.1:{server.getsockname()[1]}/wall"))
        thread.join(PATIENCE_S)

    def test_a_certificate_that_nobody_vouches_for(self):
        certificate, private = self.folder / "server.pem", self.folder / "server.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate,
                        "-keyout", private], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, private)
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        received = []

        def listen():
            peer, _ = server.accept()
            peer.settimeout(PATIENCE_S)
            try:
                with context.wrap_socket(peer, server_side=True) as secured:
                    received.append(secured.recv(4096))
            except OSError:
                peer.close()
        thread = threading.Thread(target=listen)
        thread.start()
        caster = self.record(f"rtmps://127.0.0.1:{server.getsockname()[1]}/live/key")
        eventually(lambda: "the server's certificate is not trusted" in self.output(caster), "it says so")
        thread.join(PATIENCE_S)
        self.assertEqual([data for data in received if data], [], "nothing was sent")

    def test_a_full_disk_is_told(self):
        folder = self.folder / "www"
        folder.mkdir()
        self.play("test:320x180@30", "--place", "160,0")
        caster = self.record(folder / "wall.m3u8", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)))
        eventually(lambda: "wall.m3u8: File too large; trying again" in self.output(caster), "it says so", 2 * PATIENCE_S)
        caster.send_signal(signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
