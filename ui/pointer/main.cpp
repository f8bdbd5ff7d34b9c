// vitrail-pointer: game controllers, touch displays and tracked wands as pointers on a wall, and
// OSC messages as events.
#include <fmt/core.h>

#include <cstdio>

#include "sail/core/command_line/shared_options.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/event_request.h"
#include "ui/pointer/pointer_client.h"

namespace {

struct Arguments {
  std::string manager;
  ui::PointerOptions options;
  std::vector<std::string> events;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

constexpr uint16_t kTuioPort = 3333;  // TUIO's usual port
constexpr uint16_t kWandPort = 7450;
constexpr uint16_t kOscPort = 9000;  // the usual port of OSC controllers

const char* const kTouchHelp =
    R"(Touch: one finger drags the window under it, two fingers move and scale it, a tap brings it to
the front. TUIO 1.1: /tuio/2Dcur and /tuio/2Dobj, from several sources at once.)";

const char* const kWandHelp =
    R"(6-DoF messages in metres and seconds, each a datagram or line, up to a few hundred per second:
  OSC   /vitrail/6dof ID PX PY PZ QX QY QZ QW BUTTONS [TIME]
  JSON  {"id":"wand","pos":[x,y,z],"quat":[x,y,z,w],"buttons":0,"t":12.5}
The device points along its own -z axis. Bits of BUTTONS: 1 grabs the window, 2 starts input to
its application, 4 brings it to the front. Without --plane the wall is upright, its centre is the
origin (x right, y up, z towards the audience), and its size follows from pixel_pitch_mm in the
wall file.)";

const char* const kEventHelp =
    R"(OSC: each message of an --event's address begins the event of this name
(manager/events/README.md), with the payload {"address": …, "arguments": […]}: a rule's condition
names "arguments.0". "id" and "clear" are as of /api/event/NAME (manager/API.md):
  --osc 0.0.0.0:9000 --event '/gate/open?clear=arguments.0:0')";

const char* const kEnd =
    R"($VITRAIL_KEY_FILE names the file with the wall's key. The default is the key that `vitrail up`
stores for programs of the same user on this host. SIGINT or SIGTERM ends the program.

Example: vitrail-pointer --name Ada --colour '#ff8800' --controllers --tuio 0.0.0.0:3333)";

// Adds an option whose text is converted by `parse`, which returns a Result, and stored in `value`.
template <typename Value, typename Parse>
sail::Option add_parsed_option(const sail::Command& line, const char* name, Value& value,
                               Parse parse, const std::string& help) {
  const auto read = [&value, parse](const std::string& text) {
    const auto parsed = parse(text);
    if (parsed) value = *parsed;
    return parsed ? "" : parsed.error().message;
  };
  return line.option_read(name, read, help);
}

// A port alone means 127.0.0.1.
void add_listen_option(const sail::Command& line, const char* name,
                       std::optional<sail::Address>& at, const char* what, uint16_t usual_port) {
  const auto parse = [usual_port](const std::string& text) {
    const bool port_only = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
    return sail::parse_address(port_only ? ":" + text : text, {"127.0.0.1", usual_port});
  };
  add_parsed_option(
      line, name, at, parse,
      fmt::format("Listen for {} on this UDP address (default 127.0.0.1:{})", what, usual_port))
      .form("[HOST:]PORT")
      .value_optional();
}

sail::Result<sail::Rect> parse_area(const std::string& text) {
  sail::Rect area;
  int used = 0;
  if (std::sscanf(text.c_str(), "%d,%d,%dx%d%n", &area.x, &area.y, &area.width, &area.height,
                  &used) != 4 ||
      used != static_cast<int>(text.size()) || area.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "must be X,Y,WIDTHxHEIGHT");
  }
  return area;
}

std::string check_event(const std::string& text) {
  const auto event = sail::read_event_request(text);
  if (!event) return event.error().message;
  return event->name.starts_with('/') ? "" : "must begin with an OSC address, such as /gate/open";
}

