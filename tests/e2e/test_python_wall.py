"""Python's vitrail.Wall, blocking and for asyncio: every verb, errors, notifications, keys, and a lost manager."""

import asyncio
import itertools
import os
import re
import runpy
import signal
import socket
import sys
import threading
import unittest

from harness import PATIENCE_S, ROOT, WallTest, eventually, key_named

sys.path.insert(0, str(ROOT / "sail/bindings/python"))

import vitrail  # noqa: E402

SECRET = "a secret of this test"
INTERFACE = runpy.run_path(str(ROOT / "scripts/python-interface"))
COMMANDS = (ROOT / "manager/COMMANDS.md").read_text(encoding="utf-8")
# A value of each type; the manager may refuse it for lack of such a window or file.
SAMPLES = {"int": 1, "number": 1, "text": "x", "bool": True, "point": [1, 1], "size": [8, 8], "rect": [0, 0, 8, 8],
           "object": {"window": 1, "rect": [0, 0, 8, 8]}}
UNKNOWN = "is not a known field"


def samples(kind):
    """Values of a signature's type: all of its words, or one value; for text, also hexadecimal digits."""
    words = re.findall(r'"([^"]+)"', kind)
    if words:
        return words
    value = SAMPLES[kind.strip("[]")]
    if kind == "text":
        return [value, "0" * 64]
    return [[value] if kind.startswith("[") else value]


class WallVerbs(WallTest):
    """Checks the signatures of COMMANDS.md, from which the methods are generated, with the manager."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def receiver_names(self):
        return []

    def setUp(self):
        super().setUp()
        self.wall = vitrail.Wall(f"127.0.0.1:{self.port}", name="test")
        self.addCleanup(self.wall.disconnect)

    def complaint(self, verb, parameters):
        """The manager's error about the parameters, or ""."""
        try:
            self.wall.call(verb, **parameters)
        except vitrail.Refused as error:
            self.assertNotEqual(error.name, "unknown_method", verb)
            return str(error) if error.name == "invalid_params" else ""
        return ""

    @staticmethod
    def good_sets(parameters):
        """The required parameters, these with one optional each, and all; with every choice of words."""
        needed = [p for p in parameters if not p[2]]
        for among in (needed, *([*needed, other] for other in parameters if other[2]), parameters):
            names = [name for name, _, _ in among]
            for values in itertools.product(*(samples(kind) for _, kind, _ in among)):
                yield dict(zip(names, values))

    def test_the_document_has_a_signature_for_each_verb_of_its_table(self):
        table = re.search(r"^\| right \| verbs.*?\n\n", COMMANDS, re.MULTILINE | re.DOTALL)[0].strip()
        verbs = {verb for row in table.splitlines()[2:] for verb in re.findall(r"`(\w+)`", row.split("|")[2])}
        self.assertGreater(len(verbs), 40)
        self.assertEqual(set(INTERFACE["signatures"]()), verbs, "manager/COMMANDS.md, Signatures; then scripts/python-interface")
        for verb in verbs:
            self.assertTrue(callable(getattr(vitrail.Wall, INTERFACE["in_python"](verb))))

    def test_the_manager_knows_every_parameter(self):
        for verb, parameters in INTERFACE["signatures"]().items():
            for name, kind, _ in parameters:
                wrong = "no object" if kind == "object" else {"no": "value"}
                complaints = (self.complaint(verb, {**good, name: wrong}) for good in self.good_sets(parameters))
                with self.subTest(verb=verb, parameter=name):
                    self.assertTrue(any(f"'{name}" in said and UNKNOWN not in said for said in complaints))

    def test_no_parameter_is_missing_in_a_signature(self):
        for verb, parameters in INTERFACE["signatures"]().items():
            section = re.search(rf"^### (?:[\w, ]*\b)?{verb}\b.*?(?=^##|\Z)", COMMANDS, re.MULTILINE | re.DOTALL)[0]
            prose = re.sub(r"^```.*?^```", "", section, flags=re.MULTILINE | re.DOTALL)
            words = set(re.findall(r"`(\w+)`", prose)) | {"gesture"} - {verb}
            needed = [p for p in parameters if not p[2]]
            for word in words - {name for name, _, _ in parameters}:
                with self.subTest(verb=verb, word=word):
                    for good in self.good_sets(needed):
                        said = self.complaint(verb, {**good, word: {"no": "value"}})
                        nested = re.match(r"\w+\[", said)  # a word of an object in a list
                        self.assertFalse(f"'{word}" in said and UNKNOWN not in said and not nested, said)


