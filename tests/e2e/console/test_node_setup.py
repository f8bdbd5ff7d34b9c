"""vitrail node setup and node check, with a root folder and a stand-in for systemctl."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

from harness import EXIT_DONE, EXIT_FAILED, EXIT_USAGE, ROOT, run

# Records its arguments. "enable" creates the link that "is-enabled" looks for.
SYSTEMCTL = """#!/bin/sh
echo "$@" >>"$LOG"
case "$*" in
  *is-enabled*) [ -e "$LOG.enabled" ] ;;
  *enable*) touch "$LOG.enabled" ;;
esac
"""


class NodeSetup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-node-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root = self.folder / "root"
        units = self.root / "usr/lib/systemd/system"
        units.mkdir(parents=True)
        shutil.copy(ROOT / "scripts/debian/vitrail-receiver.vitrail-kiosk.service", units / "vitrail-kiosk.service")
        self.env_file = self.root / "etc/vitrail/receiver.env"
        self.env_file.parent.mkdir(parents=True)
        shutil.copy(ROOT / "scripts/debian/receiver.env", self.env_file)
        self.key_file = self.folder / "wall.key"
        self.key_file.write_text("a key of sixteen letters\n")
        program = self.folder / "bin/systemctl"
        program.parent.mkdir()
        program.write_text(SYSTEMCTL)
        program.chmod(0o755)
        self.log = self.folder / "log"
        self.env = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}", "LOG": str(self.log)}

    def setup(self, *words):
        made = run("vitrail", "--json", "--manager", "head:7440", "node", "setup", "--root", self.root, *words, env=self.env)
        return made, {step["about"]: step["did"] for step in json.loads(made.stdout or "{}").get("steps", [])}

    def test_all_is_set_up_once(self):
        made, steps = self.setup("--yes", "--node", "left", "--options", "--data-port 7450", "--key", self.key_file)
        self.assertEqual(made.returncode, EXIT_DONE, made.stderr)
        self.assertEqual(steps, {"/etc/vitrail/receiver.env": "written", "/etc/vitrail/receiver.key": "written",
                                 "/etc/security/limits.d/vitrail.conf": "written", "vitrail-kiosk.service": "enabled"})
        text = self.env_file.read_text()
        for line in ("VITRAIL_MANAGER=head:7440", "NODE=left", 'OPTIONS="--data-port 7450"'):
            self.assertIn(line, text.splitlines())
        key = self.root / "etc/vitrail/receiver.key"
        self.assertEqual((key.read_text(), key.stat().st_mode & 0o777), ("a key of sixteen letters\n", 0o600))
        self.assertEqual(self.env_file.stat().st_mode & 0o777, 0o644)
        self.assertIn("vitrail-display - rtprio 1", (self.root / "etc/security/limits.d/vitrail.conf").read_text())
        self.assertEqual(self.log.read_text().splitlines(), [f"--root={self.root} is-enabled --quiet vitrail-kiosk.service",
                                                             f"--root={self.root} enable vitrail-kiosk.service"])
        again, steps = self.setup("--yes", "--node", "left", "--options", "--data-port 7450", "--key", self.key_file)
        self.assertEqual(again.returncode, EXIT_DONE, again.stderr)
        self.assertEqual(set(steps.values()), {"unchanged", "already enabled"})
        self.assertEqual(self.env_file.read_text(), text)

    def test_a_dry_run_changes_nothing(self):
        before = self.env_file.read_text()
        made, steps = self.setup("--dry-run", "--node", "left", "--key", self.key_file)
        self.assertEqual(made.returncode, EXIT_DONE, made.stderr)
        self.assertEqual(steps["/etc/vitrail/receiver.env"], "would be written")
        self.assertEqual(steps["vitrail-kiosk.service"], "would be enabled")
        self.assertEqual(self.env_file.read_text(), before)
        self.assertFalse((self.root / "etc/vitrail/receiver.key").exists())
        self.assertNotIn(" enable ", self.log.read_text())

    def test_a_missing_key_is_reported(self):
        made, steps = self.setup("--yes")
        self.assertEqual(made.returncode, EXIT_FAILED)
        self.assertEqual(steps["/etc/vitrail/receiver.key"], "missing")
        self.assertIn("--key", made.stderr)

    def test_mistakes_change_nothing(self):
        before = self.env_file.read_text()
        self.assertEqual(self.setup()[0].returncode, EXIT_USAGE, "nobody can be asked")
        self.assertEqual(self.setup("--yes", "--node", "n" * 65)[0].returncode, EXIT_USAGE)
        shutil.rmtree(self.root / "usr")
        made, _ = self.setup("--yes", "--key", self.key_file)
        self.assertEqual(made.returncode, EXIT_FAILED)
        self.assertIn("vitrail-receiver", made.stderr)
        self.assertEqual(self.env_file.read_text(), before)

    def test_check_uses_the_settings_of_the_node(self):
        self.setup("--yes", "--node", "left")
        connector = self.root / "sys/class/drm/card0-HDMI-A-1"
        connector.mkdir(parents=True)
        (connector / "status").write_text("connected\n")
        (connector / "modes").write_text("1280x720\n")
        env = {name: value for name, value in self.env.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
        checked = run("vitrail", "--json", "--manager", "127.0.0.1:1", "node", "check", "--root", self.root, env=env)
        findings = {finding["about"]: finding for finding in json.loads(checked.stdout)["findings"]}
        self.assertEqual(checked.returncode, EXIT_FAILED)
        self.assertEqual(findings["node"]["what"], "left")
        self.assertEqual(findings["key"]["worth"], "bad")
        self.assertIn("HDMI-A-1 1280×720", findings["displays"]["what"])


if __name__ == "__main__":
    unittest.main()
