"""Libraries that programs load only when something needs them."""

import os
import pathlib
import shutil
import subprocess
import unittest

from harness import BIN, EXIT_FAILED, PATIENCE_S, WallTest


class Libraries(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}

    def libraries(self, process):
        return pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8")

    def still(self):
        return self.clip("still.png", seconds=1, rate=1)

    def test_a_film_without_sound_loads_neither_libvips_nor_sdl(self):
        player, number = self.play("--loop", self.clip())
        self.wait_for_frames(number)
        libraries = self.libraries(player)
        self.assertIn("libavcodec", libraries)
        self.assertNotIn("libvips", libraries)
        self.assertNotIn("libSDL", libraries)

    def test_a_manager_without_a_witness_does_not_load_libcurl(self):
        libraries = self.libraries(self.manager)
        self.assertIn("libwebsockets", libraries)
        self.assertNotIn("libcurl", libraries)

    def test_a_still_loads_libvips(self):
        player, _ = self.play("--loop", self.still())
        self.assertIn("libvips", self.libraries(player))

    def test_programs_that_show_no_films_start_without_ffmpeg(self):
        for program in ("vitrail-show", "vitrail-share", "vitrail-web", "vitrail-vnc"):
            with self.subTest(program):
                linked = subprocess.run(["ldd", BIN / program], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
                self.assertIn("libsail", linked.stdout)
                self.assertNotIn("libavcodec", linked.stdout)

    def test_a_player_without_the_module_for_stills_says_so(self):
        alone = self.folder / "bplay"
        shutil.copy2(BIN / "bplay", alone)
        ended = subprocess.run([alone, self.still()], env=self.env(), capture_output=True, text=True,
                               timeout=PATIENCE_S)
        self.assertEqual(ended.returncode, EXIT_FAILED, ended.stderr)
        self.assertIn("stills cannot be shown", ended.stderr)
        self.assertIn("install the package vitrail-poster", ended.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can unmount /proc")
    def test_without_proc_no_library_of_the_current_folder_is_loaded(self):
        ended = subprocess.run(["unshare", "--mount", "sh", "-c", 'umount -l /proc; exec "$@"', "sh", BIN / "bplay", self.still()],
                               env=self.env(), capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(ended.returncode, EXIT_FAILED, ended.stderr)
        self.assertIn("cannot read /proc/self/exe", ended.stderr)


if __name__ == "__main__":
    unittest.main()
