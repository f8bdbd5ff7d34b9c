#include "sail/media/film/stored_facts.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "sail/core/text/json.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/text.h"
#include "sail/media/cinema/package.h"
#include "sail/media/codestream/codestream_sequence.h"
#include "sail/media/film/film_files.h"
#include "sail/media/source/film_time.h"

namespace sail {
namespace {

constexpr const char* kUnplayable = "unplayable";
constexpr const char* kUnreadable = "unreadable";
constexpr size_t kLongestReason = 300;
constexpr int64_t kLongestNs = int64_t{1} << 60;
constexpr int64_t kLargestSide = int64_t{1} << 30;
constexpr double kFastest = 1e10;
constexpr size_t kLongestCodec = 64;

// Empty for packages.
FilmDescription description_of(const std::string& name) {
  if (is_package(name)) return {};
  std::error_code failed;
  if (!std::filesystem::is_regular_file(name, failed)) {
    return {.remark = missing_in_sequence(name)};
  }
  const auto facts = media_facts(name, {});
  return facts ? facts->description : FilmDescription();
}

Result<MediaFacts> codestream_facts(const std::string& name) {
  const auto film = open_stored_film(name, {});
  if (!film) return film.error();
  const auto picture = (*film)->next();
  if (!picture) return picture.error();
  if (!*picture) return fail(ErrorCode::kBadData, name + ": no picture found");
  const SourceInfo& info = (*film)->info();
  return MediaFacts{.size = (*picture)->size,
                    .codec = codec_name((*picture)->compressed->codec),
                    .duration_ns = info.duration_ns,
                    .fps = frames_a_second(info.rate),
                    .playable = true,
                    .description = description_of(name)};
}

Error not_facts(const std::string& why) {
  return fail(ErrorCode::kParseError, why);
}

}  // namespace

Result<MediaFacts> stored_facts(
    const std::string& name,
    const std::function<Result<std::unique_ptr<const ByteSource>>()>& open) {
  return !open && is_stored_film(name) ? codestream_facts(name) : media_facts(name, {}, open);
}

std::string stored_facts_line(const Result<MediaFacts>& facts) {
  Json json;
  if (facts) {
    json = {{"size", size_json(facts->size)},
            {"codec", facts->codec},
            {"duration_ns", facts->duration_ns},
            {"fps", facts->fps},
            {"playable", facts->playable}};
    write_fields(json, facts->description);
  } else {
    const bool too_much = facts.error().code == ErrorCode::kLimit;
    json[too_much ? kUnreadable : kUnplayable] =
        make_plain_text(facts.error().message, kLongestReason);
  }
  return json.dump() + '\n';
}

Result<MediaFacts> read_stored_facts(std::string_view line) {
  const auto json = parse_json(line, kMaxStoredFacts);
  if (!json) return not_facts(json.error().message);
  JsonFields fields(*json, "facts");
  for (const auto& [name, code] :
       {std::pair(kUnplayable, ErrorCode::kBadData), std::pair(kUnreadable, ErrorCode::kLimit)}) {
    if (!fields.has(name)) continue;
    const std::string why = fields.raw_string(name, kMaxStoredFacts);
    if (auto error = fields.finish()) return not_facts(error->message);
    return fail(code, make_plain_text(why, kLongestReason));
  }
  const auto [width, height] = fields.pair("size", 1, kLargestSide);
  MediaFacts facts{.size = {width, height},
                   .codec = fields.string("codec", kLongestCodec),
                   .duration_ns = fields.integer("duration_ns", 0, kLongestNs),
                   .fps = fields.number("fps", 0, kFastest),
                   .playable = fields.boolean_or("playable", false),
                   .description = read_fields<FilmDescription>(fields)};
  if (auto error = fields.finish()) return not_facts(error->message);
  return facts;
}

}  // namespace sail
