// vitrail-receiver: shows the tiles of one display node.

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "receiver/decode/decoder_list.h"
#include "receiver/decode/decoder_process.h"
#include "receiver/display/check.h"
#include "receiver/display/display.h"
#include "receiver/intake/memory_budget.h"
#include "receiver/receiver.h"
#include "receiver/signal_thread.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/log.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/worker_pool.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/process/process.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/data/codec_name.h"

namespace {

constexpr const char* kAbout = R"(Show the tiles of one display node of a Vitrail wall.

The manager assigns the tiles by the node's name in the wall file and tells applications which
port to send their pixels to; no other settings are needed. When the manager is away, the picture
stays and the receiver keeps trying to reconnect.)";

constexpr const char* kNotes = R"(Environment:
  VITRAIL_MANAGER   the manager's address when --manager is not given
  VITRAIL_KEY_FILE  file with the wall's key or the key of its receivers, if the manager requires
                    one; default: the key that `vitrail up` keeps for programs of the same user
                    and host
  VITRAIL_UPDATE_AFTER_S  set by the systemd units: after an update of the program, the receiver
                    ends, to be started again, when nothing has moved on its tiles for this many
                    seconds (1 to 86400)
  SDL_VIDEODRIVER   x11, wayland; kmsdrm: the console, without a desktop (KMS); offscreen:
                    --display=gl renders into memory, without a desktop (EGL)

If DISPLAY, WAYLAND_DISPLAY or SDL_VIDEODRIVER names a display that does not answer, the receiver
keeps its tiles in memory, reports that to the manager, and tries again every second.
Escape or q in one of the receiver's windows, SIGINT or SIGTERM ends the receiver.

Example: vitrail-receiver --manager wall-head:7440 --name left)";

struct Arguments {
  std::string manager;
  std::string name;
  std::string display = "auto";
  int threads = sail::WorkerPool::default_threads() + 1;
  size_t memory_mib = receiver::MemoryBudget::usual_bytes() >> 20;
  uint16_t data_port = 0;
  uint16_t announce_port = 0;
  double refresh_hz = 0;
  double refresh_phase_ms = 0;
  bool swap_group = false;
  std::string power;
  bool check = false;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

receiver::DisplayKind display_kind(const std::string& name) {
  if (name == "gl") return receiver::DisplayKind::kGl;
  if (name == "cpu") return receiver::DisplayKind::kCpu;
  return name == "null" ? receiver::DisplayKind::kNull : receiver::DisplayKind::kAuto;
}

void describe(const sail::Command& line, Arguments& arguments) {
  line.notes(kNotes);
  sail::add_manager_option(line, arguments.manager);
  line.option("--name", arguments.name, "Name of this node in the wall file (required)")
      .form("NODE");
  line.option("--display", arguments.display,
              "gl: one window per tile, decoded and scaled by the GPU (OpenGL 3.3 with S3TC\n"
              "textures); cpu: one window per tile, painted by the CPU; null: memory only, for\n"
              "nodes without a display; auto: gl if the GPU supports it, cpu if there is only a\n"
              "display, else null")
      .form("KIND")
      .one_of({"auto", "gl", "cpu", "null"})
      .shows_default();
  line.option("--threads", arguments.threads,
              "Number of threads that paint on the CPU, and of threads that decode blocks")
      .form("N")
      .between(1, 64)
      .shows_default();
  line.option("--memory", arguments.memory_mib,
              "Memory limit for the frames of all streams, in MiB; a stream that could exceed the\n"
              "limit is refused. Default: this machine's memory, at most half of what `ulimit -v`\n"
              "leaves")
      .form("MIB")
      .between(size_t{1}, size_t{1} << 24);
  line.option("--data-port", arguments.data_port,
              "TCP and UDP port for pixels from applications, for firewalls that need a fixed\n"
              "port; 0: chosen by the system")
      .form("N")
      .shows_default();
  line.option("--announce-port", arguments.announce_port,
              "Port announced to applications, if different from the data port (behind a NAT or\n"
              "vitrail impair); 0: the data port")
      .form("N")
      .shows_default();
  line.option("--refresh", arguments.refresh_hz,
              "With --display=null: refresh rate of a simulated display, for tests and\n"
              "measurements; 0: frames are shown at once")
      .form("HZ")
      .between(0.0, 1000.0)
      .shows_default();
  line.option("--refresh-phase", arguments.refresh_phase_ms,
              "Delay of the simulated refresh relative to other simulated displays")
      .form("MS")
      .between(0.0, 1000.0)
      .shows_default();
  line.flag("--swap-group", arguments.swap_group,
            "With --display=gl and a sync card: swap with all nodes of the driver's swap group 1\n"
            "and barrier 1 (GLX_NV_swap_group). Each node must have one tile. A node that hangs\n"
            "stops all of them");
  line.option(
          "--power", arguments.power,
          "How to turn the displays of this node on and off: JSON, or a file with JSON:\n"
          "{\"node\": CONTROL, \"tiles\": {\"NAME\": CONTROL}}, with CONTROL as \"power\" in a\n"
          "wall file. `vitrail up` passes the wall file's. Managers cannot change these commands")
      .form("JSON|FILE");
  line.flag("--check", arguments.check,
            "Print the abilities of this node as JSON and exit: kernels, codecs, renderer,\n"
            "displays, sound (`vitrail doctor` shows them as text)");
  sail::add_log_level_option(line, arguments.log_level);
}

sail::Result<sail::NodePower> read_power(const std::string& option) {
  if (option.empty()) return sail::NodePower{};
  if (option.starts_with('{')) return sail::parse_node_power(option);
  const auto text = sail::read_file(option, sail::kMaxPowerBytes);
  if (!text) return text.error();
  return sail::parse_node_power(*text);
}

// Empty: an update does not end the receiver. Managers start the receivers that they launch again.
sail::Result<std::optional<int64_t>> read_update_after_s(bool launched) {
  constexpr const char* kVariable = "VITRAIL_UPDATE_AFTER_S";
  constexpr int64_t kMost = 86400;
  const std::string text = sail::environment(kVariable);
  if (text.empty() || launched) return std::optional<int64_t>();
  int64_t seconds = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || read != end || seconds < 1 || seconds > kMost) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("{} is '{}': give a number of seconds from 1 to {}", kVariable, text, kMost));
  }
  return std::optional(seconds);
}

