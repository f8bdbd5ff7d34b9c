#include "sail/media/storage/http/far_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr int kWhole = 200;
constexpr int kPart = 206;
constexpr int kRedirects = 300;
constexpr int kClientErrors = 400;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kRequestTimeout = 408;
constexpr int kGone = 410;
constexpr int kNothingThere = 416;
constexpr int kTooEarly = 425;
constexpr int kTooMany = 429;
constexpr int kServerErrors = 500;

// Takes digits from the front.
std::optional<uint64_t> take_number(std::string_view& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

ErrorCode code_of(int status) {
  if (status == kUnauthorized || status == kForbidden) return ErrorCode::kUnauthorized;
  if (status == kNotFound || status == kGone) return ErrorCode::kNotFound;
  return ErrorCode::kIo;
}

// The target of a redirect failed.
bool led_astray(const FarReply& reply) {
  return reply.status >= kRedirects && reply.status < kClientErrors &&
         reply.trouble != FarTrouble::kNone;
}

bool may_pass(int status) {
  return status >= kServerErrors || status == kRequestTimeout || status == kTooEarly ||
         status == kTooMany;
}

std::string status_words(int status) {
  switch (status) {
    case kUnauthorized:
    case kForbidden:
      return fmt::format("the server refused access (status {}): check the credentials", status);
    case kNotFound:
    case kGone:
      return fmt::format("not found on the server (status {})", status);
    default:
      return fmt::format("the server answered with status {}", status);
  }
}

FarOutcome trouble_of(const std::string& where, const FarReply& reply) {
  const auto error = [&](ErrorCode code, const std::string& words) {
    return fail(code, fmt::format("{}: {}", where, words));
  };
  using enum FarOutcome::Kind;
  switch (reply.trouble) {
    case FarTrouble::kNone:
      return {};
    case FarTrouble::kNoHost:
      return {kRetry, error(ErrorCode::kNotFound, reply.words)};
    case FarTrouble::kRefused:
      return {kFailed,
              error(ErrorCode::kUnauthorized, "the server refused access: check the credentials")};
    case FarTrouble::kNotThere:
      return {kFailed, error(ErrorCode::kNotFound, "not found on the server")};
    case FarTrouble::kNowhere:
      return {kFailed, error(ErrorCode::kNotFound, reply.words)};
    case FarTrouble::kNotTrusted:
      return {kFailed, error(ErrorCode::kUnauthorized, reply.words)};
    case FarTrouble::kSilent:
      return {kRetry, error(ErrorCode::kIo, "the server stopped responding")};
    case FarTrouble::kTooMuch:
      return {kFailed, error(ErrorCode::kBadData, "the server sent bytes that were not requested")};
    case FarTrouble::kBroken:
      break;
  }
  return {kRetry, error(ErrorCode::kIo, reply.words)};
}

}  // namespace

std::optional<ContentRange> parse_content_range(std::string_view value) {
  ContentRange range;
  if (!take(value, "bytes ")) return std::nullopt;
  if (!take(value, "*")) {
    const auto first = take_number(value);
    if (!first || !take(value, "-")) return std::nullopt;
    const auto last = take_number(value);
    if (!last || *last < *first || *last == UINT64_MAX) return std::nullopt;
    range.offset = *first;
    range.count = *last - *first + 1;
  }
  if (!take(value, "/")) return std::nullopt;
  if (!take(value, "*")) {
    range.total = take_number(value);
    if (!range.total) return std::nullopt;
  }
  const bool inside = !range.total || range.offset + range.count <= *range.total;
  return value.empty() && inside ? std::optional(range) : std::nullopt;
}

FarOutcome judge(const FarFilm& film, uint64_t offset, const FarReply& reply) {
  const std::string where =
      fmt::format("cannot read {} at byte {}", film.name, offset + reply.received);
  const auto error = [&](ErrorCode code, const std::string& words) {
    return fail(code, fmt::format("{}: {}", where, words));
  };
  using enum FarOutcome::Kind;
  if (reply.status != 0 && reply.status != kPart && !led_astray(reply)) {
    if (may_pass(reply.status)) return {kRetry, error(ErrorCode::kIo, status_words(reply.status))};
    if (reply.status == kWhole) {
      return {kFailed, error(ErrorCode::kBadData,
                             "the server sent the whole file instead of the requested range")};
    }
    if (reply.status == kNothingThere) {
      return {kFailed, error(ErrorCode::kBadData, "the file has become shorter")};
    }
    return {kFailed, error(code_of(reply.status), status_words(reply.status))};
  }
  if (reply.status == kPart) {
    const bool other = (reply.range && reply.range->total && *reply.range->total != film.size) ||
                       (!film.tag.empty() && !reply.tag.empty() && reply.tag != film.tag);
    if (other)
      return {kFailed, error(ErrorCode::kConflict, "the file has changed since it was opened")};
    if (!reply.range || reply.range->offset != offset) {
      return {kFailed, error(ErrorCode::kBadData, "the server sent bytes that were not requested")};
    }
  }
  return trouble_of(where, reply);
}

Result<FarFilm> learn_film(const std::string& name, const FarReply& reply) {
  const auto error = [&](ErrorCode code, const std::string& words) {
    return fail(code, fmt::format("cannot open {}: {}", name, words));
  };
  if (reply.status == kWhole || reply.status == kPart) {
    const std::string type = lower(reply.type);
    for (const std::string_view list : {"mpegurl", "dash+xml", "x-mixed-replace"}) {
      if (type.find(list) == std::string::npos) continue;
      return error(ErrorCode::kUnavailable, "a playlist or live stream, not a file");
    }
  }
  const bool part = reply.status == kPart || reply.status == kNothingThere;
  if (part && reply.range && reply.range->total) {
    return FarFilm{name, *reply.range->total, reply.tag};
  }
  if (reply.status == kWhole || reply.status == kPart) {
    return error(ErrorCode::kUnavailable, "the server does not support byte ranges");
  }
  if (reply.status != 0 && !led_astray(reply))
    return error(code_of(reply.status), status_words(reply.status));
  const FarOutcome verdict = trouble_of("cannot open " + name, reply);
  return verdict.error.value_or(error(ErrorCode::kIo, "the server did not answer"));
}

}  // namespace sail
