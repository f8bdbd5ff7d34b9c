#include "ui/impair/impairment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace sail {
namespace {

constexpr double kMaxBurst = 10000;
constexpr double kMaxDelayMs = 10000;
constexpr double kMaxRate = 1e12;
constexpr double kLeastRate = 1000;
constexpr double kMaxScheduleMs = 24 * 3600e3;

struct Unit {
  std::string_view name;
  double factor;
};
constexpr std::array<Unit, 2> kShares{{{"%", 0.01}, {"", 1}}};
constexpr std::array<Unit, 3> kTimes{{{"ms", 1}, {"us", 1e-3}, {"s", 1e3}}};
constexpr std::array<Unit, 4> kRates{{{"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {"bit", 1}}};
constexpr std::array<Unit, 1> kNumbers{{{"", 1}}};

struct Field {
  std::string_view name;
  double Impairment::*value;
  std::span<const Unit> units;
  double least;
  double most;
  std::string_view form;
};
constexpr std::array<Field, 8> kFields{{
    {"loss", &Impairment::loss, kShares, 0, 1, "a fraction such as 1% or 0.01"},
    {"burst", &Impairment::burst, kNumbers, 1, kMaxBurst, "a number of packets, 1 to 10000"},
    {"delay", &Impairment::delay_ms, kTimes, 0, kMaxDelayMs, "a time such as 50ms, at most 10s"},
    {"jitter", &Impairment::jitter_ms, kTimes, 0, kMaxDelayMs, "a time such as 5ms, at most 10s"},
    {"reorder", &Impairment::reorder, kShares, 0, 1, "a fraction such as 1% or 0.01"},
    {"duplicate", &Impairment::duplicate, kShares, 0, 1, "a fraction such as 1% or 0.01"},
    {"rate", &Impairment::rate_bit_per_s, kRates, 0, kMaxRate,
     "a rate such as 800mbit, at least 1kbit, or 0 (no limit)"},
    {"queue", &Impairment::queue_ms, kTimes, 0, kMaxDelayMs, "a time such as 100ms, at most 10s"},
}};

// Parses a number followed by one of the units; 0 needs no unit.
std::optional<double> parse_amount(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  const std::string_view unit(stop, static_cast<size_t>(end - stop));
  if (number == 0 && unit.empty()) return 0;
  for (const Unit& known : units) {
    if (unit == known.name) return number * known.factor;
  }
  return std::nullopt;
}

// Calls `take` for each part of the text; returns the first error.
template <typename Take>
Result<void> for_each_part(std::string_view text, char separator, Take take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (auto taken = take(text.substr(0, end)); !taken) return taken;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

std::pair<std::string_view, std::string_view> split(std::string_view text, char at) {
  const size_t position = std::min(text.find(at), text.size());
  return {text.substr(0, position), text.substr(std::min(position + 1, text.size()))};
}

Result<void> set_seed(Impairment& impairment, std::string_view value) {
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, impairment.seed);
  if (error == std::errc() && stop == end) return {};
  return fail(ErrorCode::kInvalidParams, fmt::format("seed={}: must be a whole number", value));
}

Result<void> set(Impairment& impairment, std::string_view part) {
  if (part == "both") {
    impairment.both = true;
    return {};
  }
  const auto [name, value] = split(part, '=');
  if (name == "seed") return set_seed(impairment, value);
  for (const Field& field : kFields) {
    if (name != field.name) continue;
    const auto amount = parse_amount(value, field.units);
    const bool no_rate = field.name == "rate" && amount && *amount > 0 && *amount < kLeastRate;
    if (!amount || *amount < field.least || *amount > field.most || no_rate) {
      return fail(ErrorCode::kInvalidParams, fmt::format("{}: must be {}", part, field.form));
    }
    impairment.*field.value = *amount;
    return {};
  }
  return fail(ErrorCode::kInvalidParams,
              fmt::format("unknown impairment \"{}\": use loss, burst, delay, jitter, reorder, "
                          "duplicate, rate, queue, seed (each as NAME=VALUE) or both",
                          part));
}

}  // namespace

Result<Impairment> parse_impairment(std::string_view text, const Impairment& base) {
  Impairment impairment = base;
  if (text.empty() || text == "none") {
    impairment = {};
    impairment.seed = base.seed;
    impairment.both = base.both;
    return impairment;
  }
  const auto taken =
      for_each_part(text, ',', [&](std::string_view part) { return set(impairment, part); });
  if (!taken) return taken.error();
  return impairment;
}

std::string impairment_text(const Impairment& impairment) {
  const Impairment nothing;
  std::string text;
  for (const Field& field : kFields) {
    const double value = impairment.*field.value;
    if (value == nothing.*field.value) continue;
    // Rates are written in the unit kRates[1], other values in their first unit.
    const Unit& unit = field.name == "rate" ? kRates[1] : field.units.front();
    text += fmt::format("{}={}{},", field.name, value / unit.factor, unit.name);
  }
  if (impairment.seed != nothing.seed) text += fmt::format("seed={},", impairment.seed);
  if (impairment.both) text += "both,";
  if (text.empty()) return "none";
  text.pop_back();
  return text;
}

Impairment backward(const Impairment& impairment) {
  Impairment back;
  if (impairment.both) back = impairment;
  back.delay_ms = impairment.delay_ms;
  back.seed = impairment.seed + 1;
  return back;
}

Result<std::vector<ScheduledImpairment>> parse_schedule(std::string_view text,
                                                        const Impairment& base) {
  std::vector<ScheduledImpairment> schedule;
  const auto taken = for_each_part(text, ';', [&](std::string_view entry) -> Result<void> {
    const auto [time, change] = split(entry, ':');
    const auto after_ms = parse_amount(time, kTimes);
    const double before = schedule.empty() ? 0 : static_cast<double>(schedule.back().after_ms);
    if (!after_ms || *after_ms < before || *after_ms > kMaxScheduleMs) {
      return fail(
          ErrorCode::kInvalidParams,
          fmt::format("\"{}\": must be TIME:CHANGES, such as 10s:rate=40mbit, with times in "
                      "ascending order",
                      entry));
    }
    auto impairment = parse_impairment(change, base);
    if (!impairment) return impairment.error();
    schedule.push_back({std::llround(*after_ms), *impairment});
    return {};
  });
  if (!taken) return taken.error();
  return schedule;
}

}  // namespace sail
