#include "tests/bench/codec/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "codecs/dxt/dxt.h"

namespace bench {
namespace {

using codecs::CodecId;

const char* side_name(Side side) {
  return side == Side::kEncode ? "encode" : "decode";
}

double mpixel_per_s(const Candidate& candidate, double seconds) {
  return seconds > 0 ? static_cast<double>(candidate.pixels) / seconds / 1e6 : 0;
}

// The codec's texel block size and the side select the limit.
size_t limit_of(const std::vector<Candidate>& candidates, const Candidate& candidate) {
  const auto found =
      std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& other) {
        return other.kernel == kMemoryLimit && other.side == candidate.side &&
               other.codec == candidate.codec;
      });
  return static_cast<size_t>(found - candidates.begin());
}

Row make_row(const Candidate& candidate, int threads, double speed, double limit) {
  Row row;
  row.codec = candidate.codec;
  row.mode = candidate.mode;
  row.kernel = candidate.kernel;
  row.side = candidate.side;
  row.content = candidate.content;
  row.threads = threads;
  row.mpixel_per_s = speed;
  row.psnr_db = candidate.psnr_db;
  row.bits_per_pixel = candidate.bits_per_pixel;
  if (codecs::is_dxt(candidate.codec)) {
    row.bits_per_pixel = static_cast<double>(codecs::texel_block_bytes(candidate.codec)) * 8 / 16;
  }
  row.ratio_to_memory_limit = limit > 0 ? speed / limit : 0;
  row.sampled = candidate.sampled;
  return row;
}

bool share_a_line(const Row& one, const Row& other) {
  return one.codec == other.codec && one.mode == other.mode && one.kernel == other.kernel &&
         one.side == other.side && one.content == other.content;
}

void print_line(const Row& one, const Row* all) {
  const std::string psnr = std::isfinite(one.psnr_db) ? fmt::format("{:.2f}", one.psnr_db) : "-";
  fmt::print("{:<10} {:<22} {:<19}{:1} {:>9.1f} {:>8.2f}", codec_name(one.codec), one.mode,
             one.kernel, one.sampled ? "*" : "", one.mpixel_per_s, one.ratio_to_memory_limit);
  if (all != nullptr) {
    fmt::print(" {:>10.1f} {:>8.2f} {:>6.2f}", all->mpixel_per_s, all->ratio_to_memory_limit,
               all->mpixel_per_s / one.mpixel_per_s);
  }
  fmt::print(" {:>7} {:>8.0f}\n", psnr, one.bits_per_pixel);
}

void print_heading(const Row& row, int threads) {
  fmt::print("\n{}, {}\n", row.content, side_name(row.side));
  fmt::print("{:<10} {:<22} {:<20} {:>9} {:>8}", "codec", "mode", "kernel", "Mpixel/s", "of limit");
  if (threads > 1) {
    fmt::print(" {:>10} {:>8} {:>6}", fmt::format("{} threads", threads), "of limit", "gain");
  }
  fmt::print(" {:>7} {:>8}\n", "PSNR dB", "bit/px");
}

double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}

}  // namespace

const char* codec_name(CodecId codec) {
  switch (codec) {
    case CodecId::kDxt1:
      return "dxt1";
    case CodecId::kDxt5:
      return "dxt5";
    case CodecId::kDxt5YCoCg:
      return "dxt5ycocg";
    case CodecId::kJ2k:
      return "j2k";
    case CodecId::kHtj2k:
      return "htj2k";
    default:
      break;  // uncompressed pixels, and codecs of others: nothing to measure
  }
  return "unknown";
}

std::vector<Row> make_rows(const std::vector<Candidate>& candidates,
                           const std::vector<Timing>& timings, int threads) {
  std::vector<Row> rows;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const size_t limit = limit_of(candidates, candidates[i]);
    const auto add = [&](int count, double Timing::*seconds) {
      // JPEG 2000 is far from the memory limit, so none is measured.
      const bool limited = limit < candidates.size();
      rows.push_back(
          make_row(candidates[i], count, mpixel_per_s(candidates[i], timings[i].*seconds),
                   limited ? mpixel_per_s(candidates[limit], timings[limit].*seconds) : 0));
    };
    add(1, &Timing::alone);
    if (threads > 1) add(threads, &Timing::together);
  }
  return rows;
}

void print_table(const std::vector<Row>& rows) {
  std::vector<Row> ordered = rows;
  std::stable_sort(ordered.begin(), ordered.end(), [](const Row& a, const Row& b) {
    return std::tie(a.side, a.content, a.codec) < std::tie(b.side, b.content, b.codec);
  });
  const int threads = std::max_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
                        return a.threads < b.threads;
                      })->threads;
  for (size_t i = 0; i < ordered.size(); ++i) {
    const Row& row = ordered[i];
    if (i == 0 || row.content != ordered[i - 1].content || row.side != ordered[i - 1].side) {
      print_heading(row, threads);
    }
    const bool pair = i + 1 < ordered.size() && share_a_line(row, ordered[i + 1]);
    print_line(row, pair ? &ordered[i + 1] : nullptr);
    if (pair) ++i;
  }
}

nlohmann::ordered_json rows_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json item = {{"codec", codec_name(row.codec)},
                                   {"mode", row.mode},
                                   {"kernel", row.kernel},
                                   {"side", side_name(row.side)},
                                   {"content", row.content},
                                   {"threads", row.threads},
                                   {"mpixel_per_s", rounded(row.mpixel_per_s, 1000)},
                                   {"psnr_db", nullptr},
                                   {"bits_per_pixel", rounded(row.bits_per_pixel, 1000)},
                                   {"ratio_to_memory_limit", nullptr}};
    if (codecs::is_dxt(row.codec)) {
      item["ratio_to_memory_limit"] = rounded(row.ratio_to_memory_limit, 1e6);
    }
    if (std::isfinite(row.psnr_db)) item["psnr_db"] = rounded(row.psnr_db, 1000);
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace bench
