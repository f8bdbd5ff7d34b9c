"""Films of the film server in RTSP players: FFmpeg receives every frame and all sound."""

import pathlib
import shutil
import subprocess
import tempfile

from harness import EXIT_FAILED, PATIENCE_S, WallTest, eventually, key_named, run


def ffmpeg(*arguments):
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", *map(str, arguments), "-"]
    return subprocess.run(command, capture_output=True, timeout=4 * PATIENCE_S, check=True).stdout


def pictures(source, *before):
    """A hash of each frame, in order."""
    lines = ffmpeg(*before, "-i", source, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5").decode()
    return [line.split(",")[5].strip() for line in lines.splitlines() if not line.startswith("#")]


def sound(source, *before):
    """The sound's bytes as stored."""
    return ffmpeg(*before, "-i", source, "-map", "0:a", "-c", "copy", "-f", "data")


class RtspTest(WallTest):
    codecs = {"h264.mp4": ("-c:v", "libx264", "-g", "25", "-bf", "2", "-c:a", "aac"),
              "h264.ts": ("-c:v", "libx264", "-g", "25", "-c:a", "mp2"),
              "h265.mkv": ("-c:v", "libx265", "-x265-params", "log-level=none", "-c:a", "libopus"),
              "mpeg4.mov": ("-c:v", "mpeg4", "-c:a", "pcm_s16be"),
              "ac3.mkv": ("-c:v", "libx264", "-g", "25", "-ac", "6", "-c:a", "ac3", "-b:a", "448k"),
              "vp8.webm": ("-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libvorbis")}

    key = None

    def env(self, **more):
        return super().env(**({"VITRAIL_KEY": self.key} if self.key else {}), **more)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = 0
        port_file = self.folder / "rtsp-port"
        self.server = self.start("vitrail-server", "--films", self.folder, "--listen", "127.0.0.1:0", "--rtsp",
                                 "127.0.0.1:0", "--rtsp-port-file", port_file)
        eventually(lambda: port_file.exists() or self.server.poll() is not None, "the server listens")
        self.assertIsNone(self.server.poll(), self.output(self.server))
        self.url = f"rtsp://127.0.0.1:{port_file.read_text().strip()}/"

    def film(self, name, seconds=2):
        film = self.folder / name
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                        "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=r=48000", "-t", str(seconds),
                        *self.codecs[name], film], check=True)
        return film


class Rtsp(RtspTest):
    def test_every_picture_and_sound_comes_as_it_is_stored(self):
        for name in self.codecs:
            film = self.film(name)
            for transport in ("tcp", "udp") if name == "h264.mp4" else ("tcp",):
                with self.subTest(film=name, transport=transport):
                    by = ("-rtsp_transport", transport)
                    self.assertEqual(pictures(self.url + name, *by), pictures(film))
                    heard, stored = sound(self.url + name, *by), sound(film)
                    self.assertIn(heard, stored)
                    # At the end the player drops an incomplete last packet and packets that wait for reordering.
                    self.assertGreater(len(heard), 0.8 * len(stored))

    def test_players_jump(self):
        stored = pictures(self.film("h264.mp4", seconds=4))
        shown = pictures(self.url + "h264.mp4", "-rtsp_transport", "tcp", "-ss", "1.9")
        # FFmpeg also shows the key frame before, because it assigns no time to the first packet after a seek.
        self.assertEqual(shown[1:], stored[48:])

    def test_gstreamer_plays_every_picture(self):
        film = self.film("h264.mp4")
        for transport in ("tcp", "udp"):
            with self.subTest(transport=transport):
                got = self.folder / f"{transport}.h264"
                # rtspsrc fails at the end of a film if it first removes its last linked pad. It may also cancel
                # its own PAUSE, which GStreamer 1.22 reports as an error. So only the frames count.
                words = ["gst-launch-1.0", "-q", "rtspsrc", "name=film", f"location={self.url}h264.mp4",
                         f"protocols={transport}", "latency=2000", "film.", "!", "application/x-rtp,media=audio", "!",
                         "fakesink", "film.", "!", "application/x-rtp,media=video", "!", "rtph264depay", "!",
                         "video/x-h264,stream-format=byte-stream,alignment=au", "!", "filesink", f"location={got}"]
                played = subprocess.run(words, capture_output=True, text=True, timeout=4 * PATIENCE_S, check=False)
                self.assertEqual(len(pictures(got)), len(pictures(film)), played.stderr)

    def test_a_film_that_is_promised_nothing_plays_as_well(self):
        film = self.film("h264.mp4")
        self.assertEqual(pictures(self.url + "h264.mp4?best_effort", "-rtsp_transport", "tcp"), pictures(film))

    def test_what_cannot_be_sent_is_refused_in_words(self):
        self.clip("film.mkv", extra=("-c:v", "ffv1"))
        result = subprocess.run(["ffprobe", "-loglevel", "error", self.url + "film.mkv"], capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False)
        self.assertIn("415", result.stderr)

    def test_sound_that_has_no_form_is_named(self):
        self.clip("film.mkv", extra=("-f", "lavfi", "-i", "sine=r=48000", "-shortest", "-c:v", "libx264", "-c:a", "flac"))
        self.assertTrue(pictures(self.url + "film.mkv", "-rtsp_transport", "tcp"))
        self.assertIn("'film.mkv': the sound (flac) is not sent", self.output(self.server))

    def test_others_are_not_let_in_by_mistake(self):
        result = run("vitrail-server", "--films", self.folder, "--listen", "127.0.0.1:0", "--rtsp", "0.0.0.0:0")
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("--insecure", result.stderr)


class RtspWithKey(RtspTest):
    key = "a secret of sixteen"

    def probe(self, url):
        return subprocess.run(["ffprobe", "-loglevel", "error", url], capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)

    def test_players_are_let_in_with_a_viewers_key(self):
        self.film("h264.mp4")
        self.assertIn("401", self.probe(self.url + "h264.mp4").stderr)
        for key in ("viewer:wrong", "receiver:" + key_named(self.key, "receiver").split(":")[1]):
            self.assertIn("401", self.probe(self.url.replace("://", f"://{key}@") + "h264.mp4").stderr)
        viewer = key_named(self.key, "viewer")
        result = self.probe(self.url.replace("://", f"://{viewer}@") + "h264.mp4")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
