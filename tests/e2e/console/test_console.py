"""The vitrail command on a real wall: every command, its exit codes and its JSON."""

import csv
import json
import re
import subprocess
import tempfile
import unittest

import harness
from harness import EXIT_FAILED, EXIT_NO_MANAGER, EXIT_USAGE, WallTest, eventually, run
from test_content import pixels_of

PROGRAMS = ["vitrail", "vitrail-bridge", "vitrail-camera", "vitrail-convert", "vitrail-decoder", "vitrail-guest", "vitrail-hooks", "vitrail-lab", "vitrail-manager",
            "vitrail-mqtt", "vitrail-pointer", "vitrail-poster",
            "vitrail-receiver", "vitrail-recorder", "vitrail-server", "vitrail-share", "vitrail-show", "vitrail-vnc",
            "vitrail-web", "bplay"]
COMMANDS = ["up", "down", "ls", "play", "move", "resize", "fit", "raise", "lower", "close", "stats", "watch",
            "snapshot", "wall", "arrange", "pause", "resume", "seek", "rate", "codec",
            "impair", "place", "lock", "maximise", "partition", "undo", "redo", "history", "layout", "session", "source",
            "upload", "input", "pointer", "overlay", "loop", "volume", "mute", "page", "share", "run-x11", "show", "web",
            "clients", "completion", "run", "wait", "sleep", "convert", "mqtt", "point", "why", "status", "restart", "logs",
            "rotate", "flip", "iobench", "opacity", "crop", "stereo", "group", "doctor", "trace", "key", "note", "clock", "vnc",
            "blank", "master-volume", "next", "prev", "replace", "swap", "films", "user", "demo", "lab", "record", "cast", "whip",
            "journal", "subtitles", "sound-track", "scene", "event", "schedule", "tour", "playlist", "power", "unblank", "freeze", "unfreeze", "label",
            "annotate", "node", "webhooks", "rights", "bridge", "ticker",
            "wallpaper", "logo", "camera", "drive", "qr", "walls", "copy", "speaker-notes"]


class Help(unittest.TestCase):
    def test_every_program_explains_itself(self):
        for program in PROGRAMS:
            result = run(program, "--help")
            self.assertEqual(result.returncode, 0, program)
            self.assertGreater(len(result.stdout), 300, program)
            self.assertEqual(run(program, "--version").returncode, 0, program)

    def test_a_wrong_option_is_a_usage_error(self):
        for program in PROGRAMS:
            result = run(program, "--no-such-option")
            self.assertEqual(result.returncode, EXIT_USAGE, program)
            self.assertIn("--help", result.stderr, program)

    def test_vitrail_lists_its_commands(self):
        listed = re.findall(r"(?m)^  (\w[\w-]*)(?:, [\w-]+)*  ", run("vitrail", "--help").stdout)
        self.assertEqual(sorted(listed), sorted(COMMANDS))


class WithoutManager(unittest.TestCase):
    def test_says_that_nobody_is_there(self):
        result = run("vitrail", "--manager", "127.0.0.1:1", "ls")
        self.assertEqual(result.returncode, EXIT_NO_MANAGER)
        self.assertIn("no manager at 127.0.0.1:1", result.stderr)
        self.assertIn("vitrail up", result.stderr)

    def test_wrong_usage_can_be_json(self):
        for line, said in [(("pley", "x"), "play"), (("rate", 1, 99), "0.05 to 16"), (("loop", 1, "maybe"), "on or off"),
                           (("opacity", 1, 2), "0% to 100%"), (("move", 1), "required"), (("seek", 1, "soon"), "1:30"),
                           (("rotate", 1, 45), "0, 90, 180 or 270"), (("codec", 1, "best"), "htj2k"), (("swap", 1, 1), "different windows"),
                           (("arrange", "grid", "--window", 1), "arrange main"), (("group", "pair"), "name the windows"),
                           (("place", 1, "0,0,0x0"), "1 to 65536"), (("resize", 1, 99999), "65536"), (("move", 1, 9999999, 0), "1000000"),
                           (("session", "save", ""), "empty"), (("--colour", "red", "ls"), "#RRGGBB"), (("input", 1, "type", ""), "no text"),
                           (("snapshot", "wall.gif"), ".png, .jpg"), (("note",), "`vitrail note lines`"), (("session",), "save, restore")]:
            result = run("vitrail", "--json", *line)
            self.assertEqual((result.returncode, result.stdout), (EXIT_USAGE, ""))
            self.assertEqual(json.loads(result.stderr)["error"]["name"], "invalid_params")
            self.assertIn(said, json.loads(result.stderr)["error"]["message"])
            self.assertIn(said, run("vitrail", *line).stderr)
        result = run("vitrail", "--manager", "127.0.0.1:1", "run", "-", "--json", stdin="pley x\n")
        self.assertIn("play", json.loads(result.stderr)["error"]["message"])

    def test_errors_can_be_json(self):
        result = run("vitrail", "--manager", "127.0.0.1:1", "--json", "ls")
        self.assertEqual(json.loads(result.stderr)["error"]["name"], "unavailable")

    def test_bplay_says_so_too(self):
        result = run("bplay", "--manager", "127.0.0.1:1", "test:")
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("127.0.0.1:1", result.stderr)


