// Keeps sail/PROTOCOL.md and the code in agreement: decodes every example, compares it with known
// values and encodes it again; compares the tables with the headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/packets.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/input.h"
#include "sail/core/wire/overlay.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/rpc.h"
#include "sail/core/wire/scene_change.h"
#include "sail/core/wire/sound.h"
#include "sail/core/wire/standby.h"
#include "sail/core/wire/stats.h"
#include "tests/unit/sail/core/wire/data/reencode.h"
#include "tests/unit/sail/core/wire/protocol_text.h"

namespace sail {
namespace {

constexpr int64_t kDay = 86'400'000'000'000;
constexpr uint64_t kSecret = 0x0123456789abcdef;

DataHeader header_of(const std::string& name) {
  const auto bytes = hex_example(name);
  if (bytes.size() < kDataHeaderBytes) return {};
  const auto header = decode_header(std::span(bytes).first<kDataHeaderBytes>());
  EXPECT_TRUE(header) << name << ": " << header.error().text;
  return header.value_or(DataHeader{});
}

std::vector<uint8_t> body_of(const std::string& name) {
  const auto bytes = hex_example(name);
  if (bytes.size() < kDataHeaderBytes) return {};
  return {bytes.begin() + kDataHeaderBytes, bytes.end()};
}

TEST(ProtocolText, HasADumpOfEachDataType) {
  for (int type = 1; type <= static_cast<int>(DataType::kBlockPlaces); ++type) {
    const auto data_type = static_cast<DataType>(type);
    const std::string name = data_type_name(data_type);
    ASSERT_FALSE(hex_example(name).empty()) << name;
    EXPECT_EQ(header_of(name).type, data_type);
    EXPECT_EQ(header_of(name).body_bytes, body_of(name).size());
  }
}

TEST(ProtocolText, DumpsEncodeToTheSameBytes) {
  int dumps = 0;
  for (const Example& example : protocol_examples()) {
    if (example.kind != "hex") continue;
    ++dumps;
    const auto bytes = hex_example(example.name);
    const auto again = reencode_data(bytes);
    ASSERT_TRUE(again) << example.name << ": " << again.error().text;
    EXPECT_EQ(*again, bytes) << example.name;
  }
  EXPECT_EQ(dumps, 25);
}

TEST(ProtocolText, DumpsOfAStreamHaveTheValuesTold) {
  EXPECT_EQ(header_of("stream_open").stream, 7u);
  const auto open = decode_stream_open(body_of("stream_open"));
  ASSERT_TRUE(open);
  EXPECT_EQ(open->secret, kSecret);
  EXPECT_EQ(open->codec, StreamCodec{});
  EXPECT_EQ(open->frame_size, (Size{3840, 2160}));
  EXPECT_EQ(open->block_size, (Size{128, 64}));

  const auto accept = decode_stream_accept(body_of("stream_accept"));
  ASSERT_TRUE(accept);
  EXPECT_EQ(accept->frames_in_flight, 4);
  EXPECT_EQ(accept->packet_key, (PacketKey{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));

  const auto begin = decode_frame_begin(body_of("frame_begin"));
  ASSERT_TRUE(begin);
  EXPECT_EQ(begin->frame, 258u);
  EXPECT_EQ(begin->epoch, 5u);
  EXPECT_EQ(begin->submitted_ns, kDay);
  EXPECT_EQ(begin->base, 257u);
  EXPECT_EQ(begin->reduction, 0);

  const auto run_body = body_of("block_run");
  const auto run = decode_block_run(std::span(run_body).first(kBlockRunFixedBytes));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->frame, 3u);
  EXPECT_EQ(run->row, 1);
  EXPECT_EQ(run->first_column, 0);
  EXPECT_EQ(run->count, 2);
  EXPECT_EQ(run_body.size(), block_run_bytes(2) + 32 + 8);

  const auto end = decode_frame_end(body_of("frame_end"));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->frame, 258u);
  EXPECT_EQ(end->encoded_ns, kDay + 6'500'000);
  EXPECT_EQ(end->sent_ns, kDay + 7'000'000);
  EXPECT_EQ(end->block_count, 450u);

  const auto shown = decode_frame_report(body_of("frame_report"));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->frame, 258u);
  EXPECT_EQ(shown->epoch, 5u);
  EXPECT_EQ(shown->outcome, FrameOutcome::kShown);
  EXPECT_EQ(shown->cause, DropCause::kNone);
  EXPECT_EQ(shown->assembled_ns, kDay + 9'000'000);
  EXPECT_EQ(shown->swapped_ns, kDay + 16'000'000);

