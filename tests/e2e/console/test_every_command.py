"""Calls every command of `vitrail` and every verb, with every argument, on a real wall and checks the effects. The commands come
from `vitrail --complete` and its help, the verbs from manager/COMMANDS.md: a new one, or a new argument, fails here until it is
called below. Each line is run by a shell, at the prompt and in a script."""

import json
import re
import runpy
import shlex
import subprocess
import time
import unittest

from harness import EXIT_DONE, ROOT, Control, WallTest, run

SIGNATURES = runpy.run_path(str(ROOT / "scripts/python-interface"))["signatures"]
OF_ALL_COMMANDS = {"--colour", "--help", "--json", "--manager", "--name", "--user", "--wall"}
# Tested elsewhere, because it needs more than a wall with two windows: whole commands, or single options.
ELSEWHERE = {
    "playlist play --window": "console/test_playlists.py", "up": "console/test_up.py", "down": "console/test_up.py", "demo": "console/test_demo.py", "lab": "test_lab.py",
    "doctor": "network/test_nodes.py", "status": "network/test_nodes.py", "logs": "network/test_nodes.py", "restart": "network/test_nodes.py", "power": "network/test_power.py", "webhooks": "network/test_webhooks.py",
    "walls": "console/test_walls.py", "copy": "console/test_walls.py", "move --to": "console/test_walls.py",
    "session copy": "console/test_walls.py", "node": "console/test_node_setup.py", "drive": "console/test_drivers.py",
    "speaker-notes": "films/test_documents.py",
    "trace": "test_diagnosis.py", "camera": "films/test_cameras.py", "upload": "console/test_console_upload.py", "films": "films/test_server.py",
    "sound-track": "films/test_sound.py", "iobench": "films/test_storage.py", "impair": "network/test_impair.py", "key": "network/test_users.py", "user": "network/test_users.py",
    "source restore": "films/test_uploads.py", "wall new": "console/test_new_wall.py", "wall check": "console/test_console.py", "wall page": "network/test_page_server.py",
    "play --on": "network/test_nodes.py", "replace --on": "network/test_nodes.py", "play --start-at": "console/test_start_at.py",
    "replace --start-at": "console/test_start_at.py",
    # Separate programs.
    "bridge": "network/test_bridge.py", "cast": "films/test_record.py", "convert": "films/test_convert.py", "mqtt": "console/test_mqtt.py", "point": "console/test_pointer.py", "record": "films/test_record.py",
    "run-x11": "console/test_help.py", "share": "console/test_help.py", "show": "console/test_help.py", "vnc": "console/test_help.py",
    "web": "console/test_help.py", "whip": "console/test_help.py"}
# Verbs that are tested elsewhere, with single parameters and single words of a parameter.
VERBS_ELSEWHERE = {
    "camera_find": "films/test_cameras.py", "camera_move": "films/test_cameras.py", "camera_presets": "films/test_cameras.py",
    "camera_profiles": "films/test_cameras.py", "camera_save": "films/test_cameras.py",
    "speaker_notes": "films/test_documents.py", "drive.action.give": "console/test_drivers.py", "drive.to": "console/test_drivers.py",
    "doctor": "network/test_nodes.py", "films": "films/test_server.py", "invite": "test_python_wall.py",
    "journal_read": "network/test_standby.py", "stand_by": "network/test_standby.py", "receiver_log": "network/test_nodes.py",
    "receiver_restart": "network/test_nodes.py", "power": "network/test_power.py",
    "power_status": "network/test_power.py", "webhooks": "network/test_webhooks.py", "webhooks_report": "network/test_webhooks.py",
    "webhooks_settings": "network/test_webhooks.py", "webhooks_test": "network/test_webhooks.py", "user_add": "network/test_users.py", "user_password": "network/test_users.py",
    "user_remove": "network/test_users.py", "user_salt": "network/test_users.py", "users": "network/test_users.py",
    "opening_close": "../unit/manager/programs/programs_test.cpp", "source_restore": "films/test_uploads.py", "shutdown": "console/test_up.py", "clock": "test_python_wall.py", "trace_read": "test_diagnosis.py",
    "control.action.sound_track": "films/test_sound.py", "play.on": "network/test_nodes.py", "replace.on": "network/test_nodes.py", "play.start_at": "console/test_start_at.py",
    "play.codec": "films/test_carried.py", "replace.codec": "films/test_carried.py", "replace.start_at": "console/test_start_at.py", "play.best_effort": "films/test_server.py", "replace.best_effort": "films/test_server.py"}


class EveryTest(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def setUp(self):
        super().setUp()
        self.pages = []
        for name in ("one", "two", "three"):
            path = self.folder / f"{name}.png"
            subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "1",
                            path], check=True)
            self.pages.append(str(path))
        self.clip("film.mp4", size="64x64", rate=10, extra=("-c:v", "libx264", "-pix_fmt", "yuv420p"))

    @property
    def manager_options(self):
        return ("--state", self.folder / "state")

    def rect(self, name):
        return self.window(self.names[name])["rect"]

    def look(self, name):
        return self.window(self.names[name]).get("look", {})

    def open_windows(self):
        """a and b are test cards; doc is a document of three pages that accepts input."""
        self.names = {}
        with Control(self.port) as control:
            for name, params in (("a", {"media": ["test:160x90@10"], "place": [0, 0, 160, 90]}),
                                 ("b", {"media": ["test:64x64@10"], "place": [400, 0, 64, 64]}),
                                 ("doc", {"media": self.pages, "place": [200, 80, 64, 64]})):
                answer = control.call("play", **params)
                self.assertIn("result", answer)
                self.names[name] = answer["result"]["window"]

    def last(self):
        """The number of the newest window."""
        return max(window["window"] for window in self.state()["windows"])