class WallFiles(unittest.TestCase):
    def test_ready_files_are_right(self):
        files = sorted((harness.ROOT / "sail/core/wall/walls").glob("*.json"))
        self.assertGreaterEqual(len(files), 5)
        for file in files:
            result = run("vitrail", "wall", "check", file, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("tiles", json.loads(result.stdout))
            self.assertEqual(json.loads(result.stdout)["warnings"], [], file)
            self.assertRegex(run("vitrail", "wall", "check", file).stdout, r"\d displays?, \d+ nodes?, \d+×\d+: good\n")

    def check(self, wall):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(wall if isinstance(wall, str) else json.dumps(wall))
            file.flush()
            return run("vitrail", "wall", "check", file.name)

    def test_what_is_hardly_meant_is_said(self):
        tile = {"receiver": "n", "at": [0, 0], "resolution": [1920, 1080]}
        result = self.check({"tiles": [{**tile, "rotation": 90, "size": [1920, 1080]}, {**tile, "at": [1920, 0]}]})
        self.assertEqual(result.returncode, 0)
        self.assertIn("2 displays, 1 node, 3840×1080\n", result.stdout)
        self.assertIn("distorted", result.stdout)
        self.assertIn("window_at", result.stdout)

    def test_all_mistakes_are_said_at_once(self):
        tile = {"receiver": "n", "at": [0, 0], "resolution": [1920, 1080]}
        result = self.check({"receivers": [{"name": "n", "prot": 22}, {"name": ""}], "apps": [{"name": 7}],
                             "tiles": [tile, {**tile, "resolution": 7}, {**tile, "rotation": 45}]})
        self.assertEqual(result.returncode, EXIT_FAILED)
        for said in ("receivers[0]: 'prot'", "receivers[1]: 'name'", "tiles[1]: 'resolution'", "[1920, 1080]",
                     "tiles[2]: 'rotation'", "apps[0]: 'name'"):
            self.assertIn(said, result.stderr)
        self.assertIn("did you mean 'columns'", self.check({"grid": {"colums": 2, "rows": 1, "resolution": [8, 8]}}).stderr)
        self.assertIn("did you mean 'grid'", self.check({"gird": {"columns": 2, "rows": 1, "resolution": [8, 8]}}).stderr)
        for text, said in [('{"grid": {},}', "line 1, column 13"), ("", "the text is empty"), ("{\n// a wall\n}", "does not allow comments")]:
            self.assertIn(said, self.check(text).stderr)

    def test_a_missing_file_is_named(self):
        result = run("vitrail", "wall", "check", "/no/such/wall.json")
        self.assertEqual(result.returncode, EXIT_FAILED)
        self.assertIn("/no/such/wall.json", result.stderr)


class Decorations(WallTest):
    """The pixels of pictures as wallpapers and logos."""

    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    COLOURS = {"red": (220, 40, 40), "green": (40, 200, 40), "blue": (40, 40, 220), "yellow": (220, 220, 40), "black": (0, 0, 0)}

    def picture(self, name, color_at):
        """A PNG of 120×120 pixels. color_at(x, y): the name of a colour; empty: transparent."""
        path = self.folder / name
        pixels = bytes(part for y in range(120) for x in range(120)
                       for part in (*self.COLOURS.get(color_at(x, y), (0, 0, 0)), 255 if color_at(x, y) else 0))
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "120x120", "-i", "-",
                        "-frames:v", "1", path], input=pixels, check=True)
        return path

    def wait_for(self, colours, what):
        """colours: names by place on the wall."""
        def is_shown():
            self.vitrail("snapshot", self.folder / "wall.png")
            pixels = pixels_of((self.folder / "wall.png").read_bytes())
            def shown(x, y):
                return pixels[3 * (y * 320 + x):][:3]
            return all(abs(a - b) <= 24 for at, name in colours.items() for a, b in zip(shown(*at), self.COLOURS[name]))
        eventually(is_shown, what)

    def test_pictures_fit_and_logos_are_transparent(self):
        back = self.picture("back.png", lambda x, y: "green" if y < 20 else "red" if x < 60 else "blue")
        logo = self.picture("logo.png", lambda x, y: "yellow" if x < 60 else "")
        self.vitrail("wallpaper", back)
        self.wait_for({(4, 4): "red", (4, 175): "red", (315, 4): "blue", (315, 175): "blue"}, "it covers the wall")
        self.vitrail("logo", logo, "--corner", "top-left", "--size", 50)  # 86×86 pixels at 4, 4
        self.wait_for({(25, 45): "yellow", (70, 45): "red", (100, 45): "red"}, "the wallpaper is seen through the logo")
        self.vitrail("wallpaper", back, "--fit", "stretch")
        self.wait_for({(100, 4): "green", (315, 20): "green", (4, 175): "red", (315, 175): "blue"}, "it is distorted")
        self.vitrail("wallpaper", back, "--fit", "contain")
        self.wait_for({(160, 4): "green", (100, 175): "red", (240, 175): "blue", (40, 175): "black", (300, 90): "black"}, "it is whole")


