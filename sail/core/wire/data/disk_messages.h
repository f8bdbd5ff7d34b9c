// Messages between a film server and a disk server; sail/PROTOCOL.md ("Disk servers") is the
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

#include "sail/core/base/result.h"

namespace sail {

constexpr uint8_t kDiskProtocol = 1;
constexpr uint16_t kDefaultDiskServerPort = 7452;
constexpr size_t kMaxDiskBytes = 1 << 20;            // in one read or write
constexpr size_t kMaxDiskPartName = 128;             // bytes
constexpr size_t kMaxDiskRequests = 64;              // unanswered requests of one connection
constexpr size_t kMaxDiskConnections = 64;           // authenticated connections of a disk server
constexpr size_t kMaxUnauthenticatedDiskPeers = 64;  // connections before authentication
constexpr size_t kDiskHeaderBytes = 16;
constexpr size_t kDiskWriteFixedBytes = 8;  // in a write, before the data

enum class DiskType : uint8_t {
  kAsk = 1,        // film server → disk server: its first message
  kChallenge = 2,  // disk server → film server
  kProve = 3,      // film server → disk server
  kWelcome = 4,    // disk server → film server: authenticated, all requests may follow
  kRead = 5,       // film server → disk server
  kBytes = 6,      // disk server → film server: the bytes of a read
  kFailed = 7,     // disk server → film server: why a request failed
  kStore = 8,      // film server → disk server: start or resume writing a part
  kStored = 9,     // disk server → film server: bytes of the part stored so far
  kWrite = 10,     // film server → disk server
  kKeep = 11,      // film server → disk server: the part is complete
};

struct DiskHeader {
  DiskType type{};
  // An answer has the number of its request; writes and keeps have the number of their store.
  uint32_t number = 0;
  uint32_t body_bytes = 0;
};

struct DiskAsk {
  std::string nonce;  // kNonceDigits digits; empty, with an empty key: no authentication
  std::string key;    // name of the key that will be proved
  bool operator==(const DiskAsk&) const = default;
};
struct DiskChallenge {
  std::string nonce;
  std::string proof;  // proof of the disk server
  bool operator==(const DiskChallenge&) const = default;
};
struct DiskProve {
  std::string proof;
  bool operator==(const DiskProve&) const = default;
};
struct DiskWelcome {
  uint64_t peak_bytes_per_s = 0;  // peak read rate for parts; 0: unknown
  uint64_t free_bytes = 0;        // free space in its folder
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
  kEnds = 2,     // the range goes beyond the end of the part
  kPasses = 3,   // an I/O error that may be transient
  kRefused = 4,  // not authenticated, or a forbidden request; the connection ends
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
  bool whole = false;  // the part is complete
  bool operator==(const DiskStored&) const = default;
};
struct DiskWrite {
  uint64_t offset = 0;  // current length of the part
  std::span<const uint8_t> bytes;
};
struct DiskKeep {
  uint64_t bytes = 0;  // length that the part must have
  bool operator==(const DiskKeep&) const = default;
};
using DiskMessage = std::variant<DiskAsk, DiskChallenge, DiskProve, DiskWelcome, DiskRead,
                                 DiskBytes, DiskFailed, DiskStore, DiskStored, DiskWrite, DiskKeep>;

// A part name: letters, digits, '_', '-' and '.'; it must not begin with '.'.
bool is_disk_part(std::string_view name);

// Callers must respect the limits that decoding checks.
std::vector<uint8_t> encode_disk(uint32_t number, const DiskMessage& message);
// Returns the header of a DiskBytes message; the caller sends the bytes after it.
std::array<uint8_t, kDiskHeaderBytes> disk_bytes_head(uint32_t number, size_t bytes);

// Checks magic, version, type and body_bytes against the limits of the type. Fails with kBadData.
Result<DiskHeader> decode_disk_header(std::span<const uint8_t, kDiskHeaderBytes> bytes);
// Spans refer to the body. Fails with kBadData.
Result<DiskMessage> decode_disk(DiskType type, std::span<const uint8_t> body);

}  // namespace sail
