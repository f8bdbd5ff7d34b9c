"""The program vitrail-pointer with a real manager: datagrams in, window and pointer changes out."""

import json
import re
import socket
import struct
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, WallTest, eventually, run


def osc_text(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def osc(address, types, *values):
    data = osc_text(address) + osc_text("," + types)
    for kind, value in zip(types, values):
        data += osc_text(value) if kind == "s" else struct.pack(">" + kind, value)
    return data


def touch_frame(number, fingers):
    """A TUIO bundle with these fingers: {session: (x, y)}."""
    parts = [osc("/tuio/2Dcur", "ss", "source", "test"),
             osc("/tuio/2Dcur", "s" + "i" * len(fingers), "alive", *fingers)]
    parts += [osc("/tuio/2Dcur", "sifffff", "set", finger, x, y, 0.0, 0.0, 0.0)
              for finger, (x, y) in fingers.items()]
    parts.append(osc("/tuio/2Dcur", "si", "fseq", number))
    return osc_text("#bundle") + struct.pack(">Q", 1) + b"".join(struct.pack(">I", len(p)) + p for p in parts)


class Pointer(WallTest):
    def point(self, *arguments):
        """Starts the program; returns the ports on which it reports to listen."""
        process = self.start("vitrail-pointer", "--manager", f"127.0.0.1:{self.port}", *arguments)
        wanted = sum(option in arguments for option in ("--tuio", "--6dof", "--osc"))

        def ports():
            self.assertIsNone(process.poll(), self.output(process))
            found = re.findall(r" on 127\.0\.0\.1:(\d+)", self.output(process))
            return found if len(found) == wanted else None
        return [int(port) for port in eventually(ports, "it listens")]

    def send(self, port, data):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(data, ("127.0.0.1", port))

    def test_a_finger_drags_a_window(self):
        _, number = self.play("test:200x100@10", "--place", "0,0,200x100")
        (port,) = self.point("--name", "Ada", "--tuio", "127.0.0.1:0")
        # The tracker repeats its frames, as trackers do, because the client may not know the wall yet.
        frame = 0

        def dragged():
            nonlocal frame
            for x in (0.1, 0.15, 0.2, 0.25):
                frame += 1
                self.send(port, touch_frame(frame, {1 + frame // 100: (x, 0.1)}))
            if self.window(number)["rect"][0] > 0:
                return True
            frame += 1
            self.send(port, touch_frame(frame, {}))
            return False
        eventually(dragged, "the window is dragged")

    def test_a_wand_drags_a_window_by_json(self):
        _, number = self.play("test:200x100@10", "--place", "228,134,200x100")
        (port,) = self.point("--6dof", "127.0.0.1:0", "--plane", "-3.28,1.84,0 6.56,0,0 0,-3.68,0")

        def dragged():
            for x_m, buttons in ((0, 0), (0, 1), (0.5, 1), (0.5, 0), (0, 0)):
                message = {"id": "wand", "pos": [x_m, 0, 2], "quat": [0, 0, 0, 1], "buttons": buttons}
                self.send(port, json.dumps(message).encode())
            return self.window(number)["rect"][0] > 228
        eventually(dragged, "the window is dragged")

    def test_osc_messages_are_events(self):
        rules = self.folder / "rules.json"
        rules.write_text(json.dumps([{"event": "/gate/open", "when": {"arguments.0": {"at_least": 1}}, "do": [{"window": "gate", "label": "open"}]}]))
        self.vitrail("event", "rules", rules)
        (port,) = self.point("--osc", "127.0.0.1:0", "--event", "/gate/open?id=arguments.1&clear=arguments.0:0")

        def active():
            return [(event["event"], event["id"]) for event in json.loads(self.vitrail("--json", "event", "ls").stdout)["events"]]
        self.send(port, osc("/gate/open", "is", 1, "north"))
        eventually(lambda: active() == [("/gate/open", "north")], "the event is active")
        self.send(port, osc("/gate/open", "is", 0, "north"))
        eventually(lambda: not active(), "the event is over")

    def test_mistakes_are_said(self):
        self.assertEqual(run("vitrail-pointer", "--osc", "0").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-pointer", "--osc", "0", "--event", "gate").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-pointer", "--event", "/gate").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-pointer", "--colour", "red").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-pointer", "--plane", "1,2,3").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-pointer", "--area", "1,2").returncode, EXIT_USAGE)
        (port,) = self.point("--tuio", "127.0.0.1:0")
        taken = run("vitrail-pointer", "--tuio", f"127.0.0.1:{port}")
        self.assertEqual(taken.returncode, EXIT_FAILED)
        self.assertIn(str(port), taken.stderr)


if __name__ == "__main__":
    unittest.main()
