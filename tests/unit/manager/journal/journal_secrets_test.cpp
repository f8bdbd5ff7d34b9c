// What the journal keeps of requests with passwords.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/manager/peers/fake_players_test.h"

namespace manager {
namespace {

using sail::Json;

class JournalSecretsTest : public FakePlayersTest {};

TEST_F(JournalSecretsTest, TheLoginOfACameraIsHiddenAlsoInAMistypedAddress) {
  begin();
  for (const char* device :
       {"admin:cret77@127.0.0.1:1", "se?cret77@127.0.0.1:1", "http:/admin:cret77@127.0.0.1:1",
        "http://admin:se/cret77@127.0.0.1:1/a b", "http://admin:\"@cret77@127.0.0.1:1/"}) {
    const auto answer = console->call("camera_save", {{"device", device}});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, sail::ErrorCode::kInvalidParams) << device;
    EXPECT_THAT(answer.error().message, testing::Not(testing::HasSubstr("cret77")));
  }
  const Json entries = console->expect("journal", {{"verb", "camera_save"}})["entries"];
  ASSERT_EQ(entries.size(), 5U);  // The newest first.
  EXPECT_EQ(entries[0]["params"]["device"], "http://…@127.0.0.1:1/");
  EXPECT_EQ(entries[4]["params"]["device"], "…@127.0.0.1:1");
  EXPECT_THAT(entries.dump(), testing::Not(testing::HasSubstr("cret77")));
}

TEST_F(JournalSecretsTest, TheSecretOfAStreamThatReturnsIsLeftOut) {
  begin();
  (void)application()->call("open_stream", {{"resume", {{"secret", "c0ffee00c0ffee00"}}}});
  const Json entries = console->expect("journal", {{"verb", "open_stream"}})["entries"];
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_THAT(entries.dump(), testing::Not(testing::HasSubstr("c0ffee")));
}

}  // namespace
}  // namespace manager
