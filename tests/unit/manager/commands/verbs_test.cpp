// Effects of each verb, and its errors for invalid parameters. The form of replies is in
// COMMANDS.md, which document_test runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/sound.h"
#include "sail/core/wire/stats.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

class VerbsTest : public PeopledManagerTest {
 protected:
  Json rect_of(uint32_t number) {
    const Json state = console->expect("list");
    for (const Json& window : state["windows"]) {
      if (window["window"] == number) return window["rect"];
    }
    return nullptr;
  }
};

TEST_F(VerbsTest, UnknownVerbsAreAnsweredWithTheNearestOne) {
  const auto hint = [&](const char* verb) {
    const auto answer = console->call(verb);
    EXPECT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kUnknownMethod);
    return answer.error().message;
  };
  EXPECT_EQ(hint("mvoe"), "unknown verb 'mvoe' (did you mean 'move'?)");
  EXPECT_EQ(hint("snapshoot"), "unknown verb 'snapshoot' (did you mean 'snapshot'?)");
  EXPECT_EQ(hint("frobnicate"), "unknown verb 'frobnicate'");
  EXPECT_EQ(hint("x"), "unknown verb 'x'");
  // A verb of another role is not suggested.
  EXPECT_EQ(hint("receiver_stat"), "unknown verb 'receiver_stat'");
}

TEST_F(VerbsTest, VerbsOfOtherRolesAreRefused) {
  for (const sail::RpcVerb& command : fs_manager->peers().service().verbs()) {
    SCOPED_TRACE(command.name);
    const std::pair<bool, ScriptedPeer*> roles[] = {{command.ui.has_value(), console.get()},
                                                    {command.application, app.get()},
                                                    {command.receiver, left.get()}};
    for (const auto& [allowed, peer] : roles) {
      if (allowed) continue;
      const auto answer = peer->call(command.name);
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.error().code, ErrorCode::kInvalidRequest);
    }
  }
}