class Walls(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    manager_options = ()

    def open(self, **more):
        wall = vitrail.Wall(f"127.0.0.1:{self.port}", name="Ada", **more)
        self.addCleanup(wall.disconnect)
        return wall

    def test_verbs_errors_and_notifications(self):
        wall = self.open(colour="#ff8000")
        self.assertEqual((wall.welcome["wall"], wall.welcome["colour"]), ("test", "#ff8000"))
        wall.subscribe(figures=True)
        number = wall.play(media=["test:64x64@10"], place=[0, 0, 64, 64])["window"]
        self.assertEqual(wall.move(number, x=10, y=20)["rect"], [10, 20, 64, 64])
        self.assertEqual(wall.raise_(window=number)["by"], "Ada")
        reported = next(n.params for n in wall.notifications(PATIENCE_S)
                    if n.method == "changed" and any(w["rect"][:2] == [10, 20] for w in n.params.get("windows", ())))
        self.assertGreater(reported["revision"], 0)
        with self.assertRaisesRegex(vitrail.Refused, "no window 77") as caught:
            wall.move(77, x=0, y=0)
        self.assertEqual((caught.exception.code, caught.exception.name), (1003, "not_found"))
        with self.assertRaisesRegex(vitrail.Refused, "did you mean 'move'"):
            wall.call("mvoe")
        with self.assertRaises(vitrail.Invalid):
            wall.call("move", window=object())
        wall.notify("place", windows=[{"window": number, "rect": [1, 2, 64, 64]}], gesture="drag")
        eventually(lambda: wall.list()["windows"][0]["rect"] == [1, 2, 64, 64], "the notice is obeyed")
        wall.close(window=number)
        self.assertEqual(wall.list()["windows"], [])

    def test_asyncio(self):
        async def go():
            async with vitrail.aio.Wall(f"127.0.0.1:{self.port}", name="Ada") as wall:
                await wall.subscribe()
                number = (await wall.play(media=["test:64x64@10"], place=[0, 0, 64, 64]))["window"]
                answers = await asyncio.gather(*(wall.move(number, x=i, y=0) for i in range(50)))
                self.assertEqual([answer["rect"][0] for answer in answers], list(range(50)))
                async for notification in wall.notifications():
                    if any(w["rect"][0] == 49 for w in notification.params.get("windows", ())):
                        break
                with self.assertRaises(vitrail.Refused) as caught:
                    await wall.fit(number, tile="nowhere")
                self.assertEqual(caught.exception.name, "not_found")
                await wall.notify("close", window=number)
                waiting = asyncio.create_task(anext(aiter(wall.notifications())))
            with self.assertRaisesRegex(vitrail.Unavailable, "ended"):
                while True:
                    await waiting
                    waiting = asyncio.create_task(anext(aiter(wall.notifications())))
            with self.assertRaises(vitrail.Unavailable):
                await wall.list()
        asyncio.run(asyncio.wait_for(go(), PATIENCE_S))

    def test_a_manager_that_goes(self):
        wall = self.open()
        waits = []

        def wait():
            try:
                list(self.waiting.notifications())
            except vitrail.Unavailable as error:
                waits.append(str(error))
        self.waiting = self.open()
        waiter = threading.Thread(target=wait)
        waiter.start()

        async def lose():
            async with vitrail.aio.Wall(f"127.0.0.1:{self.port}") as other:
                self.manager.send_signal(signal.SIGKILL)
                with self.assertRaisesRegex(vitrail.Unavailable, "closed the connection"):
                    while True:
                        await other.list()
        asyncio.run(asyncio.wait_for(lose(), PATIENCE_S))
        with self.assertRaisesRegex(vitrail.Unavailable, "closed the connection"):
            wall.list()
        with self.assertRaisesRegex(vitrail.Unavailable, "has ended"):
            wall.list()
        waiter.join(PATIENCE_S)
        self.assertEqual(waits, ["the manager has closed the connection"])
        self.manager.wait()
        with self.assertRaisesRegex(vitrail.Unavailable, "no manager at 127.0.0.1"):
            self.open()

    def test_what_does_not_speak_as_a_manager(self):
        for said, sentence in ((b"HTTP/1.1 400 Bad Request\r\n", "not a Vitrail manager"), (b"[1]\n", "not a Vitrail manager"),
                               (b"", "requires TLS.*ssh -L"), (b"x" * (1 << 21), "line of more than"), (None, "has not answered")):
            with socket.create_server(("127.0.0.1", 0)) as listener, self.subTest(sentence):
                ends = threading.Event()

                def serve():
                    peer, _ = listener.accept()
                    with peer:
                        peer.recv(4096)
                        if said is None:
                            ends.wait(PATIENCE_S)
                        else:
                            peer.sendall(said)
                server = threading.Thread(target=serve)
                server.start()
                with self.assertRaisesRegex(vitrail.Unavailable, sentence):
                    vitrail.Wall(f"127.0.0.1:{listener.getsockname()[1]}", timeout=0.2 if said is None else PATIENCE_S)
                ends.set()
                server.join()


class WallKeys(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def env(self, **more):
        return super().env(VITRAIL_KEY=SECRET, **more)

    def refused(self, **how):
        with self.assertRaises(vitrail.Refused) as caught:
            vitrail.Wall(f"127.0.0.1:{self.port}", **how)
        self.assertEqual(caught.exception.name, "unauthorized")
        return str(caught.exception)

    def test_keys(self):
        self.refused()
        self.refused(key="another secret, long enough")
        with vitrail.Wall(f"127.0.0.1:{self.port}", key=SECRET) as wall:
            wall.list()
        with vitrail.Wall(f"127.0.0.1:{self.port}", key=key_named(SECRET, "viewer")) as wall:
            wall.list()
            with self.assertRaisesRegex(vitrail.Refused, "viewer") as caught:
                wall.undo()
            self.assertEqual(caught.exception.code, 1001)

        async def go():
            async with vitrail.aio.Wall(f"127.0.0.1:{self.port}", key=SECRET) as other:
                return (await other.list())["total"]
        self.assertEqual(asyncio.run(go()), 0)

    def test_where_keys_are_found(self):
        names = ("VITRAIL_KEY", "VITRAIL_KEY_FILE", "XDG_STATE_HOME")
        before = {name: os.environ.pop(name, None) for name in names}
        self.addCleanup(lambda: os.environ.update({k: v for k, v in before.items() if v is not None}))
        self.addCleanup(lambda: [os.environ.pop(name, None) for name in names])
        os.environ["XDG_STATE_HOME"] = str(self.folder)
        self.refused()
        kept = self.folder / "vitrail/keys" / f"127.0.0.1:{self.port}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(SECRET + "\n")
        kept.chmod(0o644)
        self.assertIn("chmod 600", self.refused())
        kept.chmod(0o600)
        vitrail.Wall(f"127.0.0.1:{self.port}").disconnect()
        os.environ["VITRAIL_KEY_FILE"] = str(self.folder / "nowhere")
        self.assertIn("cannot read the key", self.refused())
        os.environ["VITRAIL_KEY_FILE"] = str(kept)
        vitrail.Wall(f"127.0.0.1:{self.port}").disconnect()
        os.environ["VITRAIL_KEY"] = "another secret, long enough"
        self.refused()


if __name__ == "__main__":
    unittest.main()