class Transports(WallTest):
    def link(self, number, **facts):
        """The window's link that has these values, or None."""
        answer = json.loads(self.vitrail("stats", number, "--json").stdout)
        links = answer["windows"][0].get("stats", {}).get("links", [])
        return next((link for link in links if facts.items() <= link.items()), None)

    def test_a_stream_over_udp_is_shown_and_its_packets_counted(self):
        _, number = self.play("test:640x360@30", "--transport", "udp", "--delay-ms", 200, "--mtu", 1400)
        self.wait_for_frames(number, 20)
        self.assertEqual(self.window(number)["transport"], "udp")
        link = eventually(lambda: (found := self.link(number, transport="udp")) and found["packets_arrived"] and found,
                          "packets")
        self.assertGreaterEqual(link["packets_sent"], link["packets_arrived"])
        self.assertEqual(self.window(number)["stats"]["delay_ms"], 200)
        self.assertIn("BURSTS", self.vitrail("stats").stdout)

    def test_play_passes_the_way_on(self):
        answer = self.vitrail("play", "test:64x64@10", "--transport", "udp", "--delay-ms", 100, "--json")
        number = json.loads(answer.stdout)["window"]
        self.wait_for_frames(number)
        self.assertEqual(self.window(number)["transport"], "udp")
        link = eventually(lambda: self.link(number, transport="udp"), "a link")
        self.assertIn("jitter_ms", link)

    def test_links_over_tcp_tell_what_they_have(self):
        _, number = self.play("test:64x64@10")
        self.wait_for_frames(number)
        link = eventually(lambda: self.link(number, transport="tcp"), "a link")
        self.assertNotIn("packets_sent", link)
        self.assertNotIn("BURSTS", self.vitrail("stats").stdout)

    def test_mistakes_are_usage_errors(self):
        for option in (("--transport", "quic"), ("--delay-ms", 2001), ("--mtu", 100)):
            self.vitrail("play", "test:", *option, expect=EXIT_USAGE)
            self.assertEqual(run("bplay", "test:", *option).returncode, EXIT_USAGE)