  const auto dropped = decode_frame_report(body_of("frame_report_dropped"));
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->frame, 259u);
  EXPECT_EQ(dropped->outcome, FrameOutcome::kDropped);
  EXPECT_EQ(dropped->cause, DropCause::kSuperseded);
  EXPECT_EQ(dropped->swapped_ns, 0);

  const auto ready = decode_frame_ready(body_of("frame_ready"));
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->frame, 258u);
  EXPECT_EQ(ready->epoch, 5u);
  EXPECT_EQ(ready->render_ns, 4'200'000);
  EXPECT_EQ(ready->refresh, (Refresh{kDay + 16'000'000, 16'666'667, 1'500'000}));

  const auto show = decode_frame_show(body_of("frame_show"));
  ASSERT_TRUE(show);
  EXPECT_EQ(show->frame, 258u);
  EXPECT_EQ(show->epoch, 5u);
  EXPECT_EQ(show->at_ns, kDay + 16'000'000);

  EXPECT_EQ(decode_sound_open(body_of("sound_open"))->secret, kSecret);
  const auto sound_body = body_of("sound");
  const auto sound = decode_sound(sound_body);
  ASSERT_TRUE(sound);
  EXPECT_EQ(sound->at_ns, kDay + 16'000'000);
  EXPECT_EQ(sound->rate, 48000u);
  EXPECT_EQ(sound->channels, 2);
  EXPECT_FALSE(sound->restart);
  EXPECT_EQ(sound->count(), 2u);

  EXPECT_EQ(decode_group_open(body_of("group_open"))->secret, kSecret);
  const auto whole = decode_group_ready(body_of("group_ready"));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->present_ns, kDay + 40'000'000);
  EXPECT_EQ(whole->at_ns, 0);
  EXPECT_EQ(whole->lead_ns, 5'200'000);
  EXPECT_EQ(whole->vote, GroupVote::kReady);
  EXPECT_EQ(whole->refresh, (Refresh{kDay + 16'000'000, 16'666'667, 1'500'000}));
  const auto decision = decode_group_decision(body_of("group_verdict"));
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->present_ns, kDay + 40'000'000);
  EXPECT_EQ(decision->at_ns, kDay + 40'000'000);
  EXPECT_EQ(decision->kind, DecisionKind::kShow);

  const auto join = decode_multicast_join(body_of("multicast_join"));
  ASSERT_TRUE(join);
  EXPECT_EQ(join->secret, kSecret);
  EXPECT_EQ(join->key, accept->packet_key);
  EXPECT_EQ(ip_text(join->group), "239.1.2.3");
  EXPECT_EQ(join->port, kMulticastPort);
  const auto state = decode_multicast_state(body_of("multicast_state"));
  ASSERT_TRUE(state);
  EXPECT_EQ(state->secret, kSecret);
  EXPECT_FALSE(state->hears);
  EXPECT_EQ(state->text, "no such interface");

  const auto offer = decode_memory_offer(body_of("memory_offer"));
  ASSERT_TRUE(offer);
  EXPECT_EQ(offer->bytes, 2222899200U);
  const auto memory = decode_memory_state(body_of("memory_state"));
  ASSERT_TRUE(memory);
  EXPECT_FALSE(memory->reads);
  EXPECT_EQ(memory->text, "not sealed");
  std::vector<BlockPlace> places;
  const auto placed = decode_block_places(body_of("block_places"), places);
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->row, 1);
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[1].offset, 4128U);
  EXPECT_EQ(places[1].length, 8U);

  const auto close = decode_close(body_of("close"));
  ASSERT_TRUE(close);
  EXPECT_EQ(close->reason, CloseReason::kUnknownStream);
  EXPECT_EQ(close->text, "no stream 7 here");
}

TEST(ProtocolText, DumpsOfASnapshotHaveTheValuesTold) {
  EXPECT_EQ(header_of("snapshot_request").stream, 0u);
  const auto request = decode_snapshot_request(body_of("snapshot_request"));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->secret, kSecret);
  EXPECT_EQ(request->at_ns, kDay + 100'000'000);

  const auto picture = decode_picture_begin(body_of("picture_begin"));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->tile, "top left");
  EXPECT_EQ(picture->size, (Size{2, 2}));
  EXPECT_EQ(picture->taken_ns, kDay + 100'000'000);
  ASSERT_EQ(picture->windows.size(), 1u);
  EXPECT_EQ(picture->windows[0].window, 7u);
  EXPECT_EQ(picture->windows[0].frame, 258u);

  const auto body = body_of("picture_rows");
  const auto rows = decode_picture_rows(std::span(body).first(kPictureRowsFixedBytes));
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->first_row, 0u);
  EXPECT_EQ(rows->rows, 2u);
  EXPECT_EQ(
      std::vector<uint8_t>(body.begin() + kPictureRowsFixedBytes, body.end()),
      (std::vector<uint8_t>{0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255, 255, 255, 255, 255}));
}

TEST(ProtocolText, EveryJsonExampleIsAMessage) {
  for (const Example& example : protocol_examples()) {
    if (example.kind != "json") continue;
    const std::string line = line_example(example.name);
    ASSERT_FALSE(line.empty()) << example.name;
    const auto message = parse_rpc(line);
    ASSERT_TRUE(message) << example.name << ": " << message.error().error.message;
    std::string again;
    if (const auto* request = std::get_if<RpcRequest>(&*message)) {
      again = request->id ? request_line(*request->id, request->method, request->params)
                          : notification_line(request->method, request->params);
      EXPECT_TRUE(example.name.starts_with(request->method) || example.name == "request");
    } else {
      const auto& response = std::get<RpcResponse>(*message);
      again = response.result ? result_line(response.id, *response.result)
                              : error_line(response.id, response.result.error());
    }
    EXPECT_EQ(Json::parse(again), Json::parse(line)) << example.name;
  }
}

TEST(ProtocolText, EachControlMessageHasAnExampleThatEncodesToTheSame) {
  for (const ControlMessage& message : control_messages()) {
    const Json body = body_example(message.example);
    ASSERT_TRUE(body.is_object()) << message.example;
    const auto again = message.reencode(body);
    ASSERT_TRUE(again) << message.example << ": " << again.error().message;
    EXPECT_EQ(*again, body) << message.example;
  }
}

// Examples must have an id exactly if they are requests: a peer that takes one for a notification
// would never answer.
TEST(ProtocolText, WhatIsAnsweredIsShownAsARequest) {
  const std::set<std::string> answered = {"challenge",   "hello",        "ping",     "clock",
                                          "open_stream", "close_stream", "snapshot", "stand_by",
                                          "record",      "power"};
  for (const Example& example : protocol_examples()) {
    if (example.kind != "json") continue;
    const auto message = parse_rpc(line_example(example.name));
    ASSERT_TRUE(message) << example.name;
    const auto* request = std::get_if<RpcRequest>(&*message);
    if (request == nullptr) continue;
    EXPECT_EQ(request->id.has_value(), answered.contains(request->method)) << example.name;
  }
}

TEST(ProtocolText, NoExampleIsLeftUnchecked) {
  // These have no message type.
  std::set<std::string> checked = {"request", "result", "error", "ping", "clock"};
  for (const ControlMessage& message : control_messages()) checked.insert(message.example);
  for (const Example& example : protocol_examples()) {
    EXPECT_TRUE(example.kind == "hex" || example.kind == "packet" || example.kind == "disk" ||
                (example.kind == "json" && checked.contains(example.name)))
        << example.kind << " " << example.name;
  }
}

