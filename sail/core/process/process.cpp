#include "sail/core/process/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "sail/core/loop/handle.h"

namespace sail {
namespace {

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

// Our environment with the changes; variables without a value are removed.
std::vector<std::string> merged_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> merged;
  std::ranges::copy_if(changes, std::back_inserter(merged), [](const std::string& change) {
    return change.find('=') != std::string::npos;
  });
  for (char** ours = environ; *ours != nullptr; ++ours) {
    const bool replaced =
        std::any_of(changes.begin(), changes.end(),
                    [&](const std::string& change) { return name_of(change) == name_of(*ours); });
    if (!replaced) merged.emplace_back(*ours);
  }
  return merged;
}

// The argument form of exec; points into `strings`.
std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A pipe that holds some text. One descriptor has both ends open, so the child that reads it also
// holds the write end and never sees the end of input.
class Input {
 public:
  explicit Input(std::string_view text) {
    std::array<int, 2> ends{-1, -1};
    if (text.empty() || text.size() > ChildFiles::kMostInputBytes) return;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    both_ = open(fmt::format("/proc/self/fd/{}", ends[1]).c_str(), O_RDWR | O_CLOEXEC);
    for (const int end : ends) close(end);
    if (both_ >= 0 && write(both_, text.data(), text.size()) != std::ssize(text)) {
      close(std::exchange(both_, -1));
    }
  }
  ~Input() {
    if (both_ >= 0) close(both_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  int descriptor() const { return both_; }

 private:
  int both_ = -1;
};

}  // namespace

std::string find_program(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return name;
  const auto beside = self.parent_path() / name;
  return std::filesystem::exists(beside, error) ? beside.string() : name;
}

// Collects a child's output from a pipe: its whole standard output up to most_bytes, or the last
// part of its standard error, which is also copied to ours.
struct Process::Output : HandleBlock {
  uv_pipe_t pipe{};
  std::weak_ptr<Impl> owner;
  int descriptor = STDOUT_FILENO;
  size_t most_bytes = 0;
  std::string bytes;
  bool too_much = false;
  std::array<char, 16384> buffer;

  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&pipe); }
  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&pipe); }
  bool ended() { return uv_is_closing(handle()) != 0; }
  void drop_callbacks() override;
  void start_reading();
  void read(ssize_t result);
  void take(std::string_view part);
};

// Outlives its Process until the child has ended, so that libuv reaps it (no zombie).
struct Process::Impl : HandleBlock {
  uv_process_t process{};
  std::shared_ptr<Output> output;  // null: the output is not collected
  OutputCallback on_exit;          // empty: already called, or the Process was destroyed
  bool running = true;
  bool own_group = false;
  int64_t exit_status = 0;
  int exit_signal = 0;

  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&process); }
  void drop_callbacks() override {
    // While output is still open, the callback will be needed.
    if (!output || output->ended()) std::exchange(on_exit, nullptr);
  }

  // The child must be running, or a program of its group.
  void kill_child(int number) {
    if (own_group) {
      kill(-process.pid, number);
    } else {
      uv_process_kill(&process, number);
    }
  }

  void exited(int64_t status, int signal) {
    // Programs that the child left behind would keep the output open.
    if (own_group && output && !output->ended()) kill_child(SIGKILL);
    running = false;
    exit_status = status;
    exit_signal = signal;
    close_handle(handle());
    report_end();
  }

  // Calls on_exit when both child and output have ended.
  void report_end() {
    if (running || (output && !output->ended())) return;
    // The child may have exited before the signal was sent.
    if (output && output->too_much) {
      exit_status = 0;
      exit_signal = SIGKILL;
    }
    const OutputCallback callback = std::exchange(on_exit, nullptr);
    if (callback) callback(exit_status, exit_signal, output ? output->bytes : std::string_view());
  }
};

void Process::Output::drop_callbacks() {
  const auto child = owner.lock();
  if (child && !child->running) std::exchange(child->on_exit, nullptr);
}

void Process::Output::start_reading() {
  uv_read_start(
      stream(),
      [](uv_handle_t* reading, size_t, uv_buf_t* free) {
        auto& output = block_of<Output>(reading);
        *free = uv_buf_init(output.buffer.data(), static_cast<unsigned>(output.buffer.size()));
      },
      [](uv_stream_t* reading, ssize_t result, const uv_buf_t*) {
        block_of<Output>(reading).read(result);
      });
}

void Process::Output::take(std::string_view part) {
  bytes.append(part);
  if (descriptor != STDERR_FILENO) {
    too_much = bytes.size() > most_bytes;
    return;
  }
  std::fwrite(part.data(), 1, part.size(), stderr);
  bytes.erase(0, bytes.size() - std::min(bytes.size(), most_bytes));
}

void Process::Output::read(ssize_t result) {
  if (result > 0) take({buffer.data(), static_cast<size_t>(result)});
  if (result >= 0 && !too_much) return;
  close_handle(handle());
  const auto child = owner.lock();
  if (!child) return;
  // Closing the pipe would end most programs, but not those that ignore SIGPIPE.
  if (child->running && too_much) child->kill_child(SIGKILL);
  child->report_end();
}

