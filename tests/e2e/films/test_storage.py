"""Films on remote storage: a real web server, S3 signatures, IBP depots."""

import csv
import getpass
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import re
import shutil
import socketserver
import subprocess
import tempfile
import unittest

from far_hosts import SSHD, FarHosts
from harness import BIN, EXIT_FAILED, WallTest, eventually, free_port, run
from web import serve

NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


class WebServer:
    """nginx that serves the folder `films`, also with a password (/mine) and with one request per connection."""

    def __init__(self, test, folder, tls=False):
        self.folder = folder
        self.port = free_port()
        self.authority = folder / "authority.pem"
        listen = f"listen 127.0.0.1:{self.port}"
        if tls:
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=films",
                            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", self.authority],
                           check=True, capture_output=True)
            listen += f" ssl http2; ssl_certificate {self.authority}; ssl_certificate_key {folder}/key.pem"
        (folder / "people").write_text("me:{PLAIN}hush\n")
        (folder / "nginx.conf").write_text(f"""
            {'user root;' if os.geteuid() == 0 else ''}
            daemon off; pid {folder}/pid; worker_processes 1; error_log {folder}/error.log;
            events {{}}
            http {{
              log_format how '$server_protocol $status $http_range'; access_log {folder}/access.log how;
              client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
              uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
              server {{
                {listen};
                root {folder}/films;
                location /mine/ {{ alias {folder}/films/; auth_basic films; auth_basic_user_file {folder}/people; }}
                location /once/ {{ alias {folder}/films/; keepalive_timeout 0; }}
                location /moved/ {{ return 302 /$arg_to; }}
              }}
            }}""")
        process = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
        test.addCleanup(process.wait, 10)
        test.addCleanup(process.terminate)
        eventually(lambda: (folder / "pid").exists() or process.poll() is not None, "nginx listens")
        test.assertIsNone(process.poll(), (folder / "error.log").read_text() if (folder / "error.log").exists() else "")
        self.address = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"

    def log(self):
        return (self.folder / "access.log").read_text()


def folder_with_film(test, bytes_of_film=3_000_000):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
    test.addCleanup(shutil.rmtree, folder, ignore_errors=True)
    (folder / "films").mkdir()
    (folder / "films" / "film").write_bytes(os.urandom(bytes_of_film))
    return folder


def iobench(folder, uri, *more, **environment):
    return run("vitrail", "iobench", uri, "--block", "256k", "--depth", "1,8", "--seconds", "0", "--json", *more,
               env={**os.environ, "HOME": str(folder), **environment})


@unittest.skipUnless(NGINX, "there is no nginx")
class Nginx(unittest.TestCase):
    def points(self, result, count=2):
        self.assertEqual(result.returncode, 0, result.stderr)
        points = json.loads(result.stdout)["sources"][0]["points"]
        self.assertEqual([point["retries"] for point in points], [0] * count)
        self.assertEqual([point["bytes"] for point in points], [262144, 8 * 262144])
        return points

    def test_a_file_is_read_in_parts(self):
        folder = folder_with_film(self)
        server = WebServer(self, folder)
        table = folder / "speed.csv"
        self.points(iobench(folder, f"{server.address}/film", "--csv", str(table)))
        self.assertIn("HTTP/1.1 206 bytes=262144-524287", server.log())
        with open(table, encoding="utf-8", newline="") as file:
            self.assertEqual([row["depth"] for row in csv.DictReader(file)], ["1", "8"])
        self.points(iobench(folder, f"{server.address}/once/film"))
        self.points(iobench(folder, f"{server.address}/moved/?to=film"))

    def test_by_http_2_where_it_is_offered(self):
        folder = folder_with_film(self)
        server = WebServer(self, folder, tls=True)
        self.points(iobench(folder, f"{server.address}/film", SSL_CERT_FILE=str(server.authority)))
        self.assertIn("HTTP/2.0 206", server.log())
        self.assertNotIn("HTTP/1.1", server.log())
        result = iobench(folder, f"{server.address}/film")
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("certificate", result.stderr)

    def test_credentials_are_those_of_netrc(self):
        folder = folder_with_film(self)
        server = WebServer(self, folder)
        refused = iobench(folder, f"{server.address}/mine/film")
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn("check the credentials", refused.stderr)
        netrc = folder / ".netrc"
        netrc.write_text("machine 127.0.0.1 login me password hush\n")
        netrc.chmod(0o600)
        self.points(iobench(folder, f"{server.address}/mine/film"))
        missing = iobench(folder, f"{server.address}/none")
        self.assertIn("not found on the server", missing.stderr)


