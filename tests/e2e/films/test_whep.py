"""Viewers by WHEP: who may watch, and how many. tests/page watches with a browser."""

import http.client
import re
import time
import unittest

from harness import BIN, EXIT_FAILED, EXIT_USAGE, Control, eventually, key_named, run
from test_record import RecordTest

FINGERPRINT = ":".join(f"{byte:02X}" for byte in range(32))
OFFER = "\r\n".join((
    "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
    "m=video 9 UDP/TLS/RTP/SAVPF 98", "c=IN IP4 0.0.0.0", "a=ice-ufrag:abcd", "a=ice-pwd:0123456789abcdef01234567",
    f"a=fingerprint:sha-256 {FINGERPRINT}", "a=setup:actpass", "a=mid:0", "a=recvonly", "a=rtcp-mux", "a=rtpmap:98 H264/90000",
    "a=fmtp:98 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f", "a=rtcp-fb:98 nack pli", ""))
MOST_VIEWERS = 20
SECRET = "open sesame, please"


@unittest.skipUnless((BIN / "vitrail-whip").exists(), "was built without WebRTC")
class WhepTest(RecordTest):
    more = ()

    def setUp(self):
        super().setUp()
        self.recorder = self.record("http://127.0.0.1:0/whep", "--size", "64x18", "--fps", "5", *self.more)
        says = lambda: re.search(r"page: http://127.0.0.1:(\d+)/#key=(\S+)\nWHEP: (\S+)\ntoken: (\S+)\n", self.output(self.recorder))
        eventually(lambda: says() or self.recorder.poll() is not None, "it says where it serves")
        self.assertIsNone(self.recorder.poll(), self.output(self.recorder))
        self.manager_port = self.port
        self.port, self.key, self.url, token = says().groups()
        self.assertEqual((self.url, token), (f"http://127.0.0.1:{self.port}/whep", self.key))
        eventually(lambda: f"streaming the wall to {self.url}" in self.output(self.recorder), "it has begun")

    def ask(self, method, path="/whep", body=None, key=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        self.addCleanup(connection.close)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if key != "":
            named["Authorization"] = f"Bearer {self.key if key is None else key}"
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        answer.text = answer.read().decode()
        return answer

    def offer(self, body=OFFER, **more):
        return self.ask("POST", body=body, **{"Content_Type": "application/sdp", **more})

    def offer_until(self, status):
        last = []

        def offered():
            last[:] = [self.offer()]
            return last[0].status == status
        eventually(offered, f"an offer is answered with {status}")
        return last[0]


class Whep(WhepTest):
    def test_only_offers_with_the_key_are_answered(self):
        answer = self.offer_until(201)
        self.assertEqual(answer.getheader("Content-Type"), "application/sdp")
        self.assertEqual(answer.getheader("Access-Control-Allow-Origin"), "*")
        self.assertIn("Location", answer.getheader("Access-Control-Expose-Headers"))
        session = answer.getheader("Location")
        self.assertRegex(session, r"^/whep/\w{32}$")
        self.assertRegex(answer.text, r"(?s)m=video \d+ UDP/TLS/RTP/SAVPF 98\r\n.*a=sendonly")

        other = self.ask("POST", body=OFFER, key="", Authorization=f"bearer {self.key}", Content_Type="Application/SDP; charset=utf-8")
        self.assertEqual(other.status, 201, other.text)
        self.assertEqual(self.ask("DELETE", other.getheader("Location")).status, 200)

        for key in ("", "wrong"):
            refused = self.offer(key=key)
            self.assertEqual((refused.status, refused.getheader("WWW-Authenticate")), (401, "Bearer"), key)
        self.assertEqual(self.ask("DELETE", session, key="wrong").status, 401)
        for expected, answer in ((400, self.offer("")), (405, self.ask("GET")), (405, self.ask("PATCH", session)), (404, self.ask("DELETE", "/whep/0")),
                                 (415, self.offer(Content_Type="text/plain")), (413, self.offer("x" * 100_000)),
                                 (400, self.offer("nonsense")), (400, self.offer(OFFER.replace("H264", "VP8")))):
            self.assertEqual(answer.status, expected, answer.text)
        self.assertEqual(self.ask("DELETE", session).status, 200)
        self.assertEqual(self.ask("DELETE", session).status, 404)

    def test_pages_of_other_sites_may_ask(self):
        asked = self.ask("OPTIONS", key="", Origin="https://example.org", Access_Control_Request_Method="POST")
        self.assertEqual((asked.status, asked.getheader("Access-Control-Allow-Origin")), (204, "*"))
        self.assertIn("POST", asked.getheader("Access-Control-Allow-Methods"))
        self.assertIn("Authorization", asked.getheader("Access-Control-Allow-Headers"))
        self.assertEqual(self.offer(key="wrong", Origin="https://example.org").getheader("Access-Control-Allow-Origin"), "*")
        page = self.ask("GET", "/", key="")
        self.assertEqual(page.status, 200)
        self.assertIn("watch.js", page.text)

    def test_twenty_watch_and_those_that_vanish_make_room(self):
        """The peers of these offers do not exist."""
        self.offer_until(201)
        for _ in range(MOST_VIEWERS - 1):
            self.assertEqual(self.offer().status, 201)
        self.assertIn(f"{MOST_VIEWERS} viewers are connected already", self.offer_until(503).text)
        eventually(lambda: f"a viewer has left: 0 of {MOST_VIEWERS}" in self.output(self.recorder), "nobody is left")
        self.assertEqual(self.offer().status, 201)

    def test_others_are_let_in_by_tls_only(self):
        for words in (("http://127.0.0.1:0/whep", "--certificate", "a.pem", "--certificate-key", "a.key"),
                      ("https://127.0.0.1:0/whep",), ("http://127.0.0.1:0/",)):
            self.assertEqual(run("vitrail", "record", *words).returncode, EXIT_USAGE, words)
        refused = self.vitrail("record", "http://0.0.0.0:0/whep", expect=EXIT_FAILED)
        self.assertIn("the token would be sent unencrypted", refused.stderr)
        taken = self.vitrail("record", f"http://127.0.0.1:{self.port}/whep", expect=EXIT_FAILED)
        self.assertIn(self.port, taken.stderr)
        self.vitrail("record", "film.mkv", "--until", "+60", expect=EXIT_USAGE)
        self.vitrail("record", "http://127.0.0.1:0/whep", "--until", "+60", expect=EXIT_FAILED)


class WhepLinks(WhepTest):
    more = ("--until", "+3600")

    def env(self, **more):
        return super().env(**{"VITRAIL_KEY": SECRET, **more})

    def link(self, what, seconds):
        return key_named(SECRET, f"watch/{what}/until-{int(time.time()) + seconds}")

    def test_links_and_keys_that_may_view_open_it(self):
        self.assertRegex(self.key, r"^watch/wall/until-\d+:[0-9a-f]{64}$")
        self.offer_until(201)
        shown = self.vitrail("key", "show", "--role", "watch", "--until", "+60").stdout.strip()
        for key in (shown, key_named(SECRET, "viewer"), key_named(SECRET, f"operator/until-{int(time.time()) + 60}")):
            self.assertEqual(self.offer(key=key).status, 201, key)
        for key in (self.link("window-1", 60), self.link("wall", -1), self.link("wall", 60)[:-1] + "x", key_named(SECRET, "watch/wall"),
                    key_named(SECRET, "receiver"), key_named("another secret of a wall", "viewer"), SECRET):
            self.assertEqual(self.offer(key=key).status, 401, key)
        with Control(self.manager_port, hello=False) as control:
            self.assertEqual(control.hello(self.key)["error"]["data"]["name"], "unauthorized")
        self.assertEqual(run("vitrail", "key", "show", "--role", "watch", env=self.env()).returncode, EXIT_FAILED)
        self.assertEqual(run("vitrail", "record", "http://127.0.0.1:0/whep", "--until", "+60",
                             env=self.env(VITRAIL_KEY=key_named(SECRET, "viewer"))).returncode, EXIT_FAILED)

    def test_a_time_that_has_passed_is_a_mistake(self):
        refused = run("vitrail", "record", "http://127.0.0.1:0/whep", "--until", f"@{int(time.time()) - 1}", env=self.env())
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn("--until", refused.stderr)

    def test_a_session_ends_with_its_link(self):
        self.offer_until(201)
        staying = self.offer(key=key_named(SECRET, "viewer")).getheader("Location")
        ended = self.offer(key=self.link("wall", 2)).getheader("Location")
        self.assertTrue(staying and ended)
        eventually(lambda: "a viewer has left" in self.output(self.recorder), "the link has ended")
        self.assertEqual(self.ask("DELETE", ended).status, 404)
        self.assertEqual(self.ask("DELETE", staying).status, 200)


class WhepRevoked(WhepTest):
    @property
    def more(self):
        self.revoked = self.folder / "revoked"
        self.revoked.write_text("# nobody\n")
        return ("--until", "+3600", "--revoked", self.revoked)

    def env(self, **more):
        return super().env(**{"VITRAIL_KEY": SECRET, **more})

    def test_one_link_ends_and_the_others_stay(self):
        self.offer_until(201)
        other = key_named(SECRET, f"watch/wall/until-{int(time.time()) + 60}")
        staying = self.offer(key=other).getheader("Location")
        self.revoked.write_text(f"# left the project\n\n{self.key}\n")
        self.offer_until(401)
        eventually(lambda: f"a viewer has left: 1 of {MOST_VIEWERS}" in self.output(self.recorder), "its session has ended")
        self.assertEqual(self.ask("DELETE", staying, key=other).status, 200)
        self.revoked.write_text("two words\n")
        eventually(lambda: "revoked, line 1: " in self.output(self.recorder), "the mistake is told")
        self.assertEqual(self.offer().status, 401, "what was revoked stays revoked")
        self.revoked.write_text("")
        self.offer_until(201)

    def test_a_file_that_cannot_be_read_is_a_mistake(self):
        def refused(*words):
            return run("vitrail", "record", *words, "--revoked", self.revoked, env=self.env())
        self.revoked.write_text("two words\n")
        self.assertEqual(refused("http://127.0.0.1:0/whep").returncode, EXIT_FAILED)
        self.assertIn("--revoked", refused("http://127.0.0.1:0/whep").stderr)
        self.assertEqual(refused("film.mkv").returncode, EXIT_USAGE)
        self.revoked.unlink()
        self.assertEqual(refused("http://127.0.0.1:0/whep").returncode, EXIT_USAGE)


if __name__ == "__main__":
    unittest.main()
