// Requests to IBP depots and the meaning of their answers, in both dialects: IBPv031 (version 0)
// and IBPv040 (version 1). The depots of LoCI and ACCRE differ in blanks, in keeping connections,
// and in their answer beyond an allocation's end. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"

namespace sail {

constexpr uint16_t kIbpPort = 6714;

// The right to read an allocation. Its keys are secret and are sent to their depot only.
struct IbpCapability {
  Address depot;
  std::string key;
  std::string type_key;

  bool operator==(const IbpCapability&) const = default;
};
// Parses "ibp://host:port/key/typekey/READ". Keys are not decoded. kInvalidParams: the message
// omits the keys.
Result<IbpCapability> parse_read_capability(std::string_view text);

struct IbpPart {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};
// A request line. timeout_s: the depot's time limit.
std::string load_line(int version, const IbpCapability& capability, IbpPart part,
                      int64_t timeout_s);

// Limit for a reply line; longer ones are refused.
constexpr size_t kLongestIbpReply = 256;

struct IbpReply {
  int status = 0;
  uint64_t bytes = 0;  // bytes that follow if the status is kIbpOk
};
constexpr int kIbpOk = 1;
// Parses the reply to a LOAD, without its newline. Empty optional: malformed.
std::optional<IbpReply> parse_load_reply(std::string_view line);

enum class IbpFault : uint8_t {
  kGone,     // the capability is invalid: expired, or never valid
  kEnds,     // the allocation is too short or holds other data; a retry does not help
  kVersion,  // the depot may understand the other version
  kPasses    // a retry may help
};
IbpFault fault_of(int status);
// "the capability is unknown or has expired (IBP error -4)".
std::string ibp_words(int status);

}  // namespace sail
