"""The vitrail command on a real wall: arranging, sessions and scripts."""

import json
import os
import subprocess
import unittest

import harness
from harness import EXIT_DONE, EXIT_FAILED, EXIT_USAGE, WallTest, eventually, run


class ArrangingTest(WallTest):
    def setUp(self):
        super().setUp()
        self.windows = []

    def open(self, count, size="160x90"):
        """Opens this many windows, each a still picture of its own player."""
        while len(self.windows) < count:
            self.windows.append(self.play(f"test:{size}@10", "--place", "0,0,160x90")[1])
        return self.windows

    def json(self, *arguments):
        return json.loads(self.vitrail(*arguments, "--json").stdout)

    def rect(self, number):
        return self.window(number)["rect"]

    def order(self):
        return [window["window"] for window in self.state()["windows"]]


class Arranging(ArrangingTest):
    def test_windows_are_placed_together_and_undone(self):
        first, second = self.open(2)
        self.vitrail("--name", "Ada", "place", first, "10,20,160x90", second, "200,20,160x90")
        self.assertEqual(self.rect(first), [10, 20, 160, 90])
        self.assertEqual(self.rect(second), [200, 20, 160, 90])
        self.assertEqual(self.window(first)["by"], "Ada")
        self.assertIn("Ada", self.vitrail("history").stdout)
        self.assertIn("Ada", self.vitrail("undo").stdout)
        self.assertEqual(self.rect(second), [0, 0, 160, 90])
        self.assertIn("who", self.json("redo"))
        self.assertEqual(self.rect(second), [200, 20, 160, 90])
        self.assertIn("undo", self.json("history"))

    def test_nothing_to_undo_is_said(self):
        self.vitrail("redo", expect=EXIT_FAILED)

    def test_locked_windows_stay(self):
        (number,) = self.open(1)
        self.vitrail("lock", number)
        self.assertIn("locked", self.vitrail("move", number, 5, 5, expect=EXIT_FAILED).stderr)
        self.vitrail("lock", number, "on", "--off", expect=EXIT_USAGE)
        self.vitrail("lock", number, "--off")
        self.vitrail("move", number, 5, 5)

    def test_maximise_and_back(self):
        (number,) = self.open(1)
        self.vitrail("maximise", number)
        self.assertEqual(self.rect(number)[2:], [648, 364], "16:9, as the picture is")
        self.vitrail("maximise", number, "--off")
        self.assertEqual(self.rect(number), [0, 0, 160, 90])

    def test_windows_are_turned_and_blended(self):
        (number,) = self.open(1)
        for words, look in [(("rotate", 90), {"rotate": 90}),
                            (("flip",), {"rotate": 90, "flip": True}),
                            (("opacity", 0.5), {"rotate": 90, "flip": True, "opacity": 0.5}),
                            (("rotate", 0), {"flip": True, "opacity": 0.5}),
                            (("flip", "--off"), {"opacity": 0.5}),
                            (("crop", "8,8,32x16"), {"opacity": 0.5, "crop": [8, 8, 32, 16]}),
                            (("opacity", 1), {"crop": [8, 8, 32, 16]}),
                            (("crop", "all"), {}),
                            (("stereo", "anaglyph", "top-bottom"), {"stereo": "anaglyph", "halves": "top-bottom"}),
                            (("stereo", "left", "side-by-side"), {"stereo": "left"}),
                            (("stereo", "off"), {})]:
            self.vitrail(words[0], number, *words[1:])
            self.assertEqual(self.window(number).get("look", {}), look, words)
        self.vitrail("undo")
        self.assertEqual(self.window(number)["look"], {"stereo": "left"})
        self.assertIn(", stereo left", self.vitrail("ls").stdout)
        self.assertIn("0, 90, 180 or 270", self.vitrail("rotate", number, 45, expect=EXIT_USAGE).stderr)
        self.assertIn("0% to 100%", self.vitrail("opacity", number, 2, expect=EXIT_USAGE).stderr)
        self.assertIn("within the picture", self.vitrail("crop", number, "155,0,10x10", expect=EXIT_FAILED).stderr)
        self.vitrail("crop", number, "wide", expect=EXIT_USAGE)
        self.vitrail("stereo", number, "both", expect=EXIT_USAGE)

    def test_several_are_raised_and_lowered(self):
        first, second, third = self.open(3)
        self.vitrail("raise", first, second)
        self.assertEqual(self.order(), [third, first, second])
        self.vitrail("lower", second)
        self.assertEqual(self.order(), [second, third, first])

    def test_arrange_has_modes(self):
        first, *_ = self.open(3)
        self.vitrail("arrange", "--columns", 3)
        self.vitrail("arrange", "aspect")
        self.vitrail("arrange", "main", "--window", first)
        widths = {window["window"]: window["rect"][2] for window in self.state()["windows"]}
        self.assertEqual(max(widths, key=widths.get), first)
        self.vitrail("place", first, "340,10,160x90")
        self.vitrail("arrange", "grid", "--area", "c2r1")
        x, _, _, height = self.rect(first)
        self.assertGreaterEqual(x, 328)
        self.assertGreater(height, 90, "the only one that stands there has most of it")
        self.vitrail("arrange", "spiral", expect=EXIT_USAGE)

    def test_partitions(self):
        (number,) = self.open(1)
        self.assertEqual(len(self.json("partition", "grid", 2, 1)["partitions"]), 2)
        self.vitrail("partition", "clear")
        self.vitrail("partition", "set", "stage", "100,100,200x100")
        self.assertIn("200×100 at 100,100", self.vitrail("partition", "ls").stdout)
        self.vitrail("fit", number, "--partition", "stage", "--fill")
        self.assertEqual(self.rect(number), [100, 100, 200, 100])
        self.vitrail("partition", "set", "stage", "120,100,200x100")
        self.assertEqual(self.rect(number), [120, 100, 200, 100])
        self.vitrail("partition", "rm", "stage")
        self.vitrail("partition", "set", "stage", "nowhere", expect=EXIT_USAGE)

    def test_layouts_are_kept_and_applied(self):
        (number,) = self.open(1)
        self.vitrail("layout", "save", "evening")
        self.assertRegex(self.vitrail("layout", "ls").stdout, r"evening\s+1\s+just now")
        self.vitrail("move", number, 50, 50)
        self.vitrail("layout", "apply", "evening")
        self.assertEqual(self.rect(number), [0, 0, 160, 90])
        self.vitrail("layout", "rm", "evening")
        self.vitrail("layout", "apply", "evening", expect=EXIT_FAILED)

    def test_sessions_bring_what_played_back(self):
        number = self.json("play", "test:160x90@10", "--place", "10,20,160x90")["window"]
        self.vitrail("session", "save", "talk")
        self.assertIn("160×90 at 10,20", self.vitrail("session", "show", "talk").stdout)
        self.vitrail("close", number)
        self.assertIn("1 window", self.vitrail("session", "restore", "talk").stdout)
        self.assertEqual([window["rect"] for window in self.state()["windows"]], [[10, 20, 160, 90]])
        self.assertIn("talk", self.vitrail("session", "ls").stdout)
        self.vitrail("session", "rm", "talk")
        self.vitrail("session", "show", "talk", expect=EXIT_FAILED)

    def test_several_windows_are_closed_in_one_step(self):
        first, second = self.open(2)
        closed = self.json("close", first, second)
        self.assertEqual(closed, {"windows": [first, second], "forced": []})
        self.windows.clear()
        self.assertEqual(self.state()["windows"], [])

    def test_several_films_open_beside_each_other_or_in_turn(self):
        clips = [self.clip(f"{name}.mp4") for name in "ab"]
        self.vitrail("play", *clips)
        (x, _, width, _), (u, *_rest) = [window["rect"] for window in self.state()["windows"]]
        self.assertLessEqual(x + width, u, "they stand side by side")
        number = self.json("play", "--in-turn", *clips, "--place", "0,0,80x45")["window"]
        self.assertEqual(self.window(number)["media"], [str(clip) for clip in clips])
        self.vitrail("play", *clips, "--place", "0,0,80x45", expect=EXIT_FAILED)
        self.vitrail("play", "--at-end", "explode", clips[0], expect=EXIT_USAGE)

    def test_a_film_stays_at_its_end_and_begins_again(self):
        number = self.json("play", self.clip(seconds=1), "--place", "0,0,80x45")["window"]
        ended = lambda: self.window(number).get("playback", {}).get("ended", False)
        eventually(ended, "the film ends")
        self.assertIn("'clip.mp4' has ended", self.vitrail("history").stdout)
        self.vitrail("resume", number)
        eventually(lambda: not ended(), "it plays")
        eventually(ended, "it ends again")
        self.vitrail("loop", number, "on")
        eventually(lambda: not ended(), "it plays")
        gone = self.json("play", self.clip(seconds=1), "--at-end", "close")["window"]
        eventually(lambda: gone not in self.order(), "the other closes")

    def test_a_list_of_films_of_two_shapes_keeps_its_place(self):
        clips = [self.clip(f"{size}.mp4", seconds=0.4, size=size, rate=10) for size in ("320x180", "180x320")]
        number = self.json("play", "--in-turn", *clips, "--loop", "--place", "20,10,300x300")["window"]
        seen = []

        def ten():
            rect = self.rect(number)
            if seen[-1:] != [rect]:
                seen.append(rect)
            return len(seen) == 10
        eventually(ten, "the shape changes nine times")
        self.assertEqual({tuple(rect) for rect in seen}, {(20, 76, 300, 168), (86, 10, 168, 300)})

    def test_a_list_at_its_end_begins_with_its_first_film(self):
        clips = [self.clip("first.mp4", seconds=1), self.clip("last.mp4", seconds=1, size="160x90")]
        number = self.json("play", "--in-turn", *clips, "--place", "0,0,80x45")["window"]
        eventually(lambda: self.window(number).get("playback", {}).get("ended", False), "the list ends")
        self.assertEqual(self.window(number)["title"], "last.mp4")
        self.vitrail("resume", number)
        eventually(lambda: self.window(number)["title"] == "first.mp4", "it begins again")

    def test_mistakes_are_usage_errors(self):
        self.vitrail("place", 1, expect=EXIT_USAGE)
        self.vitrail("place", 1, "0,0", expect=EXIT_USAGE)
        self.vitrail("pointer", 5, expect=EXIT_USAGE)
        self.vitrail("overlay", "maybe", expect=EXIT_USAGE)
        self.vitrail("volume", 1, 2, expect=EXIT_USAGE)