TEST(ProtocolText, ExamplesOfReceiversHaveTheValuesTold) {
  const auto hello = message_from_json<Hello>(body_example("hello_receiver"));
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->role, Role::kReceiver);
  EXPECT_EQ(hello->protocol, 3);
  EXPECT_EQ(hello->name, "left");
  EXPECT_EQ(hello->data_port, 40001);

  const auto welcome = message_from_json<ReceiverWelcome>(body_example("hello_receiver_result"));
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->wall, "2x2");
  EXPECT_EQ(welcome->wall_size, (Size{3860, 2180}));
  ASSERT_EQ(welcome->tiles.size(), 2u);
  EXPECT_EQ(welcome->tiles[0].name, "top left");
  EXPECT_FALSE(welcome->tiles[0].window_at);
  EXPECT_EQ(welcome->tiles[0].output, "HDMI-A-1");
  const TileInfo& tile = welcome->tiles[1];
  EXPECT_EQ(tile.wall_rect, (Rect{0, 1100, 1920, 1080}));
  EXPECT_EQ(tile.resolution, (Size{1080, 1920}));
  EXPECT_EQ(tile.rotation, 90);
  EXPECT_EQ(tile.window_at, std::pair(0, 1100));
  EXPECT_EQ(tile.correction,
            (Correction{.gain = {1, 0.98, 0.95}, .gamma = 1.02, .lut = "left.cube"}));

  EXPECT_EQ(message_from_json<ClockReading>(body_example("clock_result"))->wall_ns, kDay);

  const auto clock = message_from_json<ClockStats>(body_example("clock_stats"));
  ASSERT_TRUE(clock);
  EXPECT_EQ(clock->source, ClockSource::kManager);
  EXPECT_TRUE(clock->synchronised);
  EXPECT_EQ(clock->offset_us, -1234567.5);
  EXPECT_EQ(clock->drift_ppm, 12.25);
  EXPECT_EQ(clock->error_us, 130.5);

  const auto scene = message_from_json<Scene>(body_example("scene"));
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->epoch, 5u);
  EXPECT_FALSE(scene->identify);
  ASSERT_EQ(scene->windows.size(), 1u);
  EXPECT_EQ(scene->windows[0].window, 7u);
  EXPECT_EQ(scene->windows[0].secret, kSecret);
  EXPECT_EQ(scene->windows[0].epoch, 5u);
  EXPECT_EQ(scene->windows[0].wall_rect, (Rect{-100, 0, 3860, 2180}));
  EXPECT_EQ(scene->windows[0].frame_size, (Size{3840, 2160}));
  EXPECT_EQ(scene->windows[0].block_size, (Size{128, 64}));
  EXPECT_EQ(scene->windows[0].codec, "dxt1");

  const auto change = message_from_json<SceneChange>(body_example("scene_change"));
  ASSERT_TRUE(change);
  EXPECT_EQ(change->epoch, 6u);
  EXPECT_EQ(change->base, 5u);
  ASSERT_EQ(change->windows.size(), 1u);
  EXPECT_EQ(change->windows[0].secret, 255u);
  EXPECT_EQ(change->removed, std::vector<uint32_t>{3});
  EXPECT_EQ(change->order, (std::vector<uint32_t>{8, 7}));
  EXPECT_EQ(change->fade_ms, 1500);

  const auto ready = message_from_json<EpochReady>(body_example("epoch_ready"));
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->stream, 7u);
  EXPECT_EQ(ready->epoch, 5u);
  EXPECT_EQ(ready->frame, 258u);
  EXPECT_EQ(ready->lead_ns, 5'200'000);

  const auto taken = message_from_json<TakeEffect>(body_example("take_effect"));
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->stream, 7u);
  EXPECT_EQ(taken->epoch, 5u);
  EXPECT_EQ(taken->frame, 258u);
  EXPECT_EQ(taken->at_ns, kDay + 12'000'000);

  const auto go = message_from_json<Go>(body_example("go"));
  ASSERT_TRUE(go);
  EXPECT_EQ(go->at_ns, kDay + 12'000'000);
  EXPECT_EQ(go->scene_epoch, 5u);
  ASSERT_EQ(go->frames.size(), 1u);
  EXPECT_EQ(go->frames[0].stream, 7u);
  EXPECT_EQ(go->frames[0].frame, 258u);
  EXPECT_EQ(go->frames[0].epoch, 5u);

  const auto permit = message_from_json<SnapshotPermit>(body_example("snapshot"));
  ASSERT_TRUE(permit);
  EXPECT_EQ(permit->secret, 0xfedcba9876543210u);
  EXPECT_EQ(permit->at_ns, kDay + 100'000'000);

  const auto overlay = message_from_json<Overlay>(body_example("overlay"));
  ASSERT_TRUE(overlay);
  const std::vector<OverlayLabel> labels = {
      {.x = -100, .y = 0, .lines = {"Film", "dxt1 59.9 fps"}, .colour = 0xffffff}};
  EXPECT_EQ(overlay->labels, labels);
  const std::vector<OverlayPointer> pointers = {
      {.x = 1930, .y = 540, .name = "Ada", .colour = 0xff8800, .pressed = true},
      {.x = 40,
       .y = 50,
       .name = "Bob",
       .colour = 0x0088ff,
       .style = PointerStyle::kLaser,
       .trail = {38, 50, 35, 51}},
      {.x = 900,
       .y = 500,
       .name = "Eve",
       .colour = 0x00ff88,
       .style = PointerStyle::kSpotlight,
       .area = {0, 0, 1920, 1080}},
      {.x = 9,
       .y = 9,
       .name = "Kim",
       .colour = 0xffffff,
       .style = PointerStyle::kMagnifier,
       .factor = 4}};
  EXPECT_EQ(overlay->pointers, pointers);
  const std::vector<OverlayDrawing> drawings = {{.clip = {{{0, 0, 1920, 1080}}},
                                                 .strokes = {{.points = {10, 10, 300, 200},
                                                              .width = 8,
                                                              .colour = 0xff3b30,
                                                              .opacity = 40,
                                                              .arrow = true},
                                                             {.points = {20, 30, 20, 30},
                                                              .width = 48,
                                                              .colour = 0xffffff,
                                                              .text = {"Exit", "left"}}}}};
  EXPECT_EQ(overlay->drawings, drawings);

  const auto levels = message_from_json<SoundLevels>(body_example("sound_levels"));
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->levels, (std::vector<SoundLevels::Level>{{7, 0.5, 0.125}}));

  const auto stats = message_from_json<ReceiverStats>(body_example("receiver_stats"));
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->frames_shown, 257u);
  EXPECT_EQ(stats->frames_dropped, 1u);
  EXPECT_EQ(stats->bytes_received, 534773760u);
  EXPECT_EQ(stats->sessions_refused, 0u);
  EXPECT_EQ(stats->packets_refused, 7u);
  EXPECT_EQ(stats->packets_refused_from, (std::vector<RefusedSender>{{"10.0.0.7", 6}}));
  EXPECT_EQ(stats->decoders_lost, 2u);
  EXPECT_EQ(stats->render_ms, 4.25);
  EXPECT_EQ(stats->clock_error_us, 62.5);
  const std::vector<RefreshStats> refresh = {{.tile = "left",
                                              .source = RefreshSource::kMeasured,
                                              .period_ns = 16'683'350,
                                              .at_ns = kDay + 16'000'000}};
  EXPECT_EQ(stats->refresh, refresh);
  const DisplayStats display{
      .driver = "x11",
      .renderer = "AMD Radeon",
      .trouble = "the window of tile 'left' is at 0,0 instead of 1920,0",
      .uncorrected =
          "tile 'left' is shown uncorrected: left.cube: line 3: must be three finite numbers",
      .windows = {{.tile = "left", .display = "HDMI-1", .rect = {0, 0, 1920, 1080}}}};
  EXPECT_EQ(stats->display, display);
  EXPECT_EQ(stats->update, "version 0.3.0 is installed");
}

