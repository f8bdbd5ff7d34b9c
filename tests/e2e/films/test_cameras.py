"""ONVIF cameras: found, tried, saved as sources and moved, with a camera that the test plays."""

import json
import pathlib
import socketserver
import threading
import unittest

import onvif_camera
from harness import EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually, run
from machines import Network, why_no_network
from onvif_camera import Camera, SCHEMA

WHY_NOT = why_no_network()


def part(call, name):
    return call.find(f".//{{{SCHEMA}}}{name}")


def texts(call):
    """The text of each element, by its local name."""
    return {onvif_camera.local(element.tag): element.text for element in call.iter()}


class BasicStream(socketserver.ThreadingTCPServer):
    """Answers each request of RTSP with the demand for a login in the clear, and records what it is sent."""

    daemon_threads = True

    class Handler(socketserver.StreamRequestHandler):
        timeout = onvif_camera.TIMEOUT_S

        def handle(self):
            number = b""
            while line := self.rfile.readline():
                self.server.lines.append(line)
                if line.lower().startswith(b"cseq:"):
                    number = line
                elif not line.strip():
                    self.wfile.write(b"RTSP/1.0 401 Unauthorized\r\n" + number + b'WWW-Authenticate: Basic realm="camera"\r\n\r\n')

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.lines = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def end(self):
        self.shutdown()
        self.server_close()

    def was_told_a_login(self):
        return any(line.lower().startswith(b"authorization:") for line in self.lines)


class CamerasTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    @property
    def manager_options(self):
        return ("--state", self.folder / "state")

    def setUp(self):
        super().setUp()
        films = self.folder / "films"
        films.mkdir()
        self.clip("films/door.mp4", seconds=60, rate=25, extra=("-c:v", "libx264", "-g", "5", "-pix_fmt", "yuv420p"))
        port_file = self.folder / "rtsp-port"
        server = self.start("vitrail-server", "--films", films, "--listen", "127.0.0.1:0", "--rtsp", "127.0.0.1:0",
                            "--rtsp-port-file", port_file)
        eventually(lambda: port_file.exists() or server.poll() is not None, "the server of the stream listens")
        self.assertIsNone(server.poll(), self.output(server))
        self.stream = f"rtsp://127.0.0.1:{port_file.read_text().strip()}/door.mp4"
        self.password_file = self.folder / "password"
        self.password_file.write_text("p@ss:word\n")
        self.control = Control(self.port)
        self.addCleanup(self.control.close)

    def camera(self, **options):
        camera = Camera(options.pop("stream", self.stream), **options)
        self.addCleanup(camera.end)
        return camera

    def add(self, camera, *more, expect=0):
        return self.vitrail("camera", "add", "Door", camera.address, "--login", "ann", "--password-file", self.password_file,
                            *more, expect=expect)

    def refused(self, *arguments):
        return self.vitrail("camera", *arguments, expect=EXIT_FAILED).stderr


