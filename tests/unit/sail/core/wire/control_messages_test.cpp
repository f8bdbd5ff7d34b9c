// Takes the examples of sail/PROTOCOL.md as valid messages (protocol_text_test.cpp) and breaks them
// field by field.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "sail/core/text/encodings.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/input.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/rpc.h"
#include "sail/core/wire/scene_change.h"
#include "sail/core/wire/stats.h"
#include "tests/unit/sail/core/wire/data/reencode.h"
#include "tests/unit/sail/core/wire/protocol_text.h"

namespace sail {
namespace {

using Pointer = Json::json_pointer;

// Collects every value in the document below its root.
void collect(const Json& value, const Pointer& at, std::vector<Pointer>& pointers) {
  if (!at.empty()) pointers.push_back(at);
  if (value.is_object()) {
    for (const auto& item : value.items()) collect(item.value(), at / item.key(), pointers);
  } else if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, pointers);
  }
}

std::vector<Pointer> pointers(const Json& body) {
  std::vector<Pointer> result;
  collect(body, Pointer(), result);
  return result;
}

// Name of the nearest field that contains the value.
std::string field_of(Pointer at) {
  while (at.back().find_first_not_of("0123456789") == std::string::npos) at.pop_back();
  return at.back();
}

// Returns the error message, or "" if the message is accepted.
std::string mistake(const ControlMessage& message, const Json& body) {
  const auto result = message.reencode(body);
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidParams);
  return result.error().message;
}

TEST(ControlMessages, MissingFieldsAreNamed) {
  // Optional fields of each message, in alphabetical order.
  const std::map<std::string, std::string> optional = {
      {"challenge", "/key"},
      {"challenge_result", "/proof"},
      {"clock_stats", "/synchronised"},
      {"group", "/host /name"},
      {"group_tables", "/tables/0/numbered /tables/0/waits"},
      {"hello_application", "/name"},
      {"hello_receiver_result",
       "/tiles/0/output /tiles/1/correction /tiles/1/correction/gain /tiles/1/correction/gamma "
       "/tiles/1/correction/lut /tiles/1/window_at"},
      {"host_stats", "/busy /own_pct /waits_pct"},
      {"input", "/buttons /client /modifiers"},
      {"input_key", "/client /modifiers"},
      {"input_wheel", "/buttons /client /modifiers"},
      {"journal", "/session"},
      {"open_stream", "/content /content/loop /max_reduction /place /takes_input /transport"},
      {"open_stream_result", "/mtu /transport"},
      {"overlay",
       "/drawings /drawings/0/strokes/0/arrow /drawings/0/strokes/1/arrow "
       "/drawings/0/strokes/1/text /labels /labels/0/above /pointers "
       "/pointers/0/pressed /pointers/1/pressed /pointers/1/style /pointers/1/trail "
       "/pointers/2/area "
       "/pointers/2/pressed /pointers/2/style /pointers/3/factor /pointers/3/pressed "
       "/pointers/3/style"},
      {"playback", "/duration_s /live /loop /paused /rate /volume"},
      {"playback_page", "/duration_s /live /loop /page /paused /rate"},
      {"playback_tracks",
       "/duration_s /live /loop /paused /rate /tracks /tracks/sounds /tracks/sounds/0/channels "
       "/tracks/sounds/0/language /tracks/sounds/0/layout /tracks/subtitle /tracks/subtitles "
       "/tracks/subtitles/0/forced /tracks/subtitles/0/language /tracks/subtitles/0/pictures "
       "/tracks/subtitles/0/title /tracks/subtitles/1/file"},
      {"power", "/tiles"},
      {"power_result", "/tiles/1/why"},
      {"receiver_stats",
       "/blocks_concealed /decode_ms /decode_pct /decoders_lost /display /display/renderer "
       "/display/trouble "
       "/display/uncorrected /display/windows /packets_refused /packets_refused_from /paint_pct "
       "/refresh /render_peak_ms /sound /sound/trouble /update"},
      {"record", "/size /wall_rect"},
      {"record_result", "/sound"},
      {"routes", "/group_members /routes/0/reduction /routes/1/reduction"},
      {"scene", "/identify /windows/0/alpha /windows/0/codec"},
      {"scene_change", "/fade_ms /identify /order /windows/0/alpha"},
      {"stream_stats",
       "/delay_ms /dropped /encode_ms /fps_encoded /fps_submitted /fps_wanted /frames_skipped "
       "/links /links/0/busy_pct /links/0/held_up_ms /links/0/left_behind /links/0/reduction "
       "/links/1/busy_pct /links/1/held_up_ms /links/1/instead_of /links/1/left_behind "
       "/links/1/reduction /links/1/trouble /links/1/trouble_s /links/1/trouble_text /source_ms"},
  };
  std::map<std::string, std::string> taken;
  for (const ControlMessage& message : control_messages()) {
    const Json whole = body_example(message.example);
    for (const Pointer& at : pointers(whole)) {
      Json body = whole;
      Json& parent = body[at.parent_pointer()];
      if (!parent.is_object()) continue;
      parent.erase(at.back());
      const std::string text = mistake(message, body);
      if (text.empty()) {
        std::string& of_message = taken[message.example];
        of_message += (of_message.empty() ? "" : " ") + at.to_string();
      } else {
        EXPECT_NE(text.find("'" + at.back() + "' is missing"), std::string::npos) << text;
      }
    }
  }
  EXPECT_EQ(taken, optional);
}

