#include "manager/diagnosis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "manager/state_json.h"

namespace manager {
namespace {

// This share of the frames wanted is enough: counts of a second are one off now and then.
constexpr double kEnough = 0.9;
constexpr double kBusyPct = 85;
constexpr double kBusyLinkPct = 90;

bool fewer(double fps, double than) {
  return fps + 1 < than && fps < kEnough * than;
}

// Whole numbers are rounded down, but for a rate such as 59.99.
std::string number(double value) {
  return value < 10 ? fmt::format("{:.1f}", value)
                    : fmt::format("{:.0f}", std::floor(value + 0.05));
}

// One stream that shows too little.
class Search {
 public:
  explicit Search(const Flow& flow)
      : flow_(flow), stats_(flow.stats), allowed_ms_(1000 / stats_.fps_wanted) {}

  Diagnosis run() const {
    if (fewer(stats_.fps_submitted, stats_.fps_wanted)) {
      if (stats_.source_ms + stats_.encode_ms > kEnough * allowed_ms_) return at_application();
      if (!fewer(stats_.fps_shown, stats_.fps_submitted)) return by_itself();
    }
    if (auto found = loss()) return *found;
    if (auto found = busy_receiver()) return *found;
    if (auto found = full_link()) return *found;
    if (auto found = late_receiver()) return *found;
    return unknown();
  }

 private:
  Diagnosis found(Narrow narrow, std::string sentence) const {
    const bool bad = stats_.fps_shown < stats_.fps_wanted / 2;
    return {bad ? Grade::kBad : Grade::kSlow, narrow, std::move(sentence)};
  }
  std::string allowed() const {
    return fmt::format("{} are allowed for {} fps", number(allowed_ms_), number(stats_.fps_wanted));
  }

  Diagnosis at_application() const {
    const bool encoding = stats_.encode_ms >= stats_.source_ms;
    const double slower_ms = std::max(stats_.encode_ms, stats_.source_ms);
    std::string what = encoding ? fmt::format("encoding {}", flow_.codec) : "reading and decoding";
    what += fmt::format(" takes {} ms a frame", number(slower_ms));
    // Neither of the two alone is too slow.
    if (slower_ms <= kEnough * allowed_ms_) {
      what += fmt::format(", {} {}", encoding ? "reading and decoding" : "encoding",
                          number(std::min(stats_.encode_ms, stats_.source_ms)));
    }
    return found(encoding ? Narrow::kEncoding : Narrow::kSource,
                 fmt::format("{}; {}: {}", what, allowed(),
                             encoding ? "take dxt1:fast, or a smaller picture"
                                      : "convert it once with `vitrail convert`, or take a smaller "
                                        "picture"));
  }

  Diagnosis by_itself() const {
    return {Grade::kWell, Narrow::kNone,
            fmt::format("its application hands over {} frames a second, and {} are shown",
                        number(stats_.fps_submitted), number(stats_.fps_shown))};
  }

  std::optional<Diagnosis> loss() const {
    if (!flow_.before) return std::nullopt;
    const auto lost = [](const sail::StreamStats& stats) {
      return static_cast<double>(stats.dropped.lost + stats.dropped.incomplete);
    };
    const double lost_fps = lost(stats_) - lost(*flow_.before);
    if (lost_fps < (stats_.fps_wanted - stats_.fps_shown) / 2) return std::nullopt;
    const sail::LinkStats* worst = nullptr;
    uint64_t most = 0;
    for (const sail::LinkStats& link : stats_.links) {
      const uint64_t frames = link.counters.frames_lost - frames_lost_before(link.receiver);
      if (worst == nullptr || frames > most) worst = &link;
      most = std::max(most, frames);
    }
    if (worst == nullptr) return std::nullopt;
    return found(Narrow::kLoss,
                 fmt::format("packets are lost on the way to receiver '{}', and {} frames a second "
                             "with them: give them more time (--delay), or take --transport tcp",
                             worst->receiver, number(lost_fps)));
  }
  // For a connection that has begun anew it is the count of now, so that none seem to be lost.
  uint64_t frames_lost_before(const std::string& receiver) const {
    const auto now = link_to(stats_, receiver);
    const auto then = link_to(*flow_.before, receiver);
    if (then == nullptr) return now->counters.frames_lost;
    return std::min(then->counters.frames_lost, now->counters.frames_lost);
  }
  static const sail::LinkStats* link_to(const sail::StreamStats& stats,
                                        const std::string& receiver) {
    const auto link = std::find_if(stats.links.begin(), stats.links.end(),
                                   [&](const auto& one) { return one.receiver == receiver; });
    return link == stats.links.end() ? nullptr : &*link;
  }

  std::optional<Diagnosis> busy_receiver() const {
    for (const Flow::Node& node : flow_.nodes) {
      if (node.stats.decode_pct >= kBusyPct) {
        return found(Narrow::kDecoding,
                     fmt::format("receiver '{}' spends {} % of its time decoding, {} ms a frame; "
                                 "{}: take dxt1, or a smaller picture",
                                 node.name, number(node.stats.decode_pct),
                                 number(node.stats.decode_ms), allowed()));
      }
      if (node.stats.paint_pct >= kBusyPct) {
        return found(Narrow::kPainting,
                     fmt::format("receiver '{}' spends {} % of its time painting, {} ms a picture; "
                                 "{}: show fewer windows there, or give it a graphics card",
                                 node.name, number(node.stats.paint_pct),
                                 number(node.stats.render_ms), allowed()));
      }
    }
    return std::nullopt;
  }

