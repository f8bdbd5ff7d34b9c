#include "sail/core/wall/webhooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/wall/wall.h"

namespace sail {
namespace {

using ::testing::HasSubstr;

Result<Wall> wall_with_webhooks(const std::string& webhooks) {
  return parse_wall(R"({"grid": {"columns": 1, "rows": 1, "resolution": [64, 64]}, "webhooks": )" +
                    webhooks + "}");
}

std::string webhook_mistake(const std::string& webhooks) {
  const auto wall = wall_with_webhooks(webhooks);
  EXPECT_FALSE(wall) << webhooks;
  return wall ? "" : wall.error().message;
}

TEST(WallWebhooks, AWallIsReadBackAsItWas) {
  const auto wall = wall_with_webhooks(
      R"([{"name": "desk", "url": "https://desk.example/wall?token=1", "on": ["scene", "alarm"],
           "secret_file": "/etc/desk", "headers_file": "/etc/headers"},
          {"name": "chat", "url": "http://10.0.0.1:80", "on": ["receiver_lost"]}])");
  ASSERT_TRUE(wall) << wall.error().message;
  ASSERT_EQ(wall->webhooks.size(), 2U);
  EXPECT_EQ(wall->webhooks[0], (Webhook{.name = "desk",
                                        .url = "https://desk.example/wall?token=1",
                                        .on = {Happening::kScene, Happening::kAlarm},
                                        .secret_file = "/etc/desk",
                                        .headers_file = "/etc/headers"}));
  const auto again = parse_wall(wall_json(*wall).dump());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == *wall);
}

TEST(WallWebhooks, MistakesAreNamed) {
  EXPECT_THAT(webhook_mistake("7"), HasSubstr("'webhooks'"));
  EXPECT_THAT(webhook_mistake("[{}]"), HasSubstr("webhooks[0]: 'name'"));
  EXPECT_THAT(webhook_mistake(R"([{"name": "a", "url": "ftp://a", "on": ["scene"]}])"),
              HasSubstr("'url'"));
  EXPECT_THAT(webhook_mistake(R"([{"name": "a", "url": "http://", "on": ["scene"]}])"),
              HasSubstr("'url'"));
  EXPECT_THAT(webhook_mistake(R"([{"name": "a", "url": "http://a", "on": []}])"),
              HasSubstr("'on'"));
  for (const char* on : {R"("nothing")", R"("test")", "7"}) {
    const std::string start = R"([{"name": "a", "url": "http://a", "on": [)";
    EXPECT_THAT(webhook_mistake(start + on + "]}]"), HasSubstr("\"receiver_lost\"")) << on;
  }
  EXPECT_THAT(webhook_mistake(
                  R"([{"name": "a", "url": "http://a", "on": ["scene"], "secret_file": "here"}])"),
              HasSubstr("'secret_file'"));
  const std::string one = R"({"name": "a", "url": "http://a", "on": ["scene"]})";
  EXPECT_THAT(webhook_mistake("[" + one + "," + one + "]"), HasSubstr("used twice"));
}

TEST(WallWebhooks, AWebhookWantsItsHappeningsAndTests) {
  const Webhook webhook{.on = {Happening::kAlarm}};
  EXPECT_TRUE(webhook.wants(Happening::kAlarm));
  EXPECT_TRUE(webhook.wants(Happening::kTest));
  EXPECT_FALSE(webhook.wants(Happening::kAlarmOver));
}

TEST(WallWebhooks, ThePublicPartHasNoSecrets) {
  EXPECT_EQ(public_part("https://ann:word@desk.example:8443/secret?token=1"),
            "https://desk.example:8443");
  EXPECT_EQ(public_part("http://10.0.0.1"), "http://10.0.0.1");
  EXPECT_EQ(public_part("http://a?b@c"), "http://a");
}

}  // namespace
}  // namespace sail
