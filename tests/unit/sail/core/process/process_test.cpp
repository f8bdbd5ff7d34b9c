#include "sail/core/process/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sail/core/socket/listening_socket.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

struct Exit {
  int64_t status = 0;
  int signal = 0;
  bool operator==(const Exit&) const = default;
};

class ProcessTest : public testing::Test {
 protected:
  // Starts a shell with the script; $0, $1 … are the further arguments.
  void start(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), {"sh", "-c"});
    auto process =
        Process::spawn(loop_, arguments, environment, [this](int64_t status, int signal) {
          EXPECT_FALSE(exit_) << "the exit came twice";
          exit_ = Exit{status, signal};
        });
    ASSERT_TRUE(process) << process.error().message;
    process_ = std::move(*process);
  }
  void start_for_output(const std::string& script, size_t most_bytes) {
    auto process =
        Process::spawn_for_output(loop_, {"sh", "-c", script}, {}, most_bytes,
                                  [this](int64_t status, int signal, std::string_view output) {
                                    EXPECT_FALSE(exit_) << "the exit came twice";
                                    exit_ = Exit{status, signal};
                                    output_ = output;
                                  });
    ASSERT_TRUE(process) << process.error().message;
    process_ = std::move(*process);
  }
  Exit wait() {
    EXPECT_TRUE(run_until(loop_, [this] { return exit_.has_value(); }));
    return exit_.value_or(Exit{-1, -1});
  }

  Loop loop_;
  std::unique_ptr<Process> process_;
  std::optional<Exit> exit_;
  std::string output_;
};

