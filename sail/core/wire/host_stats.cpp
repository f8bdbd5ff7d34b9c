#include "sail/core/wire/host_stats.h"

#include <unistd.h>

#include <array>

#include "sail/core/text/text.h"

namespace sail {

Result<std::string> read_program_name(const Json& value, const std::string& where) {
  const auto* name = value.get_ptr<const std::string*>();
  if (name != nullptr && !name->empty() && name->size() <= kMaxNameLength && !name_mistake(*name)) {
    return *name;
  }
  return fail(ErrorCode::kInvalidParams, where + ": must be a program name");
}

HostStats host_stats(const HostLoad& load) {
  std::array<char, kMaxNameLength + 1> name{};
  const bool named = gethostname(name.data(), name.size() - 1) == 0 && name[0] != 0;
  HostStats stats{.host = named ? make_plain_text(name.data(), kMaxNameLength) : "localhost",
                  .load = load};
  for (std::string& program : stats.load.busy) program = make_plain_text(program, kMaxNameLength);
  std::erase(stats.load.busy, "");
  return stats;
}

}  // namespace sail
