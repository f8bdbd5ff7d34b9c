// TLS 1.3 from bytes to bytes, without sockets; a wrapper of libssl. libssl does the handshake,
// TlsRecords the records. A listener's certificate alone proves nothing: clients know its
// fingerprint in advance, or both ends prove their key for this session (binding). For one thread
// at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/tls/tls_records.h"

namespace sail {

// First byte of a TLS connection; our own protocols never begin with it.
constexpr uint8_t kTlsFirstByte = 0x16;

// Shared by all sessions of a process: TLS settings and the self-signed certificate of its
// listeners, which is created with this object.
class TlsContext {
 public:
  TlsContext();
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

  // Sets the bytes from the peer. handshake() and read() consume them from the front and modify
  // them. The input is not copied: the caller must keep the rest, or pass it again.
  void set_input(std::span<uint8_t> input);
  std::span<const uint8_t> input() const;

  // True: done; false: more input is needed. kUnauthorized: the peer does not support TLS 1.3, or
  // violated the protocol.
  Result<bool> handshake();
  // Returns the number of bytes read; 0: more input is needed. Errors as in TlsRecords::open().
  // Bytes of `into` beyond the result may be modified.
  Result<size_t> read(std::span<uint8_t> into);
  // As TlsRecords::seal().
  size_t write(std::span<const std::span<const uint8_t>> text, uint8_t* out);
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
