// TLS 1.3 as bytes in and bytes out: the one place that knows libssl, and nothing of sockets.
// libssl shakes hands, and TlsRecords has what follows. Which certificate a listener shows proves
// nothing by itself: whoever connects knows it beforehand (fingerprint), or both ends prove their
// key for this very session (binding). Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/tls_records.h"

namespace sail {

// The first byte of whoever begins with TLS; no message of ours begins so.
constexpr uint8_t kTlsFirstByte = 0x16;

// What all sessions of a process share: how TLS is spoken, and the certificate of its listeners,
// which nobody has signed and which lasts as long as this does.
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

  // What the session itself has to tell the peer is put behind `output`: by handshake(), read() and
  // close().
  TlsSession(TlsContext& context, Side side, std::vector<uint8_t>& output);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // What the peer sent, which handshake() and read() take from its front, and change. It is not
  // copied: what is left of it must be given again, or be kept.
  void set_input(std::span<uint8_t> input);
  std::span<const uint8_t> input() const;

  // True: it is done; false: the input has ended before. kUnauthorized: the peer does not speak
  // TLS 1.3, or breaks its rules.
  Result<bool> handshake();
  // The number of bytes; 0: the input has ended before. Errors as of TlsRecords::open(). More than
  // these bytes of `into` may have changed.
  Result<size_t> read(std::span<uint8_t> into);
  // As TlsRecords::seal().
  size_t write(std::span<const std::span<const uint8_t>> text, uint8_t* out);
  // Tells the peer that nothing follows.
  void close();

  // Once the handshake is done: 64 hexadecimal digits that both ends have, and no other session of
  // theirs or of anybody in between (RFC 9266).
  const std::string& binding() const;
  // The listener's certificate, for the client.
  const std::string& peer_fingerprint() const;

 private:
  friend class TlsContext;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