// Every argument of every verb: missing, of another type, out of range, and unknown.
TEST_F(VerbsTest, WrongArgumentsAreRefusedByName) {
  const uint32_t number = open_stream(*app);
  ASSERT_EQ(number, 1U);
  struct Verb {
    const char* verb;
    ScriptedPeer* peer;
    Json good;
    std::set<std::string> optional;
    bool may_grow = false;  // programs' messages may have fields of later versions
  };
  const Json frame = {{"stream", 1}, {"epoch", 1}, {"frame", 1}, {"lead_ns", 5}};
  Json streamed = stream_params();
  streamed["transport"] = "udp";
  Json stream_stats = to_json(sail::StreamStats{.stream = 1});
  stream_stats.erase("links");  // an empty list is valid
  const Json receiver_stats = to_json(sail::ReceiverStats{});
  const sail::StreamPlayback playback{
      .stream = 1, .playback = {.volume = 0.5, .ended = true, .page = 1, .pages = 2}};
  const sail::Thumbnail thumbnail{.stream = 1, .size = {4, 3}, .jpeg = "/9j/2wBDAP/Z"};
  const std::string digits(64, '0');
  const Json password{{"name", "ann"}, {"stored_key", digits}, {"listener_key", digits}};
  Json person = password;
  person["role"] = "viewer";
  const auto camera = welcome(sail::Role::kRecorder, "camera", 5009);
  const Verb verbs[] = {
      {"arrange",
       console.get(),
       {{"mode", "grid"}, {"columns", 2}, {"area", "l"}},
       {"mode", "columns", "area"}},
      {"arrange", console.get(), {{"mode", "main"}, {"window", 1}}, {"mode", "window"}},
      {"calibrate", console.get(), {{"pattern", "off"}, {"seconds", 5}}, {"seconds"}},
      {"clock", app.get(), Json::object(), {}},
      {"clock_stats", left.get(), to_json(sail::ClockStats{}), {"synchronised"}, true},
      {"clocks", console.get(), Json::object(), {}},
      {"close", console.get(), {{"window", 99}}, {}},
      {"close_stream", app.get(), {{"stream", 99}}, {}, true},
      {"control", console.get(), {{"window", 1}, {"action", "seek"}, {"value", 5}}, {}},
      {"drive", console.get(), {{"window", 1}, {"action", "give"}, {"to", 1}}, {}},
      {"speaker_notes", console.get(), {{"window", 1}}, {}},
      {"epoch_ready", app.get(), frame, {}, true},
      {"event_acknowledge", console.get(), {{"name", "a"}, {"id", "b"}}, {"id"}},
      {"event_clear", console.get(), {{"name", "a"}, {"id", "b"}}, {"id"}},
      {"event_list", console.get(), Json::object(), {}},
      {"event_rules",
       console.get(),
       {{"rules", Json::array({{{"event", "a"}, {"scene", "b"}}})}},
       {"rules"}},
      {"event_start",
       console.get(),
       {{"name", "a"}, {"id", "b"}, {"payload", Json::object()}},
       {"id", "payload"}},
      {"rights", console.get(), Json::object(), {}},
      {"rights_lock", console.get(), {{"scene", "a"}, {"on", true}}, {"on"}},
      {"rights_set",
       console.get(),
       {{"rules", Json::array({{{"scene", "a"}, {"who", {"b"}}, {"may", {"show"}}}})}},
       {}},
      {"schedule_add", console.get(), {{"entries", Json::array()}}, {}},
      {"schedule_list", console.get(), Json::object(), {}},
      {"schedule_next", console.get(), {{"count", 5}}, {"count"}},
      {"schedule_remove", console.get(), {{"name", "a"}}, {}},
      {"films",
       console.get(),
       {{"search", "a"}, {"after", "b"}, {"playable", true}},
       {"search", "after", "playable"}},
      {"find_places", console.get(), {{"sizes", {{640, 360}}}, {"at", {5, 5}}}, {"at"}},
      {"fit", console.get(), {{"window", 1}, {"tile", "l"}, {"fill", true}}, {"tile", "fill"}},
      {"fit", console.get(), {{"window", 1}, {"partition", "p"}}, {"partition"}},
      {"group", console.get(), {{"name", "panels"}, {"windows", {1}}}, {}},
      {"groups", console.get(), Json::object(), {}},
      {"data_port", left.get(), {{"port", 5001}}, {}, true},
      {"group_absent", left.get(), {{"secret", "0123456789abcdef"}, {"streams", {1}}}, {}, true},
      {"history", console.get(), Json::object(), {}},
      {"host_stats",
       left.get(),
       to_json(sail::HostStats{.host = "a", .load = {.waits_pct = 5, .busy = {"ffmpeg"}}}),
       {"waits_pct", "own_pct", "busy"},
       true},
      {"identify", console.get(), {{"on", false}, {"seconds", 5}}, {"on", "seconds"}},
      {"input",
       console.get(),
       {{"window", 1},
        {"type", "down"},
        {"at", {5, 5}},
        {"button", 0},
        {"buttons", 1},
        {"modifiers", 0}},
       {"buttons", "modifiers"}},
      {"input", console.get(), {{"window", 1}, {"type", "key_up"}, {"key", "a"}}, {}},
      {"input",
       console.get(),
       {{"window", 1}, {"type", "wheel"}, {"at", {5, 5}}, {"wheel", {0, 1}}},
       {}},
      {"input",
       console.get(),
       {{"window", 1}, {"type", "touch_up"}, {"at", {5, 5}}, {"touch", 1}},
       {}},
      {"input",
       console.get(),
       {{"window", 1}, {"type", "pinch"}, {"at", {5, 5}}, {"scale", 2}},
       {}},
      {"annotate",
       console.get(),
       {{"points", {{1, 2}}},
        {"window", 1},
        {"arrow", true},
        {"colour", "#00ff00"},
        {"width", 4},
        {"opacity", 0.5}},
       {"window", "arrow", "colour", "width", "opacity"}},
      {"annotate",
       console.get(),
       {{"points", {{1, 2}}}, {"text", {"a"}}, {"size", 20}},
       {"text", "size"}},
      {"annotate_clear", console.get(), {{"windows", {1}}}, {"windows"}},
      {"annotate_erase",
       console.get(),
       {{"points", {{1, 2}}}, {"windows", {1}}, {"width", 4}},
       {"windows", "width"}},
      {"label",
       console.get(),
       {{"window", 1}, {"on", true}, {"text", "t"}, {"place", "top"}},
       {"on", "text", "place"}},
      {"layout_apply", console.get(), {{"name", "a"}}, {}},
      {"layout_remove", console.get(), {{"name", "a"}}, {}},
      {"layout_save", console.get(), {{"name", "a"}}, {}},
      {"layouts", console.get(), Json::object(), {}},
      {"list", console.get(), {{"skip", 1}}, {"skip"}},
      {"lock", console.get(), {{"window", 1}, {"on", true}}, {"on"}},
      {"logo",
       console.get(),
       {{"source", "a"}, {"on", true}, {"area", "l"}, {"corner", "top-left"}, {"size", 0.2}},
       {"on", "area", "corner", "size"}},
      {"look",
       console.get(),
       {{"window", 1},
        {"rotate", 90},
        {"flip", true},
        {"opacity", 0.5},
        {"crop", {0, 0, 8, 8}},
        {"stereo", "left"},
        {"halves", "top-bottom"}},
       {"rotate", "flip", "opacity", "crop", "stereo", "halves"}},
      {"lower", console.get(), {{"window", 1}}, {}},
      {"maximise", console.get(), {{"window", 1}, {"on", true}}, {"on"}},
      {"move",
       console.get(),
       {{"window", 1}, {"x", 5}, {"y", 6}, {"gesture", "g"}},
       {"x", "y", "gesture"}},
      {"move", console.get(), {{"window", 1}, {"dx", 5}, {"dy", 6}}, {"dx", "dy"}},
      {"master_volume", console.get(), {{"volume", 0.5}, {"muted", true}}, {"volume", "muted"}},
      {"opening_close", console.get(), {{"opening", 1}}, {}},
      {"blank",
       console.get(),
       {{"on", true},
        {"text", "t"},
        {"source", "a"},
        {"windows", {1}},
        {"areas", {{0, 0, 10, 10}}},
        {"area", "l"}},
       {"on", "text", "source", "windows", "areas", "area"}},
      {"freeze",
       console.get(),
       {{"on", true}, {"windows", {1}}, {"mute", false}},
       {"on", "windows", "mute"}},
      {"replace", console.get(), {{"window", 1}, {"media", {"a.mp4"}}}, {}},
      {"swap", console.get(), {{"window", 1}, {"other", 2}}, {}},
      {"open_stream", app.get(), streamed, {"max_reduction", "transport"}, true},
      {"overlay", console.get(), {{"on", true}}, {"on"}},
      {"partition",
       console.get(),
       {{"action", "set"}, {"name", "p"}, {"rect", {0, 0, 10, 10}}},
       {}},
      {"partition", console.get(), {{"action", "grid"}, {"columns", 2}, {"rows", 2}}, {}},
      {"place",
       console.get(),
       {{"windows", {{{"window", 1}, {"rect", {0, 0, 10, 10}}}}}, {"gesture", "g"}},
       {"gesture"}},
      {"playback",
       app.get(),
       to_json(playback),
       {"duration_s", "paused", "rate", "loop", "volume", "live", "ended", "page"},
       true},
      {"pointer",
       console.get(),
       {{"at", {5, 5}}, {"pressed", true}, {"pointer", 1}, {"hidden", false}},
       {"pressed", "pointer", "hidden"}},
      {"pointer",
       console.get(),
       {{"at", {5, 5}}, {"style", "magnifier"}, {"factor", 2}},
       {"style", "factor"}},
      {"power",
       console.get(),
       {{"power", "on"}, {"nodes", Json::array({"left"})}, {"tiles", Json::array({"l"})}},
       {"nodes", "tiles"}},
      {"power_status",
       console.get(),
       {{"nodes", Json::array({"left"})}, {"tiles", Json::array({"l"})}},
       {"nodes", "tiles"}},
      {"raise", console.get(), {{"window", 1}}, {}},
      {"redo", console.get(), Json::object(), {}},
      {"receiver_log",
       console.get(),
       {{"receiver", "left"}, {"from", 0}, {"last", 10}},
       {"from", "last"}},
      {"receiver_restart", console.get(), {{"receiver", "left"}}, {}},
      {"record",
       camera.get(),
       {{"wall_rect", {0, 0, 10, 10}}, {"size", {64, 64}}, {"secret", "00000000000000aa"}},
       {"wall_rect", "size"},
       true},
      {"receiver_stats",
       left.get(),
       receiver_stats,
       {"blocks_concealed", "decoders_lost", "packets_refused", "render_peak_ms", "paint_pct",
        "decode_ms", "decode_pct"},
       true},
      {"resize",
       console.get(),
       {{"window", 1}, {"width", 50}, {"height", 60}, {"gesture", "g"}},
       {"width", "height", "gesture"}},
      {"scene_preview",
       console.get(),
       {{"name", "a"}, {"area", "l"}, {"rect", {0, 0, 10, 10}}},
       {"area", "rect"}},
      {"scene_show",
       console.get(),
       {{"name", "a"}, {"area", "l"}, {"rect", {0, 0, 10, 10}}, {"fade", 1.5}},
       {"area", "rect", "fade"}},
      {"session_get", console.get(), {{"name", "a"}}, {"name"}},
      {"session_put",
       console.get(),
       {{"name", "a"},
        {"session",
         {{"vitrail", "session"},
          {"version", 1},
          {"saved_at", 1},
          {"wall_size", {64, 64}},
          {"windows", Json::array()},
          {"partitions", Json::array()}}}},
       {}},
      {"session_remove", console.get(), {{"name", "a"}}, {}},
      {"session_restore", console.get(), {{"name", "a"}}, {}},
      {"session_save", console.get(), {{"name", "a"}}, {}},
      {"sessions", console.get(), Json::object(), {}},
      {"shutdown", console.get(), Json::object(), {}},
      {"snapshot", console.get(), Json::object(), {}},
      {"sound",
       console.get(),
       {{"window", 1}, {"volume", 0.5}, {"muted", true}, {"gesture", "g"}},
       {"volume", "muted", "gesture"}},
      {"sound", console.get(), {{"window", 1}, {"solo", true}}, {"solo"}},
      {"source_remove", console.get(), {{"source", "a"}}, {}},
      {"sound_levels",
       left.get(),
       to_json(sail::SoundLevels{.levels = {{1, 0.5, 0.25}}}),
       {},
       true},
      {"source_bin", console.get(), Json::object(), {}},
      {"source_restore", console.get(), {{"bin", "a"}}, {}},
      {"source_rename", console.get(), {{"source", "a"}, {"name", "b"}}, {}},
      {"source_save", console.get(), {{"url", "http://a/b"}, {"title", "t"}}, {"title"}},
      {"camera_find",
       console.get(),
       {{"host", "127.0.0.1:1"}, {"interface", "lo"}},
       {"host", "interface"}},
      {"camera_move",
       console.get(),
       {{"window", 1}, {"move", "left"}, {"speed", 0.5}, {"ms", 500}},
       {"speed", "ms"}},
      {"camera_move", console.get(), {{"source", "a"}, {"preset", "b"}}, {"source", "preset"}},
      {"camera_presets", console.get(), {{"window", 1}}, {}},
      {"camera_profiles", console.get(), {{"device", "127.0.0.1:1"}}, {}},
      {"camera_save",
       console.get(),
       {{"device", "127.0.0.1:1"}, {"profile", "p"}, {"title", "t"}},
       {"profile", "title"}},
      {"sources",
       console.get(),
       {{"search", "a"}, {"kind", "file"}, {"offset", 0}, {"count", 5}},
       {"search", "kind", "offset", "count"}},
      {"invite", console.get(), {{"title", "t"}}, {"title"}},
      {"journal",
       console.get(),
       {{"since", 1},
        {"person", "a"},
        {"window", 1},
        {"verb", "move"},
        {"before", 2},
        {"count", 1},
        {"verify", false}},
       {"since", "person", "window", "verb", "before", "count", "verify"}},
      {"journal", console.get(), {{"at", 1}}, {"at"}},
      {"journal_read", console.get(), {{"session", "a"}}, {}, true},
      {"stand_by", console.get(), {{"listen", "127.0.0.1:7440"}}, {}, true},
      {"stats", console.get(), {{"window", 1}}, {"window"}},
      {"stream_stats",
       app.get(),
       stream_stats,
       {"delay_ms", "dropped", "frames_skipped", "fps_wanted", "fps_submitted", "fps_encoded",
        "source_ms", "encode_ms"},
       true},
      {"subscribe",
       console.get(),
       {{"figures", true}, {"pointers", true}, {"drawings", true}},
       {"figures", "pointers", "drawings"}},
      {"thumbnail", app.get(), to_json(thumbnail), {}, true},
      {"doctor", console.get(), {{"node", "left"}}, {}},
      {"playlist_add",
       console.get(),
       {{"name", "a"}, {"items", Json::array({Json{{"source", "b"}}})}},
       {}},
      {"playlist_delete", console.get(), {{"name", "a"}}, {}},
      {"playlist_get", console.get(), {{"name", "a"}}, {}},
      {"playlist_list", console.get(), Json::object(), {}},
      {"playlist_move", console.get(), {{"name", "a"}, {"item", 1}, {"to", 2}}, {}},
      {"playlist_play",
       console.get(),
       {{"name", "a"}, {"area", "l"}, {"loop", true}, {"start_at", 2}, {"seconds", 5}},
       {"area", "loop", "start_at", "seconds"}},
      {"playlist_play",
       console.get(),
       {{"name", "a"}, {"window", 1}, {"shuffle", true}},
       {"window", "shuffle"}},
      {"playlist_remove", console.get(), {{"name", "a"}, {"item", 1}}, {}},
      {"playlist_save",
       console.get(),
       {{"name", "a"}, {"items", Json::array({Json{{"source", "b"}, {"seconds", 5}}})}},
       {}},
      {"tour_control", console.get(), {{"name", "a"}, {"action", "next"}}, {}},
      {"tour_list", console.get(), Json::object(), {}},
      {"tour_start",
       console.get(),
       {{"name", "a"},
        {"sources", {"b"}},
        {"columns", 1},
        {"rows", 1},
        {"every_s", 5},
        {"area", "l"}},
       {"columns", "rows", "every_s", "area"}},
      {"tour_stop", console.get(), {{"name", "a"}}, {}},
      {"memory", console.get(), Json::object(), {}},
      {"trace", console.get(), {{"seconds", 5}}, {}},
      {"trace_read", console.get(), {{"process", 1}, {"from", 0}}, {"from"}},
      {"undo", console.get(), Json::object(), {}},
      {"user_add", console.get(), person, {}},
      {"user_password", console.get(), password, {}},
      {"user_remove", console.get(), {{"name", "ann"}}, {}},
      {"user_salt", console.get(), {{"name", "ann"}}, {}},
      {"users", console.get(), Json::object(), {}},
      {"wallpaper",
       console.get(),
       {{"source", "a"}, {"on", true}, {"area", "l"}, {"fit", "contain"}},
       {"on", "area", "fit"}},
      {"watch_levels", console.get(), {{"on", true}}, {"on"}},
      {"watch_thumbnails",
       console.get(),
       {{"windows", {1}}, {"width", 320}, {"per_second", 2}},
       {"width", "per_second"}},
      {"webhooks", console.get(), Json::object(), {}},
      {"webhooks_report", console.get(), {{"states", Json::array()}}, {}, true},
      {"webhooks_settings", console.get(), Json::object(), {}},
      {"webhooks_test", console.get(), Json::object(), {}},
      {"why", console.get(), {{"window", 1}}, {"window"}},
      {"play",
       console.get(),
       {{"media", {"a.mp4"}},
        {"place", {0, 0, 10, 10}},
        {"loop", true},
        {"fps", 25},
        {"start", 3},
        {"volume", 0.5},
        {"fallback", "card"},
        {"subtitles", "2"},
        {"transport", "udp"},
        {"delay_ms", 100},
        {"mtu", 1400},
        {"on", "left"}},
       {"place", "loop", "fps", "start", "volume", "fallback", "subtitles", "transport", "delay_ms",
        "mtu", "on"}},
  };
  const Json absurd[] = {nullptr,
                         "text",
                         -1e300,
                         1.5e18,
                         Json::array(),
                         Json::object(),
                         std::string(100'000, 'x'),
                         INT64_MIN,
                         UINT64_MAX,
                         Json::array({1, 2, 3, 4, 5}),
                         Json::array({-1, -1, -1, -1})};
  const auto refuse = [](const Verb& verb, const Json& params, const std::string& field) {
    SCOPED_TRACE(fmt::format("{} {}", verb.verb, params.dump().substr(0, 120)));
    const auto answer = verb.peer->call(verb.verb, params);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalidParams) << answer.error().message;
    EXPECT_THAT(answer.error().message, HasSubstr(field));
  };
  for (const Verb& verb : verbs) {
    for (const auto& [name, value] : verb.good.items()) {
      Json params = verb.good;
      params.erase(name);
      if (!verb.optional.contains(name) && name != "value") refuse(verb, params, name);
      for (const Json& wrong : absurd) {
        params[name] = wrong;
        // Any text is valid for a text, and any list of window numbers for such a list.
        if (value.is_string() && wrong == "text") continue;
        if (value == Json::array({1}) && wrong.is_array()) continue;
        // So are any payload of an event, and no rules, states or levels.
        if (name == "payload" && wrong.is_object()) continue;
        if ((name == "rules" || name == "states" || name == "levels") && wrong == Json::array())
          continue;
        refuse(verb, params, name);
      }
    }
    if (verb.may_grow) continue;
    Json params = verb.good;
    params["surprise"] = 1;
    refuse(verb, params, "surprise");
  }
  for (const sail::RpcVerb& command : fs_manager->peers().service().verbs()) {
    EXPECT_TRUE(std::ranges::any_of(verbs, [&](const Verb& verb) {
      return std::string_view(verb.verb) == command.name;
    })) << command.name;
  }
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top().size(), 1U);
  EXPECT_FALSE(ended);
}