@unittest.skipUnless(NGINX, "there is no nginx")
class FarFilms(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def test_films_play_from_there_and_seek(self):
        (self.folder / "films").mkdir()
        clip = self.clip("films/clip.mp4", seconds=3)
        self.vitrail("convert", clip, "films/film.vmov")
        server = WebServer(self, self.folder)
        for name in ("clip.mp4", "film.vmov"):
            player, window = self.play(f"{server.address}/{name}", "--loop")
            self.wait_for_frames(window)
            self.vitrail("seek", window, "1.5")
            self.wait_for_frames(window)
            self.vitrail("close", window)
            self.assertEqual(player.wait(30), 0, self.output(player))
        self.assertEqual(set(re.findall(r"HTTP/1.1 (\d+)", server.log())), {"206"})
        self.vitrail("convert", f"{server.address}/clip.mp4", "again.vmov")
        self.assertEqual((self.folder / "again.vmov").stat().st_size, (self.folder / "films/film.vmov").stat().st_size)


# A network namespace whose resolver receives questions and answers none.
SILENCE = """
import os, socket, subprocess, sys
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
subprocess.run(["mount", "--bind", sys.argv[1], "/etc/resolv.conf"], check=True)
resolver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
resolver.bind(("127.0.0.1", 53))
result = subprocess.run(sys.argv[2:])
resolver.setblocking(False)
print("asked" if resolver.recv(512) else "", file=sys.stderr)
sys.exit(result.returncode)
"""
IN_NETWORK = ["unshare", "--map-root-user", "--net", "--mount", "python3", "-c", SILENCE]


def no_network():
    tried = subprocess.run([*IN_NETWORK[:-2], "-c", "import subprocess; subprocess.run(['ip', 'link'], check=True)"],
                           capture_output=True, text=True, check=False)
    return tried.stderr


class SilentResolver(unittest.TestCase):
    def test_a_name_that_nobody_resolves_is_given_up_in_words(self):
        if why := no_network():
            self.skipTest(f"this user makes no networks: {why}")
        folder = folder_with_film(self)
        (folder / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:30 attempts:5\n")
        result = subprocess.run([*IN_NETWORK, folder / "resolv.conf", BIN / "vitrail", "iobench",
                                 "http://films.vitrail.example/film", "--seconds", "0"],
                                env={**os.environ, "HOME": str(folder)}, capture_output=True, text=True,
                                timeout=100, check=False)
        self.assertEqual(result.returncode, EXIT_FAILED, result.stderr)
        self.assertIn("films.vitrail.example", result.stderr)
        self.assertIn("asked", result.stderr)



@unittest.skipUnless(SSHD, "there is no sshd")
class Sftp(unittest.TestCase):
    def test_a_file_is_read_in_parts_by_who_may(self):
        folder = folder_with_film(self)
        hosts = FarHosts(folder, ["127.0.0.1"])
        self.addCleanup(hosts.end)
        keys = folder / ".ssh"
        keys.mkdir()
        shutil.copy(folder / "user", keys / "id_ed25519")
        shutil.copy(folder / "user.pub", keys / "id_ed25519.pub")
        films = f"sftp://{getpass.getuser()}@127.0.0.1:{hosts.port}{folder}/films"
        film = films + "/film"
        stranger = iobench(folder, film)
        self.assertEqual(stranger.returncode, EXIT_FAILED, "the host is not known")
        shutil.copy(folder / "known", keys / "known_hosts")
        result = iobench(folder, film)
        self.assertEqual(result.returncode, 0, result.stderr)
        source = json.loads(result.stdout)["sources"][0]
        self.assertEqual((source["size"], source["points"][1]["bytes"]), (3_000_000, 8 * 262144))
        clip = folder / "films" / "clip.mkv"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25", "-t", "1",
                        "-c:v", "rawvideo", clip], check=True)
        for name, place in (("near", clip), ("far", films + "/clip.mkv")):
            converted = run("vitrail", "convert", place, folder / f"{name}.vmov", env={**os.environ, "HOME": str(folder)})
            self.assertEqual(converted.returncode, 0, converted.stderr)
        pictures = (folder / "near.vmov").read_bytes()[10_000:2_000_000]  # the file headers contain the source's address and differ
        self.assertTrue(pictures in (folder / "far.vmov").read_bytes())
        self.assertIn("not found on the server", iobench(folder, film + "-not").stderr)
        hosts.let_nobody_in()
        self.assertIn("check the credentials", iobench(folder, film).stderr)


