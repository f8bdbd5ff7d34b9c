#include "sail/core/wall/event_request.h"

#include <gtest/gtest.h>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

const Json kFiring = {{"status", "firing"}, {"groupLabels", {{"alertname", "Fire"}}}, {"level", 5}};

TEST(EventRequest, TheBodyIsThePayload) {
  const auto bare = event_verb({.name = "door"}, kFiring);
  ASSERT_TRUE(bare);
  EXPECT_STREQ(bare->verb, "event_start");
  EXPECT_EQ(bare->parameters, (Json{{"name", "door"}, {"payload", kFiring}}));
}

TEST(EventRequest, FieldsOfThePayloadNameAndClearTheEvent) {
  const EventRequest request{
      .name = "alert", .id = "groupLabels.alertname", .clear = "status:resolved"};
  const auto start = event_verb(request, kFiring);
  ASSERT_TRUE(start);
  EXPECT_STREQ(start->verb, "event_start");
  EXPECT_EQ(start->parameters["id"], "Fire");
  Json resolved = kFiring;
  resolved["status"] = "resolved";
  const auto clear = event_verb(request, resolved);
  ASSERT_TRUE(clear);
  EXPECT_STREQ(clear->verb, "event_clear");
  EXPECT_EQ(clear->parameters, (Json{{"name", "alert"}, {"id", "Fire"}}));
  // Numbers are compared as text.
  const auto number = event_verb({.name = "alert", .id = "level", .clear = "level:5"}, kFiring);
  ASSERT_TRUE(number);
  EXPECT_STREQ(number->verb, "event_clear");
  EXPECT_EQ(number->parameters["id"], "5");
}

TEST(EventRequest, MistakesAreRefused) {
  for (const EventRequest& wrong : {EventRequest{.name = "a", .id = "none"},
                                    {.name = "a", .id = "groupLabels"},
                                    {.name = "a", .clear = "status"}}) {
    const auto verb = event_verb(wrong, kFiring);
    ASSERT_FALSE(verb);
    EXPECT_EQ(verb.error().code, ErrorCode::kInvalidParams);
  }
  const auto absent = event_verb({.name = "a", .clear = "none:1"}, kFiring);
  ASSERT_TRUE(absent);
  EXPECT_STREQ(absent->verb, "event_start");
}

TEST(EventRequest, OptionsNameAnEvent) {
  const auto bare = read_event_request("zigbee/hall door");
  ASSERT_TRUE(bare);
  EXPECT_EQ(*bare, EventRequest{.name = "zigbee/hall door"});
  const auto full = read_event_request("frigate/reviews?id=after.id&clear=type:end");
  ASSERT_TRUE(full);
  EXPECT_EQ(*full,
            (EventRequest{.name = "frigate/reviews", .id = "after.id", .clear = "type:end"}));
  const auto turned = read_event_request("/cue?clear=arguments.0:0");
  ASSERT_TRUE(turned);
  EXPECT_EQ(*turned, (EventRequest{.name = "/cue", .clear = "arguments.0:0"}));
  const std::string long_name(65, 'a');
  for (const char* wrong : {"", "?id=a", "a?id=", "a?id", "a?of=b", "a?clear=b", "a?id=b&&",
                            "a?id=b&of=c", "a\nb", long_name.c_str()}) {
    const auto read = read_event_request(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidParams);
  }
}

TEST(EventRequest, PayloadsHaveALimit) {
  const auto large = event_verb({.name = "a"}, {{"text", std::string(kMaxEventPayload, 'x')}});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kInvalidParams);
  const auto list = event_verb({.name = "a"}, Json::array({1}));
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::kInvalidParams);
}

}  // namespace
}  // namespace sail
