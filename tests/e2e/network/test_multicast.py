"""Films that go once to several receivers, by UDP multicast: on loopback, and through a switch that may not carry it."""

import json
import subprocess
import unittest

from harness import BIN, WallTest, eventually
from test_content import pixels_of
from test_hosts import DESK, HEAD, NODE, HostsTest

# Many bytes, so that probes and messages hardly count.
FILM = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-qp", "8")
CARRIED = ("--codec", "carried", "--transport", "udp", "--loop")


def links_of(window):
    return {link["receiver"]: link for link in window.get("stats", {}).get("links", [])}


def all_by_group(window):
    links = links_of(window)
    return len(links) == 2 and all(link.get("multicast") for link in links.values())


class OnLoopback(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [160, 180]}
    wall_keys = {"multicast": "239.77.1.0/24"}

    def wall(self):
        self.vitrail("snapshot", self.folder / "wall.png")
        return pixels_of((self.folder / "wall.png").read_bytes())

    def figures(self, number):
        windows = json.loads(self.vitrail("stats", "--json").stdout)["windows"]
        return next(window for window in windows if window["window"] == number)

    def test_both_tiles_show_the_film_that_is_sent_once(self):
        film = self.clip(seconds=4, size="640x360", extra=FILM)
        player, window = self.play("--codec", "raw", "--paused", "--start", 2, "--place", "0,0,320x180", film)
        eventually(lambda: self.shown(window) > 0, "the picture is shown")
        wanted = self.wall()
        self.vitrail("close", window)
        self.assertEqual(player.wait(30), 0, self.output(player))

        _, window = self.play(*CARRIED, "--place", "0,0,320x180", film)
        before = eventually(lambda: all_by_group(self.figures(window)) and self.figures(window), "both are in the group")
        self.wait_for_frames(window, 60)
        after = self.figures(window)
        self.assertTrue(all_by_group(after))
        sent = after["stats"]["bytes_sent"] - before["stats"]["bytes_sent"]
        for name, link in links_of(after).items():
            arrived = link["bytes_arrived"] - links_of(before)[name]["bytes_arrived"]
            self.assertLess(sent, 1.6 * arrived, f"{name}: one copy for both")
        self.assertIn("multicast", self.vitrail("stats").stdout)

        self.vitrail("pause", window)
        self.vitrail("seek", window, 2)
        eventually(lambda: max(abs(a - b) for a, b in zip(self.wall(), wanted)) <= 2, "both tiles show the picture")

    def test_a_receiver_that_comes_back_is_in_the_group_again(self):
        _, window = self.play(*CARRIED, "--place", "0,0,320x180", self.clip(extra=FILM))
        eventually(lambda: all_by_group(self.figures(window)), "both are in the group")
        self.end(self.receivers["node2"])
        eventually(lambda: not any(link.get("multicast") for link in links_of(self.figures(window)).values()),
                   "one receiver needs no group")
        self.wait_for_frames(window)
        self.start_receiver("node2")
        eventually(lambda: all_by_group(self.figures(window)), "both are in the group")
        self.wait_for_frames(window)


class SwitchTest(HostsTest):
    def window(self):
        done = self.network.run("vitrail", "stats", "--json", env=self.env(HEAD))
        windows = json.loads(done.stdout)["windows"] if done.returncode == 0 else []
        return windows[0] if windows else {}

    def play_film(self):
        film = self.folder / "film.mp4"
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25",
                        "-t", "2", *FILM, film], check=True)
        player = self.start(DESK, "bplay", *CARRIED, "--place", "0,0,640x180", film)
        eventually(self.window, "the window is open")
        return player

    def all_found_by_doctor(self, *before):
        """before: words before the command line."""
        words = self.network.words(DESK, *before, BIN / "vitrail", "doctor", "--json")
        done = subprocess.run(words, env=self.env(DESK), capture_output=True, text=True, check=False, timeout=90)
        return {one["about"]: one for one in json.loads(done.stdout)["findings"]}

    def found_by_doctor(self):
        """What the doctor says about multicast to each receiver."""
        return {about: one["what"] for about, one in self.all_found_by_doctor().items() if about.startswith("multicast")}

    def has_querier(self, on):
        self.network.ip("-n", self.network.switch, "link", "set", "switch", "type", "bridge", "mcast_querier", "1" if on else "0")


