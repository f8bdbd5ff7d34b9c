// What a film server and a disk server say to each other; sail/PROTOCOL.md ("Disk servers") is the
// normative text. A message is a 16-byte header and a body. Pure: bytes in, values out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sail/base/result.h"

namespace sail {

constexpr uint8_t kDiskProtocol = 1;
constexpr uint16_t kDefaultDiskServerPort = 7452;
constexpr size_t kMaxDiskBytes = 1 << 20;   // of one read or write
constexpr size_t kMaxDiskPartName = 128;    // bytes
constexpr size_t kMaxDiskRequests = 64;     // of a connection, not yet answered
constexpr size_t kMaxDiskConnections = 64;  // of a disk server, that proved a key
constexpr size_t kMaxDiskStrangers = 64;    // and that have not
constexpr size_t kDiskHeaderBytes = 16;
constexpr size_t kDiskWriteFixedBytes = 8;  // before those that are written

enum class DiskType : uint8_t {
  kAsk = 1,        // film server → disk server: its first message
  kChallenge = 2,  // disk server → film server
  kProve = 3,      // film server → disk server
  kWelcome = 4,    // disk server → film server: from now on anything may be asked
  kRead = 5,       // film server → disk server
  kBytes = 6,      // disk server → film server: all that was asked for
  kFailed = 7,     // disk server → film server: why it is not done
  kStore = 8,      // film server → disk server: a part is to be written, or gone on with
  kStored = 9,     // disk server → film server: so much of it is there
  kWrite = 10,     // film server → disk server
  kKeep = 11,      // film server → disk server: the part is whole
};

struct DiskHeader {
  DiskType type{};
  // What answers have of what they answer; writes and keeps have that of their store.
  uint32_t number = 0;
  uint32_t body_bytes = 0;
};

struct DiskAsk {
  std::string nonce;  // kNonceDigits; none, and no key: there is nothing to prove
  std::string key;    // the name of the key that will be proved
  bool operator==(const DiskAsk&) const = default;
};
struct DiskChallenge {
  std::string nonce;
  std::string proof;  // of the disk server
  bool operator==(const DiskChallenge&) const = default;
};
struct DiskProve {
  std::string proof;
  bool operator==(const DiskProve&) const = default;
};
struct DiskWelcome {
  uint64_t peak_bytes_per_s = 0;  // what parts are read with at best; 0: not known
  uint64_t free_bytes = 0;        // that its folder has room for
  bool operator==(const DiskWelcome&) const = default;
};
struct DiskRead {
  uint64_t offset = 0;
  uint32_t bytes = 0;
  std::string part;
  bool operator==(const DiskRead&) const = default;
};
struct DiskBytes {
  std::span<const uint8_t> bytes;
};
enum class DiskFault : uint16_t {
  kGone = 1,     // no such part
  kEnds = 2,     // the part ends before
  kPasses = 3,   // the system said no: it may be another time
  kRefused = 4,  // whoever asks is not let in, or asks what may not be; the connection ends
};
struct DiskFailed {
  DiskFault fault{};
  std::string text;  // at most kMaxCloseText bytes
  bool operator==(const DiskFailed&) const = default;
};
struct DiskStore {
  std::string part;
  bool operator==(const DiskStore&) const = default;
};
struct DiskStored {
  uint64_t bytes = 0;
  bool whole = false;  // and nothing is missing
  bool operator==(const DiskStored&) const = default;
};
struct DiskWrite {
  uint64_t offset = 0;  // where the part ended till now
  std::span<const uint8_t> bytes;
};
struct DiskKeep {
  uint64_t bytes = 0;  // that the part has to have
  bool operator==(const DiskKeep&) const = default;
};
using DiskMessage = std::variant<DiskAsk, DiskChallenge, DiskProve, DiskWelcome, DiskRead,
                                 DiskBytes, DiskFailed, DiskStore, DiskStored, DiskWrite, DiskKeep>;

// A part's name: letters, digits, '_', '-' and '.', the first one no '.'.
bool is_disk_part(std::string_view name);

// What is encoded keeps the limits that decoding checks.
std::vector<uint8_t> encode_disk(uint32_t number, const DiskMessage& message);
// What stands before the bytes of `bytes`, which are sent after it.
std::array<uint8_t, kDiskHeaderBytes> disk_bytes_head(uint32_t number, size_t bytes);

// Checks magic, version, type and body_bytes against the limits of the type. kBadData.
Result<DiskHeader> decode_disk_header(std::span<const uint8_t, kDiskHeaderBytes> bytes);
// Spans are of the body. kBadData.
Result<DiskMessage> decode_disk(DiskType type, std::span<const uint8_t> body);

}  // namespace sail
