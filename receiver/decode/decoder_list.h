// Asks vitrail-decoder which carried codecs it decodes, so that a receiver loads no part of FFmpeg.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"

namespace receiver {

// The output of `vitrail-decoder --list`: lines, each the name of a carried codec.
sail::Result<std::vector<std::string>> parse_decoder_list(std::string_view text);

class DecoderList {
 public:
  // The names, or why they are not known.
  using Answer = std::function<void(const sail::Result<std::vector<std::string>>& carried)>;

  // Starts `program --list`. Calls `answer` once, at the latest after most_ms.
  DecoderList(sail::Loop& loop, const std::string& program, Answer answer, int64_t most_ms = 5000);
  // Ends the program.
  ~DecoderList();
  DecoderList(const DecoderList&) = delete;
  DecoderList& operator=(const DecoderList&) = delete;

 private:
  void finish(const sail::Result<std::vector<std::string>>& carried);

  Answer answer_;  // empty: has been called
  sail::Timer timer_;
  std::unique_ptr<sail::Process> process_;
};

}  // namespace receiver