TEST(ProtocolText, ExamplesOfApplicationsHaveTheValuesTold) {
  const auto hello = message_from_json<Hello>(body_example("hello_application"));
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->role, Role::kApplication);
  EXPECT_EQ(hello->name, "bplay");
  EXPECT_EQ(hello->data_port, 0);

  const auto open = message_from_json<OpenStream>(body_example("open_stream"));
  ASSERT_TRUE(open);
  EXPECT_EQ(open->title, "bigbuckbunny.mp4");
  EXPECT_EQ(open->frame_size, (Size{3840, 2160}));
  EXPECT_EQ(open->block_size, (Size{128, 64}));
  EXPECT_EQ(open->codecs, std::vector<std::string>{"dxt1"});
  EXPECT_EQ(open->place, (Rect{-100, 0, 3860, 2180}));
  EXPECT_EQ(open->transport, Transport::kUdp);

  const Content content{.media = {"/films/bigbuckbunny.mp4"}, .program = "bplay", .loop = true};
  EXPECT_EQ(open->content, content);
  EXPECT_TRUE(open->takes_input);

  const auto opened = message_from_json<StreamOpened>(body_example("open_stream_result"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->stream, 7u);
  EXPECT_EQ(opened->window, 3u);
  EXPECT_EQ(opened->secret, kSecret);
  EXPECT_EQ(opened->codec, "dxt1");
  EXPECT_EQ(opened->transport, Transport::kUdp);
  EXPECT_EQ(opened->mtu, 1500);

  const auto routes = message_from_json<Routes>(body_example("routes"));
  ASSERT_TRUE(routes);
  EXPECT_EQ(routes->stream, 7u);
  EXPECT_EQ(routes->epoch, 5u);
  EXPECT_EQ(routes->wall_rect, (Rect{-100, 0, 3860, 2180}));
  const std::vector<Route> expected = {
      {"left", "10.0.0.11", 40001, {{0, 0, 16, 34}}},
      {"right", "10.0.0.12", 40001, {{15, 0, 15, 17}, {15, 17, 15, 17}}}};
  EXPECT_EQ(routes->routes, expected);

  const auto event = message_from_json<AppEvent>(body_example("event"));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->stream, 7u);
  EXPECT_EQ(event->type, "seek");
  EXPECT_EQ(event->value, 61.5);

  const auto stats = message_from_json<StreamStats>(body_example("stream_stats"));
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->stream, 7u);
  EXPECT_EQ(stats->frames_submitted, 258u);
  EXPECT_EQ(stats->frames_sent, 258u);
  EXPECT_EQ(stats->frames_shown, 256u);
  EXPECT_EQ(stats->frames_dropped, 2u);
  EXPECT_EQ(stats->bytes_sent, 1069547520u);
  EXPECT_EQ(stats->fps_shown, 30);
  EXPECT_EQ(stats->mbit_per_s, 995.5);
  EXPECT_EQ(stats->latency_ms_p50, 16.5);
  EXPECT_EQ(stats->latency_ms_p99, 24.25);
  EXPECT_EQ(stats->skew_us_p50, 110);
  EXPECT_EQ(stats->skew_us_p99, 320.5);
  EXPECT_EQ(stats->delay_ms, 80);
  EXPECT_EQ(stats->dropped, (DropCounts{.superseded = 1, .lost = 1}));
  EXPECT_EQ(stats->links.size(), 2u);
}

TEST(ProtocolText, InputHasTheValuesTold) {
  const auto down = message_from_json<StreamInput>(body_example("input"));
  ASSERT_TRUE(down);
  EXPECT_EQ(down->stream, 7u);
  EXPECT_EQ(down->client, 3u);
  EXPECT_EQ(down->input.type, InputType::kDown);
  EXPECT_EQ(down->input.at, (InputPoint{1919.5, 1080}));
  EXPECT_EQ(down->input.button, 0);
  EXPECT_EQ(down->input.buttons, 1);
  EXPECT_EQ(down->input.modifiers, 2);

  const auto key = message_from_json<StreamInput>(body_example("input_key"));
  ASSERT_TRUE(key);
  EXPECT_EQ(key->input.type, InputType::kKeyDown);
  EXPECT_EQ(key->input.key, "ArrowLeft");
  EXPECT_EQ(key->input.at, std::nullopt);

  const auto wheel = message_from_json<StreamInput>(body_example("input_wheel"));
  ASSERT_TRUE(wheel);
  EXPECT_EQ(wheel->input.wheel_x, 0);
  EXPECT_EQ(wheel->input.wheel_y, -1.5);
}