TEST(ControlMessages, FiguresOfAllLinksFitALine) {
  LinkStats link{.receiver = {},
                 .transport = Transport::kUdp,
                 .mbit_per_s = 1e5 / 3,
                 .limit_mbit_per_s = 1e5 / 3,
                 .rtt_ms = 1e3 / 3,
                 .delay_ms = 1e3 / 3,
                 .queue_ms = 1e3 / 3,
                 .jitter_ms = 1e3 / 3,
                 .fec_pct = 100.0 / 3,
                 .reduction = 3,
                 .bytes_sent = kMaxCounter,
                 .bytes_parity = kMaxCounter,
                 .packets_sent = kMaxCounter,
                 .packets_retransmitted = kMaxCounter,
                 .counters = {.packets_arrived = kMaxCounter,
                              .bytes_arrived = kMaxCounter,
                              .packets_lost = kMaxCounter,
                              .packets_reordered = kMaxCounter,
                              .packets_duplicated = kMaxCounter,
                              .packets_late = kMaxCounter,
                              .mended_fec = kMaxCounter,
                              .mended_retransmit = kMaxCounter,
                              .socket_full = kMaxCounter,
                              .frames_lost = kMaxCounter,
                              .bursts = {}}};
  link.counters.bursts.fill(std::numeric_limits<uint32_t>::max());
  StreamStats stats{.stream = 1};
  for (int i = 0; i < kMaxTiles; ++i) {
    link.receiver = std::string(kMaxNameLength - 4, 'r') + std::to_string(1000 + i).substr(0, 4);
    stats.links.push_back(link);
  }
  const std::string line = notification_line("stream_stats", to_json(stats));
  EXPECT_LE(line.size(), kMaxControlLine);
  EXPECT_TRUE(message_from_json<StreamStats>(to_json(stats)));
}

TEST(ControlMessages, MistypedFieldsAreNamed) {
  const std::vector<Json> kinds = {nullptr,        true,          "text \u0007",
                                   Json::object(), Json::array(), Json::array({Json::array()})};
  for (const ControlMessage& message : control_messages()) {
    const Json whole = body_example(message.example);
    for (const Pointer& at : pointers(whole)) {
      for (const Json& kind : kinds) {
        if (kind.type() == whole[at].type() && !kind.is_string()) continue;
        Json body = whole;
        body[at] = kind;
        const std::string text = mistake(message, body);
        EXPECT_NE(text.find(field_of(at)), std::string::npos)
            << message.example << " " << at << " = " << kind << ": " << text;
      }
    }
  }
}

TEST(ControlMessages, MessagesMustBeObjects) {
  for (const ControlMessage& message : control_messages()) {
    for (const Json& body : {Json(), Json(1), Json("x"), Json::array()}) {
      EXPECT_NE(mistake(message, body).find("must be an object"), std::string::npos);
    }
  }
}

// Replaces every number by absurd ones: each is refused, or accepted and encoded identically.
TEST(ControlMessages, AbsurdNumbersDoNoHarm) {
  const std::vector<Json> numbers = {INT64_MIN, INT64_MAX,  UINT64_MAX, INT32_MIN,
                                     INT32_MAX, UINT32_MAX, -1,         0,
                                     1.5,       -1e300,     1e300,      5e-324};
  for (const ControlMessage& message : control_messages()) {
    const Json whole = body_example(message.example);
    for (const Pointer& at : pointers(whole)) {
      if (!whole[at].is_number()) continue;
      for (const Json& number : numbers) {
        Json body = whole;
        body[at] = number;
        const auto result = message.reencode(body);
        EXPECT_TRUE(!result || *result == body) << message.example << " " << at << " = " << number;
      }
    }
  }
}

