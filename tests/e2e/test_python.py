"""The Python package vitrail on a real wall: pixels, errors, events, and released resources."""

import array
import gc
import json
import os
import re
import subprocess
import sys
import threading
import unittest

from harness import BIN, PATIENCE_S, ROOT, Control, WallTest, eventually

PACKAGE = ROOT / "sail/bindings/python"
sys.path.insert(0, str(PACKAGE))
os.environ.setdefault("VITRAIL_LIBSAIL", str(BIN.parent / "sail/client/libsail.so.0"))

import numpy  # noqa: E402
import vitrail  # noqa: E402

WIDTH, HEIGHT = 320, 180
# A sanitized library needs its runtime in the whole process.
plain_library = unittest.skipIf(os.environ.get("VITRAIL_SANITIZE"), "Python itself has no sanitizer")


def picture(seed=1):
    """A random picture."""
    return numpy.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=numpy.uint8)


class PythonTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [WIDTH, HEIGHT]}

    def session(self, **more):
        session = vitrail.Session("test", f"127.0.0.1:{self.port}", **more)
        self.addCleanup(session.close)
        return session

    def stream(self, session, title="picture", **more):
        """A stream as large as the wall, with unchanged pixels."""
        return session.stream(title, WIDTH, HEIGHT, place=(0, 0, WIDTH, HEIGHT), **{"codec": "raw", **more})

    def wall_pixels(self):
        file = self.folder / "wall.png"
        self.vitrail("snapshot", file)
        raw = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                             capture_output=True, check=True).stdout
        return numpy.frombuffer(raw, numpy.uint8).reshape(HEIGHT, WIDTH, 3)

    def shows(self, stream, pixels, **how):
        """Shows the pixels; returns the frame's number when the wall has accepted it."""
        return eventually(lambda: stream.show(pixels, **how), "the wall takes the frame")

    def assert_wall(self, wanted, what, within=0):
        def is_there():
            different = numpy.abs(self.wall_pixels().astype(int) - wanted)
            return different.max() <= within
        eventually(is_there, f"the wall shows {what}")