class Windows(WallTest):
    def test_a_window_is_arranged(self):
        _, number = self.play("--place", "10,20,320x180", "test:320x180@30")
        self.wait_for_frames(number, 5)
        self.assertEqual(self.window(number)["rect"], [10, 20, 320, 180])

        self.vitrail("move", number, 100, 50)
        self.assertEqual(self.window(number)["rect"], [100, 50, 320, 180])
        self.vitrail("move", number, "--by", "-30", "5")
        self.assertEqual(self.window(number)["rect"], [70, 55, 320, 180])
        self.vitrail("resize", number, "160x120")
        self.assertEqual(self.window(number)["rect"][2:], [160, 120])
        self.vitrail("resize", number, "320")
        self.assertEqual(self.window(number)["rect"][2:], [320, 180])
        self.vitrail("fit", number, "c2r2")
        self.assertEqual(self.window(number)["rect"][:2], [328, 188])
        self.vitrail("fit", number)
        self.wait_for_frames(number, 5)

        _, other = self.play("test:64x64@10")
        order = lambda: [w["window"] for w in self.state()["windows"]]
        self.assertEqual(order(), [number, other])
        self.vitrail("raise", number)
        self.assertEqual(order(), [other, number])
        self.vitrail("lower", number)
        self.assertEqual(order(), [number, other])
        self.vitrail("arrange")

    def test_close_ends_the_player(self):
        player, number = self.play("test:64x64")
        self.vitrail("close", number)
        eventually(lambda: player.poll() is not None, "bplay ends")
        self.assertEqual(player.returncode, 0)
        self.assertEqual(self.state()["windows"], [])

    def test_play_starts_a_player(self):
        clip = self.clip()
        number = json.loads(self.vitrail("play", "--loop", clip, "--json").stdout)["window"]
        self.wait_for_frames(number)
        self.vitrail("pause", number)
        self.vitrail("resume", number)
        self.vitrail("seek", number, 1)
        self.vitrail("rate", number, 2)
        self.wait_for_frames(number)

    def test_notes_and_clocks(self):
        note = json.loads(self.vitrail("note", "Two", "lines", "--place", "0,0,300x200", "--json").stdout)["window"]
        clock = json.loads(self.vitrail("clock", "Asia/Tokyo", "--json").stdout)["window"]
        self.assertEqual((self.window(note)["title"], self.window(clock)["title"]), ("Two", "Asia/Tokyo"))
        self.assertEqual(self.window(note)["media"], ["note:Two\\nlines"])
        eventually(lambda: self.shown(note), "the note is shown")
        eventually(lambda: self.shown(clock) > 2, "the clock goes on")
        self.vitrail("close", note)
        self.vitrail("undo")
        eventually(lambda: "Two" in [w["title"] for w in self.state()["windows"]], "the note is back")
        self.assertIn("unknown time zone 'Mars/Base'", self.vitrail("clock", "Mars/Base", expect=EXIT_FAILED).stderr)
        self.assertIn("lines is required", self.vitrail("note", expect=EXIT_USAGE).stderr)

    def test_qr_codes(self):
        code = json.loads(self.vitrail("qr", "https://wall.example/remote/", "--place", "0,0,300x300", "--json").stdout)["window"]
        window = self.window(code)
        self.assertEqual((window["title"], window["media"]),
                         ("https://wall.example/remote/", ["qr:https://wall.example/remote/"]))
        eventually(lambda: self.shown(code), "the code is shown")
        self.vitrail("close", code)
        self.vitrail("undo")
        eventually(lambda: "https://wall.example/remote/" in [w["title"] for w in self.state()["windows"]], "it is back")
        self.vitrail("qr", "x" * 301, expect=EXIT_FAILED)
        self.vitrail("qr", expect=EXIT_FAILED)  # the page is for this host only: no phone reaches it

    def test_tickers(self):
        def tickers():
            return [w for w in self.state()["windows"] if w.get("media", [""])[0].startswith("ticker:")]
        width, height = self.state()["wall"]["size"]
        strip = max(16, height // 18)
        number = json.loads(self.vitrail("ticker", "Doors", "open", "--json").stdout)["window"]
        self.assertEqual(self.window(number)["rect"], [0, height - strip, width, strip])
        self.assertEqual((self.window(number)["title"], self.window(number)["media"]), ("Doors open", ["ticker:Doors open"]))
        eventually(lambda: self.shown(number) > 2, "the ticker moves")
        (self.folder / "news.txt").write_text("News")
        self.vitrail("ticker", "news.txt", "--speed", 120)
        eventually(lambda: [w["media"] for w in tickers()] == [[f"ticker:?speed=120?{(self.folder / 'news.txt').resolve()}"]],
                   "the file's ticker replaces the other")
        self.vitrail("ticker", "Above", "--top", "--height", 20)
        self.assertEqual(sorted(w["rect"] for w in tickers()), [[0, 0, width, 20], [0, height - strip, width, strip]])
        self.vitrail("partition", "set", "left", f"0,0,{width // 2}x{height}")
        self.vitrail("ticker", "Left", "--partition", "left")
        self.vitrail("ticker", "Below", "--height", 30)
        eventually(lambda: sorted((w["title"], w["rect"]) for w in tickers()) ==
                   [("Above", [0, 0, width, 20]), ("Below", [0, height - 30, width, 30]), ("Left", [0, height - strip, width // 2, strip])],
                   "the wall's ticker has the new height, and the partition's ticker stays")
        self.vitrail("partition", "rm", "left")
        self.vitrail("ticker", "off")
        self.assertEqual(tickers(), [])
        self.assertIn("there is no ticker", self.vitrail("ticker", "off").stdout)
        self.assertIn("/no/file", self.vitrail("ticker", "/no/file", expect=EXIT_FAILED).stderr)
        self.assertIn("/dev is not a file", self.vitrail("ticker", "/dev", expect=EXIT_FAILED).stderr)
        self.vitrail("ticker", " /dev")
        self.assertEqual([w["media"] for w in tickers()], [["ticker: /dev"]])
        self.vitrail("ticker", "off")
        self.assertIn("'x'", self.vitrail("ticker", "text", "--partition", "x", expect=EXIT_FAILED).stderr)
        self.vitrail("ticker", "text", "--ink", "red", expect=EXIT_USAGE)

    def test_wallpapers_and_logos(self):
        def decorations():
            return [(w["decoration"], w["title"]) for w in self.state()["windows"] if "decoration" in w]
        width, height = self.state()["wall"]["size"]
        film = json.loads(self.vitrail("play", "test:160x90@10", "--json").stdout)["window"]
        place = self.window(film)["rect"]
        back = json.loads(self.vitrail("wallpaper", "test:64x64@10", "--json").stdout)["window"]
        self.assertEqual((self.window(back)["rect"], self.window(back)["muted"]), ([0, 0, width, height], True))
        self.assertIn("crop", self.window(back)["look"], "it covers the wall")
        self.vitrail("logo", "test:32x32@10", "--corner", "bottom-left", "--size", 20)
        self.assertEqual(self.window(film)["rect"], place, "other windows stay")
        order = self.state()["windows"]
        self.assertEqual([w.get("decoration", {}).get("kind") for w in order], ["wallpaper", None, "logo"])
        x, y, _, tall = order[2]["rect"]
        self.assertEqual(x, height - y - tall, "as far from the left as from the bottom")
        eventually(lambda: self.shown(back), "it is shown")
        self.assertIn("wallpaper", self.vitrail("ls").stdout)
        self.vitrail("raise", film)
        self.vitrail("arrange", "grid")
        self.assertEqual(self.window(back)["rect"], [0, 0, width, height])
        self.assertIn("wallpaper", self.vitrail("move", back, 0, 0, expect=EXIT_FAILED).stderr)

        self.vitrail("wallpaper", "test:160x90@10", "--fit", "contain")
        eventually(lambda: decorations() == [({"kind": "wallpaper", "fit": "contain"}, "test:160x90@10"),
                                             ({"kind": "logo", "corner": "bottom-left"}, "test:32x32@10")], "the new one replaces it")
        self.vitrail("undo")
        eventually(lambda: decorations()[0] == ({"kind": "wallpaper"}, "test:64x64@10") and len(decorations()) == 2, "and is undone")
        self.vitrail("close", "all")
        self.assertEqual([w.get("decoration", {}).get("kind") for w in self.state()["windows"]], ["wallpaper", "logo"])
        self.vitrail("wallpaper", "none")
        self.vitrail("logo", "none")
        self.assertEqual(self.state()["windows"], [])
        self.assertIn("there is no wallpaper", self.vitrail("wallpaper", "none").stdout)
        self.assertIn("no source 'x'", self.vitrail("wallpaper", "x", expect=EXIT_FAILED).stderr)
        self.assertIn("'y'", self.vitrail("logo", "test:32x32@10", "--area", "y", expect=EXIT_FAILED).stderr)
        self.vitrail("logo", "none", "--size", 10, expect=EXIT_USAGE)

    def test_play_says_what_cannot_be_played(self):
        result = self.vitrail("play", "missing.mp4", expect=EXIT_FAILED)
        self.assertIn("missing.mp4", result.stderr)
        (self.folder / "text.mp4").write_text("no film")
        self.vitrail("play", "text.mp4", expect=EXIT_FAILED)

    def test_the_codec_changes_while_it_plays(self):
        player, number = self.play("test:640x360@25", "--place", "20,10,320x180")
        self.wait_for_frames(number)
        for codec in ("htj2k:8mbit", "dxt5ycocg:fast", "raw+lz4", "j2k:lossless"):
            self.vitrail("codec", number, codec)

            def changed():
                (window,) = self.state()["windows"]
                return window if window["codec"] == codec.split(":")[0] else None
            window = eventually(changed, f"the window shows {codec}")
            self.assertEqual(window["rect"], [20, 10, 320, 180])
            number = window["window"]
            self.wait_for_frames(number)
        self.assertIn("not a rate", self.vitrail("codec", number, "htj2k:fast", expect=EXIT_USAGE).stderr)
        answer = harness.Control(self.port).call("control", window=number, action="codec", codec="htj2k:fast")
        self.assertEqual(answer["error"]["data"]["name"], "invalid_params")
        self.assertIsNone(player.poll())

    def test_unknown_windows_and_wrong_words(self):
        result = self.vitrail("move", 99, 0, 0, expect=EXIT_FAILED)
        self.assertIn("99", result.stderr)
        self.assertIn("no window has the title", self.vitrail("move", "x", 0, 0, expect=EXIT_FAILED).stderr)
        self.vitrail("resize", 1, "10by10", expect=EXIT_USAGE)
        self.vitrail("mvoe", expect=EXIT_USAGE)

    def test_snapshot_and_stats(self):
        _, number = self.play("test:640x360@30", "--place", "0,0,648x368")
        self.wait_for_frames(number)
        answer = json.loads(self.vitrail("snapshot", "wall.png", "--json").stdout)
        self.assertEqual(answer["missing"], [])
        self.assertEqual({f["window"] for f in answer["frames"]}, {number})
        self.assertEqual(len({f["frame"] for f in answer["frames"]}), 1, "one frame on all tiles")
        self.assertEqual((self.folder / "wall.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn("LATENCY", self.vitrail("stats").stdout)
        lines = self.vitrail("watch", "--json", "--count", 2, "--every", 0.1).stdout.splitlines()
        self.assertEqual(len([json.loads(line) for line in lines]), 2)

    def test_all_programs_know_wall_time(self):
        self.play("test:640x360@30")
        reported = lambda: json.loads(self.vitrail("stats", "clock", "--json").stdout)["peers"]
        eventually(lambda: {p["role"] for p in reported()} == {"receiver", "application"}, "clocks are told")
        for peer in reported():
            self.assertEqual(peer["source"], "manager")
            self.assertLessEqual(abs(peer["offset_us"]), peer["error_us"], "one machine has one clock")
        self.assertIn("DRIFT PPM", self.vitrail("stats", "clock").stdout)
        self.vitrail("watch", "clock", "--csv", "clocks.csv", "--count", 1)
        with open(self.folder / "clocks.csv", encoding="utf-8", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), len(reported()))

    def test_figures_go_into_a_file(self):
        _, number = self.play("test:64x64@10")
        self.wait_for_frames(number)
        for _ in range(2):
            self.vitrail("watch", "--csv", "figures.csv", "--count", 2, "--every", 0.1)
        with open(self.folder / "figures.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len({row["unix_time_s"] for row in rows}), 4, "four looks, one heading")
        self.assertEqual({row["window"] for row in rows}, {str(number)})
        self.assertEqual({row["transport"] for row in rows}, {"tcp"})
        (self.folder / "letter.txt").write_text("Dear Sir or Madam,\n")
        refused = self.vitrail("watch", "--csv", "letter.txt", expect=EXIT_FAILED)
        self.assertIn("other columns", refused.stderr)

    def test_identify(self):
        self.vitrail("wall", "identify")
        before = self.vitrail("snapshot", "names.png") and (self.folder / "names.png").read_bytes()
        self.vitrail("wall", "identify", "--off")
        self.vitrail("snapshot", "plain.png")
        self.assertNotEqual(before, (self.folder / "plain.png").read_bytes())

    def test_prompt_takes_lines(self):
        _, number = self.play("test:64x64@10")
        result = run("vitrail", env=self.env(), stdin=f"ls\nmove {number} 5 6\nquit\nmove {number} 0 0\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("WINDOW", result.stdout)
        self.assertEqual(self.window(number)["rect"][:2], [5, 6])

    def test_down_ends_everything(self):
        player, _ = self.play("test:64x64")
        self.vitrail("down")
        eventually(lambda: self.manager.poll() is not None, "the manager ends")
        self.assertEqual(self.manager.returncode, 0)
        eventually(lambda: player.poll() is not None, "bplay ends")


if __name__ == "__main__":
    unittest.main()
