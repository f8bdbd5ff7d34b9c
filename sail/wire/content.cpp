#include "sail/wire/content.h"

#include <fmt/core.h>

#include <cctype>
#include <string_view>
#include <utility>

#include "sail/wire/control_fields.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

using namespace control_fields;

// An absolute path, or something with a scheme. What is relative to the application's folder would
// be another file for the manager.
bool is_absolute(std::string_view medium) {
  constexpr std::string_view kSchemeLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
  if (medium.starts_with('/')) return true;
  const size_t end = medium.find_first_not_of(kSchemeLetters);
  return end != std::string_view::npos && medium[end] == ':' &&
         std::isalpha(static_cast<unsigned char>(medium.front())) != 0;
}

Result<std::string> read_medium(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && text->size() <= kMaxContentBytes && is_plain_text(*text) &&
      is_absolute(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be an absolute path, test:… or a URL, of at most {} bytes "
                          "without control characters",
                          where, kMaxContentBytes));
}

}  // namespace

Json to_json(const Content& content) {
  return {{"media", content.media}, {"program", content.program}, {"loop", content.loop}};
}

Result<Content> content_from_json(const Json& value, const std::string& where) {
  JsonFields fields(value, where);
  Content content;
  content.media = list(fields, "media", kMaxContentMedia, where.c_str(), read_medium);
  size_t bytes = 0;
  for (const std::string& medium : content.media) bytes += medium.size();
  if (bytes > kMaxContentBytes) {
    fields.mistake("media", fmt::format("must have at most {} bytes together", kMaxContentBytes));
  }
  content.program = name(fields, "program", kMaxNameLength);
  content.loop = fields.boolean_or("loop", false);
  return checked(fields, std::move(content));
}

}  // namespace sail