TEST(ControlMessages, UnknownFieldsPass) {
  for (const ControlMessage& message : control_messages()) {
    const Json whole = body_example(message.example);
    Json body = whole;
    body["of_a_later_version"] = {{"x", 1}};
    const auto result = message.reencode(body);
    ASSERT_TRUE(result) << message.example;
    EXPECT_EQ(*result, whole) << message.example;
  }
}

struct JsonFieldCase {
  const char* example;
  const char* pointer;
  Json value;
  const char* mistake;  // part of the error message; "" if accepted
};

const std::vector<JsonFieldCase>& field_cases() {
  static const std::vector<JsonFieldCase> kCases = {
      {"overlay", "/labels/0/lines", Json::array(), ""},
      {"overlay", "/labels/0/lines", std::vector<std::string>(8, "x"), ""},
      {"overlay", "/labels/0/lines", std::vector<std::string>(9, "x"), "at most 8"},
      {"overlay", "/labels/0/lines/0", std::string(120, 'x'), ""},
      {"overlay", "/labels/0/lines/0", std::string(121, 'x'), "at most 120 bytes"},
      {"overlay", "/labels/0/colour", "#FFFFF", "#rrggbb"},
      {"overlay", "/labels/0/colour", "#12345g", "#rrggbb"},
      {"overlay", "/labels/0/colour", "#+12345", "#rrggbb"},
      {"overlay", "/labels", std::vector<Json>(4097, Json::object()), "at most 4096"},
      {"overlay", "/pointers", std::vector<Json>(257, Json::object()), "at most 256"},
      {"overlay", "/drawings", std::vector<Json>(66, Json::object()), "at most 65"},
      {"overlay", "/drawings/0/strokes/0/points", {1, 2}, "two or more"},
      {"overlay", "/drawings/0/strokes/0/points", {1, 2, 3, 4, 5}, "two or more"},
      {"overlay", "/drawings/0/strokes/0/points", {1, 2, 3, 4.5}, "whole number"},
      {"overlay", "/drawings/0/strokes/0/points", std::vector<int>(1002, 1), "at most 1000"},
      {"overlay", "/drawings/0/strokes/0/width", 0, "between"},
      {"overlay", "/drawings/0/strokes/1/text", std::vector<std::string>(9, "x"), "at most 8"},
      {"overlay", "/drawings/0/strokes/1/text/0", std::string(121, 'x'), "at most 120 bytes"},
      {"overlay", "/drawings/0/strokes/1/text/0", "a\nb", "control characters"},
      {"overlay", "/pointers/0/name", "", ""},
      {"overlay", "/pointers/0/name", std::string(65, 'n'), "at most 64 bytes"},
      {"overlay", "/pointers/0/at", {1000001, 0}, "between"},
      {"hello_receiver", "/role", "boss",
       "must be \"ui\", \"application\", \"receiver\" or \"recorder\""},
      {"hello_receiver", "/role", "recorder", ""},
      {"record", "/window", 3, "record: 'window' cannot be combined with 'wall_rect'"},
      {"record", "/wall_rect", {0, 0, 0, 10}, "'wall_rect'"},
      {"record", "/size", {16384, 1}, ""},
      {"record", "/size", {16385, 1}, "'size'"},
      {"record", "/secret", "0000000000000001", ""},
      {"record", "/secret", "0000000000000000", "must not be 0"},
      {"hello_receiver", "/protocol", 2, ""},
      {"hello_receiver", "/protocol", 0, "between 1 and"},
      {"hello_receiver", "/key", std::string(64, 'k'), ""},
      {"hello_receiver", "/key", std::string(65, 'k'), "at most 64 bytes"},
      {"hello_receiver", "/proof", std::string(64, 'a'), ""},
      {"hello_receiver", "/proof", std::string(63, 'a'), "64 hexadecimal digits"},
      {"hello_receiver", "/proof", std::string(64, 'A'), "64 hexadecimal digits"},
      {"hello_receiver", "/name", "", "'name' must not be empty"},
      {"hello_receiver", "/name", std::string(65, 'n'), "at most 64 bytes"},
      {"hello_receiver", "/data_port", 0, "between 1 and 65535"},
      {"hello_receiver", "/data_port", 65536, "between 1 and 65535"},
      {"hello_application", "/role", "ui", ""},
      {"hello_receiver_result", "/wall_size", Json::array({0, 1}), "between 1 and 131072"},
      {"hello_receiver_result", "/tiles", Json::array(), ""},
      {"hello_receiver_result", "/tiles", Json(std::vector<int>(1025)), "at most 1024 items"},
      {"hello_receiver_result", "/tiles/1/name", "top left", "'tiles' contains top left twice"},
      {"hello_receiver_result", "/tiles/1/name", "", "hello: tiles[1]: 'name' must not be empty"},
      {"hello_receiver_result", "/tiles/1/rotation", 45, "must be 0, 90, 180 or 270"},
      {"hello_receiver_result", "/tiles/1/rotation", 360, "'rotation'"},
      {"hello_receiver_result", "/tiles/1/resolution", Json::array({16385, 1}), "16384"},
      {"hello_receiver_result", "/tiles/0/window_at", Json::array({-1000001, 0}), "'window_at'"},
      {"hello_receiver_result", "/tiles/0/output", std::string(65, 'n'), "at most 64 bytes"},
      {"hello_receiver_result", "/tiles/1/correction/gain", Json::array({1, 1, 2}), ""},
      {"hello_receiver_result", "/tiles/1/correction/gain", Json::array({1, 1, 2.1}), "'gain'"},
      {"hello_receiver_result", "/tiles/1/correction/gain", Json::array({1, 1}),
       "[red, green, blue]"},
      {"hello_receiver_result", "/tiles/1/correction/gamma", 5.1, "'gamma'"},
      {"hello_receiver_result", "/tiles/1/correction/lut", "", "'lut' must not be empty"},
      {"scene", "/pattern", "grid", ""},
      {"scene", "/pattern", "plaid", "'pattern' must be"},
      {"clock_result", "/wall_ns", -1, "'wall_ns'"},
      {"clock_result", "/wall_ns", kMaxTimeNs, ""},
      {"clock_result", "/wall_ns", kMaxTimeNs + 1, "'wall_ns'"},
      {"clock_stats", "/source", "sundial", R"('source' must be "manager" or "system")"},
      {"clock_stats", "/offset_us", -1e16, ""},
      {"clock_stats", "/offset_us", -1.1e16, "'offset_us'"},
      {"clock_stats", "/drift_ppm", 1.1e6, "'drift_ppm'"},
      {"clock_stats", "/error_us", -1, "'error_us'"},
      {"scene", "/epoch", kMaxCounter, ""},
      {"scene", "/epoch", kMaxCounter + 1, "'epoch'"},
      {"scene", "/windows", Json(std::vector<int>(4097)), "at most 4096 items"},
      {"scene", "/windows/0/window", 0, "scene: windows[0]: 'window'"},
      {"scene", "/windows/0/window", UINT32_MAX, ""},
      {"scene", "/windows/0/window", uint64_t{UINT32_MAX} + 1, "'window'"},
      {"scene", "/windows/0/secret", "xyz", "hexadecimal"},
      {"scene", "/windows/0/epoch", -1, "scene: windows[0]: 'epoch'"},
      {"scene", "/windows/0/wall_rect/0", -1000001, "'wall_rect'"},
      {"scene", "/windows/0/wall_rect/2", 65537, "'wall_rect'"},
      {"scene", "/windows/0/wall_rect/3", 0, "'wall_rect'"},
      {"scene", "/windows/0/frame_size/1", 16385, "two whole numbers between 1 and 16384"},
      {"scene", "/windows/0/block_size/0", 130, "'block_size' must be two multiples of 4"},
      {"scene", "/windows/0/block_size/0", 12, "between 16 and 16384"},
      {"scene", "/windows/0/codec", std::string(65, 'c'), "'codec'"},
      {"epoch_ready", "/stream", 0, "'stream'"},
      {"epoch_ready", "/frame", 0, "'frame'"},
      {"epoch_ready", "/lead_ns", -1, "'lead_ns'"},
      {"take_effect", "/epoch", -1, "'epoch'"},
      {"go", "/at_ns", -1, "'at_ns'"},
      {"go", "/scene_epoch", 0, ""},
      {"go", "/frames", Json(std::vector<int>(4097)), "at most 4096 items"},
      {"go", "/frames/0/frame", 0, "go: frames[0]: 'frame'"},
      {"snapshot", "/at_ns", kMaxTimeNs + 1, "'at_ns'"},
      {"power", "/power", "standby", R"('power' must be "status", "on" or "off")"},
      {"power", "/tiles/0", "", "power: tiles[0]: must be the name of a tile"},
      {"power", "/tiles", Json(std::vector<std::string>(1025, "t")), "at most 1024 items"},
      {"power_result", "/tiles/0/power", "dim", "'power' must be"},
      {"power_result", "/tiles/1/tile", "left", "twice"},
      {"power_result", "/tiles/1/why", std::string(201, 'w'), "at most 200 bytes"},
      {"receiver_stats", "/frames_shown", kMaxCounter + 1, "'frames_shown'"},
      {"receiver_stats", "/render_ms", -0.5, "'render_ms'"},
      {"receiver_stats", "/render_ms", 1e13, "'render_ms'"},
      {"receiver_stats", "/paint_pct", 101, "'paint_pct'"},
      {"receiver_stats", "/decode_ms", "9", "'decode_ms'"},
      {"receiver_stats", "/decode_pct", -1, "'decode_pct'"},
      {"sound_levels", "/levels/0/peak", 1.5, "'peak'"},
      {"sound_levels", "/levels/0/rms", -0.1, "'rms'"},
      {"open_stream", "/title", "", ""},
      {"open_stream", "/title", std::string(201, 't'), "at most 200 bytes"},
      {"open_stream", "/title", "a\nb", "without control characters"},
      {"open_stream", "/frame_size", Json::array({3840, 0}),
       "open_stream: 'frame_size' must be two whole numbers between 1 and 16384, such as [1920, "
       "1080]"},
      {"open_stream", "/block_size", Json::array({128, 62}), "multiples of 4"},
      {"open_stream", "/codecs", Json::array(), "'codecs' must not be empty"},
      {"open_stream", "/codecs", Json(std::vector<std::string>(33, "x")), "at most 32 items"},
      {"open_stream", "/codecs/0", "", "open_stream: codecs[0]: must be a codec name"},
      {"open_stream", "/codecs/0", "of a later version", ""},
      {"open_stream", "/place/2", 0, "'place'"},
      {"open_stream", "/transport", "quic", R"('transport' must be "tcp" or "udp")"},
      {"open_stream", "/transport", "", R"('transport' must be "tcp" or "udp")"},
      {"open_stream_result", "/transport", "TCP", "'transport'"},
      {"open_stream_result", "/mtu", 575, "'mtu' must be a whole number between 576 and 9216"},
      {"open_stream_result", "/mtu", 9217, "'mtu'"},
      {"open_stream_result", "/mtu", 9216, ""},
      {"open_stream_result", "/stream", 0, "'stream'"},
      {"open_stream_result", "/codec", "", "'codec' must not be empty"},
      {"routes", "/routes", Json::array(), ""},
      {"routes", "/routes", Json(std::vector<int>(1025)), "at most 1024 items"},
      {"routes", "/routes/0/port", 0, "routes: routes[0]: 'port'"},
      {"routes", "/routes/0/host", "", "'host' must not be empty"},
      {"routes", "/routes/1/receiver", "left", "'routes' contains left twice"},
      {"routes", "/routes/0/blocks", Json::array(), "'blocks' must not be empty"},
      {"routes", "/routes/0/blocks/0", Json::array({0, 0, 1}), "[column, row, columns, rows]"},
      {"routes", "/routes/0/blocks/0", Json::array({-1, 0, 1, 1}), "[column, row, columns, rows]"},
      {"routes", "/routes/0/blocks/0", Json::array({0, 0, 0, 1}), "[column, row, columns, rows]"},
      {"routes", "/routes/0/blocks/0", Json::array({1023, 1023, 1, 1}), ""},
      {"routes", "/routes/0/blocks/0", Json::array({1023, 0, 2, 1}), "within 1024 blocks"},
      {"routes", "/routes/0/blocks/0", Json::array({0, 1000, 1, 25}), "within 1024 blocks"},
      {"event", "/type", "explode", "must be \"close\""},
      {"event", "/value", -1, "'value'"},
      {"event", "/value", 1e10, "'value'"},
      {"open_stream", "/content/media", Json(std::vector<std::string>(257, "/m")), "at most 256"},
      {"open_stream", "/content/media/0", "",
       "open_stream: content: media[0]: must be an absolute"},
      {"open_stream", "/content/media/0", "clip.mp4", "must be an absolute path"},
      {"open_stream", "/content/media/0", "../clip.mp4", "must be an absolute path"},
      {"open_stream", "/content/media/0", "--version", "must be an absolute path"},
      {"open_stream", "/content/media/0", "-:", "must be an absolute path"},
      {"open_stream", "/content/media/0", ":80", "must be an absolute path"},
      {"open_stream", "/content/media", {"test:", "server://storage/a.vmov", "/a b-c"}, ""},
      {"open_stream", "/content/media", {std::string(8192, '/'), std::string(8192, '/')}, ""},
      {"open_stream",
       "/content/media",
       {std::string(8192, '/'), std::string(8193, '/')},
       "at most 16384 bytes in total"},
      {"open_stream", "/content/program", "", "'program' must not be empty"},
      {"input", "/stream", 0, "'stream'"},
      {"input", "/type", "click", R"('type' must be "enter", "leave")"},
      {"input", "/at/0", -1e9, ""},
      {"input", "/at/0", -1.1e9, "'at' must be two numbers between"},
      {"input", "/at", Json::array({1}), "'at'"},
      {"input", "/button", 32, "'button'"},
      {"input", "/buttons", 65536, "'buttons'"},
      {"input", "/modifiers", 256, "'modifiers'"},
      {"input", "/type", "touch_down", "'touch' is missing"},
      {"input", "/type", "pinch", "'scale' is missing"},
      {"input", "/type", "key_down", "'key' is missing"},
      {"input_key", "/type", "move", "'at' is missing"},
      {"input_key", "/key", "", "'key' must not be empty"},
      {"input_key", "/key", std::string(33, 'k'), "at most 32 bytes"},
      {"input_wheel", "/wheel/1", 10001, "'wheel'"},
      {"playback", "/position_s", -1, "'position_s'"},
      {"playback", "/silent_since_s", -1, "'silent_since_s'"},
      {"playback", "/volume", 1.01, "'volume' must be a number between 0 and 1"},
      {"playback", "/rate", -1, "'rate'"},
      {"playback_page", "/page", 13, "'pages' must be a whole number between 13 and"},
      {"thumbnails", "/width", 63, "'width' must be a whole number between 64 and 640"},
      {"thumbnails", "/per_second", 10.5, "'per_second' must be a number between 0 and 10"},
      {"thumbnails", "/per_second", 0, ""},
      {"thumbnail", "/size/0", 641, "'size'"},
      {"thumbnail", "/jpeg", "/9j/2wBDAP/", "'jpeg' must be base64 with padding"},
      {"thumbnail", "/jpeg", "AAAA", "'jpeg' must be a JPEG"},
      {"thumbnail", "/jpeg", "", "'jpeg' must be a JPEG"},
      {"stream_stats", "/bytes_sent", -1, "'bytes_sent'"},
      {"stream_stats", "/skew_us_p99", -1, "'skew_us_p99'"},
      {"stream_stats", "/frames_skipped", -1, "'frames_skipped'"},
      {"stream_stats", "/fps_wanted", -1, "'fps_wanted'"},
      {"stream_stats", "/fps_submitted", "many", "'fps_submitted'"},
      {"stream_stats", "/fps_encoded", 1e13, "'fps_encoded'"},
      {"stream_stats", "/source_ms", -0.5, "'source_ms'"},
      {"stream_stats", "/encode_ms", -0.5, "'encode_ms'"},
      {"stream_stats", "/links/1/busy_pct", 100.5, "'busy_pct'"},
      {"stream_stats", "/delay_ms", -1, "'delay_ms'"},
      {"stream_stats", "/dropped/lost", -1, "dropped: 'lost'"},
      {"stream_stats", "/links", Json::array(), ""},
      {"stream_stats", "/links", Json(std::vector<int>(1025)), "at most 1024 items"},
      {"stream_stats", "/links/1/receiver", "left", "'links' contains left twice"},
      {"stream_stats", "/links/0/receiver", "", "links[0]: 'receiver' must not be empty"},
      {"stream_stats", "/links/0/receiver", std::string(65, 'r'), "at most 64 bytes"},
      {"stream_stats", "/links/0/transport", "sctp", R"(links[0]: 'transport' must be "tcp")"},
      {"stream_stats", "/links/1/transport", "udp", "links[1]: 'delay_ms' is missing"},
      {"stream_stats", "/links/0/rtt_ms", -0.5, "'rtt_ms'"},
      {"stream_stats", "/links/0/fec_pct", 101, "'fec_pct' must be a number between 0 and 100"},
      {"stream_stats", "/links/0/packets_lost", -1, "'packets_lost'"},
      {"stream_stats", "/links/0/bytes_sent", uint64_t{1} << 53, "'bytes_sent'"},
      {"stream_stats", "/links/0/reduction", 4, "'reduction'"},
      {"stream_stats", "/links/0/bursts", Json::array({1, 2, 3}), "'bursts' must be 8 unsigned"},
      {"stream_stats", "/links/0/bursts", Json(std::vector<int>(9)), "'bursts'"},
      {"stream_stats", "/links/0/bursts/3", -1, "'bursts'"},
      {"stream_stats", "/links/0/bursts/3", uint64_t{1} << 32, "'bursts'"},
      {"stream_stats", "/links/0/bursts/3", (uint64_t{1} << 32) - 1, ""},
  };
  return kCases;
}

