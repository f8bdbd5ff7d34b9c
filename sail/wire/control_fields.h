// How the control messages read and write their fields: the ranges that several of them share. For
// the .cpp files of the control messages only.
#pragma once

#include <fmt/core.h>

#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "codecs/reduce.h"
#include "sail/wire/json.h"
#include "sail/wire/limits.h"
#include "sail/wire/text.h"

namespace sail::control_fields {

constexpr size_t kMaxTypeLength = 32;  // of roles and types, bytes
constexpr double kMaxMeasure = 1e12;   // of measured values, whatever their unit
constexpr double kMaxPercent = 100;
constexpr double kMaxPlaybackValue = 1e9;  // seconds of a film, times its normal speed

// The value, or the first mistake in its fields.
template <typename T>
Result<T> checked(const JsonFields& fields, T value) {
  if (auto error = fields.finish_open()) return *std::move(error);
  return value;
}

inline uint64_t counter(JsonFields& fields, const char* name, int64_t min = 0) {
  return static_cast<uint64_t>(fields.integer(name, min, static_cast<int64_t>(kMaxCounter)));
}

inline uint32_t stream_number(JsonFields& fields, const char* name) {
  return static_cast<uint32_t>(fields.integer(name, 1, std::numeric_limits<uint32_t>::max()));
}

inline int64_t time_ns(JsonFields& fields, const char* name) {
  return fields.integer(name, 0, kMaxTimeNs);
}

inline double measure(JsonFields& fields, const char* name) {
  return fields.number(name, 0, kMaxMeasure);
}

inline double optional_measure(JsonFields& fields, const char* name) {
  return fields.number_or(name, 0, kMaxMeasure, 0);
}

inline double optional_percent(JsonFields& fields, const char* name) {
  return fields.number_or(name, 0, kMaxPercent, 0);
}

inline uint64_t optional_counter(JsonFields& fields, const char* name) {
  return fields.has(name) ? counter(fields, name) : 0;
}

inline Size size(JsonFields& fields, const char* name, int max_side) {
  const auto [width, height] = fields.pair(name, 1, max_side);
  return {width, height};
}

inline Size block_size(JsonFields& fields) {
  const auto [width, height] = fields.pair("block_size", kMinBlockSide, kMaxBlockSide);
  if (!is_block_side(width) || !is_block_side(height)) {
    fields.mistake("block_size", "must be two multiples of 4");
  }
  return {width, height};
}

inline Rect window_rect(JsonFields& fields, const char* name) {
  return fields.rect(name, kMaxWindowOffset, kMaxWindowSide);
}

inline std::string name(JsonFields& fields, const char* field, size_t max_bytes) {
  std::string text = fields.string(field, max_bytes);
  if (text.empty()) fields.mistake(field, "must not be empty");
  return text;
}

// Reads each item of a list with read(item, where), which gives a Result.
template <typename Read>
auto list(JsonFields& fields, const char* name, size_t max_items, const char* where,
          const Read& read) {
  using Item = typename std::invoke_result_t<Read, const Json&, std::string>::value_type;
  std::vector<Item> items;
  const Json& values = fields.array(name, max_items);
  items.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    auto item = read(values[i], fmt::format("{}: {}[{}]", where, name, i));
    if (!item) {
      fields.mistake(std::move(item).error());
      break;
    }
    items.push_back(*std::move(item));
  }
  return items;
}

// Refuses a list in which two items share the key.
template <typename Items, typename Key>
void check_distinct(JsonFields& fields, const char* name, const Items& items, const Key& key) {
  std::set<std::decay_t<decltype(key(items[0]))>> seen;
  for (const auto& item : items) {
    if (seen.insert(key(item)).second) continue;
    fields.mistake(name, fmt::format("names {} twice", key(item)));
    return;
  }
}

template <typename Item>
Json list_json(const std::vector<Item>& items, Json (*item_json)(const Item&)) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(item_json(item));
  return list;
}

inline int reduction(JsonFields& fields, const char* field) {
  return fields.has(field) ? static_cast<int>(fields.integer(field, 0, codecs::kMaxReduction)) : 0;
}

// An element of a list of codecs.
inline Result<std::string> read_codec(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && !text->empty() && text->size() <= kMaxNameLength && !name_mistake(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams, where + ": must be the name of a codec");
}

}  // namespace sail::control_fields
