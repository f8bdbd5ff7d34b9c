// Signatures of Standard Webhooks, with the example of its reference libraries.
#include "ui/hooks/signature.h"

#include <gtest/gtest.h>

namespace ui {
namespace {

TEST(WebhookSignature, IsThatOfTheReferenceLibraries) {
  const auto key = webhook_key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(webhook_signature(*key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                              R"({"test": 2432232314})"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(WebhookSignature, WeakAndOtherSecretsAreRefused) {
  EXPECT_FALSE(webhook_key(""));
  EXPECT_FALSE(webhook_key("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
  EXPECT_FALSE(webhook_key("whsec_"));
  EXPECT_FALSE(webhook_key("whsec_c2hvcnQ="));
  EXPECT_FALSE(webhook_key("whsec_not Base64"));
  EXPECT_FALSE(webhook_key("whsec_" + std::string(88, 'A')));  // 66 bytes
}

}  // namespace
}  // namespace ui
