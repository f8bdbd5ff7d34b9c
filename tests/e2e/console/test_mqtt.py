"""The program vitrail-mqtt between a real manager and mosquitto, the usual broker."""

import getpass
import json
import os
import shutil
import socket
import subprocess
import unittest

from harness import EXIT_FAILED, EXIT_USAGE, PATIENCE_S, Control, WallTest, eventually, free_port, key_named, run

MOSQUITTO = shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin")


class MqttTest(WallTest):
    grid = {"columns": 2, "rows": 1, "resolution": [320, 180]}

    def setUp(self):
        super().setUp()
        self.broker_port = free_port()
        self.broker = self.start_broker()

    def start_broker(self, *lines):
        settings = self.folder / "mosquitto.conf"
        settings.write_text("\n".join([f"listener {self.broker_port} 127.0.0.1", "persistence false", f"user {getpass.getuser()}", *(lines or ["allow_anonymous true"])]))
        broker = subprocess.Popen([MOSQUITTO, "-c", settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(broker.wait)
        self.addCleanup(broker.kill)
        return broker

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.broker_port), timeout=5).close()
            return True
        except OSError:
            return False

    def bridge(self, *options):
        return self.start("vitrail-mqtt", "--manager", f"127.0.0.1:{self.port}", "--broker", f"127.0.0.1:{self.broker_port}", *options)

    def client(self, program, *words, **options):
        return subprocess.run([program, "-h", "127.0.0.1", "-p", str(self.broker_port), *words], capture_output=True, text=True, check=False, **options)

    def retained(self, topic):
        """The retained message; None if there is none."""
        answer = self.client("mosquitto_sub", "-t", f"vitrail/{topic}", "-C", "1", "-W", "2", "--retained-only")
        return json.loads(answer.stdout) if answer.returncode == 0 and answer.stdout else None

    def become(self, topic, wanted, what):
        eventually(lambda: wanted(self.retained(topic)), what)

    def call(self, verb, payload):
        """Runs the verb by a message; returns the result."""
        asker = subprocess.Popen(["mosquitto_rr", "-h", "127.0.0.1", "-p", str(self.broker_port), "-t", f"vitrail/call/{verb}", "-e", f"vitrail/result/{verb}",
                                  "-m", payload, "-q", "1", "-W", str(int(PATIENCE_S))], stdout=subprocess.PIPE, text=True)
        return json.loads(asker.communicate()[0])

    def publish(self, topic, message):
        self.assertEqual(self.client("mosquitto_pub", "-t", topic, "-m", message, "-q", "1").returncode, 0)

    def active(self):
        """The active events: their names and ids."""
        return sorted((event["event"], event["id"]) for event in json.loads(self.vitrail("--json", "event", "ls").stdout)["events"])

    def on_wall(self, verb, params):
        with Control(self.port) as control:
            self.assertIn("result", control.call(verb, **params))


