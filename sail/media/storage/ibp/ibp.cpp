#include "sail/media/storage/ibp/ibp.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kLongestKey = 512;  // LoCI's have 154 characters
constexpr int kLoad = 8;
constexpr std::string_view kIbpScheme = "ibp://";

// Error numbers of the protocol, from the headers of LoCI and ACCRE.
constexpr int kNoSuchCapability = -4;
constexpr int kNotToRead = -6;
constexpr int kInvalidReadCapability = -9;
constexpr int kWrongCapabilityFormat = -11;
constexpr int kAccessDenied = -12;
constexpr int kWouldExceedLimit = -19;
constexpr int kBadFormat = -21;
constexpr int kInvalidCommand = -25;
constexpr int kWrongVersion = -27;
constexpr int kInvalidParameter = -30;
constexpr int kUnknownFunction = -43;
constexpr int kRecovering = -47;
constexpr int kDeleting = -48;
constexpr int kUnknownResource = -49;
constexpr int kInvalidResource = -50;
constexpr int kOutOfSockets = -66;

// One word without blanks or control characters, so that no other words can be injected into a
// request line.
bool is_key(std::string_view text) {
  return !text.empty() && text.size() <= kLongestKey &&
         std::ranges::all_of(text, [](char letter) { return letter > ' ' && letter < '\x7f'; });
}

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return text.empty() || text.front() == ' ';
}

}  // namespace

Result<IbpCapability> parse_read_capability(std::string_view text) {
  const Error wrong =
      fail(ErrorCode::kInvalidParams, "a capability must be ibp://HOST:PORT/KEY/TYPEKEY/READ");
  if (!text.starts_with(kIbpScheme)) return wrong;
  text.remove_prefix(kIbpScheme.size());
  // Parsed from the end, because keys may contain '/'.
  const size_t authority = text.find('/');
  const size_t kind = text.rfind('/');
  if (authority == std::string_view::npos || kind == authority) return wrong;
  const size_t type_key = text.rfind('/', kind - 1);
  if (type_key == authority || text.substr(kind) != "/READ") return wrong;
  IbpCapability capability;
  capability.key = text.substr(authority + 1, type_key - authority - 1);
  capability.type_key = text.substr(type_key + 1, kind - type_key - 1);
  auto depot = parse_address(std::string(text.substr(0, authority)), {"", kIbpPort});
  if (!depot || depot->host.empty() || !is_key(depot->host)) return wrong;
  if (!is_key(capability.key) || !is_key(capability.type_key)) return wrong;
  capability.depot = std::move(*depot);
  return capability;
}

std::string load_line(int version, const IbpCapability& capability, IbpPart part,
                      int64_t timeout_s) {
  return fmt::format("{} {} {} {} {} {} {}\n", version, kLoad, capability.key, capability.type_key,
                     part.offset, part.bytes, timeout_s);
}

std::optional<IbpReply> parse_load_reply(std::string_view line) {
  while (!line.empty() && line.back() == '\0') line.remove_suffix(1);
  IbpReply reply;
  if (!take_number(line, reply.status) || reply.status > kIbpOk || reply.status == 0) return {};
  if (reply.status == kIbpOk && !take_number(line, reply.bytes)) return {};
  return reply;
}

IbpFault fault_of(int status) {
  switch (status) {
    case kNoSuchCapability:
    case kNotToRead:
    case kInvalidReadCapability:
    case kWrongCapabilityFormat:
    case kAccessDenied:
    case kDeleting:
    case kUnknownResource:
    case kInvalidResource:
      return IbpFault::kGone;
    case kWouldExceedLimit:
      return IbpFault::kEnds;
    case kBadFormat:
    case kInvalidCommand:
    case kWrongVersion:
    case kInvalidParameter:
    case kUnknownFunction:
      return IbpFault::kVersion;
    default:
      return IbpFault::kPasses;
  }
}

std::string ibp_words(int status) {
  const auto words = [status] {
    switch (fault_of(status)) {
      case IbpFault::kGone:
        return status == kAccessDenied || status == kNotToRead
                   ? "the capability does not allow reading"
                   : "the capability is unknown or has expired";
      case IbpFault::kEnds:
        return "the allocation ends before the requested bytes";
      case IbpFault::kVersion:
        return "the depot does not support this request or protocol version";
      case IbpFault::kPasses:
        break;
    }
    if (status == kRecovering) return "the depot is recovering";
    return status == kOutOfSockets ? "the depot has too many connections"
                                   : "the depot refused the request";
  };
  return fmt::format("{} (IBP error {})", words(), status);
}

}  // namespace sail
