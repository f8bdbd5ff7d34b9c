#include "tests/support/desktop/child_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "tests/support/headless_wall.h"

namespace test {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> changed_environment(const ChildProgram::Environment& changes) {
  std::vector<std::string> result;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    const auto changed = [&](const auto& change) { return text.starts_with(change.first + "="); };
    if (std::ranges::none_of(changes, changed)) result.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) result.push_back(name + "=" + value);
  }
  return result;
}

}  // namespace

ChildProgram::ChildProgram(const std::vector<std::string>& arguments,
                           const Environment& environment)
    : log_(memfd_create("log", MFD_CLOEXEC)) {
  std::vector<std::string> words = arguments;
  std::vector<std::string> variables = changed_environment(environment);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, log_, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, log_, STDERR_FILENO);
  const int error = posix_spawnp(&pid_, words[0].c_str(), &files, nullptr,
                                 pointers_to(words).data(), pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    pid_ = -1;
    exit_code_ = 127;
    ADD_FAILURE() << words[0] << " does not start: " << error;
  }
}

ChildProgram::~ChildProgram() {
  end();
  if (testing::Test::HasFailure()) std::fputs(output().c_str(), stderr);
  close(log_);
}

std::optional<int> ChildProgram::exit_code() {
  int status = 0;
  if (!exit_code_ && waitpid(pid_, &status, WNOHANG) == pid_) {
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  return exit_code_;
}

int ChildProgram::end() {
  if (!exit_code()) kill(pid_, SIGTERM);
  if (!eventually([this] { return exit_code().has_value(); })) {
    ADD_FAILURE() << "the program does not end";
    kill(pid_, SIGKILL);
    eventually([this] { return exit_code().has_value(); });
  }
  return *exit_code_;
}

std::string ChildProgram::output() const {
  struct stat about {};
  fstat(log_, &about);
  std::string text(static_cast<size_t>(about.st_size), '\0');
  const ssize_t got = pread(log_, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

}  // namespace test