class Mqtt(MqttTest):
    def test_the_state_follows_the_wall(self):
        bridge = self.bridge()
        self.become("online", lambda value: value is True, "the bridge is online")
        self.assertEqual(self.retained("wall")["size"], [640, 180])
        self.assertEqual(self.retained("blank"), False)
        self.on_wall("blank", {"on": True})
        self.become("blank", lambda value: value is True, "the wall is black")
        _, number = self.play("test:160x90@5")
        self.become(f"windows/{number}", lambda window: window and window["window"] == number, "its window is published")
        self.on_wall("close", {"window": number})
        self.become(f"windows/{number}", lambda window: window is None, "its window is removed")
        self.receivers["node2"].kill()
        self.become("receivers/node2", lambda receiver: receiver and not receiver["connected"], "the lost receiver is named")
        self.become("health", lambda health: health["state"] == "bad", "the health says so")
        bridge.kill()
        self.become("online", lambda value: value is False, "the broker knows that the bridge is gone")

    def test_a_broker_that_comes_later(self):
        self.broker.kill()
        self.broker.wait()
        bridge = self.bridge()
        eventually(lambda: "tries again" in self.output(bridge), "there is no broker")
        self.broker = self.start_broker()
        self.become("online", lambda value: value is True, "the bridge is online")

    def test_what_a_broker_forgot_is_published_again(self):
        self.bridge()
        self.become("online", lambda value: value is True, "the bridge is online")
        self.broker.kill()
        self.broker.wait()
        self.on_wall("blank", {"on": True})
        self.broker = self.start_broker()
        self.become("blank", lambda value: value is True, "the new broker knows the wall")
        self.become("online", lambda value: value is True, "and that the bridge is there")

    def test_what_an_earlier_bridge_left_is_removed(self):
        bridge = self.bridge()
        player, number = self.play("test:160x90@5")
        self.become(f"windows/{number}", lambda window: window is not None, "its window is published")
        bridge.kill()
        bridge.wait()
        player.kill()
        eventually(lambda: self.window(number) is None, "its window is gone")
        self.bridge()
        self.become(f"windows/{number}", lambda window: window is None, "its window is removed")
        self.become("receivers/node1", lambda receiver: receiver["connected"], "what is there stays")

    def test_a_manager_that_is_gone_is_told(self):
        bridge = self.bridge()
        self.become("online", lambda value: value is True, "the bridge is online")
        self.manager.kill()
        self.manager.wait()
        self.become("online", lambda value: value is False, "the manager is gone")
        self.manager = self.start_manager()
        self.become("online", lambda value: value is True, "the manager is back")
        self.end(bridge)
        self.become("online", lambda value: value is False, "the bridge has ended")

    def test_verbs_are_run(self):
        self.bridge("--calls")
        self.become("online", lambda value: value is True, "the bridge is online")
        self.assertIn("result", self.call("blank", '{"on": true}'))
        self.assertTrue(self.state()["blank"])
        self.client("mosquitto_pub", "-t", "vitrail/call", "-m", "{}", "-q", "1")
        self.assertIn("result", self.call("clock/7", ""))
        for verb, payload, error in (("blank", "{", "parse_error"), ("blank", "[]", "invalid_params"), ("blank", '{"of": 1}', "invalid_params"),
                                     ("nonsense", "", "unknown_method"), ("subscribe", "", "unknown_method"), ("close", '{"window": 99}', "not_found")):
            with self.subTest(verb=verb, payload=payload):
                self.assertEqual(self.call(verb, payload)["error"]["name"], error)

    def test_messages_of_topics_are_events(self):
        rules = self.folder / "rules.json"
        actions = [{"window": "door", "label": "open"}]
        rules.write_text(json.dumps([{"event": "doors/+/state", "when": {"value": "open"}, "do": actions},
                                     {"event": "frigate/reviews", "when": {"after.severity": "alert"}, "do": actions}]))
        self.vitrail("event", "rules", rules)
        self.bridge("--event", "doors/+/state?id=topic&clear=value:closed", "--event", "frigate/reviews?id=after.id&clear=type:end")
        self.become("online", lambda value: value is True, "the bridge is online")

        self.publish("doors/north/state", "open")
        self.publish("doors/south/state", "ajar")
        self.publish("frigate/reviews", json.dumps({"type": "new", "after": {"id": "7", "severity": "detection"}}))
        self.publish("frigate/reviews", json.dumps({"type": "new", "after": {"id": "8", "severity": "alert"}}))
        both = [("doors/+/state", "doors/north/state"), ("frigate/reviews", "8")]
        eventually(lambda: self.active() == both, "the rules decide")
        self.publish("doors/north/state", "closed")
        self.publish("frigate/reviews", json.dumps({"type": "end", "after": {"id": "8"}}))
        eventually(lambda: not self.active(), "both are over")

        # The manager is away: what arrives meanwhile waits.
        self.manager.kill()
        self.manager.wait()
        self.become("online", lambda value: value is False, "the manager is gone")
        self.publish("doors/east/state", "open")
        self.manager = self.start_manager("--events", rules)
        eventually(lambda: self.active() == [("doors/+/state", "doors/east/state")], "the event has begun")

    def test_what_the_bridge_publishes_begins_no_event(self):
        rules = self.folder / "rules.json"
        rules.write_text(json.dumps([{"event": "+/health", "do": [{"window": "door", "label": "open"}]}]))
        self.vitrail("event", "rules", rules)
        self.bridge("--event", "+/health?id=topic")
        self.become("health", lambda health: health is not None, "the bridge has published the health")
        self.publish("door/health", "bad")
        eventually(lambda: self.active() == [("+/health", "door/health")], "only the other topic begins an event")

    def test_an_event_that_cannot_begin_is_told(self):
        rules = self.folder / "rules.json"
        rules.write_text(json.dumps([{"event": "door", "scene": "not saved"}]))
        self.vitrail("event", "rules", rules)
        bridge = self.bridge("--event", "door?clear=value:closed")
        self.become("online", lambda value: value is True, "the bridge is online")
        self.publish("door", "closed")
        self.publish("door", "open")
        eventually(lambda: self.output(bridge).count("causes no event") == 1, "the bridge says why, and nothing about what is over")

    def test_a_message_without_event_is_told(self):
        bridge = self.bridge("--event", "doors/+/state?id=door")
        self.become("online", lambda value: value is True, "the bridge is online")
        for message in ("open", '{"door": "north"}', '{"door": "' + 70_000 * "x" + '"}', '"' + 10_000_000 * "x" + '"'):
            self.assertEqual(self.client("mosquitto_pub", "-t", "doors/north/state", "-s", "-q", "1", input=message).returncode, 0)
        eventually(lambda: self.output(bridge).count("causes no event") == 3, "the bridge says why")

    def test_retained_calls_are_ignored(self):
        eventually(self.listens, "the broker listens")
        self.client("mosquitto_pub", "-t", "vitrail/call/blank", "-m", '{"on": true}', "-r")
        bridge = self.bridge("--calls")
        eventually(lambda: "retained" in self.output(bridge), "the bridge says so")
        self.become("blank", lambda value: value is False, "nothing has happened")

    def test_without_the_option_no_verb_is_run(self):
        self.bridge()
        self.become("online", lambda value: value is True, "the bridge is online")
        self.client("mosquitto_pub", "-t", "vitrail/call/blank", "-m", '{"on": true}', "-q", "1")
        self.on_wall("overlay", {"on": True})
        self.assertFalse(self.state()["blank"])

    def test_what_cannot_work_is_refused(self):
        here = ["--manager", f"127.0.0.1:{self.port}", "--broker", f"127.0.0.1:{self.broker_port}"]
        self.assertEqual(run("vitrail-mqtt", "--prefix", "a/#").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-mqtt", "--event", "a/#/b").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-mqtt", "--event", "a?clear=b").returncode, EXIT_USAGE)
        self.assertEqual(run("vitrail-mqtt", *here, "--event", "vitrail/health").returncode, EXIT_FAILED)
        self.assertEqual(run("vitrail-mqtt", *here, "--user", "ann", "--password-file", self.folder / "none").returncode, EXIT_FAILED)
        self.assertEqual(run("vitrail-mqtt", *here, "--ca", self.folder / "none").returncode, EXIT_FAILED)
        self.broker.kill()
        self.broker.wait()
        (self.folder / "passwords").write_text("")
        self.broker = self.start_broker("allow_anonymous false", f"password_file {self.folder / 'passwords'}")
        eventually(lambda: run("vitrail-mqtt", *here).returncode == EXIT_FAILED, "the broker refuses strangers")


class MqttWithKey(MqttTest):
    secret = "a key of the wall, long enough"
    key = secret

    def env(self, **more):
        return super().env(**{"VITRAIL_KEY": self.key, **more})

    def test_a_role_limits_the_verbs(self):
        refused = run("vitrail-mqtt", "--calls", "--manager", f"127.0.0.1:{self.port}", env=self.env())
        self.assertEqual(refused.returncode, EXIT_FAILED)
        self.assertIn("--role operator", refused.stderr)
        self.key = key_named(self.secret, "operator/mqtt")
        self.bridge("--calls")
        self.key = self.secret
        self.become("online", lambda value: value is True, "the bridge is online")
        self.assertIn("result", self.call("blank", '{"on": true}'))
        self.assertEqual(self.call("shutdown", "")["error"]["name"], "unauthorized")


if __name__ == "__main__":
    unittest.main()
