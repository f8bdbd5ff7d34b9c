#include "sail/apps/program/program_shell.h"

#include <fmt/core.h>

#include <cstdlib>

#include "sail/core/command_line/shared_options.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/media/source/picture_spec.h"

namespace sail {
namespace {

constexpr int kMostThreads = 256;

std::string codec_mistake(const std::string& text, bool films) {
  if (films) {
    const auto checked = check_film_codec(text);
    return checked ? "" : checked.error().message;
  }
  const auto spec = parse_codec_spec(text);
  if (!spec) return spec.error().message;
  const bool transparent = spec->codec.id == codecs::CodecId::kDxt5;
  return transparent ? "dxt5 is for transparent content, which this program does not show" : "";
}

}  // namespace

ShellLine add_shell_options(const Command& line, ShellOptions& options, bool films) {
  add_manager_option(line, options.manager);
  line.option("--title", options.title, "window title; default: name of the content");
  line.option_parsed("--place", "X,Y[,WxH]", options.place, parse_place,
                     "window position and size in wall pixels; default: chosen by the manager. "
                     "Write negative values as --place=-10,20");
  const Option codec =
      line.option(
              "--codec", options.codec,
              fmt::format("dxt1,{} dxt5ycocg (twice the data, finer colours), with :fast, :good or "
                          ":high; htj2k, j2k (JPEG 2000), with a rate (:500mbit, :2bpp) or "
                          ":lossless; raw. DXT and raw: also +lz4 or +zstd for slow links{}",
                          films ? " dxt5 (with alpha)," : "",
                          films ? "; carried: H.264, H.265, AV1, VP9 and MJPEG as they are, which "
                                  "the receivers decode; auto: carried where that is possible, "
                                  "raw if all receivers are on this host, else dxt1"
                                : ""))
          .check([films](const std::string& text) { return codec_mistake(text, films); })
          .form("CODEC")
          .shows_default();
  add_transport_options(line, options.transport);
  line.option("--threads", options.threads, "number of encoding threads; 0: one per core")
      .limited(0, kMostThreads)
      .form("N");
  const Option quiet = line.flag(
      "--quiet", [&options] { options.log_level = LogLevel::kError; }, "print errors only");
  return {codec, quiet};
}

void fill_in(Opening& opening, const ShellOptions& options, const std::string& title) {
  opening.title = options.title.empty() ? title : options.title;
  opening.place = options.place;
  opening.transport = options.transport;
}

ProgramShell::ProgramShell(const char* name, const ShellOptions& options)
    : log_(name, options.log_level),
      session_(name, options.manager, options.threads,
               [this](LogLevel level, const std::string& sentence) { say(level, sentence); }),
      window_(session_) {}

void ProgramShell::hear(int timeout_ms) {
  if (signals_.arrived()) ended_ = true;
  while (!ended_) {
    const auto event = window_.poll(timeout_ms);
    if (!event) return;
    if (event->type == SAIL_EVENT_CLOSE)
      ended_ = true;
    else
      obey(*event);
    timeout_ms = 0;
  }
}

int ProgramShell::give_up(const std::string& why) {
  say(LogLevel::kError, why);
  ended_ = true;
  return exit_code_ = EXIT_FAILURE;
}

}  // namespace sail
