#include "receiver/power/pjlink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace receiver {
namespace {

using sail::ErrorCode;
using sail::PowerOrder;
using sail::PowerState;
using testing::HasSubstr;

// What the exchange sends in response to all these bytes.
std::string said_to(PjlinkExchange& exchange, std::string_view bytes) {
  return exchange.take(bytes);
}

ErrorCode code_after(PjlinkExchange& exchange, std::string_view bytes) {
  exchange.take(bytes);
  EXPECT_TRUE(exchange.result());
  if (!exchange.result() || exchange.result()->has_value()) return ErrorCode::kInternal;
  return exchange.result()->error().code;
}

TEST(Pjlink, AsksForTheStateOfAnOpenProjector) {
  const std::pair<const char*, PowerState> answers[] = {{"0", PowerState::kOff},
                                                        {"1", PowerState::kOn},
                                                        {"2", PowerState::kCooling},
                                                        {"3", PowerState::kWarming}};
  for (const auto& [answer, state] : answers) {
    PjlinkExchange exchange(PowerOrder::kStatus, "");
    EXPECT_EQ(said_to(exchange, "PJLINK 0\r"), "%1POWR ?\r");
    EXPECT_FALSE(exchange.result());
    EXPECT_EQ(said_to(exchange, "%1POWR=" + std::string(answer) + "\r"), "");
    ASSERT_TRUE(exchange.result());
    EXPECT_EQ(*exchange.result(), state);
  }
}

TEST(Pjlink, SwitchesAndThenAsksForTheState) {
  PjlinkExchange exchange(PowerOrder::kOn, "");
  EXPECT_EQ(said_to(exchange, "PJLINK 0\r"), "%1POWR 1\r");
  EXPECT_EQ(said_to(exchange, "%1POWR=OK\r"), "%1POWR ?\r");
  EXPECT_EQ(said_to(exchange, "%1POWR=3\r"), "");
  ASSERT_TRUE(exchange.result());
  EXPECT_EQ(*exchange.result(), PowerState::kWarming);
  PjlinkExchange off(PowerOrder::kOff, "");
  EXPECT_EQ(said_to(off, "PJLINK 0\r"), "%1POWR 0\r");
}

// The example of the specification: random number 498e4a67, password JBMIAProjectorLink.
TEST(Pjlink, ProvesThePasswordBeforeTheFirstCommandOnly) {
  PjlinkExchange exchange(PowerOrder::kOff, "JBMIAProjectorLink");
  EXPECT_EQ(said_to(exchange, "PJLINK 1 498e4a67\r"), "5d8409bc1c3fa39749434aa3a5c38682%1POWR 0\r");
  EXPECT_EQ(said_to(exchange, "%1POWR=OK\r"), "%1POWR ?\r");
}

TEST(Pjlink, AnswersMayComeByteByByteAndInAnyCase) {
  PjlinkExchange exchange(PowerOrder::kOn, "");
  std::string said;
  for (const char byte : std::string("pjlink 0\r\n%1powr=ok\r%1POWR=1\r")) {
    said += said_to(exchange, {&byte, 1});
  }
  EXPECT_EQ(said, "%1POWR 1\r%1POWR ?\r");
  ASSERT_TRUE(exchange.result());
  EXPECT_EQ(*exchange.result(), PowerState::kOn);
}

TEST(Pjlink, ABusyProjectorTellsItsState) {
  PjlinkExchange exchange(PowerOrder::kOn, "");
  said_to(exchange, "PJLINK 0\r");
  EXPECT_EQ(said_to(exchange, "%1POWR=ERR3\r"), "%1POWR ?\r");
  said_to(exchange, "%1POWR=2\r");
  ASSERT_TRUE(exchange.result());
  EXPECT_EQ(*exchange.result(), PowerState::kCooling);
}

TEST(Pjlink, RefusalsAreErrors) {
  const std::pair<const char*, ErrorCode> refusals[] = {
      {"%1POWR=ERR1\r", ErrorCode::kUnavailable},  {"%1POWR=ERR2\r", ErrorCode::kUnavailable},
      {"%1POWR=ERR3\r", ErrorCode::kUnavailable},  {"%1POWR=ERR4\r", ErrorCode::kUnavailable},
      {"%1POWR=ERRA\r", ErrorCode::kUnauthorized}, {"PJLINK ERRA\r", ErrorCode::kUnauthorized}};
  for (const auto& [refusal, code] : refusals) {
    PjlinkExchange exchange(PowerOrder::kStatus, "secret");
    EXPECT_NE(said_to(exchange, "PJLINK 1 0123abcd\r"), "");
    EXPECT_EQ(code_after(exchange, refusal), code) << refusal;
  }
  PjlinkExchange without_password(PowerOrder::kStatus, "");
  EXPECT_EQ(code_after(without_password, "PJLINK 1 0123abcd\r"), ErrorCode::kUnauthorized);
  EXPECT_THAT(without_password.result()->error().message, HasSubstr("'password_file'"));
}

TEST(Pjlink, OtherBytesAreErrorsThatQuoteThem) {
  const char* const bytes[] = {"220 smtp.example.org\r",
                               "PJLINK 2\r",
                               "PJLINK 1 \r",
                               "%1POWR=1\r",
                               "PJLINK 0\rPJLINK 0\r",
                               "PJLINK 0\r%1LAMP=1\r",
                               "PJLINK 0\r%1POWR=7\r",
                               "PJLINK 0\r%1POWR=\r"};
  for (const char* const given : bytes) {
    PjlinkExchange exchange(PowerOrder::kStatus, "secret");
    EXPECT_EQ(code_after(exchange, given), ErrorCode::kBadData) << given;
  }
  PjlinkExchange endless(PowerOrder::kStatus, "");
  EXPECT_EQ(code_after(endless, std::string(PjlinkExchange::kMaxLine + 1, 'x')),
            ErrorCode::kBadData);
}

}  // namespace
}  // namespace receiver