  std::optional<Diagnosis> full_link() const {
    for (const sail::LinkStats& link : stats_.links) {
      if (link.limit_mbit_per_s <= 0 && link.busy_pct < kBusyLinkPct) continue;
      const double carries = link.limit_mbit_per_s > 0 ? link.limit_mbit_per_s : link.mbit_per_s;
      const double shown = std::max(stats_.fps_shown, 1.0);
      return found(Narrow::kLink,
                   fmt::format("the way to receiver '{}' carries {} Mbit/s, and {} fps need {}: "
                               "take htj2k with a lower rate, dxt1+zstd, or a smaller picture",
                               link.receiver, number(carries), number(stats_.fps_wanted),
                               number(link.mbit_per_s * stats_.fps_wanted / shown)));
    }
    return std::nullopt;
  }

  std::optional<Diagnosis> late_receiver() const {
    const auto& links = stats_.links;
    const auto last =
        std::max_element(links.begin(), links.end(),
                         [](const auto& a, const auto& b) { return a.held_up_ms < b.held_up_ms; });
    if (last == links.end() || last->held_up_ms < allowed_ms_ / 2) return std::nullopt;
    return found(Narrow::kBarrier,
                 fmt::format("all others wait {} ms a frame for receiver '{}'; {}: look what else "
                             "runs there, and how it is connected",
                             number(last->held_up_ms), last->receiver, allowed()));
  }

  Diagnosis unknown() const {
    return found(Narrow::kUnknown,
                 fmt::format("{} of {} frames a second are shown, and nothing measured says why: "
                             "`vitrail stats` has all figures",
                             number(stats_.fps_shown), number(stats_.fps_wanted)));
  }

  const Flow& flow_;
  const sail::StreamStats& stats_;
  const double allowed_ms_;
};

// A trouble that may pass by itself is none.
constexpr double kLastingTroubleS = 1;

std::string dark_part(const std::vector<sail::LinkStats>& links) {
  std::string sentence;
  size_t more = 0;
  for (const sail::LinkStats& link : links) {
    if (link.trouble == sail::LinkTrouble::kNone || link.trouble_s < kLastingTroubleS) continue;
    if (!sentence.empty()) ++more;
    if (!sentence.empty()) continue;
    sentence = fmt::format("a part of it is dark, since receiver '{}' {}", link.receiver,
                           sail::link_trouble_text(link.trouble, link.trouble_text));
  }
  return sentence + (more == 0 ? "" : fmt::format(" (and {} more receivers)", more));
}

std::string over_tcp(const std::vector<sail::LinkStats>& links) {
  const auto one = std::ranges::find_if(
      links, [](const sail::LinkStats& link) { return link.instead_of.has_value(); });
  if (one == links.end()) return "";
  return fmt::format("; receiver '{}' {}", one->receiver, sail::kTcpInsteadText);
}

}  // namespace

const char* grade_name(Grade grade) {
  switch (grade) {
    case Grade::kWell:
      return "well";
    case Grade::kSlow:
      return "slow";
    case Grade::kBad:
      return "bad";
  }
  return "";
}

const char* narrow_name(Narrow narrow) {
  switch (narrow) {
    case Narrow::kNone:
      return "none";
    case Narrow::kReceiverAway:
      return "receiver_away";
    case Narrow::kUnreachable:
      return "unreachable";
    case Narrow::kRankAway:
      return "rank_away";
    case Narrow::kHidden:
      return "hidden";
    case Narrow::kStill:
      return "still";
    case Narrow::kSource:
      return "source";
    case Narrow::kEncoding:
      return "encoding";
    case Narrow::kLink:
      return "link";
    case Narrow::kLoss:
      return "loss";
    case Narrow::kDecoding:
      return "decoding";
    case Narrow::kPainting:
      return "painting";
    case Narrow::kBarrier:
      return "barrier";
    case Narrow::kUnknown:
      return "unknown";
  }
  return "";
}

sail::Json to_json(const Diagnosis& diagnosis) {
  return {{"state", grade_name(diagnosis.grade)},
          {"narrow", narrow_name(diagnosis.narrow)},
          {"sentence", diagnosis.sentence}};
}

void StreamHealth::report(Diagnosis diagnosis) {
  now_ = std::move(diagnosis);
  otherwise_ = now_.grade == lasting_ ? 0 : otherwise_ + 1;
  if (otherwise_ < kLastingReports) return;
  lasting_ = now_.grade;
  otherwise_ = 0;
}

Diagnosis diagnose(const Flow& flow) {
  const sail::StreamStats& stats = flow.stats;
  if (!flow.away.empty()) {
    return {Grade::kBad, Narrow::kReceiverAway,
            fmt::format("a part of it is dark, since {} {} away: look at the host, or start "
                        "vitrail-receiver there again",
                        quoted_list(flow.away), flow.away.size() == 1 ? "is" : "are")};
  }
  if (!flow.rank_away.empty()) return {Grade::kBad, Narrow::kRankAway, flow.rank_away};
  if (std::string dark = dark_part(stats.links); !dark.empty()) {
    return {Grade::kBad, Narrow::kUnreachable, std::move(dark)};
  }
  if (stats.links.empty()) {
    return {Grade::kWell, Narrow::kHidden, "no tile shows it, so nothing is sent"};
  }
  if (stats.fps_wanted == 0 && stats.fps_shown < 1) {
    return {Grade::kWell, Narrow::kStill, "nothing moves"};
  }
  if (stats.fps_wanted == 0) {  // of an application that says nothing of it
    return {Grade::kWell, Narrow::kNone,
            fmt::format("{} frames a second are shown", number(stats.fps_shown))};
  }
  if (fewer(stats.fps_shown, stats.fps_wanted)) return Search(flow).run();
  return {Grade::kWell, Narrow::kNone,
          fmt::format("all is well: {} of {} frames a second are shown{}", number(stats.fps_shown),
                      number(stats.fps_wanted), over_tcp(stats.links))};
}

}  // namespace manager