class EveryCommand(EveryTest):
    # Each line, and a condition that holds after it. {} stands for the windows' numbers.
    LINES = [
        ("move {a} 30 40", lambda t: t.rect("a")[:2] == [30, 40]),
        ("move {a} --by 5 -5", lambda t: t.rect("a")[:2] == [35, 35]),
        ("resize {a} 80x45", lambda t: t.rect("a")[2:] == [80, 45]),
        ("resize {a} 160×90", lambda t: t.rect("a")[2:] == [160, 90]),
        ("place {a} 1,2,160x90 {b} 300,2,64×64", lambda t: t.rect("b") == [300, 2, 64, 64]),
        ("fit {a} c1r1", lambda t: t.rect("a") == [0, 0, 320, 180]),
        ("partition set stage 320,0,160x180", lambda t: t.state()["partitions"][0]["name"] == "stage"),
        ("fit {b} --partition stage --fill", lambda t: t.rect("b") == [320, 0, 160, 180]),
        ("fit {b} --partition stage --stretch", lambda t: t.rect("b") == [320, 0, 160, 180] and not t.look("b")),
        ("fit {b} --partition stage --share", lambda t: t.rect("b")[0] >= 320),
        ("ticker Doors open --partition stage --top --height 20 --speed 90 --ink '#ffff00' --paper '#000060'",
         lambda t: t.rect_of(t.last()) == [320, 0, 160, 20]),
        ("ticker off --partition stage", lambda t: not any(w["title"] == "Doors open" for w in t.state()["windows"])),
        ("wallpaper test:64x64@10 --area stage --fit stretch", lambda t: t.rect_of(t.last()) == [320, 0, 160, 180]),
        ("logo test:32x32@10 --area stage --corner bottom-right --size 50", lambda t: t.rect_of(t.last())[0] > 320),
        ("wallpaper none --area stage", None),
        ("logo none --area stage", lambda t: not any("decoration" in w for w in t.state()["windows"])),
        ("partition ls", None),
        ("partition list", None),
        ("partition rm stage", lambda t: not t.state()["partitions"]),
        ("partition grid 2 1", lambda t: len(t.state()["partitions"]) == 2),
        ("partition clear", lambda t: not t.state()["partitions"]),
        ("swap {a} {b}", lambda t: t.rect("a")[0] >= 320),
        ("undo", lambda t: t.rect("a") == [0, 0, 320, 180]),
        ("redo", lambda t: t.rect("a")[0] >= 320),
        ("history", None),
        ("journal --since 1 --person nobody --window 1 --verb move --count 5", None),
        ("journal --csv", None),
        ("journal --lines", None),
        ("journal --verify", None),
        (f"journal --at @{int(time.time()) + 3600}", None),
        ("raise {a}", lambda t: t.state()["windows"][-1]["window"] == t.names["a"]),
        ("lower {a} {doc}", lambda t: t.state()["windows"][1]["window"] in (t.names["a"], t.names["doc"])),
        ("raise all", None),
        ("maximise {a}", lambda t: t.window(t.names["a"])["maximised"]),
        ("maximise {a} --off", lambda t: not t.window(t.names["a"])["maximised"]),
        ("lock {a} {b}", lambda t: t.window(t.names["b"])["locked"]),
        ("lock all --off", lambda t: not t.window(t.names["b"])["locked"]),
        ("lock {a} {b} on", lambda t: t.window(t.names["a"])["locked"]),
        ("lock {a},{b} off", lambda t: not t.window(t.names["a"])["locked"]),
        ("arrange grid --columns 3", None),
        ("arrange aspect", None),
        ("arrange main --window {a} --area c1r1", None),
        ("rotate {a} 90", lambda t: t.look("a") == {"rotate": 90}),
        ("rotate {a} 0", lambda t: t.look("a") == {}),
        ("flip {a}", lambda t: t.look("a") == {"flip": True}),
        ("flip {a} off", lambda t: t.look("a") == {}),
        ("flip {a} on", lambda t: t.look("a") == {"flip": True}),
        ("flip {a} --off", lambda t: t.look("a") == {}),
        ("opacity {a} 50%", lambda t: t.look("a") == {"opacity": 0.5}),
        ("opacity {a} 1", lambda t: t.look("a") == {}),
        ("crop {a} 8,8,32x16", lambda t: t.look("a") == {"crop": [8, 8, 32, 16]}),
        ("crop {a} all", lambda t: t.look("a") == {}),
        ("stereo {a} anaglyph top-bottom", lambda t: t.look("a")["stereo"] == "anaglyph"),
        ("stereo {a} left side-by-side", lambda t: t.look("a") == {"stereo": "left"}),
        ("stereo {a} right", lambda t: t.look("a") == {"stereo": "right"}),
        ("stereo {a} off", lambda t: t.look("a") == {}),
        ("pause {a} {b}", lambda t: t.paused("a") and t.paused("b")),
        ("resume all", lambda t: not t.paused("a") and not t.paused("b")),
        ("pause 'test:160x90@10'", lambda t: t.paused("a")),
        ("resume {a}", lambda t: not t.paused("a")),
        ("seek {a} 1:30", None),
        ("seek {a} +1:30", None),
        ("pause {a}", lambda t: t.paused("a")),
        ("seek {a} 20", lambda t: t.playback("a", "position_s") == 20),
        ("seek {a} -0:05", lambda t: t.playback("a", "position_s") == 15),
        ("resume {a}", lambda t: not t.paused("a")),
        ("rate {a} 0.5", lambda t: t.playback("a", "rate") == 0.5),
        ("rate {a} 1", lambda t: t.playback("a", "rate") == 1),
        ("loop {a} on", lambda t: t.playback("a", "loop")),
        ("loop {a} off", lambda t: not t.playback("a", "loop")),
        ("loop {a}", lambda t: t.playback("a", "loop")),
        ("loop {a} --off", lambda t: not t.playback("a", "loop")),
        ("volume {a},{b} 50%", lambda t: t.window(t.names["b"])["volume"] == 0.5),
        ("volume all 1", lambda t: "volume" not in t.window(t.names["b"])),
        ("mute {a} {b}", lambda t: t.window(t.names["b"])["muted"]),
        ("mute {a} --others", lambda t: t.window(t.names["b"])["muted"] and "muted" not in t.window(t.names["a"])),
        ("mute all --off", lambda t: "muted" not in t.window(t.names["b"])),
        ("master-volume 25%", lambda t: t.state()["sound"] == {"volume": 0.25, "muted": False}),
        ("master-volume --mute", lambda t: t.state()["sound"]["muted"]),
        ("master-volume 1 --unmute", lambda t: t.state()["sound"] == {"volume": 1, "muted": False}),
        ("page {doc} 3", lambda t: t.playback("doc", "page") == 3),
        ("prev {doc}", lambda t: t.playback("doc", "page") == 2),
        ("next {doc}", lambda t: t.playback("doc", "page") == 3),
        ("next {doc}", lambda t: t.playback("doc", "page") == 3),
        ("page {doc} 1", lambda t: t.playback("doc", "page") == 1),
        ("subtitles {a} off", None), ("subtitles {a} auto", None),
        ("codec {a} dxt1:fast", None),
        ("group pair {a} {b}", lambda t: t.window(t.names["b"])["group"] == "pair"),
        ("group", None),
        ("group pair --dissolve", lambda t: "group" not in t.window(t.names["b"])),
        ("input {doc} key PageDown", lambda t: t.playback("doc", "page") == 2),
        ("input {doc} key PageUp", lambda t: t.playback("doc", "page") == 1),
        ("input {doc} type x", None),
        ("input {doc} click 210 90 --double --button left", None),
        ("input {doc} click 210 90 --button middle", None),
        ("input {doc} drag 210 90 215 95 --button right", None),
        ("input {doc} drag 210 90 215 95 --button left", None),
        ("input {doc} drag 210 90 215 95 --button middle", None),
        ("input {doc} click 210 90 --button right", None),
        ("input {doc} move 210 90", None),
        ("input {doc} wheel 210 90 1 0", None),
        ("input {doc} pinch 210 90 1.5", None),
        ("layout save evening", lambda t: t.state()["layouts"][0]["name"] == "evening"),
        ("layout ls", None),
        ("layout list", None),
        ("move {a} 7 7", None),
        ("layout apply evening", lambda t: t.rect("a")[:2] != [7, 7]),
        ("layout restore evening", None),
        ("layout remove evening", lambda t: not t.state()["layouts"]),
        ("layout save morning", None),
        ("layout rm morning", lambda t: not t.state()["layouts"]),
        ("session save talk", lambda t: any(s["name"] == "talk" for s in t.state()["sessions"])),
        ("session show talk", None),
        ("session ls", None),
        ("session list", None),
        ("blank", lambda t: t.state()["blank"]),
        ("blank off", lambda t: not t.state()["blank"]),
        ("blank on", lambda t: t.state()["blank"]),
        ("blank --off", lambda t: not t.state()["blank"]),
        ("blank --text 'back at 11:15'", lambda t: t.state()["blank_text"] == "back at 11:15"),
        ("blank {a} --area 0,0,20x10 --area 30,0,20x10 --text soon",
         lambda t: len(t.state()["blank_areas"]) == 2 and t.window(t.names["a"])["blank"] == {"text": "soon"}),
        ("unblank --area 0,0,20x10", lambda t: len(t.state()["blank_areas"]) == 1),
        ("unblank {a}", lambda t: "blank" not in t.window(t.names["a"]) and t.state()["blank"]),
        ("blank {a} --picture test:64x64@10", lambda t: t.rect_of(t.last()) == t.rect("a")),
        ("blank --in c1r1", lambda t: len(t.state()["blank_areas"]) == 2),
        ("unblank --in c1r1", lambda t: len(t.state()["blank_areas"]) == 1),
        ("unblank", lambda t: not t.state()["blank"] and not t.state()["blank_areas"]),
        ("label {a} 'now: {{title}}' --place top",
         lambda t: t.window(t.names["a"])["label"] == {"text": "now: {title}", "place": "top"}),
        ("label all on", lambda t: t.window(t.names["b"])["label"] == {"text": "{title}", "place": "bottom"}),
        ("label {a} --place bottom", lambda t: t.window(t.names["a"])["label"]["place"] == "bottom"),
        ("annotate line 10,10 60,40 --window {a} --width 4 --opacity 0.4", lambda t: t.window(t.names["a"])["strokes"] == 1),
        ("annotate arrow 20,10 60,50 --window {b} --picture-pixels --width 4 --opacity 0.4",
         lambda t: t.window(t.names["b"])["strokes"] == 1),
        ("annotate line 10,10 20,20 30,10", lambda t: t.state()["strokes"] == 1),
        ("annotate text 4,4 Exit 'on the left' --window {a} --picture-pixels --size 8 --opacity 0.5", lambda t: t.window(t.names["a"])["strokes"] == 2),
        ("undo", lambda t: t.window(t.names["a"])["strokes"] == 1),
        ("annotate erase 20,15 20,25 --window {a} --width 4",
         lambda t: t.state()["strokes"] == 0 and "strokes" not in t.window(t.names["a"]) and t.window(t.names["b"])["strokes"] == 1),
        ("annotate line 10,10 60,40 --window {a} --picture-pixels", lambda t: t.window(t.names["a"])["strokes"] == 1),
        ("annotate line 10,10 20,20 30,10", lambda t: t.state()["strokes"] == 1),
        ("annotate clear {a}", lambda t: "strokes" not in t.window(t.names["a"]) and t.state()["strokes"] == 1),
        ("annotate clear", lambda t: t.state()["strokes"] == 0),
        ("label all off", lambda t: "label" not in t.window(t.names["a"])),
        ("freeze {a} --mute", lambda t: t.window(t.names["a"])["frozen"] == {"mute": True}),
        ("freeze", lambda t: t.window(t.names["b"])["frozen"] == {"mute": False}),
        ("unfreeze {a}", lambda t: "frozen" not in t.window(t.names["a"]) and "frozen" in t.window(t.names["b"])),
        ("freeze off", lambda t: "frozen" not in t.window(t.names["b"])),
        ("freeze on", lambda t: "frozen" in t.window(t.names["b"])),
        ("unfreeze", lambda t: "frozen" not in t.window(t.names["b"])),
        ("overlay on", lambda t: t.state()["overlay"]),
        ("overlay --off", lambda t: not t.state()["overlay"]),
        ("overlay", lambda t: t.state()["overlay"]),
        ("overlay off", lambda t: not t.state()["overlay"]),
        ("wall calibrate grid --seconds 60", lambda t: t.state()["calibrate"] == "grid"),
        ("wall calibrate off", lambda t: t.state()["calibrate"] == "off"),
        ("wall identify --seconds 60", lambda t: t.state()["identify"]),
        ("wall identify off", lambda t: not t.state()["identify"]),
        ("wall identify on", lambda t: t.state()["identify"]),
        ("wall identify --off", lambda t: not t.state()["identify"]),
        ("pointer 5 6 --pressed --pointer 3 --seconds 0", None),
        ("pointer 5 6 --style laser --seconds 0", None),
        ("pointer 5 6 --style spotlight --window {a} --seconds 0", None),
        ("pointer 5 6 --style magnifier --factor 4 --seconds 0", None),
        ("pointer --off", None),
        ("clients", None),
        ("ls", None),
        ("list", None),
        ("why", None),
        ("why {a} {b}", None),
        ("stats", None),
        ("stats {a} {b}", None),
        ("stats clock", None),
        ("stats memory", None),
        ("watch --every 0.1 --count 1 --csv figures.csv", lambda t: (t.folder / "figures.csv").exists()),
        ("watch clock --every 0.1 --count 1 --csv clocks.csv", lambda t: (t.folder / "clocks.csv").exists()),
        ("snapshot wall.png", lambda t: (t.folder / "wall.png").exists()),
        ("snapshot wall.jpg", lambda t: (t.folder / "wall.jpg").read_bytes()[:2] == b"\xff\xd8"),
        ("source ls card --kind test --count 1 --offset 1", None),
        ("source ls --kind file", None), ("source ls --kind url", None), ("source ls --kind command", None),
        ("source list --kind application", None),
        ("source save rtsp://camera.example/door --title Door", lambda t: t.sources("Door")),
        ("source rename url/rtsp://camera.example/door Gate", lambda t: t.sources("Gate")),
        ("source rm url/rtsp://camera.example/door", lambda t: not t.sources("Gate")),
        ("source bin", None),
        ("source save rtsp://camera.example/door", None),
        ("source remove url/rtsp://camera.example/door", lambda t: not t.sources("door")),
        ("completion bash", None), ("completion fish", None), ("completion zsh", None),
        ("run --keep-going lines", None),
        ("sleep 0", None),
        ("wait settled 20", None),
        ("wait window test:160 20", None),
        ("wait frames 1 {a} 20", None),
        ("play test:64x64@10 --place 10,10,100x100 --volume 50% --loop --rate 2 --fps 20 --start 0:01 "
         "--transport tcp --mtu 1400 --delay-ms 50 --fallback card --subtitles off "
         "--deinterlace off --missing stop --sound-track 1", lambda t: t.rect_of(t.last()) == [10, 10, 100, 100]),
        ("play test:64x64@10 --at 100,100 --at-end hold --transport udp", lambda t: t.window(t.last())["transport"] == "udp"),
        ("play test:64x64@10 --at-end loop --group three", lambda t: t.window(t.last())["group"] == "three"),
        ("play test:64x64@10 --at-end close", None),
        ("play film.mp4 --codec carried", lambda t: t.window(t.last())["codec"] == "h264"),
        ("play --source test/1280x720@60", None),
        ("pause all", None),
        ("play one.png two.png --in-turn", lambda t: t.window(t.last()).get("playback", {}).get("pages") == 2),
        ("replace {b} test:64x48@10 --volume 50% --loop --rate 2 --fps 20 --start 0:01 --transport tcp --mtu 1400 "
         "--delay-ms 50 --fallback card --subtitles 1 --deinterlace frame --missing black --sound-track all", lambda t: t.replaced("b")),
        ("replace {b} --source test/1280x720@60 --at-end hold --transport udp", lambda t: t.replaced("b")),
        ("replace {b} test:64x64@10 --at-end loop --group three", lambda t: t.replaced("b")),
        ("replace {b} film.mp4 --codec carried", lambda t: t.replaced("b")),
        ("replace {b} one.png two.png", lambda t: t.replaced("b") and t.playback("b", "pages") == 2),
        ("replace {b} test:64x64@10 --at-end close", lambda t: t.replaced("b")),
        ("note 'two words' line --place 5,5,100x50", lambda t: t.rect_of(t.last()) == [5, 5, 100, 50]),
        ("clock Europe/Paris UTC", lambda t: sum("Paris" in w["title"] or "UTC" in w["title"]
                                                 for w in t.state()["windows"]) == 2),
        ("clock --place 5,5,60x40", None),
        ("qr 'a text' --place 5,5,60x60", lambda t: t.window(t.last())["title"] == "a text"),
        ("close {a}", lambda t: t.window(t.names["a"]) is None),
        ("scene show talk", lambda t: len(t.state()["windows"]) == 3),
        ("scene preview talk --area c1r1", None),
        ("scene show talk --area c1r1 --fade 0.1", None),
        ("scene show talk --area 0,0,9000x9000", lambda t: len(t.state()["windows"]) == 3),
        ("event rules rules.json", None), ("event rules", None),
        ("event test rules.json door zone=3", None),
        ("event ls", None), ("event list", None),
        ("schedule check schedule.json --count 2", None),
        ("schedule add --file schedule.json", None),
        ("schedule add show --start 2100-01-01T08:00 --end 2100-01-01T18:00 --rule FREQ=DAILY --except 2100-01-02 "
         "--zone Europe/Berlin --scene talk --area c1r1 --priority 2 --skip-missed", None),
        ("schedule add dark --start 2100-01-01T20:00 --zone UTC --do 'blank {{\"text\":\"closed\"}}'", None),
        ("schedule add long --start 2100-01-01T20:00 --zone UTC --scene talk --duration 8:00:00", None),
        ("schedule", None), ("schedule ls", None), ("schedule list", None), ("schedule next --count 3", None),
        ("schedule remove show", None), ("schedule rm long", None),
        ("event start door zone=3 --id north", lambda t: t.last_entry().startswith("event 'door'")),
        ("event clear door --id north", lambda t: t.last_entry().startswith("no event")),
        ("event start door zone=3 --id south", lambda t: t.last_entry().startswith("event 'door'")),
        ("event acknowledge door --id south", lambda t: t.last_entry().startswith("no event")),
        ("tour start gates test:64x64@10 test:64x36@10 test:32x32@10 --cells 2x1 --every 1:00 --area 0,0,320x180",
         lambda t: sum(w["title"].startswith("test:") for w in t.state()["windows"]) >= 2),
        ("tour next gates", None), ("tour previous gates", None), ("tour hold gates", None), ("tour go gates", None),
        ("rights set rights.json", None), ("rights ls", None), ("rights list", None),
        ("rights lock scene talk", None), ("rights unlock scene talk", None),
        ("tour ls", None), ("tour list", None), ("tour stop gates", None),
        ("playlist save lobby test:64x64@10 test:32x32@10 --seconds 1:00", None),
        ("playlist add lobby test:64x36@10 --seconds 1:00", None), ("playlist show lobby", None),
        ("playlist move lobby 1 3", None), ("playlist remove lobby 3", None),
        ("playlist play lobby --area 0,0,320x180 --loop --start-at 2 --seconds 1:00", None),
        ("playlist next lobby", None), ("playlist previous lobby", None), ("playlist hold lobby", None), ("playlist go lobby", None),
        ("playlist play lobby --shuffle", None), ("playlist stop lobby", None),
        ("playlist rm lobby 1", None), ("playlist ls", None), ("playlist list", None), ("playlist delete lobby", None),
        ("session restore talk", lambda t: len(t.state()["windows"]) == 3),
        ("session apply talk", lambda t: len(t.state()["windows"]) == 3),
        ("session rm talk", None),
        ("session save monday", None),
        ("session remove monday", lambda t: not any(s["name"] == "monday" for s in t.state()["sessions"])),
        ("close all", lambda t: not t.state()["windows"]),
    ]

    def rect_of(self, number):
        return self.window(number)["rect"]

    def playback(self, name, field):
        return self.window(self.names[name])["playback"][field]

    def last_entry(self):
        """The newest entry of the history."""
        return self.state()["history"]["entries"][-1]["what"]

    def paused(self, name):
        return self.playback(name, "paused")

    def sources(self, words):
        with Control(self.port) as control:
            return [s for s in control.call("sources", search=words, kind="url")["result"]["sources"]]

    def replaced(self, name):
        """Whether the newest window replaced this one. From then on, `name` stands for the newest window."""
        former, self.names[name] = self.names[name], self.last()
        return self.window(self.names[name]) and former != self.names[name]

    # --- the commands that exist

    @staticmethod
    def typed(path):
        """The command's words, with the arguments that must stand between them."""
        return ("input", "1", *path[1:]) if path[:1] == ("input",) else path

    def words(self, *words):
        return run("vitrail", "--complete", *words, env=self.env()).stdout.split()

    def usage(self, path):
        return re.search(r"Usage: vitrail .*?\[OPTIONS\](.*)", run("vitrail", *self.typed(path), "--help").stdout)[1].split()

    def commands(self, *path):
        """Yields each command's path, its options, and its number of arguments."""
        for word in self.words(*self.typed(path), ""):
            here = (*path, word)
            if " ".join(here) in ELSEWHERE:
                continue
            usage = self.usage(here)
            if "SUBCOMMAND" in usage or "[SUBCOMMAND]" in usage:
                yield from self.commands(*here)
            if "SUBCOMMAND" not in usage:
                options = {option for option in self.words(*self.typed(here), "--") if option.startswith("--")}
                yield here, options - OF_ALL_COMMANDS, sum("SUBCOMMAND" not in word for word in usage)

    def called(self, path):
        """The words after a command in each line that calls it; for `input`, the window number comes between."""
        for line, _ in self.LINES:
            words = shlex.split(line)
            if path[0] == "input":
                del words[1:2]
            if tuple(words[:len(path)]) == path:
                yield words[len(path):] + (["window"] if path[0] == "input" else [])

    def test_all_are_called_with_all_that_they_take(self):
        self.assertGreater(len(list(self.commands())), 60)
        for path, options, arguments in self.commands():
            lines = list(self.called(path))
            name = " ".join(path)
            self.assertTrue(lines, f"`vitrail {name}` is called by no line of this test")
            given = {word for words in lines for word in words}
            missing = {option for option in options if f"{name} {option}" not in ELSEWHERE} - given
            self.assertFalse(missing, f"no line calls `vitrail {name}` with these")
            most = max(sum(not word.startswith("--") for word in words) for words in lines)
            self.assertGreaterEqual(most, arguments, f"no line calls `vitrail {name}` with all of its arguments")
        for file in {*ELSEWHERE.values(), *VERBS_ELSEWHERE.values()}:
            self.assertTrue((ROOT / "tests/e2e" / file).exists(), file)

    # --- calls

    def shell(self, line):
        return run("vitrail", *shlex.split(line), env=self.env(), cwd=self.folder)

    def prompt(self, line):
        return run("vitrail", env=self.env(), cwd=self.folder, stdin=line + "\n")

    def script(self, line):
        return run("vitrail", "run", "-", env=self.env(), cwd=self.folder, stdin=line + "\n")

    def call_all_by(self, way):
        (self.folder / "lines").write_text("ls\n")
        (self.folder / "rules.json").write_text(json.dumps([{"event": "door", "when": {"zone": 3}, "scene": "talk", "acknowledge": True}]))
        (self.folder / "rights.json").write_text(json.dumps([{"source": "vault", "who": ["user/ann"], "may": ["show"]}]))
        (self.folder / "schedule.json").write_text(json.dumps(
            [{"name": "day", "zone": "UTC", "start": "2100-01-01T08:00", "end": "2100-01-01T18:00", "scene": "talk"}]))
        self.open_windows()
        for line, holds in self.LINES:
            filled = line.format(**self.names)
            result = way(filled)
            self.assertEqual(result.returncode, EXIT_DONE, f"{filled}\n{result.stdout}{result.stderr}")
            if holds:
                self.assertTrue(self.comes_true(holds), filled)

    def comes_true(self, holds):
        """Whether the condition becomes true, within the time that an application needs."""
        for _ in range(200):
            if holds(self):
                return True
            self.vitrail("sleep", 0.02)
        return False

    def test_from_a_shell(self):
        self.call_all_by(self.shell)

    def test_at_the_prompt(self):
        self.call_all_by(self.prompt)

    def test_in_a_script(self):
        self.call_all_by(self.script)


