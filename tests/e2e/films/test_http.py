"""Films of the film server as files by HTTP: with curl, FFmpeg and requests like a browser's."""

import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import EXIT_FAILED, EXIT_USAGE, PATIENCE_S, WallTest, eventually, key_named, run
from web import make_certificate


def curl(*arguments):
    return subprocess.run(["curl", "--silent", "--show-error", *map(str, arguments)], capture_output=True,
                          timeout=4 * PATIENCE_S, check=False)


class HttpTest(WallTest):
    key = None
    options = ()

    def env(self, **more):
        return super().env(**({"VITRAIL_KEY": self.key} if self.key else {}), **more)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = 0
        films = self.folder / "films"
        films.mkdir()
        self.film = films / "a film.mp4"
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
                        "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=r=48000", "-t", "8", "-c:v",
                        "libx264", "-g", "25", "-c:a", "aac", self.film], check=True)
        (films / "notes.txt").write_text("no film")
        port, http_port = self.folder / "port", self.folder / "http-port"
        self.server = self.start("vitrail-server", "--films", films, "--listen", "127.0.0.1:0", "--port-file", port,
                                 "--http", "127.0.0.1:0", "--http-port-file", http_port, *self.options)
        eventually(lambda: http_port.exists() or self.server.poll() is not None, "the server listens")
        self.assertIsNone(self.server.poll(), self.output(self.server))
        self.control = f"127.0.0.1:{port.read_text().strip()}"
        self.host = f"127.0.0.1:{http_port.read_text().strip()}"
        self.url = f"http://{self.host}/a%20film.mp4"

    def head(self, *arguments):
        """Status, and headers in lower case."""
        lines = curl("--head", *arguments, self.url).stdout.decode().lower().splitlines()
        return int(lines[0].split()[1]), dict(line.split(": ", 1) for line in lines[1:] if line)


