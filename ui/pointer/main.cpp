// vitrail-pointer: game controllers, touch surfaces and tracked wands as pointers at a wall.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "sail/command_line/command_line.h"
#include "sail/net/tcp.h"
#include "sail/wire/colour.h"
#include "ui/pointer/pointer_client.h"

namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;

struct Arguments {
  std::string manager;
  std::string name = "pointer";
  std::string colour;
  bool controllers = false;
  bool touch = false;
  std::string tuio;
  std::string area;
  std::string six_dof;
  std::string plane;
  bool smooth = false;
  std::string log_level = "info";
};

constexpr uint16_t kTuioPort = 3333;  // by TUIO's custom
constexpr uint16_t kWandPort = 7450;

const char* const kTouchHelp =
    "Touch: one finger drags the window under it, two scale and move it, a tap brings it to the\n"
    "front. TUIO 1.1: /tuio/2Dcur and /tuio/2Dobj; every source is told apart.";

const char* const kWandHelp =
    "6-DoF messages, metres, one datagram or line each, at most a few hundred a second:\n"
    "  OSC   /vitrail/6dof ID PX PY PZ QX QY QZ QW BUTTONS [TIME]\n"
    "  JSON  {\"id\":\"wand\",\"pos\":[x,y,z],\"quat\":[x,y,z,w],\"buttons\":0,\"t\":12.5}\n"
    "The device points along its own -z axis. Bits of BUTTONS: 1 grabs the window, 2 gives its\n"
    "application the pointer, 4 brings it to the front. Without --plane the wall stands upright\n"
    "with its centre at the origin (x right, y up, z towards the people) and is as large as the\n"
    "wall file's pixel_pitch_mm says.";

void describe(CLI::App& app, Arguments& arguments) {
  app.add_option("--manager", arguments.manager,
                 "HOST:PORT of the manager; otherwise $VITRAIL_MANAGER, or 127.0.0.1:7440");
  app.add_option("--name", arguments.name, "What people see beside the pointers")
      ->capture_default_str();
  app.add_option("--colour", arguments.colour, "Of the pointers; otherwise the manager chooses")
      ->type_name("#RRGGBB")
      ->check([](const std::string& text) {
        return sail::parse_colour(text) ? "" : "must be #RRGGBB";
      });
  app.add_flag("--controllers", arguments.controllers,
               "Game controllers of this machine, also ones that are plugged in later (what "
               "happens without any of these options)");
  app.add_flag("--touch", arguments.touch,
               "Touch displays of this machine (read from /dev/input, which takes the right to)");
  app.add_option(
         "--tuio", arguments.tuio,
         "Listen for TUIO 1.1 over UDP; the default is " + fmt::format("127.0.0.1:{}", kTuioPort))
      ->type_name("[HOST:]PORT")
      ->expected(0, 1);
  app.add_option("--area", arguments.area,
                 "The part of the wall under the touch surface, wall pixels; otherwise all of it")
      ->type_name("X,Y,WxH");
  app.add_option("--6dof", arguments.six_dof,
                 "Listen for messages of tracked wands over UDP; the default is " +
                     fmt::format("127.0.0.1:{}", kWandPort))
      ->type_name("[HOST:]PORT")
      ->expected(0, 1);
  app.add_option("--plane", arguments.plane,
                 "The wall in the tracker's coordinates, metres: its top left corner, the vector "
                 "along its top edge, the vector along its left edge (down)")
      ->type_name("\"X,Y,Z …\"");
  app.add_flag("--smooth", arguments.smooth, "Steady the wands' pointers (1€ filter)");
  app.add_option("--log-level", arguments.log_level, "How much is said on standard error")
      ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}))
      ->capture_default_str();
  app.set_version_flag("--version", "vitrail-pointer " VITRAIL_VERSION);
  app.footer(
      fmt::format("{}\n\n{}\n\n{}\n\n"
                  "$VITRAIL_TOKEN holds the manager's token, if it wants one; without it the one "
                  "that `vitrail up` keeps for programs of the same user and host is said. SIGINT "
                  "and SIGTERM end it.\n\n"
                  "Example: vitrail-pointer --name Ada --colour '#ff8800' --controllers "
                  "--tuio 0.0.0.0:3333",
                  ui::kPadHelp, kTouchHelp, kWandHelp));
}

