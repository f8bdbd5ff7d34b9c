#include "ui/impair/traffic_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

TEST(TrafficLog, CountsEachMillisecondFromTheFirst) {
  const TempFolder folder;
  const std::string path = folder.file("traffic.csv");
  {
    auto log = TrafficLog::open(path);
    ASSERT_TRUE(log) << log.error().message;
    constexpr int64_t kBegin = 77'123'456'789;
    (*log)->add(kBegin, 100);
    (*log)->add(kBegin + 999'999, 200);
    (*log)->add(kBegin + 1'000'000, 5);
    (*log)->add(kBegin + 500'000, 6);  // late: added to the newest interval
    (*log)->add(kBegin + 12'500'000, 1400);
  }
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "ms,bytes,packets\n0,300,2\n1,11,2\n12,1400,1\n");
}

TEST(TrafficLog, SaysWhereItCannotWrite) {
  const auto log = TrafficLog::open("/no/such/folder/traffic.csv");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, ErrorCode::kIo);
  EXPECT_NE(log.error().message.find("/no/such/folder/traffic.csv"), std::string::npos);
}

}  // namespace
}  // namespace sail
