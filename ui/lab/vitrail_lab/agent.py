"""The lab's agent on a host: starts programs at a given instant, takes samples in memory, and returns them.

The lab sends the text of this file to the host, where Python reads it from standard input. So this file imports nothing
of the package, and runs with Python 3.8. Requests and answers follow, one JSON object per line:

  describe → a description of the host     clock → its steady clock in ns, and its load
  run      → armed, then done when all programs but those in the background have ended
  end      → the results, after the background programs were ended
  quit

The agent ends with its input, and ends all programs that it started. It keeps results in memory, not on disk.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import json
import os
import platform
import select
import shutil
import signal
import tempfile
import time
from typing import Any, Dict

PATIENCE_S = 3.0  # between SIGTERM and SIGKILL
SOCKETS_SHARE = 0.004  # of a core, for reading socket tables: each read scans the whole hash table
SPIN_NS = 300_000  # time before a start that is spent spinning instead of sleeping
QUIET_NS = 20_000_000  # no samples are taken this long before and after a start
MOST_OUTPUT = 64 << 20  # bytes of one program
MOST_LINES = 200_000
MOST_HANDED_OVER = 4 << 20  # bytes of one program's output in the results
MOST_VALUES = 2_000_000
LOOK_S = 1.0  # longest interval between checks of the programs' output sizes
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")

Message = Dict[str, Any]


class File:
    """A file of /proc or /sys that is read repeatedly."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDONLY)

    def text(self) -> str:
        parts: list[bytes] = []
        place = 0
        while True:
            part = os.pread(self.fd, 65536, place)
            if not part:
                return b"".join(parts).decode("utf-8", "replace")
            parts.append(part)
            place += len(part)

    def close(self) -> None:
        os.close(self.fd)


def text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


# --- programs -----------------------------------------------------------------------------------


