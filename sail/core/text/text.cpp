#include "sail/core/text/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>

namespace sail {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: no valid plain character
};

// Decodes the first character of `text`, if it is plain.
Character plain_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, lead >= 0x20 && lead != 0x7f ? size_t{1} : 0};

  size_t bytes = 0;
  uint32_t code = 0;
  uint32_t smallest = 0;  // smaller values are overlong encodings
  if ((lead & 0xe0) == 0xc0) {
    bytes = 2, code = lead & 0x1f, smallest = 0xa0;  // 0x80 … 0x9f are the C1 controls
  } else if ((lead & 0xf0) == 0xe0) {
    bytes = 3, code = lead & 0x0f, smallest = 0x800;
  } else if ((lead & 0xf8) == 0xf0) {
    bytes = 4, code = lead & 0x07, smallest = 0x10000;
  }
  if (bytes == 0 || bytes > text.size()) return {};
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest || code > 0x10ffff || surrogate) return {};
  return {code, bytes};
}

struct Range {
  uint32_t first;
  uint32_t last;
};

// Embeddings, overrides, isolates and direction marks.
constexpr Range kTurningOnes[] = {
    {0x061c, 0x061c}, {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}};

// Zero-width spaces, fillers, line separators, interlinear annotations, tags.
constexpr Range kUnseenOnes[] = {
    {0x00ad, 0x00ad}, {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180e, 0x180e},   {0x200b, 0x200b},
    {0x2028, 0x2029}, {0x2060, 0x2065}, {0x206a, 0x206f},   {0x3164, 0x3164},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}};

