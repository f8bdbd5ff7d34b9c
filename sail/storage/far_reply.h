// What a server's answer to the request for a range of bytes means. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sail/base/result.h"

namespace sail {

// "bytes 0-99/200"; of "bytes */200", which tells that nothing lies there, count is 0.
struct ContentRange {
  uint64_t offset = 0;
  uint64_t count = 0;
  std::optional<uint64_t> total;  // nothing: "*"

  bool operator==(const ContentRange&) const = default;
};
std::optional<ContentRange> parse_content_range(std::string_view value);

// Why a transfer ended before its answer was whole.
enum class FarTrouble : uint8_t {
  kNone,
  kNoHost,      // nobody knows the name
  kNowhere,     // no address, or one that leads round and round
  kNotTrusted,  // the certificate or key is wrong
  kRefused,     // the credentials are
  kNotThere,
  kBroken,   // refused, cut off, not understood
  kSilent,   // nothing came for too long
  kTooMuch,  // more than had been asked for, or from elsewhere
};

struct FarReply {
  FarTrouble trouble = FarTrouble::kNone;
  std::string words;    // the library's, for a trouble
  int status = 0;       // HTTP's; 0: none came
  size_t received = 0;  // bytes of the range, from its beginning, that are in their place
  std::optional<ContentRange> range;
  std::string tag;                // the version of what was sent: ETag, or else Last-Modified
  std::string type;               // Content-Type
  std::optional<int64_t> wait_s;  // Retry-After
};

// A film as it was when it was opened.
struct FarFilm {
  std::string name;  // for people
  uint64_t size = 0;
  std::string tag;
};

struct FarVerdict {
  enum class Kind : uint8_t {
    kTaken,  // what was received counts
    kRetry,  // so it does, but to be asked again may help
    kFailed
  };
  Kind kind = Kind::kTaken;
  std::optional<Error> error;  // of kRetry: what it will be when nothing helps
};
// Of an answer to a request for what begins at `offset`.
FarVerdict judge(const FarFilm& film, uint64_t offset, const FarReply& reply);

// Of the first answer, to a request for the first byte: what is there. kUnavailable: it is sent as
// it comes, or is a list of other addresses, and cannot be read at any place.
Result<FarFilm> learn_film(const std::string& name, const FarReply& reply);

}  // namespace sail
