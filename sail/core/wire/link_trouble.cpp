#include "sail/core/wire/link_trouble.h"

#include <fmt/core.h>

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
    case LinkTrouble::kNone:
      break;
  }
  return "";
}

}  // namespace

std::string link_trouble_text(LinkTrouble trouble, const std::string& why) {
  if (trouble == LinkTrouble::kNone) return "";
  return fmt::format("is unreachable: {}: {}", why, advice(trouble));
}

}  // namespace sail