TEST(ControlMessages, FieldsAreHeldToTheirRanges) {
  for (const JsonFieldCase& c : field_cases()) {
    const auto messages = control_messages();
    const auto message = std::find_if(messages.begin(), messages.end(), [&](const auto& known) {
      return c.example == std::string(known.example);
    });
    ASSERT_NE(message, messages.end()) << c.example;
    Json body = body_example(c.example);
    body[Pointer(c.pointer)] = c.value;
    const std::string text = mistake(*message, body);
    EXPECT_EQ(text.empty(), *c.mistake == '\0') << c.example << c.pointer << ": " << text;
    EXPECT_NE(text.find(c.mistake), std::string::npos) << c.example << c.pointer << ": " << text;
  }
}

TEST(ControlMessages, NamesOfWindowsAndStreamsAreDistinct) {
  Json scene = body_example("scene");
  scene["windows"].push_back(scene["windows"][0]);
  EXPECT_EQ(message_from_json<Scene>(scene).error().message, "scene: 'windows' contains 7 twice");
  Json go = body_example("go");
  go["frames"].push_back(go["frames"][0]);
  EXPECT_EQ(message_from_json<Go>(go).error().message, "go: 'frames' contains 7 twice");
}

TEST(ControlMessages, ALookComesBackAsItWasAndIsChecked) {
  const ViewTransform look{.stereo = Stereo::kRight,
                           .halves = Halves::kTopBottom,
                           .crop = {1, 2, 3, 4},
                           .rotate = 270,
                           .flip = true,
                           .opacity = 0.5};
  const Json json = to_json(look);
  EXPECT_EQ(*message_from_json<ViewTransform>(json, "look"), look);
  EXPECT_EQ(to_json(ViewTransform()).dump(), "{}");
  EXPECT_EQ(*message_from_json<ViewTransform>(Json::object(), "look"), ViewTransform());
  for (const auto& [name, bad] :
       std::initializer_list<std::pair<const char*, Json>>{{"stereo", "both"},
                                                           {"halves", 2},
                                                           {"crop", {0, 0, 0, 1}},
                                                           {"crop", {-1, 0, 1, 1}},
                                                           {"rotate", 45},
                                                           {"rotate", 360},
                                                           {"flip", 1},
                                                           {"opacity", 1.01},
                                                           {"opacity", "half"}}) {
    Json wrong = json;
    wrong[name] = bad;
    const auto read = message_from_json<ViewTransform>(wrong, "look");
    ASSERT_FALSE(read) << wrong;
    EXPECT_NE(read.error().message.find(name), std::string::npos) << read.error().message;
  }
}

