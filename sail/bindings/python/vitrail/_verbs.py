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

    def annotate(self, points: Sequence[Sequence[float]], *, window: int | None = None, arrow: bool | None = None,
                 colour: str | None = None, width: float | None = None, opacity: float | None = None,
                 text: Sequence[str] | None = None, size: float | None = None, pixels: Literal["wall",
                 "window"] | None = None) -> Answer_:
        """`annotate`: draw a line through `points` (1 to 2000, `[x, y]` in wall pixels) on `window` or, without
        `window`, on the wall. `annotate_clear`: remove the drawings of `windows`, or all drawings. `annotate_erase`:
        remove the strokes of this client's name that a line through `points` (1 to 200), `width` wall pixels wide (40),
        touches on `windows` (default: all) or on the wall."""
        return self.call("annotate", points=points, window=window, arrow=arrow, colour=colour, width=width,
                         opacity=opacity, text=text, size=size, pixels=pixels)

    def annotate_clear(self, *, windows: Sequence[int] | None = None) -> Answer_:
        """`annotate`: draw a line through `points` (1 to 2000, `[x, y]` in wall pixels) on `window` or, without
        `window`, on the wall. `annotate_clear`: remove the drawings of `windows`, or all drawings. `annotate_erase`:
        remove the strokes of this client's name that a line through `points` (1 to 200), `width` wall pixels wide (40),
        touches on `windows` (default: all) or on the wall."""
        return self.call("annotate_clear", windows=windows)

    def annotate_erase(self, points: Sequence[Sequence[float]], *, windows: Sequence[int] | None = None,
                       width: float | None = None) -> Answer_:
        """`annotate`: draw a line through `points` (1 to 2000, `[x, y]` in wall pixels) on `window` or, without
        `window`, on the wall. `annotate_clear`: remove the drawings of `windows`, or all drawings. `annotate_erase`:
        remove the strokes of this client's name that a line through `points` (1 to 200), `width` wall pixels wide (40),
        touches on `windows` (default: all) or on the wall."""
        return self.call("annotate_erase", points=points, windows=windows, width=width)

    def arrange(self, *, mode: Literal["grid", "aspect", "main"] | None = None, columns: int | None = None,
                window: int | None = None, area: str | None = None) -> Answer_:
        """Arrange the unlocked windows side by side, as large as possible. `mode`: `grid` (default; `columns` optional;
        avoids bezels), `aspect` (rows; widths follow the aspect ratios), or `main` (`window` or the topmost window is
        large, the others are beside it). `area`: a tile or partition; only windows whose centre is in it are arranged,
        within it. Result: `windows`, at most 256 objects."""
        return self.call("arrange", mode=mode, columns=columns, window=window, area=area)

    def blank(self, *, on: bool | None = None, text: str | None = None, source: str | None = None,
              windows: Sequence[int] | None = None, areas: Sequence[Sequence[int]] | None = None,
              area: str | None = None) -> Answer_:
        """With `on`, make the whole wall black, or these `windows`, `areas` (at most 64; rectangles on the wall) and
        `area` (a tile or partition); without `on`, show them again (without `windows`, `areas` and `area`, everything).
        `text` is a line in the middle (at most 200 bytes). Playback continues; the sound of black windows, and of
        windows that lie within an area, fades within 0.4 s. A window stays black when it moves; areas and texts are
        above all windows. Result: the state's fields, and `windows`, the black ones. Not a step of the history; a new
        manager keeps it. Events uncover what they show until they end (manager/events)."""
        return self.call("blank", on=on, text=text, source=source, windows=windows, areas=areas, area=area)

    def calibrate(self, pattern: Literal["off", "ramp", "white", "red", "green", "blue", "grid"], *,
                  seconds: float | None = None) -> Answer_:
        """`identify`: show the name of each tile and of its node, an arrow up and the tile's edges. `overlay`: show
        figures of windows and receivers. `calibrate`: show a test `pattern`, one picture of the whole wall above all
        windows, behind the mullions, too: `ramp` (black to white from left to right; 256 steps above, 17 below), a
        colour, or `grid` (lines, and the wall's diagonals). `identify` and `calibrate` end after `seconds` (at most a
        day, 0: no end). Not steps of the history."""
        return self.call("calibrate", pattern=pattern, seconds=seconds)

    def camera_find(self, *, host: str | None = None, interface: str | None = None) -> Answer_:
        """Find cameras by WS-Discovery (IPv4), for 3 s: by all network interfaces with multicast, by `interface`, or
        only `host` (also `HOST:PORT`). Result: `cameras` (at most 256): `name`, `model`, `device`. Error: `not_found`
        (host, interface)."""
        return self.call("camera_find", host=host, interface=interface)

    def camera_move(self, *, window: int | None = None, source: str | None = None, move: Literal["left", "right", "up",
                    "down", "in", "out", "stop", "home"] | None = None, preset: str | None = None,
                    speed: float | None = None, ms: int | None = None) -> Answer_:
        """Move a camera, or list its `presets` (at most 512; `preset`, `name`): the only content of `window`, or
        `source` (id or title; not for presenters). `move`: a direction (`in` and `out` zoom), with `speed` (0.01–1;
        0.5) for `ms` (100–10000; 500), in place of an earlier movement. `preset`: token or name."""
        return self.call("camera_move", window=window, source=source, move=move, preset=preset, speed=speed, ms=ms)

    def camera_presets(self, *, window: int | None = None, source: str | None = None) -> Answer_:
        """Move a camera, or list its `presets` (at most 512; `preset`, `name`): the only content of `window`, or
        `source` (id or title; not for presenters). `move`: a direction (`in` and `out` zoom), with `speed` (0.01–1;
        0.5) for `ms` (100–10000; 500), in place of an earlier movement. `preset`: token or name."""
        return self.call("camera_presets", window=window, source=source)

    def camera_profiles(self, device: str) -> Answer_:
        """Return the streams of `device`: `name` (maker and model), `notes`, and `profiles`: `profile` (token), `name`,
        `codec`, `size`, `fps` (absent: unknown), `moves` (PTZ), `url` (without login and passwords)."""
        return self.call("camera_profiles", device=device)

    def camera_save(self, device: str, *, profile: str | None = None, title: str | None = None,
                    plain_login: bool | None = None) -> Answer_:
        """Save the stream of `profile` (token or name; default: the first) as a source, if its first picture comes
        within 10 s. `title`: default is maker and model. Result: `source`, `title`, `profile`, `moves`, `shows` (such
        as "h264, 1280x720, 25 fps"), `notes`. Saving again changes login, profile and title. Error: `conflict` (the
        stream takes the login only in the clear, and `plain_login` does not allow that)."""
        return self.call("camera_save", device=device, profile=profile, title=title, plain_login=plain_login)

    def clock(self) -> Answer_:
        """For all roles: return wall time, `wall_ns`."""
        return self.call("clock")

    def clocks(self) -> Answer_:
        """Return the source and accuracy of wall time for the manager (fields as in `clock_stats`; `error_us` is 0, or
        the kernel's estimate) and for `peers` (their last `clock_stats`), and the `displays` with a known refresh:
        `source` (as in `receiver_stats`) and, unless that is `mode`, `phase_us`, the offset to the first display of
        that rate, at most half a period."""
        return self.call("clocks")

    def close(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """Close `window`, or `windows` (one step of the history). The application gets the `event` `close`. If it falls
        silent, or keeps the stream for 2 s, the window is removed and the application disconnected (`forced`), and
        cannot resume the window. The result comes when all are gone: `window` and `forced` (bool), or `windows` and
        `forced` (numbers)."""
        return self.call("close", window=window, windows=windows)

    def control(self, window: int, action: Literal["pause", "resume", "seek", "rate", "loop", "volume", "page",
                "subtitles", "sound_track", "codec"], *, value: float | None = None,
                codec: str | None = None) -> Answer_:
        """Control playback in `window`: `action`, `value`. The application may ignore it. In a group, `pause`,
        `resume`, `seek` and `rate` act on all members. Values are those of `event` in sail/PROTOCOL.md, but at most 10⁷
        for `seek` and 0.05–16 for `rate`. The action `codec` has the parameter `codec` in place of `value`: not
        `carried`; `auto` as for `play`. At the end of a film, `resume` starts it again."""
        return self.call("control", window=window, action=action, value=value, codec=codec)

    def doctor(self, node: str) -> Answer_:
        """Run `vitrail doctor` on `node` (an `app` or receiver), at most 60 s. Result: `findings`: `worth` (`good`,
        `note` or `bad`), `about`, `what` (a sentence), `advice` (if any). Errors: `unavailable` (the node cannot reach
        this manager), `limit` (64 are running), `io` (its or ssh's last output)."""
        return self.call("doctor", node=node)

    def drive(self, window: int, action: Literal["take", "give", "release"], *, to: int | None = None) -> Answer_:
        """Take, give or release the control of a window that takes input. It has at most one driver, a person: a name,
        a key and an address. Input to a window without a driver makes the sender its driver, until `leave`; others can
        still send input. Actions"""
        return self.call("drive", window=window, action=action, to=to)

    def event_acknowledge(self, name: str, *, id: str | None = None) -> Answer_:
        """End the events `name` (with `id` only that one). `event_clear`: when their minimum time has passed.
        `event_acknowledge`, by a person: at once; `conflict` if a rule lacks `acknowledge`. Result as of `event_list`.
        Error: `not_found`."""
        return self.call("event_acknowledge", name=name, id=id)

    def event_clear(self, name: str, *, id: str | None = None) -> Answer_:
        """End the events `name` (with `id` only that one). `event_clear`: when their minimum time has passed.
        `event_acknowledge`, by a person: at once; `conflict` if a rule lacks `acknowledge`. Result as of `event_list`.
        Error: `not_found`."""
        return self.call("event_clear", name=name, id=id)

    def event_list(self) -> Answer_:
        """Return `events` (as in the state), `failed` (`title`, `why`: windows that the last switch could not open or
        that the actions of a rule did not find), and, while the scene cannot be shown because another step is not
        complete, `waits` (a sentence)."""
        return self.call("event_list")

    def event_rules(self, *, rules: Sequence[Mapping[str, Any]] | None = None) -> Answer_:
        """Return the rules; with `rules` (at most 1000) replace them. Active events keep their rule. Errors:
        `invalid_params` (all mistakes, one per line), `conflict` (the rules come from `--events`), `io`."""
        return self.call("event_rules", rules=rules)

    def event_start(self, name: str, *, id: str | None = None, payload: Mapping[str, Any] | None = None) -> Answer_:
        """Begin an event. The first rule that matches `name` and `payload` (at most 64 KiB) decides. If the same name
        and `id` is active by the same rule, that event is prolonged: its maximum time begins again, and nothing is
        switched. An event also clears the active events that name it in `clears`; with `id` only those of this `id`.
        Result: `outcome` (`began`, `prolonged`, `ignored`: no rule matches), `cleared` (number of events), `why` (a
        sentence, if nothing happens), and as of `event_list`. Errors, which change nothing: `not_found` (no such
        session or area), `limit` (16 events of this priority or a higher one are active)."""
        return self.call("event_start", name=name, id=id, payload=payload)

    def films(self, *, server: str | None = None, search: str | None = None, after: str | None = None,
              playable: bool | None = None) -> Answer_:
        """List films of a film server of `--film-server`: `server` (`HOST:PORT` as named there; default: the first).
        The other parameters, `titles`, `more` and `left_out` are those of the server's verb `titles`
        (sail/apps/server/README.md), for a viewer. Errors: `unavailable` (the server does not answer, or refuses the
        manager), and the server's own errors."""
        return self.call("films", server=server, search=search, after=after, playable=playable)

    def find_places(self, sizes: Sequence[Sequence[int]], *, at: Sequence[float] | None = None) -> Answer_:
        """Find free places near `at` for pictures of `sizes` (1–64): side by side, as large as possible. Each place has
        `rect`, and `play`: the arguments with which the verb `play` uses this place."""
        return self.call("find_places", sizes=sizes, at=at)

    def fit(self, window: int, *, tile: str | None = None, partition: str | None = None, fill: bool | None = None,
            stretch: bool | None = None, share: bool | None = None, gesture: str | None = None) -> Answer_:
        """Fit `window` into the wall, `tile` or `partition`: centred, as large as possible, aspect ratio kept. `fill`:
        crop the picture so that it fills this area, until the next `fit`. `stretch`: distort the picture. `share`: form
        a grid with the windows in `partition`."""
        return self.call("fit", window=window, tile=tile, partition=partition, fill=fill, stretch=stretch, share=share,
                         gesture=gesture)

    def freeze(self, *, on: bool | None = None, windows: Sequence[int] | None = None,
               mute: bool | None = None) -> Answer_:
        """With `on`, keep the pictures of these `windows`, or of all that are not hidden; playback continues, and so
        does sound unless `mute` is given. All tiles stop at the same frame; without `on`, they show the current frame
        again in one swap. Frozen windows can be moved. A receiver shows only what its tiles showed when the window
        froze; the rest is black, and so is the window on a receiver or recorder that starts later, or if its stream is
        replaced. Result: `frozen`, the numbers of all frozen windows. Not a step of the history; a new manager keeps it
        while the window's program runs. Events unfreeze what they show or hide until they end."""
        return self.call("freeze", on=on, windows=windows, mute=mute)

    def group(self, name: str, windows: Sequence[int]) -> Answer_:
        """`group` moves `windows` (1–256) into the group `name` (`""`: no group); `groups` lists the groups. Members
        show frames of equal presentation times in one swap (sail/PROTOCOL.md, *Groups*). A new group starts at the film
        position of its first window, and ends with its last window. A stream that replaces a member's stream joins if
        the frame rate is equal. Errors: `conflict` (different frame rates; a window with several senders), `limit` (256
        groups, 256 members). In `groups`, `fps` 0 is unknown; `timeline` is as in sail/PROTOCOL.md, "group"."""
        return self.call("group", name=name, windows=windows)

    def groups(self) -> Answer_:
        """`group` moves `windows` (1–256) into the group `name` (`""`: no group); `groups` lists the groups. Members
        show frames of equal presentation times in one swap (sail/PROTOCOL.md, *Groups*). A new group starts at the film
        position of its first window, and ends with its last window. A stream that replaces a member's stream joins if
        the frame rate is equal. Errors: `conflict` (different frame rates; a window with several senders), `limit` (256
        groups, 256 members). In `groups`, `fps` 0 is unknown; `timeline` is as in sail/PROTOCOL.md, "group"."""
        return self.call("groups")

    def history(self) -> Answer_:
        """`undo` reverts what the newest step changed; `redo` repeats the last undone step; `history` returns the
        **history**. Steps without effect are skipped. Undoing a closing restarts the window's content if possible
        (`relaunch`), under a new number; undoing an opening closes the window. The result comes at the end, with
        `failed` if windows were not restored (`title`, `why`). Errors: `not_found` (no such step), `conflict` (another
        undo or redo is in progress)."""
        return self.call("history")

    def identify(self, *, on: bool | None = None, seconds: float | None = None) -> Answer_:
        """`identify`: show the name of each tile and of its node, an arrow up and the tile's edges. `overlay`: show
        figures of windows and receivers. `calibrate`: show a test `pattern`, one picture of the whole wall above all
        windows, behind the mullions, too: `ramp` (black to white from left to right; 256 steps above, 17 below), a
        colour, or `grid` (lines, and the wall's diagonals). `identify` and `calibrate` end after `seconds` (at most a
        day, 0: no end). Not steps of the history."""
        return self.call("identify", on=on, seconds=seconds)

    def input(self, window: int, type: Literal["enter", "leave", "move", "down", "up", "wheel", "key_down", "key_up",
              "touch_down", "touch_move", "touch_up", "pinch"], *, at: Sequence[float] | None = None,
              button: int | None = None, buttons: int | None = None, wheel: Sequence[float] | None = None,
              key: str | None = None, modifiers: int | None = None, touch: int | None = None,
              scale: float | None = None) -> Answer_:
        """Send an event (`type`) to the application of `window`, usually as a notification. Fields are those of *input*
        in sail/PROTOCOL.md, but `at` is in wall pixels, with fractions. A stalled application gets fewer motions.
        Error: `conflict` (the application takes no input, or another person has taken the window)."""
        return self.call("input", window=window, type=type, at=at, button=button, buttons=buttons, wheel=wheel, key=key,
                         modifiers=modifiers, touch=touch, scale=scale)

    def invite(self, *, title: str | None = None) -> Answer_:
        """Start a **guest** (sail/PROTOCOL.md, "Guests"), which opens a window with `title` (default `Guest`) for what
        a page shares. Result: `port` (of the manager's host), `secret` (32 hexadecimal digits), `tls` (the port speaks
        TLS). Guests listen on the page's host with its `--page-certificate`, else on loopback. Errors: `not_found` (no
        `vitrail-guest`), `limit` (8 guests, 4 of a person), `io`, `unavailable` (the manager is shutting down)."""
        return self.call("invite", title=title)

    def journal(self, *, since: float | None = None, person: str | None = None, window: int | None = None,
                verb: str | None = None, before: int | None = None, count: int | None = None,
                verify: bool | None = None, at: float | None = None) -> Answer_:
        """Return who changed what, and which verbs were denied, newest first. Parameters choose entries: of `person` (a
        client's or key's name), that name or changed `window`, of `verb`, from `since` on (seconds since 1970), with
        numbers below `before`; at most `count` (default and maximum: 200). A drag (`gesture`) is one entry, with
        parameters and changes of its first step."""
        return self.call("journal", since=since, person=person, window=window, verb=verb, before=before, count=count,
                         verify=verify, at=at)

    def journal_read(self, *, layout: str | None = None, session: str | None = None,
                     kept: str | None = None) -> Answer_:
        """`stand_by` registers a standby; `journal_read` gives it a complete `document`, with passwords in URLs and
        verifiers of people's passwords (sail/PROTOCOL.md, "stand_by", "journal"). Errors: `conflict` (there is another
        standby), `invalid_request` (this manager saves nothing), `limit` (too large for a message), `unavailable` (the
        wall is shutting down)."""
        return self.call("journal_read", layout=layout, session=session, kept=kept)

    def label(self, *, window: int | None = None, windows: Sequence[int] | None = None, on: bool | None = None,
              text: str | None = None, place: Literal["top", "bottom"] | None = None) -> Answer_:
        """Show a line of text on `window` or `windows`, at the top left or bottom left of the visible part, cut to its
        width. Without `text` and `place`, these stay as they are (at first `{title}` and `bottom`). `on` false removes
        the label. Blank windows show no label. Letters that no font of the display node has appear as boxes
        (receiver/KIOSK.md). Result: the **window**, or `windows`. Error: `limit` (1000 labels)."""
        return self.call("label", window=window, windows=windows, on=on, text=text, place=place)

    def layout_apply(self, name: str) -> Answer_:
        """Apply the layout `name`, scaled to the wall, in one step of the history. Windows are matched by number and
        title, then by title, then in the order of opening; unmatched and locked ones stay. Result: the matched
        numbers."""
        return self.call("layout_apply", name=name)

    def layout_remove(self, name: str) -> Answer_:
        """List, save (also: replace) or remove layouts: the windows' places, z-order and locks, and the partitions.
        `rects` are the rectangles of the topmost 32 windows on this wall, bottom to top. The list has at most 8000 of
        them; further layouts have none."""
        return self.call("layout_remove", name=name)

    def layout_save(self, name: str) -> Answer_:
        """List, save (also: replace) or remove layouts: the windows' places, z-order and locks, and the partitions.
        `rects` are the rectangles of the topmost 32 windows on this wall, bottom to top. The list has at most 8000 of
        them; further layouts have none."""
        return self.call("layout_save", name=name)

    def layouts(self) -> Answer_:
        """List, save (also: replace) or remove layouts: the windows' places, z-order and locks, and the partitions.
        `rects` are the rectangles of the topmost 32 windows on this wall, bottom to top. The list has at most 8000 of
        them; further layouts have none."""
        return self.call("layouts")

    def list(self, *, skip: int | None = None) -> Answer_:
        """Return the **state**, with windows from `skip` (0, from the bottom)."""
        return self.call("list", skip=skip)

    def lock(self, window: int, *, on: bool | None = None) -> Answer_:
        """Lock `window`, or make it as large as the wall allows, on top; `on` false unlocks or restores it. Moving or
        resizing also ends `maximised`."""
        return self.call("lock", window=window, on=on)

    def logo(self, *, source: str | None = None, on: bool | None = None, area: str | None = None,
             corner: Literal["top-left", "top-right", "bottom-left", "bottom-right"] | None = None,
             size: float | None = None) -> Answer_:
        """Show `source` (one, named as for *tour_start*) behind all windows or, as a logo, in a `corner` above all
        windows: on the whole wall, or in `area` (a tile or partition)."""
        return self.call("logo", source=source, on=on, area=area, corner=corner, size=size)

    def look(self, window: int, *, stereo: Literal["off", "left", "right", "anaglyph"] | None = None,
             halves: Literal["side-by-side", "top-bottom"] | None = None, crop: Sequence[int] | None = None,
             whole: bool | None = None, rotate: int | None = None, flip: bool | None = None,
             opacity: float | None = None, gesture: str | None = None) -> Answer_:
        """Set the view transform of `window`; missing fields do not change. The window takes the shape of the
        transformed picture, with the same centre and area. A maximised window stays maximised, and a window that is
        fully on the wall stays there."""
        return self.call("look", window=window, stereo=stereo, halves=halves, crop=crop, whole=whole, rotate=rotate,
                         flip=flip, opacity=opacity, gesture=gesture)

    def lower(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """Raise `window` or `windows` to the top, or lower them to the bottom; `windows` keep their order."""
        return self.call("lower", window=window, windows=windows)

    def master_volume(self, *, volume: float | None = None, muted: bool | None = None) -> Answer_:
        """Set `volume`, `muted` or both: of `window`, or of the wall (`master_volume`), whose volume multiplies that of
        each window. A window's sound is set at the wall's loudspeakers (sail/core/wall/README.md, `audio`), or, if
        `playback` has a volume, in the application. Muted sound is not sent. The rules of *Windows* apply to `sound`,
        also to `gesture`; `master_volume` is not a step of the history. `solo`: unmute `window`, and mute all other
        windows of the wall, in one step; a presenter mutes only own windows. `left_alone` in the answer counts windows
        that may be heard and were not muted."""
        return self.call("master_volume", volume=volume, muted=muted)

    def maximise(self, window: int, *, on: bool | None = None) -> Answer_:
        """Lock `window`, or make it as large as the wall allows, on top; `on` false unlocks or restores it. Moving or
        resizing also ends `maximised`."""
        return self.call("maximise", window=window, on=on)

    def memory(self) -> Answer_:
        """Ask the manager, applications and receivers for the memory of their processes, in bytes. Result, when all
        have answered, at most 2 s later: `processes`: `process` (number; absent: the manager), `role`, `name`, and the
        fields of the answer to `memory` in sail/PROTOCOL.md. Decoders of carried streams and small pictures are
        processes of their own, and not named."""
        return self.call("memory")

    def move(self, window: int, *, x: int | None = None, y: int | None = None, dx: int | None = None,
             dy: int | None = None, gesture: str | None = None) -> Answer_:
        """Move the top left corner of `window` to `x`, `y`, or by `dx`, `dy`, or resize it to `width`, `height`. A
        missing coordinate does not change; a missing side follows from the aspect ratio."""
        return self.call("move", window=window, x=x, y=y, dx=dx, dy=dy, gesture=gesture)

    def opening_close(self, opening: int) -> Answer_:
        """End a player whose window has not opened: `opening`, a number of `openings`. Errors: `not_found` (its window
        is open, or the player has ended), `unauthorized` (another person's player)."""
        return self.call("opening_close", opening=opening)

    def overlay(self, *, on: bool | None = None) -> Answer_:
        """`identify`: show the name of each tile and of its node, an arrow up and the tile's edges. `overlay`: show
        figures of windows and receivers. `calibrate`: show a test `pattern`, one picture of the whole wall above all
        windows, behind the mullions, too: `ramp` (black to white from left to right; 256 steps above, 17 below), a
        colour, or `grid` (lines, and the wall's diagonals). `identify` and `calibrate` end after `seconds` (at most a
        day, 0: no end). Not steps of the history."""
        return self.call("overlay", on=on)

    def partition(self, action: Literal["set", "remove", "grid", "clear"], *, name: str | None = None,
                  rect: Sequence[int] | None = None, columns: int | None = None, rows: int | None = None) -> Answer_:
        """Change the partitions: at most 256 (`limit`) named parts of the wall, which may overlap. `action`"""
        return self.call("partition", action=action, name=name, rect=rect, columns=columns, rows=rows)

    def place(self, windows: Sequence[Mapping[str, Any]], *, front: bool | None = None,
              gesture: str | None = None) -> Answer_:
        """Place `windows` (1–4096; each with `window` and `rect`): either all of them or, after an error, none. `front`
        also raises them. During a drag, send notifications, and a request at the end."""
        return self.call("place", windows=windows, front=front, gesture=gesture)

    def play(self, *, media: Sequence[str] | None = None, source: str | None = None,
             sources: Sequence[str] | None = None, place: Sequence[int] | None = None,
             within: Sequence[int] | None = None, at: Sequence[float] | None = None, at_end: Literal["hold", "loop",
             "close"] | None = None, loop: bool | None = None, fps: float | None = None, start: float | None = None,
             rate: float | None = None, volume: float | None = None, deinterlace: Literal["auto", "off", "frame",
             "field"] | None = None, codec: str | None = None, missing: Literal["hold", "black", "stop"] | None = None,
             sound_track: str | None = None, best_effort: bool | None = None, fallback: str | None = None,
             subtitles: str | None = None, group: str | None = None, start_at: float | None = None,
             on: str | None = None, transport: Literal["tcp", "udp"] | None = None, delay_ms: int | None = None,
             mtu: int | None = None) -> Answer_:
        """Start a player on the manager's host, with exactly one of `media`, `source` and `sources`, and at most one of
        `place`, `within` and `at`. The result comes when the window opens; there is no timeout (see `openings`)."""
        return self.call("play", media=media, source=source, sources=sources, place=place, within=within, at=at,
                         at_end=at_end, loop=loop, fps=fps, start=start, rate=rate, volume=volume,
                         deinterlace=deinterlace, codec=codec, missing=missing, sound_track=sound_track,
                         best_effort=best_effort, fallback=fallback, subtitles=subtitles, group=group,
                         start_at=start_at, on=on, transport=transport, delay_ms=delay_ms, mtu=mtu)

    def playlist_add(self, name: str, items: Sequence[Mapping[str, Any]]) -> Answer_:
        """Save `items` as the playlist `name` (replacing it), append `items` to it, remove `item` (its number, from 1),
        give `item` the number `to`, or delete the playlist. An item has `source` (as for *tour_start*; a pattern stands
        for all its sources) and optionally `seconds` (1–86400; how long it is shown). A playlist that plays continues
        with the items that it began with. Result as of `playlist_get`, of `playlist_delete` as of `playlist_list`.
        Errors: `limit` (100 playlists of 1000 items with 128 KiB of names; 512 KiB in all), `io`, `unauthorized` (the
        caller may not `play` an item that it adds)."""
        return self.call("playlist_add", name=name, items=items)

    def playlist_delete(self, name: str) -> Answer_:
        """Save `items` as the playlist `name` (replacing it), append `items` to it, remove `item` (its number, from 1),
        give `item` the number `to`, or delete the playlist. An item has `source` (as for *tour_start*; a pattern stands
        for all its sources) and optionally `seconds` (1–86400; how long it is shown). A playlist that plays continues
        with the items that it began with. Result as of `playlist_get`, of `playlist_delete` as of `playlist_list`.
        Errors: `limit` (100 playlists of 1000 items with 128 KiB of names; 512 KiB in all), `io`, `unauthorized` (the
        caller may not `play` an item that it adds)."""
        return self.call("playlist_delete", name=name)

    def playlist_get(self, name: str) -> Answer_:
        """Return `name` and `items` (`title`, `seconds`) of one playlist, or `playlists` by name: `name`, `items`
        (their number), `plays` (its tour; absent: it does not play)."""
        return self.call("playlist_get", name=name)

    def playlist_list(self) -> Answer_:
        """Return `name` and `items` (`title`, `seconds`) of one playlist, or `playlists` by name: `name`, `items`
        (their number), `plays` (its tour; absent: it does not play)."""
        return self.call("playlist_list")

    def playlist_move(self, name: str, item: int, to: int) -> Answer_:
        """Save `items` as the playlist `name` (replacing it), append `items` to it, remove `item` (its number, from 1),
        give `item` the number `to`, or delete the playlist. An item has `source` (as for *tour_start*; a pattern stands
        for all its sources) and optionally `seconds` (1–86400; how long it is shown). A playlist that plays continues
        with the items that it began with. Result as of `playlist_get`, of `playlist_delete` as of `playlist_list`.
        Errors: `limit` (100 playlists of 1000 items with 128 KiB of names; 512 KiB in all), `io`, `unauthorized` (the
        caller may not `play` an item that it adds)."""
        return self.call("playlist_move", name=name, item=item, to=to)

    def playlist_play(self, name: str, *, window: int | None = None, area: str | None = None,
                      rect: Sequence[int] | None = None, loop: bool | None = None, shuffle: bool | None = None,
                      start_at: int | None = None, seconds: float | None = None) -> Answer_:
        """Play `name` in place of `window` (whose former content ends), in `area` or `rect` as for *tour_start*, or on
        the whole wall. If it plays already, it begins again, without a place in its window. A film is shown until its
        end or for its `seconds`; other items for their `seconds`, or the parameter `seconds` (10). `loop`: begin again
        after the last item; otherwise its picture stays. `shuffle`: in random order, each item once per round.
        `start_at`: number of the first item. The answer comes when the first item is shown. Result: the **tour** with
        `playlist` (true), `item` (its number), `loop` and `shuffle`. Errors as of *tour_start*, and `conflict` (the
        window is locked, maximised, frozen or being moved, or there is no item `start_at`)."""
        return self.call("playlist_play", name=name, window=window, area=area, rect=rect, loop=loop, shuffle=shuffle,
                         start_at=start_at, seconds=seconds)

    def playlist_remove(self, name: str, item: int) -> Answer_:
        """Save `items` as the playlist `name` (replacing it), append `items` to it, remove `item` (its number, from 1),
        give `item` the number `to`, or delete the playlist. An item has `source` (as for *tour_start*; a pattern stands
        for all its sources) and optionally `seconds` (1–86400; how long it is shown). A playlist that plays continues
        with the items that it began with. Result as of `playlist_get`, of `playlist_delete` as of `playlist_list`.
        Errors: `limit` (100 playlists of 1000 items with 128 KiB of names; 512 KiB in all), `io`, `unauthorized` (the
        caller may not `play` an item that it adds)."""
        return self.call("playlist_remove", name=name, item=item)

    def playlist_save(self, name: str, items: Sequence[Mapping[str, Any]]) -> Answer_:
        """Save `items` as the playlist `name` (replacing it), append `items` to it, remove `item` (its number, from 1),
        give `item` the number `to`, or delete the playlist. An item has `source` (as for *tour_start*; a pattern stands
        for all its sources) and optionally `seconds` (1–86400; how long it is shown). A playlist that plays continues
        with the items that it began with. Result as of `playlist_get`, of `playlist_delete` as of `playlist_list`.
        Errors: `limit` (100 playlists of 1000 items with 128 KiB of names; 512 KiB in all), `io`, `unauthorized` (the
        caller may not `play` an item that it adds)."""
        return self.call("playlist_save", name=name, items=items)

    def pointer(self, *, at: Sequence[float] | None = None, pressed: bool | None = None, hidden: bool | None = None,
                pointer: int | None = None, style: Literal["arrow", "laser", "spotlight", "magnifier"] | None = None,
                factor: int | None = None, window: int | None = None) -> Answer_:
        """Show a pointer at `at` (±1000000, with fractions), `pressed` or not, or make it `hidden`; usually a
        notification. A client has up to 32 pointers, numbered by `pointer` (0–31; 0), with the client's name and
        colour. A pointer disappears when it rests for 10 s or the client leaves. Of all pointers, the 256 that moved
        last are drawn."""
        return self.call("pointer", at=at, pressed=pressed, hidden=hidden, pointer=pointer, style=style, factor=factor,
                         window=window)

    def power(self, power: Literal["on", "off"], *, nodes: Sequence[str] | None = None,
              tiles: Sequence[str] | None = None) -> Answer_:
        """Turn displays on or off, or ask whether they are on: those of `nodes` (receivers) and `tiles`, by name;
        without both, all that can be controlled (`"power"` in sail/core/wall/README.md). Tiles that share a display
        turn together. Result, when all have answered once, each within 10 s: `displays`: `tile`, `receiver`, `power`
        (`on`, `off`, `warming`, `cooling` or `unknown`), `why` (if unknown). After `power` the manager repeats the
        order every 2 s to displays that ignored it, for 60 s (warming up or cooling down: 300 s); then the wall's
        health names them (`power`). Errors: `not_found` (the wall has no such receiver or tile), `unavailable` (no
        display can be controlled). Not steps of the history."""
        return self.call("power", power=power, nodes=nodes, tiles=tiles)

    def power_status(self, *, nodes: Sequence[str] | None = None, tiles: Sequence[str] | None = None) -> Answer_:
        """Turn displays on or off, or ask whether they are on: those of `nodes` (receivers) and `tiles`, by name;
        without both, all that can be controlled (`"power"` in sail/core/wall/README.md). Tiles that share a display
        turn together. Result, when all have answered once, each within 10 s: `displays`: `tile`, `receiver`, `power`
        (`on`, `off`, `warming`, `cooling` or `unknown`), `why` (if unknown). After `power` the manager repeats the
        order every 2 s to displays that ignored it, for 60 s (warming up or cooling down: 300 s); then the wall's
        health names them (`power`). Errors: `not_found` (the wall has no such receiver or tile), `unavailable` (no
        display can be controlled). Not steps of the history."""
        return self.call("power_status", nodes=nodes, tiles=tiles)

    def raise_(self, *, window: int | None = None, windows: Sequence[int] | None = None) -> Answer_:
        """Raise `window` or `windows` to the top, or lower them to the bottom; `windows` keep their order."""
        return self.call("raise", window=window, windows=windows)

    def receiver_log(self, receiver: str, *, from_: int | None = None, last: int | None = None) -> Answer_:
        """`receiver_log`: read the log of `receiver` (a receiver, an `app` of the wall file, or `standby`), `from` the
        previous answer's `next` on, or the `last` bytes (8192, at most 65536). Result: `text`, whole lines, and `next`.
        Error: `not_found` (no manager started this program). `receiver_restart`: restart the program of a receiver or
        the standby, and kill it if it does not end within 3 s. Error: `unavailable` (this manager did not start it)."""
        return self.call("receiver_log", receiver=receiver, from_=from_, last=last)

    def receiver_restart(self, receiver: str) -> Answer_:
        """`receiver_log`: read the log of `receiver` (a receiver, an `app` of the wall file, or `standby`), `from` the
        previous answer's `next` on, or the `last` bytes (8192, at most 65536). Result: `text`, whole lines, and `next`.
        Error: `not_found` (no manager started this program). `receiver_restart`: restart the program of a receiver or
        the standby, and kill it if it does not end within 3 s. Error: `unavailable` (this manager did not start it)."""
        return self.call("receiver_restart", receiver=receiver)

    def redo(self) -> Answer_:
        """`undo` reverts what the newest step changed; `redo` repeats the last undone step; `history` returns the
        **history**. Steps without effect are skipped. Undoing a closing restarts the window's content if possible
        (`relaunch`), under a new number; undoing an opening closes the window. The result comes at the end, with
        `failed` if windows were not restored (`title`, `why`). Errors: `not_found` (no such step), `conflict` (another
        undo or redo is in progress)."""
        return self.call("redo")

    def replace(self, window: int, *, media: Sequence[str] | None = None, source: str | None = None,
                sources: Sequence[str] | None = None, at_end: Literal["hold", "loop", "close"] | None = None,
                loop: bool | None = None, fps: float | None = None, start: float | None = None,
                rate: float | None = None, volume: float | None = None, deinterlace: Literal["auto", "off", "frame",
                "field"] | None = None, codec: str | None = None, missing: Literal["hold", "black",
                "stop"] | None = None, sound_track: str | None = None, best_effort: bool | None = None,
                fallback: str | None = None, subtitles: str | None = None, group: str | None = None,
                start_at: float | None = None, on: str | None = None, transport: Literal["tcp", "udp"] | None = None,
                delay_ms: int | None = None, mtu: int | None = None) -> Answer_:
        """Start a player as `play` does, and close `window`, in one step of the history. The new window takes the
        place, z-order, volume and opacity of `window`, and its group, unless `group` is given or the frame rates
        differ. Error: `conflict` (locked)."""
        return self.call("replace", window=window, media=media, source=source, sources=sources, at_end=at_end,
                         loop=loop, fps=fps, start=start, rate=rate, volume=volume, deinterlace=deinterlace,
                         codec=codec, missing=missing, sound_track=sound_track, best_effort=best_effort,
                         fallback=fallback, subtitles=subtitles, group=group, start_at=start_at, on=on,
                         transport=transport, delay_ms=delay_ms, mtu=mtu)

    def resize(self, window: int, *, width: int | None = None, height: int | None = None,
               gesture: str | None = None) -> Answer_:
        """Move the top left corner of `window` to `x`, `y`, or by `dx`, `dy`, or resize it to `width`, `height`. A
        missing coordinate does not change; a missing side follows from the aspect ratio."""
        return self.call("resize", window=window, width=width, height=height, gesture=gesture)

    def rights(self) -> Answer_:
        """Return `rules`, and `locks`: `partition` or `scene` (its name), `owner` (name of the key), `who` (name of the
        client), `since_s`. `damage` (text) says that the manager cannot read its file of rights."""
        return self.call("rights")

    def rights_lock(self, *, partition: str | None = None, scene: str | None = None, on: bool | None = None) -> Answer_:
        """Lock a `partition` or a `scene` (a saved session), or unlock it (`on` false). Locking needs the right to
        `arrange` it, unlocking is for the owner and admins. Result as of `rights`. Errors: `not_found` (there is none,
        or it is not locked), `conflict` (locked by another key), `unauthorized`, `limit` (1000 locks), `io`."""
        return self.call("rights_lock", partition=partition, scene=scene, on=on)

    def rights_set(self, rules: Sequence[Mapping[str, Any]]) -> Answer_:
        """Replace all `rules` (at most 1000, 512 KiB). Locks stay. Result as of `rights`. Errors: `invalid_params` (all
        mistakes, one per line), `limit`, `io`."""
        return self.call("rights_set", rules=rules)

    def scene_preview(self, name: str, *, area: str | None = None, rect: Sequence[int] | None = None) -> Answer_:
        """Return what `scene_show` with the same `name`, `area` or `rect` would show now, without changing anything:
        `windows` as of `session_get`, at their places on this wall; `number` only if the window is open and would stay;
        such a window has live thumbnails (`watch_thumbnails`). `closed`: numbers of the windows that would close.
        Errors: `not_found`, `limit`."""
        return self.call("scene_preview", name=name, area=area, rect=rect)

    def scene_show(self, name: str, *, area: str | None = None, rect: Sequence[int] | None = None,
                   fade: float | None = None) -> Answer_:
        """Switch to session `name` in one swap, in one step of the history."""
        return self.call("scene_show", name=name, area=area, rect=rect, fade=fade)

    def schedule_add(self, entries: Sequence[Mapping[str, Any]]) -> Answer_:
        """Add `entries` (at most 1000 in the schedule), each in place of the one of its name, or remove the entry
        `name`. An entry whose time is now begins at once, but verbs are not run for times that are over. Result as of
        `schedule_list`. Errors: `invalid_params` (the mistakes of the first wrong entry; a verb that an operator may
        not use), `not_found` (no such session or entry), `limit`, `io`."""
        return self.call("schedule_add", entries=entries)

    def schedule_list(self) -> Answer_:
        """Return the schedule, or the first `count` times (10, at most 100) of all entries: `next`, with `name`, `zone`
        and `scene`. A time has `start_s`, `end_s` (seconds since 1970), `start` and `end` (local); without a scene
        there is no end."""
        return self.call("schedule_list")

    def schedule_next(self, *, count: int | None = None) -> Answer_:
        """Return the schedule, or the first `count` times (10, at most 100) of all entries: `next`, with `name`, `zone`
        and `scene`. A time has `start_s`, `end_s` (seconds since 1970), `start` and `end` (local); without a scene
        there is no end."""
        return self.call("schedule_next", count=count)

    def schedule_remove(self, name: str) -> Answer_:
        """Add `entries` (at most 1000 in the schedule), each in place of the one of its name, or remove the entry
        `name`. An entry whose time is now begins at once, but verbs are not run for times that are over. Result as of
        `schedule_list`. Errors: `invalid_params` (the mistakes of the first wrong entry; a verb that an operator may
        not use), `not_found` (no such session or entry), `limit`, `io`."""
        return self.call("schedule_remove", name=name)

    def session_get(self, *, name: str | None = None) -> Answer_:
        """Return session `name`, or without `name` the wall as it is now. Its `windows`, bottom to top, have fields of
        **window**, and as far as known `number` (the window's number when it was saved), `shape` (size of the shown
        picture, if it differs from the frames' size), `before_maximised`, `content` (as for `play`), `thumbnail`
        (`size`, `jpeg`; 512 KiB in all, topmost first). Error: `limit` (too large for a message)."""
        return self.call("session_get", name=name)

    def session_put(self, name: str, session: Mapping[str, Any]) -> Answer_:
        """Save `session`, an answer of `session_get` of this wall or another one, as `name`; return the list. Kept are
        `saved_at`, `wall_size`, `partitions` and `windows` without thumbnails. The caller is the **opener** of all
        windows. `name` cannot be `autosave`, which the next manager restores."""
        return self.call("session_put", name=name, session=session)

    def session_remove(self, name: str) -> Answer_:
        """List, save or remove sessions (by `name`): layouts with the windows' content and its reported position,
        pause, speed, loop and volume."""
        return self.call("session_remove", name=name)

    def session_restore(self, name: str) -> Answer_:
        """Restore session `name`, in one step of the history: close all windows, locked or not, and start the
        session's, with places, z-order and positions. A window of the session that cannot be restarted, but is open,
        stays open and is placed. Result, when all have opened or failed: `started` (new numbers), `failed` (`title`,
        `why`). Error: `conflict` (another step is in progress)."""
        return self.call("session_restore", name=name)

    def session_save(self, name: str) -> Answer_:
        """List, save or remove sessions (by `name`): layouts with the windows' content and its reported position,
        pause, speed, loop and volume."""
        return self.call("session_save", name=name)

    def sessions(self) -> Answer_:
        """List, save or remove sessions (by `name`): layouts with the windows' content and its reported position,
        pause, speed, loop and volume."""
        return self.call("sessions")

    def shutdown(self) -> Answer_:
        """End the manager: it answers, asks applications to close their streams (1 s), and ends the programs that it
        started."""
        return self.call("shutdown")

    def snapshot(self) -> Answer_:
        """Schedule a snapshot: at `at_ns`, shortly ahead, receivers keep what their tiles show. With `secret`, fetch
        each picture once from the data ports of `receivers` (also `certificate`, if any; sail/PROTOCOL.md). `wall` is
        as in the state; `frozen` (absent: none) are the numbers of frozen windows. At most ten snapshots are taken a
        second. Errors: `unavailable` (no receiver is connected), `timeout` (no receiver answered), `limit` (the client
        already has a snapshot in the queue, or 64 snapshots wait)."""
        return self.call("snapshot")

    def sound(self, window: int, *, volume: float | None = None, muted: bool | None = None, solo: bool | None = None,
              gesture: str | None = None) -> Answer_:
        """Set `volume`, `muted` or both: of `window`, or of the wall (`master_volume`), whose volume multiplies that of
        each window. A window's sound is set at the wall's loudspeakers (sail/core/wall/README.md, `audio`), or, if
        `playback` has a volume, in the application. Muted sound is not sent. The rules of *Windows* apply to `sound`,
        also to `gesture`; `master_volume` is not a step of the history. `solo`: unmute `window`, and mute all other
        windows of the wall, in one step; a presenter mutes only own windows. `left_alone` in the answer counts windows
        that may be heard and were not muted."""
        return self.call("sound", window=window, volume=volume, muted=muted, solo=solo, gesture=gesture)

    def source_bin(self) -> Answer_:
        """List the bin: `files`, oldest first (`bin`, `title`, `removed_at`, `bytes`), and `days` (30); or restore
        `bin` (result: `source`, `title`), with a number in its name if the name is taken."""
        return self.call("source_bin")

    def source_remove(self, source: str) -> Answer_:
        """Remove `source`, a saved URL or uploaded file (others: `invalid_params`). `undo` restores it; `redo` skips
        the removal. A file stays in the bin for 30 days, or less if uploads need the space; `bin` of the result is its
        id there."""
        return self.call("source_remove", source=source)

    def source_rename(self, source: str, name: str) -> Answer_:
        """Rename `source`, a saved URL or uploaded file, to `name` (1–200 bytes). A URL keeps its id. A file gets a new
        id, from the cleaned name with the file's extension; windows continue, but saved sessions no longer find the
        file. Error: `conflict` (a file has that name)."""
        return self.call("source_rename", source=source, name=name)

    def source_restore(self, bin: str) -> Answer_:
        """List the bin: `files`, oldest first (`bin`, `title`, `removed_at`, `bytes`), and `days` (30); or restore
        `bin` (result: `source`, `title`), with a number in its name if the name is taken."""
        return self.call("source_restore", bin=bin)

    def source_save(self, url: str, *, title: str | None = None) -> Answer_:
        """Save `url` (rtsp, https, srt, …; `web:…` or `vnc://…` as in *play*) with `title`. Saving it again changes
        only its title. Clients get `…` instead of a password in the URL (`rtsp://user:password@camera/…`,
        `?password=…`); the same URL with another password is the same source."""
        return self.call("source_save", url=url, title=title)

    def sources(self, *, search: str | None = None, kind: Literal["file", "test", "url", "command",
                "application"] | None = None, folder: str | None = None, ids: Sequence[str] | None = None,
                order: Literal["name", "newest", "largest", "longest"] | None = None, offset: int | None = None,
                count: int | None = None) -> Answer_:
        """List what the wall can show: `count` (100, at most 500) sources from `offset` (0, at most 10⁶), in an `order`
        (`name`, `newest`: modified last, `largest`, `longest`; default: by folder and name)."""
        return self.call("sources", search=search, kind=kind, folder=folder, ids=ids, order=order, offset=offset,
                         count=count)

    def speaker_notes(self, window: int) -> Answer_:
        """Return the speaker's notes of the presentation (PPTX, ODP) that `window` shows. The client must have the
        right to control the window."""
        return self.call("speaker_notes", window=window)

    def stand_by(self, listen: str, *, page: str | None = None, page_by_tls: bool | None = None) -> Answer_:
        """`stand_by` registers a standby; `journal_read` gives it a complete `document`, with passwords in URLs and
        verifiers of people's passwords (sail/PROTOCOL.md, "stand_by", "journal"). Errors: `conflict` (there is another
        standby), `invalid_request` (this manager saves nothing), `limit` (too large for a message), `unavailable` (the
        wall is shutting down)."""
        return self.call("stand_by", listen=listen, page=page, page_by_tls=page_by_tls)

    def stats(self, *, window: int | None = None, skip: int | None = None) -> Answer_:
        """Return statistics of all windows, from `skip` as in `list`, or of one `window`: `windows` (stats with
        `links`), `receivers`, `hosts` (each machine's last `host_stats`, `overloaded`), and `manager`: `peers`,
        `layouts` (shown), `layouts_timed_out` (shown before all applications had a frame). After 1024 links,
        `links_left_out` is the number of further links. Windows that the wall's loudspeakers play have `level`: `peak`
        and `rms` as in `levels`. They are measured only while somebody looks: for 5 s after this request, or for
        clients of `watch_levels`."""
        return self.call("stats", window=window, skip=skip)

    def subscribe(self, *, figures: bool | None = None, pointers: bool | None = None,
                  drawings: bool | None = None) -> Answer_:
        """Return the **state**, and then send `changed` after each change."""
        return self.call("subscribe", figures=figures, pointers=pointers, drawings=drawings)

    def swap(self, window: int, other: int) -> Answer_:
        """Exchange the places and z-order of `window` and `other`."""
        return self.call("swap", window=window, other=other)

    def tour_control(self, name: str, action: Literal["hold", "go", "next", "previous"]) -> Answer_:
        """Control or end a tour: `hold` the present pictures, `go` on, or show the `next` or `previous` sources as soon
        as they have pictures, also during a hold. After `tour_stop` the windows stay. Result as of `tour_list`."""
        return self.call("tour_control", name=name, action=action)

    def tour_list(self) -> Answer_:
        """Return `tours`."""
        return self.call("tour_list")

    def tour_start(self, name: str, sources: Sequence[str], *, columns: int | None = None, rows: int | None = None,
                   every_s: float | None = None, area: str | None = None, rect: Sequence[int] | None = None) -> Answer_:
        """Show `sources` (at most 1000, each once) in `columns` × `rows` cells (1; at most 64), and the next ones every
        `every_s` seconds (10; 1–86400): in `area` (a tile or partition), `rect` or the whole wall. A source is a
        source's id or title, a pattern of ids or titles with `*`, or a medium of *play* (a file with its full path);
        not a command. Tours are not steps of the history; a new manager with `--restore autosave` continues them. The
        answer comes after the first turn. Result: the **tour**"""
        return self.call("tour_start", name=name, sources=sources, columns=columns, rows=rows, every_s=every_s,
                         area=area, rect=rect)

    def tour_stop(self, name: str) -> Answer_:
        """Control or end a tour: `hold` the present pictures, `go` on, or show the `next` or `previous` sources as soon
        as they have pictures, also during a hold. After `tour_stop` the windows stay. Result as of `tour_list`."""
        return self.call("tour_stop", name=name)

    def trace(self, seconds: float) -> Answer_:
        """`trace`: let applications and receivers record time stamps of their frames for `seconds` (0.001–60). The
        result comes when they have confirmed: `processes`: `process` (number), `role`, `name`. `trace_read`: read the
        stamps of `process` in parts: from 0, then `from` the last part's `next` (absent: the end)."""
        return self.call("trace", seconds=seconds)

    def trace_read(self, process: int, *, from_: int | None = None) -> Answer_:
        """`trace`: let applications and receivers record time stamps of their frames for `seconds` (0.001–60). The
        result comes when they have confirmed: `processes`: `process` (number), `role`, `name`. `trace_read`: read the
        stamps of `process` in parts: from 0, then `from` the last part's `next` (absent: the end)."""
        return self.call("trace_read", process=process, from_=from_)

    def undo(self) -> Answer_:
        """`undo` reverts what the newest step changed; `redo` repeats the last undone step; `history` returns the
        **history**. Steps without effect are skipped. Undoing a closing restarts the window's content if possible
        (`relaunch`), under a new number; undoing an opening closes the window. The result comes at the end, with
        `failed` if windows were not restored (`title`, `why`). Errors: `not_found` (no such step), `conflict` (another
        undo or redo is in progress)."""
        return self.call("undo")

    def user_add(self, name: str, role: Literal["viewer", "presenter", "operator", "admin"], stored_key: str,
                 listener_key: str) -> Answer_:
        """Add a person, change a password, or remove a person: `name` (1–30 letters, digits, `-`, `_`), `role`,
        `stored_key` and `listener_key` (64 hexadecimal digits, from password and salt). A change or removal ends the
        person's sessions. Result: `name`. Errors: `conflict` (the name exists), `limit` (1000 people), `io` (they
        cannot be saved)."""
        return self.call("user_add", name=name, role=role, stored_key=stored_key, listener_key=listener_key)

    def user_password(self, name: str, stored_key: str, listener_key: str) -> Answer_:
        """Add a person, change a password, or remove a person: `name` (1–30 letters, digits, `-`, `_`), `role`,
        `stored_key` and `listener_key` (64 hexadecimal digits, from password and salt). A change or removal ends the
        person's sessions. Result: `name`. Errors: `conflict` (the name exists), `limit` (1000 people), `io` (they
        cannot be saved)."""
        return self.call("user_password", name=name, stored_key=stored_key, listener_key=listener_key)

    def user_remove(self, name: str) -> Answer_:
        """Add a person, change a password, or remove a person: `name` (1–30 letters, digits, `-`, `_`), `role`,
        `stored_key` and `listener_key` (64 hexadecimal digits, from password and salt). A change or removal ends the
        person's sessions. Result: `name`. Errors: `conflict` (the name exists), `limit` (1000 people), `io` (they
        cannot be saved)."""
        return self.call("user_remove", name=name)

    def user_salt(self, name: str) -> Answer_:
        """List people: `name`, `role`, and the number of their present `sessions`; or return the `salt` of `name`.
        Every name has a salt, even an unknown one, and it never changes. Error: `conflict` (the file of people is
        damaged)."""
        return self.call("user_salt", name=name)

    def users(self) -> Answer_:
        """List people: `name`, `role`, and the number of their present `sessions`; or return the `salt` of `name`.
        Every name has a salt, even an unknown one, and it never changes. Error: `conflict` (the file of people is
        damaged)."""
        return self.call("users")

    def wallpaper(self, *, source: str | None = None, on: bool | None = None, area: str | None = None,
                  fit: Literal["cover", "contain", "stretch"] | None = None) -> Answer_:
        """Show `source` (one, named as for *tour_start*) behind all windows or, as a logo, in a `corner` above all
        windows: on the whole wall, or in `area` (a tile or partition)."""
        return self.call("wallpaper", source=source, on=on, area=area, fit=fit)

    def watch_levels(self, *, on: bool | None = None) -> Answer_:
        """With `on` (true), send the client the notification `levels`, five times a second while there is sound:
        `windows` that the wall's loudspeakers play, with `window`, `peak` and `rms` as in `sound_levels`
        (sail/PROTOCOL.md). The others are silent. If several receivers play sound, the loudest counts. The sound is
        measured only while somebody looks. Clients with over 256 KiB of unsent data get none."""
        return self.call("watch_levels", on=on)

    def watch_thumbnails(self, windows: Literal["all"] | Sequence[int], *, width: int | None = None,
                         per_second: float | None = None) -> Answer_:
        """Subscribe to thumbnails of `windows` (`"all"`, also future ones, or numbers; `[]`: none), in place of the
        former subscription: at most `width` pixels on the longer side (64–640; 320) and `per_second` thumbnails of each
        window (0.2–10; 2). Thumbnails come at once and after changes, with at most 98304 bytes before base64. Slow
        clients get fewer. Carried streams (`h264`, `h265`, `av1`, `vp9` and `mjpeg`) have thumbnails while a tile shows
        them."""
        return self.call("watch_thumbnails", windows=windows, width=width, per_second=per_second)

    def webhooks(self) -> Answer_:
        """Return `webhooks`: `name`, `url` (only scheme, host and port), `on`, and, once the program has reported,
        `delivered`, `waiting`, `failed` (given up after 8 attempts), `dropped` (more than 100 waited, or the webhook is
        disabled), `retries` (failed attempts since the last success), `disabled` (the server answered with status 410),
        `error` (of the last attempt; absent: it succeeded)."""
        return self.call("webhooks")

    def webhooks_report(self, states: Sequence[Mapping[str, Any]]) -> Answer_:
        """`webhooks_settings` returns `webhooks` as in the wall file. With `webhooks_report`, a program becomes the one
        that delivers them, and reports their `states` (fields as of `webhooks`); the manager sends it the request
        `test`, with the result of `webhooks_test`, and the notification `end` when the wall is shut down. Errors:
        `not_found` (the wall file has no webhooks), `conflict` (another program delivers them)."""
        return self.call("webhooks_report", states=states)

    def webhooks_settings(self) -> Answer_:
        """`webhooks_settings` returns `webhooks` as in the wall file. With `webhooks_report`, a program becomes the one
        that delivers them, and reports their `states` (fields as of `webhooks`); the manager sends it the request
        `test`, with the result of `webhooks_test`, and the notification `end` when the wall is shut down. Errors:
        `not_found` (the wall file has no webhooks), `conflict` (another program delivers them)."""
        return self.call("webhooks_settings")

    def webhooks_test(self) -> Answer_:
        """Send a report of the kind `test` to each webhook, once. Result, within 15 s: `webhooks`: `name`, `delivered`,
        `error`. Success enables a disabled webhook. Errors: `not_found` (the wall file has no webhooks), `unavailable`
        (the program is not connected)."""
        return self.call("webhooks_test")

    def why(self, *, window: int | None = None) -> Answer_:
        """With `window`, return its **health**, and its `codec_reason`; else the wall's **health**, with current
        figures of windows. The list of causes is closed. Causes of a window"""
        return self.call("why", window=window)