class Scripts(ArrangingTest):
    def script(self, text, *options, expect=EXIT_DONE):
        (self.folder / "wall.vitrail").write_text(text)
        return self.vitrail("run", "wall.vitrail", *options, expect=expect)

    def test_a_script_opens_waits_and_moves(self):
        self.script("""# an evening
            card = play test:160x90@10 --place 0,0,160x90
            wait frames 3 $card
            move $card 30 40    # there
            wait settled 10
            again = wait window test: 10
            resize $again 80x45
            sleep 0.01
            """)
        (window,) = self.state()["windows"]
        self.assertEqual(window["rect"], [30, 40, 80, 45])

    def test_it_stops_at_the_first_failure_and_says_where(self):
        result = self.script("ls\nmove 99 0 0\nnonsense\n", expect=EXIT_FAILED)
        self.assertIn("wall.vitrail:2: move 99 0 0", result.stderr)
        self.assertNotIn("nonsense", result.stderr)
        result = self.script("move 99 0 0\nnonsense\nls\n", "--keep-going", expect=EXIT_FAILED)
        self.assertIn("wall.vitrail:2: nonsense", result.stderr)
        self.assertIn("no windows", result.stdout)

    def test_unknown_names_and_files(self):
        self.assertIn("$film", self.script("move $film 0 0\n", expect=EXIT_FAILED).stderr)
        self.assertIn("opens no window", self.script("film = ls\n", expect=EXIT_FAILED).stderr)
        self.vitrail("run", "missing.vitrail", expect=EXIT_FAILED)
        self.assertIn("deep", self.script("run wall.vitrail\n", expect=EXIT_FAILED).stderr)
        self.assertIn("timeout after 0.2 s", self.script("wait window nobody 0.2\n", expect=EXIT_FAILED).stderr)
        self.assertIn("no window 9", self.script("wait frames 1 9\n", expect=EXIT_FAILED).stderr)

    def test_standard_input_and_quit(self):
        result = run("vitrail", "run", "-", env=self.env(), stdin="ls\nquit\nnonsense\n")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_classical_words(self):
        self.script("""
            card = play test:160x90@10 --place 0,0,160x90
            resize $card 10 110 68 168
            classical on
            move $card 5 -5
            pause 0.01
            """)
        (window,) = self.state()["windows"]
        self.assertEqual(window["rect"], [15, 205, 100, 100])
        number = window["window"]
        self.assertIn("rotation", self.script("classical on\nrotate 1 90\n", expect=EXIT_FAILED).stderr)
        self.script(f"kill {number}\n")
        self.assertEqual(self.state()["windows"], [])
        result = run("vitrail", env=self.env(), stdin="help classical\n")
        self.assertIn("kill ID", result.stdout)


