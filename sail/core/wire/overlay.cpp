#include "sail/core/wire/overlay.h"

#include "sail/core/text/text.h"

namespace sail {

Result<std::string> read_label_line(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && text->size() <= kMaxLabelLine && !name_mistake(*text)) return *text;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be a line of at most {} bytes", where, kMaxLabelLine));
}

}  // namespace sail