class OnAnIpv6Switch(SwitchTest):
    listen = "[::]:7440"
    managers = {HEAD: "[::1]:7440", NODE: "[fd77::1]:7440", DESK: "[fd77::1]:7440"}
    more_keys = {"multicast": "ff18::77:0/120", "multicast_hops": 4}

    def test_the_film_goes_once_to_both_receivers(self):
        player = self.play_film()
        eventually(lambda: all_by_group(self.window()), "both are in the group")
        self.all_show(player)
        self.assertTrue(all_by_group(self.window()))

    def test_the_doctor_tests_the_group(self):
        arrived = "20 of 20 datagrams to the group ff18::77:ff arrived"
        self.assertEqual(self.found_by_doctor(), {"multicast to left": arrived, "multicast to right": arrived})

    def test_the_doctor_finds_the_querier(self):
        self.assertEqual(self.all_found_by_doctor()["MLD querier"]["worth"], "note")
        self.has_querier(True)
        self.assertEqual(self.all_found_by_doctor()["MLD querier"]["worth"], "good")


class OnALinkLocalSwitch(SwitchTest):
    listen = OnAnIpv6Switch.listen
    managers = OnAnIpv6Switch.managers
    more_keys = {"multicast": "ff12::77:0/120"}

    def test_the_doctor_tests_the_group(self):
        arrived = "20 of 20 datagrams to the group ff12::77:ff arrived"
        self.assertEqual(self.found_by_doctor(), {"multicast to left": arrived, "multicast to right": arrived})


class WithGroupsOfAnotherVersionOfIp(SwitchTest):
    more_keys = {"multicast": "ff18::77:0/120"}

    def test_both_receivers_are_sent_the_film_alone_and_people_are_told(self):
        player = self.play_film()

        def told():
            troubles = [link.get("multicast_trouble", "") for link in links_of(self.window()).values()]
            return len(troubles) == 2 and all("different versions of IP" in trouble for trouble in troubles)

        eventually(told, "the trouble is told")
        self.all_show(player)
        found = self.found_by_doctor()
        self.assertEqual(sorted(found), ["multicast to left", "multicast to right"])
        self.assertTrue(all(what.startswith("not sent from 10.77.0.3: ") for what in found.values()), found)


class OnASwitch(SwitchTest):
    more_keys = {"multicast": "239.77.1.0/24"}

    def carry(self, on):
        """Whether the switch passes multicast to NODE. It has no IGMP querier, so it floods."""
        self.network.ip("-n", self.network.switch, "link", "set", "m2", "type", "bridge_slave", "mcast_flood", "on" if on else "off")

    def test_the_doctor_names_a_receiver_that_does_not_hear_the_group(self):
        self.carry(False)
        self.assertEqual(self.found_by_doctor(), {
            "multicast to left": "20 of 20 datagrams to the group 239.77.1.255 arrived",
            "multicast to right": "0 of 20 datagrams to the group 239.77.1.255 arrived"})

    def test_the_doctor_finds_the_querier(self):
        self.assertEqual(self.all_found_by_doctor()["IGMP querier"]["worth"], "note")
        self.has_querier(True)
        self.assertEqual(self.all_found_by_doctor()["IGMP querier"]["worth"], "good")

    def test_without_rights_the_doctor_finds_queriers_of_old_versions(self):
        without_rights = ("setpriv", "--bounding-set", "-net_raw", "--inh-caps", "-net_raw")
        found = self.all_found_by_doctor(*without_rights)["IGMP querier"]
        self.assertEqual(found["worth"], "note")
        self.assertIn("not known", found["what"])
        self.has_querier(True)  # of version 2, as Linux has it
        self.assertEqual(self.all_found_by_doctor(*without_rights)["IGMP querier"]["worth"], "good")

    def sent_alone(self, why):
        eventually(lambda: why in links_of(self.window()).get("right", {}).get("multicast_trouble", ""), "the trouble is told")
        self.assertNotIn("multicast_trouble", links_of(self.window())["left"])
        number = self.window()["window"]
        eventually(lambda: "receiver 'right' is sent its frames alone, not by multicast" in self.vitrail("why", number), "why")

    def test_a_receiver_that_loses_the_group_is_sent_its_frames_alone(self):
        player = self.play_film()
        eventually(lambda: all_by_group(self.window()), "both are in the group")
        self.all_show(player)
        self.assertTrue(all_by_group(self.window()))
        self.carry(False)
        self.sent_alone("did not come")
        self.all_show(player)

    def test_a_receiver_that_loses_some_packets_stays_in_the_group(self):
        player = self.play_film()
        eventually(lambda: all_by_group(self.window()), "both are in the group")

        def loses_some():
            before = self.window()["stats"]["frames_sent"]
            self.carry(False)
            self.carry(True)
            eventually(lambda: self.window()["stats"]["frames_sent"] > before, "the next report")
            return links_of(self.window())["right"]["packets_lost"] > 0

        eventually(loses_some, "packets of the group are lost")
        self.all_show(player)
        self.assertTrue(all_by_group(self.window()))

    def test_a_receiver_that_never_hears_the_group_is_sent_its_frames_alone(self):
        self.carry(False)
        player = self.play_film()
        self.sent_alone("no packet of the group came")
        self.all_show(player)


if __name__ == "__main__":
    unittest.main()
