#include "sail/media/storage/http/web_address.h"

#include <gtest/gtest.h>

#include "tests/support/environment_variable.h"

namespace sail {
namespace {

TEST(WebAddress, EncodesWhatMayNotStandInIt) {
  for (const auto& [url, address] : {std::pair("http://h/a b.mp4", "http://h/a%20b.mp4"),
                                     {"https://h:1/ü?q=<x>", "https://h:1/%C3%BC?q=%3Cx%3E"},
                                     {"http://h/a%20b;c&d+e?f=g#h", "http://h/a%20b;c&d+e?f=g#h"},
                                     {"http://[::1]:80/a", "http://[::1]:80/a"},
                                     {"http://h", "http://h"}}) {
    EXPECT_EQ(as_web_address(url), address);
  }
}

}  // namespace

namespace {

using test::EnvironmentVariable;

// Clears the environment's settings.
class S3Address : public testing::Test {
 private:
  EnvironmentVariable endpoint_{"AWS_ENDPOINT_URL", ""};
  EnvironmentVariable s3_endpoint_{"AWS_ENDPOINT_URL_S3", ""};
  EnvironmentVariable region_{"AWS_REGION", ""};
  EnvironmentVariable default_region_{"AWS_DEFAULT_REGION", ""};
  EnvironmentVariable key_{"AWS_ACCESS_KEY_ID", ""};
  EnvironmentVariable secret_{"AWS_SECRET_ACCESS_KEY", ""};
  EnvironmentVariable session_{"AWS_SESSION_TOKEN", ""};
};

TEST_F(S3Address, IsAmazonsWithoutAnEndpoint) {
  const auto address = s3_address("s3://films/a b/c%20.mkv");
  EXPECT_EQ(address->url, "https://films.s3.us-east-1.amazonaws.com/a%20b/c%2520.mkv");
  EXPECT_FALSE(address->signing);
  EXPECT_EQ(s3_address("s3://my.films/a")->url, "https://s3.us-east-1.amazonaws.com/my.films/a");
}

TEST_F(S3Address, GoesByTheEnvironment) {
  const EnvironmentVariable endpoint("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/");
  const EnvironmentVariable region("AWS_DEFAULT_REGION", "eu-west-1");
  const EnvironmentVariable key("AWS_ACCESS_KEY_ID", "me");
  const EnvironmentVariable secret("AWS_SECRET_ACCESS_KEY", "hush");
  const auto address = s3_address("s3://films/a.mkv");
  EXPECT_EQ(address->url, "http://127.0.0.1:9000/films/a.mkv");
  ASSERT_TRUE(address->signing);
  EXPECT_EQ(address->signing->region, "eu-west-1");
  EXPECT_EQ(address->signing->key_id, "me");
  EXPECT_EQ(address->signing->secret, "hush");
}

TEST_F(S3Address, RefusesWhatIsNone) {
  for (const char* uri :
       {"s3://", "s3://films", "s3://films/", "s3:///a", "s3://a@b/c", "s3://a:1/c", "s3://../a"}) {
    const auto address = s3_address(uri);
    ASSERT_FALSE(address) << uri;
    EXPECT_EQ(address.error().code, ErrorCode::kInvalidParams);
  }
}

}  // namespace

}  // namespace sail
