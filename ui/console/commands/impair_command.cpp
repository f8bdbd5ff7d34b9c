// vitrail impair: simulates a bad network between two programs. Needs no manager.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "sail/core/command_line/shared_options.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "ui/client/commands.h"
#include "ui/impair/impairment.h"
#include "ui/impair/relay.h"

namespace ui {
namespace {

constexpr const char* kImpairNotes =
    R"(What comes to the port, over TCP and UDP, goes on to --to, and back. --delay applies to each
direction, so the round trip grows by twice as much; everything else to what goes to --to only,
or with --both to what comes back, too.

Losses come in bursts of --burst packets on average (1: each by itself). --jitter lets the
delay wander between delay - jitter and delay + jitter, in straight lines between values drawn
every four jitters; the order is kept. --reorder holds packets back by up to 2 ms, so that those
behind overtake them. Above --rate packets wait for up to --queue, further ones are dropped; UDP
and IP headers count. The same --seed draws the same again.
TCP loses no bytes: what would be lost comes one round trip later, and 200 ms after that when it
is lost again; what comes behind waits for it. Above the rate its sender waits.

--schedule changes these while it runs; each entry is changes to what the command line says,
none takes all away. SIGINT and SIGTERM end it; then it tells what passed.

Example: a receiver behind a bad link of 100 ms round trip, for ten seconds also a narrow one:
  vitrail-receiver --name node1 --data-port 7501 --announce-port 7601
  vitrail impair --listen 7601 --to 127.0.0.1:7501 --delay 50ms --loss 1% \
    --burst 8 --schedule '10s:rate=100mbit;20s:rate=0')";

// An option of the command, named as in parse_impairment().
struct Setting {
  const char* name;
  const char* form;
  const char* help;
  std::string value;
};

struct ImpairArguments {
  std::string listen = "127.0.0.1:0";
  std::string to;
  std::vector<Setting> settings{
      {"loss", "SHARE", "Packets lost, such as 1%", {}},
      {"burst", "N", "Mean length of losses in a row", {}},
      {"delay", "TIME", "One way, such as 50ms", {}},
      {"jitter", "TIME", "How far the delay wanders", {}},
      {"reorder", "SHARE", "Packets that others overtake", {}},
      {"duplicate", "SHARE", "Packets that come twice", {}},
      {"rate", "RATE", "What the path carries, such as 800mbit", {}},
      {"queue", "TIME", "How long packets wait for the rate, at most [100ms]", {}},
      {"seed", "N", "What is drawn", {}}};
  bool both = false;
  std::string schedule;
  std::string traffic_file;
  std::string port_file;
};

sail::Result<sail::Impairment> impairment_of(const ImpairArguments& arguments) {
  std::string text;
  for (const Setting& setting : arguments.settings) {
    if (!setting.value.empty()) text += fmt::format("{}={},", setting.name, setting.value);
  }
  if (arguments.both) text += "both,";
  if (!text.empty()) text.pop_back();
  return sail::parse_impairment(text);
}

sail::Result<sail::Address> listen_address(const std::string& text) {
  const bool port_only = text.find_first_not_of("0123456789") == std::string::npos;
  return sail::parse_address(port_only ? ":" + text : text, {"127.0.0.1", 0});
}

sail::Json lane_json(const sail::LaneCounters& lane) {
  return {{"packets", lane.packets},
          {"bytes", lane.bytes},
          {"passed", lane.passed},
          {"lost", lane.lost},
          {"queue_full", lane.queue_full},
          {"held_back", lane.held_back},
          {"duplicated", lane.duplicated},
          {"stream_bytes", lane.stream_bytes},
          {"stream_sent_again", lane.stream_sent_again}};
}

std::string lane_text(const sail::LaneCounters& lane) {
  return fmt::format(
      "{} packets ({:.1f} MB): {} passed, {} lost, {} dropped by a full queue, {} held back, {} "
      "doubled; TCP {:.1f} MB, {} pieces sent again",
      lane.packets, static_cast<double>(lane.bytes) / 1e6, lane.passed, lane.lost, lane.queue_full,
      lane.held_back, lane.duplicated, static_cast<double>(lane.stream_bytes) / 1e6,
      lane.stream_sent_again);
}

int done(Context& context, const sail::RelayCounters& counters) {
  const sail::Json result = {{"to_target", lane_json(counters.to_target)},
                             {"to_client", lane_json(counters.to_client)},
                             {"connections", counters.connections},
                             {"clients", counters.clients},
                             {"overruns", counters.overruns},
                             {"refused", counters.refused}};
  std::string text = fmt::format("there: {}\nback:  {}", lane_text(counters.to_target),
                                 lane_text(counters.to_client));
  if (counters.overruns > 0) {
    text += fmt::format("\n{} times packets were lost because this machine was too busy",
                        counters.overruns);
  }
  return context.done(result, text);
}

int usage_error(Context& context, const sail::Error& error) {
  context.report(error);
  return kUsage;
}

// Starts the relay and runs it until a signal arrives.
int run(Context& context, const ImpairArguments& arguments, const sail::Address& listen,
        const sail::Impairment& impairment,
        const std::vector<sail::ScheduledImpairment>& schedule) {
  sail::Loop loop;
  const auto to = sail::parse_address(arguments.to, {"127.0.0.1", 0});
  if (!to) return usage_error(context, to.error());
  const auto relay = sail::Relay::start(loop, listen, impairment);
  if (!relay) return context.report(relay.error());
  if (const auto set = (*relay)->set_target(*to); !set) return usage_error(context, set.error());
  if (!arguments.traffic_file.empty()) {
    const auto logged = (*relay)->log_traffic(arguments.traffic_file);
    if (!logged) return context.report(logged.error());
  }
  const sail::Address address = (*relay)->address();
  if (const auto written = sail::write_port_file(arguments.port_file, address.port); !written) {
    return context.report(written.error());
  }
  std::vector<sail::Timer> changes;
  for (const sail::ScheduledImpairment& change : schedule) {
    changes.emplace_back(loop).start(change.after_ms, 0, [&relay, &context, &change] {
      (*relay)->set_impairment(change.impairment);
      if (!context.json) fmt::print("now {}\n", sail::impairment_text(change.impairment));
      std::fflush(stdout);
    });
  }
  if (!context.json) {
    fmt::print("{} goes on to {}: {}\n", sail::address_text(address), sail::address_text(*to),
               sail::impairment_text(impairment));
    std::fflush(stdout);
  }
  sail::run_until_signal(loop, [&loop] { loop.stop(); });
  return done(context, (*relay)->counters());
}

int impair(Context& context, const ImpairArguments& arguments) {
  const auto listen = listen_address(arguments.listen);
  if (!listen) return usage_error(context, listen.error());
  const auto impairment = impairment_of(arguments);
  if (!impairment) return usage_error(context, impairment.error());
  const auto schedule = sail::parse_schedule(arguments.schedule, *impairment);
  if (!schedule) return usage_error(context, schedule.error());
  return run(context, arguments, *listen, *impairment, *schedule);
}

}  // namespace

void add_impair_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ImpairArguments>();
  const Command command =
      app.command("impair", "Put a bad network between two programs: losses, delay, a limited rate")
          .group("Network")
          .notes(kImpairNotes);
  command
      .option("--listen", arguments->listen,
              "Where it takes what comes; without a host on this machine only, port 0: any "
              "free one")
      .form("[HOST:]PORT")
      .shows_default();
  command.option("--to", arguments->to, "Where that goes on to, a numeric address")
      .form("HOST:PORT")
      .required();
  for (Setting& setting : arguments->settings) {
    command.option(fmt::format("--{}", setting.name), setting.value, setting.help)
        .form(setting.form);
  }
  command.flag("--both", arguments->both, "Impair both directions");
  command.option("--schedule", arguments->schedule, "Changes with time, see below").form("CHANGES");
  command
      .option("--traffic", arguments->traffic_file,
              "Write what comes for --to in each millisecond: ms,bytes,packets")
      .form("FILE");
  sail::add_port_file_option(command, arguments->port_file);
  command.runs([&context, arguments] { return impair(context, *arguments); });
}

}  // namespace ui
