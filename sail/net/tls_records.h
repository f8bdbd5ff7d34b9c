// The records of TLS 1.3 behind the handshake (RFC 8446, 5), with AES-128-GCM: sealed from where
// their text is, and opened where the reader wants it, which libssl cannot without copying each
// several times. Pure. One thread at a time; no memory is taken for records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/net/aes_gcm.h"

namespace sail {

constexpr size_t kTlsHeaderBytes = 5;
// Of the text of one record at most, and what it and a change of keys before it become at most.
constexpr size_t kTlsRecordBytes = 16384;
constexpr size_t kTlsSealedRecordBytes = kTlsRecordBytes + 64;

using TlsSecret = std::array<uint8_t, 32>;

enum class TlsContent : uint8_t { kAlert = 21, kHandshake = 22, kText = 23 };
enum class TlsAlert : uint8_t {
  kCloseNotify = 0,
  kUnexpectedMessage = 10,
  kBadRecordMac = 20,
  kRecordOverflow = 22,
  kDecodeError = 50,
  kUserCanceled = 90,
};

// One direction's key, and the nonces of its records, of which none comes twice.
class TlsTraffic {
 public:
  TlsTraffic(AesGcm::Use use, const TlsSecret& secret);

  AesGcm& cipher() { return cipher_; }
  std::array<uint8_t, AesGcm::kNonceBytes> next_nonce();
  // Records of this key.
  uint64_t records() const { return records_; }
  // The key that follows (RFC 8446, 7.2).
  void change();

 private:
  void set_key();

  AesGcm cipher_;
  TlsSecret secret_;
  std::array<uint8_t, AesGcm::kNonceBytes> mask_{};
  uint64_t records_ = 0;
};

class TlsRecords {
 public:
  // No more than 2^24.5 full records may have one key (RFC 8446, 5.5).
  static constexpr uint64_t kRecordsPerKey = uint64_t{1} << 23;

  // The secrets of both directions' traffic, as the handshake made them.
  TlsRecords(const TlsSecret& to_peer, const TlsSecret& from_peer,
             uint64_t records_per_key = kRecordsPerKey);

  // The text, of kTlsRecordBytes at most, in parts one after another, as a record to `out`, where
  // kTlsSealedRecordBytes have room. How many there are.
  size_t seal(std::span<const std::span<const uint8_t>> text, uint8_t* out);
  // kCloseNotify tells the peer that nothing follows.
  size_t seal(TlsAlert alert, uint8_t* out);

  struct Opened {
    size_t bytes = 0;  // of the record; 0: it is not whole yet
    std::span<const uint8_t> text{};
  };
  // The first record of the input, opened into `into` if there is room for all of it, else in its
  // own place. Nothing of it counts but the text that is returned. kUnavailable: the peer has said
  // that nothing follows; kBadData: what came is no record of the peer's, or comes again, is out of
  // order or against the rules. Nothing may be opened after an error.
  Result<Opened> open(std::span<uint8_t> input, std::span<uint8_t> into);
  // What the peer should be told of open()'s last error; kCloseNotify: nothing.
  TlsAlert complaint() const { return complaint_; }

 private:
  size_t seal(TlsContent content, std::span<const std::span<const uint8_t>> text, uint8_t* out);
  Result<void> take_alert(std::span<const uint8_t> content);
  Result<void> take_handshake(std::span<const uint8_t> content);
  Error broken(TlsAlert alert, const std::string& why);

  const uint64_t records_per_key_;
  TlsTraffic sealing_;
  TlsTraffic opening_;
  bool change_wanted_ = false;  // by the peer, of the key that it opens with
  TlsAlert complaint_ = TlsAlert::kCloseNotify;
};

}  // namespace sail