class Cameras(CamerasTest):
    def test_a_camera_answers_the_probe(self):
        camera = self.camera()
        found = json.loads(self.vitrail("--json", "camera", "find", f"127.0.0.1:{camera.probe_port}").stdout)
        self.assertEqual(found["cameras"], [{"name": "Gate North", "model": "C1",
                                             "device": f"http://{camera.address}/onvif/device_service"}])
        self.assertIn("no interface 'none'", self.refused("find", "--interface", "none"))

    def test_profiles_are_listed_without_secrets(self):
        camera = self.camera()
        result = self.vitrail("--json", "camera", "profiles", camera.address, "--login", "ann", "--password-file", self.password_file)
        listed = json.loads(result.stdout)
        self.assertEqual(listed["name"], "Vitrail Test & Camera")
        self.assertEqual(listed["profiles"],
                         [{"profile": "main", "name": "Main", "codec": "H264", "size": [320, 180], "fps": 25.0, "moves": True, "url": self.stream},
                          {"profile": "bare", "name": "Bare", "moves": False, "url": self.stream}])
        self.assertEqual(listed["notes"], [])
        self.assertNotIn("word", result.stdout)
        self.assertIn("--login", self.vitrail("camera", "profiles", camera.address, "--password-file", self.password_file,
                                              expect=EXIT_USAGE).stderr)

    def test_a_camera_is_tried_saved_shown_and_moved(self):
        camera = self.camera()
        self.assertIn("saved 'Door' (h264", self.add(camera).stdout)
        source = self.control.call("sources", kind="url")["result"]["sources"][0]
        self.assertEqual((source["title"], source["moves"]), ("Door", True))
        self.assertEqual(source["source"], "url/" + self.stream.replace("://", "://ann:…@"))
        window = self.control.call("play", source=source["source"])["result"]["window"]
        self.wait_for_frames(window)

        self.vitrail("camera", "move", window, "left", "--speed", "0.25", "--seconds", "0.2")
        move = camera.asked("ContinuousMove")[0]
        self.assertEqual((part(move, "PanTilt").get("x"), part(move, "PanTilt").get("y")), ("-0.250", "0.000"))
        self.assertIsNone(part(move, "Zoom"))
        self.assertEqual((texts(move)["ProfileToken"], texts(move)["Timeout"]), ("main", "PT0.2S"))
        eventually(lambda: camera.asked("Stop"), "the camera is stopped")

        self.vitrail("camera", "move", "Door", "in")
        self.assertEqual(part(camera.asked("ContinuousMove")[1], "Zoom").get("x"), "0.500")
        self.vitrail("camera", "move", "Door", "home")
        self.assertEqual(len(camera.asked("GotoHomePosition")), 1)
        self.assertIn("Door", self.vitrail("camera", "presets", window).stdout)
        self.vitrail("camera", "move", window, "door")
        self.assertEqual(texts(camera.asked("GotoPreset")[0])["PresetToken"], "1")
        self.assertIn("no preset 'gate'", self.refused("move", window, "gate"))

    def test_the_password_is_told_to_nobody(self):
        self.add(self.camera())
        self.refused("add", "Other", "http://127.0.0.1:1/", "--login", "ann", "--password-file", self.password_file)
        for login in ("ann:p@ss:word@", "http://ann:a/p@ss:word@", "http://ann:a?p@ss:word@", "http:/ann:p@ss:word@"):
            self.refused("add", "Other", login + "127.0.0.1:1")
        journal = self.folder / "state" / "journal"
        eventually(lambda: any("camera_save" in one.read_text() for one in journal.iterdir()), "the journal has the camera")
        told = [json.dumps(self.control.call(verb)) for verb in ("sources", "journal", "list", "history")]
        told += [one.read_text() for one in journal.iterdir()]
        told += [path.read_text() for path in pathlib.Path(self.folder).glob("*.log")]
        for text in told:
            for secret in ("p@ss:word", "p%40ss%3Aword"):
                self.assertNotIn(secret, text)

    def test_the_time_is_the_cameras(self):
        for ahead_s in (-3600, 7200):
            with self.subTest(ahead_s=ahead_s):
                self.add(self.camera(ahead_s=ahead_s))

    def test_cameras_that_demand_http_digest(self):
        camera = self.camera(demands="digest")
        self.add(camera)
        self.vitrail("camera", "move", "Door", "up", "--seconds", "0.1")
        self.assertEqual(part(camera.asked("ContinuousMove")[0], "PanTilt").get("y"), "0.500")


