// Traces a film on a wall in memory, and checks the time stamps that `vitrail trace` collects.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "sail/apps/play/bplay.h"
#include "sail/core/wire/trace_answers.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"
#include "ui/client/chrome_trace.h"

namespace test {
namespace {

using sail::TraceStage;
using sail::TraceStamp;

constexpr sail::Size kTracedSize{650, 366};  // all tiles show a part of it
constexpr double kSeconds = 0.5;

class TraceWall : public testing::Test {
 protected:
  // Traces half a second of all of the wall's processes.
  std::vector<ui::TracedProcess> trace() {
    const sail::Json begun = wall_.call("trace", {{"seconds", kSeconds}});
    EXPECT_EQ(begun["processes"].size(), 1 + wall_.wall().receivers.size());
    const int64_t shown = frames_shown();
    EXPECT_TRUE(eventually([&] { return frames_shown() > shown + 30; }));
    std::vector<ui::TracedProcess> processes;
    for (const sail::Json& process : begun["processes"]) {
      ui::TracedProcess reported{.name = ui::text_member(process, "name"), .stamps = {}};
      sail::Json from = 0;
      while (!from.is_null()) {
        const sail::Json part =
            wall_.call("trace_read", {{"process", process["process"]}, {"from", from}});
        const auto stamps = sail::trace_part(part);
        EXPECT_TRUE(stamps);
        reported.stamps.insert(reported.stamps.end(), stamps->begin(), stamps->end());
        from = part.value("next", sail::Json());
      }
      processes.push_back(std::move(reported));
    }
    return processes;
  }
  int64_t frames_shown() {
    const sail::Json windows = wall_.call("stats")["windows"];
    if (windows.empty() || !windows[0].contains("stats")) return 0;
    return windows[0]["stats"]["frames_shown"];
  }
  void play(const char* codec, const std::function<void()>& look) {
    const std::string film = folder_.file("film.vmov");
    write_test_film(film, {.size = kTracedSize, .codec = codec, .fps = 25, .frames = 100});
    sail::BplayOptions options;
    options.films = {film};
    options.manager = wall_.manager_address();
    options.place = sail::Rect{0, 0, kTracedSize.width, kTracedSize.height};
    options.loop = true;
    options.log_level = sail::LogLevel::kError;
    std::thread player([&] { sail::Bplay(options).run(); });
    EXPECT_TRUE(eventually([&] { return frames_shown() > 10; }));
    look();
    wall_.call("close", {{"window", wall_.window().value("window", 0)}});
    player.join();
  }
  const sail::TempFolder folder_;
  HeadlessWall wall_{grid_wall()};
};

using Stages = std::map<TraceStage, TraceStamp>;

// Stamps by frame; for each stage the first one (encoding has several).
std::map<uint64_t, Stages> by_frame(const std::vector<TraceStamp>& stamps) {
  std::map<uint64_t, Stages> frames;
  for (const TraceStamp& stamp : stamps) {
    EXPECT_LE(stamp.begin_ns, stamp.end_ns);
    const auto [known, is_new] = frames[stamp.frame].try_emplace(stamp.stage, stamp);
    if (!is_new && stamp.begin_ns < known->second.begin_ns) known->second = stamp;
  }
  return frames;
}

// Maximum clock difference of processes on one host; sanitizers delay clock exchanges.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int64_t kClocksNs = 200'000'000;
#else
constexpr int64_t kClocksNs = 5'000'000;
#endif

// Expects all stages in order for each frame that every receiver has shown. Returns the number of
// these frames.
size_t expect_whole_frames(const std::vector<ui::TracedProcess>& processes, bool decoded) {
  std::map<uint64_t, Stages> sent;
  std::vector<std::map<uint64_t, Stages>> received;
  for (const ui::TracedProcess& process : processes) {
    auto frames = by_frame(process.stamps);
    // The trace may have started after the first frame was submitted.
    const bool sends = std::ranges::any_of(
        frames, [](const auto& frame) { return frame.second.contains(TraceStage::kSubmit); });
    if (sends)
      sent = std::move(frames);
    else
      received.push_back(std::move(frames));
  }
  EXPECT_EQ(received.size(), 4U);
  size_t whole = 0;
  for (auto& [number, stages] : sent) {
    const bool everywhere = std::ranges::all_of(received, [&](const auto& receiver) {
      const auto frame = receiver.find(number);
      return frame != receiver.end() && frame->second.contains(TraceStage::kSwap) &&
             frame->second.contains(TraceStage::kPackets);
    });
    if (!everywhere || !stages.contains(TraceStage::kSubmit)) continue;
    ++whole;
    for (const auto& receiver : received) {
      Stages all = stages;
      all.insert(receiver.at(number).begin(), receiver.at(number).end());
      SCOPED_TRACE(number);
      int64_t before_ns = 0;
      for (const TraceStage stage :
           {TraceStage::kSubmit, TraceStage::kEncode, TraceStage::kSend, TraceStage::kPackets,
            TraceStage::kAssemble, TraceStage::kDecode, TraceStage::kShow, TraceStage::kPaint,
            TraceStage::kSwap}) {
        if (stage == TraceStage::kDecode && !decoded) continue;
        SCOPED_TRACE(sail::trace_stage_name(stage));
        EXPECT_TRUE(all.contains(stage));
        EXPECT_GE(all[stage].begin_ns, before_ns - kClocksNs);
        before_ns = all[stage].begin_ns;
      }
      EXPECT_GE(all[TraceStage::kSwap].begin_ns, all[TraceStage::kPaint].end_ns);
      EXPECT_LE(all[TraceStage::kSwap].end_ns, all[TraceStage::kShow].end_ns);
    }
  }
  return whole;
}

// Checks the trace against the definition of the format.
void expect_valid(const sail::Json& trace) {
  ASSERT_TRUE(trace["traceEvents"].is_array());
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> slices;  // by thread
  std::set<std::string> open;
  std::set<std::pair<int, int>> named;
  for (const sail::Json& event : trace["traceEvents"]) {
    const std::string phase = event.at("ph");
    const std::pair<int, int> thread{event.at("pid"), event.at("tid")};
    ASSERT_TRUE(event.at("name").is_string());
    if (phase == "M") {
      ASSERT_TRUE(event.at("args").at("name").is_string());
      named.insert(thread);
      continue;
    }
    ASSERT_GE(event.at("ts").get<double>(), 0);
    if (phase == "X") {
      const double begin = event["ts"];
      ASSERT_GE(event.at("dur").get<double>(), 0);
      slices[thread].emplace_back(begin, begin + event["dur"].get<double>());
      ASSERT_TRUE(named.contains(thread));
    } else if (phase == "b") {
      ASSERT_TRUE(open.insert(event.at("id")).second);
      ASSERT_TRUE(event.at("cat").is_string());
    } else {
      ASSERT_EQ(phase, "e");
      ASSERT_EQ(open.erase(event.at("id")), 1U);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_FALSE(slices.empty());
  constexpr double kRounding = 0.002;
  for (auto& [thread, all] : slices) {
    std::ranges::sort(all, [](const auto& a, const auto& b) {
      return std::pair(a.first, -a.second) < std::pair(b.first, -b.second);
    });
    std::vector<double> ends;  // of the enclosing slices
    for (const auto& [begin, end] : all) {
      while (!ends.empty() && ends.back() <= begin + kRounding) ends.pop_back();
      ASSERT_TRUE(ends.empty() || end <= ends.back() + kRounding) << "slices of a thread nest";
      ends.push_back(end);
    }
  }
}

TEST_F(TraceWall, EveryShownFrameHasItsStagesInOrder) {
  play("dxt1", [this] {
    const auto processes = trace();
    EXPECT_GE(expect_whole_frames(processes, false), 5U);
    const std::string file = chrome_trace(processes).dump();
    expect_valid(sail::Json::parse(file));
  });
}

TEST_F(TraceWall, FramesThatAreDecodedSaySo) {
  play("dxt1+lz4", [this] { EXPECT_GE(expect_whole_frames(trace(), true), 5U); });
}

}  // namespace
}  // namespace test
