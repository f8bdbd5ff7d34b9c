#include "sail/media/cinema/composition_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A reel is opened this long before the end of the previous one.
constexpr int64_t kAheadOfEndNs = 5 * kSecondNs;

}  // namespace

CompositionSource::CompositionSource(Package package, Open open)
    : package_(std::move(package)), open_(std::move(open)) {
  if (package_.remark) complain(*package_.remark);
}

Result<std::unique_ptr<CompositionSource>> CompositionSource::open(const std::string& name,
                                                                   Open open) {
  auto package = open_package(name);
  if (!package) return std::move(package.error());
  std::unique_ptr<CompositionSource> source(
      new CompositionSource(std::move(*package), std::move(open)));
  if (auto turned = source->turn_to(0, 0); !turned) return std::move(turned.error());
  SourceInfo& info = source->info_;
  info = source->reel_->info();
  info.duration_ns = source->package_.duration_ns();
  info.rate = source->part().rate;
  const size_t reels = source->package_.pictures.size();
  if (reels > 1) info.description += fmt::format(", {} reels", reels);
  return source;
}

Result<std::unique_ptr<Source>> CompositionSource::take_reel(size_t number) {
  if (ahead_.valid()) {
    auto begun = ahead_.get();
    if (ahead_number_ == number) return begun;
  }
  return open_(package_.pictures[number].file);
}

Result<void> CompositionSource::turn_to(size_t number, int64_t picture) {
  leave_reel();
  const PackagePart& next = package_.pictures[number];
  auto reel = take_reel(number);
  if (!reel) return std::move(reel.error());
  reel_ = std::move(*reel);
  number_ = number;
  shown_ns_ = next.begin_ns;
  const int64_t first = next.entry + picture;
  return first == 0 ? Result<void>() : reel_->seek(next.middle_ns(first));
}

Result<std::optional<Picture>> CompositionSource::next() {
  while (reel_) {
    auto picture = reel_->next();
    if (!picture) return picture;
    const int64_t last_ns = part().middle_ns(part().entry + part().duration - 1);
    if (*picture && (*picture)->pts_ns <= last_ns) {
      place(**picture);
      begin_ahead((*picture)->pts_ns);
      return picture;
    }
    note_end();
    if (number_ + 1 == package_.pictures.size()) return std::nullopt;
    if (auto turned = turn_to(number_ + 1, 0); !turned) return std::move(turned.error());
  }
  return std::nullopt;
}

void CompositionSource::place(Picture& picture) {
  const int64_t pts_ns = part().begin_ns + std::max<int64_t>(picture.pts_ns - part().entry_ns(), 0);
  picture.pts_ns = std::min(pts_ns, part().end_ns() - 1);
  if (picture.duration_ns <= 0) picture.duration_ns = part().time_ns(1);
  picture.duration_ns = std::min(picture.duration_ns, part().end_ns() - picture.pts_ns);
  shown_ns_ = picture.pts_ns + picture.duration_ns;
}

void CompositionSource::begin_ahead(int64_t position_ns) {
  const size_t next = number_ + 1;
  if (next == package_.pictures.size() || ahead_.valid()) return;
  if (position_ns + kAheadOfEndNs < part().end_ns()) return;
  ahead_number_ = next;
  ahead_ =
      std::async(std::launch::async, [this, next] { return open_(package_.pictures[next].file); });
}

void CompositionSource::note_end() {
  const int64_t missing = part().unit_at(std::max<int64_t>(part().end_ns() - shown_ns_, 0));
  if (missing == 0) return;
  left_out_ += static_cast<uint64_t>(missing);
  complain(fmt::format("{} has {} pictures fewer than reel {} of the composition needs",
                       part().file, missing, number_ + 1));
}

Result<void> CompositionSource::seek(int64_t position_ns) {
  position_ns = std::clamp<int64_t>(position_ns, 0, package_.duration_ns() - 1);
  const auto after =
      std::ranges::upper_bound(package_.pictures, position_ns, {}, &PackagePart::begin_ns);
  const auto number = static_cast<size_t>(after - package_.pictures.begin()) - 1;
  const PackagePart& wanted = package_.pictures[number];
  const int64_t picture =
      std::min(wanted.unit_at(position_ns - wanted.begin_ns), wanted.duration - 1);
  if (!reel_ || number != number_) return turn_to(number, picture);
  shown_ns_ = wanted.begin_ns;
  return reel_->seek(wanted.middle_ns(wanted.entry + picture));
}

void CompositionSource::leave_reel() {
  if (!reel_) return;
  while (auto sentence = reel_->take_complaint()) complain(std::move(*sentence));
  left_out_ += reel_->take_left_out();
  reel_.reset();
}

void CompositionSource::complain(std::string sentence) {
  constexpr size_t kMost = 64;
  if (complaints_.size() < kMost) complaints_.push_back(std::move(sentence));
}

std::optional<std::string> CompositionSource::take_complaint() {
  if (complaints_.empty()) return reel_ ? reel_->take_complaint() : std::nullopt;
  std::string sentence = std::move(complaints_.front());
  complaints_.pop_front();
  return sentence;
}

uint64_t CompositionSource::take_left_out() {
  return std::exchange(left_out_, 0) + (reel_ ? reel_->take_left_out() : 0);
}

}  // namespace sail
