#include "sail/core/wire/input.h"

namespace sail {
namespace {

constexpr double kMaxOffset = 1e9;    // pixels from the corner
constexpr double kMaxWheel = 1e4;     // notches in one event
constexpr size_t kMaxKeyLength = 32;  // bytes

}  // namespace

void InputPlace::read(JsonFields& in, const char* name, InputPoint& point) {
  std::tie(point.x, point.y) = in.numbers(name, -kMaxOffset, kMaxOffset);
}

void Wheel::read(JsonFields& in, const char* name, std::tuple<double&, double&>& notches) {
  notches = in.numbers(name, -kMaxWheel, kMaxWheel);
}

Json Wheel::json(const std::tuple<const double&, const double&>& notches) {
  return Json::array({std::get<0>(notches), std::get<1>(notches)});
}

void Key::read(JsonFields& in, const char* name, std::string& key) const {
  key = in.raw_string(name, kMaxKeyLength);
  if (needed && key.empty()) in.mistake(name, "must not be empty");
}

}  // namespace sail