class CamerasThatFail(CamerasTest):
    def test_wrong_users_are_told(self):
        self.password_file.write_text("wrong")
        for demands in ("token", "digest"):
            self.assertIn("refuses the user or the password", self.add(self.camera(demands=demands), expect=EXIT_FAILED).stderr)
        camera = self.camera()
        self.assertIn("demands a user and a password", self.refused("profiles", camera.address))
        self.assertEqual(self.control.call("sources", kind="url")["result"]["total"], 0)

    def test_a_stream_that_shows_nothing_is_not_saved(self):
        camera = self.camera(stream=self.stream.replace("door", "nothing"))
        self.assertIn("cannot be shown", self.add(camera, expect=EXIT_FAILED).stderr)
        self.assertIn("no profile 'Other'", self.add(self.camera(), "--profile", "Other", expect=EXIT_FAILED).stderr)
        self.assertEqual(self.control.call("sources", kind="url")["result"]["total"], 0)

    def test_a_login_is_sent_in_the_clear_only_if_that_is_allowed(self):
        stream = BasicStream()
        self.addCleanup(stream.end)
        camera = self.camera(stream=f"rtsp://127.0.0.1:{stream.server_address[1]}/main")
        self.assertIn("--plain-login", self.add(camera, expect=EXIT_FAILED).stderr)
        self.assertTrue(stream.lines)
        self.assertFalse(stream.was_told_a_login())
        self.assertIn("cannot be shown", self.add(camera, "--plain-login", expect=EXIT_FAILED).stderr)
        self.assertTrue(stream.was_told_a_login())

    def test_addresses_of_other_hosts_are_not_used(self):
        camera = self.camera(told_host="192.0.2.1", stream=self.stream.replace("127.0.0.1", "192.0.2.1"))
        self.assertIn("192.0.2.1", self.add(camera).stdout)
        self.vitrail("camera", "move", "Door", "stop")
        self.assertEqual(len(camera.asked("Stop")), 1)

    def test_cameras_that_lie(self):
        camera = self.camera()
        for name, answer, words in (
                ("GetServices", (200, b"x" * (300 << 10)), "more than 256 KiB"),
                ("GetServices", (200, b"<html>welcome</html>"), "refuses the request ('not here')"),
                ("GetServices", (302, b"", {"Location": "http://127.0.0.1:1/"}), "redirects"),
                ("GetSystemDateAndTime", (404, b""), "404"),
                ("GetProfiles", (200, b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "/etc/passwd">]><a>&b;</a>'), "document type"),
                ("GetStreamUri", (500, onvif_camera.fault("NoProfile", "no such stream")), "no profile with a stream")):
            with self.subTest(name=name, words=words):
                camera.answers = {name: answer}
                self.assertIn(words, self.add(camera, expect=EXIT_FAILED).stderr)
        camera.answers = {}
        self.add(camera, "--profile", "Bare")
        self.assertIn("cannot move", self.refused("move", "Door", "left"))
        self.assertIn("no camera 'Gate'", self.refused("move", "Gate", "left"))

    def test_a_removed_camera_comes_back_by_undo(self):
        camera = self.camera()
        self.add(camera)
        source = self.control.call("sources", kind="url")["result"]["sources"][0]["source"]
        self.control.call("source_remove", source=source)
        self.assertIn("no camera", self.refused("move", "Door", "stop"))
        self.vitrail("undo")
        self.vitrail("camera", "move", "Door", "stop")
        self.manager.kill()
        self.manager.wait()
        self.start_manager()
        self.vitrail("camera", "move", "Door", "stop")
        self.assertEqual(len(camera.asked("Stop")), 2)

    def errors_of_events(self):
        entries = self.control.call("journal", verb="camera_move", person="events")["result"]["entries"]
        return {entry["params"]["source"]: entry.get("error") for entry in entries}

    def test_an_event_moves_a_camera(self):
        camera = self.camera()
        self.add(camera)
        self.control.call("play", media=["test:64x64@5"])
        self.assertIn("result", self.control.call("session_save", name="alarm"))
        rules = [{"event": "bell", "scene": "alarm", "camera": "Door", "preset": "Door"},
                 {"event": "gate", "scene": "alarm", "camera": "Gate", "preset": "1"}]
        self.assertIn("result", self.control.call("event_rules", rules=rules))
        self.assertEqual(self.control.call("event_start", name="bell")["result"]["outcome"], "began")
        eventually(lambda: camera.asked("GotoPreset"), "the camera goes to the preset")
        self.control.call("event_start", name="gate")
        eventually(lambda: "camera_move failed: there is no camera 'Gate'" in self.output(self.manager), "the log has the reason")
        failed = [event.get("failed") for event in self.control.call("event_list")["result"]["events"]]
        self.assertEqual(failed, [None, [{"title": "Gate", "why": "there is no camera 'Gate'"}]])
        self.assertIn("event 'gate' failed: 'Gate': there is no camera 'Gate'", self.vitrail("event", "ls").stdout)
        eventually(lambda: "there is no camera 'Gate'" in self.vitrail("why").stdout, "`vitrail why` has the reason")
        # The entry of the first comes when the camera has accepted.
        eventually(lambda: self.errors_of_events() == {"Door": None, "Gate": "not_found"}, "the journal has both movements")

    def test_the_program_answers_each_job(self):
        for job, words in (("nothing", "JSON"), ('{"do":"dance"}', "no such job"), ('{"do":"move"}', "is missing")):
            answer = json.loads(run("vitrail-camera", stdin=job + "\n").stdout)
            self.assertIn(words, answer["error"]["message"], job)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class CamerasOnASwitch(unittest.TestCase):
    def test_cameras_answer_a_probe_by_multicast(self):
        network = Network()
        self.addCleanup(network.end)
        network.add_machine("here", network.here)
        addresses = ("10.77.0.2", "10.77.0.3")
        for number, address in enumerate(addresses):
            network.add_machine(f"camera{number}", address)
            with network.as_one_of(address):
                camera = Camera("rtsp://127.0.0.1/", multicast=address)
            self.addCleanup(camera.end)
        for interface in ("", "eth0"):
            result = network.run("vitrail-camera", input=json.dumps({"do": "find", "host": "", "interface": interface}) + "\n")
            # They tell other addresses, and are where they answer from.
            self.assertEqual([camera["device"] for camera in json.loads(result.stdout)["cameras"]],
                             [f"http://{address}/onvif/device_service" for address in addresses], result.stderr)
