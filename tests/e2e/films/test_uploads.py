#!/usr/bin/env python3
"""Uploads to the manager (tus 1.0): interrupted and resumed, limited in size, and confined to their folder."""

import base64
import os
import socket
import struct
import unittest
import urllib.parse
import zlib

from harness import Control, WallTest, authorization, eventually, key_named
from web import WebSocket, request

LIMIT_MIB = 3
QUOTA_MIB = 6


def noise(side=8):
    """A PNG picture that differs from all others."""
    rows = b"".join(b"\0" + os.urandom(3 * side) for _ in range(side))
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


def metadata(name):
    return "filename " + base64.b64encode(name if isinstance(name, bytes) else name.encode()).decode()


class UploadTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def receiver_names(self):
        return []

    def start_manager(self):
        self.uploads = self.folder / "uploads"
        self.uploads.mkdir(exist_ok=True)
        self.manager_options = ("--uploads", self.uploads, "--upload-limit", LIMIT_MIB,
                                "--uploads-quota", QUOTA_MIB)
        return super().start_manager()

    def ask(self, method, path="/uploads", body=None, **headers):
        all_headers = {"Tus-Resumable": "1.0.0", **{n.replace("_", "-"): v for n, v in headers.items()}}
        return request(self.page_port, method, path, body, all_headers)

    def create(self, size, name="film.mp4", **headers):
        return self.ask("POST", Upload_Length=str(size), Upload_Metadata=metadata(name), **headers)

    def patch(self, path, offset, body, **headers):
        return self.ask("PATCH", path, body, Upload_Offset=str(offset),
                        Content_Type="application/offset+octet-stream", **headers)

    def send(self, name, data):
        """Uploads everything; returns the id of the source."""
        status, headers, body = self.create(len(data), name)
        self.assertEqual(status, 201, body)
        status, headers, body = self.patch(headers["location"], 0, data)
        self.assertEqual((status, headers.get("upload-offset")), (204, str(len(data))), body)
        return urllib.parse.unquote(headers["vitrail-source"])

    def files(self):
        return sorted(file.name for file in self.uploads.iterdir() if file.name != ".bin")

    def assert_alive(self):
        self.assertIsNone(self.manager.poll(), self.output(self.manager))
        with WebSocket(self.page_port) as page:
            self.assertIn("result", page.hello())


