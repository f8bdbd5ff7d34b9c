#include "manager/media/media_facts.h"

#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr size_t kLongestFacts = 4096;
constexpr size_t kLongestReason = 300;
constexpr double kLongestFilmS = 1e9;
constexpr int kMostPages = 10'000'000;
constexpr int64_t kLargestSide = int64_t{1} << 30;

}  // namespace

sail::Result<MediaFacts> parse_media_facts(std::string_view text) {
  const auto json = sail::parse_json(text, kLongestFacts);
  if (!json) return json.error();
  sail::JsonFields fields(*json, "facts");
  MediaFacts facts;
  if (fields.has("size")) {
    const auto [width, height] = fields.pair("size", 1, kLargestSide);
    facts.size = sail::Size{width, height};
  }
  if (fields.has("duration_s")) facts.duration_s = fields.number("duration_s", 0, kLongestFilmS);
  if (fields.has("pages")) facts.pages = static_cast<int>(fields.integer("pages", 1, kMostPages));
  if (fields.has("unplayable")) {
    facts.unplayable =
        sail::make_plain_text(fields.raw_string("unplayable", kLongestFacts), kLongestReason);
  }
  if (auto error = fields.finish()) return *error;
  return facts;
}

}  // namespace manager
