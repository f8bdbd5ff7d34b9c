#include "sail/apps/show/ticker_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/media/cinema/xml_events.h"

namespace sail {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBetweenParts = "   \u2022   ";
constexpr std::string_view kIsolate = "\u2068";
constexpr std::string_view kIsolateEnd = "\u2069";
constexpr std::string_view kShortenedMark = "\u2026";
constexpr size_t kMostPart = kMostTickerLine - 64;  // one part with all that surrounds it fits

bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
}

// Control characters become blanks; several blanks become one.
std::string with_single_blanks(std::string_view text) {
  std::string single;
  for (const char letter : text) {
    const bool blank = letter == ' ' || is_control(letter);
    if (!blank) single += letter;
    if (blank && !single.empty() && single.back() != ' ') single += ' ';
  }
  return std::string(trimmed(single));
}

// Adds the part if it fits. Parts without text are left out.
void add_part(TickerLine& line, std::string_view part, size_t most_bytes) {
  const std::string single = with_single_blanks(part);
  std::string plain = make_plain_text(single, most_bytes);
  if (plain.empty() || line.shortened) return;
  if (plain.size() < single.size() && single.size() > most_bytes) plain += kShortenedMark;
  const size_t more = kBetweenParts.size() + kIsolate.size() + plain.size() + kIsolateEnd.size();
  line.shortened = line.text.size() + more > kMostTickerLine;
  if (line.shortened) return;
  if (!line.text.empty()) line.text += kBetweenParts;
  line.text += kIsolate;
  line.text += plain;
  line.text += kIsolateEnd;
}

void append_utf8(std::string& text, uint32_t code) {
  const auto add = [&text](uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xe0 | code >> 12);
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
    }
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

// "#8217" or "#x2019"; empty: no character.
std::optional<uint32_t> numbered_character(std::string_view name) {
  if (!name.starts_with('#')) return std::nullopt;
  name.remove_prefix(1);
  const bool hex = name.starts_with('x') || name.starts_with('X');
  if (hex) name.remove_prefix(1);
  uint32_t code = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, code, hex ? 16 : 10);
  const bool valid = read.ec == std::errc() && read.ptr == end && code > 0 && code <= 0x10ffff &&
                     (code < 0xd800 || code > 0xdfff);
  return valid ? std::optional(code) : std::nullopt;
}

std::optional<uint32_t> character_of(std::string_view entity) {
  constexpr std::array<std::pair<std::string_view, uint32_t>, 14> kNamed{{{"amp", '&'},
                                                                          {"lt", '<'},
                                                                          {"gt", '>'},
                                                                          {"quot", '"'},
                                                                          {"apos", '\''},
                                                                          {"nbsp", ' '},
                                                                          {"hellip", 0x2026},
                                                                          {"ndash", 0x2013},
                                                                          {"mdash", 0x2014},
                                                                          {"lsquo", 0x2018},
                                                                          {"rsquo", 0x2019},
                                                                          {"ldquo", 0x201c},
                                                                          {"rdquo", 0x201d},
                                                                          {"euro", 0x20ac}}};
  const auto* const named =
      std::ranges::find(kNamed, entity, [](const auto& known) { return known.first; });
  return named == kNamed.end() ? numbered_character(entity) : std::optional(named->second);
}

// The length of the tag that begins the text; 0: the text begins with a '<' that begins no tag.
size_t tag_length(std::string_view text) {
  if (text.size() < 2) return 0;
  if (!is_letter(text[1]) && text[1] != '/' && text[1] != '!') return 0;
  const size_t end = text.find('>');
  return end == std::string_view::npos ? text.size() : end + 1;
}

// Adds the character of the entity that begins the text. Returns its length; 0: no entity.
size_t take_entity(std::string_view text, std::string& plain) {
  constexpr size_t kLongestEntity = 10;
  const size_t end = text.substr(0, kLongestEntity).find(';');
  if (end == std::string_view::npos) return 0;
  const auto character = character_of(text.substr(1, end - 1));
  if (!character) return 0;
  append_utf8(plain, *character);
  return end + 1;
}

class FeedReader {
 public:
  Result<void> begin(const XmlPath& path) const {
    if (path.size() > 1) return {};
    for (const char* root : {"rss", "RDF", "feed"}) {
      if (path.front().name == root) return {};
    }
    return fail(ErrorCode::kBadData, "is neither RSS nor Atom");
  }

  Result<void> end(const XmlPath& path, std::string_view text) {
    if (!has_name(path, 0, "title") || !is_entry(path) || titles_ == kMostTickerTitles) return {};
    ++titles_;
    const auto type = path.back().attributes.find("type");
    const bool rss = path.front().name != "feed";
    const bool html = rss || (type != path.back().attributes.end() && type->second == "html");
    add_part(line_, html ? text_of_html(text) : std::string(text), kMostTickerTitle);
    return {};
  }

  Result<TickerLine> take() {
    if (line_.text.empty()) return fail(ErrorCode::kBadData, "has no titles");
    return std::move(line_);
  }

 private:
  // Whether the title belongs to an entry. Titles of pictures in an entry have another name space.
  static bool is_entry(const XmlPath& path) {
    if (!has_name(path, 1, "item") && !has_name(path, 1, "entry")) return false;
    return path.back().name_space == path[path.size() - 2].name_space;
  }

  TickerLine line_;
  size_t titles_ = 0;
};

}  // namespace

std::string text_of_html(std::string_view html) {
  std::string plain;
  while (!html.empty()) {
    size_t taken = 0;
    if (html.front() == '<') taken = tag_length(html);
    if (html.front() == '&') taken = take_entity(html, plain);
    if (taken == 0) {
      plain += html.front();
      taken = 1;
    }
    html.remove_prefix(taken);
  }
  return plain;
}

Result<TickerLine> line_of_text(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string plain(text);
  std::ranges::replace_if(plain, is_control, ' ');
  if (!is_plain_text(plain)) return fail(ErrorCode::kBadData, "is not UTF-8 text");
  TickerLine line;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size());
    add_part(line, text.substr(0, length), kMostPart);
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  if (line.text.empty()) return fail(ErrorCode::kBadData, "has no text");
  return line;
}

Result<TickerLine> line_of_feed(std::string_view xml) {
  FeedReader feed;
  const auto read = read_xml(
      xml,
      {.begin = [&](const XmlPath& path) { return feed.begin(path); },
       .end = [&](const XmlPath& path, std::string_view text) { return feed.end(path, text); }});
  if (!read) return read.error();
  return feed.take();
}

Result<TickerLine> line_of_file(std::string_view file) {
  if (file.starts_with(kByteOrderMark)) file.remove_prefix(kByteOrderMark.size());
  return trimmed(file).starts_with('<') ? line_of_feed(trimmed(file)) : line_of_text(file);
}

}  // namespace sail