class Program:
    """A program of the run. It is forked when the run is armed, and executed at its start time."""

    def __init__(self, wanted: Message, begin_ns: int, folder: str) -> None:
        self.name: str = wanted["name"]
        self.background: bool = wanted["background"]
        self.start_ns = begin_ns + int(wanted["start_s"] * 1e9)
        seconds = wanted["seconds"]
        self.stop_ns: int | None = None if seconds is None else self.start_ns + int(seconds * 1e9)
        self.lines: list[tuple[int, str]] = []
        self.line_bytes = 0
        self.part = b""
        self.kill_ns: int | None = None
        self.ended_by_us = ""
        self.ended: Message | None = None
        self.report = b""
        self.is_waiting = True
        self.output = os.memfd_create(f"{self.name}.out")
        self.errors = os.memfd_create(f"{self.name}.err")
        self.line_pipe: int | None = None
        pipe_in = self.output
        if wanted["lines"]:
            self.line_pipe, pipe_in = os.pipe()
            os.set_blocking(self.line_pipe, False)
        self.news, report = os.pipe()  # closed by the successful exec
        os.set_blocking(self.news, False)
        self.pid = os.fork()
        if self.pid == 0:
            self.become(wanted, folder, pipe_in, report)
        os.close(report)
        if self.line_pipe is not None:
            os.close(pipe_in)

    def become(self, wanted: Message, folder: str, output: int, report: int) -> None:
        """Run in the child; does not return. Writes the start time to `report`, or the reason why exec failed."""
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
            nothing = os.open("/dev/null", os.O_RDONLY)
            for fd, place in ((nothing, 0), (output, 1), (self.errors, 2)):
                os.dup2(fd, place)
            os.chdir(folder)
            environment = {**os.environ, **wanted["environment"]}
            command = wanted["command"]
            path = command[0] if "/" in command[0] else shutil.which(command[0], path=environment.get("PATH"))
            if not path:
                raise FileNotFoundError(errno.ENOENT, f"there is no program {command[0]}")
            wait_until(self.start_ns)
            os.write(report, f"{time.monotonic_ns()} {time.process_time_ns()} ".encode())
            for ours in (signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE):
                signal.signal(ours, signal.SIG_DFL)
            os.execve(path, command, environment)
        except OSError as error:
            os.write(report, f"! {error.strerror}".encode())
        finally:
            os._exit(127)

    def read_lines(self, now_ns: int) -> None:
        while self.line_pipe is not None:
            try:
                got = os.read(self.line_pipe, 65536)
            except BlockingIOError:
                return
            if not got:
                os.close(self.line_pipe)
                self.line_pipe = None
                return
            self.line_bytes += len(got)
            if self.line_bytes > MOST_OUTPUT or len(self.lines) > MOST_LINES:
                self.end("its output exceeded the limit", now_ns)
                return  # output until the end is discarded
            *whole, self.part = (self.part + got).split(b"\n")
            self.lines += [(now_ns, line.decode("utf-8", "replace")) for line in whole]

    def end(self, why: str, now_ns: int) -> None:
        if self.ended is None and not self.ended_by_us:
            self.ended_by_us = why
            self.stop_ns = None
            self.kill_ns = now_ns + int(PATIENCE_S * 1e9)
            self.kill(signal.SIGTERM)

    def read_news(self) -> None:
        """Read the start time. After the exec, the program gets normal priority."""
        while self.is_waiting:
            try:
                got = os.read(self.news, 4096)
            except BlockingIOError:
                return
            self.report += got
            self.is_waiting = bool(got)
            if not got:
                be_urgent(0, self.pid)

    def pipes(self) -> list[int]:
        """Return the descriptors to poll."""
        return ([self.news] if self.is_waiting else []) + ([self.line_pipe] if self.line_pipe is not None else [])

    def kill(self, number: int) -> None:
        """Signal the process group. The group may not exist yet; after the program's end, it has only the processes
        that the program left behind."""
        try:
            os.killpg(self.pid, number)
        except OSError:
            if self.ended is None:
                os.kill(self.pid, number)

    def next_ns(self) -> int:
        """Return the time of the next check that the program needs."""
        instants = [instant for instant in (self.stop_ns, self.kill_ns) if instant is not None and not self.ended]
        return min(instants, default=1 << 62)

    def look(self, now_ns: int) -> None:
        """End the program if its time is over or it wrote too much, and record its end."""
        if self.ended is not None:
            return
        self.read_news()
        self.read_lines(now_ns)
        if max(os.fstat(self.output).st_size, os.fstat(self.errors).st_size) > MOST_OUTPUT:
            self.end("its output exceeded the limit", now_ns)
        if self.stop_ns is not None and now_ns >= self.stop_ns:
            self.end("its time limit was reached", now_ns)
        if self.kill_ns is not None and now_ns >= self.kill_ns:
            self.kill(signal.SIGKILL)
            self.kill_ns = None
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        if pid == 0:
            return
        self.read_news()
        self.read_lines(now_ns)
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        self.ended = {"ns": now_ns, "code": code, "cpu_user_s": usage.ru_utime, "cpu_system_s": usage.ru_stime,
                      "memory_mb": usage.ru_maxrss / 1024}
        self.kill(signal.SIGKILL)

    def result(self) -> Message:
        started, _, failure = self.report.decode("utf-8", "replace").partition("! ")
        words = started.split()
        result = {"name": self.name, "wanted_ns": self.start_ns, "started_ns": int(words[0]) if words else None,
                  "waiting_cpu_s": int(words[1]) / 1e9 if words else 0, "failure": failure, "ended": self.ended,
                  "ended_by_us": self.ended_by_us, "output": handed_over(self.output),
                  "errors": handed_over(self.errors), "lines": self.lines}
        os.close(self.news)
        if self.line_pipe is not None:
            os.close(self.line_pipe)
        return result


def be_urgent(level: int, pid: int = 0) -> None:
    """Set real-time priority, if permitted, so that waiting for a core does not delay a start. Child processes do not
    inherit it. Level 0: normal priority."""
    try:
        os.sched_setscheduler(pid, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK if level else os.SCHED_OTHER, os.sched_param(level))
    except OSError:
        pass


