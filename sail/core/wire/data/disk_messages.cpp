#include "sail/core/wire/data/disk_messages.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/byte_reader.h"
#include "sail/core/wire/data/byte_writer.h"

namespace sail {
namespace {

constexpr uint32_t kDiskMagic = 0x44525456;  // "VTRD" in memory order
constexpr uint64_t kLongestPart = kMaxCounter;

struct Kind {
  const char* name;
  size_t least;  // minimum size of the body in bytes
  size_t most;
};

// Indexed by DiskType - 1.
constexpr Kind kKinds[] = {
    {"ask", 0, kNonceDigits + kMaxKeyName},
    {"challenge", kNonceDigits + kProofDigits, kNonceDigits + kProofDigits},
    {"prove", kProofDigits, kProofDigits},
    {"welcome", 16, 16},
    {"read", 12 + 1, 12 + kMaxDiskPartName},
    {"bytes", 1, kMaxDiskBytes},
    {"failed", 4, 4 + kMaxCloseText},
    {"store", 1, kMaxDiskPartName},
    {"stored", 12, 12},
    {"write", kDiskWriteFixedBytes + 1, kDiskWriteFixedBytes + kMaxDiskBytes},
    {"keep", 8, 8},
};

const Kind& kind_of(DiskType type) {
  return kKinds[static_cast<size_t>(type) - 1];
}

Error bad(DiskType type, const char* what) {
  return fail(ErrorCode::kBadData, fmt::format("{}: {}", kind_of(type).name, what));
}

template <size_t kBytes>
void write_header(std::array<uint8_t, kBytes>& message, DiskType type, uint32_t number,
                  size_t body_bytes) {
  ByteWriter out(message);
  out.u32(kDiskMagic);
  out.u8(kDiskProtocol);
  out.u8(static_cast<uint8_t>(type));
  out.u16(0);
  out.u32(number);
  out.u32(static_cast<uint32_t>(body_bytes));
}

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string text_of(std::span<const uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

struct Encoder {
  std::vector<uint8_t>& to;

  template <typename Number>
  void number(Number value) {
    for (size_t i = 0; i < sizeof(Number); ++i)
      to.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
  void add(std::span<const uint8_t> bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

  void operator()(const DiskAsk& ask) {
    add(bytes_of(ask.nonce));
    add(bytes_of(ask.key));
  }
  void operator()(const DiskChallenge& challenge) {
    add(bytes_of(challenge.nonce));
    add(bytes_of(challenge.proof));
  }
  void operator()(const DiskProve& prove) { add(bytes_of(prove.proof)); }
  void operator()(const DiskWelcome& welcome) {
    number(welcome.peak_bytes_per_s);
    number(welcome.free_bytes);
  }
  void operator()(const DiskRead& read) {
    number(read.offset);
    number(read.bytes);
    add(bytes_of(read.part));
  }
  void operator()(const DiskBytes& bytes) { add(bytes.bytes); }
  void operator()(const DiskFailed& failed) {
    number(static_cast<uint16_t>(failed.fault));
    number(uint16_t{0});
    add(bytes_of(make_plain_text(failed.text, kMaxCloseText)));
  }
  void operator()(const DiskStore& store) { add(bytes_of(store.part)); }
  void operator()(const DiskStored& stored) {
    number(stored.bytes);
    number(uint32_t{stored.whole ? 1U : 0U});
  }
  void operator()(const DiskWrite& write) {
    number(write.offset);
    add(write.bytes);
  }
  void operator()(const DiskKeep& keep) { number(keep.bytes); }
};

Result<DiskMessage> decode_ask(std::span<const uint8_t> body) {
  if (body.empty()) return DiskAsk{};
  ByteReader in(body);
  DiskAsk ask;
  ask.nonce = text_of(in.bytes(kNonceDigits));
  if (!in.ok() || !is_hex_text(ask.nonce)) return bad(DiskType::kAsk, "invalid nonce");
  ask.key = text_of(in.bytes(in.left()));
  if (!is_plain_text(ask.key)) return bad(DiskType::kAsk, "invalid key name");
  return ask;
}

Result<DiskMessage> decode_failed(std::span<const uint8_t> body) {
  ByteReader in(body);
  const uint16_t fault = in.u16();
  const uint16_t zero = in.u16();
  DiskFailed failed{static_cast<DiskFault>(fault), text_of(in.bytes(in.left()))};
  const bool known = fault >= static_cast<uint16_t>(DiskFault::kGone) &&
                     fault <= static_cast<uint16_t>(DiskFault::kRefused);
  if (!known || zero != 0 || !is_plain_text(failed.text)) {
    return bad(DiskType::kFailed, "invalid code or text");
  }
  return failed;
}

Result<DiskMessage> decode_read(std::span<const uint8_t> body) {
  ByteReader in(body);
  DiskRead read;
  read.offset = in.u64();
  read.bytes = in.u32();
  read.part = text_of(in.bytes(in.left()));
  if (read.offset > kLongestPart || read.bytes == 0 || read.bytes > kMaxDiskBytes) {
    return bad(DiskType::kRead, "invalid byte range");
  }
  if (!is_disk_part(read.part)) return bad(DiskType::kRead, "invalid part name");
  return read;
}

}  // namespace

bool is_disk_part(std::string_view name) {
  return !name.empty() && name.size() <= kMaxDiskPartName && name.front() != '.' &&
         std::ranges::all_of(name, [](char letter) {
           return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                  (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' ||
                  letter == '.';
         });
}

std::vector<uint8_t> encode_disk(uint32_t number, const DiskMessage& message) {
  std::array<uint8_t, kDiskHeaderBytes> header{};
  std::vector<uint8_t> bytes(kDiskHeaderBytes);
  std::visit(Encoder{bytes}, message);
  const auto type = static_cast<DiskType>(message.index() + 1);
  assert(bytes.size() - kDiskHeaderBytes <= kind_of(type).most);
  write_header(header, type, number, bytes.size() - kDiskHeaderBytes);
  std::ranges::copy(header, bytes.begin());
  return bytes;
}

std::array<uint8_t, kDiskHeaderBytes> disk_bytes_head(uint32_t number, size_t bytes) {
  std::array<uint8_t, kDiskHeaderBytes> head{};
  write_header(head, DiskType::kBytes, number, bytes);
  return head;
}

Result<DiskHeader> decode_disk_header(std::span<const uint8_t, kDiskHeaderBytes> bytes) {
  ByteReader in(bytes);
  if (in.u32() != kDiskMagic) {
    return fail(ErrorCode::kBadData, "the bytes are not a message of the disk protocol");
  }
  if (const int version = in.u8(); version != kDiskProtocol) {
    return fail(ErrorCode::kBadData,
                fmt::format("unsupported version {} of the disk protocol: this program uses {}",
                            version, kDiskProtocol));
  }
  const uint8_t type = in.u8();
  const uint16_t reserved = in.u16();
  if (type == 0 || type > std::size(kKinds) || reserved != 0) {
    return fail(ErrorCode::kBadData, "unknown message of the disk protocol");
  }
  DiskHeader header{static_cast<DiskType>(type), in.u32(), in.u32()};
  const Kind& kind = kind_of(header.type);
  if (header.body_bytes < kind.least || header.body_bytes > kind.most) {
    return fail(ErrorCode::kBadData, fmt::format("{}: a body of {} bytes has the wrong length",
                                                 kind.name, header.body_bytes));
  }
  return header;
}

Result<DiskMessage> decode_disk(DiskType type, std::span<const uint8_t> body) {
  const Kind& kind = kind_of(type);
  if (body.size() < kind.least || body.size() > kind.most)
    return bad(type, "the body has the wrong length");
  ByteReader in(body);
  switch (type) {
    case DiskType::kAsk:
      return decode_ask(body);
    case DiskType::kChallenge: {
      DiskChallenge challenge{text_of(in.bytes(kNonceDigits)), text_of(in.bytes(kProofDigits))};
      if (!is_hex_text(challenge.nonce) || !is_hex_text(challenge.proof))
        return bad(type, "invalid proof");
      return challenge;
    }
    case DiskType::kProve: {
      DiskProve prove{text_of(body)};
      if (!is_hex_text(prove.proof)) return bad(type, "invalid proof");
      return prove;
    }
    case DiskType::kWelcome: {
      const uint64_t peak = in.u64();
      return DiskWelcome{peak, in.u64()};
    }
    case DiskType::kRead:
      return decode_read(body);
    case DiskType::kBytes:
      return DiskBytes{body};
    case DiskType::kFailed:
      return decode_failed(body);
    case DiskType::kStore: {
      DiskStore store{text_of(body)};
      if (!is_disk_part(store.part)) return bad(type, "invalid part name");
      return store;
    }
    case DiskType::kStored: {
      const uint64_t bytes = in.u64();
      const uint32_t whole = in.u32();
      if (bytes > kLongestPart || whole > 1) return bad(type, "invalid length");
      return DiskStored{bytes, whole == 1};
    }
    case DiskType::kWrite: {
      const uint64_t offset = in.u64();
      if (offset > kLongestPart) return bad(type, "invalid offset");
      return DiskWrite{offset, in.bytes(in.left())};
    }
    case DiskType::kKeep: {
      const DiskKeep keep{in.u64()};
      if (keep.bytes > kLongestPart) return bad(type, "invalid length");
      return keep;
    }
  }
  return bad(type, "unknown message");
}

}  // namespace sail
