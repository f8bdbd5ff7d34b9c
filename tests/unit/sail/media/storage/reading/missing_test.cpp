// The replacements for libraries that a build may lack; most builds have these libraries.
#include <gtest/gtest.h>

#include "sail/media/storage/nfs/nfs_bytes.h"

namespace sail {
namespace {

TEST(MissingLibraries, SayWhatElseCanBeDone) {
  const auto nfs = open_nfs("nfs://store/films/film", {});
  ASSERT_FALSE(nfs);
  EXPECT_EQ(nfs.error(), fail(ErrorCode::kInvalidParams,
                              "cannot open nfs://store/films/film: this program was built "
                              "without libnfs: mount the export instead"));
}

}  // namespace
}  // namespace sail
