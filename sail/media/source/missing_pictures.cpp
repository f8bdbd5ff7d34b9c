#include "sail/media/source/missing_pictures.h"

#include <fmt/format.h>

#include <algorithm>

namespace sail {

void MissingPictures::report_gap(const SequenceFile& before, const SequenceFile& after) {
  const int64_t missing = after.number - before.number - 1;
  if (missing <= 0) return;
  add(static_cast<uint64_t>(missing), after.number - 1,
      fmt::format("{} {} missing between {} and {}", missing,
                  missing == 1 ? "picture is" : "pictures are", before.name, after.name));
}

void MissingPictures::add(uint64_t pictures, int64_t number, std::string sentence) {
  constexpr int kMostNamed = 20;
  if (number <= known_) return;
  highest_ = std::max(highest_, number);
  all_ += pictures;
  left_out_ += pictures;
  if (named_++ < kMostNamed) complaints_.push_back(std::move(sentence));
}

void MissingPictures::sum_up(int64_t pictures) {
  if (all_ == 0 || std::exchange(summed_up_, true)) return;
  complaints_.push_back(
      fmt::format("{} of {} pictures are missing or damaged: the pictures before them are held",
                  all_, pictures));
}

std::optional<std::string> MissingPictures::take_complaint() {
  if (complaints_.empty()) return std::nullopt;
  std::string sentence = std::move(complaints_.front());
  complaints_.pop_front();
  return sentence;
}

}  // namespace sail
