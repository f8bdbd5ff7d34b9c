"""How long until a tile joins a carried stream (`scripts/bench carried --part join`).

A film with a key picture a second plays on two tiles with a receiver each. Then, at random positions between key pictures:

move: the window, which is on the left tile only, is enlarged to both. From the request to the first frame on both tiles.
restart: the right receiver is killed and started again. From its start, and from when the manager tells that it is
connected, to the first frame on both tiles.

The left tile's wait is its longest time without a frame until then, from the request or from the connection.
"""

import random
import statistics
import time

from start import SWAP, PicturedWall, percentile

from harness import Control, eventually

GOAL_MS = 300
TILE = (320, 360)


class JoinedWall(PicturedWall):
    def __init__(self):
        super().__init__(TILE)
        self.grid["rows"] = 1

    def cover(self, tiles):
        self.call("place", windows=[{"window": self.film, "rect": [0, 0, TILE[0] * tiles, TILE[1]]}])

    def settle(self, tiles):
        """Waits until this many receivers get the film, and then for up to the time between two key pictures."""
        def settled():
            links = self.call("stats", window=self.film)["windows"][0].get("stats", {}).get("links", [])
            return len(links) == tiles
        eventually(settled, f"{tiles} receivers get the film")
        self.wait_for_frames(self.film)
        time.sleep(random.random())

    def joined(self, begin_ns):
        """When both tiles first showed the same frame, and the left tile's longest wait from begin_ns on, in ms."""
        def both():
            left, right = ({frame: done_ns for _, frame, done_ns in self.stamps(process, SWAP, begin_ns)} for process in self.receivers_traced)
            common = [max(left[frame], right[frame]) for frame in left.keys() & right.keys()]
            return (min(common), sorted(left.values())) if common else None
        joined_ns, left_ns = eventually(both, "both tiles show the film")
        shown_ns = [begin_ns, *(done_ns for done_ns in left_ns if done_ns <= joined_ns), joined_ns]
        return joined_ns, max(after - before for before, after in zip(shown_ns, shown_ns[1:])) / 1e6

    def move(self):
        self.cover(1)
        self.settle(1)
        self.watch()
        begin_ns = self.now_ns()
        self.cover(2)
        joined_ns, wait_ms = self.joined(begin_ns)
        return {"move": (joined_ns - begin_ns) / 1e6, "move_wait": wait_ms}

    def restart(self):
        self.settle(2)
        self.receivers["node2"].kill()
        self.receivers["node2"].wait()
        self.settle(1)
        with Control(self.port) as changes:
            changes.call("subscribe")
            begin_ns = self.now_ns()
            self.start_receiver("node2")

            def connected():
                receivers = (changes.receive() or {}).get("params", {}).get("receivers", [])
                return any(one["name"] == "node2" and one["connected"] for one in receivers)
            while not connected():
                pass
            hello_ns = self.now_ns()
            self.watch()
        joined_ns, wait_ms = self.joined(hello_ns)
        return {"restart": (joined_ns - begin_ns) / 1e6, "hello": (joined_ns - hello_ns) / 1e6, "restart_wait": wait_ms}


def figures(rounds, make_film):
    """All times in ms: p50, p95 and the longest. make_film: makes the film with this path."""
    times = {}
    with JoinedWall() as wall:
        _, wall.film = wall.play("--codec", "carried", "--loop", "--place", f"0,0,{2 * TILE[0]}x{TILE[1]}", make_film(wall.folder / "film.mp4"))
        for action in (wall.move, wall.restart):
            for _ in range(rounds):
                for name, ms in action().items():
                    times.setdefault(name, []).append(ms)
    return {f"{name}_ms_{which}": round(value, 1) for name, all_ms in times.items()
            for which, value in (("p50", statistics.median(all_ms)), ("p95", percentile(all_ms, 0.95)), ("max", max(all_ms)))}


def print_figures(result):
    print(f"  {'until both tiles show a frame, ms':<44} {'p50':>8} {'p95':>8} {'most':>8} {'goal':>6}")
    for name, what, goal in (("move", "after a move", GOAL_MS), ("move_wait", "  the left tile's longest wait", ""),
                             ("hello", "after the receiver is connected again", GOAL_MS), ("restart", "after the start of its program", ""),
                             ("restart_wait", "  the left tile's longest wait", "")):
        p50, p95, most = (result[f"{name}_ms_{which}"] for which in ("p50", "p95", "max"))
        print(f"  {what:<44} {p50:>8.1f} {p95:>8.1f} {most:>8.1f} {goal:>6}")
