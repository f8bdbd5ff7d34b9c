#include "manager/api/event_request.h"

#include <gtest/gtest.h>

namespace manager {
namespace {

using sail::Json;

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
    EXPECT_EQ(verb.error().code, sail::ErrorCode::kInvalidParams);
  }
  const auto absent = event_verb({.name = "a", .clear = "none:1"}, kFiring);
  ASSERT_TRUE(absent);
  EXPECT_STREQ(absent->verb, "event_start");
}

}  // namespace
}  // namespace manager