TEST(ProtocolText, PlaybackAndThumbnailsHaveTheValuesTold) {
  const auto film = message_from_json<StreamPlayback>(body_example("playback"));
  ASSERT_TRUE(film);
  EXPECT_EQ(film->stream, 7u);
  const Playback playback{.position_s = 61.5,
                          .at_ns = kDay,
                          .duration_s = 596.5,
                          .paused = false,
                          .rate = 1,
                          .loop = true,
                          .volume = 0.75,
                          .live = false};
  EXPECT_EQ(film->playback, playback);
  const auto tracks = message_from_json<StreamPlayback>(body_example("playback_tracks"));
  ASSERT_TRUE(tracks);
  const FilmTracks listed{
      .subtitles = {{.language = "ger",
                     .format = "hdmv_pgs_subtitle",
                     .forced = true,
                     .title = "Deutsch",
                     .pictures = true},
                    {.language = "", .format = "subrip", .file = "film.srt"}},
      .sounds =
          {{.language = "eng", .title = "", .format = "ac3", .channels = 6, .layout = "5.1(side)"}},
      .subtitle = kForcedSubtitleTrack,
      .sound = 1};
  EXPECT_EQ(tracks->playback.tracks, listed);
  const auto document = message_from_json<StreamPlayback>(body_example("playback_page"));
  ASSERT_TRUE(document);
  EXPECT_EQ(document->playback.page, 3);
  EXPECT_EQ(document->playback.pages, 12);

  const auto request = message_from_json<ThumbnailRequest>(body_example("thumbnails"));
  ASSERT_TRUE(request);
  EXPECT_EQ(*request, (ThumbnailRequest{.stream = 7, .width = 320, .per_second = 2.5}));
  const auto thumbnail = message_from_json<Thumbnail>(body_example("thumbnail"));
  ASSERT_TRUE(thumbnail);
  EXPECT_EQ(thumbnail->size, (Size{320, 180}));
  EXPECT_TRUE(thumbnail->jpeg.starts_with("/9j/"));
}

TEST(ProtocolText, LinksHaveTheValuesTold) {
  const auto stats = message_from_json<StreamStats>(body_example("stream_stats"));
  ASSERT_TRUE(stats);
  ASSERT_EQ(stats->links.size(), 2u);
  const LinkStats& udp = stats->links[0];
  EXPECT_EQ(udp.receiver, "left");
  EXPECT_EQ(udp.transport, Transport::kUdp);
  EXPECT_EQ(udp.mbit_per_s, 497.75);
  EXPECT_EQ(udp.limit_mbit_per_s, 0);
  EXPECT_EQ(udp.rtt_ms, 1.25);
  EXPECT_EQ(udp.delay_ms, 0.75);
  EXPECT_EQ(udp.queue_ms, 0.125);
  EXPECT_EQ(udp.jitter_ms, 0.0625);
  EXPECT_EQ(udp.fec_pct, 5.5);
  EXPECT_EQ(udp.bytes_parity, 29000000u);
  EXPECT_EQ(udp.packets_sent, 382000u);
  EXPECT_EQ(udp.bytes_sent, 534773760u);
  EXPECT_EQ(udp.packets_retransmitted, 12u);
  const LinkCounters counters{.packets_arrived = 381980,
                              .bytes_arrived = 534745000,
                              .packets_lost = 20,
                              .packets_reordered = 3,
                              .packets_duplicated = 1,
                              .packets_late = 2,
                              .mended_fec = 9,
                              .mended_retransmit = 10,
                              .socket_full = 0,
                              .frames_lost = 1,
                              .bursts = {8, 2, 1, 1, 0, 0, 0, 0}};
  EXPECT_EQ(udp.counters, counters);

  const LinkStats& tcp = stats->links[1];
  EXPECT_EQ(tcp.transport, Transport::kTcp);
  EXPECT_EQ(tcp.rtt_ms, 0.5);
  EXPECT_EQ(tcp.packets_retransmitted, 4u);
  EXPECT_EQ(tcp.counters, LinkCounters{});
  EXPECT_EQ(tcp.trouble, LinkTrouble::kNotReady);
  EXPECT_EQ(tcp.trouble_s, 2.5);
  EXPECT_EQ(tcp.instead_of, Transport::kUdp);
}

// --- tables of messages -------------------------------------------------------------------------

using Names = std::map<std::string, bool>;  // field names; true: optional

class NameFields {
 public:
  explicit NameFields(Names& names) : names_(names) {}

  void operator()(const char* name, const auto& kind, const auto& value) const {
    names_[name] = may_be_missing(kind) || may_be_missing(value);
  }

 private:
  static bool may_be_missing(const auto&) { return false; }
  static bool may_be_missing(const Flag&) { return true; }
  template <typename Kind>
  static bool may_be_missing(const Optional<Kind>& optional) {
    return !optional.needed;
  }
  template <typename T>
  static bool may_be_missing(const std::optional<T>&) {
    return true;
  }

  Names& names_;
};

template <typename Message>
Names declared(const Message& message) {
  Names names;
  const NameFields visit(names);
  fields(visit, message);
  return names;
}

// Fields of a table that start with the prefix, without the prefix.
Names reported(const std::string& section, size_t table, const std::string& prefix = "") {
  Names names;
  const auto tables = tables_of(section);
  if (table >= tables.size()) return names;
  const std::regex field(R"([\w.\[\]]+)");
  for (const auto& row : tables[table]) {
    bool optional = false;
    for (const std::string& cell : row) {
      optional = optional || cell.starts_with("optional") || cell.ends_with(", optional");
    }
    std::string before;  // "routes[]" of "`routes[].host`, `.port`"
    for (std::sregex_iterator it(row[0].begin(), row[0].end(), field), end; it != end; ++it) {
      std::string name = it->str();
      if (name.starts_with('.')) name = before + name;
      before = name.substr(0, name.rfind('.'));
      if (!name.starts_with(prefix)) continue;
      name = name.substr(prefix.size());
      if (name.find('.') == std::string::npos) names[name] = optional;
    }
  }
  return names;
}

