#include "sail/core/base/result.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sail/core/base/log.h"

namespace sail {
namespace {

TEST(ErrorName, IsAStableNameForEachCode) {
  std::set<std::string> names;
  for (const ErrorCode code :
       {ErrorCode::kParseError, ErrorCode::kInvalidRequest, ErrorCode::kUnknownMethod,
        ErrorCode::kInvalidParams, ErrorCode::kInternal, ErrorCode::kUnauthorized,
        ErrorCode::kUnsupportedProtocol, ErrorCode::kNotFound, ErrorCode::kConflict,
        ErrorCode::kLimit, ErrorCode::kUnavailable, ErrorCode::kTimeout, ErrorCode::kBadData,
        ErrorCode::kIo}) {
    EXPECT_TRUE(names.insert(error_name(code)).second) << error_name(code);
  }
  EXPECT_STREQ(error_name(ErrorCode::kInvalidParams), "invalid_params");
}

TEST(LogLevel, ParsesItsNamesOnly) {
  LogLevel level = LogLevel::kInfo;
  EXPECT_TRUE(parse_log_level("debug", level));
  EXPECT_EQ(level, LogLevel::kDebug);
  EXPECT_TRUE(parse_log_level("off", level));
  EXPECT_EQ(level, LogLevel::kOff);
  for (const char* wrong : {"", "Debug", "warn", "offf"}) {
    EXPECT_FALSE(parse_log_level(wrong, level)) << wrong;
    EXPECT_EQ(level, LogLevel::kOff);
  }
}

}  // namespace
}  // namespace sail
