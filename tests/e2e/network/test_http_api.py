"""Verbs and changes over HTTP, with curl and Python as manager/API.md shows them."""

import csv
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time

from harness import EXIT_FAILED, ROOT, PATIENCE_S, Control, WallTest, eventually, key_named
from web import request

SECRET = "open sesame, please"
DOCUMENT = (ROOT / "manager/API.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)


class HttpApiTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def receiver_names(self):
        return []

    def post(self, verb, parameters=None, key="", body=None, **headers):
        """Returns (status, headers, JSON) of a verb."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if key:
            sent["Authorization"] = f"Bearer {key}"
        data = body if body is not None else json.dumps(parameters or {}).encode()
        status, got, answer = request(self.page_port, "POST", f"/api/{verb}", body=data, headers=sent)
        return status, got, json.loads(answer) if "json" in got["content-type"] else answer


class HttpApi(HttpApiTest):
    def test_verbs_answer_as_on_the_control_connection(self):
        with Control(self.port) as console:
            self.assertEqual(self.post("list")[2]["wall"], console.call("list")["result"]["wall"])
        self.assertEqual(self.post("list", body=b"")[0], 200)
        self.assertEqual(self.post("identify", {"on": True})[::2], (200, {"identify": True}))
        for verb, parameters, status, name in (
                ("identify", {"on": 3}, 400, "invalid_params"), ("move", {"window": 7, "x": 1}, 404, "not_found"),
                ("mvoe", {}, 404, "unknown_method"), ("subscribe", {}, 400, "invalid_request"),
                ("hello", {}, 400, "invalid_request")):
            with self.subTest(verb=verb):
                got, _, answer = self.post(verb, parameters)
                self.assertEqual((got, answer["error"]["data"]["name"]), (status, name))

    def test_parameters_in_the_query_are_refused(self):
        for query in ("on=false", f"on={5000 * 'x'}&on=false", 5000 * "x"):
            with self.subTest(query=query[:10]):
                self.assertEqual(self.post(f"blank?{query}")[0], 400)
        self.assertEqual(self.post(f"event/alert?id={5000 * 'x'}")[0], 400)
        self.assertFalse(self.state()["blank"])

    def test_bodies_that_are_refused(self):
        for body in (b"[1]", b"{", b"on=1", b'{"on":true}, "method":"shutdown"', b'{"a":' * 50 + b"1" + b"}" * 50):
            with self.subTest(body=body[:20]):
                self.assertEqual(self.post("identify", body=body)[0], 400)
        self.assertEqual(self.post("identify", body=b" " * ((1 << 20) + 1))[0], 413)
        status, headers, _ = request(self.page_port, "GET", "/api/list")
        self.assertEqual((status, headers["allow"]), (405, "POST"))
        self.assertEqual(request(self.page_port, "POST", "/api/events", body=b"")[0], 405)

    def test_the_journal_reads_every_entry_however_deep_the_parameters_are(self):
        answers = [self.post(verb, body=b'{"a":' * depth + b"1" + b"}" * depth)[0]
                   for verb in ("identify", "event/door") for depth in range(13, 18)]
        self.assertEqual(answers, [400, 400, 400, 400, 400, 200, 200, 400, 400, 400])
        self.assertNotIn("broken", self.post("journal")[2])

    def test_a_payload_of_10_mb_is_refused_before_it_is_sent(self):
        with socket.create_connection(("127.0.0.1", self.page_port), timeout=PATIENCE_S) as line:
            line.sendall(b"POST /api/event/door HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         b"Content-Length: 10000000\r\n\r\n{")
            answer = http.client.HTTPResponse(line)
            answer.begin()
            self.assertEqual(answer.status, 413)
        self.assertEqual(self.post("event/door", body=json.dumps({"text": "x" * (64 << 10)}).encode())[0], 400)
        self.assertEqual(self.post("event/door", {})[0], 200)

    def test_pages_of_other_sites_are_refused(self):
        self.assertEqual(self.post("identify", {"on": True}, Origin="http://evil.example")[0], 403)
        self.assertEqual(self.post("identify", {"on": True}, Origin=f"http://127.0.0.1:{self.page_port}")[0], 200)

    def test_a_repeated_request_changes_nothing(self):
        first = self.post("identify", {"on": True}, Idempotency_Key='"one"')
        self.post("identify", {"on": False})
        self.assertEqual(self.post("identify", {"on": True}, Idempotency_Key="one")[::2], first[::2])
        self.assertFalse(self.post("list")[2]["identify"])
        self.assertEqual(self.post("identify", {"on": False}, Idempotency_Key="one")[0], 422)
        self.assertEqual(self.post("identify", {"on": True}, Idempotency_Key="x" * 256)[0], 400)
        self.post("event/door?clear=state:closed", {}, Idempotency_Key="two")
        self.assertEqual(self.post("event/door?clear=state:shut", {}, Idempotency_Key="two")[0], 422)

    def test_a_drag_is_one_entry_of_the_journal(self):
        with Control(self.port) as console:
            self.assertNotIn("error", console.call("play", media=["test:64x64@10"]))
            window = console.call("list")["result"]["windows"][0]["window"]
            for x in (10, 20, 30):
                self.assertNotIn("error", console.call("move", window=window, x=x, gesture="drag"))
            console.call("move", window=window, x=40)
            console.call("close", windows=[window])
        entries = self.post("journal", {"verb": "move"})[2]["entries"]
        self.assertEqual([entry["params"]["x"] for entry in entries], [40, 10])

    def test_entries_of_the_journal_have_the_values_before_and_after(self):
        with Control(self.port) as console:
            window = console.call("play", media=["test:64x64@10"], place=[0, 0, 64, 64])["result"]["window"]
            console.call("move", window=window, x=100, y=50)
            console.call("lock", window=window)
            console.call("lock", window=window, on=False)
            console.call("close", window=window)
        entries = self.post("journal", {"window": window})[2]["entries"]
        changed = {entry["verb"]: entry["changed"][str(window)] for entry in entries}  # of several entries, the oldest
        self.assertEqual(changed["play"]["rect"], [None, [0, 0, 64, 64]])
        self.assertEqual(changed["move"], {"rect": [[0, 0, 64, 64], [100, 50, 64, 64]]})
        self.assertEqual(changed["lock"], {"locked": [False, True]})
        self.assertEqual(changed["close"]["rect"], [[100, 50, 64, 64], None])
        shown = self.vitrail("journal", "--window", str(window), "--verb", "move").stdout
        self.assertIn(f"window {window}: place 0,0 64×64 → 100,50", shown)
        (exported,) = csv.DictReader(self.vitrail("journal", "--csv", "--window", str(window), "--verb", "lock", "--count", "1").stdout.splitlines())
        self.assertEqual(json.loads(exported["changed"]), {str(window): {"locked": [True, False]}})

    def test_steps_with_one_gesture_by_different_requests_stay_apart(self):
        self.assertEqual(self.post("play", {"media": ["test:64x64@10"]})[0], 200)
        window = self.post("list")[2]["windows"][0]["window"]
        for x in (10, 20):
            self.assertEqual(self.post("move", {"window": window, "x": x, "gesture": "drag"})[0], 200)
        self.post("undo")
        self.assertEqual(self.post("list")[2]["windows"][0]["rect"][0], 10)
        self.post("close", {"windows": [window]})

    def events(self, receive_buffer=None):
        connection = socket.socket()
        self.addCleanup(connection.close)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(PATIENCE_S)
        connection.connect(("127.0.0.1", self.page_port))
        connection.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection

    def test_webhooks_of_other_systems_begin_and_clear_events(self):
        # Requests as Alertmanager 0.27 and a media type of Zabbix 7 send them, shortened.
        alert = {"receiver": "wall", "status": "firing", "version": "4", "groupKey": '{}:{alertname="Fire"}', "truncatedAlerts": 0,
                 "groupLabels": {"alertname": "Fire"}, "commonLabels": {"alertname": "Fire", "severity": "critical"},
                 "commonAnnotations": {}, "externalURL": "http://prometheus.example:9093",
                 "alerts": [{"status": "firing", "labels": {"alertname": "Fire", "site": "north", "severity": "critical"},
                             "startsAt": "2026-11-30T08:00:00Z", "endsAt": "0001-01-01T00:00:00Z", "fingerprint": "c1"}]}
        problem = {"event": "4711", "value": "1", "severity": "5", "host": "gate"}
        self.assertEqual(self.post("session_save", {"name": "Alarm"})[0], 200)
        rules = [{"event": "alert", "when": {"alerts.0.labels.site": "north"}, "scene": "Alarm"},
                 {"event": "zabbix", "when": {"severity": {"one_of": ["4", "5"]}}, "scene": "Alarm"}]
        self.assertEqual(self.post("event_rules", {"rules": rules})[0], 200)
        for path, begins, ends, name in (
                ("alert?id=groupLabels.alertname&clear=status:resolved", alert, {**alert, "status": "resolved"}, "Fire"),
                ("zabbix?id=event&clear=value:0", problem, {**problem, "value": "0"}, "4711")):
            with self.subTest(path=path):
                status, _, answer = self.post(f"event/{path}", begins)
                self.assertEqual((status, answer["outcome"], answer["events"][0]["id"]), (200, "began", name))
                self.assertEqual(self.post(f"event/{path}", begins)[2]["outcome"], "prolonged")
                self.assertEqual(self.post(f"event/{path}", ends)[::2], (200, {"events": [], "failed": []}))
                status, _, answer = self.post(f"event/{path}", ends)
                self.assertEqual((status, answer["outcome"]), (200, "ignored"))
        self.assertEqual(self.post("event/alert", {**alert, "alerts": []})[2]["outcome"], "ignored")
        for path, body in (("alert?id=none", alert), ("alert?clear=status", alert), ("", alert), ("alert", [alert]),
                           ("alert?claer=status:resolved", alert)):
            with self.subTest(path=path):
                self.assertEqual(self.post(f"event/{path}", body)[0], 400)

    def test_changes_arrive_as_events(self):
        lines = self.events().makefile("r", encoding="utf-8")
        head = [line.strip().lower() for line in iter(lines.readline, "\n")]
        self.assertIn("content-type: text/event-stream", head)
        self.assertIn("connection: close", head)

        def next_message():
            self.assertEqual((line := lines.readline())[:6], "data: ")
            self.assertEqual(lines.readline(), "\n")
            return json.loads(line[6:])

        self.assertFalse(next_message()["result"]["identify"])
        self.post("identify", {"on": True})
        changed = next_message()
        while not changed["params"].get("identify"):  # other news, such as clients
            changed = next_message()
        self.assertEqual(changed["method"], "changed")

    def test_a_slow_reader_is_disconnected(self):
        self.events(receive_buffer=4096)
        with Control(self.port) as console:
            def peers():
                return console.call("stats")["result"]["manager"]["peers"]

            def change_much():
                for i in range(100):
                    console.call("partition", action="set", name="0" * 64, rect=[i, 0, 10, 10])
                return peers() == 1

            eventually(lambda: peers() == 2, "the reader is there")
            for i in range(100):
                console.call("partition", action="set", name=f"{i:064}", rect=[0, 0, 10, 10])
            eventually(change_much, "the reader is gone")

    def test_its_description_is_served(self):
        status, headers, body = request(self.page_port, "GET", "/api")
        self.assertEqual((status, headers["content-type"]), (200, "application/json"))
        api = json.loads(body)
        self.assertEqual((api["openapi"], api["paths"]["/api/move"]["post"]["x-right"]), ("3.1.0", "presenter"))


class HttpApiWithKey(HttpApiTest):
    def env(self, **more):
        return {**super().env(VITRAIL_KEY=SECRET), **more}

    def test_the_role_decides(self):
        status, headers, _ = self.post("list")
        self.assertEqual((status, headers["www-authenticate"]), (401, "Bearer"))
        for wrong in (SECRET, "operator:0123456789abcdef0123456789abcdef", key_named(SECRET, "receiver"),
                      key_named(SECRET, "user/ann"), "operator:"):
            self.assertEqual(self.post("list", key=wrong)[0], 401, wrong)
        viewer, operator = key_named(SECRET, "viewer"), key_named(SECRET, "operator/lobby")
        self.assertEqual(self.post("list", key=viewer)[0], 200)
        self.assertEqual(self.post("identify", key=viewer)[0], 403)
        self.assertEqual(self.post("identify", key=operator)[0], 200)
        self.assertEqual(self.post("shutdown", key=operator)[0], 403)
        self.post("partition", {"action": "grid", "columns": 2, "rows": 1}, key=operator)
        step = self.post("list", key=viewer)[2]["history"]["entries"][-1]
        self.assertEqual((step["who"], step["key"]), ("lobby", "operator/lobby"))

    def test_a_stream_ends_with_its_key(self):
        key = key_named(SECRET, f"viewer/until-{int(time.time()) + 2}")
        with socket.create_connection(("127.0.0.1", self.page_port), timeout=PATIENCE_S) as stream:
            stream.sendall(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
            text = stream.makefile("rb").read()  # until the manager closes it, without another request
        self.assertIn(b"text/event-stream", text)
        self.assertEqual(self.post("list", key=key)[0], 401)

    def test_the_journal_has_changes_and_denied_verbs_also_after_a_kill(self):
        viewer, admin = key_named(SECRET, "viewer/door"), key_named(SECRET, "admin")
        self.assertEqual(self.post("journal", key=key_named(SECRET, "operator"))[0], 403)
        self.post("identify", key=viewer)
        self.post("partition", {"action": "grid", "columns": 2, "rows": 1}, key=admin)
        self.post("list", key=viewer)
        wanted = [("partition", "admin", "made a grid of 2×1 partitions", None),
                  ("identify", "viewer/door", None, "unauthorized"), ("journal", "operator", None, "unauthorized"),
                  ("start", None, None, None)]

        def entries():
            page = self.post("journal", key=admin)[2]
            self.assertNotIn("broken", page)
            return [(e["verb"], e.get("key"), e.get("did"), e.get("error")) for e in page["entries"]]

        self.assertEqual(entries(), wanted)
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager()
        self.assertEqual(entries(), [("start", None, None, None), *wanted])
        shown = self.vitrail("journal", "--person", "door").stdout
        self.assertRegex(shown, r"door +viewer +127\.0\.0\.1 +identify")
        self.assertRegex(self.vitrail("journal", "--verify").stdout, r"^[5-9] entries checked: none was changed")
        exported = list(csv.DictReader(self.vitrail("journal", "--csv").stdout.splitlines()))
        self.assertEqual([(e["verb"], e["key"], e["error"]) for e in exported if e["verb"] in ("identify", "start")],
                         [("start", "", ""), ("identify", "viewer/door", "unauthorized"), ("start", "", "")])
        (file,) = self.folder.glob("**/journal/*.jsonl")
        file.write_text(file.read_text(encoding="utf-8").replace('"who":"door"', '"who":"none"'), encoding="utf-8")
        self.assertIn("changed, removed or inserted", self.vitrail("journal", "--verify", expect=EXIT_FAILED).stdout)

    def send_recorded(self, lines, body):
        """Sends a request as a program of others sent it; returns (status, JSON)."""
        with socket.create_connection(("127.0.0.1", self.page_port), timeout=PATIENCE_S) as connection:
            connection.sendall("\r\n".join([*lines, f"Content-Length: {len(body)}", "", body]).encode())
            answer = http.client.HTTPResponse(connection)
            answer.begin()  # skips "100 Continue"
            text = answer.read()
            return answer.status, json.loads(text) if answer.status == 200 else text

    def assert_blanks(self, lines, body):
        key = key_named(SECRET, "operator")
        self.post("blank", {"on": False}, key=key)
        status, answer = self.send_recorded([line.replace("KEY", key) for line in lines], body)
        self.assertEqual(status, 200, answer)
        self.assertTrue(self.post("list", key=key)[2]["blank"])

    def test_the_request_of_companion(self):
        # Recorded from the module generic-http 3.1.0: it parses body and header, and writes the body again.
        (text,) = blocks("json")
        values = json.loads(text)
        header = json.loads(values["header input(JSON)"])
        self.assert_blanks([f"POST /api/{values['URI']} HTTP/1.1", "user-agent: got (https://github.com/sindresorhus/got)",
                            f"authorization: {header['Authorization']}", f"content-type: {values['Content Type']}",
                            "accept-encoding: gzip, deflate, br", f"Host: 127.0.0.1:{self.page_port}", "Connection: keep-alive"],
                           json.dumps(json.loads(values["Body"]), separators=(",", ":")))

    def test_the_request_of_a_stream_deck(self):
        # As programs of .NET send it. Plugins that are web pages send the origin of a file.
        (text,) = blocks("text")
        first, authorization, content_type, body = text.splitlines()
        method, url = first.split()
        lines = [f"{method} /{url.split('/', 3)[3]} HTTP/1.1", authorization, f"{content_type}; charset=utf-8", f"Host: 127.0.0.1:{self.page_port}",
                 "Connection: Keep-Alive"]
        self.assert_blanks(lines, body)
        self.assert_blanks([*lines, "Expect: 100-continue"], body)
        for origin in ("null", "file://"):
            self.assertEqual(self.send_recorded([*lines, f"Origin: {origin}"], body)[0], 403)

    def test_the_request_of_home_assistant(self):
        # Recorded from the integration rest_command of 2024.3.3.
        values = dict(re.findall(r"^    (\w+): (.*)$", blocks("yaml")[0], re.MULTILINE))
        (authorization,) = re.findall(r'authorization: "(.*)"', values["headers"])
        path = "/" + json.loads(values["url"]).split("/", 3)[3]
        self.assert_blanks([f"{values['method'].upper()} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.page_port}",
                            "User-Agent: HomeAssistant/2024.3.3 aiohttp/3.9.3 Python/3.11", f"authorization: {authorization}",
                            f"Content-Type: {json.loads(values['content_type'])}", "Accept: */*", "Accept-Encoding: gzip, deflate"],
                           values["payload"].strip("'"))

    def test_examples_of_the_document(self):
        env = {**os.environ, "VITRAIL_PAGE": f"http://127.0.0.1:{self.page_port}", "KEY": key_named(SECRET, "operator")}
        (commands,) = blocks("sh")
        identify, blank, event, events = commands.splitlines()
        answer = subprocess.run(["sh", "-c", identify], env=env, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(answer.stdout), {"identify": True})
        answer = subprocess.run(["sh", "-c", blank], env=env, capture_output=True, text=True, check=True)
        self.assertNotIn("error", json.loads(answer.stdout))
        answer = subprocess.run(["sh", "-c", event], env=env, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(answer.stdout)["outcome"], "ignored")
        # curl ends by its --max-time.
        answer = subprocess.run(["sh", "-c", events], env=env, capture_output=True, text=True, check=False)
        self.assertTrue(answer.stdout.startswith("data: {"), answer)
        (program,) = blocks("python")
        answer = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        self.assertEqual(answer.stdout, "[]\n")
        self.assertFalse(self.post("list", key=env["KEY"])[2]["blank"])
