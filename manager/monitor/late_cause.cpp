// Finds where the frames of a late window are lost.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "manager/monitor/diagnosis.h"
#include "sail/core/wire/data/codec_name.h"

namespace manager {
namespace {

constexpr double kEnough = 0.9;
constexpr double kBusyPct = 85;
constexpr double kBusyLinkPct = 90;

std::string busy_text(const sail::HostStats& host) {
  const sail::HostLoad& load = host.load;
  const std::string names =
      load.busy.empty() ? "" : fmt::format(" ({})", fmt::join(load.busy, ", "));
  return fmt::format(
      "machine '{}' is overloaded: {:.0f} programs compete for each of its {} processors{}: end "
      "some of them, or show less there",
      host.host, load.crowd(), load.cores, names);
}

Cause cause_of(sail::LinkTrouble trouble) {
  if (trouble == sail::LinkTrouble::kNotReady) return Cause::kNotReady;
  return trouble == sail::LinkTrouble::kUndecoded ? Cause::kDecoding : Cause::kUnreachable;
}

class Search {
 public:
  explicit Search(const Flow& flow)
      : flow_(flow), stats_(*flow.stats), allowed_ms_(1000 / stats_.fps_wanted) {}

  Diagnosis dark() const {
    using Step = std::optional<Diagnosis> (Search::*)() const;
    for (const Step step : {&Search::undecoded, &Search::unreachable, &Search::full_link,
                            &Search::not_ready, &Search::turned_away}) {
      if (auto found = (this->*step)()) return *found;
    }
    return {Grade::kSlow, Cause::kOpening, "no frame has been shown yet"};
  }
  Diagnosis run() const {
    if (fewer(stats_.fps_submitted, stats_.fps_wanted)) {
      if (works_ms() > kEnough * allowed_ms_) return at_application();
      if (!fewer(stats_.fps_shown, stats_.fps_submitted)) return hands_over_few();
    }
    using Step = std::optional<Diagnosis> (Search::*)() const;
    for (const Step step :
         {&Search::undecoded, &Search::unreachable, &Search::busy_receiver, &Search::busy_machine,
          &Search::bad_clock, &Search::loss, &Search::full_link, &Search::not_ready,
          &Search::late_receiver, &Search::turned_away}) {
      if (auto found = (this->*step)()) return *found;
    }
    return unknown();
  }

 private:
  Diagnosis found(Cause cause, std::string sentence) const {
    const bool bad = stats_.fps_shown < stats_.fps_wanted / 2 || stats_.frames_shown == 0;
    return {bad ? Grade::kBad : Grade::kSlow, cause, std::move(sentence)};
  }
  std::string allowed() const {
    return fmt::format("the limit is {} ms for {} fps", number_text(allowed_ms_),
                       number_text(stats_.fps_wanted));
  }
  double works_ms() const { return stats_.source_ms + stats_.encode_ms; }

  // --- the application and its machine

  // Whether the program would be fast enough without the other load of its machine.
  static bool is_overloaded(const sail::HostStats* host, double took, double allowed) {
    return host != nullptr && host->load.overloaded() &&
           took / host->load.crowd() <= kEnough * allowed;
  }
  // Whether reading takes long, while the program needs little CPU time for it.
  bool waits_for_data() const {
    if (flow_.host == nullptr || stats_.source_ms < stats_.encode_ms) return false;
    const double computed_ms = flow_.host->load.own_pct * 10 / std::max(stats_.fps_submitted, 1.0);
    return computed_ms < stats_.source_ms / 2;
  }
  Diagnosis at_application() const {
    if (is_overloaded(flow_.host, works_ms(), allowed_ms_)) {
      return found(Cause::kMachine, busy_text(*flow_.host));
    }
    if (waits_for_data()) {
      return found(Cause::kStorage,
                   fmt::format("reading takes {} ms per frame, most of it waiting for data; {}: "
                               "check the disk, server or network that the data come from",
                               number_text(stats_.source_ms), allowed()));
    }
    const bool encoding = stats_.encode_ms >= stats_.source_ms;
    const double slower_ms = std::max(stats_.encode_ms, stats_.source_ms);
    std::string what = encoding ? fmt::format("encoding {}", flow_.codec) : "reading and decoding";
    what += fmt::format(" takes {} ms per frame", number_text(slower_ms));
    // Encoding and reading each are fast enough, but not both together.
    if (slower_ms <= kEnough * allowed_ms_) {
      what += fmt::format(", {} {}", encoding ? "reading and decoding" : "encoding",
                          number_text(std::min(stats_.encode_ms, stats_.source_ms)));
    }
    return found(
        encoding ? Cause::kEncoding : Cause::kSource,
        fmt::format(
            "{}; {}: {}", what, allowed(),
            encoding ? "use dxt1:fast or a smaller picture"
                     : "convert the source once with `vitrail convert`, or use a smaller picture"));
  }
  // A film has a frame rate to keep; other applications may submit frames as they please.
  Diagnosis hands_over_few() const {
    if (flow_.host != nullptr && flow_.host->load.overloaded()) {
      return found(Cause::kMachine, busy_text(*flow_.host));
    }
    const std::string frames =
        fmt::format("its program submits {} of {} frames/s", number_text(stats_.fps_submitted),
                    number_text(stats_.fps_wanted));
    if (flow_.playback && flow_.playback->moves()) {
      return found(Cause::kApplication,
                   frames +
                       " but has time for more: its source delivers too few frames, or the time "
                       "stamps have gaps (see the program's log)");
    }
    return {Grade::kWell, Cause::kNone, frames + ", and all are shown"};
  }

