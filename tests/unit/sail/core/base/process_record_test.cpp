#include "sail/core/base/process_record.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

// Starts a child that waits for a signal.
pid_t start_waiting() {
  const pid_t pid = fork();
  if (pid == 0) {
    pause();
    _exit(0);
  }
  return pid;
}

TEST(ProcessIdentity, IsThatOfOneProcessAndNoLaterOne) {
  const auto self = identity_of(getpid());
  ASSERT_TRUE(self);
  EXPECT_TRUE(is_running(*self));
  EXPECT_EQ(process_identity_from(to_text(*self)), self);

  ProcessIdentity former = *self;  // an earlier process with the same id
  former.began += "1";
  EXPECT_FALSE(is_running(former));
  signal_process(former, SIGKILL);
}

TEST(ProcessIdentity, OneThatEndedRunsNoLongerThoughNobodyAskedHow) {
  const pid_t pid = start_waiting();
  const auto child = identity_of(pid);
  ASSERT_TRUE(child);
  signal_process(*child, SIGTERM);
  siginfo_t how{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &how, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(how.si_status, SIGTERM);
  EXPECT_FALSE(is_running(*child)) << "a zombie";
  waitpid(pid, nullptr, 0);
  EXPECT_FALSE(is_running(*child));
}

TEST(ProcessIdentity, OtherTextsAreNone) {
  for (const char* text : {"", "12", "0 a/1", "-4 a/1", "x a/1", "12x a/1"}) {
    EXPECT_FALSE(process_identity_from(text)) << text;
  }
}

TEST(ProcessRecord, TellsWhoComesAfter) {
  const TempFolder folder;
  const std::filesystem::path file = std::filesystem::path(folder.file("run")) / "receivers";
  {
    ProcessRecord record(file);
    EXPECT_TRUE(record.all().empty());
    record.keep("node 1", getpid());
    record.keep("node 2", getppid());
    record.keep("node 1", getppid());
    EXPECT_EQ(record.all().size(), 2U);
  }
  ProcessRecord later(file);
  ASSERT_EQ(later.all().size(), 2U);
  EXPECT_EQ(later.all().at("node 1"), identity_of(getppid()));
  later.forget();
  EXPECT_TRUE(ProcessRecord(file).all().empty());
}

TEST(ProcessRecord, DamagedLinesAreLeftOut) {
  const TempFolder folder;
  const std::string good = to_text(*identity_of(getpid()));
  const ProcessRecord record(folder.write("a", "x\ny\t12\n\t\nnode\t" + good + "\nz\t"));
  ASSERT_EQ(record.all().size(), 1U);
  EXPECT_TRUE(is_running(record.all().at("node")));
}

TEST(ProcessRecord, WithoutAPlaceItIsKeptInMemory) {
  ProcessRecord record("");
  record.keep("node", getpid());
  EXPECT_EQ(record.all().size(), 1U);
  record.forget();
}

}  // namespace
}  // namespace sail