TEST_F(VerbsTest, WindowsThatAreNotThere) {
  for (const auto& [verb, params] : std::initializer_list<std::pair<const char*, Json>>{
           {"close", {{"window", 7}}},
           {"control", {{"window", 7}, {"action", "pause"}}},
           {"fit", {{"window", 7}}},
           {"look", {{"window", 7}, {"flip", true}}},
           {"lower", {{"window", 7}}},
           {"move", {{"window", 7}, {"x", 0}, {"y", 0}}},
           {"raise", {{"window", 7}}},
           {"resize", {{"window", 7}, {"width", 10}}},
           {"stats", {{"window", 7}}}}) {
    const auto answer = console->call(verb, params);
    ASSERT_FALSE(answer) << verb;
    EXPECT_EQ(answer.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(answer.error().message, "there is no window 7");
  }
}

TEST_F(VerbsTest, MoveToAPlaceAndBySteps) {
  open_stream(*app, sail::Rect{0, 0, 400, 225});
  EXPECT_EQ(console->expect("move", {{"window", 1}, {"x", -50}, {"y", 70}})["rect"],
            (Json{-50, 70, 400, 225}));
  EXPECT_EQ(console->expect("move", {{"window", 1}, {"dx", 60}, {"dy", -100}})["rect"],
            (Json{10, -30, 400, 225}));
  EXPECT_EQ(rect_of(1), (Json{10, -30, 400, 225}));
  // Relative moves beyond the limit change nothing.
  console->expect("move", {{"window", 1}, {"x", sail::kMaxWindowOffset}, {"y", 0}});
  const auto beyond = console->call("move", {{"window", 1}, {"dx", 1}, {"dy", 0}});
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::kLimit);
  EXPECT_EQ(rect_of(1), (Json{sail::kMaxWindowOffset, 0, 400, 225}));
}

