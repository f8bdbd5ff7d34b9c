#include "sail/desk/desk_options.h"

#include <CLI/CLI.hpp>
#include <sstream>

#include "sail/command_line/command_line.h"
#include "sail/media/picture_spec.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/limits.h"
#include "sail/wire/packets.h"

namespace sail {
namespace {

constexpr int kUsageError = 2;
constexpr int kMaxThreads = 256;

CLI::Validator between(double least, double most) {
  return CLI::Range(least, most).description("");
}

void add_window_options(CLI::App& app, DeskOptions& options) {
  app.add_option("--manager", options.manager,
                 "the wall's manager; else $VITRAIL_MANAGER, else 127.0.0.1:7440")
      ->type_name("HOST:PORT");
  app.add_option("--title", options.title, "of the window on the wall");
  app.add_option_function<std::string>(
         "--place",
         [&options](const std::string& text) {
           options.place = parse_place(text);
           if (!options.place) {
             throw CLI::ValidationError("--place", "\"" + text + "\" is not X,Y[,WxH]");
           }
         },
         "where the window goes, wall pixels; else the manager chooses. Before a minus sign "
         "write --place=-10,20")
      ->type_name("X,Y[,WxH]");
  app.add_option("--codec", options.codec,
                 "dxt1 (half the bytes), dxt5ycocg, then :fast, :good or :high; htj2k or j2k, then "
                 "the rate: :500mbit, :2bpp or :lossless; raw. DXT and raw take +lz4 or +zstd for "
                 "thin links")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto codec = parse_codec_spec(text);
            if (!codec) return codec.error().message;
            if (codec->codec.id == codecs::CodecId::kDxt5) {
              return std::string("dxt5 carries transparency, and what is shown here has none");
            }
            return std::string();
          },
          ""))
      ->type_name("CODEC")
      ->capture_default_str();
}

void add_transport_options(CLI::App& app, TransportOptions& options) {
  app.add_option_function<std::string>(
         "--transport",
         [&options](const std::string& text) {
           options.transport = parse_transport(text);
           if (!options.transport) {
             throw CLI::ValidationError("--transport", "\"" + text + "\" is not tcp or udp");
           }
         },
         "how pictures travel: udp for long or lossy networks; else as the wall's file says")
      ->type_name("tcp|udp");
  app.add_option("--delay-ms", options.delay_ms,
                 "from submission to the wall, 0 to 2000: pictures that are there sooner are kept "
                 "till then; 0: shown at once. Else over udp what the links need, over tcp none")
      ->check(between(0, kMaxDelayMs))
      ->type_name("MS");
  app.add_option("--mtu", options.mtu,
                 "over udp: the largest packet that the network carries, bytes, 576 to 9216; else "
                 "as the wall's file says")
      ->check(between(kMinMtu, kMaxMtu))
      ->type_name("BYTES");
}

}  // namespace

WallSession session_of(const DeskOptions& options, const char* program, const Log& log) {
  return {program, options.manager, options.threads,
          [&log](LogLevel level, const std::string& sentence) { log.write(level, sentence); }};
}

Opening opening_for(const DeskOptions& options, Size size) {
  Opening opening{.title = options.title, .codec = options.codec, .size = size};
  opening.place = options.place;
  opening.transport = options.transport;
  return opening;
}

void add_desk_options(CLI::App& app, DeskOptions& options) {
  add_window_options(app, options);
  add_transport_options(app, options.transport);
  app.add_option("--threads", options.threads, "for encoding; 0: one a core")
      ->check(between(0, kMaxThreads))
      ->type_name("N");
  app.add_flag_callback(
      "--quiet", [&options] { options.log_level = LogLevel::kError; }, "only errors");
}

std::optional<DeskAnswer> parse_desk_line(CLI::App& app, int count, const char* const* arguments) {
  finish_command_line(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    const int code = app.exit(error, text, text);
    return DeskAnswer{code == 0 ? 0 : kUsageError, text.str()};
  }
  return std::nullopt;
}

}  // namespace sail
