// TLS 1.3 from bytes to bytes, without sockets; a wrapper of libssl. A listener's certificate alone
// proves nothing: clients know its fingerprint in advance, or both ends prove their key for this
// session (binding). For one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

// First byte of a TLS connection; our own protocols never begin with it.
constexpr uint8_t kTlsFirstByte = 0x16;
constexpr size_t kTlsRecordBytes = 16384;  // maximum text of one record

// Shared by all sessions of a loop: TLS settings and the self-signed certificate of its listeners,
// which is created with this object.
class TlsContext {
 public:
  // At most 2^24.5 full records may use one key (RFC 8446, 5.5).
  static constexpr uint64_t kRecordsPerKey = uint64_t{1} << 23;

  explicit TlsContext(uint64_t records_per_key = kRecordsPerKey);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // SHA-256 of the certificate, as 64 hexadecimal digits.
  const std::string& fingerprint() const;

 private:
  friend class TlsSession;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class TlsSession {
 public:
  enum class Side : uint8_t { kClient, kListener };

  // handshake(), read() and close() append data for the peer to `output`.
  TlsSession(TlsContext& context, Side side, std::vector<uint8_t>& output);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Sets the bytes from the peer. handshake() and read() consume them from the front. The input is
  // not copied: the caller must keep the rest, or pass it again.
  void set_input(std::span<const uint8_t> input);
  std::span<const uint8_t> input() const;
  // Whether read() returns text without more input.
  bool readable() const;

  // True: done; false: more input is needed. kUnauthorized: the peer does not support TLS 1.3, or
  // violated the protocol.
  Result<bool> handshake();
  // Returns the number of bytes read, at most the rest of a record; 0: more input is needed.
  // kUnavailable: the peer closed the session; kBadData: the record is not authentic, replayed, out
  // of order or invalid. Do not call after an error.
  Result<size_t> read(std::span<uint8_t> into);
  // Encrypts the concatenated parts, at most kTlsRecordBytes, and appends them to `out`: one
  // record, or several if the peer limits their size. Returns false if the session has failed: the
  // text is lost, and the connection must end.
  bool write(std::span<const std::span<const uint8_t>> text, std::vector<uint8_t>& out);
  // Announces to the peer that no more data follows.
  void close();

  // After the handshake: 64 hexadecimal digits known to both ends, unique to this session (RFC
  // 9266).
  const std::string& binding() const;
  // For a client: fingerprint of the listener's certificate.
  const std::string& peer_fingerprint() const;

 private:
  friend class TlsContext;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