TEST_F(VerbsTest, ResizeKeepsTheAspectWhereOneSideIsMissing) {
  open_stream(*app, sail::Rect{10, 20, 400, 225});
  EXPECT_EQ(console->expect("resize", {{"window", 1}, {"width", 960}})["rect"],
            (Json{10, 20, 960, 540}));
  EXPECT_EQ(console->expect("resize", {{"window", 1}, {"height", 1080}})["rect"],
            (Json{10, 20, 1920, 1080}));
  EXPECT_EQ(console->expect("resize", {{"window", 1}, {"width", 5}, {"height", 700}})["rect"],
            (Json{10, 20, 5, 700}));
  EXPECT_EQ(console->expect("resize", {{"window", 1}, {"width", 1}})["rect"], (Json{10, 20, 1, 1}));
  const auto wide = console->call("resize", {{"window", 1}, {"height", sail::kMaxWindowSide}});
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().code, ErrorCode::kLimit);
}

TEST_F(VerbsTest, FitIntoTheWallOrATile) {
  open_stream(*app, sail::Rect{10, 20, 400, 300});
  EXPECT_EQ(console->expect("fit", {{"window", 1}})["rect"], (Json{960, 0, 1920, 1080}));
  EXPECT_EQ(console->expect("fit", {{"window", 1}, {"tile", "r"}})["rect"],
            (Json{1920, 0, 1920, 1080}));
  const auto unknown = console->call("fit", {{"window", 1}, {"tile", "q"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(unknown.error().message, "no tile 'q': the wall has the tiles 'l', 'r'");
}

TEST_F(VerbsTest, RaiseLowerAndArrange) {
  for (int i = 0; i < 3; ++i) open_stream(*app);
  const auto order = [&] {
    const Json state = console->expect("list");
    Json numbers = Json::array();
    for (const Json& window : state["windows"]) numbers.push_back(window["window"]);
    return numbers;
  };
  console->expect("raise", {{"window", 1}});
  EXPECT_EQ(order(), (Json{2, 3, 1}));
  console->expect("lower", {{"window", 3}});
  EXPECT_EQ(order(), (Json{3, 2, 1}));
  const Json arranged = console->expect("arrange")["windows"];
  ASSERT_EQ(arranged.size(), 3U);
  std::vector<sail::Rect> places;
  for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
    for (const sail::Rect& other : places) EXPECT_TRUE(intersect(window.wall_rect, other).empty());
    places.push_back(window.wall_rect);
  }
}

TEST_F(VerbsTest, ControlReachesTheApplication) {
  open_stream(*app);
  console->expect("control", {{"window", 1}, {"action", "pause"}});
  EXPECT_EQ(app->next("event")["type"], "pause");
  console->expect("control", {{"window", 1}, {"action", "seek"}, {"value", 12.5}});
  const Json seek = app->next("event");
  EXPECT_EQ(seek["type"], "seek");
  EXPECT_EQ(seek["value"], 12.5);
  EXPECT_EQ(seek["stream"], 1);
  console->expect("control", {{"window", 1}, {"action", "rate"}, {"value", 2}});
  EXPECT_EQ(app->next("event")["type"], "rate");
  console->expect("control", {{"window", 1}, {"action", "codec"}, {"codec", "j2k:lossless"}});
  EXPECT_EQ(app->next("event")["codec"], "j2k:lossless");
  console->expect("control", {{"window", 1}, {"action", "codec"}, {"codec", "auto"}});
  EXPECT_EQ(app->next("event")["codec"], "auto");
  for (const Json& wrong : {Json{{"action", "codec"}}, Json{{"action", "codec"}, {"codec", "j2k:"}},
                            Json{{"action", "dance"}}, Json{{"action", "pause"}, {"value", 1}},
                            Json{{"action", "seek"}}, Json{{"action", "rate"}, {"value", 0}},
                            Json{{"action", "seek"}, {"value", -1}}}) {
    Json params = wrong;
    params["window"] = 1;
    const auto answer = console->call("control", params);
    ASSERT_FALSE(answer) << params;
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalidParams);
  }
}

TEST_F(VerbsTest, CloseWaitsForTheApplication) {
  open_stream(*app);
  std::optional<Json> closed;
  console->send(sail::request_line(900, "close", {{"window", 1}}));
  EXPECT_EQ(app->next("event")["type"], "close");
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top().size(), 1U);
  app->expect("close_stream", {{"stream", 1}});
  EXPECT_TRUE(console->expect("list")["windows"].empty());
}