@unittest.skipUnless(NGINX, "there is no nginx")
class FarPictures(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def test_pictures_are_copied_first_and_shown(self):
        (self.folder / "films").mkdir()
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=400x200", "-frames:v", "1",
                        self.folder / "films" / "map.png"], check=True)
        server = WebServer(self, self.folder)
        (self.folder / "copies").mkdir()
        log = open(self.folder / "show.log", "w+", encoding="utf-8")
        show = subprocess.Popen([BIN / "vitrail-show", f"{server.address}/none.png", f"{server.address}/m.dzi",
                                 f"{server.address}/map.png?token=hush"],
                                stdout=log, stderr=log, env=self.env(TMPDIR=str(self.folder / "copies")))
        show.log = log
        self.addCleanup(self.end, show)
        window = eventually(lambda: self.state()["windows"], "the picture is shown")[0]
        self.assertIn("none.png", window["title"])
        eventually(lambda: self.shown(window["window"]) >= 1, "the picture is shown")
        self.vitrail("close", window["window"])
        self.assertEqual(show.wait(30), 0, self.output(show))
        self.assertIn("not found on the server", self.output(show))
        self.assertIn("m.dzi is a picture in several files", self.output(show))
        self.assertNotIn("hush", self.output(show))
        self.assertEqual(list((self.folder / "copies").iterdir()), [])