void describe(const sail::Command& line, Arguments& arguments) {
  ui::PointerOptions& options = arguments.options;
  sail::Hello& hello = options.session.hello;
  hello.name = "pointer";
  sail::add_manager_option(line, arguments.manager);
  line.option("--name", hello.name, "Name shown beside the pointers").shows_default();
  line.option("--colour", hello.colour, "Colour of the pointers (default: chosen by the manager)")
      .form("#RRGGBB")
      .check([](const std::string& text) {
        return sail::parse_colour(text) ? "" : "must be #RRGGBB";
      });
  line.option("--style", options.session.style, "Default: arrow")
      .one_of({"arrow", "laser", "spotlight", "magnifier"});
  line.flag("--controllers", options.controllers,
            "Use this host's game controllers, also those plugged in later (the default without "
            "--touch, --tuio, --6dof and --osc)");
  line.flag("--touch", options.touch,
            "Use this host's touch displays (needs read access to /dev/input)");
  add_listen_option(line, "--tuio", options.tuio, "TUIO 1.1", kTuioPort);
  add_parsed_option(
      line, "--area", options.area, parse_area,
      "Part of the wall under the touch surface, in wall pixels (default: the whole wall)")
      .form("X,Y,WxH");
  add_listen_option(line, "--6dof", options.six_dof, "6-DoF messages of tracked wands", kWandPort);
  add_parsed_option(
      line, "--plane", options.plane, ui::parse_plane,
      "Position of the wall in the tracker's coordinates, metres: top left corner, vector "
      "along the top edge, vector along the left edge (down)")
      .form("\"X,Y,Z …\"");
  add_listen_option(line, "--osc", options.osc, "OSC messages that begin events", kOscPort);
  line.option("--event", arguments.events,
              "Begin an event with each OSC message of this address, and clear it; may be repeated")
      .form("'ADDRESS[?id=FIELD][&clear=FIELD:VALUE]'")
      .check(check_event);
  line.flag("--smooth", options.smooth, "Smooth the wands' pointers (1€ filter)");
  sail::add_log_level_option(line, arguments.log_level);
  line.notes(fmt::format("{}\n\n{}\n\n{}\n\n{}\n\n{}", ui::kPadHelp, kTouchHelp, kWandHelp,
                         kEventHelp, kEnd));
}

// Completes the arguments after parsing. Returns an error message, or an empty text.
std::string complete(Arguments& arguments) {
  ui::PointerOptions& options = arguments.options;
  options.controllers |= !options.touch && !options.tuio && !options.six_dof && !options.osc;
  if (options.osc.has_value() == arguments.events.empty()) {
    return "--osc and --event need each other: OSC messages begin only events that --event names";
  }
  for (const std::string& text : arguments.events) {
    options.events.push_back(*sail::read_event_request(text));
  }
  const auto manager = sail::manager_address(arguments.manager);
  if (manager) options.session.manager = *manager;
  return manager ? "" : manager.error().message;
}

void log_counters(const ui::PointerCounters& counters, const sail::Log& log) {
  const auto& tuio = counters.tuio;
  if (tuio.frames + tuio.refused + counters.tuio_refused > 0) {
    log.info("TUIO: {} frames, {} lost, {} late; refused: {} messages, {} datagrams", tuio.frames,
             tuio.lost, tuio.late, tuio.refused, counters.tuio_refused);
  }
  if (counters.wands_late + counters.wands_refused > 0) {
    log.info("6-DoF: {} messages late, {} datagrams refused", counters.wands_late,
             counters.wands_refused);
  }
  if (counters.osc_refused > 0) log.info("OSC: {} messages refused", counters.osc_refused);
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
  if (const auto at = (*client)->osc_address()) {
    fmt::print("OSC on {}\n", sail::address_text(*at));
  }
  std::fflush(stdout);
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  log_counters((*client)->counters(), log);
  return end;
}

}  // namespace

int vitrail_pointer_main(int argc, char** argv) {
  sail::CommandLine line(
      "vitrail-pointer",
      "Move pointers on a Vitrail wall with game controllers, touch displays, TUIO trackers and\n"
      "tracked wands (six degrees of freedom). Several devices work at once, each with a pointer.\n"
      "OSC messages begin events.");
  Arguments arguments;
  describe(line, arguments);
  line.check([&arguments] { return complete(arguments); });
  return line.run(argc, argv, [&] { return run(arguments.options, arguments.log_level); });
}
