"""The manager's verbs as methods. Written by scripts/python-interface from manager/COMMANDS.md: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

Answer_ = TypeVar("Answer_")


class Verbs(Generic[Answer_]):
    """All verbs; what they answer is told in manager/COMMANDS.md. None is sent as a missing parameter."""

    def call(self, verb: str, /, **parameters: Any) -> Answer_:
        """Any verb, by its name."""
        raise NotImplementedError

    def arrange(self, *, mode: Literal["grid", "aspect", "main"] | None = None, columns: int | None = None,
                window: int | None = None, area: str | None = None) -> Answer_:
        """Windows side by side, as large as they can be. Locked ones are passed over. The cells of a grid end at the
        edges of tiles that they nearly match (by an eighth of a cell), and a grid without a bezel through any window is
        chosen where it covers at least 70 % of what the best one does."""
        return self.call("arrange", mode=mode, columns=columns, window=window, area=area)

    def blank(self, *, on: bool | None = None) -> Answer_:
        """`on` (true): all tiles are black, while streams and sound go on. No step of the history."""
        return self.call("blank", on=on)

    def clock(self) -> Answer_:
        """For all: wall time now, from which applications and receivers estimate their clock's offset."""
        return self.call("clock")

    def clocks(self) -> Answer_:
        """What wall time is, and how well it is known: `wall_ns` (now), `source` (`manager`: its steady clock,
        `system`: the system's clock of each machine), the manager's own `error_us` (0, or what the kernel tells of its
        system's clock) and `synchronised` (false: nobody says that he sets that clock), and `peers`: receivers and
        applications with what they told last (`clock_stats`), each with its number `peer`, its `name` and `role`.
        `displays` are those of whose refresh something is known: `receiver`, `tile`, `hz`, `source` (as in
        `receiver_stats`) and, where it is not only told, `phase_us`: by how much later than the first display of about
        the same rate it begins its pictures, from minus to plus half a period. Only genlock can mend what there is."""
        return self.call("clocks")

    def close(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """`window`, or `windows` (numbers; one step of the history). The application is told (`event`, type `close`)
        and has 2 s to close the stream. Then the window is removed and the application's session ended (`forced`). The
        application can connect again, but not resume that window (`not_found`). The answer comes when the window is
        gone. The answer to several: `windows`, their numbers, and `forced`, those of which this is true. `undo` cannot
        take back what the manager cannot start again."""
        return self.call("close", window=window, windows=windows)

    def control(self, window: int, action: Literal["pause", "resume", "seek", "rate", "loop", "volume", "page",
                "codec"], *, value: float | None = None, codec: str | None = None) -> Answer_:
        """`window`, `action`, and what the action needs. The window's application gets it as an `event`; whether it can
        do it is its own affair. See `group` for members of one."""
        return self.call("control", window=window, action=action, value=value, codec=codec)

    def doctor(self, node: str) -> Answer_:
        """`node` (an app or a receiver of the wall file): `vitrail doctor` looks there, started as receivers are, and
        the answer has its `findings`: `worth` (`good`, `note` or `bad`), `about`, `what` (a sentence), and `advice`
        where there is some. It takes some seconds, at most 60. Errors: `not_found`, `unavailable` (the node cannot
        reach this manager), `limit` (64 are being looked at), `io` (it could not look; what ssh or it said last)."""
        return self.call("doctor", node=node)

    def films(self, *, server: str | None = None, search: str | None = None, after: str | None = None,
              playable: bool | None = None) -> Answer_:
        """What the film servers have that were named by `--film-server` (sail/apps/server/README.md). All fields are
        optional: `server` (`HOST:PORT`, as it was named; else the first), `search`, `after` and `playable` as the
        server's `titles` has them. The answer: the `server` asked (`""`: the wall has none), all `servers`, and the
        server's `titles` and whether there are `more`. `play` takes one as `server://HOST:PORT/TITLE`. The manager asks
        as a viewer. Errors: `not_found` (no such server), `unavailable` (it does not answer, or does not let this
        manager in), and the server's own."""
        return self.call("films", server=server, search=search, after=after, playable=playable)

    def find_places(self, sizes: Sequence[Sequence[int]], *, at: Sequence[float] | None = None) -> Answer_:
        """Where windows go that are opened together: in free space beside each other, as large as that allows. `sizes`
        (of 1 to 64 pictures), `at` (optional, `[x, y]`: where somebody wants them). The reply: `places`, one for each:
        `rect`, where it would stand, and `play`, the arguments that let `play` put it there."""
        return self.call("find_places", sizes=sizes, at=at)

    def fit(self, window: int, *, tile: str | None = None, partition: str | None = None, fill: bool | None = None,
            stretch: bool | None = None, share: bool | None = None, gesture: str | None = None) -> Answer_:
        """`window`, `tile` or `partition` (optional): as large as the wall, the tile or the partition allows, in its
        middle, the picture's aspect kept. With `fill` (false) it gets exactly that rectangle, and the picture is
        cropped to its shape (see `look`) until it is fitted otherwise. With `stretch` (false) it gets that rectangle,
        and all of the picture is distorted to its shape. With `share` (false; only with `partition`) it goes beside the
        windows that stand in the partition, all of them in a grid. `gesture`. `not_found` for an unknown tile or
        partition."""
        return self.call("fit", window=window, tile=tile, partition=partition, fill=fill, stretch=stretch, share=share,
                         gesture=gesture)

    def group(self, name: str, windows: Sequence[int]) -> Answer_:
        """`name` and `windows` (1 to 256 numbers). The windows are members of that group from now on, and of no other;
        with the name `""` of none. The group is made by its first members, and gone with its last. Members show frames
        of equal presentation times in one swap, all or none (sail/PROTOCOL.md, *Groups*). The film of a new group is
        where that of the first of these windows is, and `control`'s `pause`, `resume`, `seek` and `rate` act on all
        members at one instant, whichever of them they name. Applications hear of it by `group`; those that give their
        frames no presentation times are not in step. A stream that takes the place of a window's former one is a member
        like that, if it shows as many frames a second. Applications may also be members from the beginning, see
        `open_stream`. Errors: `conflict` (members show different numbers of frames a second), `limit` (256 groups, 256
        members)."""
        return self.call("group", name=name, windows=windows)

    def groups(self) -> Answer_:
        """All groups, each with its `name`, `windows`, `fps` (frames a second of its members, 0: unknown) and
        `timeline`: the group's film is at `position_s` at `at_ns` (wall time) and goes on from there `rate` times as
        fast as usual, or stands there (`paused`)."""
        return self.call("groups")

    def history(self) -> Answer_:
        """The **history**."""
        return self.call("history")

    def identify(self, *, on: bool | None = None, seconds: float | None = None) -> Answer_:
        """`on` (true), `seconds` (optional: then it ends by itself, at most a day). Every tile shows its name."""
        return self.call("identify", on=on, seconds=seconds)

    def input(self, window: int, type: Literal["enter", "leave", "move", "down", "up", "wheel", "key_down", "key_up",
              "touch_down", "touch_move", "touch_up", "pinch"], *, at: Sequence[float] | None = None,
              button: int | None = None, buttons: int | None = None, wheel: Sequence[float] | None = None,
              key: str | None = None, modifiers: int | None = None, touch: int | None = None,
              scale: float | None = None) -> Answer_:
        """Somebody's pointer, keys or fingers over a window. `window`, `type` (`enter`, `leave`, `move`, `down`, `up`,
        `wheel`, `key_down`, `key_up`, `touch_down`, `touch_move`, `touch_up`, `pinch`) and, as the type needs"""
        return self.call("input", window=window, type=type, at=at, button=button, buttons=buttons, wheel=wheel, key=key,
                         modifiers=modifiers, touch=touch, scale=scale)

    def invite(self, *, title: str | None = None) -> Answer_:
        """Starts a **guest**, a program that shows what a page sends to it: a screen, a window or a camera, as video.
        `title` (`Guest`) is its window's. The answer: `port`, `secret` (32 hexadecimal digits) and `tls`. The page
        connects to that port of the manager's host by WebSocket, with TLS or without, and says the secret first
        (sail/PROTOCOL.md, "Guests"). The secret is good for one connection, within 30 s. The window opens with the
        first picture. It is closed when the page stops sharing, and whoever closes it ends the share. Errors:
        `not_found` (`vitrail-guest` is not installed), `limit` (8 guests, 4 of a person who is no admin), `io`,
        `unavailable` (the manager is ending)."""
        return self.call("invite", title=title)

    def journal_read(self, *, layout: str | None = None, session: str | None = None,
                     kept: str | None = None) -> Answer_:
        """For `ui`, of the standby alone. `layout` or `session`: a name; or `kept`: `people` or `urls`. The answer has
        the `document`, with all that is kept: also passwords in URLs, and by what people's passwords are checked.
        `not_found`; `limit` (too large for a message)."""
        return self.call("journal_read", layout=layout, session=session, kept=kept)

    def layout_apply(self, name: str) -> Answer_:
        """`name`. A window is the layout's window with its number and title, or else with its title, or else the next
        in the order of opening. Windows that the layout has no place for stay where they are, and so do locked ones. On
        a wall of another size all stand in proportion. One step of the history. The reply: `windows`, the numbers of
        those that the layout knew."""
        return self.call("layout_apply", name=name)

    def layout_remove(self, name: str) -> Answer_:
        """A layout: where windows stand, in which order, which are locked, and the partitions. `name`: of an old one,
        which is replaced, or a new one. In the list, `rects` tells where its windows stand on this wall, bottom to top.
        When there are more than 32, it has the topmost. The whole list has at most 8000 of them, and layouts beyond
        that have none."""
        return self.call("layout_remove", name=name)

    def layout_save(self, name: str) -> Answer_:
        """A layout: where windows stand, in which order, which are locked, and the partitions. `name`: of an old one,
        which is replaced, or a new one. In the list, `rects` tells where its windows stand on this wall, bottom to top.
        When there are more than 32, it has the topmost. The whole list has at most 8000 of them, and layouts beyond
        that have none."""
        return self.call("layout_save", name=name)

    def layouts(self) -> Answer_:
        """A layout: where windows stand, in which order, which are locked, and the partitions. `name`: of an old one,
        which is replaced, or a new one. In the list, `rects` tells where its windows stand on this wall, bottom to top.
        When there are more than 32, it has the topmost. The whole list has at most 8000 of them, and layouts beyond
        that have none."""
        return self.call("layouts")

    def list(self, *, skip: int | None = None) -> Answer_:
        """The **state**; with `recorders`, while there are any: of each `recorder` (a number), `name`, `host`, `rect`
        (what it sees of the wall) and `size` (of its pictures). `skip` (0): so many windows are left out at the bottom.
        With 256 at a time all of them can be had."""
        return self.call("list", skip=skip)

    def lock(self, window: int, *, on: bool | None = None) -> Answer_:
        """`window`, `on` (true)."""
        return self.call("lock", window=window, on=on)

    def look(self, window: int, *, stereo: Literal["off", "left", "right", "anaglyph"] | None = None,
             halves: Literal["side-by-side", "top-bottom"] | None = None, crop: Sequence[int] | None = None,
             whole: bool | None = None, rotate: int | None = None, flip: bool | None = None,
             opacity: float | None = None, gesture: str | None = None) -> Answer_:
        """How `window` shows its picture. Some of these; what is not said stays"""
        return self.call("look", window=window, stereo=stereo, halves=halves, crop=crop, whole=whole, rotate=rotate,
                         flip=flip, opacity=opacity, gesture=gesture)

    def lower(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """`window`, or `windows` (numbers): on top of, or below, all others. Several keep their order. The reply to
        several: `windows`, their numbers."""
        return self.call("lower", window=window, windows=windows)

    def master_volume(self, *, volume: float | None = None, muted: bool | None = None) -> Answer_:
        """`volume` (0 to 1), `muted` (true or false), or both: of all windows. Each window's own volume is multiplied
        by it. No step of the history. The answer: both as they are now, as `sound` in the state."""
        return self.call("master_volume", volume=volume, muted=muted)

    def maximise(self, window: int, *, on: bool | None = None) -> Answer_:
        """`window`, `on` (true): as large as the wall allows, the picture's aspect kept, on top of all others. Off:
        back to where it stood. Being moved or resized ends it, too."""
        return self.call("maximise", window=window, on=on)

    def move(self, window: int, *, x: int | None = None, y: int | None = None, dx: int | None = None,
             dy: int | None = None, gesture: str | None = None) -> Answer_:
        """`window`, and `x`, `y` (its top left corner) or `dx`, `dy` (steps from where it stands), both or one. `limit`
        when it would stand out of bounds."""
        return self.call("move", window=window, x=x, y=y, dx=dx, dy=dy, gesture=gesture)

    def opening_close(self, opening: int) -> Answer_:
        """Ends a player that has not opened its window yet, by the number that `openings` of the state has. Whoever
        waits for its window gets `unavailable`. Errors: `not_found` (its window is there, or it has ended),
        `unauthorized` (somebody else opens it)."""
        return self.call("opening_close", opening=opening)

    def overlay(self, *, on: bool | None = None) -> Answer_:
        """`on` (true): figures stand on the wall itself, drawn anew each second. Those of each window (title, codec,
        frames and megabits a second, frames dropped, latency in the middle and of the slowest hundredth, skew) are at
        the top left of what is seen of it, those of each receiver at the bottom left of its first tile."""
        return self.call("overlay", on=on)

    def partition(self, action: Literal["set", "remove", "grid", "clear"], *, name: str | None = None,
                  rect: Sequence[int] | None = None, columns: int | None = None, rows: int | None = None) -> Answer_:
        """Named parts of the wall, at most 256, each within it. They may overlap. A window is in the smallest that it
        stands in with all of it. `action`"""
        return self.call("partition", action=action, name=name, rect=rect, columns=columns, rows=rows)

    def place(self, windows: Sequence[Mapping[str, Any]], *, front: bool | None = None,
              gesture: str | None = None) -> Answer_:
        """`windows` (at most 4096): each with `window` and `rect`; `front` (false): on top of the others as well. All
        of them go in one transaction, or none. The reply: `windows`, their numbers. `limit`, `conflict`. While
        something is dragged it is usually a notification with a `gesture`, and at the end a request."""
        return self.call("place", windows=windows, front=front, gesture=gesture)

    def play(self, *, media: Sequence[str] | None = None, source: str | None = None,
             sources: Sequence[str] | None = None, place: Sequence[int] | None = None,
             within: Sequence[int] | None = None, at: Sequence[float] | None = None, at_end: Literal["hold", "loop",
             "close"] | None = None, loop: bool | None = None, fps: float | None = None, start: float | None = None,
             rate: float | None = None, volume: float | None = None, best_effort: bool | None = None,
             fallback: str | None = None, group: str | None = None, start_at: float | None = None,
             on: str | None = None, transport: Literal["tcp", "udp"] | None = None, delay_ms: int | None = None,
             mtu: int | None = None) -> Answer_:
        """Starts a player on the manager's host. It is `vitrail-show` when all media are pictures or PDF by their
        names' endings and none of `fps`, `start`, `rate`, `volume`, `fallback`, `group` and `start_at` is asked for,
        `vitrail-web` for a page and `vitrail-vnc` for a desktop, which have none of these, else `bplay`. What is played
        is one of these"""
        return self.call("play", media=media, source=source, sources=sources, place=place, within=within, at=at,
                         at_end=at_end, loop=loop, fps=fps, start=start, rate=rate, volume=volume,
                         best_effort=best_effort, fallback=fallback, group=group, start_at=start_at, on=on,
                         transport=transport, delay_ms=delay_ms, mtu=mtu)

    def pointer(self, *, at: Sequence[float] | None = None, pressed: bool | None = None, hidden: bool | None = None,
                pointer: int | None = None) -> Answer_:
        """`at` (`[x, y]`, wall pixels, fractions allowed) and `pressed` (false), or `hidden`: where somebody points. A
        client has up to 32 pointers, told apart by `pointer` (0 to 31; 0 when it is missing). Each is drawn on the
        wall, over all windows, with the client's name and in its colour. It hides when it has not moved for 10 s, or
        when its client leaves. At most 256 are shown at once, those that moved last. Usually it is sent as a
        notification, 60 times a second."""
        return self.call("pointer", at=at, pressed=pressed, hidden=hidden, pointer=pointer)

    def raise_(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """`window`, or `windows` (numbers): on top of, or below, all others. Several keep their order. The reply to
        several: `windows`, their numbers."""
        return self.call("raise", window=window, windows=windows)

    def receiver_log(self, receiver: str, *, from_: int | None = None, last: int | None = None) -> Answer_:
        """`receiver` (its name, or that of an `app` of the wall file, or `standby`), and `from` (where the part begins,
        as the answer before told) or `last` (8192: so many bytes of the end, at most 65536). The answer has whole lines
        of what it has written: `text`, and `next`, the `from` of the part after it. What no manager started is
        `not_found`."""
        return self.call("receiver_log", receiver=receiver, from_=from_, last=last)

    def receiver_restart(self, receiver: str) -> Answer_:
        """`receiver` (its name, or `standby`): its program is ended and started anew. What this manager did not start
        is `unavailable`."""
        return self.call("receiver_restart", receiver=receiver)

    def redo(self) -> Answer_:
        """`undo` takes the newest step back. `redo` does the one again that was taken back last. Steps that no longer
        make a difference are passed over. For a presenter it is the newest step of its own that is about its own
        windows only, whatever others did since: their steps stay, and so does the order of the stack when it has
        changed since. A closed window's content is started again, when the manager knows how (`relaunch`), and gets a
        new number; what was started is closed. The reply comes when all that is done: `who` did the step, `what` it
        was, and `failed` (windows that did not come back: `title`, `why`), when there are some. `not_found` when there
        is no such step, `conflict` while another is under way."""
        return self.call("redo")

    def replace(self, window: int, *, media: Sequence[str] | None = None, source: str | None = None,
                sources: Sequence[str] | None = None, at_end: Literal["hold", "loop", "close"] | None = None,
                loop: bool | None = None, fps: float | None = None, start: float | None = None,
                rate: float | None = None, volume: float | None = None, best_effort: bool | None = None,
                fallback: str | None = None, group: str | None = None, start_at: float | None = None,
                on: str | None = None, transport: Literal["tcp", "udp"] | None = None, delay_ms: int | None = None,
                mtu: int | None = None) -> Answer_:
        """As `play`, without `place`, `within` and `at`: what opens takes the place of `window`, its volume and its
        place in the stack, and that one is closed. One step of the history. The answer has the new window's number.
        Errors: also `not_found` and `conflict` (it is locked)."""
        return self.call("replace", window=window, media=media, source=source, sources=sources, at_end=at_end,
                         loop=loop, fps=fps, start=start, rate=rate, volume=volume, best_effort=best_effort,
                         fallback=fallback, group=group, start_at=start_at, on=on, transport=transport,
                         delay_ms=delay_ms, mtu=mtu)

    def resize(self, window: int, *, width: int | None = None, height: int | None = None,
               gesture: str | None = None) -> Answer_:
        """`window`, `width`, `height`. When one of the two is missing the picture's aspect is kept. The top left corner
        stays. `limit` when it would be out of bounds."""
        return self.call("resize", window=window, width=width, height=height, gesture=gesture)

    def session_get(self, name: str) -> Answer_:
        """`name`. The whole document: `name`, `saved_at`, `wall_size`, `partitions`, and `windows`, bottom to top. A
        window has, as far as it has one, `number` (at that time), `title`, `owner`, `frame_size`, `rect`, `place`,
        `shape` (what it showed, where that is not as large as its frames), `look`, `locked`, `before_maximised`,
        `volume`, `muted`, `content`, `playback`, `thumbnail` (`size`, `jpeg`: the last one that somebody watched before
        it was saved; 512 KiB of them, topmost first). `limit` when it does not fit into one message."""
        return self.call("session_get", name=name)

    def session_remove(self, name: str) -> Answer_:
        """A session: a layout, and what plays in its windows: how to start it, and where it is in its film, paused or
        not, its speed, loop and volume, as far as its application tells. A saved command is kept by its name: it is
        started if the file of `--commands` still has one of that name. So come back programs of `vitrail run-x11`,
        whose command lines nobody can tell the manager. Of a web page the address with which it began is kept and its
        size, not its scale nor where people went, of a desktop its address. Neither is kept with a password, nor where
        that is not all there is to it (`vitrail web --local`, `--no-sandbox`, `vitrail vnc --view-only`): such a window
        stays while its program lives, as those of other applications."""
        return self.call("session_remove", name=name)

    def session_restore(self, name: str) -> Answer_:
        """`name`. Closes what is there, locked or not, and starts what was: at its place, in its order, where it was in
        its film. A window of the session that nobody could start again, and that is still there, stays and is put where
        it was. One step of the history. The reply comes when all have opened or failed: `started` (the windows' new
        numbers), `failed` (`title`, `why`). `conflict` while an `undo` is under way."""
        return self.call("session_restore", name=name)

    def session_save(self, name: str) -> Answer_:
        """A session: a layout, and what plays in its windows: how to start it, and where it is in its film, paused or
        not, its speed, loop and volume, as far as its application tells. A saved command is kept by its name: it is
        started if the file of `--commands` still has one of that name. So come back programs of `vitrail run-x11`,
        whose command lines nobody can tell the manager. Of a web page the address with which it began is kept and its
        size, not its scale nor where people went, of a desktop its address. Neither is kept with a password, nor where
        that is not all there is to it (`vitrail web --local`, `--no-sandbox`, `vitrail vnc --view-only`): such a window
        stays while its program lives, as those of other applications."""
        return self.call("session_save", name=name)

    def sessions(self) -> Answer_:
        """A session: a layout, and what plays in its windows: how to start it, and where it is in its film, paused or
        not, its speed, loop and volume, as far as its application tells. A saved command is kept by its name: it is
        started if the file of `--commands` still has one of that name. So come back programs of `vitrail run-x11`,
        whose command lines nobody can tell the manager. Of a web page the address with which it began is kept and its
        size, not its scale nor where people went, of a desktop its address. Neither is kept with a password, nor where
        that is not all there is to it (`vitrail web --local`, `--no-sandbox`, `vitrail vnc --view-only`): such a window
        stays while its program lives, as those of other applications."""
        return self.call("sessions")

    def shutdown(self) -> Answer_:
        """Answered at once; then applications are told to close their streams (1 s), programs that the manager started
        are ended, and so is the manager."""
        return self.call("shutdown")

    def snapshot(self) -> Answer_:
        """Names an instant a little ahead, `at_ns`, at which the receivers keep what their tiles show, and a `secret`
        with which the pictures can be fetched from each of the `receivers`' data ports once (sail/PROTOCOL.md), where
        it shows the `certificate` that is told, if it told one. Pixels never pass the manager. Snapshots are taken one
        after the other, at most ten a second, and whoever asks later waits in line. Errors: `unavailable` (no receiver
        is connected), `timeout` (none answered), `limit` (the client has one in the line already, or 64 wait)."""
        return self.call("snapshot")

    def sound(self, window: int, *, volume: float | None = None, muted: bool | None = None,
              gesture: str | None = None) -> Answer_:
        """`window`, and `volume` (0 to 1), `muted` (true or false), or both; `gesture`, as for `move`. How loud the
        window is heard, from the wall's loudspeakers (sail/core/wall/README.md, `audio`) or, where its application says
        that it has sound (`playback`), from those of the application, which is told as if by `control`. An application
        that is made louder or softer in another way changes `volume` as well. The sound of a muted window is not sent
        at all."""
        return self.call("sound", window=window, volume=volume, muted=muted, gesture=gesture)

    def source_bin(self) -> Answer_:
        """`source_bin`: the uploaded files in the bin, `files`, oldest first: `bin` (id), `title`, `removed_at`
        (seconds since 1970), `bytes`; and for how many `days` they stay. `source_restore`: `bin`, of one of them. The
        answer is the source as it is then: with a number in its name when another file has that name. `not_found`: it
        is no longer there."""
        return self.call("source_bin")

    def source_remove(self, source: str) -> Answer_:
        """`source`, a saved URL, or an uploaded file. It is a step of the history: `undo` brings the source back, and
        `redo` passes it over. A file goes to the bin, a hidden folder beside the other uploads, for 30 days; the answer
        has its id there, `bin`. The oldest files of the bin go earlier when `--uploads-quota` or the disk has no room
        for an upload. Files of `--media` folders are only read (`invalid_params`)."""
        return self.call("source_remove", source=source)

    def source_rename(self, source: str, name: str) -> Answer_:
        """`source`, a saved URL or an uploaded file, and its new `name`. A URL keeps its id. A file gets another one;
        its name is cleaned as that of an upload, and its ending stays. `conflict`: a file has that name. Windows that
        show the file go on. Sessions saved before find it no longer."""
        return self.call("source_rename", source=source, name=name)

    def source_restore(self, bin: str) -> Answer_:
        """`source_bin`: the uploaded files in the bin, `files`, oldest first: `bin` (id), `title`, `removed_at`
        (seconds since 1970), `bytes`; and for how many `days` they stay. `source_restore`: `bin`, of one of them. The
        answer is the source as it is then: with a number in its name when another file has that name. `not_found`: it
        is no longer there."""
        return self.call("source_restore", bin=bin)

    def source_save(self, url: str, *, title: str | None = None) -> Answer_:
        """Keeps a URL in the list. `url` (of a stream, as rtsp, https or srt, or `web:…` or `vnc://…` as for *play*),
        `title` (optional). The same URL again only changes its title, if there is one. A password in it
        (`rtsp://user:password@camera/…`, `?password=…`) is kept for whoever plays the source, and told to nobody: ids,
        titles and details have `…` for it. The same URL with another password is the same source."""
        return self.call("source_save", url=url, title=title)

    def sources(self, *, search: str | None = None, kind: Literal["file", "test", "url", "command",
                "application"] | None = None, folder: str | None = None, ids: Sequence[str] | None = None,
                order: Literal["name", "newest", "largest", "longest"] | None = None, offset: int | None = None,
                count: int | None = None) -> Answer_:
        """What this wall can show. All fields are optional"""
        return self.call("sources", search=search, kind=kind, folder=folder, ids=ids, order=order, offset=offset,
                         count=count)

    def stand_by(self, listen: str, *, page: str | None = None, page_by_tls: bool | None = None) -> Answer_:
        """`listen` (`"host:port"`, where peers will find the standby), `page` (likewise, browsers) and `page_by_tls`.
        The answer has `wall`, `wall_size`, `term`, and the names of `receivers`, `layouts` and `sessions`. Errors:
        `conflict` (another one stands by), `invalid_request` (this manager saves nothing)."""
        return self.call("stand_by", listen=listen, page=page, page_by_tls=page_by_tls)

    def stats(self, *, window: int | None = None, skip: int | None = None) -> Answer_:
        """`window` (optional: this one only) or `skip` (as for `list`). The answer: `wall_ns`, `total`, `windows` and
        `receivers` with their stats, those of windows with their `links`, `hosts` (each machine of the wall that told
        how busy it is, see `host_stats`, with `overloaded`), and the `manager`'s own counters: `peers` (connected),
        `layouts` (shown), `layouts_timed_out` (of these, without waiting for all). There are at most 1024 links in one
        answer. Stats whose links have no place tell `links_left_out`, their number, instead."""
        return self.call("stats", window=window, skip=skip)

    def subscribe(self, *, figures: bool | None = None, pointers: bool | None = None) -> Answer_:
        """The **state**, and from then on a notification `changed` for each change: `revision` (one more than the last:
        a gap means that one was missed, so subscribe again), `epoch`, `identify`, `overlay`, `blank`, `sound`, and the
        whole new objects of what changed: `windows` (opened or changed), `removed` (numbers of windows), `order`
        (numbers of all windows, bottom to top), `receivers`; and `clients`, `health`, `partitions`, `layouts`,
        `sessions`, `standby`, each whole (`clients` after a pause when there are many: 50 ms of a hundred, 5 s of a
        thousand). They come without `fps`, `health` of windows, and `stats`. The `history` comes with `keep` and what
        is new: the entries known already whose numbers are from the first to the second number in `keep` stay, all
        others go, and `entries` follow them; without `keep` it is whole. When there are more than 256 windows the
        others follow the state as `changed` of the same revision, the last of them with the `order`."""
        return self.call("subscribe", figures=figures, pointers=pointers)

    def swap(self, window: int, other: int) -> Answer_:
        """`window` and `other`: they exchange their places, in the stack too, in one swap and one step of the history.
        Each is fitted into its new place. The reply: `windows`, both numbers."""
        return self.call("swap", window=window, other=other)

    def trace(self, seconds: float) -> Answer_:
        """For `seconds` (0.001 to 60) applications and receivers keep stamps of their frames. The answer comes when
        they have been told: `processes`, of each `process` (its number), `role` and `name`. Nobody else notices."""
        return self.call("trace", seconds=seconds)

    def trace_read(self, process: int, *, from_: int | None = None) -> Answer_:
        """What a `process` has kept, in parts: from 0 on, or `from` where the part before says (`next`, as long as
        there is more). The answer has `base_ns` and `stamps`, six numbers each: the stage (0 submit, 1 encode, 2 send,
        3 packets, 4 assemble, 5 decode, 6 show, 7 paint, 8 swap), the lane (a thread, or an encoder's part), the
        stream, the frame, its beginning (wall time, since `base_ns`) and how long it took, in nanoseconds. A lane keeps
        its last 4096."""
        return self.call("trace_read", process=process, from_=from_)

    def undo(self) -> Answer_:
        """`undo` takes the newest step back. `redo` does the one again that was taken back last. Steps that no longer
        make a difference are passed over. For a presenter it is the newest step of its own that is about its own
        windows only, whatever others did since: their steps stay, and so does the order of the stack when it has
        changed since. A closed window's content is started again, when the manager knows how (`relaunch`), and gets a
        new number; what was started is closed. The reply comes when all that is done: `who` did the step, `what` it
        was, and `failed` (windows that did not come back: `title`, `why`), when there are some. `not_found` when there
        is no such step, `conflict` while another is under way."""
        return self.call("undo")

    def user_add(self, name: str, role: Literal["viewer", "presenter", "operator", "admin"], stored_key: str,
                 listener_key: str) -> Answer_:
        """`name` (1 to 30 letters, digits, `-` and `_`). `user_add` has a `role` (`viewer`, `presenter`, `operator` or
        `admin`), and it and `user_password` have `stored_key` and `listener_key`, which the caller makes of password
        and salt. `user_password` and `user_remove` end the person's sessions. Errors: `conflict` (somebody has that
        name), `not_found` (nobody has it), `limit` (1000 people), `io` (they cannot be kept)."""
        return self.call("user_add", name=name, role=role, stored_key=stored_key, listener_key=listener_key)

    def user_password(self, name: str, stored_key: str, listener_key: str) -> Answer_:
        """`name` (1 to 30 letters, digits, `-` and `_`). `user_add` has a `role` (`viewer`, `presenter`, `operator` or
        `admin`), and it and `user_password` have `stored_key` and `listener_key`, which the caller makes of password
        and salt. `user_password` and `user_remove` end the person's sessions. Errors: `conflict` (somebody has that
        name), `not_found` (nobody has it), `limit` (1000 people), `io` (they cannot be kept)."""
        return self.call("user_password", name=name, stored_key=stored_key, listener_key=listener_key)

    def user_remove(self, name: str) -> Answer_:
        """`name` (1 to 30 letters, digits, `-` and `_`). `user_add` has a `role` (`viewer`, `presenter`, `operator` or
        `admin`), and it and `user_password` have `stored_key` and `listener_key`, which the caller makes of password
        and salt. `user_password` and `user_remove` end the person's sessions. Errors: `conflict` (somebody has that
        name), `not_found` (nobody has it), `limit` (1000 people), `io` (they cannot be kept)."""
        return self.call("user_remove", name=name)

    def user_salt(self, name: str) -> Answer_:
        """The `salt` for the password of that `name`. Every name has one, and keeps it."""
        return self.call("user_salt", name=name)

    def users(self) -> Answer_:
        """Who has a password, by name, with their `role` and how many `sessions` they have now."""
        return self.call("users")

    def watch_thumbnails(self, windows: Literal["all"] | Sequence[int], *, width: int | None = None,
                         per_second: float | None = None) -> Answer_:
        """Small pictures of what windows show, from now on. `windows` (`"all"`, those to come too, or a list of
        numbers; `[]` for no more), `width` (320; 64 to 640 pixels of the longer side, at most), `per_second` (2; 0.2 to
        10 of each window, at most). This replaces what the client watched before. The pictures come as notifications
        `thumbnail` with `window`, `size` and `jpeg` (base64): the last one of each window soon, if there is one, then
        others when the picture has changed. A client that is slow to read gets fewer. Applications are asked for the
        largest and most frequent that anybody watches, and for none when nobody does."""
        return self.call("watch_thumbnails", windows=windows, width=width, per_second=per_second)

    def why(self, *, window: int | None = None) -> Answer_:
        """With a `window`: its **health**, `window` and `title`. Without: the **health** of the wall, in which problems
        of windows say what their figures tell at present. The list of causes is closed, and the codes are stable"""
        return self.call("why", window=window)