// A close request meets an application that is replacing the stream.
TEST_F(VerbsTest, CloseReachesTheWindowThatReplacesIt) {
  open_stream(*app);
  console->send(sail::request_line(900, "close", {{"window", 1}}));
  EXPECT_EQ(app->next("event")["stream"], 1);
  Json params = stream_params();
  params["replaces"] = 1;
  EXPECT_EQ(app->expect("open_stream", params)["stream"], 2);
  const Json asked = app->next("event");
  EXPECT_EQ(asked["type"], "close");
  EXPECT_EQ(asked["stream"], 2);
  // The window is not closed yet.
  EXPECT_TRUE(fs_manager->desk().windows().find(1));
  const Json listed = console->expect("list")["windows"][0];
  EXPECT_EQ(listed["window"], 1);
  EXPECT_EQ(listed["stream"], 2) << "as snapshots name it";
  app->expect("close_stream", {{"stream", 2}});
  EXPECT_TRUE(console->expect("list")["windows"].empty());
}

TEST_F(VerbsTest, StreamsOfOthersAreOutOfReach) {
  open_stream(*app);
  auto other = application();
  for (const auto& [verb, params] : std::initializer_list<std::pair<const char*, Json>>{
           {"close_stream", {{"stream", 1}}},
           {"stream_stats", to_json(sail::StreamStats{.stream = 1})}}) {
    const auto answer = other->call(verb, params);
    ASSERT_FALSE(answer) << verb;
    EXPECT_EQ(answer.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(answer.error().message, "this application has no stream 1");
  }
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top().size(), 1U);
}