class Uploads(UploadTest):
    def test_a_file_arrives_whole_and_is_a_source(self):
        data = noise(900)
        source = self.send("my film.mp4", data)
        self.assertEqual(source, "uploads/my film.mp4")
        self.assertEqual((self.uploads / "my film.mp4").read_bytes(), data)
        with WebSocket(self.page_port) as page:
            page.hello()
            found = page.call("sources", kind="file")["result"]
            self.assertEqual([s["source"] for s in found["sources"]], [source])

    def test_what_was_interrupted_goes_on_where_it_stopped(self):
        data = noise(800)
        _, headers, _ = self.create(len(data))
        path = headers["location"]
        with socket.create_connection(("127.0.0.1", self.page_port)) as connection:
            connection.sendall(f"PATCH {path} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
                               f"Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
                               f"Content-Length: {len(data)}\r\n\r\n".encode() + data[:700_000])
            eventually(lambda: int(self.ask("HEAD", path)[1]["upload-offset"]) > 0, "some of it is written")
        self.assertTrue(all(name.startswith(".") for name in self.files()), self.files())
        # Works as soon as the manager has noticed that the client is gone.
        offset = 0

        def settled():
            nonlocal offset
            offset = int(self.ask("HEAD", path)[1]["upload-offset"])
            status, _, _ = self.patch(path, offset, data[offset:offset + 1])
            return status == 204
        eventually(settled, "the interrupted request is over")
        self.assertLessEqual(offset, 700_000)
        status, headers, _ = self.patch(path, offset + 1, data[offset + 1:])
        self.assertEqual(status, 204)
        self.assertIn("vitrail-source", headers)
        self.assertEqual((self.uploads / "film.mp4").read_bytes(), data)

    def test_a_client_that_lost_the_last_answer_learns_that_all_is_done(self):
        data = noise(570)
        _, headers, _ = self.create(len(data), "Überblick.mp4")
        path = headers["location"]
        with socket.create_connection(("127.0.0.1", self.page_port)) as connection:
            connection.sendall(f"PATCH {path} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
                               f"Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n"
                               f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        # The client closes without reading the answer.
        def whole():
            status, reported, _ = self.ask("HEAD", path)
            self.assertEqual(status, 200)
            return int(reported["upload-offset"]) == len(data) and reported
        for _ in range(2):
            reported = eventually(whole, "it is whole")
            self.assertEqual(reported["upload-length"], str(len(data)))
            self.assertEqual(urllib.parse.unquote(reported["vitrail-source"]), "uploads/Überblick.mp4")
        self.assertEqual((self.uploads / "Überblick.mp4").read_bytes(), data)
        self.assertEqual(self.patch(path, len(data), b"x")[0], 409)
        self.assertEqual(self.ask("DELETE", path)[0], 409)
        self.assertEqual(self.files(), ["Überblick.mp4"])

    def test_the_source_is_told_in_letters_that_mean_the_same_to_every_decoder(self):
        data = noise()
        _, headers, _ = self.create(len(data), "a film+more, 50 %.mp4")
        _, headers, _ = self.patch(headers["location"], 0, data)
        self.assertEqual(headers["vitrail-source"], "uploads/a%20film%2Bmore%2C%2050%20%25.mp4")

    def test_names_lead_nowhere(self):
        for given, kept in (("../../etc/film.mp4", "film.mp4"), ("/etc/film.mp4", "film (2).mp4"), ("..\\..\\boot.png", "boot.png"),
                            (".hidden.png", "hidden.png"), ("a\nb\x00c\x1b[31m.png", "a_b_c_[31m.png"),
                            ("CON.png", "_CON.png"), ("<img src=x>.png", "_img src=x_.png"),
                            (b"\xff\xfe.png", "__.png"), ("gnp\u202e.exe.png", "gnp.exe.png"),
                            ("می\u200cخواهم.png", "می\u200cخواهم.png")):
            with self.subTest(given=given):
                data = noise()
                self.assertEqual(self.send(given, data), "uploads/" + kept)
                self.assertEqual((self.uploads / kept).read_bytes(), data)
        for nothing in ("...", ""):
            self.assertEqual(self.create(1, nothing)[0], 415, nothing)
        long = self.send("ä" * 500 + ".mp4", noise())
        self.assertTrue(long.endswith("ä.mp4") and len(long.encode()) <= 130, long)

    def test_no_file_is_replaced(self):
        first = noise()
        self.assertEqual(self.send("a.png", first), "uploads/a.png")
        self.assertEqual(self.send("a.png", noise()), "uploads/a (2).png")
        self.assertEqual((self.uploads / "a.png").read_bytes(), first)

    def test_the_same_bytes_are_the_same_file(self):
        data = noise()
        self.assertEqual(self.send("a.png", data), "uploads/a.png")
        self.assertEqual(self.send("a.png", data), "uploads/a.png")
        self.assertEqual(self.send("b.png", data), "uploads/a.png")
        eventually(lambda: self.files() == ["a.png"], "the second copy is gone")

    def test_what_nothing_can_show_is_refused_with_the_reason(self):
        for name, data, reason in (("film.mp4", os.urandom(10_000), b"damaged"),
                                   ("text.png", b"no picture\n" * 100, b"no frame could be decoded"),
                                   ("cut.pdf", b"%PDF-1.4\n" + bytes(100), b"damaged")):
            with self.subTest(name=name):
                path = self.create(len(data), name)[1]["location"]
                status, _, body = self.patch(path, 0, data)
                self.assertEqual(status, 415, body)
                self.assertIn(b"cannot be shown", body)
                self.assertIn(reason, body)
                self.assertNotIn(str(self.uploads).encode(), body)
                self.assertEqual(self.ask("HEAD", path)[0], 404)
        eventually(lambda: self.files() == [], "they are gone")

    def test_all_together_are_bounded(self):
        with WebSocket(self.page_port) as page:
            page.hello()
            room = page.call("sources", kind="file")["result"]["uploads"]
            self.assertEqual(room, {"used_bytes": 0, "quota_bytes": QUOTA_MIB << 20, "most_bytes": LIMIT_MIB << 20})
            first, second = noise(900), noise(900)  # 2.3 MiB each
            sources = [self.send("first.png", first), self.send("second.png", second)]
            status, _, body = self.create(2_500_000)
            self.assertEqual(status, 507)
            self.assertIn(f"4.6 of {QUOTA_MIB}.0 MiB".encode(), body)
            self.assertIn(b"--uploads-quota", body)
            # Unfinished uploads count as well.
            under_way = self.create(1_200_000)[1]["location"]
            self.assertEqual(self.create(1_200_000)[0], 507)
            self.assertEqual(self.ask("DELETE", under_way)[0], 204)
            self.assertIn("result", page.call("source_remove", source=sources[0]))
            room = page.call("sources", kind="file")["result"]["uploads"]
            self.assertEqual(room["used_bytes"], len(second))
            self.assertEqual(self.send("third.png", noise(900)), "uploads/third.png")
            self.assertEqual(page.call("source_bin")["result"]["files"], [], "the bin makes room")

    def test_files_are_renamed_and_removed(self):
        source = self.send("a.png", noise())
        other = self.send("b.png", noise())
        with WebSocket(self.page_port) as page:
            page.hello()
            self.assertEqual(page.call("source_rename", source=source, name="Plan")["result"],
                             {"source": "uploads/Plan.png", "title": "Plan.png"})
            self.assertEqual(self.files(), ["Plan.png", "b.png"])
            for wrong, name in (("b", "conflict"), ("x\u202ey", "invalid_params"), ("", "invalid_params")):
                error = page.call("source_rename", source="uploads/Plan.png", name=wrong)["error"]
                self.assertEqual(error["data"]["name"], name, error)
            self.assertEqual(page.call("source_rename", source=source, name="c")["error"]["data"]["name"], "not_found")
            listed = page.call("sources", kind="file")["result"]["sources"]
            self.assertEqual([(s["source"], s["size"]) for s in listed], [("uploads/Plan.png", [8, 8]), (other, [8, 8])])
            self.assertIn("result", page.call("source_remove", source="uploads/Plan.png"))
            self.assertEqual(self.files(), ["b.png"])
            self.assertEqual(page.call("source_remove", source="uploads/Plan.png")["error"]["data"]["name"], "not_found")
            self.assertEqual([file["title"] for file in page.call("source_bin")["result"]["files"]], ["Plan.png"])
            self.assertEqual(page.call("undo")["result"]["what"], "removed 'Plan.png' from the sources")
            self.assertEqual(self.files(), ["Plan.png", "b.png"])
            binned = page.call("source_remove", source="uploads/Plan.png")["result"]["bin"]
            self.assertIn(binned, self.vitrail("source", "bin").stdout)
            self.vitrail("source", "restore", binned)
            self.assertEqual(self.files(), ["Plan.png", "b.png"])
            self.assertEqual(page.call("source_restore", bin=binned)["error"]["data"]["name"], "not_found")

    def test_bounds(self):
        self.assertEqual(self.create(LIMIT_MIB * 1024 * 1024 + 1)[0], 413)
        self.assertEqual(self.create(5, "notes.txt")[0], 415)
        for size in ("0", "-1", "x", "", "99999999999999999999", "1e3"):
            self.assertEqual(self.create(size)[0], 400, size)
        self.assertEqual(self.ask("POST", Upload_Length="5")[0], 400)
        self.assertEqual(self.ask("POST", Upload_Length="5", Upload_Metadata="filename !!!")[0], 400)
        paths = [self.create(10)[1]["location"] for _ in range(8)]
        status, headers, _ = self.create(10)
        self.assertEqual((status, "retry-after" in headers), (429, True))
        self.assertEqual(self.ask("DELETE", paths[0])[0], 204)
        self.assertEqual(self.ask("HEAD", paths[0])[0], 404)
        self.assertEqual(self.create(10)[0], 201)
        self.assertEqual(self.patch(paths[1], 0, b"x" * 11)[0], 413)
        self.assertEqual(self.patch(paths[1], 3, b"xx")[0], 409)
        self.assertEqual(self.ask("PATCH", paths[1], b"xx", Upload_Offset="0", Content_Type="text/plain")[0], 415)
        self.assertEqual(int(self.ask("HEAD", paths[1])[1]["upload-offset"]), 0)
        self.assert_alive()

    def test_what_is_no_upload(self):
        for path in ("/uploads/nothing", "/uploads/../uploads/x", "/uploads/%2e%2e%2fx", "/uploads/", "/uploads/a/b"):
            self.assertEqual(self.ask("HEAD", path)[0], 404, path)
            self.assertEqual(self.patch(path, 0, b"x")[0], 404, path)
        self.assertEqual(request(self.page_port, "POST", "/uploads", b"", {"Upload-Length": "5"})[0], 412)
        self.assertEqual(self.ask("OPTIONS")[1]["tus-max-size"], str(LIMIT_MIB * 1024 * 1024))
        self.assertEqual(self.create(5, Origin="http://evil.example")[0], 403)
        self.assertEqual(self.files(), [])

    def test_half_files_go_with_their_manager(self):
        self.create(100)
        self.assertEqual(len(self.files()), 1)
        self.assertTrue(self.files()[0].endswith(".part.mp4"), self.files())
        self.manager.terminate()
        self.manager.wait()
        self.assertEqual(self.files(), [])
        (self.uploads / ".vitrail-old.part.mp4").write_bytes(b"x")
        (self.uploads / ".vitrail-new.part").write_bytes(b"x")
        (self.uploads / "kept.part").write_bytes(b"x")
        for name in (".vitrail-old.part.mp4", "kept.part"):
            os.utime(self.uploads / name, (0, 0))
        self.manager = self.start_manager()
        eventually(lambda: self.files() == [".vitrail-new.part", "kept.part"], "the old one is removed")


class WithKey(UploadTest):
    def env(self, **more):
        return super().env(VITRAIL_KEY="a secret of sixteen", **more)

    def test_the_key_is_asked_for(self):
        def proved(method, path, number, session):
            return {"Authorization": authorization(session, method, path, number)}

        self.assertEqual(self.create(5)[0], 401)
        self.assertEqual(self.create(5, Authorization="Bearer a secret of sixteen")[0], 401)
        with Control(self.port, hello=False) as control, Control(self.port, hello=False) as looking:
            viewer = looking.hello(key_named("a secret of sixteen", "viewer"))["result"]
            self.assertEqual(self.create(5, **proved("POST", "/uploads", 1, viewer))[0], 403)
            self.assertEqual(self.files(), [])
            operator = control.hello(key_named("a secret of sixteen", "operator"))["result"]
            status, headers, _ = self.create(5, **proved("POST", "/uploads", 1, operator))
            self.assertEqual(status, 201)
            place = headers["location"]
            self.assertEqual(self.patch(place, 0, b"12345")[0], 401)
            self.assertEqual(self.patch(place, 0, b"1234", **proved("PATCH", place, 2, operator))[0], 204)
            self.assertEqual(self.patch(place, 4, b"5", **proved("PATCH", place, 2, operator))[0], 401, "it was overheard")


if __name__ == "__main__":
    unittest.main()
