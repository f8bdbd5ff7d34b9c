// vitrail iobench: measures how fast films can be read from their storage. Needs no manager.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "sail/core/base/stop_signals.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/reading/read_speed.h"
#include "sail/media/storage/reading/thread_reads.h"
#include "sail/media/storage/source_uri.h"
#include "ui/client/commands.h"
#include "ui/console/read_curves.h"

namespace ui {
namespace {

constexpr size_t kLeastBlock = 512;
constexpr size_t kMostBlock = size_t{64} << 20;
constexpr size_t kMostInFlight = size_t{256} << 20;  // block × depth; more is skipped
constexpr const char* kIoBenchNotes =
    R"(Reads each source from front to back, over and over, with every size of block and every number
of blocks under way at a time. Players read blocks of 1m, 16 at a time and over a network up to 32.
Several sizes or numbers are "64k,1m", or "4k..16m": each four times the one before.
What this machine has in its memory already is as fast as memory: take a file that is larger, or
read it for the first time.
Several hosts that begin at one instant are a matter of vitrail lab, whose --help has such a run.

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
  const sail::GiveUp give_up = [&signals] { return signals.came(); };
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
  const Command command =
      app.command("iobench", "Measure how fast films can be read from where they are kept")
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
                     "Bytes of a block, from 512 to 64m")
      .shows_default(kUsualBlocks);
  command
      .option_parsed("--depth", "NUMBERS", arguments->depths, parse_depths,
                     "Blocks under way at a time, up to 64")
      .shows_default(kUsualDepths);
  command.option("--seconds", arguments->seconds, "For each of them")
      .limited(0.0, 3600.0)
      .form("N")
      .shows_default();
  command.option("--csv", arguments->csv, "Write a table for gnuplot, too").form("FILE");
  command.runs([&context, arguments] { return iobench(context, *arguments); });
}

}  // namespace ui