// The window keeps its number and its neighbours.
TEST_F(VerbsTest, AStreamMayTakeThePlaceOfAnother) {
  const sail::Rect place{10, 20, 320, 180};
  open_stream(*app);
  open_stream(*app, place);
  open_stream(*app);
  Json params = stream_params();
  params["replaces"] = 2;
  EXPECT_EQ(app->expect("open_stream", params)["stream"], 4);
  const auto order = [this] {
    std::vector<uint32_t> numbers;
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      numbers.push_back(window.number);
    }
    return numbers;
  };
  EXPECT_EQ(order(), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(fs_manager->desk().windows().find(2)->wall_rect, place);
  EXPECT_EQ(fs_manager->desk().windows().find(2)->stream, 4U);
  // The replaced stream is gone; another client's streams cannot be replaced.
  EXPECT_FALSE(app->call("close_stream", {{"stream", 2}}));
  EXPECT_EQ(app->call("open_stream", params).error().code, ErrorCode::kNotFound);
  auto other = application();
  params["replaces"] = 4;
  const auto refused = other->call("open_stream", params);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), (sail::Error{ErrorCode::kNotFound,
                                          "open_stream: this application has no stream 4 to "
                                          "replace"}));
  EXPECT_EQ(order(), (std::vector<uint32_t>{1, 2, 3}));
  // The stream's reports belong to the window.
  app->notify("stream_stats", to_json(sail::StreamStats{.stream = 4, .frames_submitted = 77}));
  console->expect("control", {{"window", 2}, {"action", "pause"}});
  EXPECT_EQ(app->next("event")["stream"], 4);
  EXPECT_EQ(fs_manager->desk().windows().find(2)->stats->frames_submitted, 77U);
  app->expect("close_stream", {{"stream", 4}});
  EXPECT_EQ(order(), (std::vector<uint32_t>{1, 3}));
}

TEST_F(VerbsTest, BlocksOfAllResolutionsMustBeDivisible) {
  Json params = stream_params();
  params["codecs"] = {"htj2k"};
  params["block_size"] = {128, 68};
  const auto answer = app->call("open_stream", params);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message,
            "open_stream: width and height of htj2k blocks must be multiples of 16");
  params["block_size"] = {128, 64};
  EXPECT_EQ(app->expect("open_stream", params)["codec"], "htj2k");
}

TEST_F(VerbsTest, UnknownCodecsAreRefusedNamingTheKnownOnes) {
  Json params = stream_params();
  params["codecs"] = {"h263", "vc1"};
  const auto answer = app->call("open_stream", params);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidParams);
  EXPECT_EQ(answer.error().message, "open_stream: no common codec: the receivers support " +
                                        quoted_list(sail::all_codec_names()) +
                                        ", the application offers 'h263', 'vc1'");
  params["codecs"] = {"h263", "dxt1"};
  EXPECT_EQ(app->expect("open_stream", params)["codec"], "dxt1");
}

TEST_F(VerbsTest, TheReceiverThatCannotDecodeIsNamed) {
  right.reset();
  wait([&] { return !fs_manager->peers().receivers().find("right")->connected(); });
  sail::Hello hello;
  hello.role = sail::Role::kReceiver;
  hello.name = "right";
  hello.data_port = 5003;
  hello.codecs = {"dxt1"};
  right = connect();
  ASSERT_TRUE(right->hello(hello, {}));
  Json params = stream_params();
  params["codecs"] = {"h265"};
  const auto answer = app->call("open_stream", params);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message,
            "open_stream: no common codec: the receivers support 'dxt1', the application offers "
            "'h265'; 'right' cannot decode h265");
}

TEST_F(VerbsTest, SubscribersHearOfEveryChangeInOrder) {
  const Json state = console->expect("subscribe");
  uint64_t revision = state["revision"];
  const auto next_change = [&] {
    Json change = console->next("changed");
    EXPECT_EQ(change["revision"], ++revision);
    return change;
  };
  open_stream(*app, sail::Rect{0, 0, 400, 225});
  Json change = next_change();
  EXPECT_EQ(change["windows"][0]["window"], 1);
  EXPECT_EQ(change["windows"][0]["rect"], (Json{0, 0, 400, 225}));
  EXPECT_EQ(change["order"], Json::array({1}));
  EXPECT_FALSE(change.contains("receivers"));

  console->expect("move", {{"window", 1}, {"x", 5}, {"y", 5}});
  change = next_change();
  EXPECT_EQ(change["windows"][0]["rect"], (Json{5, 5, 400, 225}));
  EXPECT_FALSE(change.contains("order"));

  EXPECT_FALSE(change["windows"][0].contains("fps")) << "figures change all the time";

  right.reset();
  change = next_change();
  EXPECT_EQ(change["receivers"][0]["name"], "right");
  EXPECT_EQ(change["receivers"][0]["connected"], false);

  app.reset();
  change = next_change();
  EXPECT_EQ(change["removed"], Json::array({1}));
  EXPECT_EQ(change["order"], Json::array());
  EXPECT_EQ(console->expect("list")["revision"], revision);
}

TEST_F(VerbsTest, LinksAreToldByStatsOnly) {
  open_stream(*app);
  sail::StreamStats stats{.stream = 1};
  stats.links = {{.receiver = "left", .rtt_ms = 1.5}, {.receiver = "right", .rtt_ms = 2.5}};
  app->notify("stream_stats", to_json(stats));
  wait([&] { return fs_manager->desk().windows().find(1)->stats.has_value(); });
  EXPECT_FALSE(console->expect("list")["windows"][0]["stats"].contains("links"));
  const Json reported = console->expect("stats")["windows"][0]["stats"];
  EXPECT_EQ(reported["links"][1]["receiver"], "right");
  EXPECT_EQ(reported["links"][1]["rtt_ms"], 2.5);
}

