"""vitrail upload with a page that breaks connections, forgets uploads, refuses and is slow: a stand-in for the manager's."""

import http.server
import json
import os
import pathlib
import shutil
import socketserver
import tempfile
import unittest

from harness import EXIT_FAILED, authorization, proof, run
from web import serve

MIB = 1 << 20
KEY = "a secret of sixteen"


class StandInManager(socketserver.StreamRequestHandler):
    """Proves the key, answers hello with the page's URL, and any other request with {"window": 7}."""

    def challenge(self, nonce):
        words = ("", nonce, "0" * 32)
        self.server.session = proof(KEY, "vitrail session", *words)
        return {"nonce": words[-1], "proof": proof(KEY, "vitrail listener", *words)}

    def handle(self):
        for line in self.rfile:
            request = json.loads(line)
            self.server.verbs.append((request["method"], request.get("params")))
            result = {"window": 7}
            if request["method"] == "challenge":
                result = self.challenge(request["params"]["nonce"])
            elif request["method"] == "hello":
                result = {"protocol": 3, "version": "0", "wall": "test", "client": 5, "page": self.server.page}
            answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
            self.wfile.write(json.dumps(answer).encode() + b"\n")


class Page(http.server.BaseHTTPRequestHandler):
    """The part of tus 1.0 that the manager's page supports."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        state = self.server
        state.heads.append(dict(self.headers))
        if state.refuse:
            self.close_connection = True
            self.answer(state.refuse, b"uploads may have 1 MiB here")
            return
        state.length = int(self.headers["Upload-Length"])
        state.data = b""
        state.creations += 1
        self.answer(201, Location="/uploads/one")

    def do_HEAD(self):
        if self.server.data is None:
            self.answer(404)
        else:
            whole = len(self.server.data) == self.server.length
            self.answer(200, Upload_Offset=len(self.server.data), **({"Vitrail_Source": "upload:%C3%BC"} if whole else {}))

    def do_PATCH(self):
        state = self.server
        offset = int(self.headers["Upload-Offset"])
        length = int(self.headers["Content-Length"])
        state.offsets.append(offset)
        if offset != len(state.data):
            self.close_connection = True
            self.answer(409)
            return
        take = length if not state.breaks else min(length, state.breaks.pop(0))
        state.data += self.rfile.read(take)
        if take < length:
            self.close_connection = True
            self.connection.close()
            return
        if state.lost_answers:
            state.lost_answers -= 1
            self.close_connection = True
            self.connection.close()
            return
        self.answer(204, Upload_Offset=len(state.data), Vitrail_Source="upload:one")


class Upload(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.page = serve(self, http.server.ThreadingHTTPServer, Page)
        self.page.data = None
        self.page.refuse = 0
        self.page.creations = 0
        self.page.breaks = []
        self.page.lost_answers = 0
        self.page.offsets = []
        self.page.heads = []
        self.page.handle_error = lambda *_: None  # connections were broken on purpose
        self.manager = serve(self, socketserver.ThreadingTCPServer, StandInManager)
        self.manager.verbs = []
        self.manager.page = f"http://127.0.0.1:{self.page.server_address[1]}/"
        self.film = self.folder / "my film.bin"
        self.film.write_bytes(os.urandom(3 * MIB + 17))

    def upload(self, *arguments, expect=0):
        env = {**os.environ, "VITRAIL_MANAGER": f"127.0.0.1:{self.manager.server_address[1]}",
               "XDG_STATE_HOME": str(self.folder), "VITRAIL_KEY": KEY, "no_proxy": "127.0.0.1"}
        result = run("vitrail", "upload", *arguments, env=env, cwd=self.folder)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def test_a_file_arrives_whole_and_is_played(self):
        result = self.upload(self.film, "--play")
        self.assertEqual(self.page.data, self.film.read_bytes())
        self.assertIn("upload:one", result.stdout)
        self.assertIn("window 7", result.stdout)
        self.assertIn(("play", {"source": "upload:one"}), self.manager.verbs)
        head = self.page.heads[0]
        welcome = {"client": 5, "session": self.manager.session}
        self.assertEqual(head["Authorization"], authorization(welcome, "POST", "/uploads", 1))
        self.assertEqual(head["Upload-Metadata"], "filename bXkgZmlsbS5iaW4=")
        answer = json.loads(self.upload(self.film, "--json").stdout)
        self.assertEqual(answer["source"], "upload:one")

    def test_a_broken_connection_is_taken_up_where_it_broke(self):
        self.page.breaks = [MIB, MIB // 2]
        self.upload(self.film)
        self.assertEqual(self.page.data, self.film.read_bytes())
        self.assertEqual(self.page.offsets, [0, MIB, MIB + MIB // 2])
        self.assertEqual(self.page.creations, 1)

    def test_the_next_try_goes_on_too(self):
        self.page.breaks = [MIB, 0, 0, 0, 0]
        self.upload(self.film, expect=3)
        self.page.breaks = []
        self.page.offsets = []
        self.upload(self.film)
        self.assertEqual(self.page.offsets, [MIB])
        self.assertEqual(self.page.data, self.film.read_bytes())
        self.assertEqual(self.page.creations, 1)

    def test_what_the_page_has_forgotten_begins_anew(self):
        self.page.breaks = [MIB, 0, 0, 0, 0]
        self.upload(self.film, expect=3)
        self.page.breaks = []
        self.page.data = None
        self.upload(self.film)
        self.assertEqual(self.page.creations, 2)
        self.assertEqual(self.page.data, self.film.read_bytes())

    def test_a_lost_last_answer_is_a_success(self):
        self.page.lost_answers = 1
        answer = json.loads(self.upload(self.film, "--json").stdout)
        self.assertEqual(answer["source"], "upload:ü")
        self.assertEqual(self.page.data, self.film.read_bytes())
        self.assertEqual((self.page.creations, self.page.offsets), (1, [0]))

    def test_refusals_are_told(self):
        self.page.refuse = 413
        self.assertIn("1 MiB here", self.upload(self.film, expect=EXIT_FAILED).stderr)
        self.page.refuse = 0
        refused = self.upload("missing.mp4", self.film, "gone.mp4", expect=EXIT_FAILED)
        for name in ("missing.mp4", "gone.mp4"):
            self.assertIn(name, refused.stderr)
        self.assertEqual(self.page.data, self.film.read_bytes(), "the others arrive")
        self.manager.page = ""
        self.assertIn("no page", self.upload(self.film, expect=3).stderr)


if __name__ == "__main__":
    unittest.main()
