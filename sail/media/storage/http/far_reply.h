// Interprets a server's answer to a range request. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

namespace sail {

// "bytes 0-99/200". "bytes */200" (range not satisfiable) gives count 0.
struct ContentRange {
  uint64_t offset = 0;
  uint64_t count = 0;
  std::optional<uint64_t> total;  // empty: "*"

  bool operator==(const ContentRange&) const = default;
};
std::optional<ContentRange> parse_content_range(std::string_view value);

// Why a transfer ended early.
enum class FarTrouble : uint8_t {
  kNone,
  kNoHost,      // the host name is unknown
  kNowhere,     // malformed URL, or too many redirects
  kNotTrusted,  // the certificate or host key is wrong
  kRefused,     // the credentials are wrong
  kNotThere,
  kBroken,   // connection refused or lost, or a malformed answer
  kSilent,   // nothing arrived for too long
  kTooMuch,  // more bytes than requested, or other bytes
};

struct FarReply {
  FarTrouble trouble = FarTrouble::kNone;
  std::string words;    // libcurl's message for the trouble
  int status = 0;       // HTTP status; 0: none received
  size_t received = 0;  // valid bytes, from the start of the range
  std::optional<ContentRange> range;
  std::string tag;                // version of the content: ETag, or else Last-Modified
  std::string type;               // Content-Type
  std::optional<int64_t> wait_s;  // Retry-After
};

// The file's state when it was opened.
struct FarFilm {
  std::string name;  // for messages
  uint64_t size = 0;
  std::string tag;
};

struct FarOutcome {
  enum class Kind : uint8_t {
    kTaken,  // the received bytes are valid
    kRetry,  // the received bytes are valid, and a retry may help
    kFailed
  };
  Kind kind = Kind::kTaken;
  std::optional<Error> error;  // for kRetry: the error if no retry helps
};
// Judges an answer to a request for bytes from `offset` on.
FarOutcome judge(const FarFilm& film, uint64_t offset, const FarReply& reply);

// Learns size and version from the first answer, to a request for one byte. kUnavailable: a live
// stream or a playlist, without random access.
Result<FarFilm> learn_film(const std::string& name, const FarReply& reply);

}  // namespace sail