@plain_library
class Pixels(PythonTest):
    def setUp(self):
        super().setUp()
        self.open = self.stream(self.session())

    def check(self, what, pixels, wanted, within=0, **how):
        with self.subTest(what):
            self.shows(self.open, pixels, **how)
            self.assert_wall(wanted, what, within)

    def test_of_every_layout_in_memory(self):
        rgb = picture(1)
        self.check("rgb", rgb, rgb)
        self.check("the same layout again", picture(12), picture(12))
        bgra = numpy.dstack([picture(2)[:, :, ::-1], numpy.full((HEIGHT, WIDTH), 255, numpy.uint8)])
        self.check("bgra", bgra, bgra[:, :, 2::-1], format="bgra")
        rgba = numpy.dstack([picture(3), numpy.full((HEIGHT, WIDTH), 255, numpy.uint8)])
        self.check("rgba", rgba, rgba[:, :, :3])
        bgr = picture(4)
        self.check("bgr", bgr, bgr[:, :, ::-1], format="bgr")
        self.check("bgr upside down", bgr[::-1], bgr[::-1, :, ::-1], format="bgr")
        self.check("upside down", rgb[::-1], rgb[::-1])
        wide = numpy.concatenate([picture(5), picture(6)], axis=1)
        self.check("a part of a wider array", wide[:, 100:100 + WIDTH], wide[:, 100:100 + WIDTH])
        self.check("every other row", numpy.repeat(rgb, 2, axis=0)[::2], rgb)

    def test_of_what_is_no_numpy(self):
        rgb = picture(7)
        self.check("bytes", rgb.tobytes(), rgb)
        self.check("a memoryview upside down", memoryview(rgb)[::-1], rgb[::-1])
        turned = rgb[::-1]
        self.check("an array.array", array.array("B", turned.tobytes()), turned)

        class Interface:
            __array_interface__ = rgb.__array_interface__
        self.check("__array_interface__", Interface(), rgb)

    def test_of_grey(self):
        grey = picture(8)[:, :, 0].copy()
        self.check("grey", grey, numpy.dstack([grey] * 3), within=1)

    def test_of_yuv(self):
        luma = numpy.repeat(numpy.linspace(16, 235, HEIGHT).astype(numpy.uint8), WIDTH).reshape(HEIGHT, WIDTH)
        u, v = numpy.full((HEIGHT // 2, WIDTH // 2), 90, numpy.uint8), numpy.full((HEIGHT // 2, WIDTH // 2), 160, numpy.uint8)
        y, cb, cr = (luma - 16.0) * 255 / 219, (90 - 128) * 255 / 224, (160 - 128) * 255 / 224
        wanted = numpy.dstack([y + 1.5748 * cr, y - 0.1873 * cb - 0.4681 * cr, y + 1.8556 * cb])
        wanted = wanted.clip(0, 255).round().astype(int)
        self.check("I420", [luma, u, v], wanted, 2, format="i420")
        self.shows(self.open, picture(9))
        self.check("NV12", (luma, numpy.dstack([u, v])), wanted, 2, format="nv12")
        self.shows(self.open, picture(10))
        one = numpy.concatenate([luma.ravel(), u.ravel(), v.ravel()]).reshape(HEIGHT * 3 // 2, WIDTH)
        self.check("I420 in one array", one, wanted, 2, format="i420")

    def test_of_images(self):
        from PIL import Image
        rgb = picture(11)
        self.check("a PIL image", Image.fromarray(rgb), rgb)
        with self.assertRaisesRegex(vitrail.Invalid, r"mode 'CMYK'.*convert\('RGB'\)"):
            self.open.show(Image.fromarray(rgb).convert("CMYK"))

    def test_the_advice_for_images_of_other_depths(self):
        """The code that the message suggests shows the picture correctly, not white."""
        from PIL import Image
        grey = picture(12)[:, :, 0].copy()
        deep = grey.astype(numpy.uint16) * 257
        images = {"LA": Image.merge("LA", [Image.fromarray(grey)] * 2), "I;16": Image.fromarray(deep),
                  "I": Image.fromarray(deep.astype(numpy.int32)), "F": Image.fromarray(grey.astype(numpy.float32) / 255)}
        for mode, image in images.items():
            self.assertEqual(image.mode, mode)
            with self.assertRaises(vitrail.Invalid) as caught:
                self.open.show(image)
            advice = re.search(r": show (.*)$", str(caught.exception))[1]
            most = {"I": 65535, "F": 1}.get(mode)
            with self.subTest(advice):
                shown = eval(advice, {"numpy": numpy, "image": image, "most": most})  # as people who follow it do
                self.check(mode, shown, numpy.dstack([grey] * 3), 1)

    def test_of_figures(self):
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError as error:
            self.skipTest(f"{error}: python3-matplotlib is too heavy for every test run; where it is, this runs")
        figure = Figure(facecolor="#204060", dpi=80)
        canvas = FigureCanvasAgg(figure)
        vitrail.fit_figure(self.open, figure)
        figure.add_subplot().plot([1, 2, 3])
        eventually(lambda: vitrail.show_figure(self.open, figure), "the wall takes the figure")
        wanted = numpy.asarray(canvas.buffer_rgba())[:, :, :3]
        self.assertEqual(tuple(wanted[0, 0]), (0x20, 0x40, 0x60))
        self.assert_wall(wanted, "the figure")


@plain_library
class Mistakes(PythonTest):
    def test_wrong_pixels_are_refused_in_words(self):
        stream = self.stream(self.session())
        rgb, wide = picture(), numpy.zeros((HEIGHT, 2 * WIDTH, 3), numpy.uint8)
        wrong = [
            (wide, {}, r"is \(180, 320, 3\) of uint8; this array is \(180, 640, 3\) of uint8"),
            (rgb.astype(float), {}, r"\(180, 320, 3\) of uint8; this array is \(180, 320, 3\) of float64.*astype"),
            (rgb[:, :, :2], {}, r"expected an array .* \(180, 320, 4\) of uint8; this one is \(180, 320, 2\)"),
            (rgb, {"format": "rgba"}, r"rgba .* \(180, 320, 4\)"),
            (rgb[:, :, ::-1], {}, "pixels of a row must lie next to each other .*ascontiguousarray"),
            (rgb[:, :, 0], {}, "pixels of a row must lie next to each other"),
            (numpy.broadcast_to(rgb[:1], rgb.shape), {}, "rows must not overlap"),
            (b"short", {}, "this one is .5,. of uint8"),
            ([rgb], {}, "planes need a format"),
            ([rgb[:, :, 0].copy()], {"format": "i420"}, "i420 has 3 planes, not 1"),
            (rgb.ravel(), {"format": "i420"}, "86400 bytes without gaps"),
            (rgb, {"format": "yuv"}, "format must be one of 'rgb', .* not 'yuv'"),
            (rgb, {"matrix": "pal"}, "matrix must be one of"),
            (rgb, {"at": 1e6}, "present_ns"),
            (rgb, {"present_ns": 1 << 70}, "."),
            (rgb.astype(numpy.uint16), {}, "rgb-deep .* JPEG 2000 .*'raw'.*array >> 8"),
            (rgb[:, :, 0].astype(numpy.uint16), {}, "of uint16: .*array >> 8"),
            (rgb.astype(">u2"), {}, "of big-endian uint16"),
            (rgb.astype(bool), {}, "of bool"),
            (rgb.astype(numpy.int64), {}, "of int64"),
            (None, {}, "expected an array .* not NoneType"),
            ("text", {}, "expected an array .* not str"),
        ]
        for pixels, how, sentence in wrong:
            with self.subTest(sentence), self.assertRaisesRegex(vitrail.Invalid, sentence) as caught:
                stream.show(pixels, **how)
            self.assertEqual((caught.exception.code, caught.exception.name), (-1, "invalid"))
            self.assertIsInstance(caught.exception, vitrail.Error)
        self.shows(stream, rgb)
        self.assert_wall(rgb, "the frame after the mistakes")

    def test_wrong_options_are_refused_in_words(self):
        session = self.session()
        for options, kind, sentence in [
                ({"codec": "mp3"}, vitrail.Refused, "mp3"),
                ({"transport": "pigeon"}, vitrail.Refused, "pigeon"),
                ({"place": (1, 2)}, vitrail.Invalid, r"place must be \(x, y, width, height\)"),
                ({"mtu": 1 << 40}, vitrail.Invalid, "."),
                ({"fps": "many"}, vitrail.Invalid, "."),
                ({"group": "a\0b"}, vitrail.Invalid, "zero byte"),
        ]:
            with self.subTest(options), self.assertRaisesRegex(kind, sentence):
                session.stream("wrong", WIDTH, HEIGHT, **options)
        with self.assertRaises(vitrail.Refused):
            session.stream("wrong", -1, HEIGHT)
        with self.assertRaisesRegex(vitrail.Invalid, "bands"):
            session.band(64, 8, 0, 2)
        self.assertEqual(self.state()["windows"], [])

    def test_sound_that_is_none(self):
        stream = self.stream(self.session())
        with self.assertRaisesRegex(vitrail.Invalid, "int16 or float32"):
            stream.play(numpy.zeros(100), 48000)
        with self.assertRaisesRegex(vitrail.Invalid, "1 to 8 channels"):
            stream.play(numpy.zeros((100, 9), numpy.int16), 48000)
        self.assertFalse(stream.has_loudspeakers)
        self.assertFalse(stream.play(numpy.zeros((100, 2), numpy.float32), 48000, at_ns=stream.session.wall_time_ns()))

    def test_no_manager_and_no_library(self):
        with self.assertRaisesRegex(vitrail.Unavailable, "127.0.0.1:1") as caught:
            vitrail.Session(manager="127.0.0.1:1")
        self.assertEqual(caught.exception.code, -3)
        self.assertIsInstance(caught.exception, ConnectionError)
        script = "import vitrail\ntry: vitrail.Session()\nexcept vitrail.Unavailable as error: print(error)"
        for library, sentence in ("/nowhere/libsail.so", "cannot load libsail: .*VITRAIL_LIBSAIL"), \
                                 ("libc.so.6", "older than the package: sail_"):
            reported = subprocess.run([sys.executable, "-c", script], env=self.env(VITRAIL_LIBSAIL=library), check=True,
                                  cwd=PACKAGE, capture_output=True, text=True).stdout
            self.assertRegex(reported, sentence)

    def test_an_exception_in_the_middle_takes_the_windows_away(self):
        with self.assertRaises(ZeroDivisionError):
            with self.session() as session, self.stream(session, "a") as a, self.stream(session, "b"):
                a.show(picture())
                self.assertEqual(len(self.state()["windows"]), 2)
                raise ZeroDivisionError
        eventually(lambda: not self.state()["windows"], "both windows are gone")
        for use in (lambda: a.show(picture()), lambda: a.id, lambda: session.poll(), lambda: session.stream("c", 8, 8)):
            with self.assertRaisesRegex(vitrail.Invalid, "is closed"):
                use()
        a.close()


@plain_library
class Events(PythonTest):
    def test_what_people_do_arrives(self):
        session = self.session()
        stream = self.stream(session, takes_input=True)
        with Control(self.port) as control:
            def does(**what):
                self.assertIn("result", control.call("input", window=stream.id, **what))

            def comes(kind):
                def is_there():
                    return next((event for event in session.events(1) if isinstance(event, kind)), None)
                return eventually(is_there, f"a {kind.__name__}")
            does(type="down", at=[10.5, 20], button=2, buttons=2, modifiers=vitrail.SHIFT)
            down = comes(vitrail.Pointer)
            self.assertEqual((down.kind, down.x, down.y, down.button, down.buttons, down.modifiers),
                             ("down", 10.5, 20, 2, 2, vitrail.SHIFT))
            self.assertIs(down.stream, stream)
            does(type="key_down", key="ArrowLeft")
            match comes(vitrail.Key):
                case vitrail.Key(kind="down", key="ArrowLeft"):
                    pass
                case other:
                    self.fail(other)
            does(type="touch_move", at=[5, 6], touch=3)
            self.assertEqual(comes(vitrail.Touch), vitrail.Touch(stream, down.client, 0, "move", 3, 5, 6))
            does(type="pinch", at=[5, 6], scale=1.5)
            self.assertEqual(comes(vitrail.Pinch), vitrail.Pinch(stream, down.client, 0, 1.5, 5, 6))
            does(type="wheel", at=[1, 1], wheel=[0, -1])
            self.assertEqual(comes(vitrail.Pointer).wheel, (0, -1))
            does(type="leave")
            self.assertIsNone(comes(vitrail.Pointer).x)
            control.call("control", window=stream.id, action="seek", value=2.5)
            self.assertEqual(comes(vitrail.Wish), vitrail.Wish(stream, "seek", 2.5))
            control.call("control", window=stream.id, action="codec", codec="dxt5")
            self.assertEqual(comes(vitrail.Codec), vitrail.Codec(stream, "dxt5"))
            control.call("move", window=stream.id, x=8, y=4)
            self.assertEqual(comes(vitrail.Resize), vitrail.Resize(stream, vitrail.Rect(8, 4, WIDTH, HEIGHT)))
            self.assertEqual(stream.window, (8, 4, WIDTH, HEIGHT))

    def test_two_windows_and_the_end_of_one(self):
        session = self.session()
        first, second = self.stream(session, "first"), self.stream(session, "second")
        closed = []
        session.on(vitrail.Close, lambda event: closed.append(event.stream))
        closer = threading.Thread(target=lambda: self.vitrail("close", str(first.id)))
        closer.start()
        self.addCleanup(closer.join)
        eventually(lambda: not first.wanted, "the window is closed")
        self.assertTrue(second.wanted)
        self.assertIn(vitrail.Close(first), list(session.events(0)))
        first.close()
        closer.join()
        self.shows(second, picture())
        self.assertEqual([w["title"] for w in self.state()["windows"]], ["second"])
        threading.Thread(target=lambda: self.vitrail("close", str(second.id))).start()
        self.assertFalse(second.hold())
        self.assertEqual(closed, [second])
        second.close()

    def test_another_stream_in_the_place_of_one(self):
        session = self.session()
        first = self.stream(session)
        self.shows(first, picture(1))
        second = self.stream(session, replaces=first)
        self.shows(second, picture(2))
        first.close()
        self.assert_wall(picture(2), "the second one's picture")
        self.assertEqual(len(self.state()["windows"]), 1)
        with self.assertRaisesRegex(vitrail.Invalid, "is closed"):
            self.stream(session, replaces=first)

    def test_a_picture_that_stands_is_shown_again_when_it_is_wanted(self):
        session = self.session()
        stream = session.stream("picture", WIDTH, HEIGHT, codec="raw", place=(-WIDTH // 2, 0, WIDTH, HEIGHT))
        rgb = picture()
        self.shows(stream, rgb)
        self.assertTrue(stream.hold(0.2))
        self.vitrail("move", str(stream.id), "0", "0")
        holding = threading.Thread(target=stream.hold)
        holding.start()
        self.assert_wall(rgb, "all of it")
        self.vitrail("close", str(stream.id))
        holding.join(PATIENCE_S)
        self.assertFalse(holding.is_alive())

    def test_fates_and_times(self):
        session = self.session()
        self.assertEqual(session.display_colors(), vitrail.DisplayColors("bt709", 203.0, 2.2))
        stream = self.stream(session)
        stream.watch_frames()
        self.shows(stream, picture(1))  # shown with the layout, at the manager's instant
        eventually(lambda: stream.stats["frames_shown"] == 1, "it is counted")
        wanted_ns = session.wall_time_ns() + 200_000_000
        number = stream.show(picture(2), present_ns=wanted_ns)

        def fate_of_it():
            return next((e for e in session.events(0) if isinstance(e, vitrail.FrameFate) and e.number == number), None)
        fate = eventually(fate_of_it, "a fate")
        self.assertEqual((fate.shown, fate.receivers), (True, 1))
        self.assertGreaterEqual(fate.first_swapped_ns, wanted_ns)

    def test_closing_while_others_use_it(self):
        session = self.session()
        stream = self.stream(session, wait_when_full=True)
        mistakes = []

        def go_on():
            try:
                while True:
                    stream.show(picture())
            except vitrail.Invalid as error:
                mistakes.append(str(error))
        threads = [threading.Thread(target=go_on), threading.Thread(target=lambda: list(session.events(None)))]
        for thread in threads:
            thread.start()
        eventually(lambda: stream.stats["frames_shown"] > 3, "frames are shown")
        session.close()
        for thread in threads:
            thread.join(PATIENCE_S)
            self.assertFalse(thread.is_alive())
        self.assertEqual(mistakes, ["the stream is closed"])

    def test_groups_and_parts_are_opened(self):
        session = self.session()
        member = self.stream(session, group="panels", fps=30, timeline=vitrail.Timeline(5.0, session.wall_time_ns()))
        reported = eventually(lambda: next((e for e in session.events(0) if isinstance(e, vitrail.GroupTimeline)), None), "a timeline")
        self.assertEqual(reported.timeline.position_s, 5.0)
        member.close()
        rgb = picture()
        with vitrail.Session("other", f"127.0.0.1:{self.port}") as other:
            ranks = [None, None]

            def join(rank, owner):
                part = owner.part("bands", rank, 2, WIDTH, HEIGHT)
                ranks[rank] = owner.stream("bands", WIDTH, HEIGHT, codec="raw", place=(0, 0, WIDTH, HEIGHT), part=part)
            joining = threading.Thread(target=join, args=(1, other))
            joining.start()
            join(0, session)
            joining.join()
            self.assertEqual(ranks[0].height + ranks[1].height, HEIGHT)
            self.assertEqual(len(self.state()["windows"]), 1)
            ranks[0].show(rgb[:ranks[0].height])
            ranks[1].show(rgb[ranks[0].height:])
            self.assert_wall(rgb, "both bands")


@plain_library
class Remains(PythonTest):
    def test_nothing_is_left_after_a_thousand_frames(self):
        with self.session() as first:  # warm-up: what the library opens only once
            self.shows(self.stream(first), picture())
        descriptors = len(os.listdir("/proc/self/fd"))
        session = self.session(encode_threads=-1)
        stream = self.stream(session, wait_when_full=True)
        frames = [picture(1), bytearray(picture(2).tobytes())]
        stream.show(frames[0])
        gc.collect()
        references = [sys.getrefcount(frame) for frame in frames]
        objects = len(gc.get_objects())
        for _ in range(500):
            for frame in frames:
                stream.show(frame)
                with self.assertRaises(vitrail.Invalid):
                    stream.show(frame[:5])
        del frame
        list(session.events(0))
        stream.show(frames[0])
        gc.collect()
        self.assertEqual([sys.getrefcount(frame) for frame in frames], references)
        self.assertLess(len(gc.get_objects()) - objects, 100)
        frames[1].append(0)  # raises BufferError if a buffer is still exported
        session.close()
        eventually(lambda: len(os.listdir("/proc/self/fd")) == descriptors, "all descriptors are closed")

    def test_what_is_forgotten_closes_itself(self):
        session = self.session()
        self.stream(session)
        gc.collect()
        eventually(lambda: not self.state()["windows"], "its window is gone")


@plain_library
class Exits(PythonTest):
    """Scripts that end with an open session."""

    def exits(self, *lines, code=0):
        script = "\n".join(("import gc, os, sys, threading, time, vitrail", *lines))
        ended = subprocess.run([sys.executable, "-c", script], env=self.env(PYTHONPATH=str(PACKAGE)), timeout=PATIENCE_S,
                               capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (code, ""), script)
        eventually(lambda: not self.state()["windows"], "its windows are gone")
        return ended.stdout

    def test_an_open_session_at_exit(self):
        opened = "s = vitrail.Session('x'); w = s.stream('X', 320, 180)"
        for lines in ((opened,),
                      ("def f(): pass", opened),
                      ("class Both: pass", "both = Both(); both.me = both", opened, "both.s, both.w = s, w",
                       "del s, w, both; gc.collect()"),
                      ("class Both: pass", "both = Both(); both.me = both", opened, "both.w, both.s = w, s",
                       "del s, w, both; gc.collect()"),
                      (opened, "threading.Thread(target=lambda: list(s.events(None)), daemon=True).start()"),
                      (opened, "def f(): return 1", "sys.exit(f())")):
            with self.subTest(lines):
                self.exits(*lines, code=1 if "sys.exit" in lines[-1] else 0)

    def test_fork(self):
        reported = self.exits("s = vitrail.Session('x'); w = s.stream('X', 320, 180)",
                          "threading.Thread(target=lambda: list(s.events(None)), daemon=True).start()",
                          "child = os.fork()",
                          "if child == 0:",
                          "    try: w.show(bytes(320 * 180 * 3))",
                          "    except vitrail.Invalid as error: print(error)",
                          "    s.close(); sys.exit(5)",
                          "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), w.id > 0)",
                          "s.close()")
        self.assertRegex(reported, "(?s)another process.*5 True")


@plain_library
class Examples(PythonTest):
    def start_example(self, name, *arguments, **env):
        process = subprocess.Popen([sys.executable, PACKAGE / "examples" / name, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True,
                                   env=self.env(PYTHONPATH=str(PACKAGE), **env))

        def end():
            if process.poll() is None:
                process.terminate()
            process.communicate()
        self.addCleanup(end)
        return process

    def ended(self, process):
        output, _ = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, output)

    def test_heat(self):
        heat = self.start_example("heat.py")
        (window,) = eventually(lambda: self.state()["windows"], "its window")
        self.wait_for_frames(window["window"], 3)
        middle = HEIGHT // 2, WIDTH // 2
        eventually(lambda: self.wall_pixels()[middle].min() > 100, "there is heat")
        with Control(self.port) as control:
            eventually(lambda: "result" in control.call("input", window=window["window"], type="key_down", key="Escape")
                       and self.wall_pixels().max() < 10, "it is cold")
        self.vitrail("close", str(window["window"]))
        self.ended(heat)

    def test_ranks_and_tour(self):
        ranks = [self.start_example("ranks.py", "100000", RANK=str(rank), RANKS="2") for rank in range(2)]
        (window,) = eventually(lambda: self.state()["windows"], "one window")
        self.wait_for_frames(window["window"], 3)
        self.ended(self.start_example("tour.py", "0.01", "2"))
        self.assertFalse(self.window(window["window"])["maximised"])
        self.vitrail("close", str(window["window"]))
        for process in ranks:
            self.ended(process)

    def test_plot(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError as error:
            self.skipTest(f"{error}: python3-matplotlib is too heavy for every test run; where it is, this runs")
        plot = self.start_example("plot.py", MPLCONFIGDIR=str(self.folder))
        (window,) = eventually(lambda: self.state()["windows"], "its window")
        self.wait_for_frames(window["window"], 3)
        self.vitrail("close", str(window["window"]))
        self.ended(plot)

    def test_the_code_of_the_readme(self):
        text = (PACKAGE / "README.md").read_text(encoding="utf-8")
        for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)):
            compile(code, f"README {number}", "exec")
        with vitrail.Wall(f"127.0.0.1:{self.port}") as wall:
            noise = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
            process = subprocess.Popen([sys.executable, "-c", noise], env=self.env(PYTHONPATH=str(PACKAGE)))
            self.addCleanup(process.wait)
            self.addCleanup(process.terminate)
            (window,) = eventually(lambda: wall.list()["windows"], "its window")
            self.wait_for_frames(window["window"], 3)
            wall.close(window=window["window"])
            self.assertEqual(process.wait(PATIENCE_S), 0)


class Package(unittest.TestCase):
    def test_what_is_written_by_the_script_is_up_to_date(self):
        reported = subprocess.run([ROOT / "scripts/python-interface", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(reported.returncode, 0, reported.stdout + reported.stderr)

    def test_its_version_is_the_projects(self):
        project = re.search(r"^project\(vitrail VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
        self.assertEqual(vitrail.__version__, project)
        self.assertIn(f'version = "{project}"', (ROOT / "ui/lab/pyproject.toml").read_text(encoding="utf-8"))

    def test_types(self):
        reported = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir=/dev/null", "vitrail", ROOT / "ui/lab/vitrail_lab"], cwd=PACKAGE,
                              capture_output=True, text=True, check=False)
        self.assertEqual(reported.returncode, 0, reported.stdout + reported.stderr)

    def test_the_notebook_is_one_without_outputs(self):
        notebook = json.loads((PACKAGE / "examples/plots.ipynb").read_text(encoding="utf-8"))
        self.assertEqual(notebook["nbformat"], 4)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                self.assertEqual(cell["outputs"], [])
                compile("".join(cell["source"]), "plots.ipynb", "exec")


if __name__ == "__main__":
    unittest.main()
