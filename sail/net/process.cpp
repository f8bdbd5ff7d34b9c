#include "sail/net/process.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>
#include <utility>

#include "sail/net/handle.h"

namespace sail {
namespace {

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

// Ours with the additions; theirs win.
std::vector<std::string> merged_environment(const std::vector<std::string>& additions) {
  std::vector<std::string> merged = additions;
  for (char** ours = environ; *ours != nullptr; ++ours) {
    const bool replaced =
        std::any_of(additions.begin(), additions.end(),
                    [&](const std::string& added) { return name_of(added) == name_of(*ours); });
    if (!replaced) merged.emplace_back(*ours);
  }
  return merged;
}

// The form that exec wants; points into `strings`.
std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

// Outlives its Process until the child has ended, so that libuv takes its exit status: otherwise it
// would stay as a zombie.
struct Process::Impl : HandleBlock {
  uv_process_t process{};
  ExitCallback on_exit;  // empty once called, or nobody is interested any more
  bool running = true;

  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&process); }
  void drop_callbacks() override { std::exchange(on_exit, nullptr); }

  void exited(int64_t exit_status, int signal) {
    running = false;
    close_handle(handle());
    const ExitCallback callback = std::exchange(on_exit, nullptr);
    if (callback) callback(exit_status, signal);
  }
};

Result<std::unique_ptr<Process>> Process::spawn(Loop& loop,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<std::string>& environment,
                                                ExitCallback on_exit) {
  if (arguments.empty()) return fail(ErrorCode::kInvalidParams, "no program was named");
  std::vector<std::string> argument_copies = arguments;
  std::vector<std::string> variables = merged_environment(environment);
  const std::vector<char*> argument_pointers = pointers_to(argument_copies);
  const std::vector<char*> variable_pointers = pointers_to(variables);

  std::array<uv_stdio_container_t, 3> stdio{};
  stdio[0].flags = UV_IGNORE;
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    stdio[static_cast<size_t>(descriptor)].flags = UV_INHERIT_FD;
    stdio[static_cast<size_t>(descriptor)].data.fd = descriptor;
  }
  uv_process_options_t options{};
  options.file = argument_copies[0].c_str();
  options.args = const_cast<char**>(argument_pointers.data());
  options.env = const_cast<char**>(variable_pointers.data());
  options.stdio = stdio.data();
  options.stdio_count = static_cast<int>(stdio.size());
  options.exit_cb = [](uv_process_t* process, int64_t exit_status, int signal) {
    block_of<Impl>(process).exited(exit_status, signal);
  };

  auto impl = std::make_shared<Impl>();
  const int status = uv_spawn(&loop.impl().uv, &impl->process, &options);
  own_until_closed(impl, impl->handle());
  if (status < 0) {
    close_handle(impl->handle());
    return fail(status == UV_ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                fmt::format("cannot start {}: {}", arguments[0], uv_strerror(status)));
  }
  impl->on_exit = std::move(on_exit);
  return std::unique_ptr<Process>(new Process(std::move(impl)));
}

Process::Process(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Process::~Process() {
  impl_->on_exit = nullptr;
  signal(SIGTERM);
}

int Process::pid() const {
  return impl_->process.pid;
}

void Process::signal(int number) {
  if (impl_->running) uv_process_kill(&impl_->process, number);
}

}  // namespace sail
