// Reads JSON from peers and files. Sizes are bounded, nothing throws, and errors name the field.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/limits.h"

namespace sail {

using Json = nlohmann::json;

// Refuses text that is longer than max_bytes, nested deeper than max_depth, has duplicate keys in
// an object, or numbers outside the range of double, or is not JSON (the error states the byte).
// Pure.
Result<Json> parse_json(std::string_view text, size_t max_bytes, int max_depth = kMaxJsonDepth);

// Returns the value if it is a whole number in [min, max].
std::optional<int64_t> whole_number(const Json& value, int64_t min, int64_t max);

// Reads the fields of one object and checks type and range. The first error is kept, and every
// later read returns a default. So callers read everything and check once:
//
//   JsonFields fields(params, "move");
//   const int x = fields.integer("x", -1000, 1000);
//   if (auto error = fields.finish()) return *error;
//
// finish() also refuses fields that were not read: a mistyped optional field must not be ignored.
// The error suggests the most similar name among those that were asked for. Names must be literals.
class JsonFields {
 public:
  // Which mistakes finish() reports. kAll: the first of each field, one per line; for files that
  // people write. Of unknown fields, only the first ones are reported.
  enum class Report { kFirst, kAll };
  // `where` is the prefix of error messages: "move", "tiles[3]". The object must outlive this.
  JsonFields(const Json& object, std::string where, Report report = Report::kFirst);

  const std::string& where() const { return where_; }

  bool has(const char* name);
  int64_t integer(const char* name, int64_t min, int64_t max);
  int64_t integer_or(const char* name, int64_t min, int64_t max, int64_t fallback);
  double number(const char* name, double min, double max);
  double number_or(const char* name, double min, double max, double fallback);
  bool boolean_or(const char* name, bool fallback);
  // Text that is valid as a name, see text.h.
  std::string string(const char* name, size_t max_bytes);
  // Any text without control characters, such as paths and user input.
  std::string raw_string(const char* name, size_t max_bytes);
  std::string string_or(const char* name, size_t max_bytes, std::string fallback);
  // [x, y], whole numbers in range.
  std::pair<int, int> pair(const char* name, int64_t min, int64_t max);
  // [x, y], real numbers in range.
  std::pair<double, double> numbers(const char* name, double min, double max);
  // [x, y, width, height] with |x|, |y| ≤ max_offset and sides from 1 to max_side.
  Rect rect(const char* name, int max_offset, int max_side);
  // An unsigned 64-bit number as a string of hexadecimal digits, because JSON numbers lose bits.
  uint64_t hex64(const char* name);
  // Returns a value of any type; null if it is missing.
  const Json& value(const char* name);
  // Return the array or object; an empty one if it is missing or has another type.
  const Json& array(const char* name, size_t max_items);
  const Json& object(const char* name);
  // Records an error that the caller found in a field's value.
  void mistake(const char* name, std::string_view what);
  // Records an error with a complete message, e.g. from reading a nested value.
  void mistake(Error error);

  std::optional<Error> finish();
  // As finish(), but accepts unknown fields: for messages that may be extended.
  std::optional<Error> finish_open() const { return error(); }

 private:
  struct Mistake {
    std::string field;  // empty: the message is a whole sentence
    Error error;
    bool missing = false;  // the object does not have the field
  };

  const Json* take(const char* name, bool required);
  void add(Mistake mistake);
  Mistake mistake_of(const char* name, std::string_view what) const;
  std::optional<Error> error() const;

  const Json& object_;
  const std::string where_;
  const Report report_;
  std::vector<std::string_view> read_;
  std::vector<std::string_view> asked_;  // read or not, as an optional field may be missing
  std::vector<Mistake> mistakes_;
};

Json rect_json(const Rect& rect);  // [x, y, width, height]
Json size_json(const Size& size);  // [width, height]
std::string hex64_text(uint64_t value);

}  // namespace sail
