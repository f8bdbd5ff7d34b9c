#include "sail/core/wire/standby.h"

#include "sail/core/text/text.h"

namespace sail {

Result<std::string> read_saved_name(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && !text->empty() && text->size() <= kMaxNameLength && !name_mistake(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams, where + ": must be a name");
}

void check(JsonFields& in, const JournalRead& asked) {
  const int named = !asked.layout.empty() + !asked.session.empty() + !asked.kept.empty();
  if (named != 1) in.mistake("session", "or 'layout' or 'kept' is required: give exactly one");
}

}  // namespace sail