TEST_F(VerbsTest, LinksOfOneAnswerAreBounded) {
  constexpr int kLinks = 700;  // two such lists exceed the limit
  sail::StreamStats stats;
  for (int i = 0; i < kLinks; ++i) stats.links.push_back({.receiver = fmt::format("r{}", i)});
  for (stats.stream = 1; stats.stream <= 2; ++stats.stream) {
    open_stream(*app);
    app->notify("stream_stats", to_json(stats));
    wait([&] { return fs_manager->desk().windows().find(stats.stream)->stats.has_value(); });
  }
  const Json windows = console->expect("stats")["windows"];
  EXPECT_EQ(windows[0]["stats"]["links"].size(), kLinks);
  EXPECT_FALSE(windows[1]["stats"].contains("links"));
  EXPECT_EQ(windows[1]["stats"]["links_left_out"], kLinks);
  const Json second = console->expect("stats", {{"window", 2}})["windows"];
  EXPECT_EQ(second[0]["stats"]["links"].size(), kLinks);
}

TEST_F(VerbsTest, StreamsTravelAsTheyAskOrAsTheWallSays) {
  Json params = stream_params();
  Json opened = app->expect("open_stream", params);
  EXPECT_EQ(opened["transport"], "tcp");
  EXPECT_EQ(opened["mtu"], 1500);
  params["transport"] = "udp";
  EXPECT_EQ(app->expect("open_stream", params)["transport"], "udp");
  const Json windows = console->expect("list")["windows"];
  EXPECT_EQ(windows[0]["transport"], "tcp");
  EXPECT_EQ(windows[1]["transport"], "udp");
}

class UdpWallTest : public ManagerTest {};

TEST_F(UdpWallTest, CarriedStreamsHaveMulticastGroups) {
  options.wall.transport = sail::Transport::kUdp;
  options.wall.multicast =
      sail::MulticastRange{.first = *sail::parse_ip("239.1.2.0"), .prefix = 24};
  options.wall.multicast_hops = 3;
  start();
  const auto app = application();
  const auto left = connect();
  const auto welcome = left->hello(sail::Role::kReceiver, "left", 5001, options.key);
  ASSERT_TRUE(welcome);
  EXPECT_EQ((*welcome)["multicast_test"], "239.1.2.255");
  Json params = stream_params();
  EXPECT_FALSE(app->expect("open_stream", params).contains("multicast")) << "blocks differ";
  params["codecs"] = {"h264"};
  params["block_size"] = params["frame_size"];
  EXPECT_EQ(app->expect("open_stream", params)["multicast"], "239.1.2.0");
  const Json second = app->expect("open_stream", params);
  EXPECT_EQ(second["multicast"], "239.1.2.1");
  EXPECT_EQ(second["multicast_hops"], 3);
  params["transport"] = "tcp";
  EXPECT_FALSE(app->expect("open_stream", params).contains("multicast"));
}

TEST_F(UdpWallTest, IsTheDefaultOfItsStreams) {
  options.wall.transport = sail::Transport::kUdp;
  options.wall.mtu = 9000;
  start();
  const auto app = application();
  const auto left = receiver("left");
  Json params = stream_params();
  const Json opened = app->expect("open_stream", params);
  EXPECT_EQ(opened["transport"], "udp");
  EXPECT_EQ(opened["mtu"], 9000);
  params["transport"] = "tcp";
  EXPECT_EQ(app->expect("open_stream", params)["transport"], "tcp");
}

TEST_F(VerbsTest, WhoDoesNotSubscribeHearsNothing) {
  open_stream(*app);
  console->expect("list");
  EXPECT_TRUE(console->messages.empty());
}

TEST_F(VerbsTest, SnapshotAsksTheReceiversFirst) {
  const Json snapshot = console->expect("snapshot");
  ASSERT_EQ(snapshot["receivers"].size(), 2U);
  std::set<std::string> tiles;
  for (const Json& receiver : snapshot["receivers"]) tiles.insert(receiver["tiles"][0]);
  EXPECT_EQ(tiles, (std::set<std::string>{"l", "r"}));
  for (ScriptedPeer* peer : {left.get(), right.get()}) {
    const Json permit = peer->next("snapshot");
    EXPECT_EQ(permit["secret"], snapshot["secret"]);
    EXPECT_EQ(permit["at_ns"], snapshot["at_ns"]);
    ASSERT_TRUE(sail::message_from_json<sail::SnapshotPermit>(permit));
  }
  // A secret is valid once.
  EXPECT_NE(console->expect("snapshot")["secret"], snapshot["secret"]);
}

TEST_F(VerbsTest, SnapshotNeedsAReceiver) {
  left.reset();
  right.reset();
  wait([&] {
    return !fs_manager->peers().receivers().find("left")->connected() &&
           !fs_manager->peers().receivers().find("right")->connected();
  });
  const auto answer = console->call("snapshot");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
}

TEST_F(VerbsTest, IdentifyEndsByItself) {
  console->expect("subscribe");
  console->expect("identify", {{"seconds", 0.05}});
  while (left->next("scene_change")["identify"] != true) {
  }
  while (left->next("scene_change")["identify"] != false) {
  }
  EXPECT_FALSE(fs_manager->desk().director().identify());
}

TEST_F(VerbsTest, ATestPatternEndsByItself) {
  console->expect("subscribe");
  console->expect("calibrate", {{"pattern", "grid"}, {"seconds", 0.05}});
  while (left->next("scene_change")["pattern"] != "grid") {
  }
  while (left->next("scene_change").contains("pattern")) {
  }
  EXPECT_EQ(console->expect("list")["calibrate"], "off");
}