A, B, DOC, LAST = "{a}", "{b}", "{doc}", "{last}"  # stand for the windows' numbers


CARD = {"media": ["test:64x64@10"]}
EMPTY_SESSION = {"vitrail": "session", "version": 1, "saved_at": 1, "wall_size": [64, 64], "windows": [], "partitions": []}
WHAT = [{**CARD, "fps": 20, "start": 1, "rate": 2, "volume": 1, "transport": "tcp", "delay_ms": 50, "mtu": 1400, "at_end": "hold"},
        {**CARD, "transport": "udp", "at_end": "loop"}, {**CARD, "at_end": "close"}, {**CARD, "loop": True},
        {**CARD, "fallback": "card"}, {**CARD, "subtitles": "off"}, {**CARD, "sound_track": "1"},
        *({**CARD, "deinterlace": how} for how in ("auto", "off", "frame", "field")), *({**CARD, "missing": how} for how in ("hold", "black", "stop")), {**CARD, "group": "g"}, {"source": "test/1280x720@60"},
        {"sources": ["test/1280x720@60", "test/1920x1080@30"]}]


class EveryVerb(EveryTest):
    """Each verb is called successfully with each argument, and with each word that an argument may be."""

    CALLS = [
        ("move", {"window": A, "x": 1, "y": 2, "gesture": "g"}), ("move", {"window": A, "dx": 1, "dy": 2}),
        ("resize", {"window": A, "width": 80, "height": 45, "gesture": "g"}),
        ("place", {"windows": [{"window": A, "rect": [0, 0, 160, 90]}], "front": True, "gesture": "g"}),
        ("partition", {"action": "set", "name": "stage", "rect": [320, 0, 160, 180]}),
        ("fit", {"window": A, "tile": "c1r1", "fill": True, "gesture": "g"}),
        ("fit", {"window": A, "tile": "c1r1", "stretch": True}),
        ("fit", {"window": A, "partition": "stage", "share": True}),
        ("rights_lock", {"partition": "stage"}), ("rights_lock", {"partition": "stage", "on": False}),
        ("partition", {"action": "remove", "name": "stage"}), ("partition", {"action": "grid", "columns": 2, "rows": 1}),
        ("partition", {"action": "clear"}),
        *(("wallpaper", {"source": "test:64x64@10", "area": "c1r1", "fit": fit}) for fit in ("cover", "contain", "stretch")),
        ("wallpaper", {"on": False, "area": "c1r1"}),
        *(("logo", {"source": "test:64x64@10", "area": "c1r1", "corner": corner, "size": 0.2})
          for corner in ("top-left", "top-right", "bottom-left", "bottom-right")),
        ("logo", {"on": False, "area": "c1r1"}), ("swap", {"window": A, "other": B}),
        ("lock", {"window": A, "on": True}), ("lock", {"window": A, "on": False}), ("maximise", {"window": A, "on": True}),
        ("maximise", {"window": A, "on": False}), ("raise", {"window": A}), ("raise", {"windows": [A, B]}),
        ("lower", {"window": A}), ("lower", {"windows": [A, B]}), ("undo", {}), ("redo", {}), ("history", {}),
        ("journal", {"since": 1, "person": "a", "window": A, "verb": "move", "before": 9, "count": 5}),
        ("journal", {"before": 9, "verify": True}), ("journal", {"at": 9e10}),
        ("look", {"window": A, "stereo": "left", "halves": "side-by-side"}), ("look", {"window": A, "stereo": "right"}),
        ("look", {"window": A, "stereo": "anaglyph", "halves": "top-bottom"}), ("look", {"window": A, "stereo": "off"}),
        ("look", {"window": A, "crop": [0, 0, 16, 16], "rotate": 90, "flip": True, "opacity": 0.5, "gesture": "g"}),
        ("look", {"window": A, "whole": True, "rotate": 0, "flip": False, "opacity": 1}),
        ("arrange", {"mode": "grid", "columns": 2, "area": "c1r1"}), ("arrange", {"mode": "aspect"}),
        ("arrange", {"mode": "main", "window": A}), ("find_places", {"sizes": [[16, 9]], "at": [10, 10]}),
        *(("control", {"window": A, "action": action, **more}) for action, more in
          [("pause", {}), ("resume", {}), ("seek", {"value": 1}), ("rate", {"value": 1}), ("loop", {"value": 1}),
           ("volume", {"value": 1}), ("subtitles", {"value": 0}),
           ("codec", {"codec": "dxt1:fast"})]),
        *(("control", {"window": DOC, "action": "page", "value": page}) for page in (1, 1.0)),
        ("sound", {"window": A, "volume": 0.5, "muted": True, "gesture": "g"}), ("sound", {"window": A, "solo": True}),
        ("master_volume", {"volume": 0.5, "muted": True}), ("master_volume", {"volume": 1, "muted": False}),
        ("group", {"name": "pair", "windows": [A]}), ("groups", {}), ("group", {"name": "", "windows": [A]}),
        *(("input", {"window": DOC, "type": kind, "at": [210, 90], **more}) for kind, more in
          [("enter", {}), ("move", {"buttons": 1}), ("down", {"button": 0, "buttons": 1}), ("up", {"button": 0}),
           ("wheel", {"wheel": [0, 1]}), ("pinch", {"scale": 1.5}), ("touch_down", {"touch": 1}), ("touch_move", {"touch": 1}),
           ("touch_up", {"touch": 1})]),
        ("input", {"window": DOC, "type": "leave"}), ("input", {"window": DOC, "type": "key_down", "key": "a", "modifiers": 1}),
        ("input", {"window": DOC, "type": "key_up", "key": "a"}),
        ("drive", {"window": DOC, "action": "take"}), ("drive", {"window": DOC, "action": "release"}),
        ("pointer", {"at": [1, 1], "pressed": True, "pointer": 3}), ("pointer", {"hidden": True, "pointer": 3}),
        *(("pointer", {"at": [1, 1], "style": style}) for style in ("arrow", "laser", "spotlight", "magnifier")),
        ("pointer", {"at": [1, 1], "style": "magnifier", "factor": 8}), ("pointer", {"at": [1, 1], "style": "spotlight", "window": A}),
        ("identify", {"on": True, "seconds": 60}), ("overlay", {"on": True}), ("blank", {"on": True}),
        ("blank", {"on": True, "text": "soon", "windows": [A], "areas": [[0, 0, 20, 10]]}), ("blank", {"on": True, "source": "test:64x64@10", "area": "c1r1"}), ("blank", {"on": False}),
        ("label", {"window": A, "on": True, "text": "{clock}", "place": "top"}), ("label", {"windows": [A], "place": "bottom"}),
        ("label", {"window": A, "on": False}),
        ("annotate", {"points": [[1, 1], [99, 9]], "window": A, "arrow": True, "colour": "#00ff00", "width": 3, "opacity": 0.5}),
        ("annotate", {"points": [[1, 1]], "window": A, "pixels": "window", "text": ["Exit", "left"], "size": 12}),
        ("annotate", {"points": [[1, 1], [9, 9]], "pixels": "wall"}),
        ("annotate_erase", {"points": [[1, 1], [9, 9]], "windows": [A], "width": 3}),
        ("annotate_clear", {"windows": [A]}),
        ("freeze", {"on": True, "windows": [A], "mute": True}), ("freeze", {"on": False}),
        *(("calibrate", {"pattern": pattern, "seconds": 60})
          for pattern in ("ramp", "white", "red", "green", "blue", "grid", "off")),
        ("watch_levels", {"on": True}), ("watch_levels", {"on": False}),
        ("watch_thumbnails", {"windows": "all", "width": 64, "per_second": 1}), ("watch_thumbnails", {"windows": [A]}),
        ("subscribe", {"figures": True, "pointers": True, "drawings": True}), ("list", {"skip": 1}), ("stats", {"window": A}), ("stats", {"skip": 1}),
        ("why", {"window": A}), ("clocks", {}), ("memory", {}), ("snapshot", {}), ("trace", {"seconds": 0.01}),
        ("layout_save", {"name": "l"}), ("layouts", {}), ("layout_apply", {"name": "l"}), ("layout_remove", {"name": "l"}),
        ("session_save", {"name": "s"}), ("sessions", {}), ("session_get", {"name": "s"}),
        ("session_put", {"name": "empty", "session": EMPTY_SESSION}), ("session_remove", {"name": "empty"}), ("session_restore", {"name": "s"}),
        *((verb, {"name": "s", **area}) for verb in ("scene_preview", "scene_show")
          for area in ({"area": "c1r1"}, {"rect": [0, 0, 64, 64]})),
        ("scene_show", {"name": "s", "fade": 0.1}),
        ("rights_set", {"rules": [{"source": "vault", "who": ["user/ann"], "may": ["show"]}]}), ("rights", {}),
        ("rights_lock", {"scene": "s"}), ("rights_lock", {"scene": "s", "on": False}),
        ("session_remove", {"name": "s"}),
        *(("sources", {"kind": kind}) for kind in ("file", "url", "command", "application")),
        ("sources", {"search": "card", "kind": "test", "offset": 0, "count": 1}), ("source_bin", {}),
        *(("sources", {"folder": "media1", "order": order}) for order in ("name", "newest", "largest", "longest")),
        ("sources", {"ids": ["test/1280x720@60"]}),
        ("source_save", {"url": "rtsp://camera.example/door", "title": "Door"}),
        ("source_rename", {"source": "url/rtsp://camera.example/door", "name": "Gate"}),
        ("source_remove", {"source": "url/rtsp://camera.example/door"}),
        # Only one player runs at a time.
        ("play", {"source": "test/1280x720@60", "place": [0, 0, 64, 64]}),
        *(("replace", {"window": LAST, **what}) for what in WHAT), ("close", {"window": LAST}),
        *(call for what in ({"source": "test/1280x720@60", "within": [0, 0, 64, 64]}, *WHAT, {**CARD, "at": [100, 100]})
          for call in (("play", what), ("close", {"windows": [LAST]}))),
        *(call for area in ({"area": "c1r1"}, {"rect": [0, 0, 64, 64]})
          for call in (("tour_start", {"name": "gates", "sources": ["test:64x64@10", "test:32x32@10"], "columns": 2, "rows": 1,
                                       "every_s": 60, **area}), ("tour_list", {}),
                       *(("tour_control", {"name": "gates", "action": action}) for action in ("hold", "go", "next", "previous")),
                       ("tour_stop", {"name": "gates"}))),
        ("playlist_save", {"name": "lobby", "items": [{"source": "test:64x64@10", "seconds": 60}]}),
        ("playlist_add", {"name": "lobby", "items": [{"source": "test:32x32@10"}]}), ("playlist_move", {"name": "lobby", "item": 1, "to": 2}),
        ("play", {**CARD, "place": [0, 0, 64, 64]}), ("playlist_play", {"name": "lobby", "window": LAST, "seconds": 60, "start_at": 2}),
        ("playlist_play", {"name": "lobby", "area": "c1r1", "loop": True}),
        ("playlist_play", {"name": "lobby", "rect": [0, 0, 64, 64], "shuffle": True}), ("tour_stop", {"name": "lobby"}),
        ("playlist_remove", {"name": "lobby", "item": 1}), ("playlist_get", {"name": "lobby"}), ("playlist_list", {}),
        ("playlist_delete", {"name": "lobby"}),
        # Last, because an event may hide windows.
        ("session_save", {"name": "alarm"}),
        ("event_rules", {"rules": [{"event": "door", "scene": "alarm", "acknowledge": True}]}), ("event_rules", {}), ("event_list", {}),
        ("event_start", {"name": "door", "id": "north", "payload": {"zone": 3}}), ("event_acknowledge", {"name": "door", "id": "north"}),
        ("event_start", {"name": "door", "id": "south"}), ("event_clear", {"name": "door", "id": "south"}),
        ("schedule_add", {"entries": [{"name": "night", "zone": "UTC", "start": "2100-01-01T20:00", "do": [{"verb": "blank"}]}]}),
        ("schedule_list", {}), ("schedule_next", {"count": 1}), ("schedule_remove", {"name": "night"}),
    ]

    def test_all_are_called_with_all_that_they_take(self):
        for verb, parameters in SIGNATURES().items():
            calls = [params for called, params in self.CALLS if called == verb]
            self.assertTrue(calls or verb in VERBS_ELSEWHERE, f"'{verb}' is called by no line of this test")
            for name, kind, _ in parameters if calls else []:
                values = [params[name] for params in calls if name in params]
                self.assertTrue(values or f"{verb}.{name}" in VERBS_ELSEWHERE, f"no line calls '{verb}' with '{name}'")
                for word in re.findall(r'"([^"]+)"', kind):
                    if f"{verb}.{name}.{word}" in VERBS_ELSEWHERE:
                        continue
                    self.assertIn(word, values, f"no line calls '{verb}' with this '{name}'")

    def named(self, value):
        if isinstance(value, list):
            return [self.named(one) for one in value]
        if isinstance(value, dict):
            return {key: self.named(one) for key, one in value.items()}
        if value == LAST:
            return self.last()
        return self.names[value.strip("{}")] if value in (A, B, DOC) else value

    def test_each_is_done(self):
        self.open_windows()
        with Control(self.port) as control:
            for verb, params in self.CALLS:
                answer = control.call(verb, **self.named(params))
                self.assertIn("result", answer, (verb, params, answer))


if __name__ == "__main__":
    unittest.main()
