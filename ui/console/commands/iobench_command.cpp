// vitrail iobench: measures how fast films can be read from their storage. Needs no manager.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "sail/core/base/stop_signals.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/storage/reading/read_speed.h"
#include "sail/media/storage/source_uri.h"
#include "ui/client/commands.h"
#include "ui/console/read_curves.h"

namespace ui {
namespace {

constexpr size_t kLeastBlock = 512;
constexpr size_t kMostBlock = size_t{64} << 20;
constexpr size_t kMostInFlight = size_t{256} << 20;  // block × depth; more is skipped
constexpr const char* kIoBenchNotes =
    R"(Reads each source sequentially and repeatedly, with every combination of block size and
number of concurrent reads. Players read blocks of 1m, 16 at a time, or up to 32 over a network.
Several values are given as "64k,1m", or as "4k..16m", where each is four times the previous one.
Data in this machine's page cache is read at memory speed: use a file larger than the memory, or
one that has not been read yet.
To measure several hosts at the same instant use vitrail lab, whose --help has an example.

Examples:
  vitrail iobench opera.vmov https://depot/opera.vmov --depth 1..64
  vitrail iobench s3://films/opera.mkv --csv speed.csv)";

constexpr const char* kUsualBlocks = "4k..16m";
constexpr const char* kUsualDepths = "1..64";

std::optional<std::vector<size_t>> parse_blocks(const std::string& text) {
  return parse_steps(text, kLeastBlock, kMostBlock);
}

std::optional<std::vector<size_t>> parse_depths(const std::string& text) {
  return parse_steps(text, 1, sail::ThreadReads::kMost);
}

struct IoBenchArguments {
  std::vector<std::string> uris;
  std::optional<std::vector<size_t>> blocks = parse_blocks(kUsualBlocks);
  std::optional<std::vector<size_t>> depths = parse_depths(kUsualDepths);
  double seconds = 1;
  std::string csv;
};

sail::Result<ReadCurves> measure(const IoBenchArguments& arguments, const std::string& uri,
                                 const sail::GiveUp& give_up) {
  const auto source = sail::open_bytes(uri, give_up);
  if (!source) return source.error();
  ReadCurves curves{(*source)->name(), (*source)->size().value_or(0), {}};
  for (const size_t block : *arguments.blocks) {
    for (const size_t depth : *arguments.depths) {
      if (block * depth > kMostInFlight || (block > curves.size && !curves.points.empty()))
        continue;
      const sail::ReadTrial trial{block, depth,
                                  static_cast<int64_t>(arguments.seconds * sail::kSecondNs)};
      const auto speed = sail::measure_reading(**source, trial, give_up);
      if (!speed) return speed.error();
      curves.points.push_back({block, depth, speed->mb_per_s(), speed->bytes, speed->retries});
    }
  }
  return curves;
}

int iobench(Context& context, const IoBenchArguments& arguments) {
  sail::StopSignals signals;
  const sail::GiveUp give_up = [&signals] { return signals.arrived(); };
  std::vector<ReadCurves> all;
  std::string text;
  for (const std::string& uri : arguments.uris) {
    auto curves = measure(arguments, uri, give_up);
    if (!curves) {
      context.report(curves.error());
      return kFailed;  // kUnavailable is a storage error here, not a missing manager
    }
    text += (text.empty() ? "" : "\n\n") + curves_text(*curves);
    all.push_back(std::move(*curves));
  }
  if (!arguments.csv.empty()) {
    std::ofstream file(arguments.csv);
    file << curves_csv(all);
    if (!file.flush()) {
      return context.report({sail::ErrorCode::kIo, "cannot write " + arguments.csv});
    }
  }
  return context.done(curves_json(all), text);
}

}  // namespace

void add_iobench_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<IoBenchArguments>();
  const Command command = app.command("iobench", "Measure the read throughput of film storage")
                              .group("Films")
                              .notes(kIoBenchNotes);
  command
      .option("uri", arguments->uris,
              "Files, http://…, https://…, s3://BUCKET/KEY, sftp://…, nfs://…, "
              "lors:///FILE.xnd, ibp://…")
      .form("URI")
      .required();
  command
      .option_parsed("--block", "SIZES", arguments->blocks, parse_blocks,
                     "Block sizes in bytes, 512 to 64m")
      .shows_default(kUsualBlocks);
  command
      .option_parsed("--depth", "NUMBERS", arguments->depths, parse_depths,
                     "Numbers of concurrent reads, 1 to 64")
      .shows_default(kUsualDepths);
  command.option("--seconds", arguments->seconds, "Duration of each measurement in seconds")
      .limited(0.0, 3600.0)
      .form("N")
      .shows_default();
  command.option("--csv", arguments->csv, "Also write the table as CSV, for gnuplot").form("FILE");
  command.runs([&context, arguments] { return iobench(context, *arguments); });
}

}  // namespace ui
