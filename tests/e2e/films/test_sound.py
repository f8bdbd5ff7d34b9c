"""The sound of films on the wall: SDL's "disk" driver writes a receiver's output to a file."""

import array
import json
import os
import subprocess
import unittest

from harness import EXIT_FAILED, Control, WallTest, eventually, run

TAIL_BYTES = 4 * 4800  # the last twentieth of a second


class SoundTest(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    wall_keys = {"audio": {"receiver": "node1"}}
    driver = "disk"

    def env(self, **more):
        return super().env(SDL_AUDIODRIVER=self.driver, SDL_DISKAUDIOFILE=str(self.folder / "heard.raw"), **more)

    def loudness(self):
        heard = self.folder / "heard.raw"
        if not heard.exists() or heard.stat().st_size < TAIL_BYTES:
            return -1
        whole = heard.stat().st_size // 4 * 4
        with heard.open("rb") as file:
            file.seek(whole - TAIL_BYTES)
            return max(array.array("f", file.read(TAIL_BYTES)))

    def heard(self, loudness, what):
        eventually(lambda: abs(self.loudness() - loudness) < 0.01, what)

    def film(self):
        clip = self.folder / "sound.mkv"
        tone = "aevalsrc=0.4*sin(2*PI*500*t)|0.4*sin(2*PI*500*t):s=44100"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=10",
                        "-f", "lavfi", "-i", tone, "-t", "30", "-c:a", "pcm_s16le", clip], check=True)
        return clip

    def film_with_tracks(self):
        """Two sound tracks, of amplitude 0.4 and 0.2, and two of subtitles, of one line and of three."""
        for lines in (1, 3):
            text = "\n".join(["WWWWWW"] * lines)
            (self.folder / f"{lines}.srt").write_text(f"1\n00:00:00,000 --> 00:01:00,000\n{text}\n")
        tones = [f"aevalsrc={a}*sin(2*PI*500*t)|{a}*sin(2*PI*500*t):s=48000" for a in (0.4, 0.2)]
        film = self.folder / "tracks.mkv"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "color=black:size=320x180:rate=10",
                        "-f", "lavfi", "-i", tones[0], "-f", "lavfi", "-i", tones[1],
                        "-i", self.folder / "1.srt", "-i", self.folder / "3.srt",
                        *(word for track in range(5) for word in ("-map", str(track))), "-t", "30", "-c:a", "flac",
                        "-disposition:a:0", "default", "-metadata:s:a:1", "language=ger",
                        "-metadata:s:s:1", "title=Large", film], check=True)
        return film