class Depots(WallTest):
    """Films on IBP depots, some parts twice, as their exNodes say."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def depot(self, allocations, keeps):
        """A depot that answers LOAD. `keeps`: keeps the connection, like ACCRE's depots; otherwise closes it, like LoCI's."""

        class Visit(socketserver.StreamRequestHandler):
            def handle(self):
                for line in self.rfile:
                    _version, command, key, type_key, offset, count, _patience = line.split()
                    stored = allocations.get(key.decode())
                    if command != b"8" or type_key != b"77" or stored is None:
                        self.wfile.write(b"-4\n" if keeps else b" -4 \n")
                        return
                    part = stored[int(offset):int(offset) + int(count)]
                    self.wfile.write((f"1 {len(part)}\n" if keeps else f"1 {len(part)} \n").encode() + part)
                    if not keeps:
                        return

        return serve(self, socketserver.ThreadingTCPServer, Visit).server_address[1]

    def exnode(self, name, film):
        """An exNode in two overlapping halves, of which the first is on two depots."""
        middle = len(film) // 2
        allocations = {"first": film[:middle + 1000], "second": film[middle:]}
        ports = [self.depot(allocations, keeps) for keeps in (True, False)]
        number = '<e:metadata name="{}" type="integer">%d</e:metadata>'
        mapping = (f'<e:mapping>{number.format("exnode_offset")}{number.format("logical_length")}'
                   "<e:read>ibp://127.0.0.1:%d/%s/77/READ</e:read></e:mapping>")
        mappings = "".join(mapping % values for values in (
            (middle, len(film) - middle, ports[1], "second"), (0, middle + 1000, ports[0], "lost"),
            (0, middle + 1000, ports[0], "first"), (0, middle + 1000, ports[1], "first")))
        path = self.folder / name
        path.write_text(f'<?xml version="1.0"?><exnode xmlns:e="http://loci.cs.utk.edu/exnode">{mappings}</exnode>')
        return f"lors://{path}", f"ibp://127.0.0.1:{ports[0]}/second/77/READ"

    def iobench(self, place, block):
        return run("vitrail", "iobench", place, "--block", block, "--depth", "1", "--seconds", "0", "--json")

    def test_films_play_from_there_and_seek(self):
        clip = self.clip("clip.mp4", seconds=3)
        self.vitrail("convert", clip, "film.vmov")
        clip_place, _ = self.exnode("clip.xnd", (self.folder / "clip.mp4").read_bytes())
        film_place, half = self.exnode("film.vmov.xnd", (self.folder / "film.vmov").read_bytes())
        for place in (clip_place + "?threads=4&bs=64k", film_place):
            player, window = self.play(place, "--loop")
            self.wait_for_frames(window)
            self.vitrail("seek", window, "1.5")
            self.wait_for_frames(window)
            self.vitrail("close", window)
            self.assertEqual(player.wait(30), 0, self.output(player))
        self.vitrail("convert", clip_place, "again.vmov")
        self.assertEqual((self.folder / "again.vmov").stat().st_size, (self.folder / "film.vmov").stat().st_size)
        for place in (clip_place, half):
            result = self.iobench(place, "64k")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertNotIn("/77/", result.stdout, "keys are secrets")

    def test_lists_from_there_open_nothing_of_this_host(self):
        clip = self.clip("part.ts", seconds=1)
        for entry in (clip, f"file://{clip}", f"lors://{clip}"):
            lines = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{entry}\n#EXT-X-ENDLIST\n"
            place, _ = self.exnode("list.m3u8.xnd", lines.encode() + b"#" * 4000)
            result = run("vitrail", "convert", place, self.folder / "never.vmov")
            self.assertNotEqual(result.returncode, 0)
            self.assertFalse((self.folder / "never.vmov").exists())

    def test_what_cannot_be_read_is_said(self):
        film = os.urandom(300_000)
        place, half = self.exnode("film.xnd", film)
        path = self.folder / "film.xnd"
        text = path.read_text()
        for change, words in (
                (("</exnode>", ""), "cannot be read as an exNode"),
                (("<e:read>", '<e:function name="des_encrypt"/><e:read>'), "function 'des_encrypt' is not supported"),
                (("<exnode ", '<!DOCTYPE exnode [<!ENTITY a "b">]><exnode '), "document type"),
                (("/second/", "/expired/"), "at byte 151000: 127.0.0.1:"),
                ((">150000</e:metadata>", ">160000</e:metadata>"), "no depot holds bytes 151000 to 160000")):
            path.write_text(text.replace(*change, 1))
            result = self.iobench(place, "300000")
            self.assertEqual(result.returncode, EXIT_FAILED, words)
            self.assertIn(words, result.stderr)
        self.assertIn("use threads=", self.iobench(half + "?bs=7", "64k").stderr)


class Signatures(unittest.TestCase):
    """Requests signed by AWS Signature Version 4; the server computes the signature again."""

    secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    def signature(self, request, region):
        given = request.headers["Authorization"]
        names = re.search(r"SignedHeaders=([^,]+)", given)[1]
        date = request.headers["X-Amz-Date"]
        lines = "".join(f"{name}:{request.headers[name].strip()}\n" for name in names.split(";"))
        body = request.headers.get("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD")  # as Ceph takes one without the header
        path, _, query = request.path.partition("?")
        canonical = f"GET\n{path}\n{query}\n{lines}\n{names}\n{body}"
        scope = f"{date[:8]}/{region}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{date}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        key = ("AWS4" + self.secret).encode()
        for part in (*scope.split("/"), text):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        return key.hex()

    def test_a_film_of_an_object_store_is_asked_for_with_one(self):
        folder = folder_with_film(self)
        film = (folder / "films" / "film").read_bytes()
        test, asked = self, []

        class Store(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                given = re.search(r"Signature=(\w+)", self.headers.get("Authorization", ""))
                right = given and given[1] == test.signature(self, "eu-west-1")
                asked.append((self.path, bool(right)))
                first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups())
                part = film[first:last + 1] if right else b""
                self.send_response(206 if right else 403)
                if right:
                    self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(film)}")
                self.send_header("Content-Length", str(len(part)))
                self.end_headers()
                self.wfile.write(part)

            def log_message(self, *_):
                pass

        server = serve(self, http.server.ThreadingHTTPServer, Store)
        place = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}", "AWS_REGION": "eu-west-1",
                 "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": self.secret}
        result = iobench(folder, "s3://films/dir/a film+1.mkv", **place)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(set(asked), {("/films/dir/a%20film%2B1.mkv", True)})
        self.assertEqual(iobench(folder, "s3://films/a", AWS_SESSION_TOKEN="short/lived+one=", **place).returncode, 0)
        place["AWS_SECRET_ACCESS_KEY"] = "another"
        refused = iobench(folder, "s3://films/a", **place)
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn("check the credentials", refused.stderr)
        self.assertIn("is not s3://bucket/key", iobench(folder, "s3://films", **place).stderr)
        self.assertEqual(iobench(folder, "rtsp://camera/1").returncode, EXIT_FAILED)


if __name__ == "__main__":
    unittest.main()
