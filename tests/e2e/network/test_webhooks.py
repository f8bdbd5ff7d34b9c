"""Webhooks: what happens on the wall arrives at web servers that the test plays."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import shutil
import ssl
import tempfile
import threading
import unittest
import urllib.request

from harness import EXIT_FAILED, WallTest, eventually, free_port, run
from web import make_certificate

KEY = bytes(range(32))


class Server(http.server.ThreadingHTTPServer):
    """Records the reports that it gets."""

    daemon_threads = True

    def __init__(self, tls=None):
        super().__init__(("127.0.0.1", 0), Handler)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.requests = []  # headers, body, status of the answer
        self.status = 200
        self.statuses = []  # of the next answers, before `status`
        self.may_answer = threading.Event()
        self.may_answer.set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.may_answer.set()
        self.shutdown()
        self.server_close()

    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hook?token=secret"

    def reports(self, kind, status=200):
        """The reports of this kind that got this answer."""
        return [json.loads(body) for _, body, answer in list(self.requests) if json.loads(body)["kind"] == kind and answer == status]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.server.statuses.pop(0) if self.server.statuses else self.server.status
        self.server.requests.append((self.headers, body, status))
        self.server.may_answer.wait()
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status == 302:
            self.send_header("Location", self.server.url())
        self.end_headers()

    def log_message(self, *_):
        pass


class Webhooks(WallTest):
    """Webhooks: desk, slow, secure (its certificate is not trusted), and dead (its server does not exist)."""

    grid = {"columns": 2, "rows": 1, "resolution": [64, 64]}

    def setUp(self):
        self.files = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.files, ignore_errors=True)
        self.desk, self.slow, self.secure = self.server(), self.server(), self.server(self.tls())
        self.secret = self.file("secret", "whsec_" + base64.b64encode(KEY).decode() + "\n")
        self.headers = self.file("headers", "Authorization: Bearer word\n")
        on = ["receiver_lost", "receiver_back", "alarm"]
        self.wall_keys = {"webhooks": [
            {"name": "desk", "url": self.desk.url(), "on": on, "secret_file": str(self.secret), "headers_file": str(self.headers)},
            {"name": "slow", "url": self.slow.url(), "on": on},
            {"name": "secure", "url": f"https://127.0.0.1:{self.secure.server_port}/", "on": on},
            {"name": "dead", "url": f"http://127.0.0.1:{free_port()}/", "on": on}]}
        super().setUp()

    def server(self, tls=None):
        server = Server(tls)
        self.addCleanup(server.end)
        return server

    def tls(self):
        """The settings of a server with a certificate of its own."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*make_certificate(self.files, "server"))
        return context

    def file(self, name, text):
        path = self.files / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def hook(self, name):
        """The state of the webhook."""
        hooks = json.loads(self.vitrail("webhooks", "--json").stdout)["webhooks"]
        return next(hook for hook in hooks if hook["name"] == name)

    def become(self, name, wanted, what):
        eventually(lambda: wanted(self.hook(name)), what)

    def lose(self, node):
        self.receivers[node].kill()
        self.receivers[node].wait()

    def check_signature(self, headers, body):
        signed = f"{headers['Webhook-Id']}.{headers['Webhook-Timestamp']}.".encode() + body
        expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        self.assertEqual(headers["Webhook-Signature"], f"v1,{expected}")

    def test_a_lost_receiver_is_reported(self):
        self.slow.may_answer.clear()
        self.lose("node2")
        (lost,) = eventually(lambda: self.desk.reports("receiver_lost"), "the loss is reported, although another server is slow")
        self.assertEqual((lost["wall"], lost["facts"]), ("test", {"receiver": "node2"}))
        self.assertIn("node2", lost["text"])
        (alarm,) = eventually(lambda: self.desk.reports("alarm"), "the wall's health is bad")
        self.assertEqual(alarm["facts"]["receiver"], "node2")
        for headers, body, _ in self.desk.requests:
            self.check_signature(headers, body)
            self.assertEqual(headers["Webhook-Id"], json.loads(body)["id"])
            self.assertEqual((headers["Authorization"], headers["Content-Type"]), ("Bearer word", "application/json"))
        self.start_receiver("node2")
        eventually(lambda: self.desk.reports("receiver_back"), "its return is reported")
        self.slow.may_answer.set()
        self.become("slow", lambda hook: hook["delivered"] >= 3 and hook["waiting"] == 0, "the slow server gets all reports, too")
        self.assertNotIn("Webhook-Signature", self.slow.requests[0][0])

    def test_a_server_that_fails_is_named(self):
        self.lose("node2")
        self.become("dead", lambda hook: hook.get("retries", 0) >= 3, "the report is repeated")
        dead = self.hook("dead")
        self.assertTrue(dead["error"])
        self.assertEqual((dead["delivered"], dead["waiting"]), (0, 2))
        eventually(lambda: "webhook 'dead'" in self.vitrail("why").stdout, "the wall's health names it")
        doctor = json.loads(run("vitrail", "doctor", "--json", env=self.env()).stdout)["findings"]
        self.assertTrue(any(finding["about"] == "webhooks" for finding in doctor))
        metrics = urllib.request.urlopen(f"http://127.0.0.1:{self.page_port}/metrics", timeout=10).read().decode()
        self.assertIn('vitrail_webhook_waiting{webhook="dead"} 2', metrics)
        self.assertNotIn("token", self.vitrail("webhooks").stdout)
        self.assertNotIn("webhooks", self.state()["wall"])

    def test_a_report_is_repeated_until_the_server_takes_it(self):
        self.desk.statuses = [503, 302]
        self.lose("node2")
        (taken,) = eventually(lambda: self.desk.reports("receiver_lost"), "the third attempt succeeds")
        self.assertEqual([self.desk.reports("receiver_lost", status)[0]["id"] for status in (503, 302)], [taken["id"]] * 2)
        self.become("desk", lambda hook: hook["delivered"] == 2 and hook["retries"] == 0 and "error" not in hook, "nothing has failed")

    def test_status_410_disables_a_webhook_until_a_test(self):
        self.desk.status = 410
        self.lose("node2")
        self.become("desk", lambda hook: hook.get("disabled"), "the webhook is disabled")
        eventually(lambda: "disabled" in self.vitrail("why").stdout, "the wall's health says so")
        self.desk.status = 200
        tests = json.loads(self.vitrail("webhooks", "test", "--json", expect=EXIT_FAILED).stdout)["webhooks"]
        self.assertEqual([(test["name"], test["delivered"]) for test in tests], [("desk", True), ("slow", True), ("secure", False), ("dead", False)])
        self.assertEqual(len(self.desk.reports("test")), 1)
        self.become("desk", lambda hook: not hook["disabled"], "the webhook is enabled")
        self.start_receiver("node2")
        eventually(lambda: self.desk.reports("receiver_back"), "reports arrive again")

    def test_reports_survive_the_manager(self):
        self.desk.status = 503
        self.lose("node1")
        eventually(lambda: self.desk.reports("receiver_lost", 503), "the report is tried")
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager()
        self.wait_for_receivers("node2")
        self.desk.status = 200
        eventually(lambda: self.desk.reports("receiver_lost"), "the waiting report arrives")
        self.lose("node2")

        def lost():
            return [report["facts"]["receiver"] for report in self.desk.reports("receiver_lost")]
        eventually(lambda: "node2" in lost(), "the new manager's wall is reported")
        self.assertEqual(lost(), ["node1", "node2"])

    def test_a_server_that_is_not_trusted_gets_nothing(self):
        self.lose("node2")
        self.become("secure", lambda hook: "certificate" in hook.get("error", ""), "the reason is named")
        self.assertEqual(self.secure.requests, [])

    def test_files_of_others_are_not_used(self):
        self.secret.chmod(0o644)
        self.lose("node2")
        self.become("desk", lambda hook: "chmod 600" in hook.get("error", ""), "the reason is named")
        self.assertEqual(self.desk.requests, [])
        self.secret.chmod(0o600)
        eventually(lambda: self.desk.reports("receiver_lost"), "the report is sent")

    def test_headers_cannot_break_the_report_and_pipes_are_not_waited_for(self):
        self.headers.write_text("transfer-encoding: chunked\n")
        self.lose("node2")
        self.become("desk", lambda hook: "transfer-encoding cannot be set" in hook.get("error", ""), "the header is named")
        self.headers.unlink()
        os.mkfifo(self.headers, 0o600)
        self.become("desk", lambda hook: "is not a file" in hook.get("error", ""), "the reason is named")
        self.assertEqual(self.desk.requests, [])
        self.headers.unlink()
        self.file("headers", "X-Wall: 1\n")
        eventually(lambda: self.desk.reports("receiver_lost"), "the report is sent")


if __name__ == "__main__":
    unittest.main()
