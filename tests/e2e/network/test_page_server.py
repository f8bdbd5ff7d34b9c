#!/usr/bin/env python3
"""The manager's web server: the page, control over WebSocket, and requests that must be refused."""

import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import unittest

from harness import Control, WallTest, authorization, eventually, key_named
from web import WebSocket, raw, request

PAGE = pathlib.Path(__file__).resolve().parents[3] / "manager" / "page"
LARGEST_MESSAGE = 1 << 20


class PageServerTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def receiver_names(self):
        return []

    def memory_kib(self):
        for line in pathlib.Path(f"/proc/{self.manager.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise AssertionError("no VmRSS")

    def assert_grown_less(self, before_kib, bound_kib):
        # Sanitizers use more memory and keep freed memory.
        if not os.environ.get("VITRAIL_SANITIZE"):
            self.assertLess(self.memory_kib() - before_kib, bound_kib)

    def descriptors(self):
        return len(list(pathlib.Path(f"/proc/{self.manager.pid}/fd").iterdir()))

    def handshake(self, **options):
        with WebSocket(self.page_port, **options) as page:
            return page.status

    def assert_alive(self):
        self.assertIsNone(self.manager.poll(), self.output(self.manager))
        with WebSocket(self.page_port) as peer:
            self.assertIn("result", peer.hello())


def minified(file):
    if file.suffix not in {".js", ".css"}:
        return file.read_bytes()
    return subprocess.run(["esbuild", "--minify", "--charset=utf8", file], capture_output=True, check=True).stdout


class Page(PageServerTest):
    def test_every_file_of_the_page_is_served(self):
        for file in PAGE.rglob("*"):
            if file.suffix not in {".html", ".js", ".css", ".svg", ".webmanifest"} or file.parent.name == "remote":
                continue
            path = "/" + file.relative_to(PAGE).as_posix()
            with self.subTest(path=path):
                status, headers, body = request(self.page_port, "GET", path)
                self.assertEqual((status, body), (200, minified(file)))
                self.assertNotIn("content-encoding", headers)
                self.assertIn("default-src 'self'", headers["content-security-policy"])
                self.assertEqual(headers["x-content-type-options"], "nosniff")
                _, headers, body = request(self.page_port, "GET", path, headers={"Accept-Encoding": "br, gzip"})
                self.assertEqual(headers["content-encoding"], "gzip")
                self.assertEqual(gzip.decompress(body), minified(file))

    def test_the_remote_is_a_document_that_paints_by_itself_and_one_script(self):
        _, headers, body = request(self.page_port, "GET", "/remote/")
        document = body.decode()
        self.assertEqual(re.findall(r'<link rel="(\w+)"', document), ["icon", "manifest"], "no style sheet is waited for")
        self.assertEqual(re.findall(r'<script[^>]* src="(.*?)"', document), ["remote.js"])
        for kind in ("style", "script"):
            content, = re.findall(f"<{kind}>(.*?)</{kind}>", document, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self.assertIn(f"; {kind}-src 'self' 'sha256-{digest}'", headers["content-security-policy"])
        self.assertNotIn("sha256", request(self.page_port, "GET", "/")[1]["content-security-policy"])
        script = request(self.page_port, "GET", "/remote/remote.js")[2].decode()
        self.assertNotRegex(script, r"(?m)^import|\bfrom ?\"", "it contains its modules")
        languages = re.findall(r'import\("(.*?)"\)', script)
        self.assertEqual(sorted(languages), ["../texts/de.js", "../texts/en.js"])
        for name in ("pointer_pad.js", "remote.css"):
            self.assertEqual(request(self.page_port, "GET", f"/remote/{name}")[0], 404)

    def test_the_remote_weighs_less_than_32_kb_compressed_with_either_language(self):
        for language in ("de", "en"):
            weight = 0
            for path in ("remote/", "remote/remote.js", f"texts/{language}.js", "remote/manifest.webmanifest", "icon.svg"):
                status, headers, body = request(self.page_port, "GET", f"/{path}", headers={"Accept-Encoding": "gzip"})
                self.assertEqual((status, headers["content-encoding"]), (200, "gzip"), path)
                weight += len(body)
            self.assertLess(weight, 32_000, language)

    def test_what_the_browser_has_is_not_sent_again(self):
        status, headers, body = request(self.page_port, "GET", "/")
        self.assertEqual((status, headers["content-type"]), (200, "text/html; charset=utf-8"))
        again = {"If-None-Match": headers["etag"]}
        self.assertEqual(request(self.page_port, "GET", "/", headers=again)[::2], (304, b""))
        self.assertEqual(request(self.page_port, "GET", "/", headers={"If-None-Match": '"other"'})[2], body)

    def test_head_tells_the_length_and_sends_nothing(self):
        _, _, body = request(self.page_port, "GET", "/")
        answer = raw(self.page_port, b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        head, _, rest = answer.partition(b"\r\n\r\n")
        self.assertIn(f"Content-Length: {len(body)}".encode(), head)
        self.assertEqual(rest, b"")

    def test_paths_lead_nowhere_but_to_the_page(self):
        for path in ("/nothing", "/../manager/main.cpp", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
                     "//etc/passwd", "/./../../etc/passwd", "/index.html/", "/index.html%00.js", "/control",
                     "/\\..\\..\\etc\\passwd", "/" + "a" * 3000):
            with self.subTest(path=path[:40]):
                answer = raw(self.page_port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                # An answer; for malformed paths the connection may be closed instead.
                if answer:
                    self.assertIn(answer.split()[1], {b"400", b"403", b"404"}, answer[:200])
                self.assertNotIn(b"root:", answer)
        self.assert_alive()

    def test_the_page_is_only_to_be_read(self):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            status, headers, _ = request(self.page_port, method, "/", body=b"x")
            self.assertEqual((method, status, headers["allow"]), (method, 405, "GET, HEAD"))

    def test_garbage_is_closed_and_harms_nobody(self):
        for data in (b"\x16\x03\x01\x02\x00" + bytes(300), b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 5000,
                     b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100000 + b"\r\n\r\n",
                     b"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                     b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
                     b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n"):
            with self.subTest(data=data[:40]), \
                    socket.create_connection(("127.0.0.1", self.page_port), timeout=30) as connection:
                try:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                except OSError:  # closed in the middle
                    pass
        self.assert_alive()


class ControlOverWebSocket(PageServerTest):
    def test_it_is_the_control_connection(self):
        with WebSocket(self.page_port) as page, Control(self.port) as console:
            welcome = page.hello()["result"]
            self.assertEqual(welcome["page"], f"http://127.0.0.1:{self.page_port}/")
            self.assertEqual(page.call("list")["result"]["wall"], console.call("list")["result"]["wall"])
            page.call("subscribe")
            console.call("identify", on=True)
            changed = json.loads(page.receive())
            self.assertEqual((changed["method"], changed["params"]["identify"]), ("changed", True))

    def test_messages_may_come_in_fragments_and_large(self):
        with WebSocket(self.page_port) as page:
            page.hello()
            text = json.dumps({"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"x": "ä" * 100_000}}).encode()
            page.send(text[:10], final=False)
            page.send(text[10:70_000], opcode=0, final=False)
            page.send(text[70_000:], opcode=0)
            self.assertEqual(json.loads(page.receive())["result"], {})
            page.send("{no json")
            self.assertEqual(json.loads(page.receive())["error"]["data"]["name"], "parse_error")
            self.assertIn("result", page.call("list"))

    def test_pages_of_other_sites_are_refused(self):
        own = f"127.0.0.1:{self.page_port}"
        for origin in ("http://evil.example", f"http://{own}.evil.example", f"http://evil.example/{own}", "null",
                       f"http://127.0.0.1:{self.page_port + 1}", f"file://{own}"):
            with self.subTest(origin=origin):
                self.assertEqual(self.handshake(origin=origin), 403)
                self.assertEqual(request(self.page_port, "GET", "/", headers={"Origin": origin})[0], 403)
        self.assertEqual(request(self.page_port, "GET", "/", headers={"Origin": f"http://{own}"})[0], 200)

    def test_a_foreign_name_for_our_address_is_refused_without_a_key(self):
        self.assertEqual(self.handshake(host="evil.example"), 403)
        self.assertEqual(self.handshake(host=f"localhost:{self.page_port}"), 101)

    def test_the_subprotocol_and_the_path_must_be_right(self):
        self.assertEqual(self.handshake(subprotocol=None), 400)
        self.assertEqual(self.handshake(subprotocol="http"), 400)
        self.assertEqual(self.handshake(subprotocol="vitrail2"), 400)
        self.assertEqual(self.handshake(path="/"), 404)
        self.assertEqual(self.handshake(subprotocol="mqtt, vitrail"), 101)

    def test_oversize_and_binary_messages_end_the_session_with_a_reason(self):
        for message, opcode, name in ((b"x" * (LARGEST_MESSAGE + 1), 1, "limit"), (b"\x00\x01", 2, "invalid_request")):
            with WebSocket(self.page_port) as page:
                page.hello()
                page.send(message, opcode=opcode)
                self.assertEqual(json.loads(page.receive())["error"]["data"]["name"], name)
                self.assertIsNone(page.receive())

    def test_who_says_no_hello_is_disconnected(self):
        with WebSocket(self.page_port) as silent, WebSocket(self.page_port) as rude:
            rude.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "list"}))
            self.assertEqual(json.loads(rude.receive())["error"]["data"]["name"], "invalid_request")
            self.assertIsNone(rude.receive())
            self.assertIsNone(silent.receive())

    def test_a_client_that_does_not_read_is_disconnected(self):
        before = self.memory_kib()
        with WebSocket(self.page_port, receive_buffer=4096) as page:
            page.hello()
            page.socket.settimeout(None)
            with self.assertRaises(OSError):
                while True:
                    page.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "list"}))
        self.assert_alive()
        self.assert_grown_less(before, 16 * 1024)

    def test_thousands_of_connections_are_refused_and_forgotten(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self.assert_alive()
        descriptors = self.descriptors()
        memory = None
        with WebSocket(self.page_port) as page:
            page.hello()
            for _ in range(10):
                idle = []
                for _ in range(1000):
                    idle.append(socket.create_connection(("127.0.0.1", self.page_port), timeout=30))
                self.assertIn("result", page.call("list"))
                self.assertLess(self.descriptors(), descriptors + 300)
                for connection in idle:
                    connection.close()
                eventually(lambda: self.descriptors() < descriptors + 30, "closed connections are forgotten")
                memory = memory or self.memory_kib()
            self.assert_grown_less(memory, 8 * 1024)
        self.assert_alive()


class Monitoring(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def metrics(self):
        status, headers, body = request(self.page_port, "GET", "/metrics")
        self.assertEqual(status, 200)
        self.assertEqual(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        if shutil.which("promtool"):
            checked = subprocess.run(["promtool", "check", "metrics"], input=body, capture_output=True, check=False)
            self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, b""))
        samples = {}
        for line in body.decode().splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                self.assertNotIn(name, samples)
                samples[name] = float(value)
        return samples

    def test_figures_for_prometheus(self):
        player, number = self.play("test:64x64@30")
        self.wait_for_frames(number)
        shown = eventually(lambda: self.metrics()["vitrail_frames_shown_total"], "frames are counted")
        metrics = self.metrics()
        self.assertEqual(metrics['vitrail_receiver_connected{receiver="node1"}'], 1)
        self.assertEqual(sum(metrics[f'vitrail_windows{{state="{state}"}}'] for state in ("well", "slow", "bad")), 1)
        self.assertEqual(metrics['vitrail_peers{role="receiver"}'], 1)
        self.assertGreater(metrics["process_resident_memory_bytes"], 1e6)
        self.assertGreater(metrics["process_open_fds"], 5)
        named = {name.split("{")[0] for name in metrics}
        for panel in json.loads((PAGE.parent / "monitor/grafana.json").read_text())["panels"]:
            for target in panel["targets"]:
                self.assertLessEqual(set(re.findall(r"(?:vitrail|process)_\w+", target["expr"])), named)
                # Rates over a fixed time would be empty if Prometheus scrapes less often.
                self.assertLessEqual(set(re.findall(r"\[(.*?)\]", target["expr"])), {"$__rate_interval"})
        player.terminate()
        player.wait()
        eventually(lambda: not self.state()["windows"], "the window is closed")
        self.play("test:64x64@30")
        again = self.metrics()
        self.assertGreaterEqual(again["vitrail_frames_shown_total"], shown, "what was counted stays")
        self.assertEqual(again.keys(), metrics.keys(), "windows make no series")

    def test_senders_of_refused_packets_are_named_once(self):
        port = self.state()["receivers"][0]["port"]
        for _ in range(2):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
                stranger.sendto(b"no packet", ("127.0.0.1", port))
        sender = 'vitrail_receiver_refused_packets_by_sender_total{receiver="node1",sender="127.0.0.1"}'
        eventually(lambda: self.metrics().get(sender) == 2, "the sender is named")

    def test_health_is_one_word(self):
        eventually(lambda: request(self.page_port, "GET", "/healthz")[::2] == (200, b"well\n"), "all is well")
        self.receivers["node1"].terminate()
        eventually(lambda: request(self.page_port, "GET", "/healthz")[::2] == (503, b"bad\n"), "the only receiver is away")
        self.assertEqual(request(self.page_port, "POST", "/healthz", b"")[0], 404)


class WithKey(PageServerTest):
    def env(self, **more):
        return super().env(VITRAIL_KEY="a secret of sixteen", **more)

    def test_the_key_is_asked_for(self):
        for key in ("", "another secret of many"):
            with WebSocket(self.page_port) as page:
                self.assertEqual(page.hello(key)["error"]["data"]["name"], "unauthorized")
                self.assertIsNone(page.receive())
        with WebSocket(self.page_port, host="wall.example") as page:
            self.assertIn("result", page.hello("a secret of sixteen"))

    def test_figures_are_for_those_who_know_it(self):
        def metrics():
            named = key_named("a secret of sixteen", "metrics")
            return request(self.page_port, "GET", "/metrics", headers={"Authorization": f"Bearer {named}"})[2].decode()
        with WebSocket(self.page_port) as page:
            page.hello("another secret of many")
        self.assertEqual(request(self.page_port, "GET", "/metrics")[0], 401)
        self.assertIn('\nvitrail_refused_total{cause="unproven"} 2\n', metrics())
        self.assertIn('\nvitrail_refused_total{cause="limited"} 0\n', metrics())
        self.assertEqual(request(self.page_port, "GET", "/metrics", headers={"Authorization": f"Bearer {key_named('a secret of sixteen', 'metrics')}"})[0], 200)
        self.assertEqual(request(self.page_port, "GET", "/healthz")[1]["content-type"], "text/plain; charset=utf-8")


class BehindProxy(PageServerTest):
    """This host counts as a proxy that signs people in."""

    wall_keys = {"proxy": {"from": ["127.0.0.1"], "header": "X-Forwarded-User", "role": "viewer"}}

    def env(self, **more):
        return super().env(VITRAIL_KEY="a secret of sixteen", **more)

    def hello(self, *headers, **params):
        """Opens the page's connection; returns it and the answer to its hello."""
        page = WebSocket(self.page_port, headers=headers)
        self.addCleanup(page.close)
        return page, page.call("hello", role="ui", protocol=3, name="page", **params)

    def may(self, page, verb, **params):
        return page.call(verb, **params).get("error", {}).get("data", {}).get("name") != "unauthorized"

    def add_operator(self, name):
        password = self.folder / "password"
        password.write_text("correct horse\n")
        self.vitrail("user", "add", name, "--role", "operator", "--password-file", password)

    def test_who_is_signed_in_there_is_let_in(self):
        self.add_operator("ann")
        ann, _ = self.hello("X-Forwarded-User: ann")
        self.assertTrue(self.may(ann, "identify"), "she is known here, and what she may be")
        self.assertFalse(self.may(ann, "shutdown"))
        bob, answer = self.hello("x-forwarded-user: bob")
        self.assertTrue(self.may(bob, "list"))
        self.assertFalse(self.may(bob, "move", window=1, x=0, y=0), "who is not is what the wall file says")
        # HTTP requests belong to that session.
        for number, expected in ((1, 400), (1, 401)):
            proof = authorization(answer["result"], "GET", "/preview", number)
            self.assertEqual(request(self.page_port, "GET", "/preview", headers={"Authorization": proof})[0], expected)
        self.assertEqual(request(self.page_port, "GET", "/preview", headers={"X-Forwarded-User": "bob"})[0], 401)
        self.vitrail("user", "remove", "ann")
        eventually(lambda: ann.receive() is None, "her session ends")

    def test_nobody_else_is(self):
        self.add_operator("ann")
        for headers, params in (((), {}), (("X-Forwarded-User: ",), {}), (("X-Forwarded-User: ann/../bob",), {}),
                                (("X-Forwarded-Users: ann",), {}), (("X-Forwarded-User: bob",), {"key": "user/ann"}),
                                (("X-Forwarded-User: ann",), {"proof": "0" * 64}), ((), {"key": "user/ann"})):
            _, answer = self.hello(*headers, **params)
            self.assertEqual(answer["error"]["data"]["name"], "unauthorized", (headers, params))
        with Control(self.port, hello=False) as control:
            self.assertEqual(control.hello(name="x")["error"]["data"]["name"], "unauthorized")


class BehindAProxyWithGroups(BehindProxy):
    """The proxy also reports groups, which have roles."""

    wall_keys = {"proxy": {"from": ["127.0.0.1"], "header": "X-Forwarded-User", "groups_header": "X-Forwarded-Groups",
                           "groups": {"/wall/operators": "operator", "staff": "viewer"}}}
    test_nobody_else_is = None

    def test_who_is_signed_in_there_is_let_in(self):
        self.add_operator("ann")
        for name, groups, right in (("bob", "staff", "viewer"), ("bob", "staff,/wall/operators", "operator"),
                                    ("eve", "other | staff", "viewer"), ("ann", "staff", "operator")):
            _, answer = self.hello(f"X-Forwarded-User: {name}", f"x-forwarded-groups: {groups}")
            self.assertEqual(answer["result"]["right"], right, (name, groups))
        for headers in (("X-Forwarded-User: eve",), ("X-Forwarded-User: eve", "X-Forwarded-Groups: operators"),
                        ("X-Forwarded-Groups: /wall/operators",)):
            _, answer = self.hello(*headers)
            self.assertEqual(answer["error"]["data"]["name"], "unauthorized", headers)
        refused = WebSocket(self.page_port, headers=("X-Forwarded-User: eve", f"X-Forwarded-Groups: {'staff,' * 800}"))
        self.addCleanup(refused.close)
        self.assertEqual(refused.status, 431)


class BehindAnotherProxyWithGroups(BehindAProxyWithGroups):
    """Groups count only from the proxy's address."""

    wall_keys = {"proxy": BehindAProxyWithGroups.wall_keys["proxy"] | {"from": ["10.0.0.5"]}}

    def test_who_is_signed_in_there_is_let_in(self):
        _, answer = self.hello("X-Forwarded-User: bob", "X-Forwarded-Groups: /wall/operators")
        self.assertEqual(answer["error"]["data"]["name"], "unauthorized")


class BehindAnotherProxy(BehindProxy):
    """The proxy has another address, and unknown people have no role."""

    wall_keys = {"proxy": {"from": ["10.0.0.5"], "header": "X-Forwarded-User"}}
    test_nobody_else_is = None

    def test_who_is_signed_in_there_is_let_in(self):
        self.add_operator("ann")
        _, answer = self.hello("X-Forwarded-User: ann")
        self.assertEqual(answer["error"]["data"]["name"], "unauthorized")


class BehindAStrictProxy(BehindProxy):
    wall_keys = {"proxy": {"from": ["127.0.0.1"], "header": "X-Forwarded-User"}}
    test_nobody_else_is = None

    def test_who_is_signed_in_there_is_let_in(self):
        self.add_operator("ann")
        self.assertIn("result", self.hello("X-Forwarded-User: ann")[1])
        _, answer = self.hello("X-Forwarded-User: bob")
        self.assertEqual(answer["error"]["data"]["name"], "unauthorized")
        self.assertIn("is not a user of this wall", answer["error"]["message"])


if __name__ == "__main__":
    unittest.main()
