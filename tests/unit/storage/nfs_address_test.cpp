#include "sail/storage/nfs_address.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(NfsAddress, NamesAFileOfAServer) {
  EXPECT_EQ(parse_nfs_address("nfs://store/films/opera.mkv").value(),
            (NfsAddress{"store", 2049, "/films/opera.mkv"}));
  EXPECT_EQ(parse_nfs_address("nfs://[::1]:20490/a%20film%3f.mkv").value(),
            (NfsAddress{"::1", 20490, "/a film?.mkv"}));
  for (const char* wrong :
       {"nfs://", "nfs://store", "nfs:///films/a", "nfs://store/", "nfs://store/films/",
        "nfs://store:0x/a", "nfs://me@store/a", "nfs://store/a?uid=0", "nfs://store/a#b",
        "nfs://store/a%2", "nfs://store/a%zz", "nfs://store/a%00b"}) {
    EXPECT_FALSE(parse_nfs_address(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace sail
