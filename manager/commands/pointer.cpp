#include <cmath>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {
namespace {

// The wall's pixel in which the point lies.
PointerPlace read_place(sail::JsonFields& fields) {
  const sail::Json& at = fields.array("at", 2);
  PointerPlace place{.pressed = fields.boolean_or("pressed", false)};
  const auto read = [&at](size_t axis, int& pixel) {
    if (at.size() != 2 || !at[axis].is_number()) return false;
    const double value = std::floor(at[axis].get<double>());
    if (!(std::abs(value) <= sail::kMaxWindowOffset)) return false;
    pixel = static_cast<int>(value);
    return true;
  };
  if (!read(0, place.x) || !read(1, place.y)) {
    fields.mistake("at", "must be [x, y], wall pixels of at most 1000000");
  }
  return place;
}

}  // namespace

Answer pointer(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "pointer");
  const auto number =
      static_cast<int>(fields.integer_or("pointer", 0, Pointers::kMostOfAClient - 1, 0));
  const bool hidden = fields.boolean_or("hidden", false);
  const PointerPlace place = hidden ? PointerPlace{} : read_place(fields);
  if (auto error = fields.finish()) return *error;
  if (hidden) {
    caller.manager.hide_pointer(caller.session, number);
  } else {
    caller.manager.move_pointer(caller.session, number, place);
  }
  return sail::Json::object();
}

}  // namespace manager::verbs
