// vitrail-pointer: game controllers, touch surfaces and tracked wands as pointers at a wall.
#include <fmt/core.h>

#include <cstdio>

#include "sail/command_line/shared_options.h"
#include "sail/net/tcp.h"
#include "sail/wire/colour.h"
#include "ui/pointer/pointer_client.h"

namespace {

struct Arguments {
  std::string manager;
  std::string name = "pointer";
  std::string colour;
  bool controllers = false;
  bool touch = false;
  std::optional<std::string> tuio;
  std::string area;
  std::optional<std::string> six_dof;
  std::string plane;
  bool smooth = false;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

constexpr uint16_t kTuioPort = 3333;  // by TUIO's custom
constexpr uint16_t kWandPort = 7450;

const char* const kTouchHelp =
    R"(Touch: one finger drags the window under it, two scale and move it, a tap brings it to the
front. TUIO 1.1: /tuio/2Dcur and /tuio/2Dobj; every source is told apart.)";

const char* const kWandHelp =
    R"(6-DoF messages, metres, one datagram or line each, at most a few hundred a second:
  OSC   /vitrail/6dof ID PX PY PZ QX QY QZ QW BUTTONS [TIME]
  JSON  {"id":"wand","pos":[x,y,z],"quat":[x,y,z,w],"buttons":0,"t":12.5}
The device points along its own -z axis. Bits of BUTTONS: 1 grabs the window, 2 gives its
application the pointer, 4 brings it to the front. Without --plane the wall stands upright
with its centre at the origin (x right, y up, z towards the people) and is as large as the
wall file's pixel_pitch_mm says.)";

const char* const kEnd =
    R"($VITRAIL_TOKEN holds the manager's token, if it wants one; without it the one that
`vitrail up` keeps for programs of the same user and host is said. SIGINT and SIGTERM end it.

Example: vitrail-pointer --name Ada --colour '#ff8800' --controllers --tuio 0.0.0.0:3333)";

void add_listen_option(const sail::Command& line, const char* name,
                       std::optional<std::string>& value, const char* what, uint16_t usual_port) {
  const auto read = [&value](const std::string& text) {
    value = text;
    return "";
  };
  line.option_read(
          name, read,
          fmt::format("Listen for {} over UDP; the default is 127.0.0.1:{}", what, usual_port))
      .form("[HOST:]PORT")
      .value_optional();
}

void describe(const sail::Command& line, Arguments& arguments) {
  sail::add_manager_option(line, arguments.manager);
  line.option("--name", arguments.name, "What people see beside the pointers").shows_default();
  line.option("--colour", arguments.colour, "Of the pointers; otherwise the manager chooses")
      .form("#RRGGBB")
      .check([](const std::string& text) {
        return sail::parse_colour(text) ? "" : "must be #RRGGBB";
      });
  line.flag("--controllers", arguments.controllers,
            "Game controllers of this machine, also ones that are plugged in later (what "
            "happens without any of these options)");
  line.flag("--touch", arguments.touch,
            "Touch displays of this machine (read from /dev/input, which takes the right to)");
  add_listen_option(line, "--tuio", arguments.tuio, "TUIO 1.1", kTuioPort);
  line.option("--area", arguments.area,
              "The part of the wall under the touch surface, wall pixels; otherwise all of it")
      .form("X,Y,WxH");
  add_listen_option(line, "--6dof", arguments.six_dof, "messages of tracked wands", kWandPort);
  line.option("--plane", arguments.plane,
              "The wall in the tracker's coordinates, metres: its top left corner, the vector "
              "along its top edge, the vector along its left edge (down)")
      .form("\"X,Y,Z …\"");
  line.flag("--smooth", arguments.smooth, "Steady the wands' pointers (1€ filter)");
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(fmt::format("{}\n\n{}\n\n{}\n\n{}", ui::kPadHelp, kTouchHelp, kWandHelp, kEnd));
}

// "PORT" alone is a port of this machine.
sail::Result<std::optional<sail::Address>> listen_address(const char* option,
                                                          const std::optional<std::string>& text,
                                                          uint16_t usual_port) {
  if (!text) return std::nullopt;
  const bool port_only = !text->empty() && text->find_first_not_of("0123456789") == text->npos;
  const auto address =
      sail::parse_address(port_only ? ":" + *text : *text, {"127.0.0.1", usual_port});
  if (!address) return sail::about_option(option, address.error());
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

sail::Result<ui::PointerOptions> options_of(const Arguments& arguments) {
  ui::PointerOptions options;
  const auto manager = sail::manager_address(arguments.manager);
  if (!manager) return manager.error();
  const auto tuio = listen_address("--tuio", arguments.tuio, kTuioPort);
  if (!tuio) return tuio.error();
  const auto six_dof = listen_address("--6dof", arguments.six_dof, kWandPort);
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

sail::Result<void> run(const ui::PointerOptions& options, sail::LogLevel level) {
  const sail::Log log("vitrail-pointer", level);
  sail::Loop loop;
  sail::Result<void> end;
  const auto client = ui::PointerClient::start(
      loop, options,
      [&](const sail::Error& error) {
        end = error;
        loop.stop();
      },
      log);
  if (!client) return client.error();
  if (const auto at = (*client)->tuio_address()) {
    fmt::print("TUIO on {}\n", sail::address_text(*at));
  }
  if (const auto at = (*client)->six_dof_address()) {
    fmt::print("6-DoF on {}\n", sail::address_text(*at));
  }
  std::fflush(stdout);
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  tell_counters((*client)->counters(), log);
  return end;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line(
      "vitrail-pointer",
      "Points at a Vitrail wall with what people hold: game controllers, touch displays, TUIO\n"
      "trackers, wands with six degrees of freedom. Any number at once, each its own pointer.");
  Arguments arguments;
  describe(line, arguments);
  sail::Result<ui::PointerOptions> options;
  line.check([&] {
    options = options_of(arguments);
    return options ? "" : options.error().message;
  });
  return line.run(argc, argv, [&] { return run(*options, arguments.log_level); });
}
