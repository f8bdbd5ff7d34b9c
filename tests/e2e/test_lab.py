"""vitrail lab: run files and their errors, plans, clocks, and whole runs on its own hosts and by ssh."""

import csv
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

from harness import BIN, PATIENCE_S, ROOT, eventually, run
from machines import Machines, why_not
from test_full_disk import Disk

sys.path[:0] = [str(ROOT / "sail/bindings/python"), str(ROOT / "ui/lab"), str(ROOT / "ui/lab")]

from vitrail_lab import clock, figures, plan, run_file, tables  # noqa: E402
from vitrail_lab.mistake import Mistake  # noqa: E402

WHY_NOT = why_not()
INTERRUPTED = 130


def parsed(*programs, **more):
    return run_file.parse_run({"programs": list(programs) or [{"name": "a", "command": ["true"]}], **more}, "run")


class RunFiles(unittest.TestCase):
    def refused(self, result, *programs, **more):
        with self.assertRaises(Mistake) as caught:
            made = parsed(*programs, **more)
            plan.check_plan(made, {name: "0.0.0.0" for name in made.hosts})
        self.assertIn(result, str(caught.exception))

    def test_what_is_wrong_is_named_with_its_place(self):
        a = {"name": "a", "command": ["true"]}
        self.refused("program a, host: unknown host 'far': the hosts are here", {**a, "host": "far"})
        self.refused("program a, colour: unknown name", {**a, "colour": "red"})
        self.refused("program a, start: must be a number, not \"soon\"", {**a, "start": "soon"})
        self.refused("program a, start: must be 0 to", {**a, "start": -1})
        self.refused("program a, command: must be a list, not \"true\"", {**a, "command": "true"})
        self.refused("program a: another program has this name", a, a)
        self.refused("program a, after: there is no program 'b'", {**a, "after": "b"})
        self.refused("program a, output: must be text, json or lines", {**a, "output": "xml"})
        self.refused("program a, count: must be at most 1, the number of its hosts, not 2", {**a, "count": 2})
        self.refused("programs: all programs run in the background", {**a, "background": True})
        self.refused("program a, command: unknown placeholder {blok}", {**a, "command": ["echo", "{blok}"]})
        self.refused("program a, seconds: 'x' is not a number", {**a, "seconds": "{n}"}, sweep={"n": [1, "x"]})
        self.refused("hosts.h, rate: only namespaces can have limits", a, hosts={"h": {"rate": "1gbit"}})
        self.refused("hosts.h, ssh: '-oProxyCommand=x' is not a host", a, hosts={"h": {"ssh": "-oProxyCommand=x"}})
        self.refused("'../h' is not a valid name", a, hosts={"../h": {}})
        self.refused("sweep.n: has the same value twice", a, sweep={"n": [1, 1]})
        self.refused("sweep.n: needs either a step or a factor", a, sweep={"n": {"from": 1, "to": 2}})
        self.refused("sweep.n: must grow", a, sweep={"n": {"from": 0, "to": 2, "factor": 2}})
        self.refused("sweep.n: must grow", a, sweep={"n": {"from": 1, "to": float("inf"), "step": 1}})
        self.refused("samples, every_ms: must be 5 to", a, samples={"every_ms": 0})
        self.refused("plot 1, x: 'm' is not a parameter of the sweep", a, plots=[{"x": "m", "y": "a.cpu_s"}])
        self.refused("limit_s: tests end after 1 s, but their programs run for 2 s", {**a, "seconds": 2}, limit_s=1)
        self.refused("the run has 2,000,000 tests, more than 1,000,000", a, sweep={"n": {"from": 1, "to": 2000, "step": 1}}, repetitions=1000)

    def test_starts_that_go_round_in_a_circle(self):
        self.refused("program a, after: the starts form a cycle: a after b after c after a",
                     *({"name": one, "command": ["true"], "after": other} for one, other in ("ab", "bc", "ca")))

    def test_the_runs_of_this_project(self):
        for file in sorted((ROOT / "tests/bench").glob("*.toml")):
            with self.subTest(file.name):
                made = run_file.read_run(file)
                self.assertGreater(plan.check_plan(made, {name: "127.0.0.1" for name in made.hosts}), 0)

    def test_files_that_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "run.toml")
            for text, result in (("a = [", "run.toml"), ("\x00", "run.toml"), ('name = "a"', "run.toml: programs: is missing"),
                               ("x" * (1 << 21), "larger than 1 MB")):
                path.write_text(text)
                with self.assertRaisesRegex(Mistake, result):
                    run_file.read_run(path)
            with self.assertRaisesRegex(Mistake, "No such file"):
                run_file.read_run(path.with_name("none.toml"))
            deep = path.with_name("deep.json")
            deep.write_text("[" * 100_000)
            self.assertRaises(Mistake, run_file.read_run, deep)


