// Which pictures of a film of numbered files are missing or damaged: sentences and a count, or
// where the film ends. Each picture is reported once, even if the film is read again. Pure.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/wire/content.h"
#include "sail/media/source/file_sequence.h"

namespace sail {

class MissingPictures {
 public:
  // Only pictures with numbers from `first` to before `end` are reported.
  explicit MissingPictures(MissingAction action, int64_t first = 0, int64_t end = INT64_MAX)
      : action_(action), first_(first), end_(end) {}

  // The picture cannot be shown; the sentence names its file.
  void report(int64_t number, std::string sentence) { add(1, number, std::move(sentence)); }
  // Reports the numbers between two successive files, if there are any.
  void report_gap(const SequenceFile& before, const SequenceFile& after);
  // The pictures follow each other although numbers are missing.
  void report_closed(const ClosedGaps& gaps);
  // The film is read from another place: reported pictures are not reported again.
  void begin_pass() {
    known_ = highest_;
    stop_ = closed_;
  }
  // Call at the end of a film that has `pictures` numbers, including those that are not reported.
  void sum_up(int64_t pictures);

  // A picture that came out of the decoder damaged is shown, too.
  bool shows_damaged() const { return action_ == MissingAction::kHold; }
  // False if the film ends before that picture (kStop).
  bool reaches(int64_t number) const { return !stop_ || number < stop_->number; }
  // Why the film ends where it does; empty: it does not end early.
  std::optional<std::string> stopped() const;

  // Returns a sentence, once; the first few files are named.
  std::optional<std::string> take_complaint();
  // Pictures since the last call.
  uint64_t take_left_out() { return std::exchange(left_out_, 0); }

 private:
  // Where the film ends: before the picture with this number.
  struct Stop {
    int64_t number = 0;
    std::string sentence;
  };

  // The last of these pictures has this number. At least one.
  void add(int64_t pictures, int64_t number, std::string sentence);

  const MissingAction action_;
  const int64_t first_;
  const int64_t end_;
  std::optional<Stop> stop_;
  std::optional<Stop> closed_;  // at the first closed gap
  std::deque<std::string> complaints_;
  int64_t highest_ = -1;  // highest reported number
  int64_t known_ = -1;    // highest number that earlier passes reported
  uint64_t all_ = 0;
  uint64_t left_out_ = 0;
  int named_ = 0;
  bool summed_up_ = false;
};

}  // namespace sail
