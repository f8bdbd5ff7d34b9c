// Fields of the manager's answers for showing them: what is missing or of another type reads as
// nothing, so that no answer of another version can end the program. Pure.
#pragma once

#include <string>

#include "sail/wire/json.h"

namespace ui {

// An empty object when there is none.
inline sail::Json member(const sail::Json& object, const char* name) {
  const auto it = object.find(name);  // end() for anything but an object
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
