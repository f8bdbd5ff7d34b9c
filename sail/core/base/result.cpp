#include "sail/core/base/result.h"

namespace sail {

const char* error_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kParseError:
      return "parse_error";
    case ErrorCode::kInvalidRequest:
      return "invalid_request";
    case ErrorCode::kUnknownMethod:
      return "unknown_method";
    case ErrorCode::kInvalidParams:
      return "invalid_params";
    case ErrorCode::kInternal:
      return "internal";
    case ErrorCode::kUnauthorized:
      return "unauthorized";
    case ErrorCode::kUnsupportedProtocol:
      return "unsupported_protocol";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kLimit:
      return "limit";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kBadData:
      return "bad_data";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kBusy:
      return "busy";
  }
  return "internal";
}

}  // namespace sail
