#include "sail/media/source/missing_pictures.h"

#include <fmt/format.h>

#include <algorithm>

namespace sail {

void MissingPictures::report_gap(const SequenceFile& before, const SequenceFile& after) {
  const int64_t first = std::max(before.number + 1, first_);
  const int64_t end = std::min(after.number, end_);
  const int64_t missing = end - first;
  if (missing <= 0) return;
  add(missing, end - 1,
      fmt::format("{} {} missing between {} and {}", missing,
                  missing == 1 ? "picture is" : "pictures are", before.name, after.name));
}

void MissingPictures::report_closed(const ClosedGaps& gaps) {
  if (action_ != MissingAction::kStop) {
    complaints_.push_back(gaps.sentence +
                          ": the pictures follow each other without gaps; to keep the gaps, name a "
                          "pattern such as frame.%05d.png");
  } else if (gaps.first < end_) {
    stop_ = closed_ = Stop{gaps.first, gaps.sentence};
  }
}

void MissingPictures::add(int64_t pictures, int64_t number, std::string sentence) {
  constexpr int kMostNamed = 20;
  if (number < first_ || number >= end_) return;
  if (action_ == MissingAction::kStop) {
    const int64_t first = number - pictures + 1;
    if (reaches(first)) stop_ = Stop{first, std::move(sentence)};
    return;
  }
  if (number <= known_) return;
  highest_ = std::max(highest_, number);
  all_ += static_cast<uint64_t>(pictures);
  left_out_ += static_cast<uint64_t>(pictures);
  if (named_++ < kMostNamed) complaints_.push_back(std::move(sentence));
}

void MissingPictures::sum_up(int64_t pictures) {
  if (all_ == 0 || std::exchange(summed_up_, true)) return;
  const int64_t of = std::min(pictures, end_) - first_;
  const bool one = all_ == 1;
  complaints_.push_back(fmt::format("{} of {} {} {} missing or damaged: {}", all_, of,
                                    of == 1 ? "picture" : "pictures", one ? "is" : "are",
                                    action_ == MissingAction::kBlack ? "black is shown instead"
                                    : one ? "the picture before it is held"
                                          : "the pictures before them are held"));
}

std::optional<std::string> MissingPictures::stopped() const {
  if (!stop_) return std::nullopt;
  return stop_->sentence + ": the film ends there, as --missing stop asks";
}

std::optional<std::string> MissingPictures::take_complaint() {
  if (complaints_.empty()) return std::nullopt;
  std::string sentence = std::move(complaints_.front());
  complaints_.pop_front();
  return sentence;
}

}  // namespace sail