def wait_until(instant_ns: int) -> None:
    be_urgent(1)
    left = instant_ns - time.monotonic_ns()
    if left > SPIN_NS:
        time.sleep((left - SPIN_NS) / 1e9)
    while time.monotonic_ns() < instant_ns:
        pass


def handed_over(fd: int) -> str:
    size = os.fstat(fd).st_size
    text = os.pread(fd, MOST_HANDED_OVER, 0).decode("utf-8", "replace")
    os.close(fd)
    return text if size <= MOST_HANDED_OVER else text + f"\n… {size - MOST_HANDED_OVER} bytes more\n"


# --- samples ------------------------------------------------------------------------------------


class Family:
    """A program and its descendants: processes of its session, and their children."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.members: dict[int, File] = {}
        self.spent: dict[int, int] = {}  # CPU ticks by pid, including processes that have ended

    def figures(self) -> Message:
        pages = 0
        for pid, file in list(self.members.items()):
            try:
                fields = file.text().rpartition(")")[2].split()
                self.spent[pid] = int(fields[11]) + int(fields[12])
                pages += int(fields[21])
            except (OSError, IndexError):
                file.close()
                del self.members[pid]
        return {"cpu_s": sum(self.spent.values()) / TICKS, "memory_mb": pages * PAGE / 1e6,
                "processes": len(self.members)}


class Families:
    """Assigns processes to programs. Checks only processes that are new since the last call."""

    def __init__(self, programs: list[Program]) -> None:
        self.of = {program.name: Family(program.pid) for program in programs}
        self.known: set[int] = set()

    def find(self) -> None:
        pids = {int(name) for name in os.listdir("/proc") if name.isdigit()}
        for pid in sorted(pids - self.known):
            try:
                file = File(f"/proc/{pid}/stat")
            except OSError:
                continue
            try:
                fields = file.text().rpartition(")")[2].split()
                parent, session = int(fields[1]), int(fields[3])
            except (OSError, IndexError):
                file.close()
                continue
            for family in self.of.values():
                if pid == family.pid or session == family.pid or parent in family.members:
                    family.members[pid] = file
                    break
            else:
                file.close()
        self.known = pids


class Samples:
    """Time series by subject and figure. Each value has its own time."""

    def __init__(self, wanted: Message, programs: list[Program]) -> None:
        self.series: dict[tuple[str, str], list[tuple[int, float]]] = {}
        self.values = 0
        self.left_out = 0
        self.sockets_again_ns = 0
        self.wanted = wanted
        self.families = Families(programs)
        self.stat = File("/proc/stat")
        self.load = File("/proc/loadavg")
        self.network = File("/proc/net/dev")
        self.sockets = [(name, File(f"/proc/net/{name}")) for name in ("tcp", "tcp6", "udp", "udp6")
                        if wanted["sockets"] and os.path.exists(f"/proc/net/{name}")]
        self.disks = File("/proc/diskstats") if wanted["disks"] and os.path.exists("/proc/diskstats") else None
        self.zones = [(text_of(f"/sys/class/thermal/{zone}/type").strip() or zone, File(f"/sys/class/thermal/{zone}/temp"))
                      for zone in sorted(names_in("/sys/class/thermal")) if zone.startswith("thermal_zone")]
        frequency = "/sys/devices/system/cpu/{}/cpufreq/scaling_cur_freq"
        self.frequencies = [File(frequency.format(cpu)) for cpu in sorted(names_in("/sys/devices/system/cpu"))
                            if os.path.exists(frequency.format(cpu))]

    def take(self) -> None:
        if self.values > MOST_VALUES:
            self.left_out += 1
            return
        if self.wanted["programs"]:
            self.families.find()
            for name, family in self.families.of.items():
                self.put(f"program {name}", time.monotonic_ns(), family.figures())
        now = time.monotonic_ns()
        ticks = [int(word) for word in self.stat.text().split("\n", 1)[0].split()[1:9]]
        self.put("host", now, {"cpu_busy_s": (sum(ticks) - ticks[3] - ticks[4]) / TICKS, "cpu_steal_s": ticks[7] / TICKS,
                               "load": float(self.load.text().split()[0])})
        self.take_network()
        self.take_sockets()
        if self.disks is not None:
            now = time.monotonic_ns()
            for line in self.disks.text().splitlines():
                words = line.split()
                if words[2] in self.wanted["disks"]:
                    self.put(f"disk {words[2]}", now, {"read_bytes": int(words[5]) * 512, "written_bytes": int(words[9]) * 512})
        self.take_state()

    def take_network(self) -> None:
        wanted = self.wanted["interfaces"]
        if not wanted:
            return
        now = time.monotonic_ns()
        for line in self.network.text().splitlines()[2:]:
            name, _, rest = line.partition(":")
            name = name.strip()
            if name in wanted:
                words = [int(word) for word in rest.split()]
                self.put(f"interface {name}", now, {
                    "received_bytes": words[0], "received_packets": words[1], "received_dropped": words[3],
                    "sent_bytes": words[8], "sent_packets": words[9], "sent_dropped": words[11]})

    def take_sockets(self) -> None:
        began = time.monotonic_ns()
        if began < self.sockets_again_ns:
            return
        for name, file in self.sockets:
            now = time.monotonic_ns()
            sent = received = count = dropped = 0
            for line in file.text().splitlines()[1:]:
                words = line.split()
                outgoing, _, incoming = words[4].partition(":")
                sent += int(outgoing, 16)
                received += int(incoming, 16)
                count += 1
                if name.startswith("udp"):
                    dropped += int(words[12])
            figures = {"sockets": count, "send_queue_bytes": sent, "receive_queue_bytes": received}
            if name.startswith("udp"):
                figures["dropped_packets"] = dropped
            self.put(f"sockets {name}", now, figures)
        ended = time.monotonic_ns()
        self.sockets_again_ns = ended + int((ended - began) / SOCKETS_SHARE)

    def take_state(self) -> None:
        now = time.monotonic_ns()
        for name, file in self.zones:
            try:
                self.put(f"temperature {name}", now, {"celsius": int(file.text()) / 1000})
            except (OSError, ValueError):
                pass
        if self.frequencies:
            mhz = [int(file.text()) / 1000 for file in self.frequencies]
            self.put("host", now, {"mhz_mean": sum(mhz) / len(mhz), "mhz_least": min(mhz)})

    def put(self, subject: str, now_ns: int, figures: Message) -> None:
        for figure, value in figures.items():
            self.series.setdefault((subject, figure), []).append((now_ns, value))
        self.values += len(figures)

    def result(self) -> list[Any]:
        return [[subject, figure, values] for (subject, figure), values in self.series.items()]


def names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


# --- the host -----------------------------------------------------------------------------------


def describe() -> Message:
    cpu = [line.partition(":")[2].strip() for line in text_of("/proc/cpuinfo").splitlines() if line.startswith("model name")]
    system = dict(line.partition("=")[::2] for line in text_of("/etc/os-release").splitlines() if "=" in line)
    memory = [line.split()[1] for line in text_of("/proc/meminfo").splitlines() if line.startswith("MemTotal")]
    return {"name": platform.node(), "kernel": platform.release(), "machine": platform.machine(),
            "python": platform.python_version(), "system": system.get("PRETTY_NAME", "").strip('"'),
            "cpu": cpu[0] if cpu else "", "cores": len(os.sched_getaffinity(0)),
            "memory_mb": int(memory[0]) // 1024 if memory else None,
            "governor": text_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or None,
            "interfaces": names_in("/sys/class/net"),
            "disks": [name for name in names_in("/sys/block") if not name.startswith(("loop", "ram"))]}


class Agent:
    def __init__(self) -> None:
        self.input = b""
        self.children, wake = os.pipe()  # a byte for each child that has ended
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        self.folder = tempfile.mkdtemp(prefix="vitrail-lab-")

    def say(self, message: Message) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(1, data):]

    def heard(self, seconds: float | None, also: list[int]) -> Message | None:
        """Return the next message; None after `seconds`, or when another descriptor is ready. SystemExit: the input has
        ended."""
        while b"\n" not in self.input:
            ready = select.select([0, self.children, *also], [], [], seconds)[0]
            if self.children in ready:
                os.read(self.children, 4096)
            if 0 not in ready:
                return None
            got = os.read(0, 65536)
            if not got:
                raise SystemExit
            self.input += got
        line, _, self.input = self.input.partition(b"\n")
        message: Message = json.loads(line)
        return message

    def serve(self) -> None:
        while True:
            message = self.heard(None, [])
            if message is None:
                continue
            if message["do"] == "clock":
                self.say({"ns": time.monotonic_ns(), "load": os.getloadavg()[0]})
            elif message["do"] == "describe":
                self.say(describe())
            elif message["do"] == "run":
                self.run(message)
            elif message["do"] == "quit":
                return

    def run(self, wanted: Message) -> None:
        gc.collect()
        gc.disable()
        be_urgent(2)
        folder = tempfile.mkdtemp(dir=self.folder)
        programs: list[Program] = []
        try:
            for one in wanted["programs"]:
                one["command"] = [word.replace("\0folder\0", folder) for word in one["command"]]
                one["environment"] = {name: text.replace("\0folder\0", folder) for name, text in one["environment"].items()}
                programs.append(Program(one, wanted["begin_ns"], folder))
            samples = Samples(wanted["samples"], programs)
            self.say({"armed": True})
            self.watch(wanted, programs, samples)
        finally:
            for program in programs:
                if program.ended is None:
                    program.kill(signal.SIGKILL)
                    os.waitpid(program.pid, 0)
            be_urgent(0)
            shutil.rmtree(folder, ignore_errors=True)
            gc.enable()

    def watch(self, wanted: Message, programs: list[Program], samples: Samples) -> None:
        every_ns = int(wanted["samples"]["every_ms"] * 1e6)
        limit_ns = wanted["begin_ns"] + int(wanted["limit_s"] * 1e9)
        next_ns: int = wanted["begin_ns"] - QUIET_NS
        cpu_before = time.process_time()
        watched_ns = time.monotonic_ns()
        done = ending = False
        load = [os.getloadavg()[0]]
        while True:
            now = time.monotonic_ns()
            next_ns = max([next_ns, *(program.start_ns + QUIET_NS for program in programs
                                      if program.start_ns - QUIET_NS < next_ns < program.start_ns + QUIET_NS)])
            if now >= next_ns:
                samples.take()
                load.append(os.getloadavg()[0])
                next_ns = max(next_ns + every_ns, now)
            for program in programs:
                program.look(now)
                if now > limit_ns and program.ended is None:
                    program.end("the test exceeded limit_s", now)
            if not done and all(program.ended for program in programs if not program.background):
                done = True
                self.say({"done": True})
            if ending:
                for program in programs:
                    program.end("the test ended", now)
                if all(program.ended for program in programs):
                    break
            wake_ns = min([next_ns, limit_ns if now < limit_ns else next_ns, *(program.next_ns() for program in programs)])
            pipes = [pipe for program in programs for pipe in program.pipes()]
            message = self.heard(max(0.0, min(LOOK_S, (wake_ns - time.monotonic_ns()) / 1e9)), pipes)
            ending = ending or (message is not None and message["do"] == "end")
        samples.take()
        watched_s = (time.monotonic_ns() - watched_ns) / 1e9
        own_cpu_s = time.process_time() - cpu_before
        results = [program.result() for program in programs]
        self.say({"programs": results, "samples": samples.result(), "samples_left_out": samples.left_out,
                  "load_mean": sum(load) / len(load), "load_most": max(load), "watched_s": watched_s,
                  "own_cpu_s": own_cpu_s + sum(result["waiting_cpu_s"] for result in results)})


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal: the lab ends the agent by closing its input
    agent = Agent()
    try:
        agent.say({"ready": True})
        agent.serve()
    except (SystemExit, BrokenPipeError):
        pass
    finally:
        shutil.rmtree(agent.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
