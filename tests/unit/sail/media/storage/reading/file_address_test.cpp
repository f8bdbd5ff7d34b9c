#include "sail/media/storage/reading/file_address.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(FileAddress, NamesAFileOfAServer) {
  EXPECT_EQ(parse_file_address("nfs://store/films/opera.mkv").value(),
            (FileAddress{"store", 2049, "/films/opera.mkv"}));
  EXPECT_EQ(parse_file_address("nfs://[::1]:20490/a%20film%3f.mkv").value(),
            (FileAddress{"::1", 20490, "/a film?.mkv"}));
  for (const char* wrong :
       {"nfs:/store/a", "nfs://", "nfs://store", "nfs:///films/a", "nfs://store/",
        "nfs://store/films/", "nfs://store:0x/a", "nfs://me@store/a", "nfs://store/a?uid=0",
        "nfs://store/a#b", "nfs://store/a%2", "nfs://store/a%zz", "nfs://store/a%00b"}) {
    EXPECT_FALSE(parse_file_address(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace sail
