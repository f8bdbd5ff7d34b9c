// vitrail-convert: compresses films once, before they are shown. Needs no manager. A separate
// program, because loading FFmpeg takes longer than starting the rest of the console.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

#include "sail/core/base/environment.h"
#include "sail/core/base/stop_signals.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/film/film_cut.h"
#include "sail/media/film/film_shard.h"
#include "sail/media/source/film_time.h"
#include "sail/media/source/picture_spec.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"
#include "ui/convert/convert_progress.h"

namespace {

using ui::Context;

constexpr double kLongestTime = 1e8;  // seconds; about three years
constexpr int kMaxThreads = 64;
constexpr double kSlowest = 0.01;  // frames a second
constexpr const char* kConvertNotes =
    R"(bplay plays the result without decoding or encoding. During the conversion the file is called
OUT.part. If the conversion is interrupted (Ctrl-C, a full disk), the same command resumes it.
sail/media/vmov/VMOV.md describes the format.

Codecs: dxt1, dxt5 (with alpha), dxt5ycocg (best colours), each also with +lz4 or +zstd
(smaller, for slow disks) and :fast, :good or :high (encoding quality); htj2k or j2k (JPEG 2000,
high throughput or Part 1; keeps 10 to 16 bits per sample and full chroma) with :500mbit (bitrate
at the film's frame rate), :2bpp (bits per pixel) or :lossless; raw, also with +lz4 or +zstd.
Image sequences (PNG, TIFF, DPX and others) are given as a file name pattern or a folder; - is
standard input.
If a picture is missing or damaged, a message names its file, the picture before it is held, and
the exit code is 4. With --missing black, a black picture takes its place. With --missing stop,
the conversion ends there with exit code 1. The exit code is also 4 if interlaced pictures could
not be deinterlaced, with --shard 1.
With --wall the film is scaled to the wall's size and cut into a file for each tile, OUT-TILE.vmov,
in one pass, so that one player per display can show its part.
With --shard 2/4, the second of four processes writes its quarter of the frames; they may run on
several hosts. --join then writes the film that one process would have written, byte by byte.

Examples:
  vitrail convert film.mkv film.vmov --codec dxt1:high --size 1920x1080
  vitrail convert scans/frame.%05d.dpx film.vmov --fps 24 --codec htj2k:500mbit
  vitrail convert film.mkv film.vmov --wall wall.json
  vitrail convert film.mkv 2.vmov --shard 2/4
  vitrail convert --join film.vmov 1.vmov 2.vmov 3.vmov 4.vmov)";

struct ConvertArguments {
  sail::ConvertOptions options;
  std::string codec = "dxt1";
  std::string size;
  std::string deinterlacing;
  std::string missing;
  std::string wall;                      // wall file; empty: one film of whole frames
  std::string join;                      // the film that is made of shards; empty: convert
  std::vector<std::string> more_shards;  // after IN and OUT
  double from_s = 0;
  std::optional<double> to_s;  // empty: to the end
};

// One film being written.
struct Output {
  std::string file;
  std::unique_ptr<sail::FilmConverter> converter;
};
using Outputs = std::vector<Output>;

sail::Error usage_error(const std::string& message) {
  return {sail::ErrorCode::kInvalidParams, message};
}

int64_t nanoseconds(double seconds) {
  return std::llround(seconds * sail::kSecondNs);
}

// Converts and checks the options beyond what the parser checks.
sail::Result<sail::ConvertOptions> options_of(const ConvertArguments& arguments) {
  sail::ConvertOptions options = arguments.options;
  const auto codec = sail::parse_codec_spec(arguments.codec);
  if (!codec) return codec.error();
  options.codec = *codec;
  if (!arguments.size.empty()) {
    options.size = sail::parse_size(arguments.size);
    if (!options.size) {
      return usage_error(
          fmt::format("--size {}: must be WxH with sides from 1 to 16384", arguments.size));
    }
  }
  options.deinterlacing =
      sail::kDeinterlacings.find(arguments.deinterlacing).value_or(sail::Deinterlacing::kAuto);
  options.missing =
      sail::kMissingActions.find(arguments.missing).value_or(sail::MissingAction::kHold);
  options.range.from_ns = nanoseconds(arguments.from_s);
  if (arguments.to_s) options.range.to_ns = nanoseconds(*arguments.to_s);
  if (options.range.to_ns && *options.range.to_ns <= options.range.from_ns) {
    return usage_error("--to must be later than --from, or the part is empty");
  }
  if (options.raw && options.input != sail::kStandardInput) {
    return usage_error("--raw reads standard input: give - as IN");
  }
  if (options.raw && options.subtitles && options.subtitles->is_explicit()) {
    return usage_error("--raw excludes --subtitles: raw frames have none");
  }
  if (!arguments.wall.empty() && options.size) {
    return usage_error("--wall determines the size: remove --size");
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(options.input, options.output, ignored)) {
    return usage_error("IN and OUT are the same file: choose another OUT");
  }
  return options;
}

void warn(Context& context, const std::optional<std::string>& sentence) {
  if (sentence && !context.json) fmt::print(stderr, "{}: {}\n", context.program, *sentence);
}

int stopped(Context& context, const sail::FilmConverter* converter, const std::string& output) {
  std::string sentence = "stopped";
  if (converter != nullptr && converter->resumable()) {
    sentence += fmt::format("; the same command resumes after frame {} of {}",
                            converter->progress().frames, sail::vmov_part_name(output));
  }
  context.report({sail::ErrorCode::kTimeout, sentence});
  return ui::kFailed;
}

sail::Json result_of(const std::string& file, const sail::FilmConverter& converter) {
  const sail::ConvertProgress progress = converter.progress();
  const sail::Size size = converter.frame_size();
  return {{"file", file},
          {"frames", progress.frames},
          {"kept", progress.kept},
          {"size", {size.width, size.height}},
          {"bytes", progress.bytes},
          {"left_out", progress.left_out}};
}

std::string words_of(const std::string& file, const sail::FilmConverter& converter,
                     const std::string& codec, double seconds) {
  const sail::ConvertProgress progress = converter.progress();
  const sail::Size size = converter.frame_size();
  return fmt::format("{}: {} frames, {}x{}, {}, {} in {} ({:.1f} fps)", file, progress.frames,
                     size.width, size.height, codec,
                     ui::bytes_text(static_cast<double>(progress.bytes)),
                     sail::format_time(nanoseconds(seconds)),
                     static_cast<double>(progress.frames - progress.kept) / seconds);
}

int done(Context& context, const Outputs& outputs, const sail::ConvertOptions& options,
         double seconds) {
  const std::string codec = sail::codec_spec_name(options.codec);
  std::vector<std::string> lines;
  sail::Json films = sail::Json::array();
  for (const auto& [file, converter] : outputs) {
    lines.push_back(words_of(file, *converter, codec, seconds));
    films.push_back(result_of(file, *converter));
  }
  const sail::ConvertProgress progress = outputs.front().converter->progress();
  sail::Json result = outputs.size() == 1 ? films[0] : sail::Json{{"films", films}};
  result["codec"] = codec;
  result["seconds"] = seconds;
  result["fps"] = static_cast<double>(progress.frames - progress.kept) / seconds;
  const int code = context.done(result, fmt::format("{}", fmt::join(lines, "\n")));
  const bool whole = std::ranges::all_of(
      outputs, [](const Output& output) { return output.converter->progress().left_out == 0; });
  return code == ui::kDone && !whole ? int{ui::kNotWhole} : code;
}

sail::Result<Outputs> open_outputs(const sail::ConvertOptions& options, const std::string& wall) {
  Outputs outputs;
  if (wall.empty()) {
    auto converter = sail::FilmConverter::open(options);
    if (!converter) return std::move(converter.error());
    outputs.push_back({options.output, std::move(*converter)});
    return outputs;
  }
  const auto tiles = sail::load_wall(wall);
  if (!tiles) return tiles.error();
  auto panels = sail::open_panels(options, *tiles);
  if (!panels) return std::move(panels.error());
  for (size_t i = 0; i < panels->size(); ++i) {
    outputs.push_back(
        {sail::panel_name(options.output, tiles->tiles[i].name), std::move((*panels)[i])});
  }
  return outputs;
}

int convert(Context& context, const ConvertArguments& arguments) {
  auto options = options_of(arguments);
  if (!options) {
    context.report(options.error());
    return ui::kUsage;
  }
  sail::StopSignals signals;
  options->interrupted = [&signals] { return signals.arrived(); };
  const auto fail = [&](const sail::Error& error, const sail::FilmConverter* converter) {
    return signals.arrived() ? stopped(context, converter, options->output) : context.report(error);
  };

  auto outputs = open_outputs(*options, arguments.wall);
  if (!outputs) return fail(outputs.error(), nullptr);
  const sail::FilmConverter& first = *outputs->front().converter;
  if (const uint64_t kept = first.progress().kept; kept > 0) {
    warn(context,
         fmt::format("resuming after frame {} of {}", kept, sail::vmov_part_name(options->output)));
  }
  ui::ConvertProgressDisplay display(context.json);
  for (bool more = true; more;) {
    more = false;
    for (Output& output : *outputs) {
      const auto step = output.converter->step();
      if (!step) {
        display.clear();
        return fail(step.error(), &first);
      }
      more |= *step;
      while (const auto complaint = output.converter->take_complaint()) {
        display.clear();
        warn(context, complaint);
      }
    }
    display.update(first.progress());
  }
  for (Output& output : *outputs) {
    const auto finished = output.converter->finish();
    display.clear();
    if (!finished) return fail(finished.error(), &first);
  }
  return done(context, *outputs, *options, display.seconds());
}

int join(Context& context, const ConvertArguments& arguments) {
  sail::StopSignals signals;
  ui::ConvertProgressDisplay display(context.json);
  sail::ShardJoin join{.output = arguments.join,
                       .shards = {arguments.options.input, arguments.options.output},
                       .overwrite = arguments.options.overwrite,
                       .interrupted = [&signals] { return signals.arrived(); },
                       .progress = {}};
  join.shards.insert(join.shards.end(), arguments.more_shards.begin(), arguments.more_shards.end());
  join.progress = [&display](uint64_t frames, uint64_t of_frames, uint64_t bytes) {
    display.update({.frames = frames, .expected = std::max(frames, of_frames), .bytes = bytes});
  };
  const auto film = sail::join_shards(join);
  display.clear();
  if (!film) {
    return signals.arrived() ? stopped(context, nullptr, join.output)
                             : context.report(film.error());
  }
  const sail::Size size = film->header.frame_size;
  const sail::Json result = {{"file", join.output},
                             {"frames", film->frames},
                             {"size", {size.width, size.height}},
                             {"bytes", film->bytes},
                             {"codec", film->header.made_with},
                             {"shards", join.shards.size()}};
  return context.done(
      result, fmt::format("{}: {} frames, {}x{}, {}, {} from {} shards", join.output, film->frames,
                          size.width, size.height, film->header.made_with,
                          ui::bytes_text(static_cast<double>(film->bytes)), join.shards.size()));
}

void describe_files(const sail::Command& line, ConvertArguments& arguments) {
  line.option("in", arguments.options.input,
              "Film that FFmpeg can open, or an image sequence: name.%05d.png, or a folder; with "
              "--join: a shard")
      .form("IN")
      .required();
  line.option("out", arguments.options.output,
              "File to write, usually named .vmov; with --join: a shard")
      .form("OUT.vmov")
      .required();
  line.option("shards", arguments.more_shards, "With --join: more shards").form("SHARD");
}

// Returns what is wrong with the shards, or empty. converts: there are options of a conversion.
std::string shard_mistake(const ConvertArguments& arguments, bool converts) {
  if (!arguments.join.empty()) {
    return converts ? "--join takes the options from the shards: remove all but --force and --json"
                    : "";
  }
  if (!arguments.more_shards.empty()) {
    return "more than IN and OUT.vmov are given: only --join takes more files";
  }
  if (!arguments.options.shard) return "";
  if (!arguments.wall.empty()) {
    return "--shard excludes --wall: only films of whole frames are divided";
  }
  return arguments.options.input == sail::kStandardInput
             ? "--shard needs a file: standard input can be read only once"
             : "";
}

// Returns what is wrong with the text, or empty.
std::string read_shard(const std::string& text, sail::ConvertOptions& options) {
  options.shard = sail::parse_shard(text);
  if (options.shard) return "";
  return fmt::format("\"{}\" must be K/N with N from 2 to {} and K from 1 to N", text,
                     sail::kMaxVmovShards);
}

// The options that --join excludes.
std::vector<sail::Option> describe_conversion(const sail::Command& line,
                                              ConvertArguments& arguments) {
  return {
      line.option("--codec", arguments.codec, "Codec of the result, see below")
          .form("CODEC")
          .shows_default(),
      line.option("--size", arguments.size, "Scale the frames to this size").form("WxH"),
      line.option("--wall", arguments.wall,
                  "Cut the frames for the tiles of this wall file: one film per tile")
          .form("WALL.json"),
      line.option_parsed("--raw", "WxH@FPS:PIXFMT", arguments.options.raw, sail::parse_raw_format,
                         "Format of raw frames on standard input (see bplay --help)"),
      line.option("--fps", arguments.options.fps, "Frame rate of an image sequence, frames/s")
          .limited(kSlowest, sail::kMaxFps)
          .form("N")
          .shows_default(),
      line.option("--deinterlace", arguments.deinterlacing,
                  "How to convert interlaced films: one picture for each frame (frame) or field "
                  "(field), or unchanged (off); auto: field up to 1920x1080 and 30 frames/s, else "
                  "frame")
          .one_of({"auto", "off", "frame", "field"})
          .shows_default("auto"),
      line.option("--missing", arguments.missing,
                  "What to write for numbered files that are missing, empty or damaged: the "
                  "picture before (hold), black, or nothing: end there with an error (stop)")
          .one_of({"hold", "black", "stop"})
          .shows_default("hold"),
      line.option_parsed("--subtitles", "auto|off|N|FILE", arguments.options.subtitles,
                         sail::parse_subtitle_choice,
                         "Subtitles to draw into the frames (see bplay --help), which must exist; "
                         "default: auto"),
      line.option("--from", arguments.from_s, "Start at this time of the film")
          .limited(0.0, kLongestTime)
          .form("SECONDS"),
      line.option("--to", arguments.to_s, "Stop at this time of the film (default: its end)")
          .limited(0.0, kLongestTime)
          .form("SECONDS"),
      line.option("--threads", arguments.options.threads, "Number of threads (0: one per core)")
          .limited(0, kMaxThreads)
          .form("N"),
      line.option_read(
              "--shard",
              [&arguments](const std::string& text) { return read_shard(text, arguments.options); },
              "Write only this one of N parts of the film, to be joined with the others "
              "(N: 2 to 1000)")
          .form("K/N"),
  };
}

void describe(const sail::Command& line, ConvertArguments& arguments, Context& context) {
  describe_files(line, arguments);
  const std::vector<sail::Option> of_conversion = describe_conversion(line, arguments);
  line.option("--join", arguments.join,
              "Write this film from the shards that the arguments name, in any order")
      .form("OUT.vmov");
  line.flag("--force", arguments.options.overwrite,
            "Overwrite OUT, and discard a .part file of another film");
  line.flag("--json", context.json, "Print the result as JSON, without progress");
  line.notes(kConvertNotes);
  line.check([&arguments, of_conversion] {
    const bool converts = std::ranges::any_of(of_conversion, &sail::Option::given);
    return shard_mistake(arguments, converts);
  });
}

}  // namespace

int main(int argc, char** argv) {
  sail::prevent_core_dumps();
  Context context;
  context.program = "vitrail-convert";
  sail::CommandLine line(context.program,
                         "Convert a film to a file that plays without decoding or encoding.");
  ConvertArguments arguments;
  describe(line, arguments, context);
  if (const auto answer = line.read(argc, argv)) return answer->say();
  if (!arguments.join.empty()) return join(context, arguments);
  return convert(context, arguments);
}