TEST(ControlMessages, NumbersOfChangedWindowsAreDistinct) {
  for (const char* list : {"windows", "removed", "order"}) {
    Json change = body_example("scene_change");
    change[list].push_back(change[list][0]);
    EXPECT_NE(message_from_json<SceneChange>(change).error().message.find("twice"),
              std::string::npos);
  }
}

TEST(ControlMessages, ARoutingMapHasABoundedNumberOfRectangles) {
  Json routes = body_example("routes");
  const auto rects = [](size_t count) { return Json(std::vector<Json>(count, {0, 0, 1, 1})); };
  routes["routes"][0]["blocks"] = rects(kMaxRouteRects - 1);
  routes["routes"][1]["blocks"] = rects(1);
  EXPECT_TRUE(message_from_json<Routes>(routes));
  routes["routes"][1]["blocks"] = rects(2);
  EXPECT_EQ(
      message_from_json<Routes>(routes).error().message,
      "routes: 'routes' must have at most " + std::to_string(kMaxRouteRects) + " block rectangles");
  routes["routes"][1]["blocks"] = rects(kMaxRouteRects + 1);
  EXPECT_FALSE(message_from_json<Routes>(routes));
}

TEST(ControlMessages, LargestMessagesFitALine) {
  Scene scene{kMaxCounter, {}, true};
  for (uint32_t i = 0; i < kMaxWindows; ++i) {
    scene.windows.push_back({.window = UINT32_MAX - i,
                             .secret = UINT64_MAX,
                             .epoch = kMaxCounter,
                             .wall_rect = {-100000, -100000, 65536, 65536},
                             .frame_size = {16384, 16384},
                             .block_size = {1024, 1024},
                             .frozen = true});
    if (i >= 1024) continue;  // manager/commands/look.cpp
    scene.windows.back().look = {.stereo = Stereo::kAnaglyph,
                                 .halves = Halves::kTopBottom,
                                 .crop = {16383, 16383, 16384, 16384},
                                 .rotate = 270,
                                 .flip = true,
                                 .opacity = 0.123};
  }
  for (size_t i = 0; i <= kMaxBlanks; ++i) {
    scene.blanks.push_back({.wall_rect = {-100000, -100000, 65536, 65536},
                            .black = true,
                            .text = std::string(kMaxBlankText, 'x')});
  }
  EXPECT_LT(to_json(scene).dump().size(), kMaxControlLine);
  Scene blank = scene;
  for (SceneWindow& window : blank.windows) {
    window.look = {};
    window.dark = true;
  }
  EXPECT_LT(to_json(scene_change({}, blank)).dump().size(), kMaxControlLine);

  SceneChange change = scene_change({}, scene);
  for (uint32_t i = 0; i < kMaxWindows; ++i) change.removed.push_back(UINT32_MAX - kMaxWindows - i);
  ASSERT_EQ(change.windows.size(), size_t{kMaxWindows});
  ASSERT_EQ(change.order->size(), size_t{kMaxWindows});
  EXPECT_LT(to_json(change).dump().size(), kMaxControlLine);
}