TEST_F(VerbsTest, ClockIsWallTime) {
  const int64_t before_ns = sail::steady_now_ns();
  const int64_t wall_ns = left->expect("clock")["wall_ns"];
  EXPECT_GE(wall_ns, before_ns);
  EXPECT_LE(wall_ns, sail::steady_now_ns());
  EXPECT_GE(app->expect("clock")["wall_ns"].get<int64_t>(), wall_ns);
}

TEST_F(VerbsTest, ClocksTellWhatPeersTold) {
  EXPECT_EQ(console->expect("clocks")["peers"], Json::array());
  left->notify("clock_stats", to_json(sail::ClockStats{.error_us = 80.5}));
  left->expect("clock");
  app->notify("clock_stats",
              to_json(sail::ClockStats{.source = sail::ClockSource::kSystem, .drift_ppm = -2.5}));
  app->expect("clock");
  Json reported = console->expect("clocks");
  EXPECT_EQ(reported["source"], "manager");
  EXPECT_EQ(reported["error_us"], 0.0);
  EXPECT_EQ(reported["synchronised"], true);
  ASSERT_EQ(reported["peers"].size(), 2U);
  const auto of = [&](const char* role) {
    return *std::ranges::find_if(reported["peers"],
                                 [&](const Json& peer) { return peer["role"] == role; });
  };
  EXPECT_EQ(of("receiver")["name"], "left");
  EXPECT_EQ(of("receiver")["error_us"], 80.5);
  EXPECT_EQ(of("application")["drift_ppm"], -2.5);
  EXPECT_EQ(of("application")["source"], "system");

  app.reset();
  while (console->expect("clocks")["peers"].size() > 1) {
  }
}

TEST_F(VerbsTest, ClocksTellHowFarDisplaysAreApart) {
  EXPECT_EQ(console->expect("clocks")["displays"], Json::array());
  const auto display = [](const char* tile, int64_t period_ns, int64_t at_ns,
                          sail::RefreshSource source = sail::RefreshSource::kMeasured) {
    return sail::RefreshStats{
        .tile = tile, .source = source, .period_ns = period_ns, .at_ns = at_ns};
  };
  left->notify(
      "receiver_stats",
      to_json(sail::ReceiverStats{
          .refresh = {display("a", 20'000'000, 3'000'000), display("b", 20'000'000, 7'000'000),
                      display("c", 16'666'667, 5'000'000), display("d", 20'000'000, 2'000'000),
                      display("e", 20'000'000, 0, sail::RefreshSource::kDisplayMode)}}));
  left->expect("clock");
  const Json reported = console->expect("clocks")["displays"];
  ASSERT_EQ(reported.size(), 5U);
  EXPECT_EQ(reported[0]["receiver"], "left");
  EXPECT_EQ(reported[0]["tile"], "a");
  EXPECT_EQ(reported[0]["hz"], 50.0);
  EXPECT_EQ(reported[0]["phase_us"], 0.0);
  EXPECT_EQ(reported[1]["phase_us"], 4000.0);
  EXPECT_EQ(reported[2]["phase_us"], 0.0) << "of another rate";
  EXPECT_EQ(reported[3]["phase_us"], -1000.0);
  EXPECT_EQ(reported[4]["source"], "mode");
  EXPECT_FALSE(reported[4].contains("phase_us"));
}

using DisplayTest = ManagerTest;

TEST_F(DisplayTest, PeersHearWhatTheDisplaysShow) {
  options.wall.display = {codecs::Primaries::kP3, 300, codecs::kSrgbCurve};
  start();
  const sail::Json display = {{"primaries", "p3"}, {"peak_nits", 300.0}, {"gamma", "srgb"}};
  EXPECT_EQ((*connect()->hello(sail::Role::kApplication, "demo"))["display"], display);
  EXPECT_EQ((*connect()->hello(sail::Role::kReceiver, "left", 5001))["display"], display);
  EXPECT_EQ((*connect()->hello(sail::Role::kRecorder, "camera", 5002))["display"], display);
}

TEST_F(DisplayTest, OrdinaryOnesAreNotMentioned) {
  start();
  EXPECT_FALSE(connect()->hello(sail::Role::kApplication, "demo")->contains("display"));
}

using ClockNameTest = ManagerTest;

TEST_F(ClockNameTest, TheClockOfThisMachineHasAName) {
  start();
  EXPECT_EQ((*connect()->hello(sail::Role::kReceiver, "left", 5001))["clock_name"],
            sail::steady_clock_name());
}

TEST_F(ClockNameTest, OneThatGoesOnInAnothersPlaceHasNone) {
  options.former_clock = {.known = true, .steady_ns = 0, .offset_ns = 1'000'000'000};
  start();
  EXPECT_FALSE(connect()->hello(sail::Role::kReceiver, "left", 5001)->contains("clock_name"));
}

class SystemClockTest : public ManagerTest {};

TEST_F(SystemClockTest, WallTimeIsTheSystemsAndAllAreTold) {
  options.clock = sail::ClockSource::kSystem;
  start();
  const auto now_ns = [] { return static_cast<double>(sail::read_system_clock().system_ns); };
  const auto left = connect();
  EXPECT_EQ((*left->hello(sail::Role::kReceiver, "left", 5001))["clock"], "system");
  const auto app = connect();
  const auto welcome = app->hello(sail::Role::kApplication, "app");
  EXPECT_EQ((*welcome)["clock"], "system");
  EXPECT_FALSE(welcome->contains("clock_name")) << "it may be set in between";
  EXPECT_NEAR(left->expect("clock")["wall_ns"].get<double>(), now_ns(), 60e9);

  open_stream(*app);
  EXPECT_NEAR(left->next("go")["at_ns"].get<double>(), now_ns(), 60e9);
  const auto console = ui();
  const Json reported = console->expect("clocks");
  EXPECT_EQ(reported["source"], "system");
  EXPECT_GT(reported["error_us"], 0);
  EXPECT_EQ(reported["synchronised"], sail::read_system_clock().synchronised);
  EXPECT_NEAR(reported["wall_ns"].get<double>(), now_ns(), 60e9);
}

}  // namespace
}  // namespace manager