TEST(ProtocolText, TablesAreTheFieldsDeclared) {
  EXPECT_EQ(reported("hello", 1), declared(ReceiverWelcome()));
  EXPECT_EQ(reported("hello", 1, "tiles[]."), declared(TileInfo()));
  EXPECT_EQ(reported("hello", 1, "tiles[].correction."), declared(Correction()));
  EXPECT_EQ(reported("record", 0), declared(Record()));
  EXPECT_EQ(reported("record", 1), declared(RecordSound()));
  EXPECT_EQ(reported("stand_by", 0), declared(Journal()));
  EXPECT_EQ(reported("journal", 0), declared(JournalNews()));
  EXPECT_EQ(reported("scene", 0), declared(Scene()));
  EXPECT_EQ(reported("scene", 0, "windows[]."), declared(SceneWindow()));
  EXPECT_EQ(reported("scene", 0, "windows[].look."), declared(ViewTransform()));
  EXPECT_EQ(reported("scene", 0, "windows[].part."), declared(FramePart()));
  EXPECT_EQ(reported("scene", 0, "windows[].source."), declared(WindowSource()));
  EXPECT_EQ(reported("scene", 0, "blanks[]."), declared(SceneBlank()));
  EXPECT_EQ(reported("scene_change", 0), declared(SceneChange()));
  EXPECT_EQ(reported("overlay", 0), declared(Overlay()));
  EXPECT_EQ(reported("overlay", 0, "labels[]."), declared(OverlayLabel()));
  EXPECT_EQ(reported("overlay", 0, "pointers[]."), declared(OverlayPointer()));
  EXPECT_EQ(reported("overlay", 0, "drawings[]."), declared(OverlayDrawing()));
  EXPECT_EQ(reported("overlay", 0, "drawings[].strokes[]."), declared(OverlayStroke()));
  EXPECT_EQ(reported("sound_mix", 0), declared(SoundMix()));
  EXPECT_EQ(reported("sound_mix", 0, "streams[]."), declared(SoundMix::Stream()));
  EXPECT_EQ(reported("sound_levels", 0), declared(SoundLevels()));
  EXPECT_EQ(reported("sound_levels", 0, "levels[]."), declared(SoundLevels::Level()));
  EXPECT_EQ(reported("sound_routes", 0), declared(SoundRoutes()));
  EXPECT_EQ(reported("sound_routes", 0, "routes[]."), declared(SoundRoutes::Route()));
  EXPECT_EQ(reported("receiver_stats", 0), declared(ReceiverStats()));
  EXPECT_EQ(reported("receiver_stats", 0, "refresh[]."), declared(RefreshStats()));
  EXPECT_EQ(reported("receiver_stats", 0, "display."), declared(DisplayStats()));
  EXPECT_EQ(reported("receiver_stats", 0, "display.windows[]."), declared(DisplayStats::Window()));
  EXPECT_EQ(reported("open_stream", 0), declared(OpenStream()));
  EXPECT_EQ(reported("open_stream", 0, "content."), declared(Content()));
  EXPECT_EQ(reported("open_stream", 0, "resume."), declared(Resume()));
  EXPECT_EQ(reported("open_stream", 0, "part."), declared(JoinParts()));
  EXPECT_EQ(reported("open_stream", 1), declared(StreamOpened()));
  EXPECT_EQ(reported("routes", 0), declared(Routes()));
  EXPECT_EQ(reported("routes", 0, "routes[]."), declared(Route()));
  const GroupMembership seat{.name = "panels", .host = "::1"};
  EXPECT_EQ(reported("group", 0), declared(seat));
  EXPECT_EQ(reported("group", 0, "timeline."), declared(Timeline()));
  EXPECT_EQ(reported("thumbnail", 0), declared(Thumbnail()));
  EXPECT_EQ(reported("stream_stats", 0), declared(StreamStats()));
  EXPECT_EQ(reported("stream_stats", 1), declared(LinkStats()));
  Names over_udp = reported("stream_stats", 1);
  over_udp.merge(reported("stream_stats", 2));
  EXPECT_EQ(over_udp, declared(LinkStats{.transport = Transport::kUdp}));
  Names of_a_document = declared(StreamPlayback{.stream = 1, .playback = {.page = 1}});
  of_a_document["pages"] = true;  // missing together with the page
  EXPECT_EQ(reported("playback", 0), of_a_document);
  EXPECT_EQ(reported("playback", 0, "tracks."), declared(FilmTracks()));
  EXPECT_EQ(reported("playback", 0, "tracks.subtitles[]."), declared(SubtitleTrackFacts()));
  EXPECT_EQ(reported("playback", 0, "tracks.sounds[]."), declared(SoundTrackFacts()));
}

constexpr size_t kSymbolBytes = 4;

TEST(ProtocolText, DumpsOfFramePacketsHaveTheValuesTold) {
  const auto bytes = packet_example("source");
  const auto header = decode_packet_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->type, PacketType::kSource);
  EXPECT_EQ(header->stream, 7u);
  EXPECT_EQ(header->secret, 0x1122334455667788u);
  EXPECT_EQ(header->number, 9u);
  EXPECT_EQ(header->sent_us, 1'000'000u);
  const auto source = decode_frame_packet(bytes, kSymbolBytes);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->packet.name, (FrameName{258, 5}));
  EXPECT_EQ(source->packet.symbol, 1u);
  EXPECT_EQ(source->packet.parity, 2);
  EXPECT_TRUE(source->packet.last);
  EXPECT_TRUE(source->packet.repeat);
  EXPECT_EQ(source->bytes.size(), 3u);

  const auto parity = decode_frame_packet(packet_example("parity"), kSymbolBytes);
  ASSERT_TRUE(parity);
  EXPECT_EQ(parity->packet.symbol, 0u);
  EXPECT_EQ(parity->packet.parity, 2);
  EXPECT_EQ(parity->packet.index, 1);
  EXPECT_EQ(parity->packet.tail_bytes, 3);
  EXPECT_EQ(parity->packet.sources, 2);
  EXPECT_TRUE(parity->packet.last);
}