class Sound(SoundTest):
    def test_meters_tell_how_loud_a_window_is(self):
        _, number = self.play("--loop", self.film())
        self.vitrail("volume", number, 0.5)
        with Control(self.port) as control:
            self.assertIn("result", control.call("watch_levels", on=True))

            def is_measured():
                message = control.receive()
                self.assertIsNotNone(message)
                if message.get("method") != "levels" or not message["params"]["windows"]:
                    return False
                (level,) = message["params"]["windows"]
                self.assertEqual(level["window"], number)
                # The amplitude of the tone is 0.4.
                return abs(level["peak"] - 0.2) < 0.01 and abs(level["rms"] - 0.2 / 2 ** 0.5) < 0.01

            eventually(is_measured, "half of the tone")
        eventually(lambda: "SOUND" in self.vitrail("stats").stdout, "so do the statistics")

    def test_a_film_is_heard_as_people_wish(self):
        _, number = self.play("--loop", self.film())
        self.heard(0.4, "its tone")
        self.vitrail("pause", number)
        self.heard(0, "a pause")
        self.vitrail("resume", number)
        self.heard(0.4, "it goes on")
        self.vitrail("seek", number, 20)
        self.heard(0.4, "elsewhere")
        self.vitrail("rate", number, 2)
        self.heard(0, "nothing at another speed")
        self.vitrail("rate", number, 1)
        self.vitrail("volume", number, 0.5)
        self.heard(0.2, "half as loud")
        eventually(lambda: self.window(number)["playback"]["volume"] == 0.5, "the player knows")
        self.vitrail("mute", number)
        self.heard(0, "nothing")
        self.assertTrue(self.window(number)["muted"])
        self.vitrail("undo")
        self.heard(0.2, "again")
        with Control(self.port) as control:
            self.assertIn("result", control.call("input", window=number, type="key_down", key="ArrowUp"))
        eventually(lambda: abs(self.window(number)["volume"] - 0.55) < 0.001, "keys of the player count, too")
        self.heard(0.22, "and are heard")
        stats = json.loads(self.vitrail("stats", "--json").stdout)
        self.assertNotIn("trouble", stats["receivers"][0]["stats"]["sound"])

    def white(self):
        """The number of bright pixels of the wall."""
        self.vitrail("snapshot", self.folder / "wall.png")
        grey = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.folder / "wall.png", "-f", "rawvideo",
                               "-pix_fmt", "gray", "-"], capture_output=True, check=True).stdout
        return sum(pixel > 180 for pixel in grey)

    def test_tracks_are_chosen_while_a_film_plays(self):
        _, number = self.play("--loop", "--place", "0,0,320x180", self.film_with_tracks())

        def window():
            return (self.state()["windows"] or [{}])[0]

        def tracks():
            return window().get("playback", {}).get("tracks", {})
        self.heard(0.4, "the first track")
        eventually(lambda: tracks().get("sound") == 1, "it is told")
        self.assertEqual(tracks()["sounds"][1],
                         {"language": "ger", "format": "flac", "channels": 2, "layout": "stereo"})
        self.assertEqual([track.get("title", "") for track in tracks()["subtitles"]], ["", "Large"])
        self.assertEqual(tracks()["subtitle"], -1)
        self.assertEqual(self.white(), 0)
        stream = window()["stream"]

        self.vitrail("sound-track", number, 2)
        self.heard(0.2, "the second track")
        eventually(lambda: tracks()["sound"] == 2, "it is told")
        self.vitrail("subtitles", number, 1)
        small = eventually(self.white, "the first subtitles")
        self.vitrail("subtitles", number, 2)
        eventually(lambda: self.white() > 2 * small, "the second ones")
        self.assertEqual(tracks()["subtitle"], 2)
        self.vitrail("subtitles", number, "auto")
        eventually(lambda: self.white() == 0, "none is forced")
        self.assertEqual(window()["stream"], stream, "the window was not opened again")

        refused = self.vitrail("sound-track", number, 3, expect=EXIT_FAILED)
        self.assertIn("has no sound track 3: its last one is 2", refused.stdout + refused.stderr)

        self.vitrail("subtitles", number, 2)
        eventually(lambda: tracks()["subtitle"] == 2, "it is told")
        self.vitrail("session", "save", "tracks")
        self.vitrail("session", "restore", "tracks")
        eventually(lambda: window().get("stream", stream) != stream and tracks().get("sound") == 2,
                   "a session keeps the sound track")
        self.assertEqual(tracks()["subtitle"], 2, "and the subtitles")

    def test_a_wrong_track_at_the_start_is_refused(self):
        film = self.film_with_tracks()
        refused = self.vitrail("play", film, "--sound-track", 3, expect=EXIT_FAILED)
        self.assertIn("has no sound track 3", refused.stdout + refused.stderr)
        player = self.start("bplay", "--sound-track", "all", film)
        self.assertEqual(player.wait(30), EXIT_FAILED)
        self.assertIn("only if each is mono", self.output(player))

    def test_a_track_of_a_window_without_sound_is_refused(self):
        _, number = self.play("--loop", "test:160x90@10")
        self.wait_for_frames(number)
        eventually(lambda: "playback" in self.window(number), "the player reports its state")
        refused = self.vitrail("subtitles", number, 1, expect=EXIT_FAILED)
        self.assertIn("has no subtitles", refused.stdout + refused.stderr)
        refused = self.vitrail("sound-track", number, 1, expect=EXIT_FAILED)
        self.assertIn("plays no sound", refused.stdout + refused.stderr)

    def test_a_film_of_a_group_is_heard_by_its_timeline(self):
        _, number = self.play("--loop", "--group", "panels", self.film())
        self.heard(0.4, "its tone")
        self.vitrail("pause", number)
        self.heard(0, "a pause")
        self.vitrail("resume", number)
        self.heard(0.4, "it goes on")

    def test_it_goes_on_without_the_manager(self):
        self.play("--loop", self.film())
        self.heard(0.4, "its tone")
        self.manager.kill()
        self.manager.wait()
        (self.folder / "heard.raw").write_bytes(b"")
        self.heard(0.4, "it goes on")
        self.start_manager()
        self.wait_for_receivers("node1")
        self.heard(0.4, "still")

    def test_off_is_silence(self):
        _, number = self.play("--sound", "off", self.film())
        self.wait_for_frames(number)
        self.assertNotIn("volume", self.window(number)["playback"])
        self.assertLess(self.loudness(), 0.01)