Result<std::unique_ptr<Process>> Process::spawn(Loop& loop,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<std::string>& environment,
                                                ExitCallback on_exit, const ChildFiles& files) {
  auto impl = std::make_shared<Impl>();
  impl->on_exit = [on_exit = std::move(on_exit)](int64_t exit_status, int signal,
                                                 std::string_view) {
    if (on_exit) on_exit(exit_status, signal);
  };
  return start(loop, std::move(impl), arguments, environment, files);
}

Result<std::unique_ptr<Process>> Process::spawn_for_output(
    Loop& loop, const std::vector<std::string>& arguments,
    const std::vector<std::string>& environment, size_t most_bytes, OutputCallback on_exit,
    const ChildFiles& files) {
  return start_with_pipe(loop, arguments, environment, STDOUT_FILENO, most_bytes,
                         std::move(on_exit), files);
}

Result<std::unique_ptr<Process>> Process::spawn_overheard(
    Loop& loop, const std::vector<std::string>& arguments,
    const std::vector<std::string>& environment, size_t most_bytes, OutputCallback on_exit) {
  return start_with_pipe(loop, arguments, environment, STDERR_FILENO, most_bytes,
                         std::move(on_exit), {});
}

Result<std::unique_ptr<Process>> Process::start_with_pipe(
    Loop& loop, const std::vector<std::string>& arguments,
    const std::vector<std::string>& environment, int descriptor, size_t most_bytes,
    OutputCallback on_exit, const ChildFiles& files) {
  auto impl = std::make_shared<Impl>();
  impl->on_exit = std::move(on_exit);
  impl->output = std::make_shared<Output>();
  impl->output->descriptor = descriptor;
  impl->output->most_bytes = most_bytes;
  require(uv_pipe_init(&loop.impl().uv, &impl->output->pipe, 0), "cannot create a pipe handle");
  own_until_closed(impl->output, impl->output->handle());
  impl->output->owner = impl;
  auto process = start(loop, impl, arguments, environment, files);
  if (process) {
    impl->output->start_reading();
  } else {
    close_handle(impl->output->handle());
  }
  return process;
}

Result<std::unique_ptr<Process>> Process::start(Loop& loop, std::shared_ptr<Impl> impl,
                                                const std::vector<std::string>& arguments,
                                                const std::vector<std::string>& environment,
                                                const ChildFiles& files) {
  if (arguments.empty()) return fail(ErrorCode::kInvalidParams, "no program given");
  const Input input(files.input);
  if (!files.input.empty() && input.descriptor() < 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot set up the standard input of {}", arguments[0]));
  }
  std::vector<std::string> argument_copies = arguments;
  std::vector<std::string> variables = merged_environment(environment);
  const std::vector<char*> argument_pointers = pointers_to(argument_copies);
  const std::vector<char*> variable_pointers = pointers_to(variables);

  std::array<uv_stdio_container_t, 3> stdio{};
  stdio[STDIN_FILENO].flags = UV_IGNORE;
  if (!files.input.empty()) {
    stdio[STDIN_FILENO].flags = UV_INHERIT_FD;
    stdio[STDIN_FILENO].data.fd = input.descriptor();
  } else if (files.handed >= 0) {
    stdio[STDIN_FILENO].flags = UV_INHERIT_FD;
    stdio[STDIN_FILENO].data.fd = files.handed;
  }
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    uv_stdio_container_t& end = stdio.at(static_cast<size_t>(stream));
    end.flags = UV_INHERIT_FD;
    end.data.fd = files.output < 0 ? stream : files.output;
  }
  if (impl->output) {
    uv_stdio_container_t& piped = stdio.at(static_cast<size_t>(impl->output->descriptor));
    piped.flags = static_cast<uv_stdio_flags>(UV_CREATE_PIPE | UV_WRITABLE_PIPE);
    piped.data.stream = impl->output->stream();
  }
  uv_process_options_t options{};
  options.file = argument_copies[0].c_str();
  options.args = const_cast<char**>(argument_pointers.data());
  options.env = const_cast<char**>(variable_pointers.data());
  options.stdio = stdio.data();
  options.stdio_count = static_cast<int>(stdio.size());
  impl->own_group = files.own_group;
  if (files.own_group) options.flags |= UV_PROCESS_DETACHED;
  options.exit_cb = [](uv_process_t* process, int64_t exit_status, int signal) {
    block_of<Impl>(process).exited(exit_status, signal);
  };

  const int status = uv_spawn(&loop.impl().uv, &impl->process, &options);
  own_until_closed(impl, impl->handle());
  if (status < 0) {
    impl->on_exit = nullptr;
    close_handle(impl->handle());
    return fail(status == UV_ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                fmt::format("cannot start {}: {}", arguments[0], uv_strerror(status)));
  }
  return std::unique_ptr<Process>(new Process(std::move(impl)));
}

Process::Process(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Process::~Process() {
  impl_->on_exit = nullptr;
  if (impl_->output) close_handle(impl_->output->handle());
  signal(SIGTERM);
}

int Process::pid() const {
  return impl_->process.pid;
}

void Process::signal(int number) {
  if (impl_->running) impl_->kill_child(number);
}

}  // namespace sail
