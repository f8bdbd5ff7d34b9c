#include "sail/core/http/web_certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/sail/core/http/certificate_maker.h"

namespace sail {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class WebCertificateTest : public testing::Test {
 protected:
  // Returns the reason why the files are rejected.
  static std::string refusal(const CertificateFiles& files, ErrorCode code) {
    const auto loaded = WebCertificate::load(files);
    EXPECT_FALSE(loaded);
    if (loaded) return "";
    EXPECT_EQ(loaded.error().code, code) << loaded.error().message;
    return loaded.error().message;
  }
  std::string time_trouble(long from_s, long to_s) const {
    const auto loaded = WebCertificate::load(make_certificate(folder_, "timed", from_s, to_s));
    std::filesystem::remove(folder_.file("timed.key"));
    return loaded ? loaded->time_trouble() : "not loaded";
  }

  TempFolder folder_;
};

TEST_F(WebCertificateTest, TellsWhichItIs) {
  const auto one = WebCertificate::load(make_certificate(folder_, "one"));
  const auto other = WebCertificate::load(make_certificate(folder_, "other"));
  ASSERT_TRUE(one) << one.error().message;
  ASSERT_TRUE(other);
  EXPECT_THAT(one->fingerprint(), MatchesRegex("([0-9A-F][0-9A-F]:)+[0-9A-F][0-9A-F]"));
  EXPECT_EQ(one->fingerprint().size(), 95U);
  EXPECT_EQ(one->key_pin().size(), 44U);
  EXPECT_NE(one->fingerprint(), other->fingerprint());
  EXPECT_NE(one->key_pin(), other->key_pin());
}

TEST_F(WebCertificateTest, FilesThatDoNotBelongTogetherAreRefused) {
  const CertificateFiles one = make_certificate(folder_, "one");
  const CertificateFiles other = make_certificate(folder_, "other");
  EXPECT_THAT(refusal({one.certificate, other.key}, ErrorCode::kInvalidParams),
              HasSubstr("other.key does not belong to the certificate"));
  EXPECT_THAT(refusal({one.key, one.key}, ErrorCode::kInvalidParams),
              HasSubstr("is not a certificate"));
  EXPECT_THAT(refusal({folder_.file("none"), one.key}, ErrorCode::kIo), HasSubstr("cannot read"));
  EXPECT_THAT(refusal({one.certificate, folder_.file("none")}, ErrorCode::kIo),
              HasSubstr("cannot read"));
  const std::string garbage = folder_.write("garbage", std::string(2 << 20, 'x'));
  EXPECT_THAT(refusal({garbage, one.key}, ErrorCode::kInvalidParams), HasSubstr("too large"));
}

TEST_F(WebCertificateTest, AKeyForEverybodyIsRefused) {
  const CertificateFiles files = make_certificate(folder_, "open");
  std::filesystem::permissions(files.key, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  EXPECT_THAT(refusal(files, ErrorCode::kUnauthorized), HasSubstr("chmod 640"));
}

TEST_F(WebCertificateTest, SaysWhatIsWrongWithItsTime) {
  EXPECT_EQ(time_trouble(-kDayS, 100 * kDayS), "");
  EXPECT_THAT(time_trouble(-2 * kDayS, -kDayS), HasSubstr("expired on"));
  EXPECT_THAT(time_trouble(kDayS, 2 * kDayS), HasSubstr("not valid before"));
  EXPECT_THAT(time_trouble(-kDayS, 3 * kDayS), HasSubstr("expires on"));
}

}  // namespace
}  // namespace sail
