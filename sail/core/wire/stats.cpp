#include "sail/core/wire/stats.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>

#include "sail/core/text/text.h"

namespace sail {
namespace {

const char* advice(LinkTrouble trouble) {
  switch (trouble) {
    case LinkTrouble::kRefusedPort:
    case LinkTrouble::kNoAnswer:
      return "allow TCP and UDP to its data port (`vitrail doctor` tests all ports)";
    case LinkTrouble::kNoDatagrams:
      return "allow UDP to its data port (`vitrail doctor` tests all ports)";
    case LinkTrouble::kOtherCertificate:
    case LinkTrouble::kClosed:
    case LinkTrouble::kNotReady:
      return "restart its vitrail-receiver";
    case LinkTrouble::kUndecoded:
      return "its log names the fault; repair the source, or play it without --codec carried";
    case LinkTrouble::kNone:
      break;
  }
  return "";
}

}  // namespace

std::string link_trouble_text(LinkTrouble trouble, const std::string& why) {
  if (trouble == LinkTrouble::kNone) return "";
  const char* what = trouble == LinkTrouble::kUndecoded ? "shows no new picture" : "is unreachable";
  return fmt::format("{}: {}: {}", what, why, advice(trouble));
}

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
