"""Rights, walked by machine: every verb, by every key, about every kind of object, at every door. What is expected comes from
the tables of manager/COMMANDS.md (roles) and manager/rights/README.md (acts)."""

import csv
import io
import json
import re
import unittest

from harness import EXIT_FAILED, ROOT, Control, WallTest, key_named
from web import WebSocket, request

SECRET = "open sesame, please"
RIGHTS = ("viewer", "presenter", "operator", "admin")
ACTS = ("show", "arrange", "control", "hear")
CARD = "test:64x64@10"
VAULT = "test/1280x720@60"  # the id of a source
STAGE_SESSION = {"vitrail": "session", "version": 1, "saved_at": 1, "wall_size": [320, 180], "partitions": [],
                 "windows": [{"number": 1, "title": "card", "frame_size": [64, 64], "rect": [0, 0, 64, 64]}]}
# Need something that this wall does not have: an opening, a tour.
TESTED_ELSEWHERE = {"opening_close", "redo", "tour_control", "tour_stop"}


def table(document, names):
    """{verb: {name}} of the rows "| `name` | `verb` `verb` … |"."""
    found = {}
    for line in (ROOT / document).read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(r"\| `(\w+)` \| ((?:`\w+` ?)+) ?\|", line)
        if row and row[1] in names:
            for verb in re.findall(r"`(\w+)`", row[2]):
                found.setdefault(verb, set()).add(row[1])
    return found


ROLE_OF = {verb: next(iter(roles)) for verb, roles in table("manager/COMMANDS.md", RIGHTS).items()}
ACTS_OF = table("manager/rights/README.md", ACTS)


def calls(inside, outside):
    """Calls of each verb that are about an object with rules. `inside`: a window in the partition `stage`."""
    beside = [200, 0, 100, 100]
    within = [0, 0, 10, 10]
    return {
        "annotate": [{"window": inside, "points": [[20, 20]]}, {"points": [[10, 10], [20, 20]]}],
        "annotate_clear": [{}, {"windows": [inside]}],
        "annotate_erase": [{"windows": [inside], "points": [[1, 1]]}, {"points": [[10, 10], [20, 20]]}],
        "arrange": [{}, {"area": "stage"}],
        "blank": [{}, {"windows": [inside]}, {"areas": [within]}, {"area": "stage"}],
        "camera_move": [{"window": inside, "move": "left"}, {"source": VAULT, "preset": "door"}],
        "camera_presets": [{"window": inside}, {"source": VAULT}],
        "close": [{"window": inside}, {"windows": [outside, inside]}],
        "control": [{"window": inside, "action": "pause"}, {"window": inside, "action": "volume", "value": 0.5},
                    {"window": inside, "action": "sound_track", "value": 1}],
        "drive": [{"window": inside, "action": "take"}],
        "event_rules": [{"rules": [{"event": "door", "scene": "secret", "area": "free"}]},
                        {"rules": [{"event": "door", "scene": "open", "area": "stage"}]}],
        "fit": [{"window": inside}, {"window": outside, "partition": "stage"}, {"window": outside}],
        "freeze": [{}, {"windows": [inside]}],
        "group": [{"name": "g", "windows": [outside, inside]}],
        "input": [{"window": inside, "type": "leave"}],
        "label": [{"windows": [inside], "text": "a"}],
        "layout_apply": [{"name": "any"}],
        "lock": [{"window": inside}],
        "logo": [{"source": VAULT, "area": "free"}, {"source": CARD, "area": "stage"}],
        "look": [{"window": inside, "opacity": 0.5}],
        "lower": [{"window": inside}],
        "master_volume": [{"muted": True}],
        "maximise": [{"window": inside, "on": False}, {"window": outside}],
        "move": [{"window": inside, "x": 250}, {"window": outside, "x": 10}, {"window": outside, "dx": -150}],
        "partition": [{"action": "set", "name": "stage", "rect": beside}, {"action": "remove", "name": "stage"},
                      {"action": "set", "name": "new", "rect": within}, {"action": "clear"},
                      {"action": "grid", "columns": 2, "rows": 1}],
        "place": [{"windows": [{"window": outside, "rect": within}]}, {"windows": [{"window": inside, "rect": beside}]}],
        "play": [{"source": VAULT, "place": beside}, {"sources": [VAULT]}, {"media": [CARD], "place": within},
                 {"media": [CARD], "within": [0, 0, 300, 100]}],
        "playlist_add": [{"name": "free", "items": [{"source": VAULT}]}],
        "playlist_play": [{"name": "vault", "rect": beside}, {"name": "free", "area": "stage"}],
        "playlist_save": [{"name": "free", "items": [{"source": CARD}, {"source": VAULT}]}],
        "raise": [{"windows": [inside]}],
        "replace": [{"window": inside, "media": [CARD]}],
        "resize": [{"window": inside, "width": 10}],
        "rights_lock": [{"partition": "stage"}, {"scene": "secret"}],
        "scene_show": [{"name": "secret", "rect": beside}, {"name": "open", "area": "stage"}, {"name": "open"}],
        "schedule_add": [{"entries": [{"name": "n", "scene": "secret", "area": "free"}]},
                         {"entries": [{"name": "n", "scene": "open", "area": "stage"}]}],
        "schedule_remove": [{"name": "night"}],
        "session_put": [{"name": "secret", "session": STAGE_SESSION}],
        "session_remove": [{"name": "secret"}],
        "session_restore": [{"name": "secret"}, {"name": "open"}],
        "session_save": [{"name": "secret"}],
        "sound": [{"window": inside, "muted": True}, {"window": outside, "solo": True}],
        "speaker_notes": [{"window": inside}],
        "swap": [{"window": outside, "other": inside}],
        "tour_start": [{"name": "t", "sources": [CARD], "area": "stage"},
                       {"name": "t", "sources": [VAULT], "rect": beside}, {"name": "t", "sources": ["test/*"], "rect": beside}],
        "undo": [{}],
        "wallpaper": [{"source": VAULT, "area": "free"}, {"source": CARD}]}


