// What is said to IBP depots, and what their answers mean, in both dialects: IBPv031 (version 0)
// and IBPv040 (version 1). The depots of LoCI and of ACCRE differ in blanks, in whether they keep a
// connection, and in what they answer behind an allocation's end. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/tcp.h"

namespace sail {

constexpr uint16_t kIbpPort = 6714;

// Who has it may read: its keys are secrets, and go to their depot only.
struct IbpCapability {
  Address depot;
  std::string key;
  std::string type_key;

  bool operator==(const IbpCapability&) const = default;
};
// "ibp://host:port/key/typekey/READ". Keys are taken as they are written. kInvalidParams, without
// the keys.
Result<IbpCapability> parse_read_capability(std::string_view text);

struct IbpPart {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};
// A line of the protocol. timeout_s: how long the depot may take.
std::string load_line(int version, const IbpCapability& capability, IbpPart part,
                      int64_t timeout_s);

// The longest answer without its bytes that a depot is heard out for.
constexpr size_t kLongestIbpReply = 256;

struct IbpReply {
  int status = 0;
  uint64_t bytes = 0;  // that follow, where the status is kIbpOk
};
constexpr int kIbpOk = 1;
// Of a LOAD, without its line's end; nothing: it is none.
std::optional<IbpReply> parse_load_reply(std::string_view line);

enum class IbpFault : uint8_t {
  kGone,     // the capability opens nothing: it expired, or never was one
  kEnds,     // the allocation ends before, or holds other bytes: so it will be another time
  kVersion,  // the depot may understand the other version
  kPasses    // to ask again may help
};
IbpFault fault_of(int status);
// "the capability is unknown or has expired (IBP error -4)".
std::string ibp_words(int status);

}  // namespace sail
