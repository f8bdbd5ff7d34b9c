#include "manager/programs/child_programs.h"

#include <fmt/core.h>

namespace manager {
namespace {

constexpr size_t kMostLastBytes = 4096;

}  // namespace

std::string exit_text(int64_t exit_status, int signal) {
  return signal != 0 ? fmt::format("signal {}", signal) : fmt::format("status {}", exit_status);
}

sail::Result<int> ChildPrograms::start(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& environment,
                                       ExitCallback on_exit, const sail::ChildFiles& files) {
  return take([&](int child) {
    return sail::Process::spawn(
        loop_, arguments, environment,
        [this, child, on_exit = std::move(on_exit)](int64_t exit_status, int signal) {
          // The process object owns this callback, so it must outlive the call.
          const auto ended = children_.extract(child);
          on_exit(exit_status, signal);
        },
        files);
  });
}

sail::Result<int> ChildPrograms::start_overheard(const std::vector<std::string>& arguments,
                                                 const std::vector<std::string>& environment,
                                                 LastErrorCallback on_exit) {
  return take([&](int child) {
    return sail::Process::spawn_overheard(
        loop_, arguments, environment, kMostLastBytes,
        [this, child, on_exit = std::move(on_exit)](int64_t exit_status, int signal,
                                                    std::string_view errors) {
          const auto ended = children_.extract(child);
          on_exit(exit_status, signal, errors);
        });
  });
}

sail::Result<int> ChildPrograms::take(const Spawn& spawn) {
  constexpr size_t kMostChildren = 512;
  if (children_.size() >= kMostChildren) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format(
            "{} programs started by this manager are running, the maximum: close some windows",
            kMostChildren));
  }
  const int child = next_++;
  auto process = spawn(child);
  if (!process) return process.error();
  children_.emplace(child, std::move(*process));
  return child;
}

void ChildPrograms::signal(int child, int number) {
  const auto it = children_.find(child);
  if (it != children_.end()) it->second->signal(number);
}

void ChildPrograms::signal_all(int number) {
  for (const auto& [child, process] : children_) process->signal(number);
}

}  // namespace manager