def said(answer):
    return answer["error"]["data"]["name"], answer["error"]["message"]


class Rights(WallTest):
    grid = {"columns": 1, "rows": 1, "resolution": [320, 180]}
    wall_keys = {"proxy": {"from": ["127.0.0.1"], "header": "X-Forwarded-User", "groups_header": "X-Forwarded-Groups",
                           "groups": {"crew": "operator"}}}

    @property
    def manager_options(self):
        return ("--state", self.folder / "state")

    def receiver_names(self):
        return []

    def env(self, **more):
        return {**super().env(VITRAIL_KEY=SECRET), **more}

    def done(self, control, method, /, **params):
        answer = control.call(method, **params)
        self.assertIn("result", answer, (method, params))
        return answer["result"]

    def prepare(self):
        """Two windows, two partitions, two scenes, and for each act a key that may do only that."""
        admin = Control(self.port, SECRET)
        self.addCleanup(admin.close)
        for name, rect in (("stage", [0, 0, 160, 180]), ("free", [160, 0, 160, 180])):
            self.done(admin, "partition", action="set", name=name, rect=rect)
        inside = self.done(admin, "play", media=[CARD], place=[10, 10, 64, 64])["window"]
        outside = self.done(admin, "play", media=[CARD], place=[200, 0, 64, 64])["window"]
        for name in ("secret", "open"):
            self.done(admin, "session_save", name=name)
        self.done(admin, "layout_save", name="any")
        self.done(admin, "schedule_add", entries=[{"name": "night", "zone": "UTC", "start": "2100-01-01T20:00", "duration_s": 60,
                                                   "scene": "secret", "area": "free"}])
        self.done(admin, "playlist_save", name="vault", items=[{"source": VAULT}])
        self.done(admin, "move", window=inside, x=20)  # the step to undo
        rules = [{**thing, "who": [f"operator/{act}", "operator/all", f"group:stage/{act}*"], "may": [act]} for act in ACTS
                 for thing in ({"partition": "stage"}, {"scene": "sec*"}, {"source": VAULT})]
        self.done(admin, "rights_set", rules=rules)
        return inside, outside

    def group_doors(self, group):
        """As doors(), for a person whom a proxy has signed in."""
        page = WebSocket(self.page_port, headers=("X-Forwarded-User: eve", f"X-Forwarded-Groups: crew | {group}"))
        self.addCleanup(page.close)
        self.assertEqual(page.call("hello", role="ui", protocol=3, name="page")["result"]["right"], "operator")
        return {"proxy": lambda verb, params: said(page.call(verb, **params))}

    def doors(self, key):
        """Functions that call a verb and return the error's name and message."""
        console = Control(self.port, key)
        self.addCleanup(console.close)
        page = WebSocket(self.page_port)
        self.addCleanup(page.close)
        self.assertIn("result", page.hello(key))
        doors = {"TCP": lambda verb, params: said(console.call(verb, **params)),
                 "WebSocket": lambda verb, params: said(page.call(verb, **params))}
        if key != SECRET:  # refused over HTTP
            doors["HTTP"] = lambda verb, params: said(json.loads(request(
                self.page_port, "POST", f"/api/{verb}", body=json.dumps(params).encode(),
                headers={"Authorization": f"Bearer {key}"})[2]))
        return doors

    def expect(self, name, verb, params, answer):
        """`name`: of the key; empty: the wall's own."""
        where = (name, verb, params, answer)
        error, message = answer
        role = re.split("[/ ]", name)[0] or "admin"
        refused_by_rule = "rules[" in message
        if RIGHTS.index(role) < RIGHTS.index(ROLE_OF[verb]):
            self.assertEqual((error, refused_by_rule), ("unauthorized", False), where)
            return
        may = {act for act in ACTS if name in (f"operator/{act}", "operator/all", f"operator in group stage/{act}s")}
        needs = ACTS_OF.get(verb, set())
        if verb == "control":  # has two rows
            needs = needs & {"control" if params.get("action") == "pause" else "hear"}
        # The presenter has no step to undo, and no other window to mute.
        is_about_nothing = role == "presenter" and (verb == "undo" or "solo" in params)
        closed = role != "admin" and not needs <= may and not is_about_nothing
        self.assertEqual(refused_by_rule, closed, where)
        self.assertEqual(error == "unauthorized", closed, where)

    def test_every_verb_key_object_and_door(self):
        examples = calls(*self.prepare())
        self.assertEqual(set(examples), set(ACTS_OF) - TESTED_ELSEWHERE, "each verb of the table has an example")
        callers = {name: self.doors(key_named(SECRET, name) if name else SECRET)
                   for name in ("", "admin/a", "viewer", "presenter/p", "operator/none", "operator/all", *(f"operator/{act}" for act in ACTS))}
        for group in ("group:stage/show", *(f"stage/{act}s" for act in ACTS)):
            callers[f"operator in group {group}"] = self.group_doors(group)
        for name, doors in callers.items():
            for door, call in doors.items():
                for verb in sorted(set(ROLE_OF) - {"shutdown"} - TESTED_ELSEWHERE):
                    for params in examples.get(verb, [{}]):
                        # The rules are asked first; then the wrong field keeps the verb from changing anything.
                        answer = call(verb, {**params, "no such field": 1})
                        if door == "HTTP" and "lasting connection" in answer[1]:
                            continue
                        with self.subTest(door=door):
                            self.expect(name, verb, params, answer)

    def test_denied_requests_and_unlocking_are_in_the_journal(self):
        inside, _ = self.prepare()
        with Control(self.port, key_named(SECRET, "operator/none")) as stranger:
            self.assertEqual(stranger.call("move", window=inside, x=1)["error"]["data"]["name"], "unauthorized")
        with Control(self.port, key_named(SECRET, "operator/all")) as owner:
            self.done(owner, "rights_lock", partition="stage")
        with Control(self.port, SECRET) as admin:
            self.assertEqual(admin.call("move", window=inside, x=1)["error"]["data"]["name"], "conflict")
            self.done(admin, "rights_lock", partition="stage", on=False)
            self.done(admin, "move", window=inside, x=1)
            denied = self.done(admin, "journal", person="operator/none")["entries"]
            self.assertEqual([(entry["verb"], entry["error"]) for entry in denied], [("move", "unauthorized")])
            locks = self.done(admin, "journal", verb="rights_lock")["entries"]
            self.assertEqual([entry["params"].get("on", True) for entry in locks], [False, True])
        with Control(self.port, hello=False) as person:
            person.hello(SECRET, name="=1+1")
            self.done(person, "move", window=inside, x=2)
        exported = self.vitrail("journal", "--csv", "--verb", "move").stdout
        rows = [(row["who"], json.loads(row["params"])) for row in csv.DictReader(io.StringIO(exported))]
        self.assertIn(("'=1+1", {"window": inside, "x": 2}), rows, "no name is a formula of a spreadsheet")

    def test_tickers_of_files_and_other_servers_need_the_right_admin(self):
        with Control(self.port, key_named(SECRET, "presenter/p")) as presenter:
            for medium in ("ticker:/etc/hostname", "ticker:?speed=90?http://127.0.0.1:1/feed"):
                self.assertEqual(presenter.call("play", media=[medium])["error"]["data"]["name"], "unauthorized", medium)
            self.done(presenter, "play", media=["ticker:Doors open"], place=[0, 160, 320, 20])

    def test_a_damaged_file_closes_the_wall_and_is_reported(self):
        self.manager.terminate()
        self.manager.wait()
        (self.folder / "state" / "rights.json").write_text("{", encoding="utf-8")
        self.manager = self.start_manager()
        with Control(self.port, key_named(SECRET, "operator/a")) as operator:
            self.assertEqual(operator.call("arrange")["error"]["data"]["name"], "unauthorized")
        self.assertIn("rights.json is damaged", self.vitrail("rights", "ls", expect=EXIT_FAILED).stderr)
        (self.folder / "rules.json").write_text("[]", encoding="utf-8")
        self.vitrail("rights", "set", "rules.json")
        self.assertNotIn("damaged", self.vitrail("rights", "ls").stderr)


if __name__ == "__main__":
    unittest.main()
