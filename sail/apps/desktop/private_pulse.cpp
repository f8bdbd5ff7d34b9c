#include "sail/apps/desktop/private_pulse.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>

#include "sail/core/base/private_file.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kServerTimeout(10);
constexpr std::chrono::milliseconds kTryEvery(10);
constexpr int kNoSuchProgram = 127;  // exit code of env

// Used instead of the settings of the machine and the user.
constexpr const char* kSettings = R"(daemonize = no
use-pid-file = no
enable-shm = no
exit-idle-time = -1
realtime-scheduling = no
high-priority = no
default-sample-rate = 48000
default-sample-format = s16le
default-sample-channels = 2
log-target = stderr
log-level = error
)";

bool takes_clients(const std::string& socket_name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_name.size() >= sizeof(address.sun_path)) return false;
  std::ranges::copy(socket_name, address.sun_path);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool takes =
      connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  close(descriptor);
  return takes;
}

}  // namespace

Result<std::unique_ptr<PrivatePulse>> PrivatePulse::start() {
  auto folder = ScratchFolder::make("vitrail-sound");
  if (!folder) return folder.error();
  std::unique_ptr<PrivatePulse> sound(new PrivatePulse(std::move(*folder)));
  if (auto started = sound->start_server(); !started) return started.error();
  return sound;
}

PrivatePulse::~PrivatePulse() {
  if (pipe_ >= 0) close(pipe_);
}

// The server writes in real time by the system clock, and stops a second after the last client.
Result<void> PrivatePulse::start_server() {
  const std::string folder = folder_.path().string();
  const std::string socket = folder + "/native";
  setenv("PULSE_SERVER", ("unix:" + socket).c_str(), 1);
  setenv("PULSE_COOKIE", (folder + "/cookie").c_str(), 1);
  const std::string settings = folder + "/settings";
  if (auto written = write_private_file(settings, kSettings, Lasting::kThisBoot); !written) {
    return written.error();
  }
  auto server = ChildProcess::start(
      {"env", "-u", "VITRAIL_KEY", "-u", "VITRAIL_KEY_FILE", "DBUS_SESSION_BUS_ADDRESS=disabled:",
       "PULSE_CONFIG=" + settings, "PULSE_RUNTIME_PATH=" + folder, "PULSE_STATE_PATH=" + folder,
       "pulseaudio", "-n", "-L", "module-pipe-sink file=sound use_system_clock_for_timing=yes",
       "-L", "module-suspend-on-idle timeout=1", "-L",
       "module-native-protocol-unix auth-anonymous=yes auth-cookie-enabled=no"});
  if (!server) return server.error();
  server_ = std::move(*server);
  if (auto waited = wait_for_server(socket); !waited) return waited;
  pipe_ = open((folder + "/sound").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (pipe_ < 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot open the pipe of PulseAudio: {}", std::strerror(errno)));
  }
  return {};
}

Result<void> PrivatePulse::wait_for_server(const std::string& socket) {
  const auto give_up = std::chrono::steady_clock::now() + kServerTimeout;
  while (!takes_clients(socket)) {
    const auto code = server_->exit_code();
    if (code == kNoSuchProgram) {
      return fail(ErrorCode::kNotFound, "PulseAudio is not installed: apt install pulseaudio");
    }
    if (code || std::chrono::steady_clock::now() > give_up) {
      return fail(ErrorCode::kUnavailable, "cannot start PulseAudio");
    }
    std::this_thread::sleep_for(kTryEvery);
  }
  return {};
}

bool PrivatePulse::play(WallWindow& window) {
  int waiting = 0;
  if (ioctl(pipe_, FIONREAD, &waiting) < 0) return false;
  constexpr size_t kFrame = kChannels * sizeof(int16_t);
  const size_t wanted = std::min(static_cast<size_t>(waiting), sizeof(samples_)) / kFrame * kFrame;
  const ssize_t got = wanted > 0 ? read(pipe_, samples_.data(), wanted) : 0;
  if (got <= 0) return false;
  const auto count = static_cast<int64_t>(got / static_cast<ssize_t>(kFrame));
  const int64_t made_ns = played_ * kSecondNs / kRate;
  played_ += count;
  const std::span<const int16_t> values(samples_.data(), static_cast<size_t>(count) * kChannels);
  if (std::ranges::all_of(values, [](int16_t value) { return value == 0; })) return false;
  if (!window.wall_has_audio()) return false;
  // The last sample was just produced.
  const auto time = times_.time_of(made_ns, steady_now_ns() - count * kSecondNs / kRate);
  sail_audio audio{};
  audio.format = SAIL_S16;
  audio.samples = values.data();
  audio.count = static_cast<size_t>(count);
  audio.rate = kRate;
  audio.channels = kChannels;
  audio.at_ns = time.at_ns;
  audio.with_picture = 1;
  audio.restart = time.anew ? 1 : 0;
  return window.submit(audio) == SAIL_OK;
}

}  // namespace sail
