// Which pictures of a film of numbered files are missing or damaged: sentences and a count. Each
// picture is reported once, even if the film is read again. Pure.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "sail/media/source/file_sequence.h"

namespace sail {

class MissingPictures {
 public:
  // The picture cannot be shown; the sentence names its file.
  void report(int64_t number, std::string sentence) { add(1, number, std::move(sentence)); }
  // Reports the numbers between two successive files, if there are any.
  void report_gap(const SequenceFile& before, const SequenceFile& after);
  // The film is read from another place: reported pictures are not reported again.
  void begin_pass() { known_ = highest_; }
  // Call at the end of a film that has `pictures` numbers.
  void sum_up(int64_t pictures);

  // Returns a sentence, once; the first few files are named.
  std::optional<std::string> take_complaint();
  // Pictures since the last call.
  uint64_t take_left_out() { return std::exchange(left_out_, 0); }

 private:
  // The last of these pictures has this number.
  void add(uint64_t pictures, int64_t number, std::string sentence);

  std::deque<std::string> complaints_;
  int64_t highest_ = -1;  // highest reported number
  int64_t known_ = -1;    // highest number that earlier passes reported
  uint64_t all_ = 0;
  uint64_t left_out_ = 0;
  int named_ = 0;
  bool summed_up_ = false;
};

}  // namespace sail
