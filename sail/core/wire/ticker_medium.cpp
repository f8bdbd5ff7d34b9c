#include "sail/core/wire/ticker_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sail/core/text/text.h"

namespace sail {
namespace {

Error no_ticker(const std::string& words) {
  return fail(ErrorCode::kInvalidParams, "ticker: " + words);
}

Result<void> read_colour(std::string_view value, uint32_t& colour) {
  const auto read = parse_colour(value);
  if (!read) return no_ticker("a colour must be #rrggbb");
  colour = *read;
  return {};
}

Result<void> read_speed(std::string_view value, int& speed) {
  int number = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == value.data() + value.size();
  if (!whole || number < 1 || number > kMostTickerSpeed) {
    return no_ticker(fmt::format("speed must be 1 to {} pixels a second", kMostTickerSpeed));
  }
  speed = whole_ticker_speed(number);
  return {};
}

Result<void> read_option(std::string_view option, TickerMedium& medium) {
  const size_t equals = std::min(option.find('='), option.size());
  const std::string_view name = option.substr(0, equals);
  const std::string_view value = option.substr(std::min(equals + 1, option.size()));
  if (name == "speed") return read_speed(value, medium.speed);
  if (name == "ink") return read_colour(value, medium.ink);
  if (name == "paper") return read_colour(value, medium.paper);
  return no_ticker("the options are speed, ink and paper, as in ticker:?speed=120?TEXT");
}

}  // namespace

int whole_ticker_speed(int speed) {
  const int steps = (speed + kTickerSpeedStep / 2) / kTickerSpeedStep;
  return std::clamp(steps * kTickerSpeedStep, kTickerSpeedStep, kMostTickerSpeed);
}

bool is_ticker(std::string_view medium) {
  return medium.starts_with(kTickerScheme);
}

Result<TickerMedium> parse_ticker(std::string_view medium) {
  if (!is_ticker(medium)) return no_ticker("the medium must begin with ticker:");
  TickerMedium read;
  std::string_view rest = medium.substr(kTickerScheme.size());
  if (rest.starts_with('?')) {
    rest.remove_prefix(1);
    const size_t end = rest.find('?');
    if (end == std::string_view::npos) {
      return no_ticker("a question mark must end the options, as in ticker:?speed=120?TEXT");
    }
    std::string_view options = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    while (!options.empty()) {
      const size_t length = std::min(options.find('&'), options.size());
      if (auto known = read_option(options.substr(0, length), read); !known) return known.error();
      options.remove_prefix(std::min(length + 1, options.size()));
    }
  }
  if (trimmed(rest).empty()) return no_ticker("there is no text: ticker:TEXT");
  read.content = rest;
  return read;
}

std::string ticker_text(const TickerMedium& medium) {
  const TickerMedium usual;
  std::string options;
  const auto add = [&](std::string_view name, const std::string& value) {
    options += fmt::format("{}{}={}", options.empty() ? "" : "&", name, value);
  };
  if (medium.speed != usual.speed) add("speed", std::to_string(medium.speed));
  if (medium.ink != usual.ink) add("ink", colour_text(medium.ink));
  if (medium.paper != usual.paper) add("paper", colour_text(medium.paper));
  const bool plain = options.empty() && !medium.content.starts_with('?');
  return fmt::format("{}{}{}", kTickerScheme, plain ? "" : "?" + options + "?", medium.content);
}

bool is_ticker_url(std::string_view content) {
  return content.starts_with("http://") || content.starts_with("https://");
}

std::string ticker_source(std::string_view medium) {
  const auto read = parse_ticker(medium);
  const bool reads = read && (read->content.starts_with('/') || is_ticker_url(read->content));
  return reads ? read->content : "";
}

}  // namespace sail
