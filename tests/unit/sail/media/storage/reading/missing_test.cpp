// What stands in for libraries that this was built without, of which most builds have one.
#include <gtest/gtest.h>

#include "sail/media/storage/gluster/gluster_bytes.h"
#include "sail/media/storage/nfs/nfs_bytes.h"

namespace sail {
namespace {

TEST(MissingLibraries, SayWhatElseCanBeDone) {
  const auto nfs = open_nfs("nfs://store/films/film", {});
  ASSERT_FALSE(nfs);
  EXPECT_EQ(nfs.error(), fail(ErrorCode::kInvalidParams,
                              "cannot open nfs://store/films/film: this was built "
                              "without libnfs (mount it instead)"));
  const auto gluster = open_gluster("gluster://store/films/film", {});
  ASSERT_FALSE(gluster);
  EXPECT_EQ(gluster.error(), fail(ErrorCode::kInvalidParams,
                                  "cannot open gluster://store/films/film: this was "
                                  "built without libgfapi (mount it instead)"));
}

}  // namespace
}  // namespace sail
