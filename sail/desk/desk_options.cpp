#include "sail/desk/desk_options.h"

#include "sail/command_line/shared_options.h"
#include "sail/media/picture_spec.h"
#include "sail/wire/codec_name.h"

namespace sail {
namespace {

std::string codec_mistake(const std::string& text) {
  const auto codec = parse_codec_spec(text);
  if (!codec) return codec.error().message;
  const bool transparent = codec->codec.id == codecs::CodecId::kDxt5;
  return transparent ? "dxt5 carries transparency, and what is shown here has none" : "";
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

void add_desk_options(const Command& line, DeskOptions& options) {
  add_manager_option(line, options.manager);
  line.option("--title", options.title, "of the window on the wall");
  line.option_parsed("--place", "X,Y[,WxH]", options.place, parse_place, kPlaceHelp);
  line.option("--codec", options.codec,
              "dxt1 (half the bytes), dxt5ycocg, then :fast, :good or :high; htj2k or j2k, then "
              "the rate: :500mbit, :2bpp or :lossless; raw. DXT and raw take +lz4 or +zstd for "
              "thin links")
      .check(codec_mistake)
      .form("CODEC")
      .shows_default();
  add_transport_options(line, options.transport);
  add_threads_option(line, options.threads, "for encoding; 0: one a core");
  line.flag(
      "--quiet", [&options] { options.log_level = LogLevel::kError; }, "only errors");
}

}  // namespace sail