TEST(ControlMessages, EventsCarryAValueOnlyWhereItMeansSomething) {
  EXPECT_EQ(to_json(AppEvent{7, "pause", 5}).dump(), R"({"stream":7,"type":"pause"})");
  EXPECT_EQ(to_json(AppEvent{7, "rate", 0.5}).dump(), R"({"stream":7,"type":"rate","value":0.5})");
  EXPECT_TRUE(message_from_json<AppEvent>({{"stream", 7}, {"type", "close"}}));
  EXPECT_FALSE(message_from_json<AppEvent>({{"stream", 7}, {"type", "rate"}}));
  const auto valued = [](const char* type, double value) {
    return message_from_json<AppEvent>(to_json(AppEvent{7, type, value})).has_value();
  };
  EXPECT_TRUE(valued("volume", 0.5));
  EXPECT_FALSE(valued("volume", 1.5));
  for (const double value : {0, 1, 2}) {
    const Json event{{"stream", 7}, {"type", "loop"}, {"value", static_cast<int>(value)}};
    EXPECT_EQ(message_from_json<AppEvent>(event).has_value(), value < 2) << value;
  }
  const auto page = message_from_json<AppEvent>({{"stream", 7}, {"type", "page"}, {"value", 12}});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->value, 12);
  EXPECT_TRUE(message_from_json<AppEvent>(to_json(*page)));
  EXPECT_FALSE(message_from_json<AppEvent>({{"stream", 7}, {"type", "page"}, {"value", 0}}));
}

