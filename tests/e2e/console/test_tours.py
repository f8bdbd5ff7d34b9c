"""Tours with real programs: no cell is ever black, dead sources are named, and a manager that is killed loses nothing."""

import contextlib
import json
import subprocess
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually

COLOURS = {"red": (220, 40, 40), "green": (40, 200, 40), "blue": (40, 40, 220), "yellow": (220, 220, 40), "violet": (200, 40, 200),
           "cyan": (40, 210, 210)}
WIDTH, HEIGHT = 320, 180


class Tours(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [WIDTH, HEIGHT]}

    def setUp(self):
        super().setUp()
        self.films = [self.film(name) for name in COLOURS]

    def film(self, name):
        path = self.folder / f"{name}.mkv"
        red, green, blue = COLOURS[name]
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                        f"color=0x{red:02x}{green:02x}{blue:02x}:s={WIDTH}x{HEIGHT}:r=10:d=20,format=gbrp", "-c:v", "ffv1", path], check=True)
        return path

    def cells(self):
        """The names of the colours that the two cells show now."""
        wall = self.folder / "wall.png"
        self.vitrail("snapshot", wall)
        pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", wall, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                                check=True, capture_output=True).stdout
        def name_at(x, y):
            start = 3 * (y * 2 * WIDTH + x)
            shown = tuple(pixels[start:start + 3])
            names = [name for name, colour in COLOURS.items() if all(abs(a - b) <= 24 for a, b in zip(shown, colour))]
            self.assertEqual(len(names), 1, f"the pixel at {x},{y} is {shown}")
            return names[0]
        shown = []
        for left in (0, WIDTH):
            names = {name_at(left + x, y) for x in (8, WIDTH // 2, WIDTH - 8) for y in (8, HEIGHT // 2, HEIGHT - 8)}
            self.assertEqual(len(names), 1, f"a cell shows {names}")
            shown += names
        return tuple(shown)

    def tour(self):
        tours = json.loads(self.vitrail("tour", "ls", "--json").stdout)["tours"]
        return tours[0] if tours else None

    def start_tour(self, every, *sources):
        self.vitrail("tour", "start", "gates", *sources, "--cells", "2x1", "--every", every)
        def is_lit():
            with contextlib.suppress(AssertionError):
                return self.cells()
        eventually(is_lit, "both cells have their first pictures")

    def turn_to(self, *names):
        former = self.cells()
        self.vitrail("tour", "next", "gates")
        def is_shown():
            shown = self.cells()
            self.assertIn(shown, (former, names), "both cells change in one swap")
            return shown == names
        eventually(is_shown, f"the cells show {names}")

    def test_no_cell_is_ever_black(self):
        self.start_tour("1s", *self.films)
        seen = set()
        def has_seen_all():
            seen.update(self.cells())
            self.assertLessEqual(len(self.state()["windows"]), 4, "at most two windows per cell")
            return seen == set(COLOURS)
        eventually(has_seen_all, "all films have their turn")

    def test_a_dead_source_is_skipped_and_named(self):
        gone = self.folder / "gone.mkv"
        self.start_tour("1:00", *self.films[:2], gone, *self.films[2:])
        self.assertEqual(self.cells(), ("red", "green"))
        eventually(lambda: self.tour()["dead"] == 1, "the dead source is known")
        text = self.vitrail("tour", "ls").stdout
        self.assertIn("gates: 7 sources, every 60.0 s", text)
        self.assertIn(f"skipped: '{gone}':", text)
        self.assertIn("skips", self.vitrail("why").stdout)
        self.vitrail("tour", "next", "gates")
        eventually(lambda: set(self.cells()) == {"blue", "yellow"}, "the next ones are shown")
        self.vitrail("tour", "previous", "gates")
        eventually(lambda: set(self.cells()) == {"red", "green"}, "the former ones are shown again")

    def test_a_manager_that_is_killed_in_the_middle(self):
        self.start_tour("1:00", *self.films)
        self.turn_to("blue", "yellow")
        self.vitrail("tour", "hold", "gates")
        windows = [cell["window"] for cell in self.tour()["cells"]]
        def saved():
            session = json.loads(next(self.folder.glob("**/sessions/autosave.json")).read_text())
            cells = session["tours"][0]["cells"]
            return session["tours"][0]["held"] and [cell["window"] for cell in cells] == windows and len(session["refused"]) >= 2
        eventually(saved, "the tour and the windows that wait are saved")
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: self.tour() and [cell.get("window") for cell in self.tour()["cells"]] == windows, "the tour is there")
        eventually(lambda: all(self.window(window) for window in windows), "its windows are back")
        eventually(lambda: len(self.state()["windows"]) == 4, "its next windows are open again, and the former ones are gone")
        self.assertEqual(self.cells(), ("blue", "yellow"))
        self.assertTrue(self.tour()["held"])
        self.turn_to("violet", "cyan")
        with Control(self.port) as control:
            self.assertNotIn("tours", control.call("session_get", name="autosave")["result"])
        self.vitrail("tour", "stop", "gates")
        self.assertEqual(self.vitrail("tour", "ls").stdout, "no tours: `vitrail tour start NAME SOURCE…` starts one\n")
        self.assertEqual(self.cells(), ("violet", "cyan"))

    def test_mistakes(self):
        def refused(*words, code=EXIT_FAILED):
            return self.vitrail("tour", *words, expect=code).stderr
        gone = [self.folder / name for name in ("one.mkv", "two.mkv")]
        self.assertIn("no source can be shown", refused("start", "gates", *gone))
        self.assertIn("there is no source 'door'", refused("start", "gates", "door"))
        self.assertIn("at least 1 s", refused("start", "gates", *self.films, "--every", "0s", code=EXIT_USAGE))
        self.assertIn("COLUMNSxROWS", refused("start", "gates", *self.films, "--cells", "3", code=EXIT_USAGE))
        self.assertIn("wall pixels", refused("start", "gates", *self.films, "--cells", "3x2", "--area", "0,0,40x30"))
        self.assertIn("use fewer cells", refused("start", "gates", *self.films, "--cells", "3x3"))
        self.assertIn("there is no tour 'gates'", refused("next", "gates"))


if __name__ == "__main__":
    unittest.main()
