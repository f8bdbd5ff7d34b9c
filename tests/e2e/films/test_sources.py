#!/usr/bin/env python3
"""Sources of the wall: found, searched, saved, and played by id."""

import functools
import http.server
import json
import os
import subprocess
import sys
import unittest

from harness import BIN, Control, WallTest, eventually
from web import serve


class Sources(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def receiver_names(self):
        return ["node1", "node2"]

    def start_manager(self):
        media = self.folder / "media"
        (media / "trip" / ".secret").mkdir(parents=True, exist_ok=True)
        (self.folder / "state").mkdir(exist_ok=True)
        commands = self.folder / "commands.json"
        commands.write_text(json.dumps({
            "card": {"title": "A card", "arguments": [str(BIN / "bplay"), "--title", "$(id) `id`", "test:64x64@10"]},
            "broken": {"arguments": ["/no/such/program"]}}))
        self.manager_options = ("--media", media, "--uploads", "", "--state", self.folder / "state",
                                "--commands", commands)
        return super().start_manager()

    def setUp(self):
        super().setUp()
        self.media = self.folder / "media"
        self.control = Control(self.port)
        self.addCleanup(self.control.close)

    def call(self, method, **params):
        return self.control.call(method, **params)

    def found(self, **query):
        return [s["source"] for s in self.call("sources", **query)["result"]["sources"]]

    def test_files_are_found_and_searched(self):
        (self.media / "trip" / "Lisbon Harbour.MP4").touch()
        (self.media / "trip" / "lisbon.txt").touch()
        (self.media / "trip" / ".secret" / "x.png").touch()
        (self.media / ".hidden.png").touch()
        (self.media / "<b>a.png").touch()
        (self.media / "outside.png").symlink_to("/etc/passwd")
        (self.media / "circle").symlink_to(self.media)
        (self.media / "inside.png").symlink_to(self.media / "<b>a.png")
        os.mkfifo(self.media / "pipe.mp4")
        eventually(lambda: self.found(kind="file") ==
                   ["media1/<b>a.png", "media1/inside.png", "media1/trip/Lisbon Harbour.MP4"], "the files are found")
        self.assertEqual(self.found(search="HARBOUR trip"), ["media1/trip/Lisbon Harbour.MP4"])
        self.assertEqual(self.found(search="nothing of it"), [])
        page = self.call("sources", kind="test", offset=1, count=2)["result"]
        self.assertEqual((len(page["sources"]), page["total"] > 3), (2, True))
        self.assertEqual(self.found(kind="test", offset=100_000), [])
        for wrong in ({"kind": "film"}, {"count": 501}, {"offset": -1}, {"search": "x" * 300}):
            self.assertEqual(self.call("sources", **wrong)["error"]["data"]["name"], "invalid_params")

    def test_files_tell_what_they_are(self):
        self.clip("media/film.mp4", seconds=2, size="320x180")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.media / "film.mp4", "-frames:v", "1", self.media / "z.png"],
                       check=True)
        (self.media / "broken.mp4").write_bytes(os.urandom(5000))
        (self.media / "empty.png").touch()
        (self.media / "right\u202eto left.png").write_bytes((self.media / "z.png").read_bytes())

        def known():
            answer = self.call("sources", kind="file")["result"]
            return answer["total"] == 5 and "unprobed" not in answer and answer["sources"]
        film, turned, picture, broken, empty = eventually(known, "all files are looked at")
        self.assertEqual((film["source"], film["size"], film["bytes"]),
                         ("media1/film.mp4", [320, 180], (self.media / "film.mp4").stat().st_size))
        self.assertAlmostEqual(film["duration_s"], 2, delta=0.1)
        self.assertEqual((picture["source"], picture["size"], "duration_s" in picture), ("media1/z.png", [320, 180], False))
        self.assertEqual((turned["title"], turned["source"]), ("rightto left.png", "media1/right%E2%80%AEto left.png"))
        self.assertIn("window", self.call("play", source=turned["source"])["result"])
        self.assertIn("damaged", broken["unplayable"])
        self.assertNotIn(str(self.media), broken["unplayable"])
        self.assertEqual(empty["source"], "media1/empty.png")
        self.assertTrue(empty["unplayable"])
        # Another file of the same name is probed again.
        (self.media / "empty.png").write_bytes((self.media / "z.png").read_bytes())
        eventually(lambda: (lambda files: files and not any(f["source"] == "media1/empty.png" and "unplayable" in f for f in files))(known()),
                   "it can be shown now")
        for verb, more in (("source_remove", {}), ("source_rename", {"name": "x"})):
            error = self.call(verb, source="media1/film.mp4", **more)["error"]
            self.assertEqual(error["data"]["name"], "invalid_params", error)
        self.assertTrue((self.media / "film.mp4").exists())

    def test_ids_are_no_paths(self):
        (self.media / "a.png").touch()
        for source in ("media1/../../etc/passwd", "../a.png", "/etc/passwd", "media1//a.png", "media1/./a.png", "media2/a.png",
                       "file:///etc/passwd", "url/file:///etc/passwd", "media1/", "command/../card"):
            answer = self.call("play", source=source)
            self.assertEqual(answer["error"]["data"]["name"], "not_found", answer)

    def test_urls_are_saved_and_outlive_the_manager(self):
        url = "rtsp://camera.example/stream?x=1"
        self.assertEqual(self.call("source_save", url=url, title="Door")["result"]["source"], "url/" + url)
        for wrong in ("file:///etc/passwd", "/etc/passwd", "concat:a|b", "http:/x", "http://", "gopher://x", "http://a b",
                      "data:text/plain,x", "http://" + "x" * 3000):
            self.assertEqual(self.call("source_save", url=wrong)["error"]["data"]["name"], "invalid_params", wrong)
        self.control.close()
        self.manager.terminate()
        self.manager.wait()
        self.manager = self.start_manager()
        self.control = Control(self.port)
        self.assertEqual(self.found(kind="url"), ["url/" + url])
        self.assertIn("result", self.call("source_remove", source="url/" + url))
        self.assertEqual(self.found(kind="url"), [])
        self.assertEqual(self.call("source_remove", source="url/" + url)["error"]["data"]["name"], "not_found")
        self.assertEqual(self.call("source_remove", source="command/card")["error"]["data"]["name"], "invalid_params")

    def test_a_file_is_played_where_it_was_dropped(self):
        self.clip("media/film.mp4")
        window = self.call("play", source="media1/film.mp4", at=[320, 90], loop=True)["result"]["window"]
        # A third of a wall of 640×180, in the picture's aspect, around the point.
        self.assertEqual(self.window(window)["rect"], [267, 60, 106, 60])
        self.wait_for_frames(window)
        applications = self.call("sources", kind="application")["result"]["sources"]
        self.assertEqual([s["source"] for s in applications], [f"window/{window}"])

    def test_a_test_card_and_a_command_are_started_without_a_shell(self):
        window = self.call("play", source="test/1280x720@60", place=[0, 0, 100, 50])["result"]["window"]
        self.assertEqual(self.window(window)["rect"], [6, 0, 88, 50], "it is fitted into its place")
        window = self.call("play", source="command/card")["result"]["window"]
        self.assertEqual(self.window(window)["title"], "$(id) `id`")
        self.assertEqual(self.call("play", source="command/broken")["error"]["data"]["name"], "not_found")

    def test_several_sources_are_one_window(self):
        self.clip("media/film.mp4")
        window = self.call("play", sources=["media1/film.mp4", "test/1280x720@60"], loop=True)["result"]["window"]
        self.assertEqual(len(self.window(window)["media"]), 2)
        for sources in ["media1/film.mp4", "command/card"], ["command/card", "media1/film.mp4"], []:
            self.assertEqual(self.call("play", sources=sources)["error"]["data"]["name"], "invalid_params")

    def test_a_picture_is_drawn_for_its_place_at_once(self):
        picture = self.folder / "large.png"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=1200x900", "-frames:v", "1",
                        picture], check=True)
        window = self.call("play", media=[str(picture)], place=[-10, 20, 160, 120])["result"]["window"]
        self.wait_for_frames(window, 1)
        self.assertEqual(self.window(window)["frame_size"], [160, 120])
        self.assertEqual([w["window"] for w in self.state()["windows"]], [window])

    def test_animations_are_played_whatever_their_kind(self):
        for name, more in (("a.gif", ()), ("a.webp", ()), ("a.png", ("-f", "apng")),
                           ("a.avif", ("-c:v", "libaom-av1", "-cpu-used", "8"))):
            subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10", "-frames:v", "5",
                            *more, self.media / name], check=True)
            window = eventually(lambda: self.call("play", source=f"media1/{name}", loop=True).get("result"), "it plays")["window"]
            self.wait_for_frames(window, 10)  # vitrail-show would show one frame
            self.vitrail("close", window)

    def test_a_film_comes_over_http(self):
        film = self.clip("served.mp4", extra=("-movflags", "+faststart"))
        handler = functools.partial(_Quiet, directory=str(film.parent))
        server = serve(self, http.server.ThreadingHTTPServer, handler)
        url = f"http://127.0.0.1:{server.server_port}/served.mp4"
        source = self.call("source_save", url=url, title="Over HTTP")["result"]["source"]
        window = self.call("play", source=source, loop=True)["result"]["window"]
        self.wait_for_frames(window)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    sys.exit(unittest.main())
