"""The page by HTTPS: accepted clients, renewed certificates, and invalid ones."""

import socket
import ssl
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, eventually, run
from test_page_server import PageServerTest
from web import WebSocket, make_certificate, raw, request

# The beginning of a handshake record.
HALF = bytes.fromhex("16030102000100")


class Tls(PageServerTest):
    def start_manager(self, *more):
        self.files = make_certificate(self.folder, "page")
        return super().start_manager("--page-certificate", self.files[0], "--page-key", self.files[1], *more)

    def trusting(self, certificate=None):
        return ssl.create_default_context(cafile=certificate or self.files[0])

    def assert_alive(self):
        self.assertIsNone(self.manager.poll(), self.output(self.manager))
        with WebSocket(self.page_port, tls=self.trusting(), origin=f"https://127.0.0.1:{self.page_port}") as peer:
            self.assertIn("result", peer.hello())

    def test_page_and_control_come_by_tls(self):
        status, _, body = request(self.page_port, "GET", "/", tls=self.trusting())
        self.assertEqual((status, b"<html" in body), (200, True))
        with WebSocket(self.page_port, tls=self.trusting(), origin=f"https://127.0.0.1:{self.page_port}") as peer:
            self.assertEqual(peer.socket.version(), "TLSv1.3")
            self.assertEqual(peer.hello()["result"]["page"], f"https://127.0.0.1:{self.page_port}/")
            self.assertIn("result", peer.call("list"))
        self.assertEqual(self.vitrail("wall", "page").stdout, f"https://127.0.0.1:{self.page_port}/\n")
        self.assertIn("certificate is ", self.output(self.manager))

    def test_older_versions_of_tls_are_refused(self):
        old = self.trusting()
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        with self.assertRaises(ssl.SSLError):
            request(self.page_port, "GET", "/", tls=old)

    def test_plain_http_is_sent_there(self):
        status, headers, _ = request(self.page_port, "GET", "/healthz")
        self.assertEqual((status, headers["location"]), (307, f"https://127.0.0.1:{self.page_port}/healthz"))
        self.assertEqual(request(self.page_port, "POST", "/uploads", body=b"x")[0], 403)
        with WebSocket(self.page_port) as plain:
            self.assertEqual(plain.status, 403)
        evil = raw(self.page_port, b"GET / HTTP/1.1\r\nHost: evil.example/x?\r\nConnection: close\r\n\r\n")
        self.assertNotIn(b"Location", evil)

    def test_uploads_go_to_the_certificate_that_the_manager_told(self):
        clip = self.clip(seconds=1)
        self.assertIn("uploaded as source", self.vitrail("upload", clip).stdout)

    def test_half_handshakes_keep_nobody_out(self):
        descriptors = self.descriptors()
        for _ in range(3):
            half = [socket.create_connection(("127.0.0.1", self.page_port), timeout=30) for _ in range(600)]
            for connection in half:
                try:
                    connection.sendall(HALF)
                except OSError:  # the server closed it to free descriptors
                    pass
            self.assert_alive()
            self.assertLess(self.descriptors(), descriptors + 300)
            for connection in half:
                connection.close()
            eventually(lambda: self.descriptors() < descriptors + 30, "those that have gone are forgotten")

    def test_a_renewed_certificate_is_shown_without_a_new_start(self):
        first = ssl.get_server_certificate(("127.0.0.1", self.page_port))
        self.files[0].write_text("no certificate")
        eventually(lambda: "keeps its previous certificate" in self.output(self.manager), "it is no good")
        self.assertEqual(ssl.get_server_certificate(("127.0.0.1", self.page_port)), first)
        make_certificate(self.folder, "page")
        eventually(lambda: ssl.get_server_certificate(("127.0.0.1", self.page_port)) != first, "the new one is shown")
        self.assert_alive()


class Certificates(PageServerTest):
    def refusal(self, *options, expect=EXIT_FAILED):
        result = run("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page", "127.0.0.1:0",
                     *options, env=self.env())
        self.assertEqual(result.returncode, expect, result.stderr)
        return result.stderr

    def test_what_cannot_be_shown_is_told_at_once(self):
        certificate, key = make_certificate(self.folder, "one")
        _, other = make_certificate(self.folder, "other")
        self.assertIn("cannot read", self.refusal("--page-certificate", "/no/such", "--page-key", key))
        self.assertIn("does not belong to the certificate", self.refusal("--page-certificate", certificate, "--page-key", other))
        self.assertIn("is not a certificate", self.refusal("--page-certificate", key, "--page-key", key))
        self.assertIn("--page-key", self.refusal("--page-certificate", certificate, expect=EXIT_USAGE))
        key.chmod(0o644)
        self.assertIn("chmod 640", self.refusal("--page-certificate", certificate, "--page-key", key))

    def test_one_that_ends_soon_is_told(self):
        certificate, key = make_certificate(self.folder, "old", "-days", "1")
        late = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page",
                          "127.0.0.1:0", "--page-certificate", certificate, "--page-key", key, "--state", self.folder / "late")
        eventually(lambda: "ready on" in self.output(late), "it is started")
        self.assertIn("expires on", self.output(late))

    def test_a_page_in_clear_off_loopback_is_told(self):
        open_to_all = self.start("vitrail-manager", "--wall", self.wall_file, "--listen", "127.0.0.1:0", "--page",
                                 "0.0.0.0:0", "--insecure", "--state", self.folder / "open")
        eventually(lambda: "the page is not encrypted" in self.output(open_to_all), "it says so")


if __name__ == "__main__":
    unittest.main()