class Http(HttpTest):
    def test_curl_gets_the_film_and_any_part_of_it(self):
        stored = self.film.read_bytes()
        self.assertEqual(curl(self.url).stdout, stored)
        self.assertEqual(curl("--range", "1000-1999", self.url).stdout, stored[1000:2000])
        self.assertEqual(curl("--range", "-500", self.url).stdout, stored[-500:])
        # Several ranges get the whole file; then a second request uses the same connection.
        both = curl("--range", "0-9,20-29", self.url, "--next", "--silent", "--range", "5-9", self.url)
        self.assertEqual(both.stdout, stored + stored[5:10])
        begun = self.folder / "begun.mp4"
        begun.write_bytes(stored[:12345])
        curl("--continue-at", "-", "--output", begun, self.url)
        self.assertEqual(begun.read_bytes(), stored)

    def test_what_has_not_changed_is_not_sent_again(self):
        status, headers = self.head()
        self.assertEqual((status, int(headers["content-length"])), (200, self.film.stat().st_size))
        self.assertEqual((headers["content-type"], headers["accept-ranges"]), ("video/mp4", "bytes"))
        self.assertEqual(self.head("--header", f"If-None-Match: {headers['etag']}")[0], 304)
        self.assertEqual(self.head("--time-cond", self.film)[0], 304)
        self.assertEqual(self.head("--header", 'If-Match: "other"')[0], 412)

        def part(tag):
            return curl("--range", "0-9", "--header", f"If-Range: {tag}", self.url).stdout

        self.assertEqual(len(part(headers["etag"])), 10)
        with self.film.open("ab") as film:
            film.write(b"\0" * 16)
        self.assertEqual(len(part(headers["etag"])), self.film.stat().st_size)

    def test_players_seek_in_it(self):
        def pictures(source):
            command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-ss", "5.2", "-i", source, "-map", "0:v", "-f",
                       "framemd5", "-"]
            return subprocess.run(command, capture_output=True, timeout=4 * PATIENCE_S, check=True).stdout

        self.assertEqual(pictures(self.url), pictures(self.film))
        probed = subprocess.run(["ffprobe", "-loglevel", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
                                 self.url], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        self.assertAlmostEqual(float(probed.stdout), 8, delta=0.2)

    def test_only_films_are_sent(self):
        for path in ("notes.txt", "", "no.mp4", "%2e%2e/port"):
            answer = curl("--path-as-is", "--write-out", "%{http_code}", f"http://{self.host}/{path}")
            self.assertIn(answer.stdout[-3:], (b"400", b"403", b"404"), answer.stdout)
        beyond = curl("--range", "99999999-", "--write-out", "%{http_code}", self.url)
        self.assertEqual(beyond.stdout, b"416")
        posted = curl("--data", "x", "--output", "/dev/null", "--write-out", "%{http_code}", self.url)
        self.assertEqual(posted.stdout, b"405")

    def test_others_are_not_let_in_by_mistake(self):
        result = run("vitrail-server", "--films", self.folder, "--listen", "127.0.0.1:0", "--http", "0.0.0.0:0")
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("--insecure", result.stderr)


class HttpWithLittle(HttpTest):
    options = ("--source-rate", "0.001")

    def test_more_than_the_storage_gives_is_refused_or_best_effort(self):
        refused = curl("--write-out", "%{http_code}", self.url).stdout.decode()
        self.assertIn("MB/s available for films", refused)
        self.assertTrue(refused.endswith("503"), refused)
        self.assertEqual(curl(self.url + "?best_effort").stdout, self.film.read_bytes())
        reported = run("vitrail", "films", "--server", self.control, "sources")
        self.assertEqual(reported.returncode, 0, reported.stderr)
        self.assertIn("0 best effort", reported.stdout)
        self.assertIn("0 late reads", reported.stdout)


class HttpWithKey(HttpTest):
    key = "a secret of sixteen"

    def test_a_viewers_key_lets_in(self):
        asked = curl("--write-out", "%{http_code}", "--output", "/dev/null", self.url)
        self.assertEqual(asked.stdout, b"401")
        for wrong in ("viewer:wrong", "receiver:" + key_named(self.key, "receiver").split(":")[1]):
            answer = curl("--digest", "--user", wrong, "--write-out", "%{http_code}", "--output", "/dev/null", self.url)
            self.assertEqual(answer.stdout, b"401")
        viewer = key_named(self.key, "viewer")
        self.assertEqual(curl("--digest", "--user", viewer, self.url).stdout, self.film.read_bytes())
        self.assertEqual(curl("--digest", "--user", viewer, self.url + "?best_effort").stdout, self.film.read_bytes())
        shutil.copy(self.film, self.film.with_name("other.mp4"))
        reported = curl("--digest", "--user", viewer, "--verbose", "--output", "/dev/null", self.url).stderr.decode()
        proof = re.search("^> (Authorization: Digest .*)", reported, re.MULTILINE)[1].strip()
        for name, status in (("a%20film.mp4", b"200"), ("other.mp4", b"401")):
            replayed = curl("--header", proof, "--write-out", "%{http_code}", "--output", "/dev/null",
                            f"http://{self.host}/{name}")
            self.assertEqual(replayed.stdout, status, "a proof is of one film")
        probed = subprocess.run(["ffprobe", "-loglevel", "error", self.url.replace("://", f"://{viewer}@")],
                                capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual((probed.returncode, probed.stderr), (0, ""))


class HttpByTls(HttpTest):
    key = "a secret of sixteen"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        cls.files = make_certificate(folder, "films")
        cls.options = ("--http-certificate", cls.files[0], "--http-key", cls.files[1])

    def setUp(self):
        super().setUp()
        self.secure = self.url.replace("http:", "https:")

    def trusting(self, *arguments):
        return curl("--cacert", self.files[0], *arguments)

    def status(self, *arguments):
        return self.trusting("--write-out", "%{http_code}", "--output", "/dev/null", *arguments).stdout

    def test_films_come_by_tls_to_who_proves_a_key(self):
        stored = self.film.read_bytes()
        viewer = ("--digest", "--user", key_named(self.key, "viewer"))
        self.assertEqual(self.trusting(*viewer, self.secure).stdout, stored)
        self.assertEqual(self.trusting(*viewer, "--range", "1000-1999", self.secure).stdout, stored[1000:2000])
        self.assertEqual(self.status(self.secure), b"401")
        self.assertEqual(self.status("--digest", "--user", "viewer:wrong", self.secure), b"401")
        self.assertEqual(curl(*viewer, self.secure).returncode, 60, "nobody vouches for it")
        self.assertEqual(self.trusting(*viewer, "--tls-max", "1.2", self.secure).returncode, 35, "TLS 1.3 alone")

    def test_who_comes_without_is_sent_there(self):
        sent = curl("--include", f"http://{self.host}/film.mp4").stdout.decode()
        self.assertIn("307", sent.splitlines()[0])
        self.assertIn(f"location: https://{self.host}/film.mp4", sent.lower())
        self.assertNotIn("www-authenticate", sent.lower(), "nobody proves a key in clear")

    def test_a_renewed_certificate_is_shown(self):
        old = self.files[0].with_name("old.crt")
        shutil.copy(self.files[0], old)
        make_certificate(old.parent, "films")
        eventually(lambda: self.status(self.secure) == b"401", "the new one is shown")
        self.assertEqual(curl("--cacert", old, self.secure).returncode, 60)

    def test_a_certificate_without_its_key_or_a_door_is_refused(self):
        def refused(*options, code):
            result = run("vitrail-server", "--films", self.folder, "--listen", "127.0.0.1:0", *options, env=self.env())
            self.assertEqual(result.returncode, code, result.stderr)
            return result.stderr
        refused("--http", "127.0.0.1:0", "--http-certificate", self.files[0], code=EXIT_USAGE)
        refused("--http-certificate", self.files[0], "--http-key", self.files[1], code=EXIT_USAGE)
        reported = refused("--http", "127.0.0.1:0", "--http-certificate", self.film, "--http-key", self.files[1],
                       code=EXIT_FAILED)
        self.assertIn(str(self.film), reported)
