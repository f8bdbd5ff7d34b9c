"""Playlists with real programs: films of 2 s and stills, of which each has one colour."""

import json
import subprocess
import time
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, Control, WallTest, eventually

COLOURS = {"red": (220, 40, 40), "green": (40, 200, 40), "blue": (40, 40, 220), "yellow": (220, 220, 40)}
WIDTH, HEIGHT = 320, 180


class PlaylistsTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [WIDTH, HEIGHT]}

    def medium(self, name, suffix):
        """A film of 2 s (mkv) or a still (png)."""
        path = self.folder / f"{name}.{suffix}"
        red, green, blue = COLOURS[name]
        ending = ("-t", "2", "-c:v", "ffv1") if suffix == "mkv" else ("-frames:v", "1")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
                        f"color=0x{red:02x}{green:02x}{blue:02x}:s={WIDTH}x{HEIGHT}:r=10,format=gbrp", *ending, path], check=True)
        return path

    def shown(self):
        """The name of the colour on the wall; "" if nothing is shown yet."""
        wall = self.folder / "wall.png"
        self.vitrail("snapshot", wall)
        pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", wall, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                                check=True, capture_output=True).stdout
        middle = 3 * (HEIGHT // 2 * WIDTH + WIDTH // 2)
        pixel = tuple(pixels[middle:middle + 3])
        return next((name for name, colour in COLOURS.items() if all(abs(a - b) <= 24 for a, b in zip(pixel, colour))), "")

    def plays(self):
        """What the only playlist plays; None: nothing."""
        return json.loads(self.vitrail("playlist", "ls", "--json").stdout)["playlists"][0].get("plays")

    def item(self):
        return (self.plays() or {}).get("item")

    def watch(self, first):
        """The items in the order in which they are shown, after the first one, until the playlist ends."""
        seen = [first]
        with Control(self.port) as control:
            def over():
                plays = control.call("playlist_list")["result"]["playlists"][0].get("plays")
                if plays and seen[-1:] != [plays["item"]]:
                    seen.append(plays["item"])
                return plays is None
            eventually(over, "the playlist ends")
        return seen

    def test_films_play_to_their_end_and_stills_for_their_time(self):
        film, still, last = self.medium("red", "mkv"), self.medium("green", "png"), self.medium("blue", "mkv")
        gone = self.folder / "gone.mkv"
        self.vitrail("playlist", "save", "lobby", film)
        self.vitrail("playlist", "add", "lobby", still, "--seconds", "2s")
        self.vitrail("playlist", "add", "lobby", last, gone)
        self.assertRegex(self.vitrail("playlist", "show", "lobby").stdout, rf"2 +{still} +2\.0")
        text = self.vitrail("playlist", "play", "lobby").stdout
        self.assertIn("lobby: item 1 of 4", text)
        self.assertEqual(self.watch(1), [1, 2, 3])
        self.assertEqual(self.shown(), "blue", "the last picture stays")
        eventually(lambda: len(self.state()["windows"]) == 1, "the others are closed")

    def test_a_dead_item_is_skipped_and_told_and_a_loop_begins_again(self):
        gone = self.folder / "gone.mkv"
        self.vitrail("playlist", "save", "lobby", self.medium("red", "mkv"), gone)
        self.vitrail("playlist", "play", "lobby", "--loop")
        eventually(lambda: self.plays()["dead"] == 1, "the dead item is known")
        self.assertIn(f"skipped: '{gone}':", self.vitrail("tour", "ls").stdout)
        eventually(lambda: "the playlist 'lobby' skips" in self.vitrail("why").stdout, "why tells")
        window = self.plays()["cells"][0]["window"]
        began_ns = self.window(window)["playback"]["at_ns"]

        def plays_again():
            playback = self.window(window)["playback"]
            return not playback.get("ended", False) and playback["at_ns"] > began_ns + 1_500_000_000
        eventually(plays_again, "the film begins again")
        self.assertEqual(self.shown(), "red")

    def test_shuffle_shows_each_item_once(self):
        self.vitrail("playlist", "save", "lobby", *(self.medium(name, "png") for name in COLOURS), "--seconds", "1")
        first = json.loads(self.vitrail("playlist", "play", "lobby", "--shuffle", "--json").stdout)["item"]
        self.assertEqual(sorted(self.watch(first)), [1, 2, 3, 4])

    def test_people_step_hold_edit_and_delete_while_it_plays(self):
        names = list(COLOURS)
        other = self.medium("yellow", "png")
        self.vitrail("play", other)
        window = self.state()["windows"][0]["window"]
        self.vitrail("playlist", "save", "lobby", *(self.medium(name, "png") for name in names[:3]), "--seconds", "1:00")
        self.vitrail("playlist", "play", "lobby", "--window", window, "--loop", "--start-at", 2)
        eventually(lambda: self.shown() == "green", "it begins with its second item")
        eventually(lambda: not self.window(window), "in place of the window")
        self.vitrail("playlist", "hold", "lobby")
        self.assertTrue(self.plays()["held"])
        self.vitrail("playlist", "next", "lobby")
        eventually(lambda: self.shown() == "blue", "the next item is shown")
        self.vitrail("playlist", "move", "lobby", 1, 3)
        self.vitrail("playlist", "remove", "lobby", 1)
        self.vitrail("playlist", "next", "lobby")
        eventually(lambda: self.shown() == "red", "it goes on with the items that it had")
        self.vitrail("playlist", "delete", "lobby")
        self.vitrail("playlist", "previous", "lobby")
        eventually(lambda: self.shown() == "blue", "it plays on")
        self.vitrail("playlist", "stop", "lobby")
        self.assertEqual(self.shown(), "blue")
        self.assertEqual(self.vitrail("playlist", "ls").stdout, "no playlists: `vitrail playlist save NAME ITEM…` saves one\n")

    def test_a_manager_that_is_killed_while_it_plays(self):
        self.vitrail("playlist", "save", "lobby", *(self.medium(name, "png") for name in list(COLOURS)[:3]), "--seconds", "1:00")
        self.vitrail("playlist", "play", "lobby", "--start-at", 2)

        def saved():
            tours = json.loads(next(self.folder.glob("**/sessions/autosave.json")).read_text()).get("tours")
            return tours and tours[0]["cells"][0].get("shown") == 1
        eventually(saved, "what it shows is saved")
        eventually(lambda: len(self.state()["windows"]) == 2, "the next item is open, perhaps not saved yet")
        self.manager.kill()
        self.manager.wait()
        self.manager = self.start_manager("--restore", "autosave")
        self.wait_for_receivers(*self.receivers)
        eventually(lambda: self.item() == 2, "it is there, at the same item")
        eventually(lambda: self.shown() == "green", "its window is back")
        self.vitrail("playlist", "next", "lobby")
        eventually(lambda: self.shown() == "blue", "the next item is shown")
        eventually(lambda: len(self.state()["windows"]) == 1, "nothing is left over")

    def test_the_schedule_begins_it(self):
        self.vitrail("playlist", "save", "lobby", "test:64x36@10", "--seconds", "1:00")
        start = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() + 2))
        self.vitrail("schedule", "add", "open", "--start", start, "--zone", "UTC", "--do",
                     'playlist_play {"name": "lobby", "area": "c1r1"}')
        eventually(lambda: self.item() == 1, "it plays")
        self.assertNotIn("failed", self.vitrail("schedule").stdout)

    def test_mistakes(self):
        def refused(*words, code=EXIT_FAILED):
            return self.vitrail("playlist", *words, expect=code).stderr
        self.assertIn("there is no playlist 'lobby'", refused("play", "lobby"))
        self.assertIn("there is no source 'door'", refused("save", "lobby", "door"))
        self.vitrail("playlist", "save", "lobby", "test:64x36@10")
        self.assertIn("has no item 2", refused("move", "lobby", 1, 2))
        self.assertIn("at least 1 s", refused("add", "lobby", "test:64x36@10", "--seconds", "0s", code=EXIT_USAGE))
        self.assertIn("--shuffle", refused("play", "lobby", "--shuffle", "--start-at", 1, code=EXIT_USAGE))


if __name__ == "__main__":
    unittest.main()