TEST(ProtocolText, DumpsOfProbeAndFeedbackHaveTheValuesTold) {
  const auto probe = decode_probe(packet_example("probe"));
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->name, (FrameName{258, 5}));
  EXPECT_EQ(probe->symbols, 2u);
  EXPECT_TRUE(probe->whole);

  Feedback feedback;
  ASSERT_TRUE(decode_feedback(packet_example("feedback"), feedback));
  EXPECT_EQ(feedback.echo_us, 1'000'002u);
  EXPECT_EQ(feedback.echo_hold_us, 500u);
  EXPECT_EQ(feedback.highest, 11u);
  EXPECT_EQ(feedback.whole, (FrameName{257, 5}));
  EXPECT_EQ(feedback.counters.packets_arrived, 10u);
  EXPECT_EQ(feedback.counters.bytes_arrived, 1000u);
  EXPECT_EQ(feedback.counters.packets_lost, 1u);
  EXPECT_EQ(feedback.counters.bursts[0], 1u);
  EXPECT_EQ(feedback.jitter_us, 50u);
  EXPECT_EQ(feedback.delay_us, 400u);
  EXPECT_EQ(feedback.queue_us, 20u);
  EXPECT_EQ(feedback.missing, (std::vector<Missing>{{{258, 5}, 0, 1}}));
}

TEST(ProtocolText, ThePacketOfMessagesHasTheMessageTold) {
  const auto bytes = packet_example("messages");
  const auto header = decode_packet_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->type, PacketType::kMessages);
  const auto text = std::span(bytes).subspan(kPacketHeaderBytes);
  EXPECT_TRUE(std::ranges::equal(text, hex_example("frame_show")));
  std::vector<uint8_t> again(bytes.size());
  EXPECT_EQ(encode_to(again, *header, text), bytes.size());
  EXPECT_EQ(again, bytes);
}

TEST(ProtocolText, DumpsOfPacketsEncodeToTheSameBytes) {
  for (const char* name : {"source", "parity", "probe", "feedback"}) {
    const auto bytes = packet_example(name);
    const auto header = decode_packet_header(bytes);
    ASSERT_TRUE(header) << name;
    std::vector<uint8_t> again(bytes.size());
    if (const auto packet = decode_frame_packet(bytes, kSymbolBytes)) {
      const size_t head = encode_to(again, *header, packet->packet);
      std::copy(packet->bytes.begin(), packet->bytes.end(),
                again.begin() + static_cast<ptrdiff_t>(head));
    } else if (const auto probe = decode_probe(bytes)) {
      EXPECT_EQ(encode_to(again, *header, *probe), bytes.size());
    } else {
      Feedback feedback;
      ASSERT_TRUE(decode_feedback(bytes, feedback)) << name;
      EXPECT_EQ(encode_to(again, *header, feedback), bytes.size());
    }
    EXPECT_EQ(again, bytes) << name;
  }
}

