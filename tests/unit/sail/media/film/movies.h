// Small handmade .vmov files, converted films, and files as bytes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sail/media/film/film_converter.h"
#include "sail/media/vmov/vmov_writer.h"

namespace sail {

inline constexpr int64_t kFrameTime = 40'000'000;

inline VmovHeader tiny_header() {
  return {.codec = {},
          .block_size = kDefaultBlockSize,
          .frame_size = {8, 4},
          .display_size = {8, 4},
          .rate = {25, 1},
          .color = {},
          .recipe = 0x1122334455667788,
          .made_with = "dxt1:good",
          .source = "clip.mp4"};
}

// Two texel blocks: 16 bytes that identify the frame.
inline std::vector<uint8_t> tiny_blocks(uint64_t number) {
  std::vector<uint8_t> bytes;
  for (unsigned i = 0; i < 16; ++i) bytes.push_back(static_cast<uint8_t>(16 * number + i));
  return bytes;
}

inline void append_tiny(VmovWriter& writer, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = writer.frame_count();
    const uint32_t length = 16;
    const auto done = writer.append(static_cast<int64_t>(number) * kFrameTime, kFrameTime,
                                    {&length, 1}, tiny_blocks(number));
    ASSERT_TRUE(done) << done.error().message;
  }
}

inline void write_tiny(const std::string& name, uint64_t count) {
  auto writer = VmovWriter::begin(name, tiny_header(), false);
  ASSERT_TRUE(writer) << writer.error().message;
  append_tiny(*writer, count);
  const auto done = writer->finish();
  ASSERT_TRUE(done) << done.error().message;
}

inline ConvertOptions options_for(const std::string& input, const std::string& output,
                                  const std::string& codec = "dxt1") {
  ConvertOptions options;
  options.input = input;
  options.output = output;
  options.codec = parse_codec_spec(codec).value();
  options.threads = 3;
  return options;
}

// Returns the error message; empty: success.
inline std::string convert(const ConvertOptions& options) {
  auto converter = FilmConverter::open(options);
  if (!converter) return converter.error().message;
  for (;;) {
    const auto more = (*converter)->step();
    if (!more) return more.error().message;
    if (!*more) break;
  }
  const auto finished = (*converter)->finish();
  return finished ? "" : finished.error().message;
}

inline std::vector<uint8_t> bytes_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_bytes(const std::string& name, const std::vector<uint8_t>& bytes) {
  std::ofstream(name, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace sail
