#include "sail/media/cinema/composition_sound.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Longer than any piece of sound.
constexpr int64_t kLongestPieceNs = 1000 * kSecondNs;

// The number of values in that time, rounded to whole samples.
size_t values_within(int64_t ns) {
  const int64_t limited = std::clamp<int64_t>(ns, 0, kLongestPieceNs);
  const int64_t samples = (limited * kSoundRate + kSecondNs / 2) / kSecondNs;
  return static_cast<size_t>(samples) * kSoundChannels;
}

}  // namespace

Result<std::unique_ptr<MediaSound>> CompositionSound::open(const std::string& name) {
  auto package = open_package(name);
  if (!package) return std::move(package.error());
  if (package->sounds.empty()) return fail(ErrorCode::kNotFound, name + " has no sound");
  std::set<std::string> tried;
  for (const PackagePart& part : package->sounds) {
    if (!tried.insert(part.file).second) continue;
    const auto sound = MediaSound::open(part.file);
    if (!sound) return sound.error();
  }
  std::unique_ptr<CompositionSound> sound(new CompositionSound(std::move(package->sounds)));
  sound->turn_to(0, 0);
  return std::unique_ptr<MediaSound>(std::move(sound));
}

int64_t CompositionSound::end_ns(size_t number) const {
  const int64_t own = parts_[number].end_ns();
  return number + 1 < parts_.size() ? std::min(own, parts_[number + 1].begin_ns) : own;
}

bool CompositionSound::turn_to(size_t number, int64_t position_ns) {
  part_.reset();
  number_ = number;
  if (number == parts_.size()) return true;
  const PackagePart& part = parts_[number];
  auto opened = MediaSound::open(part.file);
  if (!opened) return false;
  part_ = std::move(*opened);
  const int64_t from_ns = part.entry_ns() + std::max<int64_t>(position_ns - part.begin_ns, 0);
  return from_ns == 0 || part_->seek(from_ns);
}

std::optional<MediaSound::Samples> CompositionSound::next() {
  while (number_ < parts_.size()) {
    auto samples = part_ ? part_->next() : std::nullopt;
    const PackagePart& part = parts_[number_];
    const int64_t begin_ns = samples ? samples->pts_ns - part.entry_ns() + part.begin_ns : 0;
    if (!samples || begin_ns >= end_ns(number_)) {
      turn_to(number_ + 1, 0);
      continue;
    }
    place(*samples);
    if (!samples->values.empty()) return samples;
  }
  return std::nullopt;
}

void CompositionSound::place(Samples& samples) const {
  const PackagePart& part = parts_[number_];
  samples.pts_ns += part.begin_ns - part.entry_ns();
  std::vector<float>& values = samples.values;
  const size_t room = values_within(end_ns(number_) - samples.pts_ns);
  if (values.size() > room) values.resize(room);
  const size_t early = std::min(values_within(part.begin_ns - samples.pts_ns), values.size());
  if (early == 0) return;
  values.erase(values.begin(), values.begin() + static_cast<ptrdiff_t>(early));
  samples.pts_ns = part.begin_ns;
}

bool CompositionSound::seek(int64_t position_ns) {
  const auto found = std::ranges::find_if(
      parts_, [&](const PackagePart& part) { return part.end_ns() > position_ns; });
  const auto number = static_cast<size_t>(found - parts_.begin());
  if (number == number_ && part_ != nullptr) {
    const PackagePart& part = parts_[number];
    return part_->seek(part.entry_ns() + std::max<int64_t>(position_ns - part.begin_ns, 0));
  }
  return turn_to(number, position_ns);
}

}  // namespace sail