TEST(ProtocolText, LimitsAreThoseOfTheHeader) {
#define LIMIT(name) \
  { #name, static_cast < uint64_t>(name) }
  const std::map<std::string, uint64_t> limits = {LIMIT(kControlProtocol),
                                                  LIMIT(kDefaultControlPort),
                                                  LIMIT(kDefaultFilmServerPort),
                                                  LIMIT(kMulticastPort),
                                                  LIMIT(kMaxHops),
                                                  LIMIT(kMaxControlLine),
                                                  LIMIT(kMaxJsonDepth),
                                                  LIMIT(kMaxControlQueue),
                                                  LIMIT(kMaxUnsentOfAll),
                                                  LIMIT(kHelloTimeoutMs),
                                                  LIMIT(kMaxUnauthenticatedBytes),
                                                  LIMIT(kMaxUnauthenticated),
                                                  LIMIT(kCallTimeoutMs),
                                                  LIMIT(kHeartbeatMs),
                                                  LIMIT(kHeartbeatTimeoutMs),
                                                  LIMIT(kMaxNameLength),
                                                  LIMIT(kMaxTitleLength),
                                                  LIMIT(kMaxKeySecret),
                                                  LIMIT(kMaxKeyName),
                                                  LIMIT(kNonceDigits),
                                                  LIMIT(kProofDigits),
                                                  LIMIT(kMaxMethodLength),
                                                  LIMIT(kMaxPeers),
                                                  LIMIT(kMaxCounter),
                                                  LIMIT(kMaxTimeNs),
                                                  LIMIT(kMaxTiles),
                                                  LIMIT(kMaxRecorders),
                                                  LIMIT(kMaxTileSide),
                                                  LIMIT(kMaxWallSide),
                                                  LIMIT(kMaxWindows),
                                                  LIMIT(kMaxWindowSide),
                                                  LIMIT(kMaxDroppableQueue),
                                                  LIMIT(kMaxLabels),
                                                  LIMIT(kMaxLabelLines),
                                                  LIMIT(kMaxLabelLine),
                                                  LIMIT(kMaxOverlayPointers),
                                                  LIMIT(kMaxStyledPointers),
                                                  LIMIT(kMaxPointerTrail),
                                                  LIMIT(kMaxMagnification),
                                                  LIMIT(kMaxWindowOffset),
                                                  LIMIT(kDataProtocol),
                                                  LIMIT(kMaxFrameSide),
                                                  LIMIT(kMinBlockSide),
                                                  LIMIT(kMaxBlockSide),
                                                  LIMIT(kScalableBlockStep),
                                                  LIMIT(kMaxBlocksPerSide),
                                                  LIMIT(kMaxRouteRects),
                                                  LIMIT(kMaxCodecNames),
                                                  LIMIT(kMaxCodecReason),
                                                  LIMIT(kMaxPurpose),
                                                  LIMIT(kMaxCloseText),
                                                  LIMIT(kMaxMessageBody),
                                                  LIMIT(kMaxHelloStreams),
                                                  LIMIT(kMaxFramesInFlight),
                                                  LIMIT(kMaxDelayMs),
                                                  LIMIT(kDataOpenTimeoutMs),
                                                  LIMIT(kDecodeTimeoutMs),
                                                  LIMIT(kMaxStreamsPerReceiver),
                                                  LIMIT(kMaxSoundsPerReceiver),
                                                  LIMIT(kMinSoundRate),
                                                  LIMIT(kMaxSoundRate),
                                                  LIMIT(kMaxSoundChannels),
                                                  LIMIT(kMaxSoundBytes),
                                                  LIMIT(kMaxSoundAheadNs),
                                                  LIMIT(kMaxFadeMs),
                                                  LIMIT(kMaxSceneFadeMs),
                                                  LIMIT(kMaxUnprovenConnections),
                                                  LIMIT(kMaxLeadNs),
                                                  LIMIT(kMessageLeadNs),
                                                  LIMIT(kBarrierTimeoutMs),
                                                  LIMIT(kTransactionTimeoutMs),
                                                  LIMIT(kStallTimeoutMs),
                                                  LIMIT(kMaxPresentAheadNs),
                                                  LIMIT(kSamePresentNs),
                                                  LIMIT(kMaxGroups),
                                                  LIMIT(kMaxGroupMembers),
                                                  LIMIT(kMaxRanks),
                                                  LIMIT(kPartNameNs),
                                                  LIMIT(kJoinTimeoutMs),
                                                  LIMIT(kMaxContentMedia),
                                                  LIMIT(kMaxContentBytes),
                                                  LIMIT(kMaxPages),
                                                  LIMIT(kMaxSubtitleTrack),
                                                  LIMIT(kMaxBlanks),
                                                  LIMIT(kMaxDrawings),
                                                  LIMIT(kMaxStrokes),
                                                  LIMIT(kMaxStrokePoints),
                                                  LIMIT(kMaxDrawnPoints),
                                                  LIMIT(kMaxDrawingClip),
                                                  LIMIT(kMaxStrokeWidth),
                                                  LIMIT(kMaxBlankText),
                                                  LIMIT(kMaxEventRules),
                                                  LIMIT(kMaxEventRulesBytes),
                                                  LIMIT(kMaxEventConditions),
                                                  LIMIT(kMaxEventActions),
                                                  LIMIT(kMaxEventPayload),
                                                  LIMIT(kMaxActiveEvents),
                                                  LIMIT(kMinThumbnailSide),
                                                  LIMIT(kMaxThumbnailSide),
                                                  LIMIT(kMaxThumbnailsPerSecond),
                                                  LIMIT(kMaxThumbnailBytes),
                                                  LIMIT(kMaxNotedPages),
                                                  LIMIT(kMaxPageNotes),
                                                  LIMIT(kMaxNotesBytes)};
#undef LIMIT
  std::map<std::string, uint64_t> reported;
  const std::string text = source_file("sail/PROTOCOL.md");
  const std::regex limit(R"(`(k\w+)`\s+(\d+))");  // "`kName` 12"
  for (std::sregex_iterator it(text.begin(), text.end(), limit), end; it != end; ++it) {
    reported[(*it)[1].str()] = std::stoull((*it)[2].str());
  }
  EXPECT_EQ(reported, limits);

  std::set<std::string> declared;
  const std::string header = source_file("sail/core/text/limits.h");
  const std::regex constant(R"(constexpr \w+ (k\w+) = )");
  for (std::sregex_iterator it(header.begin(), header.end(), constant), end; it != end; ++it) {
    declared.insert((*it)[1]);
  }
  std::set<std::string> named;
  for (const auto& [name, value] : limits) named.insert(name);
  EXPECT_EQ(declared, named);
}

// Inputs of another version are refused at their first bytes and so test nothing.
TEST(ProtocolText, InputsOfFuzzTargetsSpeakThisVersion) {
  constexpr std::string_view kMagic = "VTRL";
  size_t messages = 0;
  for (const char* target : {"data_messages", "stream_bytes", "stream_packets"}) {
    for (const std::string& path : files_in("tests/fuzz/corpus/" + std::string(target))) {
      if (path.ends_with("bad_version")) continue;
      const std::string input = source_file(path);
      for (size_t at = input.find(kMagic); at < input.size() - kMagic.size();
           at = input.find(kMagic, at + 1)) {
        EXPECT_EQ(static_cast<uint8_t>(input[at + kMagic.size()]), kDataProtocol) << path;
        ++messages;
      }
    }
  }
  EXPECT_GT(messages, 100U);
}

TEST(ProtocolText, CloseReasonsAreThoseOfTheHeader) {
  std::vector<std::string> reported;
  for (const auto& row : protocol_table("reason")) {
    EXPECT_EQ(std::stoul(row.at(0)), reported.size());
    reported.push_back(row.at(1));
  }
  std::vector<std::string> known;
  for (int reason = 0; reason <= static_cast<int>(CloseReason::kShutdown); ++reason) {
    known.emplace_back(close_reason_name(static_cast<CloseReason>(reason)));
  }
  EXPECT_EQ(reported, known);
}

// Some sentences of the text state limits.
TEST(ProtocolText, LimitsInSentencesAreThoseOfTheHeader) {
  const std::string text = source_file("sail/PROTOCOL.md");
  const auto named = [&](const std::string& before) {
    std::smatch number;
    EXPECT_TRUE(std::regex_search(text, number, std::regex(before + "([0-9]+)"))) << before;
    return number.empty() ? uint64_t{0} : std::stoull(number[1]);
  };
  EXPECT_EQ(named("body_bytes \\| length of the body, at most "), kMaxMessageBody);
  EXPECT_EQ(named("A receiver keeps at most "), kMaxUnprovenConnections);
  EXPECT_EQ(named("A frame has at most "), kMaxSymbols);
  EXPECT_EQ(named("SAIL may send up to "), kMaxGroupParity);
  EXPECT_EQ(named("0\\+8 bytes` of the memory, 1 to "), kMaxSharedBytes);
  EXPECT_EQ(named("delay_us`: at most "), uint64_t{kMaxDelayMs} * 1000);
}

TEST(ProtocolText, TypesAreThoseOfTheHeader) {
  size_t type = 0;
  for (const auto& row : protocol_table("type")) {
    EXPECT_EQ(std::stoul(row.at(0)), ++type);
    EXPECT_EQ(row.at(1), data_type_name(static_cast<DataType>(type)));
  }
  EXPECT_EQ(type, static_cast<size_t>(DataType::kBlockPlaces));
}

}  // namespace
}  // namespace sail
