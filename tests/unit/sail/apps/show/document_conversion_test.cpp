// Conversion of office documents by stand-ins for LibreOffice that work, hang, fail or write too
// much.
#include "sail/apps/show/document_conversion.h"

#include <gtest/gtest.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "sail/core/base/sanitized.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

const std::string kZipStart = "PK\x03\x04";
// The converter's working folder holds the folder "out".
constexpr const char* kWorks = "printf %s %PDF-1.4 > out/document.pdf";

class DocumentConversionTest : public testing::Test {
 protected:
  void SetUp() override {
    const int64_t version =
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1 && !kSanitized) GTEST_SKIP() << "this kernel has no Landlock";
  }
  // Returns the error's code; kInternal if there was none.
  ErrorCode why_not(const std::string& script) {
    const auto pdf = convert(script);
    return pdf ? ErrorCode::kInternal : pdf.error().code;
  }
  Result<std::string> convert(const std::string& script) {
    rules_.program = folder_.write("soffice", "#!/bin/sh\n" + script + "\n");
    fs::permissions(rules_.program, fs::perms::owner_all);
    return convert_document(document_, cache_, rules_, [this] { return given_up_; });
  }

  const TempFolder folder_;
  const std::string document_ = folder_.write("talk.odp", kZipStart + "slides");
  const DocumentCache cache_{folder_.path() / "cache"};
  ConversionRules rules_;
  bool given_up_ = false;
};

TEST_F(DocumentConversionTest, IsDoneOnce) {
  const auto first = convert(kWorks);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(fs::file_size(*first), 8U);
  const auto again = convert("exit 1");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, *first);
}

TEST_F(DocumentConversionTest, FailuresHaveTheirCodes) {
  EXPECT_EQ(why_not("exit 3"), ErrorCode::kBadData);
  EXPECT_EQ(why_not("exit 0"), ErrorCode::kBadData) << "it wrote nothing";
  EXPECT_EQ(why_not("echo text > out/document.pdf"), ErrorCode::kBadData);
  EXPECT_EQ(why_not("ln -s /etc/passwd out/document.pdf"), ErrorCode::kBadData);
  folder_.write("talk.odp", "no container");
  EXPECT_EQ(why_not(kWorks), ErrorCode::kBadData);
}

TEST_F(DocumentConversionTest, WhatHangsIsKilled) {
  // Without work: the limit of processor time would end a busy script with another code.
  rules_.longest = std::chrono::milliseconds(1);
  EXPECT_EQ(why_not("trap '' TERM; mkfifo never; read -r line < never"), ErrorCode::kTimeout);
}

TEST_F(DocumentConversionTest, WhatWritesTooMuchIsKilled) {
  rules_.most_written_bytes = 1 << 20;
  EXPECT_EQ(why_not("for part in 1 2 3; do printf %900000s > out/$part; done"), ErrorCode::kLimit);
}

TEST_F(DocumentConversionTest, EndsWithItsProgram) {
  given_up_ = true;
  EXPECT_EQ(why_not("mkfifo never; read -r line < never"), ErrorCode::kUnavailable);
}

TEST_F(DocumentConversionTest, OtherFilesAreOutOfReach) {
  if (kSanitized) GTEST_SKIP() << "a build with a sanitizer has no sandbox";
  const std::string secret = folder_.write("secret", "%PDF-key");
  EXPECT_EQ(why_not("cat " + secret + " > out/document.pdf"), ErrorCode::kBadData);
  EXPECT_EQ(why_not("echo spoilt > " + secret + "; exit 1"), ErrorCode::kBadData);
  EXPECT_EQ(fs::file_size(secret), 8U);
}

TEST_F(DocumentConversionTest, MissingLibreOfficeIsTold) {
  rules_.program = folder_.file("none");
  const auto pdf = convert_document(document_, cache_, rules_, [] { return false; });
  ASSERT_FALSE(pdf);
  EXPECT_EQ(pdf.error().code, ErrorCode::kNotFound);
  EXPECT_NE(pdf.error().message.find("libreoffice-impress"), std::string::npos);
}

TEST_F(DocumentConversionTest, TheQueueIsLimited) {
  rules_.most_waiting = 0;
  EXPECT_EQ(why_not(kWorks), ErrorCode::kLimit);
}

TEST(DocumentCache, RemovesTheOldestFirst) {
  const TempFolder folder;
  const DocumentCache cache(folder.path() / "cache", 20);
  const std::string pdf = folder.write("pdf", "12345678");
  const OfficeDocument used{"", "a"};
  const OfficeDocument forgotten{"", "b"};
  const OfficeDocument added{"", "c"};
  for (const OfficeDocument& document : {used, forgotten}) {
    const auto place = cache.add(document, pdf);
    ASSERT_TRUE(place) << place.error().message;
    fs::last_write_time(*place, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  ASSERT_TRUE(cache.find(used));
  ASSERT_TRUE(cache.add(added, pdf));
  EXPECT_TRUE(cache.find(used));
  EXPECT_FALSE(cache.find(forgotten));
  EXPECT_TRUE(cache.find(added));
}

}  // namespace
}  // namespace sail
