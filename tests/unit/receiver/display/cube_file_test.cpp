#include "receiver/display/cube_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "sail/core/base/private_file.h"

namespace receiver {
namespace {

using testing::HasSubstr;

TEST(CubeFile, ReadsACubeWithRedFastest) {
  const auto lut = parse_cube(
      "# ArgyllCMS\r\nTITLE \"left \t panel\"\r\n\r\nLUT_3D_SIZE 2\r\nDOMAIN_MAX 1 2 1e0\r\n"
      "0 0 0\r\n1 0 0\r\n0 1 0\r\n1 1 0\r\n 0\t0 .5\r\n1 0 1\r\n0 1 1\r\n-1 1.5 1");
  ASSERT_TRUE(lut) << lut.error().message;
  EXPECT_TRUE(lut->is_cube);
  EXPECT_EQ(lut->side, 2);
  EXPECT_EQ(lut->domain_min, (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(lut->domain_max, (std::array<double, 3>{1, 2, 1}));
  ASSERT_EQ(lut->entries.size(), 8U);
  EXPECT_EQ(lut->entries[1], (std::array<float, 3>{1, 0, 0}));
  EXPECT_EQ(lut->entries[4], (std::array<float, 3>{0, 0, 0.5F}));
  EXPECT_EQ(lut->entries[7], (std::array<float, 3>{-1, 1.5F, 1}));
}

TEST(CubeFile, ReadsACurveWithAnInputRange) {
  const auto lut =
      parse_cube("\xEF\xBB\xBFLUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -0.5 1.5\n0 0 0\n1 1 1\n\n# end");
  ASSERT_TRUE(lut) << lut.error().message;
  EXPECT_FALSE(lut->is_cube);
  EXPECT_EQ(lut->domain_min[2], -0.5);
  EXPECT_EQ(lut->domain_max[0], 1.5);
}

TEST(CubeFile, RefusesWhatItWouldApplyWrongly) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {"", "line 0: the file ends without LUT_1D_SIZE or LUT_3D_SIZE"},
      {"# only a comment\n", "line 1: the file ends without"},
      {"0 0 0\n", "line 1: a row before LUT_1D_SIZE or LUT_3D_SIZE"},
      {"LUT_3D_SIZE 66\n", "line 1: the size must be a whole number from 2 to 65"},
      {"LUT_3D_SIZE 1\n", "from 2 to 65"},
      {"LUT_3D_SIZE 17.5\n", "from 2 to 65"},
      {"LUT_3D_SIZE\n", "from 2 to 65"},
      {"LUT_1D_SIZE 1000000\n", "from 2 to 65536"},
      {"LUT_1D_SIZE 99999999999999999999\n", "from 2 to 65536"},
      {"LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", "line 2: a second size"},
      {"LUT_1D_SIZE 2\n0 0 0\n", "line 2: the file ends after 1 of 2 rows"},
      {"LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n", "line 4: one row too many: the size allows 2"},
      {"LUT_1D_SIZE 2\n0 0\n", "line 2: must be three finite numbers"},
      {"LUT_1D_SIZE 2\n0 0 0 0\n", "line 2: must be three finite numbers"},
      {"LUT_1D_SIZE 2\n0 0 -nan\n", "line 2: must be three finite numbers"},
      {"LUT_1D_SIZE 2\n0 0 1e39\n", "line 2: must be three finite numbers"},
      {"LUT_1D_SIZE 2\n0 0 1,5\n", "line 2: must be three finite numbers"},
      {"LUT_1D_SIZE 2\nnan 0 0\n", "line 2: neither three numbers nor a known keyword"},
      {"LUT_1D_SIZE 2\nDOMAIN_MIN 0 0\n", "line 2: must be three finite numbers"},
      {"LUT_1D_SIZE 2\nDOMAIN_MIN 0 0 1\n0 0 0\n", "line 3: the maximum of the domain"},
      {"LUT_3D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\n", "line 2: the input range must follow the size"},
      {"LUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\n", "line 2: neither three numbers nor a known keyword"},
      {"LUT_1D_SIZE 2\n0 0 0\nDOMAIN_MAX 2 2 2\n", "line 3: not three numbers; keywords must"},
  };
  for (const auto& one : cases) {
    const auto lut = parse_cube(one.text);
    ASSERT_FALSE(lut) << one.text;
    EXPECT_THAT(lut.error().message, HasSubstr(one.says)) << one.text;
  }
}

TEST(CubeFile, ErrorsOfFilesNameTheFile) {
  const std::string path = testing::TempDir() + "cube_file_test.cube";
  ASSERT_TRUE(sail::write_private_file(path, "LUT_1D_SIZE 2\n0 0 x\n"));
  const auto lut = load_cube(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(lut);
  EXPECT_EQ(lut.error().message, path + ": line 2: must be three finite numbers");
  EXPECT_FALSE(load_cube(path)) << "there is no file";
  ASSERT_EQ(mkfifo(path.c_str(), S_IRUSR), 0);
  const auto pipe = load_cube(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().message, path + " is not a file");
}

}  // namespace
}  // namespace receiver