int fail(const std::string& message) {
  fmt::print(stderr, "vitrail-pointer: {}\n", message);
  return kFailed;
}

// "PORT" alone is a port of this machine.
sail::Result<std::optional<sail::Address>> listen_address(const CLI::App& app, const char* option,
                                                          const std::string& text,
                                                          uint16_t fallback_port) {
  if (app.count(option) == 0) return std::nullopt;
  const bool port_only = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  const auto address =
      sail::parse_address(port_only ? ":" + text : text, {"127.0.0.1", fallback_port});
  if (!address) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("{}: {}", option, address.error().message));
  }
  return *address;
}

sail::Result<sail::Rect> parse_area(const std::string& text) {
  sail::Rect area;
  int used = 0;
  if (text.empty()) return area;
  if (std::sscanf(text.c_str(), "%d,%d,%dx%d%n", &area.x, &area.y, &area.width, &area.height,
                  &used) != 4 ||
      used != static_cast<int>(text.size()) || area.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "--area must be X,Y,WIDTHxHEIGHT");
  }
  return area;
}

sail::Result<ui::PointerOptions> options_of(const CLI::App& app, const Arguments& arguments) {
  ui::PointerOptions options;
  const auto manager = sail::manager_address(arguments.manager);
  if (!manager) return manager.error();
  const auto tuio = listen_address(app, "--tuio", arguments.tuio, kTuioPort);
  if (!tuio) return tuio.error();
  const auto six_dof = listen_address(app, "--6dof", arguments.six_dof, kWandPort);
  if (!six_dof) return six_dof.error();
  const auto area = parse_area(arguments.area);
  if (!area) return area.error();
  if (!arguments.plane.empty()) {
    const auto plane = ui::parse_plane(arguments.plane);
    if (!plane) return plane.error();
    options.plane = *plane;
  }
  options.seat = {*manager, {.name = arguments.name, .colour = arguments.colour}};
  options.tuio = *tuio;
  options.six_dof = *six_dof;
  options.area = *area;
  options.touch = arguments.touch;
  options.smooth = arguments.smooth;
  options.controllers = arguments.controllers || (!arguments.touch && !*tuio && !*six_dof);
  return options;
}

void tell_counters(const ui::PointerCounters& counters, const sail::Log& log) {
  const auto& tuio = counters.tuio;
  if (tuio.frames + tuio.refused + counters.tuio_refused > 0) {
    log.info("TUIO: {} frames, {} lost, {} late; refused: {} messages, {} datagrams", tuio.frames,
             tuio.lost, tuio.late, tuio.refused, counters.tuio_refused);
  }
  if (counters.wands_late + counters.wands_refused > 0) {
    log.info("6-DoF: {} late, {} datagrams refused", counters.wands_late, counters.wands_refused);
  }
}

int run(const ui::PointerOptions& options, sail::LogLevel level) {
  const sail::Log log("vitrail-pointer", level);
  sail::Loop loop;
  int code = 0;
  const auto client = ui::PointerClient::start(
      loop, options,
      [&](const sail::Error& error) {
        code = fail(error.message);
        loop.stop();
      },
      log);
  if (!client) return fail(client.error().message);
  if (const auto at = (*client)->tuio_address()) {
    fmt::print("TUIO on {}\n", sail::address_text(*at));
  }
  if (const auto at = (*client)->six_dof_address()) {
    fmt::print("6-DoF on {}\n", sail::address_text(*at));
  }
  std::fflush(stdout);
  const sail::SignalWatch on_interrupt(loop, SIGINT, [&loop] { loop.stop(); });
  const sail::SignalWatch on_terminate(loop, SIGTERM, [&loop] { loop.stop(); });
  loop.run();
  tell_counters((*client)->counters(), log);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Points at a Vitrail wall with what people hold: game controllers, touch displays, TUIO\n"
      "trackers, wands with six degrees of freedom. Any number at once, each its own pointer.",
      "vitrail-pointer");
  Arguments arguments;
  describe(app, arguments);
  sail::finish_command_line(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  const auto options = options_of(app, arguments);
  if (!options) {
    fail(options.error().message);
    return kUsage;
  }
  sail::LogLevel level = sail::LogLevel::kInfo;
  sail::parse_log_level(arguments.log_level, level);
  return run(*options, level);
}
