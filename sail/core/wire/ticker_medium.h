// The medium of a ticker, a line of text that moves: "ticker:Doors open at 18:00", "ticker:/FILE",
// "ticker:https://HOST/FEED". Options come first, between question marks:
// "ticker:?speed=120&ink=#ffff00?Doors open at 18:00". Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

namespace sail {

constexpr std::string_view kTickerScheme = "ticker:";

struct TickerMedium {
  // All steps are whole pixels: the speed is a multiple of kTickerSpeedStep.
  int speed = 60;  // pixels per second
  uint32_t ink = 0xf2f2eb;
  uint32_t paper = 0x12141a;
  std::string content;  // a text, the absolute path of a file, or a URL

  bool operator==(const TickerMedium&) const = default;
};
constexpr int kTickerSpeedStep = 30;
constexpr int kMostTickerSpeed = 1200;
// Height of the frames, pixels. FreeType does not draw larger letters.
constexpr int kLeastTickerHeight = 16;
constexpr int kMostTickerHeight = 1500;
// The nearest speed with whole steps.
int whole_ticker_speed(int speed);

bool is_ticker(std::string_view medium);
// kInvalidParams: unknown or wrong options, or no content.
Result<TickerMedium> parse_ticker(std::string_view medium);
// Options with their usual value are left out.
std::string ticker_text(const TickerMedium& medium);

bool is_ticker_url(std::string_view content);
// The file or URL that the ticker reads; empty: none, or no ticker.
std::string ticker_source(std::string_view medium);

}  // namespace sail
