#include "receiver/decode/decoder_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/time/clock.h"
#include "sail/core/wire/data/codec_name.h"

namespace receiver {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
// Where the process finds the memory. Its standard input is the socket.
constexpr int kMemoryDescriptor = 3;

// What posix_spawn() needs.
class SpawnSettings {
 public:
  SpawnSettings(int socket, int memory) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, socket, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, memory, kMemoryDescriptor);
    posix_spawn_file_actions_addclosefrom_np(&files_, kMemoryDescriptor + 1);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    // Use a process group of its own: Ctrl-C in a terminal is for the receiver.
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

// Returns this process's environment without the wall's key.
std::vector<char*> child_environment() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("VITRAIL_KEY")) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

sail::Result<pid_t> spawn(std::vector<std::string> arguments, int socket, int memory) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const SpawnSettings settings(socket, memory);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, pointers[0], settings.files(), settings.attributes(),
                                 pointers.data(), child_environment().data());
  if (error == 0) return pid;
  return sail::fail(sail::ErrorCode::kIo, fmt::format("needs {}, which cannot be started: {}",
                                                      arguments[0], std::strerror(error)));
}

}  // namespace

sail::Result<std::unique_ptr<DecoderProcess>> DecoderProcess::start(const std::string& program,
                                                                    codecs::CodecId codec,
                                                                    sail::Size frame_size,
                                                                    const PictureMemory& memory,
                                                                    const Limits& limits) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("needs a socket for its decoder: {}", std::strerror(errno)));
  }
  const auto& [unit_bytes, picture_bytes, pictures] = memory.shape();
  const auto pid =
      spawn({program, "--codec", sail::codec_name({.id = codec}), "--width",
             std::to_string(frame_size.width), "--height", std::to_string(frame_size.height),
             "--unit-bytes", std::to_string(unit_bytes), "--picture-bytes",
             std::to_string(picture_bytes), "--pictures", std::to_string(pictures)},
            ends[1], memory.descriptor());
  close(ends[1]);
  if (pid) return std::unique_ptr<DecoderProcess>(new DecoderProcess(ends[0], *pid, limits));
  close(ends[0]);
  return pid.error();
}

DecoderProcess::DecoderProcess(int socket, pid_t pid, const Limits& limits)
    : socket_(socket), pid_(pid), limits_(limits) {}

DecoderProcess::~DecoderProcess() {
  end("");
  close(socket_);
}

sail::Result<DecodeReply> DecoderProcess::decode(size_t unit_bytes, size_t units, size_t place,
                                                 const std::stop_token& stop) {
  if (pid_ == 0) return sail::fail(sail::ErrorCode::kUnavailable, "has lost its decoder");
  // Wakes receive() as if the process had ended.
  const std::stop_callback shut(stop, [this] { shutdown(socket_, SHUT_RDWR); });
  const DecoderMessage request =
      encode_request({.number = ++requests_, .unit_bytes = unit_bytes, .place = place});
  if (send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != std::ssize(request)) {
    return end("was killed");
  }
  const int64_t until_ns = sail::steady_now_ns() + limits_.block_ms * kNsPerMs;
  for (size_t replies = 0;; ++replies) {
    const auto message = receive(until_ns);
    if (!message) return message.error();
    const auto reply = decode_reply(*message);
    if (!reply) return end("sent an invalid reply: " + reply.error().text);
    if (reply->number != requests_) return end("replied to another request");
    if (!reply->working) return *reply;
    if (replies == units) return end("worked on more units than there are");
  }
}

sail::Result<DecoderMessage> DecoderProcess::receive(int64_t until_ns) {
  const int64_t now_ns = sail::steady_now_ns();
  const int64_t silent_ns = now_ns + limits_.silent_ms * kNsPerMs;
  const int64_t limit_ns = std::min(until_ns, silent_ns);
  pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    const int64_t left_ns = std::max<int64_t>(limit_ns - sail::steady_now_ns(), 0);
    ready = poll(&waiting, 1, static_cast<int>((left_ns + kNsPerMs - 1) / kNsPerMs));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) {
    return end(fmt::format("did not answer for {} ms", (limit_ns - now_ns) / kNsPerMs));
  }
  DecoderMessage message;
  // With MSG_TRUNC, the length of the whole message, also of one that is too long.
  const ssize_t bytes = recv(socket_, message.data(), message.size(), MSG_DONTWAIT | MSG_TRUNC);
  if (bytes <= 0) return end("was killed");  // or closed its socket
  if (bytes != std::ssize(message)) {
    return end(fmt::format("sent a message of {} bytes", bytes));
  }
  return message;
}

sail::Error DecoderProcess::end(const std::string& why) {
  int status = 0;
  if (const pid_t pid = std::exchange(pid_, 0); pid != 0) {
    // Has no effect on a process that is ending already.
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  std::string how = why;
  if (WIFEXITED(status)) how = fmt::format("exited with status {}", WEXITSTATUS(status));
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
    how = fmt::format("was ended by signal {}", WTERMSIG(status));
  }
  return {sail::ErrorCode::kUnavailable, "lost its decoder, which " + how};
}

}  // namespace receiver
