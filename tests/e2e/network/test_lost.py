"""Windows whose program is lost, on a wall that keeps their last picture: what is on the tiles until the program is back."""

from harness import WallTest, eventually
from test_content import pixels_of


class Lost(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}
    wall_keys = {"lost": "last"}

    def wall_pixels(self):
        """The wall's red, green and blue bytes, row by row."""
        self.vitrail("snapshot", self.folder / "wall.png")
        return pixels_of((self.folder / "wall.png").read_bytes())

    def brightness(self):
        """Of the right half, which shows no label."""
        pixels = self.wall_pixels()
        right = [pixels[3 * (640 * y + 320):3 * 640 * (y + 1)] for y in range(180)]
        return sum(map(sum, right)) / (180 * 3 * 320)

    def the_window(self):
        windows = self.state()["windows"]
        self.assertLessEqual(len(windows), 1)
        return windows[0] if windows else None

    def example(self):
        """Starts an application that the manager cannot restart."""
        process = self.start("hello_c")
        eventually(lambda: self.the_window() and "lost" not in self.the_window(), "its window is open")
        self.vitrail("fit", self.the_window()["window"], "--stretch")
        eventually(lambda: self.brightness() > 90, "its picture is bright")
        return process

    def test_the_last_picture_stays_dimmed_until_the_application_is_back(self):
        process = self.example()
        number = self.the_window()["window"]
        process.kill()
        eventually(lambda: "lost" in self.the_window(), "the window is lost")
        self.assertIn("has been lost since", self.the_window()["lost"]["why"])
        eventually(lambda: 20 < self.brightness() < 70, "the picture is dimmed")
        self.assertEqual(self.wall_pixels(), self.wall_pixels())
        self.example()
        self.assertEqual(self.the_window()["window"], number)

    def test_a_player_of_the_manager_is_started_again_in_its_window(self):
        player, number = self.play("--loop", self.clip())
        player.kill()
        eventually(lambda: "lost" in self.window(number), "the window is lost")
        self.wait_for_frames(number)
        self.assertNotIn("lost", self.window(number))

    def test_what_ends_on_purpose_leaves_no_window(self):
        player, number = self.play("--loop", self.clip())
        player.terminate()
        eventually(lambda: self.window(number) is None, "its player has closed the window")
        self.vitrail("play", self.folder / "clip.mp4", "--at-end", "close")
        eventually(lambda: self.the_window() is None, "the film is over")
        self.example().kill()
        eventually(lambda: "lost" in self.the_window(), "the window is lost")
        self.vitrail("close", self.the_window()["window"])
        self.assertIsNone(self.the_window())