class Plans(unittest.TestCase):
    made = parsed({"name": "a", "command": ["echo", "{size}{{}}", "{address:here}", "{folder}"], "seconds": "{s}"},
                  {"name": "b", "command": ["true"], "after": "a", "start": 1.5},
                  {"name": "c", "command": ["true"], "after": "b", "start": 0.25},
                  sweep={"size": ["4k", "1m"], "s": {"from": 1, "to": 8, "factor": 2}}, repetitions=3, seed=5)

    def test_every_point_runs_once_before_any_is_repeated(self):
        tests = list(plan.make_tests(self.made))
        points = [tuple(test.point.items()) for test in tests]
        self.assertEqual([test.number for test in tests], list(range(1, 25)))
        for repetition in range(3):
            self.assertEqual(len(set(points[8 * repetition:8 * repetition + 8])), 8)
            self.assertEqual({test.repetition for test in tests[8 * repetition:8 * repetition + 8]}, {repetition + 1})
        self.assertNotEqual(points[:8], points[8:16])
        self.assertEqual(tests, list(plan.make_tests(self.made)))
        self.assertNotEqual(points, [tuple(test.point.items()) for test in plan.make_tests(
            parsed(sweep={name: list(values) for name, values in self.made.sweep.items()}, repetitions=3, seed=6))])

    def test_what_is_put_in_and_when_things_start(self):
        a, b, c = plan.starts_of(self.made, plan.Test(1, {"size": "4k", "s": 4}, 1), {"here": "127.0.0.1"})
        self.assertEqual(a.command, ["echo", "4k{}", "127.0.0.1", plan.FOLDER])
        self.assertEqual([(one.start_s, one.seconds) for one in (a, b, c)], [(0, 4), (1.5, None), (1.75, None)])

    def test_how_many_of_the_hosts(self):
        made = parsed({"name": "a", "host": ["x", "y", "z"], "count": "{n}", "command": ["echo", "{host}{index}"]},
                      hosts={"x": {}, "y": {}, "z": {}}, sweep={"n": [1, 3]})
        for count, result in ((1, ["x0"]), (3, ["x0", "y1", "z2"])):
            starts = plan.starts_of(made, plan.Test(1, {"n": count}, 1), {})
            self.assertEqual([one.command[1] for one in starts], result)

    def test_figures_in_what_programs_print(self):
        text = 'reading …\n{"curves":[{"name":"film","points":[{"block":4096,"mb_per_s":1.5}]}],"ok":true,"n":null}\n'
        self.assertEqual(figures.figures_of(text), {"curves.film.points.0.block": 4096, "curves.film.points.0.mb_per_s": 1.5})
        self.assertIsNone(figures.figures_of("no JSON\n"))
        self.assertEqual(figures.figures_of('{"a":NaN,"b":Infinity,"c":2}'), {"c": 2})

    def test_tables(self):
        tests = [{"test": {"number": n, "point": {"p": p}, "repetition": 1}, "figures": {"f": f}}
                 for n, (p, f) in enumerate((("b", 3.0), ("a", 1.0), ("a", 5.0), ("a", 2.0)), 1)]
        self.assertEqual(tables.table(tests, ["p"])[:2], [("test", "p", "repetition", "f"), (1, "b", 1, 3.0)])
        self.assertEqual(tables.summary(tests, {"p": ["a", "b"]})[1:], [("a", "f", 2.0, 1.0, 5.0, 3), ("b", "f", 3.0, 3.0, 3.0, 1)])


