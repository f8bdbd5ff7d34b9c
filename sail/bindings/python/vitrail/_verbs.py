"""The manager's verbs as methods. Written by scripts/python-interface from manager/COMMANDS.md: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

Answer_ = TypeVar("Answer_")


class Verbs(Generic[Answer_]):
    """All verbs. manager/COMMANDS.md describes their results. Parameters that are None are not sent."""

    def call(self, verb: str, /, **parameters: Any) -> Answer_:
        """Call a verb by name."""
        raise NotImplementedError

    def arrange(self, *, mode: Literal["grid", "aspect", "main"] | None = None, columns: int | None = None,
                window: int | None = None, area: str | None = None) -> Answer_:
        """Arrange the unlocked windows side by side, as large as possible. Grid cells snap to tile edges within an
        eighth of a cell. A grid without bezels through windows is preferred if it covers at least 70 % of the best
        one's area."""
        return self.call("arrange", mode=mode, columns=columns, window=window, area=area)

    def blank(self, *, on: bool | None = None) -> Answer_:
        """Make all tiles black: `on` (true). Streams and sound continue. Not a step of the history."""
        return self.call("blank", on=on)

    def clock(self) -> Answer_:
        """For all roles: return wall time, for estimates of clock offsets."""
        return self.call("clock")

    def clocks(self) -> Answer_:
        """Return the source and accuracy of wall time: `wall_ns` (now), `source` (`manager`: its steady clock;
        `system`: each machine's system clock), the manager's `error_us` (0, or the kernel's estimate) and
        `synchronised` (false: nothing sets its system clock), and `peers`: the last `clock_stats` with `peer` (number),
        `name`, `role`. `displays` with a known refresh have `receiver`, `tile`, `hz`, `source` (as in `receiver_stats`)
        and, if measured, `phase_us`: the offset to the first display of about the same rate, at most half a period.
        Only genlock removes it."""
        return self.call("clocks")

    def close(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """Close `window`, or `windows` (numbers; one step of the history). The application gets the `event` `close` and
        has 2 s to close the stream; then the window is removed and the application disconnected (`forced`). So is an
        application that falls silent meanwhile. It can reconnect, but not resume the window (`not_found`), not even at
        the next manager. The answer comes when the window is gone; for several: `windows`, the numbers, and `forced`,
        those forced. `undo` restores only what the manager can restart."""
        return self.call("close", window=window, windows=windows)

    def control(self, window: int, action: Literal["pause", "resume", "seek", "rate", "loop", "volume", "page",
                "codec"], *, value: float | None = None, codec: str | None = None) -> Answer_:
        """Control playback in `window`: `action` and its argument. The application gets an `event` and may ignore it.
        See also `group`. Errors, as far as the window's `playback` shows them: `conflict` (`page` of what has no pages,
        `seek` in a live source or in pages), `invalid_params` (a page after the last one, a time after the film's
        end)."""
        return self.call("control", window=window, action=action, value=value, codec=codec)

    def doctor(self, node: str) -> Answer_:
        """Run `vitrail doctor` on `node` (an app or receiver of the wall file), started as receivers are. Result:
        `findings`: `worth` (`good`, `note` or `bad`), `about`, `what` (a sentence), `advice` (if any). It takes at most
        60 s. Errors: `not_found`, `unavailable` (the node cannot reach this manager), `limit` (64 are running), `io`
        (its or ssh's last output)."""
        return self.call("doctor", node=node)

    def films(self, *, server: str | None = None, search: str | None = None, after: str | None = None,
              playable: bool | None = None) -> Answer_:
        """List films of the film servers of `--film-server` (sail/apps/server/README.md). Optional: `server`
        (`HOST:PORT` as named there; default: the first), `search`, `after` and `playable` as in its verb `titles`.
        Result: `server` (`""`: none), `servers` (all), and the server's `titles` and `more`. `play` takes
        `server://HOST:PORT/TITLE`. The manager asks as a viewer. Errors: `not_found` (no such server), `unavailable`
        (no answer, or the manager is refused), and the server's own."""
        return self.call("films", server=server, search=search, after=after, playable=playable)

    def find_places(self, sizes: Sequence[Sequence[int]], *, at: Sequence[float] | None = None) -> Answer_:
        """Find free places for windows that open together, side by side, as large as possible. `sizes` (of 1 to 64
        pictures), `at` (optional, `[x, y]`: the wanted point). Result: `places`, one each: `rect`, and `play`, the
        arguments with which `play` uses it."""
        return self.call("find_places", sizes=sizes, at=at)

    def fit(self, window: int, *, tile: str | None = None, partition: str | None = None, fill: bool | None = None,
            stretch: bool | None = None, share: bool | None = None, gesture: str | None = None) -> Answer_:
        """Fit `window` into the wall, `tile` or `partition`: centred, as large as possible, aspect ratio kept. `fill`
        (false): fill it, and crop the picture (see `look`) until the next `fit`. `stretch` (false): fill it, and
        distort the picture. `share` (false; with `partition`): form a grid with the windows there. `gesture`.
        `not_found`: unknown tile or partition."""
        return self.call("fit", window=window, tile=tile, partition=partition, fill=fill, stretch=stretch, share=share,
                         gesture=gesture)

    def group(self, name: str, windows: Sequence[int]) -> Answer_:
        """Move `windows` (1 to 256 numbers) into the group `name`; the name `""` means no group. The first members
        create a group; it ends with its last. Members show frames of equal presentation times in one swap, all or none
        (sail/PROTOCOL.md, *Groups*). A new group starts at the film position of the first of these windows. `control`'s
        `pause`, `resume`, `seek` and `rate` act on all members at one instant. Applications are notified by `group`;
        frames without presentation times are not synchronised. A stream that replaces a member's joins if its frame
        rate is equal. Streams can also join in `open_stream`. Errors: `conflict` (different frame rates; a window with
        several senders), `limit` (256 groups, 256 members)."""
        return self.call("group", name=name, windows=windows)

    def groups(self) -> Answer_:
        """List all groups: `name`, `windows`, `fps` (of the members; 0: unknown) and `timeline`: the film is at
        `position_s` at `at_ns` (wall time) and continues with `rate`, or is `paused`."""
        return self.call("groups")

    def history(self) -> Answer_:
        """Return the **history**."""
        return self.call("history")

    def identify(self, *, on: bool | None = None, seconds: float | None = None) -> Answer_:
        """Show each tile's name: `on` (true), `seconds` (optional: end after them, at most a day)."""
        return self.call("identify", on=on, seconds=seconds)

    def input(self, window: int, type: Literal["enter", "leave", "move", "down", "up", "wheel", "key_down", "key_up",
              "touch_down", "touch_move", "touch_up", "pinch"], *, at: Sequence[float] | None = None,
              button: int | None = None, buttons: int | None = None, wheel: Sequence[float] | None = None,
              key: str | None = None, modifiers: int | None = None, touch: int | None = None,
              scale: float | None = None) -> Answer_:
        """Send a pointer, key or touch event to the application of `window`. `type`: `enter`, `leave`, `move`, `down`,
        `up`, `wheel`, `key_down`, `key_up`, `touch_down`, `touch_move`, `touch_up` or `pinch`."""
        return self.call("input", window=window, type=type, at=at, button=button, buttons=buttons, wheel=wheel, key=key,
                         modifiers=modifiers, touch=touch, scale=scale)

    def invite(self, *, title: str | None = None) -> Answer_:
        """Start a **guest**, a program that shows a screen, a window or a camera that a page sends as video. `title`
        (`Guest`): the window's. Result: `port`, `secret` (32 hexadecimal digits), `tls`. The page connects to that port
        of the manager's host by WebSocket, with or without TLS, and first sends the secret, valid once within 30 s
        (sail/PROTOCOL.md, "Guests"). The window opens with the first picture; window and share end together. Errors:
        `not_found` (`vitrail-guest` is not installed), `limit` (8 guests, 4 of a person who is not an admin), `io`,
        `unavailable` (the manager is shutting down)."""
        return self.call("invite", title=title)

    def journal_read(self, *, layout: str | None = None, session: str | None = None,
                     kept: str | None = None) -> Answer_:
        """For the standby only. `layout` or `session`: a name; or `kept`: `people` or `urls`. Result: the complete
        `document`, with passwords in URLs and verifiers of people's passwords. Errors: `not_found`, `limit` (too large
        for a message)."""
        return self.call("journal_read", layout=layout, session=session, kept=kept)

    def layout_apply(self, name: str) -> Answer_:
        """Apply the layout `name`. Its windows are matched by number and title, then by title, then in the order of
        opening. Unmatched and locked windows stay. Places are scaled to the wall's size. One step of the history.
        Result: `windows`, the numbers of the matched ones."""
        return self.call("layout_apply", name=name)

    def layout_remove(self, name: str) -> Answer_:
        """List, save or remove layouts: the windows' places, z-order and locks, and the partitions. `name`: a new one,
        or one to replace. In the list, `rects` are its windows on this wall, bottom to top: the topmost 32, and at most
        8000 in all; layouts beyond that have none."""
        return self.call("layout_remove", name=name)

    def layout_save(self, name: str) -> Answer_:
        """List, save or remove layouts: the windows' places, z-order and locks, and the partitions. `name`: a new one,
        or one to replace. In the list, `rects` are its windows on this wall, bottom to top: the topmost 32, and at most
        8000 in all; layouts beyond that have none."""
        return self.call("layout_save", name=name)

    def layouts(self) -> Answer_:
        """List, save or remove layouts: the windows' places, z-order and locks, and the partitions. `name`: a new one,
        or one to replace. In the list, `rects` are its windows on this wall, bottom to top: the topmost 32, and at most
        8000 in all; layouts beyond that have none."""
        return self.call("layouts")

    def list(self, *, skip: int | None = None) -> Answer_:
        """Return the **state**, with `recorders`, if any: `recorder` (number), `name`, `host`, `rect` (on the wall),
        `size` (of its pictures). `skip` (0): windows to skip from the bottom, to get more than 256."""
        return self.call("list", skip=skip)

    def lock(self, window: int, *, on: bool | None = None) -> Answer_:
        """Lock `window`: `on` (true; false unlocks it)."""
        return self.call("lock", window=window, on=on)

    def look(self, window: int, *, stereo: Literal["off", "left", "right", "anaglyph"] | None = None,
             halves: Literal["side-by-side", "top-bottom"] | None = None, crop: Sequence[int] | None = None,
             whole: bool | None = None, rotate: int | None = None, flip: bool | None = None,
             opacity: float | None = None, gesture: str | None = None) -> Answer_:
        """Set the view transform of `window`. Missing fields keep their values"""
        return self.call("look", window=window, stereo=stereo, halves=halves, crop=crop, whole=whole, rotate=rotate,
                         flip=flip, opacity=opacity, gesture=gesture)

    def lower(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """Raise to the top, or lower to the bottom: `window`, or `windows` (numbers), which keep their order. Result
        for several: `windows`."""
        return self.call("lower", window=window, windows=windows)

    def master_volume(self, *, volume: float | None = None, muted: bool | None = None) -> Answer_:
        """Set `volume` (0 to 1), `muted` (true or false) or both for all windows. The wall multiplies each window's
        volume by it. Not a step of the history. Result: both, as `sound` in the state."""
        return self.call("master_volume", volume=volume, muted=muted)

    def maximise(self, window: int, *, on: bool | None = None) -> Answer_:
        """Make `window` as large as the wall allows, aspect ratio kept, on top: `on` (true; false restores it). Moving
        or resizing also ends this state."""
        return self.call("maximise", window=window, on=on)

    def move(self, window: int, *, x: int | None = None, y: int | None = None, dx: int | None = None,
             dy: int | None = None, gesture: str | None = None) -> Answer_:
        """Move `window` to `x`, `y` (top left corner), or by `dx`, `dy`. A missing coordinate does not change."""
        return self.call("move", window=window, x=x, y=y, dx=dx, dy=dy, gesture=gesture)

    def opening_close(self, opening: int) -> Answer_:
        """End a player whose window has not opened: `opening`, a number of the state's `openings`. Its `play` fails
        with `unavailable`. Errors: `not_found` (its window is open, or it has ended), `unauthorized` (another
        person's)."""
        return self.call("opening_close", opening=opening)

    def overlay(self, *, on: bool | None = None) -> Answer_:
        """Draw figures on the wall, updated each second: `on` (true). A window's (title, codec, frames and megabits a
        second, dropped frames, median and 99th percentile of latency, skew) are at the top left of its visible part; a
        receiver's at the bottom left of its first tile."""
        return self.call("overlay", on=on)

    def partition(self, action: Literal["set", "remove", "grid", "clear"], *, name: str | None = None,
                  rect: Sequence[int] | None = None, columns: int | None = None, rows: int | None = None) -> Answer_:
        """Change the partitions: at most 256 named parts of the wall, which may overlap. A window belongs to the
        smallest that contains it."""
        return self.call("partition", action=action, name=name, rect=rect, columns=columns, rows=rows)

    def place(self, windows: Sequence[Mapping[str, Any]], *, front: bool | None = None,
              gesture: str | None = None) -> Answer_:
        """Place `windows` (1 to 4096; each with `window` and `rect`) in one transaction, all or none. `front` (false)
        also raises them. Result: `windows`, the numbers. During a drag, send notifications with a `gesture`, and a
        request at the end."""
        return self.call("place", windows=windows, front=front, gesture=gesture)

    def play(self, *, media: Sequence[str] | None = None, source: str | None = None,
             sources: Sequence[str] | None = None, place: Sequence[int] | None = None,
             within: Sequence[int] | None = None, at: Sequence[float] | None = None, at_end: Literal["hold", "loop",
             "close"] | None = None, loop: bool | None = None, fps: float | None = None, start: float | None = None,
             rate: float | None = None, volume: float | None = None, best_effort: bool | None = None,
             fallback: str | None = None, group: str | None = None, start_at: float | None = None,
             on: str | None = None, transport: Literal["tcp", "udp"] | None = None, delay_ms: int | None = None,
             mtu: int | None = None) -> Answer_:
        """Start a player on the manager's host: `vitrail-show` if all file names are those of pictures or PDF documents
        and none of `fps`, `start`, `rate`, `volume`, `fallback`, `group` and `start_at` is given; `vitrail-web` for a
        page, `vitrail-vnc` for a desktop (without these); else `bplay`."""
        return self.call("play", media=media, source=source, sources=sources, place=place, within=within, at=at,
                         at_end=at_end, loop=loop, fps=fps, start=start, rate=rate, volume=volume,
                         best_effort=best_effort, fallback=fallback, group=group, start_at=start_at, on=on,
                         transport=transport, delay_ms=delay_ms, mtu=mtu)

    def pointer(self, *, at: Sequence[float] | None = None, pressed: bool | None = None, hidden: bool | None = None,
                pointer: int | None = None) -> Answer_:
        """Show a pointer on the wall: `at` (`[x, y]`, wall pixels, fractions allowed) and `pressed` (false), or
        `hidden`. A client has up to 32, numbered by `pointer` (0 to 31; 0). Each is drawn above all windows with the
        client's name and colour, until it rests for 10 s or its client leaves. At most 256 are visible, those moved
        last. Usually a notification, 60 times a second."""
        return self.call("pointer", at=at, pressed=pressed, hidden=hidden, pointer=pointer)

    def raise_(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """Raise to the top, or lower to the bottom: `window`, or `windows` (numbers), which keep their order. Result
        for several: `windows`."""
        return self.call("raise", window=window, windows=windows)

    def receiver_log(self, receiver: str, *, from_: int | None = None, last: int | None = None) -> Answer_:
        """Read the log of `receiver` (name of a receiver or of an `app` of the wall file, or `standby`): `from` (`next`
        of the previous answer) or `last` (8192: bytes from the end, at most 65536). Result: `text`, whole lines, and
        `next`. `not_found`: no manager started it."""
        return self.call("receiver_log", receiver=receiver, from_=from_, last=last)

    def receiver_restart(self, receiver: str) -> Answer_:
        """Restart the program of `receiver` (name, or `standby`); one that does not end within 3 s is killed.
        `unavailable`: this manager did not start it."""
        return self.call("receiver_restart", receiver=receiver)

    def redo(self) -> Answer_:
        """`undo` reverts the newest step; `redo` repeats the last undone one. Steps without effect are skipped. A
        presenter's `undo` reverts its own newest step about only its own windows; others' later steps stay, also in the
        z-order. A closed window's content is restarted if possible (`relaunch`), under a new number; started content is
        closed. When done, the answer has the step's `who` and `what`, and `failed` (windows not restored: `title`,
        `why`), if any. Errors: `not_found` (no such step), `conflict` (another is in progress)."""
        return self.call("redo")

    def replace(self, window: int, *, media: Sequence[str] | None = None, source: str | None = None,
                sources: Sequence[str] | None = None, at_end: Literal["hold", "loop", "close"] | None = None,
                loop: bool | None = None, fps: float | None = None, start: float | None = None,
                rate: float | None = None, volume: float | None = None, best_effort: bool | None = None,
                fallback: str | None = None, group: str | None = None, start_at: float | None = None,
                on: str | None = None, transport: Literal["tcp", "udp"] | None = None, delay_ms: int | None = None,
                mtu: int | None = None) -> Answer_:
        """As `play`, without `place`, `within` and `at`, but replace `window`: the new one takes its place, z-order,
        volume and opacity, and its group unless it names one or the frame rates differ. `window` is closed, in one step
        of the history. Result: `window`, the new number. Further errors: `not_found`, `conflict` (locked)."""
        return self.call("replace", window=window, media=media, source=source, sources=sources, at_end=at_end,
                         loop=loop, fps=fps, start=start, rate=rate, volume=volume, best_effort=best_effort,
                         fallback=fallback, group=group, start_at=start_at, on=on, transport=transport,
                         delay_ms=delay_ms, mtu=mtu)

    def resize(self, window: int, *, width: int | None = None, height: int | None = None,
               gesture: str | None = None) -> Answer_:
        """Resize `window` to `width`, `height`. If one is missing, the aspect ratio is kept. The top left corner
        stays."""
        return self.call("resize", window=window, width=width, height=height, gesture=gesture)

    def session_get(self, name: str) -> Answer_:
        """Return the document of session `name`: `name`, `saved_at`, `wall_size`, `partitions`, and `windows`, bottom
        to top. A window has, as far as known, `number` (when saved), `title`, `owner`, `frame_size`, `rect`, `place`,
        `shape` (size of the shown picture, if not its frames'), `look`, `locked`, `before_maximised`, `volume`,
        `muted`, `content`, `playback`, `thumbnail` (`size`, `jpeg`: the last watched one; 512 KiB in all, topmost
        first). `limit`: too large for one message."""
        return self.call("session_get", name=name)

    def session_remove(self, name: str) -> Answer_:
        """List, save or remove sessions: layouts with the windows' content: how to start it, and its position, pause,
        speed, loop and volume, if the application reports them."""
        return self.call("session_remove", name=name)

    def session_restore(self, name: str) -> Answer_:
        """Restore session `name`: close all windows, locked or not, and start the session's, with places, z-order and
        positions. Windows of the session that are open and cannot be restarted stay, and are placed. One step of the
        history. When all have opened or failed, the answer has `started` (new numbers) and `failed` (`title`, `why`).
        `conflict`: an `undo` is in progress."""
        return self.call("session_restore", name=name)

    def session_save(self, name: str) -> Answer_:
        """List, save or remove sessions: layouts with the windows' content: how to start it, and its position, pause,
        speed, loop and volume, if the application reports them."""
        return self.call("session_save", name=name)

    def sessions(self) -> Answer_:
        """List, save or remove sessions: layouts with the windows' content: how to start it, and its position, pause,
        speed, loop and volume, if the application reports them."""
        return self.call("sessions")

    def shutdown(self) -> Answer_:
        """End the manager. It answers at once, asks applications to close their streams (1 s), and ends the programs
        that it started."""
        return self.call("shutdown")

    def snapshot(self) -> Answer_:
        """Schedule a snapshot: at `at_ns`, shortly ahead, receivers keep what their tiles show. With `secret`, each
        picture can be fetched once from the data ports of `receivers` (sail/PROTOCOL.md), which show `certificate`, if
        given. Pixels do not pass through the manager. Snapshots are queued, at most ten a second. Errors: `unavailable`
        (no receiver is connected), `timeout` (none answered), `limit` (the client has one in the queue, or 64 wait)."""
        return self.call("snapshot")

    def sound(self, window: int, *, volume: float | None = None, muted: bool | None = None,
              gesture: str | None = None) -> Answer_:
        """Set `volume` (0 to 1), `muted` (true or false) or both of `window`; `gesture` as for `move`. They apply to
        the wall's loudspeakers (sail/core/wall/README.md, `audio`), or, if `playback` reports sound, to the
        application's, notified as by `control`. `volume` follows the application's own changes. Muted sound is not
        sent."""
        return self.call("sound", window=window, volume=volume, muted=muted, gesture=gesture)

    def source_bin(self) -> Answer_:
        """`source_bin` lists the uploaded files in the bin: `files`, oldest first (`bin`, an id; `title`; `removed_at`,
        seconds since 1970; `bytes`), and `days`, how long files stay. `source_restore` restores `bin`, and returns the
        source, with a number in its name if another file has that name. `not_found`: no longer there."""
        return self.call("source_bin")

    def source_remove(self, source: str) -> Answer_:
        """Remove `source`, a saved URL or uploaded file. `undo` restores it; `redo` skips the removal. A file stays 30
        days in the bin, a hidden folder beside the uploads, under the id `bin` of the result; the oldest are deleted
        earlier if `--uploads-quota` or the disk lacks space for an upload. Files of `--media` folders cannot be removed
        (`invalid_params`)."""
        return self.call("source_remove", source=source)

    def source_rename(self, source: str, name: str) -> Answer_:
        """Rename `source`, a saved URL or uploaded file, to `name`. A URL keeps its id. A file gets a new one; its name
        is cleaned as for uploads, and its extension stays. Windows that show it continue; sessions saved earlier no
        longer find it. `conflict`: a file has that name."""
        return self.call("source_rename", source=source, name=name)

    def source_restore(self, bin: str) -> Answer_:
        """`source_bin` lists the uploaded files in the bin: `files`, oldest first (`bin`, an id; `title`; `removed_at`,
        seconds since 1970; `bytes`), and `days`, how long files stay. `source_restore` restores `bin`, and returns the
        source, with a number in its name if another file has that name. `not_found`: no longer there."""
        return self.call("source_restore", bin=bin)

    def source_save(self, url: str, *, title: str | None = None) -> Answer_:
        """Save `url` (of a stream, such as rtsp, https or srt, or `web:…` or `vnc://…` as in *play*) with `title`
        (optional). Saving a URL again only changes its title. A password in it (`rtsp://user:password@camera/…`,
        `?password=…`) is used for playing and never sent to clients: ids, titles and details have `…` instead. The same
        URL with another password is the same source."""
        return self.call("source_save", url=url, title=title)

    def sources(self, *, search: str | None = None, kind: Literal["file", "test", "url", "command",
                "application"] | None = None, folder: str | None = None, ids: Sequence[str] | None = None,
                order: Literal["name", "newest", "largest", "longest"] | None = None, offset: int | None = None,
                count: int | None = None) -> Answer_:
        """List what the wall can show."""
        return self.call("sources", search=search, kind=kind, folder=folder, ids=ids, order=order, offset=offset,
                         count=count)

    def stand_by(self, listen: str, *, page: str | None = None, page_by_tls: bool | None = None) -> Answer_:
        """Register a standby: `listen` (`"host:port"` for peers), `page` (for browsers), `page_by_tls`. Result: `wall`,
        `wall_size`, `term`, and the names of `receivers`, `layouts` and `sessions`. Errors: `conflict` (there is
        another), `invalid_request` (this manager saves nothing)."""
        return self.call("stand_by", listen=listen, page=page, page_by_tls=page_by_tls)

    def stats(self, *, window: int | None = None, skip: int | None = None) -> Answer_:
        """Return statistics of all windows, from `skip` (as for `list`), or of one `window`: `wall_ns`, `total`,
        `windows` (stats with `links`), `receivers`, `hosts` (each machine's last `host_stats`, with `overloaded`), and
        `manager`: `peers` (connected), `layouts` (shown), `layouts_timed_out` (shown before all applications had
        submitted a frame). An answer has at most 1024 links; further stats have `links_left_out`, their number."""
        return self.call("stats", window=window, skip=skip)

    def subscribe(self, *, figures: bool | None = None, pointers: bool | None = None) -> Answer_:
        """Return the **state**, and then send `changed` after each change: `revision` (one more than the last; after a
        gap subscribe again), `epoch`, `identify`, `overlay`, `blank`, `sound`, and complete objects of what changed:
        `windows` (opened or changed), `removed` (numbers), `order` (all numbers, bottom to top), `receivers`; and
        `clients` (delayed if many: 50 ms for 100, 5 s for 1000), `health`, `partitions`, `layouts`, `sessions`,
        `standby`, `openings`, each as a whole."""
        return self.call("subscribe", figures=figures, pointers=pointers)

    def swap(self, window: int, other: int) -> Answer_:
        """Exchange the places of `window` and `other`, also in the z-order, in one swap and one step of the history.
        Each is fitted into its new place. Result: `windows`, both numbers."""
        return self.call("swap", window=window, other=other)

    def trace(self, seconds: float) -> Answer_:
        """Let applications and receivers record time stamps of their frames for `seconds` (0.001 to 60). When they have
        confirmed, the answer has `processes`: `process` (number), `role`, `name`. No other peer is notified."""
        return self.call("trace", seconds=seconds)

    def trace_read(self, process: int, *, from_: int | None = None) -> Answer_:
        """Read the stamps of `process` in parts: from 0, or `from` the previous part's `next` (absent: the last).
        Result: `base_ns` and `stamps`, six numbers each: stage (0 submit, 1 encode, 2 send, 3 packets, 4 assemble, 5
        decode, 6 show, 7 paint, 8 swap), lane (a thread, or an encoder's part), stream, frame, start (wall time, since
        `base_ns`), duration; in nanoseconds. A lane keeps its last 4096."""
        return self.call("trace_read", process=process, from_=from_)

    def undo(self) -> Answer_:
        """`undo` reverts the newest step; `redo` repeats the last undone one. Steps without effect are skipped. A
        presenter's `undo` reverts its own newest step about only its own windows; others' later steps stay, also in the
        z-order. A closed window's content is restarted if possible (`relaunch`), under a new number; started content is
        closed. When done, the answer has the step's `who` and `what`, and `failed` (windows not restored: `title`,
        `why`), if any. Errors: `not_found` (no such step), `conflict` (another is in progress)."""
        return self.call("undo")

    def user_add(self, name: str, role: Literal["viewer", "presenter", "operator", "admin"], stored_key: str,
                 listener_key: str) -> Answer_:
        """Add a person, change a password, or remove a person: `name` (1 to 30 letters, digits, `-` and `_`); `role`
        (`viewer`, `presenter`, `operator` or `admin`) for `user_add`; `stored_key` and `listener_key`, derived from
        password and salt, for `user_add` and `user_password`. `user_password` and `user_remove` end the person's
        sessions. Result: `name`. Errors: `conflict` (the name exists), `not_found` (it does not), `limit` (1000
        people), `io` (they cannot be saved)."""
        return self.call("user_add", name=name, role=role, stored_key=stored_key, listener_key=listener_key)

    def user_password(self, name: str, stored_key: str, listener_key: str) -> Answer_:
        """Add a person, change a password, or remove a person: `name` (1 to 30 letters, digits, `-` and `_`); `role`
        (`viewer`, `presenter`, `operator` or `admin`) for `user_add`; `stored_key` and `listener_key`, derived from
        password and salt, for `user_add` and `user_password`. `user_password` and `user_remove` end the person's
        sessions. Result: `name`. Errors: `conflict` (the name exists), `not_found` (it does not), `limit` (1000
        people), `io` (they cannot be saved)."""
        return self.call("user_password", name=name, stored_key=stored_key, listener_key=listener_key)

    def user_remove(self, name: str) -> Answer_:
        """Add a person, change a password, or remove a person: `name` (1 to 30 letters, digits, `-` and `_`); `role`
        (`viewer`, `presenter`, `operator` or `admin`) for `user_add`; `stored_key` and `listener_key`, derived from
        password and salt, for `user_add` and `user_password`. `user_password` and `user_remove` end the person's
        sessions. Result: `name`. Errors: `conflict` (the name exists), `not_found` (it does not), `limit` (1000
        people), `io` (they cannot be saved)."""
        return self.call("user_remove", name=name)

    def user_salt(self, name: str) -> Answer_:
        """Return the `salt` for the password of `name`. Every name has one, which never changes."""
        return self.call("user_salt", name=name)

    def users(self) -> Answer_:
        """List the people with passwords: `name`, `role`, and the number of their current `sessions`. `conflict`: their
        file is damaged."""
        return self.call("users")

    def watch_thumbnails(self, windows: Literal["all"] | Sequence[int], *, width: int | None = None,
                         per_second: float | None = None) -> Answer_:
        """Subscribe to thumbnails of windows, in place of the former subscription: `windows` (`"all"`, also future
        ones, or numbers; `[]`: none), `width` (320; 64 to 640 pixels of the longer side, at most), `per_second` (2; 0.2
        to 10 per window, at most). Notifications `thumbnail` have `window`, `size` and `jpeg` (base64): the last one of
        each window, then new ones after changes. Slow clients get fewer. Applications send the largest size and rate
        that a client wants, or none."""
        return self.call("watch_thumbnails", windows=windows, width=width, per_second=per_second)

    def why(self, *, window: int | None = None) -> Answer_:
        """With `window`, return its **health**, `window` and `title`; else the wall's **health**, with current figures
        in problems of windows."""
        return self.call("why", window=window)
