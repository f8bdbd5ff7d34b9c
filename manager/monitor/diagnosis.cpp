#include "manager/monitor/diagnosis.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "manager/peers/state_json.h"

namespace manager {
namespace {

constexpr double kLastingTroubleS = 1;  // Shorter trouble of a link often ends on its own.
constexpr double kOpensS = 3;           // A window may take this long to open.
constexpr int64_t kSilentS = (sail::kSilentAfterMs + 999) / 1000;  // Times are whole seconds here.
constexpr int64_t kJumpReportedS = 10;  // A jump of time stamps is reported for this long.
constexpr double kNearlyAll = 0.9;      // Share of the wanted frames that counts as all.

std::string clock_text(int64_t since_s) {
  return fmt::format("{:%H:%M:%S}", fmt::localtime(since_s));
}

Diagnosis bad(Cause cause, std::string sentence) {
  return {Grade::kBad, cause, std::move(sentence)};
}
Diagnosis well(Cause cause, std::string sentence) {
  return {Grade::kWell, cause, std::move(sentence)};
}

std::string since_text(const Flow& flow, double age_s) {
  return clock_text(flow.now_s - static_cast<int64_t>(std::lround(age_s)));
}

// A program, receiver or rank is gone or does not answer.
std::optional<Diagnosis> absent(const Flow& flow) {
  if (!flow.gone.empty()) return bad(Cause::kProgramGone, flow.gone);
  if (!flow.away.empty()) {
    return bad(Cause::kReceiverAway,
               fmt::format("a part of the window is dark because {} {} disconnected: check the "
                           "host, or restart vitrail-receiver there",
                           quoted_list(flow.away), flow.away.size() == 1 ? "is" : "are"));
  }
  if (!flow.hanging.empty()) {
    return bad(Cause::kReceiverStopped,
               fmt::format("a part of the window is dark because {} {} not answer{}",
                           quoted_list(flow.hanging), flow.hanging.size() == 1 ? "does" : "do",
                           restart_advice(flow.hanging.front())));
  }
  if (!flow.rank_away.empty()) return bad(Cause::kRankAway, flow.rank_away);
  if (flow.stats != nullptr && flow.age_s >= kStoppedS) {
    return bad(Cause::kProgramStopped,
               fmt::format("its program has sent no report since {}: the program is stalled, or "
                           "its machine is cut off or overloaded",
                           since_text(flow, flow.age_s)));
  }
  for (const Flow::Node& node : flow.nodes) {
    if (node.age_s < kStoppedS) continue;
    return bad(Cause::kReceiverStopped,
               fmt::format("receiver '{}' has sent no report since {}: the receiver is stalled, or "
                           "its machine is cut off or overloaded{}",
                           node.name, since_text(flow, node.age_s),
                           node.launched ? restart_advice(node.name) : ""));
  }
  return flow.stats == nullptr ? std::nullopt : unreached(flow.stats->links, kLastingTroubleS);
}

// Nothing has been shown yet.
std::optional<Diagnosis> opening(const Flow& flow) {
  if (flow.starts_s > flow.now_s) {
    return well(Cause::kScheduled, fmt::format("playback begins at {}", clock_text(flow.starts_s)));
  }
  if (flow.stats == nullptr) return Diagnosis{};
  if (flow.stats->frames_submitted > 0) return std::nullopt;
  return Diagnosis{
      flow.open_s < kOpensS ? Grade::kWell : Grade::kSlow, Cause::kOpening,
      "its program has submitted no frame yet: the program is still opening its source"};
}

// The application has nothing to show: it reports that, or its live source has delivered no frames.
std::optional<Diagnosis> silent(const Flow& flow) {
  if (!flow.playback) return std::nullopt;
  const bool has_no_frames = flow.playback->live && flow.playback->moves() && flow.fed_s != 0 &&
                             flow.now_s - flow.fed_s >= kSilentS;
  const int64_t since_s = flow.playback->silent_since_s;
  if (since_s == 0 && !has_no_frames) return std::nullopt;
  return Diagnosis{flow.playback->fallback ? Grade::kSlow : Grade::kBad, Cause::kSilent,
                   fmt::format("no signal since {}: its live source sends nothing{}; check the "
                               "camera or encoder and its network",
                               clock_text(since_s != 0 ? since_s : flow.fed_s),
                               flow.playback->fallback ? ", and the fallback is shown" : "")};
}

std::optional<Diagnosis> jumped(const Flow& flow) {
  if (!flow.playback || flow.playback->jumped_s == 0) return std::nullopt;
  const int64_t jumped_s = flow.playback->jumped_s;
  if (flow.now_s - jumped_s >= kJumpReportedS) return std::nullopt;
  const bool live = flow.playback->live;
  return Diagnosis{
      Grade::kSlow, Cause::kTimeStamps,
      fmt::format("the time stamps of its {} jumped at {}, so its picture may have skipped{}",
                  live ? "live source" : "film", clock_text(jumped_s),
                  live ? " or frozen: check the camera or encoder and its clock"
                       : ": the file is damaged or joined from several; record or export the film "
                         "again")};
}

std::optional<Diagnosis> still(const Flow& flow) {
  const sail::StreamStats& stats = *flow.stats;
  if (flow.blank) {
    return well(
        Cause::kBlank,
        "the wall is blank, so no tile shows the window; `vitrail blank off` shows it again");
  }
  if (flow.window_blank) {
    return well(Cause::kBlank, "the window is blank; `vitrail unblank` shows it again");
  }
  if (flow.frozen) {
    return well(Cause::kFrozen,
                "the window is frozen, and playback continues; it is black on receivers that "
                "started later; `vitrail unfreeze` shows the current picture");
  }
  if (stats.links.empty())
    return well(Cause::kHidden, "no tile shows the window, so nothing is sent");
  if (stats.fps_wanted != 0 || stats.fps_shown >= 1) return std::nullopt;
  if (stats.frames_shown == 0) return dark_cause(flow);
  if (flow.playback && flow.playback->paused) return well(Cause::kPaused, "playback is paused");
  if (flow.playback && flow.playback->ended) return well(Cause::kEnded, "playback has ended");
  return well(Cause::kStill, "the picture does not change");
}

// Whether nearly all wanted frames are shown. Receivers show only frames of the current layout.
bool shows_nearly_all(const sail::StreamStats& stats) {
  return stats.fps_wanted > 0 && stats.fps_shown >= kNearlyAll * stats.fps_wanted;
}

std::string over_tcp(const std::vector<sail::LinkStats>& links) {
  const auto one = std::ranges::find_if(
      links, [](const sail::LinkStats& link) { return link.instead_of.has_value(); });
  if (one == links.end()) return "";
  return fmt::format("; receiver '{}' {}", one->receiver, sail::kTcpInsteadText);
}

// Names a receiver on the sender's host that does not read the frames in shared memory.
std::string without_memory(const std::vector<sail::LinkStats>& links) {
  const auto one = std::ranges::find_if(
      links, [](const sail::LinkStats& link) { return !link.memory_trouble.empty(); });
  if (one == links.end()) return "";
  return fmt::format("; receiver '{}' is on the sender's host, but gets frames over TCP: {}",
                     one->receiver, one->memory_trouble);
}

// Names a receiver to which the stream's multicast group does not come.
std::string sent_alone(const std::vector<sail::LinkStats>& links) {
  const auto one = std::ranges::find_if(
      links, [](const sail::LinkStats& link) { return !link.multicast_trouble.empty(); });
  if (one == links.end()) return "";
  return fmt::format(
      "; receiver '{}' is sent its frames alone, not by multicast: {}; check IGMP on its switch",
      one->receiver, one->multicast_trouble);
}

// Names receivers that do not get the frames as they should.
std::string detours(const std::vector<sail::LinkStats>& links) {
  return over_tcp(links) + without_memory(links) + sent_alone(links);
}

}  // namespace

std::string restart_advice(const std::string& receiver) {
  return fmt::format("; `vitrail restart {}` restarts it", receiver);
}

Diagnosis diagnose(const Flow& flow) {
  if (auto found = absent(flow)) return *found;
  if (auto found = silent(flow)) return *found;
  if (auto found = opening(flow)) return *found;
  if (auto found = still(flow)) return *found;
  if (auto found = jumped(flow)) return *found;
  const sail::StreamStats& stats = *flow.stats;
  if (flow.layout_waits && !shows_nearly_all(stats)) {
    return {Grade::kSlow, Cause::kLayout,
            "its program has submitted no frame for the current layout: a part of the window shows "
            "an old picture or none"};
  }
  if (flow.before == nullptr) return well(Cause::kNone, "no statistics of a whole second yet");
  if (stats.fps_wanted == 0) {  // The application does not state it.
    return well(Cause::kNone, fmt::format("{} frames/s are shown", number_text(stats.fps_shown)));
  }
  if (fewer(stats.fps_shown, stats.fps_wanted)) {
    Diagnosis late = late_cause(flow);
    late.sentence += detours(stats.links);
    return late;
  }
  return well(Cause::kNone, fmt::format("all is well: {} of {} frames/s are shown{}",
                                        number_text(stats.fps_shown), number_text(stats.fps_wanted),
                                        detours(stats.links)));
}

}  // namespace manager