template <size_t count>
bool is_among(const Range (&ranges)[count], uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges), [code](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

bool is_joiner(uint32_t code) {
  return code == 0x200c || code == 0x200d;
}

bool is_tag(uint32_t code) {
  return code >= 0xe0020 && code <= 0xe007f;
}

enum class Fault { kNone, kTurns, kUnseen };

// Checks a character in its context. `before` is the preceding character; 0: none.
Fault fault_of(uint32_t code, uint32_t before) {
  constexpr uint32_t kFirstFault = 0x00ad;
  constexpr uint32_t kBeyondLatin = 0x0300;
  constexpr uint32_t kBlackFlag = 0x1f3f4;  // followed by tags, it is a regional flag
  if (code < kFirstFault) return Fault::kNone;
  if (is_among(kTurningOnes, code)) return Fault::kTurns;
  bool seen = !is_among(kUnseenOnes, code);
  if (is_joiner(code)) seen = before >= kBeyondLatin && !is_joiner(before);
  if (is_tag(code)) seen = before == kBlackFlag || is_tag(before);
  return seen ? Fault::kNone : Fault::kUnseen;
}

constexpr size_t kNear = 3;
constexpr size_t kLongestWord = 32;

// Optimal string alignment distance (Damerau-Levenshtein): insertions, deletions, substitutions and
// swaps of adjacent letters.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last;
  std::vector<size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    std::vector<size_t> row = {i + 1};
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t exchanged = last[j] + (a[i] == b[j] ? 0 : 1);
      row.push_back(std::min({exchanged, row[j] + 1, last[j + 1] + 1}));
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row.back() = std::min(row.back(), before_last[j - 1] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

constexpr std::string_view kHidden = "…";
constexpr std::string_view kBehindUrl = " \t\r\n\"'<>";

bool names_secret(std::string_view parameter) {
  constexpr std::string_view kNames[] = {"pass", "pwd", "token", "secret", "key", "signature"};
  const std::string name = lower(parameter);
  return name == "sig" || std::ranges::any_of(kNames, [&](std::string_view part) {
           return name.find(part) != std::string::npos;
         });
}

// user:password@host:port
std::string shown_authority(std::string_view authority) {
  const size_t at = authority.rfind('@');
  const size_t colon = authority.find(':');
  std::string shown(authority);
  if (at != std::string_view::npos && colon < at) {
    shown.replace(colon + 1, at - colon - 1, kHidden);
  }
  return shown;
}

enum class Hidden : uint8_t { kPasswords, kStreamKeys };

// Path and parameters, after the authority: ?name=value&name=value.
std::string shown_rest(std::string_view rest, Hidden hidden) {
  std::string shown;
  while (!rest.empty()) {
    const size_t end = rest.find_first_of("?&;", 1);
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(part.size());
    const size_t equals = part.find('=');
    const bool parameter = part.front() != '/' && equals != std::string_view::npos;
    const std::string_view name = parameter ? part.substr(1, equals - 1) : std::string_view();
    const bool names_stream = hidden == Hidden::kStreamKeys && same_word(name, "streamid");
    if (parameter && (names_secret(name) || names_stream)) {
      shown.append(part.substr(0, equals + 1)).append(kHidden);
    } else {
      shown += part;
    }
  }
  return shown;
}

// After the authority of RTMP: /app/stream.
std::string shown_app(std::string_view rest) {
  const size_t end = rest.find_first_of("/?#", 1);
  if (end == std::string_view::npos || rest[end] != '/') {
    return shown_rest(rest, Hidden::kStreamKeys);
  }
  return std::string(rest.substr(0, end + 1)).append(kHidden);
}

std::string shown_behind(std::string_view scheme, std::string_view rest, Hidden hidden) {
  if (scheme.ends_with("ibp") && !rest.empty()) return "/…";
  constexpr size_t kLongestName = 5;
  const std::string name =
      lower(scheme.substr(scheme.size() - std::min(scheme.size(), kLongestName)));
  const bool rtmp = name.ends_with("rtmp") || name == "rtmps";
  return rtmp && hidden == Hidden::kStreamKeys ? shown_app(rest) : shown_rest(rest, hidden);
}

std::string without(Hidden hidden, std::string_view text) {
  constexpr std::string_view kBehindScheme = "://";
  std::string shown;
  for (;;) {
    const size_t scheme_end = text.find(kBehindScheme);
    if (scheme_end == std::string_view::npos) return shown.append(text);
    const size_t begin = scheme_end + kBehindScheme.size();
    const std::string_view url = text.substr(begin, text.find_first_of(kBehindUrl, begin) - begin);
    const size_t authority = std::min(url.find_first_of("/?#"), url.size());
    shown.append(text.substr(0, begin));
    shown += shown_authority(url.substr(0, authority));
    shown += shown_behind(text.substr(0, scheme_end), url.substr(authority), hidden);
    text.remove_prefix(begin + url.size());
  }
}

}  // namespace

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = plain_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::optional<std::string> name_mistake(std::string_view text) {
  uint32_t before = 0;
  while (!text.empty()) {
    const auto [code, bytes] = plain_character(text);
    if (bytes == 0) return "must be UTF-8 text without control characters";
    if (const Fault fault = fault_of(code, before); fault != Fault::kNone) {
      return fmt::format("must not contain U+{:04X}, which {}", code,
                         fault == Fault::kTurns ? "changes the text direction" : "is invisible");
    }
    text.remove_prefix(bytes);
    before = code;
  }
  return std::nullopt;
}

std::string make_plain_text(std::string_view text, size_t max_bytes) {
  std::string plain;
  uint32_t before = 0;
  while (!text.empty()) {
    const auto [code, bytes] = plain_character(text);
    const bool kept = bytes > 0 && fault_of(code, before) == Fault::kNone;
    const std::string_view written = kept        ? text.substr(0, bytes)
                                     : bytes > 0 ? std::string_view()
                                                 : "?";
    if (plain.size() + written.size() > max_bytes) break;
    plain += written;
    if (!written.empty()) before = kept ? code : '?';
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return plain;
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = lower(letter);
  return result;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

bool fits_pattern(std::string_view pattern, std::string_view text) {
  const auto after_character = [text](size_t at) {
    ++at;
    while (at < text.size() && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80) ++at;
    return at;
  };
  size_t in_pattern = 0;
  size_t in_text = 0;
  std::optional<size_t> after_star;  // In the pattern, after the last '*'.
  size_t star_end = 0;               // In the text, after what the last '*' stands for.
  while (in_text < text.size()) {
    const char wanted = in_pattern < pattern.size() ? pattern[in_pattern] : '\0';
    if (wanted == '*') {
      after_star = ++in_pattern;
      star_end = in_text;
    } else if (wanted == '?') {
      ++in_pattern;
      in_text = after_character(in_text);
    } else if (in_pattern < pattern.size() && wanted == text[in_text]) {
      ++in_pattern;
      ++in_text;
    } else if (after_star) {
      in_pattern = *after_star;
      in_text = star_end = after_character(star_end);
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& words) {
  if (word.size() > kLongestWord) return {};
  std::string_view nearest;
  size_t smallest = std::min(kNear, word.size());
  for (const std::string_view candidate : words) {
    const size_t distance = edit_distance(word, candidate);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = candidate;
  }
  return nearest;
}

std::optional<uint32_t> parse_colour(std::string_view text) {
  constexpr size_t kLength = 7;
  if (text.size() != kLength || text[0] != '#') return std::nullopt;
  uint32_t colour = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + 1, end, colour, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return colour;
}

std::string colour_text(uint32_t colour) {
  return fmt::format("#{:06x}", colour);
}

std::string without_passwords(std::string_view text) {
  return without(Hidden::kPasswords, text);
}

std::string without_stream_keys(std::string_view text) {
  return without(Hidden::kStreamKeys, text);
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else if (c == '#' && !in_word) {
      break;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace sail
