#!/usr/bin/env python3
"""Previews of sources: for which files, how often they are made, and access to nothing else."""

import itertools
import json
import os
import shutil
import socket
import subprocess
import threading
import unittest
import urllib.parse

from harness import BIN, EXIT_DONE, EXIT_FAILED, EXIT_USAGE, Control, WallTest, authorization, eventually, key_named, run
from web import WebSocket, raw, request


def jpeg_size(data):
    """(width, height) from the frame header (ITU-T T.81, B.2.2)."""
    at = 2
    while True:
        marker, length = data[at + 1], int.from_bytes(data[at + 2:at + 4], "big")
        if 0xC0 <= marker <= 0xC2:
            return int.from_bytes(data[at + 7:at + 9], "big"), int.from_bytes(data[at + 5:at + 7], "big")
        at += 2 + length


def mean_colour(data):
    """The mean R, G and B of a picture."""
    pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                            input=data, check=True, capture_output=True).stdout
    return [sum(pixels[i::3]) / (len(pixels) / 3) for i in range(3)]


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *map(str, arguments)], check=True)


def pdf(width, height, pages=((1, 0, 0),)):
    """A PDF document of pages with these colours."""
    kids = " ".join(f"{3 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode()]
    for i, colour in enumerate(pages):
        drawing = f"{' '.join(map(str, colour))} rg 0 0 {width} {height} re f".encode()
        objects += [f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Contents {4 + 2 * i} 0 R>>".encode(),
                    b"<</Length %d>>stream\n%s\nendstream" % (len(drawing), drawing)]
    data, offsets = b"%PDF-1.4\n", []
    for number, item in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    return data + (b"xref\n0 %d\n0000000000 65535 f \n" % count + table
                   + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (count, len(data)))


class PreviewTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def receiver_names(self):
        return []

    def start_manager(self):
        self.media = self.folder / "media"
        self.media.mkdir(exist_ok=True)
        self.manager_options = ("--media", self.media, "--uploads", "")
        return super().start_manager()

    def ask(self, source, method="GET", **headers):
        path = "/preview?source=" + urllib.parse.quote(source, safe="")
        return request(self.page_port, method, path, None, {n.replace("_", "-"): v for n, v in headers.items()})

    def preview(self, source):
        """The preview of a file, as soon as the file is listed."""
        status, headers, body = eventually(lambda: (lambda answer: answer[0] != 404 and answer)(self.ask(source)),
                                           f"{source} is listed")
        self.assertEqual((status, headers.get("content-type")), (200, "image/jpeg"), body)
        return body


class Previews(PreviewTest):
    def test_films_pictures_and_documents_have_previews(self):
        ffmpeg("-f", "lavfi", "-i", "color=0x0000ff:s=640x480:r=10:d=4", self.media / "blue & 100%+ä.mp4")
        ffmpeg("-f", "lavfi", "-i", "color=0x00ff00:s=600x1200", "-frames:v", "1", self.media / "green.png")
        (self.media / "red.pdf").write_bytes(pdf(400, 400))
        for name, size, colour in (("blue & 100%+ä.mp4", (240, 180), 2), ("green.png", (90, 180), 1), ("red.pdf", (180, 180), 0)):
            with self.subTest(name=name):
                picture = self.preview("media1/" + name)
                self.assertEqual(jpeg_size(picture), size)
                means = mean_colour(picture)
                self.assertEqual([mean > 128 for mean in means], [i == colour for i in range(3)], means)

    def test_presenters_see_any_page_of_a_document_on_the_wall(self):
        def page(window, number):
            return request(self.page_port, "GET", f"/preview?window={window}&page={number}", None, {})
        document = self.media / "three.pdf"
        document.write_bytes(pdf(400, 200, pages=((1, 0, 0), (0, 1, 0), (0, 0, 1))))
        window = json.loads(self.vitrail("play", document, "--json").stdout)["window"]
        for number in (3, 1, 2):
            status, _, body = page(window, number)
            means = mean_colour(body)
            self.assertEqual((status, [mean > 128 for mean in means]), (200, [i == number - 1 for i in range(3)]), number)
        self.assertEqual([page(window, number)[0] for number in (4, 0, "x")], [204, 400, 400])
        self.assertEqual(page(window + 9, 1)[0], 404)

    def test_what_is_known_is_not_sent_again_but_what_is_new_is(self):
        film = self.media / "a.png"
        ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", film)
        first = self.preview("media1/a.png")
        _, headers, _ = self.ask("media1/a.png")
        self.assertEqual(headers["cache-control"], "private, no-cache")
        status, again, body = self.ask("media1/a.png", If_None_Match=headers["etag"])
        self.assertEqual((status, again["etag"], body), (304, headers["etag"], b""))
        status, reported, body = self.ask("media1/a.png", method="HEAD")
        self.assertEqual((status, int(reported["content-length"]), body), (200, len(first), b""))
        ffmpeg("-f", "lavfi", "-i", "color=lime:s=64x32", "-frames:v", "1", film)
        os.utime(film, (1, 1))
        status, changed, body = self.ask("media1/a.png", If_None_Match=headers["etag"])
        self.assertEqual((status, jpeg_size(body)), (200, (64, 32)))
        self.assertNotEqual(changed["etag"], headers["etag"])

    def test_stored_films_have_previews(self):
        ffmpeg("-f", "lavfi", "-i", "color=0x00ff00:s=640x360:r=10:d=2", self.folder / "green.mp4")
        for codec in ("dxt1", "dxt5ycocg+lz4", "htj2k"):
            self.vitrail("convert", "--codec", codec, self.folder / "green.mp4", self.media / f"{codec}.vmov")
            with self.subTest(codec=codec):
                picture = self.preview(f"media1/{codec}.vmov")
                self.assertEqual(jpeg_size(picture), (320, 180))
                red, green, blue = mean_colour(picture)
                self.assertTrue(green > 200 and red < 60 and blue < 60, (red, green, blue))

    def test_of_a_broken_file_there_is_none(self):
        (self.media / "broken.mp4").write_bytes(b"no film")
        (self.media / "empty.png").touch()
        (self.media / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
        for name in ("broken.mp4", "empty.png", "broken.pdf"):
            status, headers, body = eventually(
                lambda name=name: (lambda answer: answer[0] != 404 and answer)(self.ask("media1/" + name)), "it is listed")
            self.assertEqual((status, body), (204, b""), name)
            self.assertNotIn("etag", headers)
        self.assertIn("vitrail-poster: ", self.output(self.manager))

    def test_nothing_else_is_opened(self):
        secret = self.folder / "secret.png"
        ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", secret)
        shutil.copy(secret, self.media / "listed.png")
        shutil.copy(secret, self.media / ".hidden.png")
        (self.media / "outside.png").symlink_to(secret)
        listed = self.preview("media1/listed.png")
        for source in ("media1/nothing.png", "media1/../secret.png", "media1/.hidden.png", "media1/outside.png", "../secret.png",
                       str(secret), f"file://{secret}", "test/1920x1080@30", "media1", "media1/", "url/http://localhost/x.mp4",
                       "--help", "window/1", "media1//listed.png", "MEDIA1/listed.png"):
            with self.subTest(source=source):
                self.assertEqual(self.ask(source)[0], 404)
        for path in ("/preview", "/preview?source=", "/preview?file=media1/listed.png"):
            self.assertEqual(request(self.page_port, "GET", path)[0], 400, path)
        for path in ("/preview/media1/listed.png", "/preview/?source=media1/listed.png", "/previews"):
            self.assertEqual(request(self.page_port, "GET", path)[0], 404, path)
        self.assertEqual(self.ask("media1/listed.png", method="DELETE")[0], 405)
        self.assertEqual(self.ask("media1/listed.png", Origin="http://evil.example")[0], 403)
        self.assertEqual(self.ask("x" * 3000)[0], 404)
        nul = raw(self.page_port, b"GET /preview?source=media1/listed.png%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        # libwebsockets 4.1 refuses this; 4.3 ends the name at the NUL, which is the listed file and nothing else.
        if b"200 OK" in nul:
            self.assertTrue(nul.endswith(listed))
        (self.media / "listed.png").unlink()
        self.assertIn(self.ask("media1/listed.png")[0], (204, 404), "until the list is new")

    def test_many_at_once_are_answered_and_the_wall_goes_on(self):
        ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", self.media / "0.png")
        for i in range(1, 40):
            shutil.copy(self.media / "0.png", self.media / f"{i}.png")
        self.preview("media1/39.png")
        answers = []
        clients = [threading.Thread(target=lambda i=i: answers.append(self.ask(f"media1/{i % 40}.png")[0])) for i in range(60)]
        for client in clients:
            client.start()
        with WebSocket(self.page_port) as page:
            self.assertIn("result", page.hello())
        for client in clients:
            client.join()
        self.assertEqual(answers, [200] * 60)

    def test_clients_that_leave_disturb_nobody(self):
        ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", self.media / "0.png")
        for i in range(1, 20):
            shutil.copy(self.media / "0.png", self.media / f"{i}.png")
        self.preview("media1/0.png")
        for i in range(1, 20):
            with socket.create_connection(("127.0.0.1", self.page_port)) as client:
                client.sendall(f"GET /preview?source=media1/{i}.png HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.preview("media1/19.png")


class WithKey(PreviewTest):
    def env(self, **more):
        return super().env(VITRAIL_KEY="a secret of sixteen", **more)

    def test_the_key_is_asked_for(self):
        (self.media / "red.pdf").write_bytes(pdf(40, 40))
        self.assertEqual(self.ask("media1/red.pdf")[0], 401)
        self.assertEqual(self.ask("media1/red.pdf", Authorization="Bearer a secret of sixteen")[0], 401)
        numbers = itertools.count(1)
        with Control(self.port, hello=False) as control:
            viewer = control.hello(key_named("a secret of sixteen", "viewer"))["result"]
            eventually(lambda: self.ask("media1/red.pdf", Authorization=authorization(
                viewer, "GET", "/preview", next(numbers)))[0] == 200, "it is given")
            again = authorization(viewer, "GET", "/preview", 1)
            self.assertEqual(self.ask("media1/red.pdf", Authorization=again)[0], 401, "it was overheard")
            proof = {"Authorization": authorization(viewer, "GET", "/preview", next(numbers))}
            page = request(self.page_port, "GET", "/preview?window=1&page=2", None, proof)
            self.assertEqual(page[0], 403, "viewers see no pages that the wall does not show")


class Poster(unittest.TestCase):
    def test_says_in_one_sentence_what_is_wrong(self):
        for file in ("/no/such/file.mp4", "/tmp", __file__, "/dev/null"):
            result = run("vitrail-poster", file)
            self.assertEqual((result.returncode, result.stdout), (EXIT_FAILED, ""), file)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertIn(file, result.stderr)
        self.assertEqual(run("vitrail-poster").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-poster", "--size", "0x0", __file__).returncode, EXIT_USAGE)
        self.assertIn("Examples:", run("vitrail-poster", "--help").stdout)

    def test_films_that_begin_black_show_something(self):
        folder = BIN.parent / f"poster-{os.getpid()}"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        ffmpeg("-f", "lavfi", "-i", "color=black:s=320x240:r=10:d=4", "-f", "lavfi", "-i", "color=white:s=320x240:r=10:d=8",
               "-filter_complex", "concat=n=2", folder / "film.mp4")
        result = run("vitrail-poster", "--size", "64x64", "--output", folder / "film.jpg", folder / "film.mp4")
        self.assertEqual(result.returncode, EXIT_DONE, result.stderr)
        picture = (folder / "film.jpg").read_bytes()
        self.assertEqual(jpeg_size(picture), (64, 48))
        self.assertGreater(min(mean_colour(picture)), 200)


if __name__ == "__main__":
    unittest.main()
