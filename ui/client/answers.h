// Reads fields of the manager's answers for display. A field that is missing or has another type
// reads as empty, so an answer of another version cannot crash the program. Pure.
#pragma once

#include <string>

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

}  // namespace ui