  // --- receivers and their machines

  std::optional<Diagnosis> busy_receiver() const {
    for (const Flow::Node& node : flow_.nodes) {
      const sail::ReceiverStats& stats = *node.stats;
      const double busy_pct = std::max(stats.decode_pct, stats.paint_pct);
      if (busy_pct < kBusyPct || is_overloaded(node.host, busy_pct, 100)) continue;
      if (stats.decode_pct >= kBusyPct) {
        return found(Cause::kDecoding,
                     fmt::format("receiver '{}' spends {} % of its time decoding, {} ms per frame; "
                                 "{}: use dxt1 or a smaller picture",
                                 node.name, number_text(stats.decode_pct),
                                 number_text(stats.decode_ms), allowed()));
      }
      return found(Cause::kPainting,
                   fmt::format("receiver '{}' spends {} % of its time painting, {} ms per picture; "
                               "{}: show fewer windows there, or add a graphics card",
                               node.name, number_text(stats.paint_pct),
                               number_text(stats.render_ms), allowed()));
    }
    return std::nullopt;
  }
  std::optional<Diagnosis> busy_machine() const {
    for (const Flow::Node& node : flow_.nodes) {
      if (node.host != nullptr && node.host->load.overloaded()) {
        return found(Cause::kMachine, busy_text(*node.host));
      }
    }
    if (flow_.host == nullptr || !flow_.host->load.overloaded()) return std::nullopt;
    return found(Cause::kMachine, busy_text(*flow_.host));
  }
  std::optional<Diagnosis> bad_clock() const {
    for (const Flow::Node& node : flow_.nodes) {
      const double error_ms = node.stats->clock_error_us / 1e3;
      if (error_ms < allowed_ms_ / 2) continue;
      return found(Cause::kClock,
                   fmt::format("the clock of receiver '{}' has an error of up to {} ms, so frames "
                               "are shown too early or too late: see `vitrail stats clock`",
                               node.name, number_text(error_ms)));
    }
    return std::nullopt;
  }

  // Frames of a carried stream also count as incomplete if their pictures cannot be decoded. The
  // other receivers continue without a receiver that decodes none, so the link to that receiver is
  // in trouble, too.
  std::optional<Diagnosis> undecoded() const {
    const auto codec = sail::parse_codec_name(flow_.codec);
    if (!codec || !codecs::is_carried(codec->id)) return std::nullopt;
    const bool dark = stats_.frames_shown == 0;
    const uint64_t all = stats_.dropped.incomplete;
    const uint64_t was = dark ? 0 : std::min(flow_.before->dropped.incomplete, all);
    const auto fps = static_cast<double>(all - was);
    if (all == was || fps < (stats_.fps_wanted - stats_.fps_shown) / 2) return std::nullopt;
    const auto failing = std::ranges::find_if(
        flow_.nodes, [](const Flow::Node& node) { return node.stats->blocks_concealed > 0; });
    if (failing == flow_.nodes.end()) return std::nullopt;
    const std::string what =
        dark ? "any frame"
             : fmt::format("{} of {} frames/s", number_text(fps), number_text(stats_.fps_wanted));
    return found(
        Cause::kDecoding,
        fmt::format("receiver '{0}' cannot decode {1} of the {2} source{3}; its log names the "
                    "fault (`vitrail logs {0}`): repair the source, or play it without --codec "
                    "carried",
                    failing->name, what, flow_.codec,
                    dark ? "" : ", and keeps the picture before"));
  }

  // --- links