sail::Result<std::vector<std::string>> ask_for_carried_codecs() {
  sail::Result<std::vector<std::string>> answer;
  sail::Loop loop;
  const receiver::DecoderList decoders(loop, sail::find_program(receiver::kDecoderProgram),
                                       [&](const auto& carried) {
                                         answer = carried;
                                         loop.stop();
                                       });
  loop.run();
  return answer;
}

void print_check() {
  const auto carried = ask_for_carried_codecs();
  auto codecs = sail::encodable_codec_names();
  if (carried) codecs.insert(codecs.end(), carried->begin(), carried->end());
  sail::Json found = receiver::check_node();
  found["codecs"] = codecs;
  if (!carried) found["codecs_error"] = carried.error().message;
  fmt::print("{}\n", found.dump());
}

sail::Result<void> run(const Arguments& arguments) {
  if (arguments.check) {
    print_check();
    return {};
  }
  if (arguments.name.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "--name is missing: give this node's name in the wall file");
  }
  const auto manager = sail::manager_address(arguments.manager);
  if (!manager) return sail::about_option("--manager", manager.error());

  auto power = read_power(arguments.power);
  if (!power) return sail::about_option("--power", power.error());

  const bool launched = sail::environment("VITRAIL_LAUNCHED") == "1";
  const auto update_after_s = read_update_after_s(launched);
  if (!update_after_s) return update_after_s.error();

  const sigset_t signals = receiver::block_end_signals();
  const sail::Log log("vitrail-receiver", arguments.log_level);
  auto display =
      receiver::make_display({.kind = display_kind(arguments.display),
                              .node = arguments.name,
                              .threads = arguments.threads - 1,
                              .simulated_hz = arguments.refresh_hz,
                              .simulated_phase_ns = std::llround(arguments.refresh_phase_ms * 1e6),
                              .swap_group = arguments.swap_group},
                             log);
  if (!display) return display.error();

  receiver::Receiver receiver({.name = arguments.name,
                               .manager = *manager,
                               .decode_workers = arguments.threads - 1,
                               .memory_bytes = arguments.memory_mib << 20,
                               .data_port = arguments.data_port,
                               .announce_port = arguments.announce_port,
                               .launched = launched,
                               .power = *std::move(power),
                               .decoder_cache = receiver::decoder_cache(),
                               .update_after_s = *update_after_s},
                              *std::move(display), log);
  const receiver::SignalThread signal_thread(signals, receiver);
  return receiver.run();
}

}  // namespace

int vitrail_receiver_main(int argc, char** argv) {
  sail::CommandLine line("vitrail-receiver", kAbout);
  Arguments arguments;
  describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
