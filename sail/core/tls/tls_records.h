// TLS 1.3 records after the handshake (RFC 8446, 5), with AES-128-GCM. Encrypts directly from the
// caller's data and decrypts directly into the reader's buffer, which libssl cannot do without
// several copies. Pure. For one thread at a time. Does not allocate per record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/tls/aes_gcm.h"

namespace sail {

constexpr size_t kTlsHeaderBytes = 5;
// Maximum text of one record, and maximum size of its encrypted form, including a preceding
// KeyUpdate.
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

// Key of one direction and the nonces of its records, each used once.
class TlsTraffic {
 public:
  TlsTraffic(AesGcm::Use use, const TlsSecret& secret);

  AesGcm& cipher() { return cipher_; }
  std::array<uint8_t, AesGcm::kNonceBytes> next_nonce();
  // Number of records with this key.
  uint64_t records() const { return records_; }
  // Switches to the next key (RFC 8446, 7.2).
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
  // At most 2^24.5 full records may use one key (RFC 8446, 5.5).
  static constexpr uint64_t kRecordsPerKey = uint64_t{1} << 23;

  // The traffic secrets of both directions from the handshake.
  TlsRecords(const TlsSecret& to_peer, const TlsSecret& from_peer,
             uint64_t records_per_key = kRecordsPerKey);

  // Encrypts the concatenated parts, at most kTlsRecordBytes, as one record to `out`, which must
  // have room for kTlsSealedRecordBytes. Returns the number of bytes written.
  size_t seal(std::span<const std::span<const uint8_t>> text, uint8_t* out);
  // kCloseNotify announces that no more data follows.
  size_t seal(TlsAlert alert, uint8_t* out);

  struct Opened {
    size_t bytes = 0;  // size of the record; 0: incomplete
    std::span<const uint8_t> text{};
  };
  // Decrypts the first record of the input: into `into` if the whole record fits, otherwise in
  // place. Only the returned text is valid. kUnavailable: the peer closed the session; kBadData:
  // the record is not authentic, replayed, out of order or invalid. Do not call after an error.
  Result<Opened> open(std::span<uint8_t> input, std::span<uint8_t> into);
  // The alert to send after an error of open(); kCloseNotify: none.
  TlsAlert complaint() const { return complaint_; }

 private:
  size_t seal(TlsContent content, std::span<const std::span<const uint8_t>> text, uint8_t* out);
  Result<void> take_alert(std::span<const uint8_t> content);
  Result<void> take_handshake(std::span<const uint8_t> content);
  Error broken(TlsAlert alert, const std::string& why);

  const uint64_t records_per_key_;
  TlsTraffic sealing_;
  TlsTraffic opening_;
  bool change_wanted_ = false;  // the peer requested a KeyUpdate of our sending key
  TlsAlert complaint_ = TlsAlert::kCloseNotify;
};

}  // namespace sail