TEST_F(ProcessTest, ErrorsPassThroughAndTheirEndIsKept) {
  testing::internal::CaptureStderr();
  auto process = Process::spawn_overheard(
      loop_, {"sh", "-c", "echo out; echo 0123456789 >&2; echo last >&2; exit 4"}, {}, 7,
      [this](int64_t status, int signal, std::string_view errors) {
        exit_ = Exit{status, signal};
        output_ = errors;
      });
  ASSERT_TRUE(process) << process.error().message;
  process_ = std::move(*process);
  EXPECT_EQ(wait(), (Exit{4, 0}));
  EXPECT_EQ(output_, "9\nlast\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "0123456789\nlast\n");
}

TEST_F(ProcessTest, VariablesAreTakenAway) {
  const test::EnvironmentVariable secret("VITRAIL_TEST_SECRET", "word");
  start({R"(test "${VITRAIL_TEST_SECRET-none}" = word)"});
  EXPECT_EQ(wait(), (Exit{0, 0}));
  exit_.reset();
  start({R"(test "${VITRAIL_TEST_SECRET-none}" = none)"}, {"VITRAIL_TEST_SECRET"});
  EXPECT_EQ(wait(), (Exit{0, 0}));
}

TEST_F(ProcessTest, TellsTheExitStatus) {
  start({"exit 7"});
  EXPECT_GT(process_->pid(), 0);
  EXPECT_EQ(wait(), (Exit{7, 0}));
  process_->signal(SIGKILL);  // the process is gone, so nothing happens
}

TEST_F(ProcessTest, TellsTheSignalThatEndedIt) {
  start({"exec sleep 1000"});
  process_->signal(SIGKILL);
  EXPECT_EQ(wait(), (Exit{0, SIGKILL}));
}

TEST_F(ProcessTest, ArgumentsPassWithoutAShell) {
  start({R"(test "$#,$0,$1" = '1,a b;exit 3,$HOME *')", "a b;exit 3", "$HOME *"});
  EXPECT_EQ(wait(), (Exit{0, 0}));
}

TEST_F(ProcessTest, EnvironmentIsOursWithAdditions) {
  setenv("VITRAIL_TEST_OURS", "1", 1);
  setenv("VITRAIL_TEST_REPLACED", "1", 1);
  start({R"(test "$VITRAIL_TEST_OURS,$VITRAIL_TEST_REPLACED,$VITRAIL_TEST_ADDED" = '1,2,3=4')"},
        {"VITRAIL_TEST_REPLACED=2", "VITRAIL_TEST_ADDED=3=4"});
  unsetenv("VITRAIL_TEST_OURS");
  unsetenv("VITRAIL_TEST_REPLACED");
  EXPECT_EQ(wait(), (Exit{0, 0}));
}

TEST_F(ProcessTest, StandardInputIsEmpty) {
  start({"if read line; then exit 1; fi"});
  EXPECT_EQ(wait(), (Exit{0, 0}));
}

TEST_F(ProcessTest, InputStaysOpenBehindWhatItHolds) {
  const TempFolder folder;
  const std::string file = folder.file("output");
  const int output = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  auto process = Process::spawn(
      loop_, {"sh", "-c", "read -r word; echo got $word; read -r word; echo ended"}, {},
      [this](int64_t status, int signal) {
        exit_ = Exit{status, signal};
      },
      {.input = "a\n", .output = output});
  ASSERT_TRUE(process) << process.error().message;
  close(output);
  const auto said = [&] {
    std::ifstream in(file);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  EXPECT_TRUE(run_until(loop_, [&] { return said() == "got a\n"; }));
  EXPECT_FALSE(exit_) << "it waits for more";
  (*process)->signal(SIGTERM);
  EXPECT_EQ(wait(), (Exit{0, SIGTERM}));
  EXPECT_EQ(said(), "got a\n");
}

TEST_F(ProcessTest, InputLongerThanItsPipeIsRefused) {
  const auto process = Process::spawn(loop_, {"true"}, {}, {},
                                      {.input = std::string(ChildFiles::kMostInputBytes + 1, 'x')});
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, ErrorCode::kIo);
}

TEST_F(ProcessTest, ADescriptorIsHandedOn) {
  auto socket = listening_socket(kAnyPort);
  ASSERT_TRUE(socket) << socket.error().message;
  const std::string name =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(socket->get()));
  auto process = Process::spawn(
      loop_, {"sh", "-c", "test \"$(readlink /proc/$$/fd/0)\" = \"$1\"", "sh", name}, {},
      [this](int64_t status, int signal) {
        exit_ = Exit{status, signal};
      },
      {.handed = socket->get()});
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(wait(), (Exit{0, 0}));
}

TEST_F(ProcessTest, SignalsHaveTheirDefaultActions) {
  // The loop makes this process ignore SIGPIPE; children must not inherit that.
  start({"kill -PIPE $$"});
  EXPECT_EQ(wait(), (Exit{0, SIGPIPE}));
}

TEST_F(ProcessTest, SocketsStayHere) {
  const auto ends = connect_pair(loop_);
  auto listening = TcpListener::listen(loop_, kAnyPort, [](auto) {});
  ASSERT_TRUE(listening);
  // "socket:[number]" of each open socket of this process.
  std::vector<std::string> arguments{
      R"(open=$(ls -l /proc/$$/fd 2>/dev/null); for one; do case "$open" in *"$one"*) exit 1;; esac; done)",
      "sh"};
  DIR* directory = opendir("/proc/self/fd");
  ASSERT_NE(directory, nullptr);
  while (const dirent* entry = readdir(directory)) {
    std::array<char, 64> target{};
    const std::string path = std::string("/proc/self/fd/") + entry->d_name;
    if (readlink(path.c_str(), target.data(), target.size() - 1) < 0) continue;
    const bool ours = std::atoi(entry->d_name) > STDERR_FILENO;
    if (ours && std::string_view(target.data()).starts_with("socket:")) {
      arguments.emplace_back(target.data());
    }
  }
  closedir(directory);
  ASSERT_GE(arguments.size(), 5U);
  start(arguments);
  EXPECT_EQ(wait(), (Exit{0, 0}));
}

TEST_F(ProcessTest, OutputComesWhole) {
  start_for_output("head -c 100000 /dev/zero; printf end; exit 3", 200'000);
  EXPECT_EQ(wait(), (Exit{3, 0}));
  EXPECT_EQ(output_, std::string(100'000, '\0') + "end");
}

TEST_F(ProcessTest, OutputIsWaitedForWhenTheChildHasEnded) {
  start_for_output("(while kill -0 $$; do :; done 2>/dev/null; printf late) &", 100);
  EXPECT_EQ(wait(), (Exit{0, 0}));
  EXPECT_EQ(output_, "late");
}

TEST_F(ProcessTest, TooMuchOutputKillsTheChild) {
  start_for_output("trap '' PIPE TERM; while :; do echo more 2>/dev/null; done", 1000);
  EXPECT_EQ(wait(), (Exit{0, SIGKILL}));
}

TEST_F(ProcessTest, TooMuchOutputIsToldOfAChildThatHasEnded) {
  start_for_output("echo more", 3);
  siginfo_t ended{};
  const auto pid = static_cast<id_t>(process_->pid());
  ASSERT_EQ(waitid(P_PID, pid, &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(wait(), (Exit{0, SIGKILL}));
}

TEST_F(ProcessTest, DestructionWhileOutputComesIsSilent) {
  start_for_output("while echo more; do :; done 2>/dev/null", 1'000'000'000);
  const pid_t pid = process_->pid();
  process_.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return kill(pid, 0) != 0 && errno == ESRCH; }));
  EXPECT_FALSE(exit_);
}

TEST_F(ProcessTest, UnknownProgramHasNoOutput) {
  const auto process = Process::spawn_for_output(
      loop_, {"/no/such/program"}, {}, 100,
      [](int64_t, int, std::string_view) { ADD_FAILURE() << "what never ran cannot exit"; });
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, ErrorCode::kNotFound);
  run_some(loop_);
}

TEST_F(ProcessTest, UnknownProgramIsNotFound) {
  const auto process = Process::spawn(loop_, {"/no/such/program"}, {}, [](int64_t, int) {
    ADD_FAILURE() << "what never ran cannot exit";
  });
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(process.error().message, testing::HasSubstr("/no/such/program"));
  EXPECT_EQ(Process::spawn(loop_, {"vitrail-no-such-program"}, {}, {}).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(Process::spawn(loop_, {"/etc/passwd"}, {}, {}).error().code, ErrorCode::kIo);
  EXPECT_EQ(Process::spawn(loop_, {}, {}, {}).error().code, ErrorCode::kInvalidParams);
  run_some(loop_);
}

TEST_F(ProcessTest, DestructionTerminatesTheChildAndLeavesNoZombie) {
  start({"exec sleep 1000"});
  const pid_t pid = process_->pid();
  process_.reset();
  // Once libuv has reaped it, the process id is free.
  EXPECT_TRUE(run_until(loop_, [&] { return kill(pid, 0) != 0 && errno == ESRCH; }));
  EXPECT_FALSE(exit_);
}

// The output ends when no program has it open any more.
TEST_F(ProcessTest, SignalsReachAProcessGroup) {
  const TempFolder folder;
  const std::string file = folder.file("started");
  auto process = Process::spawn_for_output(
      loop_, {"sh", "-c", "sleep 1000 & touch " + file + "; wait"}, {}, 100,
      [this](int64_t status, int signal, std::string_view) {
        exit_ = Exit{status, signal};
      },
      {.own_group = true});
  ASSERT_TRUE(process) << process.error().message;
  process_ = std::move(*process);
  ASSERT_TRUE(run_until(loop_, [&] { return std::filesystem::exists(file); }));
  process_->signal(SIGKILL);
  EXPECT_EQ(wait(), (Exit{0, SIGKILL}));
}

TEST_F(ProcessTest, WhatALeaderLeavesBehindEndsWithIt) {
  auto process = Process::spawn_for_output(loop_, {"sh", "-c", "sleep 1000 &"}, {}, 100,
                                           [this](int64_t status, int signal, std::string_view) {
                                             exit_ = Exit{status, signal};
                                           },
                                           {.own_group = true});
  ASSERT_TRUE(process) << process.error().message;
  process_ = std::move(*process);
  EXPECT_EQ(wait(), (Exit{0, 0}));
}

TEST_F(ProcessTest, MayBeDestroyedInItsCallback) {
  auto process =
      Process::spawn(loop_, {"true"}, {}, [this, text = std::string(100, 'x')](int64_t, int) {
        process_.reset();
        EXPECT_EQ(text.size(), 100U);
      });
  ASSERT_TRUE(process);
  process_ = std::move(*process);
  EXPECT_TRUE(run_until(loop_, [this] { return !process_; }));
}

TEST(ProcessTeardown, ALoopMayGoBeforeTheChildHasEnded) {
  pid_t pid = 0;
  {
    Loop loop;
    const auto process = Process::spawn(loop, {"sleep", "1000"}, {}, [](int64_t, int) {});
    ASSERT_TRUE(process);
    pid = (*process)->pid();
  }
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
}

}  // namespace
}  // namespace sail