class Microphone(SoundTest):
    """ALSA devices defined by the test: one reads a pipe, into which a tone is written in real time."""

    def env(self, **more):
        return super().env(ALSA_CONFIG_PATH=str(self.folder / "asoundrc"), **more)

    def setUp(self):
        super().setUp()
        pipe = self.folder / "microphone"
        os.mkfifo(pipe)
        (self.folder / "asoundrc").write_text(
            'pcm.nothing { type null }\n'
            f'pcm.microphone {{ type file slave.pcm "nothing" file "/dev/null" infile "{pipe}" format "raw" }}\n')
        tone = "aevalsrc=0.3*sin(2*PI*500*t)|0.3*sin(2*PI*500*t):s=48000"
        source = subprocess.Popen(["ffmpeg", "-loglevel", "quiet", "-re", "-f", "lavfi", "-i", tone, "-f", "s16le", "-y",
                                   pipe], stdin=subprocess.DEVNULL)
        self.addCleanup(source.wait)
        self.addCleanup(source.kill)

    def test_a_sound_card_is_heard_beside_the_pictures(self):
        _, number = self.play("--loop", "--sound-from", "alsa:microphone", self.film())
        self.heard(0.3, "the microphone, and not the film")
        self.vitrail("pause", number)
        self.heard(0, "a pause")
        self.vitrail("resume", number)
        self.heard(0.3, "it goes on")
        self.vitrail("rate", number, 2)
        self.wait_for_frames(number)
        self.heard(0.3, "at any speed")
        self.vitrail("volume", number, 0.5)
        self.heard(0.15, "half as loud")

    def test_what_is_not_there_is_said(self):
        player, number = self.play("--sound-from", "alsa:nowhere", self.film())
        self.wait_for_frames(number)
        eventually(lambda: "cannot open the sound of alsa:nowhere" in self.output(player), "why it is silent")


class WithoutLoudspeakers(SoundTest):
    wall_keys = {}
    driver = "no such driver"

    def test_a_sound_track_is_refused_with_the_reason(self):
        player, number = self.play("--loop", self.film_with_tracks())
        self.wait_for_frames(number)
        eventually(lambda: "playback" in self.window(number), "the player reports its state")
        refused = self.vitrail("sound-track", number, 2, expect=EXIT_FAILED)
        self.assertIn("no loudspeakers", refused.stdout + refused.stderr)
        eventually(lambda: "no sound is heard" in self.output(player), "the player says so, too")


class WithoutCard(SoundTest):
    driver = "no such driver"

    def test_the_receiver_says_so(self):
        eventually(lambda: "receiver 'node1' plays no sound: no sound card" in
                   run("vitrail", "why", env=self.env()).stdout, "why there is none")
        self.assertIn("no sound card", self.output(self.receivers["node1"]))


if __name__ == "__main__":
    unittest.main()