class Completion(ArrangingTest):
    def bash(self, line):
        """The completions that bash would offer."""
        code = 'source <(vitrail completion bash) && COMP_LINE=$1 COMP_POINT=${#1} && _vitrail && ' \
               'printf "%s\\n" "${COMPREPLY[@]}"'
        env = self.env(PATH=f"{harness.BIN}:{os.environ['PATH']}")
        result = subprocess.run(["bash", "-c", code, "bash", line], env=env, capture_output=True, text=True,
                                timeout=harness.PATIENCE_S, check=True)
        return result.stdout.split()

    def test_bash_completes_commands_options_and_what_the_wall_has(self):
        self.assertEqual(self.bash("vitrail max"), ["maximise"])
        self.assertEqual(self.bash("vitrail partition "), ["clear", "grid", "ls", "rm", "set"])
        self.assertEqual(self.bash("vitrail arrange --co"), ["--colour", "--columns"])
        self.assertEqual(self.bash("vitrail arrange a"), ["aspect"])
        (number,) = self.open(1)
        self.assertEqual(self.bash("vitrail move "), [str(number)])
        self.assertEqual(self.bash("vitrail fit %d c2" % number), ["c2r1", "c2r2"])
        self.assertEqual(self.bash("vitrail overlay "), ["off", "on"])

    def test_without_a_manager_there_are_still_commands(self):
        result = run("vitrail", "--complete", "mo", env=self.env(VITRAIL_MANAGER="127.0.0.1:1"))
        self.assertEqual(result.stdout, "move\n")
        result = run("vitrail", "--complete", "move", "", env=self.env(VITRAIL_MANAGER="127.0.0.1:1"))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_each_shell_has_a_script(self):
        for shell in ("bash", "zsh", "fish"):
            self.assertIn("--complete", self.vitrail("completion", shell).stdout)


if __name__ == "__main__":
    unittest.main()
