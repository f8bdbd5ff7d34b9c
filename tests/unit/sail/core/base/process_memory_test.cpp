#include "sail/core/base/process_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

TEST(ProcessMemory, IsReadFromTheKernelsSums) {
  const TempFolder proc;
  std::filesystem::create_directories(proc.path() / "self");
  std::ofstream(proc.path() / "self/smaps_rollup")
      << "55d0c8a00000-7ffd0d5f2000 ---p 00000000 00:00 0          [rollup]\n"
         "Rss:                2048 kB\n"
         "Pss:                1024 kB\n"
         "Pss_Anon:            512 kB\n"
         "AnonHugePages:       300 kB\n"
         "ShmemPmdMapped:       30 kB\n"
         "FilePmdMapped:         3 kB\n";
  const ProcessMemory memory = own_memory(proc.path());
  EXPECT_EQ(memory.resident, 2048U * 1024);
  EXPECT_EQ(memory.fair, 1024U * 1024);
  EXPECT_EQ(memory.huge, 333U * 1024);
}

TEST(ProcessMemory, OfThisProcessIsKnown) {
  const ProcessMemory memory = own_memory();
  EXPECT_GT(memory.resident, 0U);
  EXPECT_GT(memory.fair, 0U);
  EXPECT_LE(memory.fair, memory.resident);
}

TEST(ProcessMemory, WithoutTheKernelsFileIsZero) {
  const TempFolder empty;
  const ProcessMemory memory = own_memory(empty.path());
  EXPECT_EQ(memory.resident, 0U);
  EXPECT_EQ(memory.huge, 0U);
}

}  // namespace
}  // namespace sail
