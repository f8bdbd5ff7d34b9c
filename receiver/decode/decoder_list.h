// Asks vitrail-decoder which carried codecs it decodes, so that a receiver loads no part of FFmpeg.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <filesystem>
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

constexpr int64_t kLongestListMs = 5000;

// This user's usual cache of a DecoderList; empty: there is no state folder.
std::filesystem::path decoder_cache();

class DecoderList {
 public:
  // The names, or why they are not known.
  using Answer = std::function<void(const sail::Result<std::vector<std::string>>& carried)>;

  // Starts `program --list`. Calls `answer` once, at the latest after most_ms.
  // cache: file that keeps the list until the program changes or the machine restarts, because the
  // program loads FFmpeg, which takes longer than all else at the start; empty: none.
  DecoderList(sail::Loop& loop, const std::string& program, Answer answer,
              int64_t most_ms = kLongestListMs, std::filesystem::path cache = {});
  // Ends the program.
  ~DecoderList();
  DecoderList(const DecoderList&) = delete;
  DecoderList& operator=(const DecoderList&) = delete;

 private:
  void ask(const std::string& program, int64_t most_ms);
  void finish(const sail::Result<std::vector<std::string>>& carried);
  void keep(const std::vector<std::string>& carried) const;

  Answer answer_;  // empty: has been called
  const std::filesystem::path cache_;
  const std::string identity_;  // first line of the cache; empty: there is none
  sail::Loop& loop_;
  sail::Timer timer_;
  std::unique_ptr<sail::Process> process_;
};

}  // namespace receiver