class Clocks(unittest.TestCase):
    """Hosts with invented clocks, whose true offsets are known."""

    def exchange(self, way_there, way_back, asked=0, offset=7_000_000):
        return clock.Exchange(asked, asked + way_there + offset, asked + way_there + way_back)

    def test_the_shortest_round_trip_bounds_the_offset(self):
        ways = [(900_000, 100_000), (20_000, 30_000), (400_000, 10_000)]
        offset = clock.best_offset(self.exchange(*way) for way in ways)
        self.assertEqual(offset.bound_ns, 25_000)
        self.assertLessEqual(abs(offset.offset_ns - 7_000_000), offset.bound_ns)

    def test_one_that_is_not_bounded_well_enough(self):
        with self.assertRaisesRegex(Mistake, "host far: the error of its clock is up to 10.000 ms, more than the 5 ms"):
            clock.measure(lambda: self.exchange(10_000_000, 10_000_000), "far", 5)

    def test_one_that_drifts_is_followed(self):
        second = 10 ** 9
        moved = clock.Clock(clock.Offset(0, 1000, 50), clock.Offset(10 * second, 1000 + 100_000, 50))
        moved.check("far")
        self.assertAlmostEqual(moved.ours(5 * second + 1000 + 50_000), 5 * second, delta=10)

    def test_one_that_is_set_in_the_test(self):
        with self.assertRaisesRegex(Mistake, "jumped by 3.000 ms"):
            clock.Clock(clock.Offset(0, 0, 1000), clock.Offset(10 ** 9, 3_000_000, 1000)).check("far")


class LabTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrail-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.file = self.folder / "run.json"
        self.out = self.folder / "run.lab"

    def lab(self, *options, expect=0, env=None, **value):
        if value:
            self.file.write_text(json.dumps({"pause_s": 0, **value}))
        done = run("vitrail-lab", self.file, *options, env=env, timeout=4 * PATIENCE_S)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def result(self, number=1):
        return json.loads((self.out / "tests" / f"{number:04}" / "programs.json").read_text())

    def samples(self, number=1):
        with open(self.out / "tests" / f"{number:04}" / "samples.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def finished(self):
        return sorted(path.name for path in self.out.glob("tests/*") if path.name.isdigit())


class Runs(LabTest):
    """Runs on this host only."""

    def test_a_sweep_and_all_that_it_leaves(self):
        spin = "import time\nt=time.process_time()\nwhile time.process_time()<t+{s}: pass\nprint('{{\"spun\":{s}}}')"
        self.lab(programs=[{"name": "spin", "command": ["python3", "-c", spin], "output": "json"},
                           {"name": "tell", "command": ["sh", "-c", "while :; do echo '{\"n\":1}'; sleep 0.05; done"],
                            "output": "lines", "background": True}],
                 sweep={"s": [0.1, 0.3]}, repetitions=2, samples={"every_ms": 20, "interfaces": ["lo"], "sockets": True},
                 plots=[{"x": "s", "y": "spin.spun"}])
        self.assertEqual(self.finished(), ["0001", "0002", "0003", "0004"])
        with open(self.out / "summary.csv", encoding="utf-8", newline="") as file:
            rows = {(row["s"], row["figure"]): float(row["median"]) for row in csv.DictReader(file)}
        for s in (0.1, 0.3):
            self.assertEqual(rows[str(s), "spin.spun"], s)
            self.assertGreaterEqual(rows[str(s), "spin.cpu_s"], s)
            self.assertLess(rows[str(s), "tell.cpu_s"], rows["0.3", "spin.cpu_s"])
        for number in (1, 2, 3, 4):
            there = {(row["subject"], row["figure"]) for row in self.samples(number)}
            self.assertLessEqual({("program spin", "cpu_s"), ("host", "load"), ("interface lo", "sent_bytes"),
                                  ("sockets tcp", "sockets"), ("reported by tell", "n")}, there)
        longest = self.result(next(n for n in (1, 2, 3, 4) if self.result(n)["test"]["point"]["s"] == 0.3))
        self.assertEqual(longest["failure"], "")
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertEqual((manifest["seed"], manifest["tests"], manifest["hosts"]["here"]["kernel"]), (1, 4, os.uname().release))
        page = (self.out / "index.html").read_text()
        self.assertIn("<img src='plots/asked-1.svg'", page)
        self.assertNotRegex(page, r"https?://")
        self.assertIn("</svg>", (self.out / "plots/asked-1.svg").read_text())

    def test_several_hosts_read_a_source_at_one_instant(self):
        film = self.folder / "film"
        film.write_bytes(bytes(4 << 20))
        self.lab(hosts={"one": {}, "two": {}}, sweep={"block": ["64k", "1m"]},
                 programs=[{"name": "read", "host": ["one", "two"], "output": "json",
                            "command": [str(BIN / "vitrail"), "iobench", "--json", "--block", "{block}", "--depth", "4",
                                        "--seconds", "0", str(film)]}])
        with open(self.out / "summary.csv", encoding="utf-8", newline="") as file:
            rows = {(row["block"], row["figure"]): float(row["median"]) for row in csv.DictReader(file)}
        for block in ("64k", "1m"):
            for host in ("one", "two"):
                self.assertGreater(rows[block, f"read@{host}.sources.{film}.points.0.mb_per_s"], 0, rows)
            self.assertIn((block, "skew_us"), rows)

    def test_what_a_program_started_counts_and_is_ended_with_it(self):
        child = "import time\nt=time.process_time()\nwhile time.process_time()<t+0.2: pass\ntime.sleep(600)"
        parent = f"import subprocess,time\nprint(subprocess.Popen(['python3','-c',{child!r}]).pid,flush=True)\ntime.sleep(600)"
        self.lab(programs=[{"name": "two", "command": ["python3", "-c", parent], "seconds": 4}], samples={"every_ms": 50})
        spent = [float(row["value"]) for row in self.samples() if (row["subject"], row["figure"]) == ("program two", "cpu_s")]
        self.assertGreater(max(spent), 0.15)
        self.assertEqual(spent, sorted(spent))
        pid = int((self.out / "tests/0001/two@here.out").read_text())
        self.assertFalse(self.runs(pid))

    @staticmethod
    def runs(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False

    def test_starts_are_at_their_instants(self):
        self.lab(programs=[{"name": "a", "command": ["true"], "start": 0.3}, {"name": "b", "command": ["true"], "after": "a", "start": 0.2}])
        a, b = self.result()["programs"]
        self.assertEqual((a["start_s"], b["start_s"]), (0.3, 0.5))
        for one in (a, b):
            self.assertGreater(one["late_us"], -1)  # never early, by the host's own clock

    def test_a_test_that_fails_does_not_end_the_others_and_is_done_again(self):
        mark = self.folder / "mark"
        command = ["sh", "-c", f"[ {{n}} = 1 ] || [ -e {mark} ] || {{{{ echo no mark >&2; exit 4; }}}}"]
        value = {"programs": [{"name": "a", "command": command}], "sweep": {"n": [1, 2]}}
        failed = self.lab(expect=1, **value)
        self.assertIn("host here: program a ended with 4: no mark", failed.stderr)
        self.assertEqual(len(self.finished()), 1)
        before = self.result(int(self.finished()[0]))["begin_unix_s"]
        mark.touch()
        self.lab()
        self.assertEqual(self.finished(), ["0001", "0002"])
        self.assertIn(before, [self.result(n)["begin_unix_s"] for n in (1, 2)])

    def test_programs_that_do_not_do_what_they_should(self):
        for name, program, result, limit_s in (
                ("there is no program", {"command": ["no-such-program"]}, "could not be started: there is no program no-such-program", 5),
                ("too long", {"command": ["sleep", "600"]}, "was ended: the test exceeded limit_s", 0.3),
                ("talkative", {"command": ["yes", "{{}}"], "output": "lines"}, "was ended: its output exceeded the limit", 60),
                ("killed", {"command": ["sh", "-c", "kill -9 $$"]}, "was ended by signal 9", 5)):
            with self.subTest(name):
                self.assertIn(result, self.lab("--fresh", expect=1, limit_s=limit_s, programs=[{"name": "a", **program}]).stderr)
        result = self.lab("--fresh", expect=1, programs=[{"name": "a", "command": ["sleep", "0.2"]},
                                                       {"name": "b", "command": ["true"], "background": True}]).stderr
        self.assertIn("program b is a background program and ended before the others", result)

    def test_one_that_does_not_heed_sigterm(self):
        self.lab(programs=[{"name": "a", "seconds": 1, "command": ["env", "--ignore-signal=TERM", "sleep", "600"]}])
        self.assertEqual(self.result()["programs"][0]["code"], -9)

    def test_an_interrupted_run_goes_on_where_it_stopped(self):
        go = self.folder / "go"
        self.file.write_text(json.dumps({"pause_s": 0, "repetitions": 3, "programs": [
            {"name": "a", "command": ["sh", "-c", f"[ {{test}} = 1 ] || [ -e {go} ] || exec sleep 600"]}]}))
        process = subprocess.Popen([BIN / "vitrail-lab", self.file], stderr=subprocess.PIPE, text=True)
        eventually(lambda: self.finished() == ["0001"], "the first test is done")
        self.assertIn("is in use by another lab", self.lab(expect=1).stderr)
        process.send_signal(signal.SIGINT)
        result = process.communicate(timeout=PATIENCE_S)[1]
        self.assertEqual(process.returncode, INTERRUPTED, result)
        self.assertIn("finished tests are kept", result)
        first = self.result()["begin_unix_s"]
        go.touch()
        done = self.lab()
        self.assertIn("test 1 of 2: #2", done.stderr)
        self.assertEqual(self.finished(), ["0001", "0002", "0003"])
        self.assertEqual(self.result()["begin_unix_s"], first)
        self.assertNotIn("test 1", self.lab().stderr)  # nothing is left to do

    def test_time_left_is_shown_once_it_is_known(self):
        ended = self.lab(repetitions=2, programs=[{"name": "a", "command": ["true"]}]).stderr
        first, second = (line for line in ended.splitlines() if line.startswith("test "))
        self.assertNotRegex(first, r"\d+ s left")
        self.assertRegex(second, r"\d+ s left")
        timed = self.lab("--fresh", programs=[{"name": "a", "command": ["sleep", "600"], "seconds": 0.1}]).stderr
        self.assertRegex(timed, r"\d+ s left")

    def test_results_of_another_run_are_not_touched(self):
        one = [{"name": "a", "command": ["true"]}]
        self.lab(programs=one)
        self.assertIn("has the results of another run", self.lab(expect=1, programs=one, seed=2).stderr)
        self.lab("--fresh", programs=one, seed=2)
        other = self.folder / "other"
        other.mkdir()
        (other / "thesis").touch()
        self.assertIn("exists and is not the folder of a run", self.lab("--fresh", "--out", other, expect=1).stderr)
        (other / "manifest.json").write_text('{"name": "somebody else\'s"}')
        self.assertIn("is not the manifest of a run", self.lab("--fresh", "--out", other, expect=1).stderr)
        self.assertTrue((other / "thesis").exists())

    def test_large_sweeps_have_to_be_meant(self):
        value = {"programs": [{"name": "a", "command": ["true"]}], "sweep": {"n": {"from": 1, "to": 1000, "step": 1}}, "repetitions": 1000}
        begun = time.monotonic()
        result = self.lab(expect=1, **value).stderr
        self.assertIn("sweep: 1,000,000 tests take at least 12 days: confirm with --yes", result)
        self.assertLess(time.monotonic() - begun, PATIENCE_S / 2)
        self.assertIn("1,000,000 tests", self.lab("--plan").stdout)
        self.assertFalse(self.out.exists())

    def test_hosts_that_cannot_be_reached(self):
        one = [{"name": "a", "command": ["true"]}]
        env = {**os.environ, "VITRAIL_SSH": "ssh -F /dev/null -oStrictHostKeyChecking=yes -p 1"}
        result = self.lab(expect=1, env=env, hosts={"far": {"ssh": "127.0.0.1"}}, programs=one).stderr
        self.assertIn("host far: cannot be reached, or was lost: ssh: connect to host 127.0.0.1 port 1: Connection refused", result)
        result = self.lab("--fresh", expect=1, env={**os.environ, "VITRAIL_SSH": "/no/ssh"}).stderr
        self.assertIn("host far: cannot be reached: /no/ssh: No such file", result)
        result = self.lab("--fresh", expect=1, env={**os.environ, "VITRAIL_SSH": "sh -c 'echo Welcome; cat >/dev/null' ssh"}).stderr
        self.assertIn("host far: sent 'Welcome", result)

    def test_a_clock_that_cannot_be_bounded(self):
        result = self.lab(expect=1, programs=[{"name": "a", "command": ["true"]}], clock_bound_ms=1e-6).stderr
        self.assertRegex(result, r"host here: the error of its clock is up to [\d.]+ ms, more than the 1e-06 ms")

    def test_devices_that_are_not_there(self):
        result = self.lab(expect=1, programs=[{"name": "a", "command": ["true"]}], samples={"interfaces": ["eth77"]}).stderr
        self.assertIn("samples, interfaces: no host has eth77; here has", result)

    def test_a_full_disk(self):
        disk = Disk(self, self.folder / "disk", 1 << 20)
        self.out = disk.folder / "run.lab"
        much = ["sh", "-c", "[ {n} = 0 ] || head -c 2000000 /dev/zero | tr '\\0' x"]
        value = {"programs": [{"name": "a", "command": much}], "sweep": {"n": [0, 1]}, "seed": 3}
        result = self.lab("--out", self.out, expect=1, **value).stderr
        self.assertRegex(result, r"tests/000\d\.part/a@here\.out: cannot be written: No space left on device")
        kept = self.finished()
        self.assertTrue(all(self.result(int(name))["failure"] == "" for name in kept))
        self.assertEqual([path.name for path in self.out.glob("tests/*.part")], [])


@unittest.skipIf(WHY_NOT, WHY_NOT)
class OnHosts(LabTest):
    """Namespaces that the lab creates, and machines behind ssh."""

    def test_hosts_of_its_own_with_a_limited_link(self):
        send = ("import socket,time\ns=socket.create_connection(('{address:two}',7000))\nt=time.monotonic()\nn=0\n"
                "while time.monotonic()<t+1.5: n+=s.send(bytes(65536))\nprint('{{\"mbit\":',n*8e-6/1.5,'}}')")
        take = ("import socket\nl=socket.create_server(('{address}',7000))\nc,_=l.accept()\nwhile c.recv(1<<20): pass\n"
                "import time\ntime.sleep(600)")
        self.lab(hosts={"one": {"namespace": True, "rate": "{rate}"}, "two": {"namespace": True}}, sweep={"rate": ["20mbit", "80mbit"]},
                 samples={"every_ms": 100, "interfaces": ["eth0"]},
                 programs=[{"name": "take", "host": "two", "background": True, "command": ["python3", "-c", take]},
                           {"name": "send", "host": "one", "start": 1, "output": "json", "command": ["python3", "-c", send]}])
        with open(self.out / "summary.csv", encoding="utf-8", newline="") as file:
            sent = {row["rate"]: float(row["median"]) for row in csv.DictReader(file) if row["figure"] == "send.mbit"}
        for rate, most in (("20mbit", 60), ("80mbit", 130)):  # more than the rate, because buffers hold unacknowledged data
            self.assertLess(sent[rate], most)
        self.assertGreater(sent["80mbit"], sent["20mbit"])
        last = max((float(row["t_s"]), int(float(row["value"]))) for row in self.samples()
                   if (row["host"], row["figure"]) == ("two", "received_bytes"))
        self.assertGreater(last[1], 1_000_000)
        left = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
        self.assertNotIn(f"vtlab{os.getpid()}", left)

    def test_by_ssh_at_one_instant(self):
        machines = Machines(self.folder, 2)
        self.addCleanup(machines.end)
        hosts = {f"h{n}": {"ssh": host} for n, host in enumerate(machines.hosts)}
        self.file.write_text(json.dumps({"hosts": hosts, "repetitions": 5, "pause_s": 0, "programs": [
            {"name": "a", "host": list(hosts), "command": ["python3", "-c", "import time;print(time.time_ns())"]}]}))
        done = machines.run(BIN / "vitrail-lab", self.file, env={**os.environ, **machines.environment}, timeout=4 * PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        skews, bounds = [], []
        for number in range(1, 6):
            result = self.result(number)
            skews.append(result["skew_us"])
            bounds.append(sum(result["clock_bound_us"].values()))
        # Not a speed test: starts must agree within the bounds that the lab itself reports, in most tries on a busy machine.
        self.assertLess(statistics.median(skews), 20_000 + statistics.median(bounds))

    def test_a_host_that_dies_in_the_run(self):
        machines = Machines(self.folder, 1)
        self.addCleanup(machines.end)
        self.file.write_text(json.dumps({"hosts": {"near": {}, "far": {"ssh": machines.hosts[0]}}, "repetitions": 2, "pause_s": 0, "programs": [
            {"name": "a", "host": ["near", "far"], "command": ["sh", "-c", "[ {repetition} = 1 ] || exec sleep 600"]}]}))
        process = subprocess.Popen(machines.words(machines.here, BIN / "vitrail-lab", self.file), stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **machines.environment})
        eventually(lambda: self.finished() == ["0001"], "the first test is done")
        space = machines.spaces[machines.hosts[0]]
        agent = eventually(lambda: self.agent_in(space), "the second runs there")
        os.kill(agent, signal.SIGKILL)
        result = process.communicate(timeout=PATIENCE_S)[1]
        self.assertEqual(process.returncode, 1, result)
        self.assertRegex(result, r"host far: cannot be reached, or was lost: .*; 1 of 2 tests are kept")
        eventually(lambda: not self.sleeper_in(space), "what ran there has ended")
        self.assertEqual(self.finished(), ["0001"])
        self.assertIn("host far", (self.out / "index.html").read_text())

    def processes(self, space):
        for pid in subprocess.run(["ip", "netns", "pids", space], capture_output=True, text=True, check=True).stdout.split():
            try:
                yield int(pid), pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                pass

    def sleeper_in(self, space):
        return next((pid for pid, words in self.processes(space) if words[:2] == [b"sleep", b"600"]), None)

    def agent_in(self, space):
        """The agent in this namespace, if its program is already sleeping."""
        if not self.sleeper_in(space):
            return None
        return next(pid for pid, words in self.processes(space) if words[0].endswith(b"python3") and b"vitrail-lab-agent" in words[-2])


if __name__ == "__main__":
    unittest.main()
