// Output of the codec benchmark: a table to read, and rows for programs.
#pragma once

#include <string>
#include <vector>

#include "sail/core/text/json.h"
#include "tests/bench/codec/candidate.h"
#include "tests/bench/codec/timing.h"

namespace bench {

struct Row {
  codecs::CodecId codec{};
  std::string mode;
  std::string kernel;
  Side side{};
  std::string content;
  int threads = 1;
  double mpixel_per_s = 0;
  double psnr_db = 0;  // NaN: does not apply
  double bits_per_pixel = 0;
  double ratio_to_memory_limit = 0;
  bool sampled = false;
};

const char* codec_name(codecs::CodecId codec);

// The rows of one content: for each candidate one with a single thread and, if `threads` > 1, one
// with all. The memory limits of DXT must be among the candidates.
std::vector<Row> make_rows(const std::vector<Candidate>& candidates,
                           const std::vector<Timing>& timings, int threads);

// Prints to standard output; rows of one and of all threads share a line.
void print_table(const std::vector<Row>& rows);

// A list of {codec, mode, kernel, side, content, threads, mpixel_per_s, psnr_db, bits_per_pixel,
// ratio_to_memory_limit}; psnr_db and the ratio are null if they do not apply.
nlohmann::ordered_json rows_json(const std::vector<Row>& rows);

}  // namespace bench