  std::optional<Diagnosis> unreachable() const { return unreached(stats_.links, 0); }
  std::optional<Diagnosis> loss() const {
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
    if (worst == nullptr || most == 0) return std::nullopt;
    return found(Cause::kLoss, fmt::format("packets to receiver '{}' are lost, and {} frames/s "
                                           "with them: use a longer --delay, or --transport tcp",
                                           worst->receiver, number_text(lost_fps)));
  }
  // Returns the earlier count of lost frames. If the connection has restarted, returns at most the
  // current count, so that the difference is not negative.
  uint64_t frames_lost_before(const std::string& receiver) const {
    const auto* now = link_to(stats_, receiver);
    const auto* then = link_to(*flow_.before, receiver);
    if (then == nullptr) return now->counters.frames_lost;
    return std::min(then->counters.frames_lost, now->counters.frames_lost);
  }
  static const sail::LinkStats* link_to(const sail::StreamStats& stats,
                                        const std::string& receiver) {
    const auto link = std::ranges::find(stats.links, receiver, &sail::LinkStats::receiver);
    return link == stats.links.end() ? nullptr : &*link;
  }
  std::optional<Diagnosis> full_link() const {
    for (const sail::LinkStats& link : stats_.links) {
      if (link.limit_mbit_per_s <= 0 && link.busy_pct < kBusyLinkPct) continue;
      const double carries = link.limit_mbit_per_s > 0 ? link.limit_mbit_per_s : link.mbit_per_s;
      const double shown = std::max(stats_.fps_shown, 1.0);
      return found(
          Cause::kLink,
          fmt::format("the connection to receiver '{}' carries {} Mbit/s, and {} fps need {}: use "
                      "htj2k with a lower bitrate, dxt1+zstd, or a smaller picture",
                      link.receiver, number_text(carries), number_text(stats_.fps_wanted),
                      number_text(link.mbit_per_s * stats_.fps_wanted / shown)));
    }
    return std::nullopt;
  }

  // --- receivers that the others wait for

  std::optional<Diagnosis> not_ready() const {
    for (const sail::LinkStats& link : stats_.links) {
      if (link.left_behind == 0) continue;
      return found(Cause::kNotReady,
                   fmt::format("receiver '{}' does not prepare its frames in time, and the others "
                               "continue without it: see its log (`vitrail logs {}`)",
                               link.receiver, link.receiver));
    }
    return std::nullopt;
  }
  std::optional<Diagnosis> late_receiver() const {
    const auto& links = stats_.links;
    const auto last = std::ranges::max_element(links, {}, &sail::LinkStats::held_up_ms);
    if (last == links.end() || last->held_up_ms < allowed_ms_ / 2) return std::nullopt;
    return found(Cause::kBarrier,
                 fmt::format("all others wait {} ms per frame for receiver '{}'; {}: check its "
                             "other programs and its network connection",
                             number_text(last->held_up_ms), last->receiver, allowed()));
  }

  std::optional<Diagnosis> turned_away() const {
    const auto dropped = [](const sail::StreamStats& stats) {
      return stats.dropped.unsent + stats.dropped.superseded;
    };
    const bool dark = stats_.frames_shown == 0;
    const uint64_t was = dark ? 0 : std::min(dropped(*flow_.before), dropped(stats_));
    const uint64_t frames = dropped(stats_) - was;
    if (frames == 0) return std::nullopt;
    return found(Cause::kQueue, fmt::format("{} frames{} were dropped because earlier frames were "
                                            "not shown yet: see the receivers' logs",
                                            frames, dark ? "" : " in the last second"));
  }

  Diagnosis unknown() const {
    return found(
        Cause::kUnknown,
        fmt::format(
            "{} of {} frames/s are shown, and no measurement explains why: see `vitrail stats`",
            number_text(stats_.fps_shown), number_text(stats_.fps_wanted)));
  }

  const Flow& flow_;
  const sail::StreamStats& stats_;
  const double allowed_ms_;
};

}  // namespace

bool fewer(double fps, double than) {
  return fps + 1 < than && fps < kEnough * than;
}

std::string number_text(double value) {
  return value < 10 ? fmt::format("{:.1f}", value)
                    : fmt::format("{:.0f}", std::floor(value + 0.05));
}

std::optional<Diagnosis> unreached(const std::vector<sail::LinkStats>& links, double least_s) {
  const auto lasts = [least_s](const sail::LinkStats& link) {
    return link.trouble != sail::LinkTrouble::kNone && link.trouble_s >= least_s;
  };
  const auto first = std::ranges::find_if(links, lasts);
  if (first == links.end()) return std::nullopt;
  const auto more = std::count_if(std::next(first), links.end(), lasts);
  const bool undecoded = first->trouble == sail::LinkTrouble::kUndecoded;
  return Diagnosis{
      Grade::kBad, cause_of(first->trouble),
      fmt::format("{}receiver '{}' {}{}", undecoded ? "" : "a part of the window is dark because ",
                  first->receiver, sail::link_trouble_text(first->trouble, first->trouble_text),
                  more == 0 ? "" : fmt::format(" (and {} more receivers)", more))};
}

Diagnosis dark_cause(const Flow& flow) {
  return Search(flow).dark();
}

Diagnosis late_cause(const Flow& flow) {
  return Search(flow).run();
}

}  // namespace manager
