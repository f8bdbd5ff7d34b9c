// Reads fields of the manager's answers, and formats the answers as text. A field that is missing
// or has another type reads as empty, so an answer of another version cannot crash the program.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/core/text/json.h"

namespace ui {

// Returns an empty object if the field is missing.
inline sail::Json member(const sail::Json& object, const char* name) {
  const auto it = object.find(name);  // end() if `object` is not an object
  return it == object.end() ? sail::Json::object() : *it;
}

inline std::string text_member(const sail::Json& object, const char* name) {
  const sail::Json value = member(object, name);
  return value.is_string() ? value.get<std::string>() : "";
}

inline int64_t number_member(const sail::Json& object, const char* name) {
  const sail::Json value = member(object, name);
  return value.is_number_integer() ? value.get<int64_t>() : 0;
}

inline bool true_member(const sail::Json& object, const char* name) {
  return member(object, name) == true;
}

// --- text
// Formats the answer of the verb "list".
std::string wall_text(const sail::Json& state);
// Returns the problems of the whole wall, such as a damaged file, from the answer of the verb
// "list": a newline and a sentence for each. Empty: none.
std::string wall_problems_text(const sail::Json& state);
// Pads columns to their widest cell; the first row is the heading. Cells are UTF-8 without control
// characters; width is counted in code points.
std::string table(const std::vector<std::vector<std::string>>& rows);

// "1920×1080 at 10,20"; "–" if `rect` is not a rectangle.
std::string rect_text(const sail::Json& rect);
// A field as a cell; "–" if it is missing or null. Other JSON types are printed as JSON, so a table
// works with a newer manager.
std::string text_of(const sail::Json& object, const char* name);

}  // namespace ui
