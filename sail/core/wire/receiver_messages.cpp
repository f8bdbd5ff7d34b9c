#include "sail/core/wire/receiver_messages.h"

namespace sail {

void check(JsonFields& in, const Record& record) {
  if (record.wall_rect && record.window)
    in.mistake("window", "cannot be combined with 'wall_rect'");
  if (record.secret == 0) in.mistake("secret", "must not be 0");
}

}  // namespace sail
