// JSON from peers and files: bounded, never throwing, with errors that name the field.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

using Json = nlohmann::json;

// Refuses what is longer than max_bytes, nested deeper than kMaxJsonDepth, names a field twice in
// one object, holds a number past a double, or is no JSON (the error says at which byte). Pure.
Result<Json> parse_json(std::string_view text, size_t max_bytes);

// The number when the value is a whole one within the range.
std::optional<int64_t> whole_number(const Json& value, int64_t min, int64_t max);

// Reads the fields of one object, checking type and range. The first mistake is kept and every
// later read gives a default, so that callers read everything and check once:
//
//   JsonFields fields(params, "move");
//   const int x = fields.integer("x", -1000, 1000);
//   if (auto error = fields.finish()) return *error;
//
// finish() also refuses fields that nobody read: a mistyped optional field must not pass silently.
class JsonFields {
 public:
  // kAll: the first mistake of each field, a line each; for files that people write.
  enum class Told { kFirst, kAll };
  // `where` begins the error sentences: "move", "tiles[3]". The object must outlive this.
  JsonFields(const Json& object, std::string where, Told told = Told::kFirst);

  const std::string& where() const { return where_; }

  bool has(const char* name) const;
  int64_t integer(const char* name, int64_t min, int64_t max);
  int64_t integer_or(const char* name, int64_t min, int64_t max, int64_t fallback);
  double number(const char* name, double min, double max);
  double number_or(const char* name, double min, double max, double fallback);
  bool boolean_or(const char* name, bool fallback);
  // What may be a name, see text.h.
  std::string string(const char* name, size_t max_bytes);
  // Any text without control characters: paths, what people type.
  std::string raw_string(const char* name, size_t max_bytes);
  std::string string_or(const char* name, size_t max_bytes, std::string fallback);
  // [x, y] with both in range.
  std::pair<int, int> pair(const char* name, int64_t min, int64_t max);
  // The same of numbers that need not be whole.
  std::pair<double, double> numbers(const char* name, double min, double max);
  // [x, y, width, height] with |x|, |y| ≤ max_offset and sides from 1 to max_side
  Rect rect(const char* name, int max_offset, int max_side);
  // An unsigned number of up to 64 bits as a string of hexadecimal digits: JSON numbers lose bits.
  uint64_t hex64(const char* name);
  // The array or object itself; an empty one when missing or of another type.
  const Json& array(const char* name, size_t max_items);
  const Json& object(const char* name);
  // Records an error found by the caller in the value of a field.
  void mistake(const char* name, std::string_view what);
  // Records an error whose sentence is whole: from reading a value within this object.
  void mistake(Error error);

  std::optional<Error> finish();
  // Like finish, but lets fields pass that nobody read: for messages that may grow.
  std::optional<Error> finish_open() const { return error(); }

 private:
  struct Mistake {
    std::string field;  // empty: its sentence is whole
    Error error;

    bool is_missing() const { return error.message.find("' is missing") != std::string::npos; }
  };

  const Json* take(const char* name, bool required);
  void add(Mistake mistake);
  std::optional<Error> error() const;

  const Json& object_;
  const std::string where_;
  const Told told_;
  std::vector<std::string_view> read_;
  std::vector<Mistake> mistakes_;
};

Json rect_json(const Rect& rect);  // [x, y, width, height]
Json size_json(const Size& size);  // [width, height]
std::string hex64_text(uint64_t value);

}  // namespace sail