TEST(ControlMessages, AThumbnailIsAsLargeAsRequestedButNotLargerThanTheFrame) {
  EXPECT_EQ(thumbnail_size({3840, 2160}, 320), (Size{320, 180}));
  EXPECT_EQ(thumbnail_size({1080, 1920}, 320), (Size{180, 320}));
  EXPECT_EQ(thumbnail_size({100, 50}, 320), (Size{100, 50}));
  EXPECT_EQ(thumbnail_size({4000, 1}, 320), (Size{320, 1}));
}

TEST(ControlMessages, AThumbnailHasABoundedNumberOfBytes) {
  std::vector<uint8_t> jpeg(kMaxThumbnailBytes, 0x80);
  jpeg[0] = 0xff;
  jpeg[1] = 0xd8;
  jpeg[2] = 0xff;
  const Thumbnail largest{.stream = 7, .size = {640, 360}, .jpeg = base64_text(jpeg)};
  EXPECT_TRUE(message_from_json<Thumbnail>(to_json(largest)));
  EXPECT_LT(notification_line("thumbnail", to_json(largest)).size(), kMaxControlLine);
  jpeg.push_back(0x80);
  const Thumbnail larger{.stream = 7, .size = {640, 360}, .jpeg = base64_text(jpeg)};
  EXPECT_NE(message_from_json<Thumbnail>(to_json(larger)).error().message.find("'jpeg'"),
            std::string::npos);
}

TEST(ControlMessages, EachTypeOfInputComesBackAsItWas) {
  for (int i = 0; i <= static_cast<int>(InputType::kPinch); ++i) {
    const StreamInput whole{.stream = 7,
                            .client = 2,
                            .input = {.type = static_cast<InputType>(i),
                                      .at = InputPoint{1.5, -2.25},
                                      .button = 2,
                                      .buttons = 3,
                                      .wheel_x = 1,
                                      .wheel_y = -0.5,
                                      .key = "é",
                                      .modifiers = 9,
                                      .touch = 4,
                                      .scale = 1.25}};
    const Json json = to_json(whole);
    EXPECT_EQ(json["type"], kInputTypes.word(whole.input.type));
    const auto read = message_from_json<StreamInput>(json);
    ASSERT_TRUE(read) << json << read.error().message;
    EXPECT_EQ(read->input.type, whole.input.type);
    EXPECT_EQ(to_json(*read), json);
  }
}

}  // namespace
}  // namespace sail
