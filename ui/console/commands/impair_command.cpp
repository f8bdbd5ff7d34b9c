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
    R"(Forwards TCP and UDP traffic from the --listen port to --to, and the replies back. --delay
applies to each direction, so the round trip grows by twice the delay. All other settings apply
to traffic towards --to; with --both they apply to the replies as well.

Losses come in bursts of --burst packets on average (1: single losses). --jitter varies the delay
between delay - jitter and delay + jitter, linearly between random values drawn every four
jitters; the packets stay in order. --reorder delays packets by up to 2 ms, so that later packets
overtake them. Packets above --rate queue for up to --queue and are dropped after that; the rate
includes UDP and IP headers. The same --seed repeats the same random decisions.
TCP loses no bytes: a lost segment arrives one round trip later, and another 200 ms later if lost
again; later segments wait. Above --rate the TCP sender is blocked.

--schedule changes the settings at given times; each entry modifies the command line's settings,
and `none` removes them all. SIGINT and SIGTERM stop the command, which then prints its counters.

Example: a receiver behind a bad link with 100 ms round trip, also a narrow one for 10 seconds:
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
      {"loss", "SHARE", "Share of packets lost, such as 1%", {}},
      {"burst", "N", "Mean number of packets lost in a row", {}},
      {"delay", "TIME", "One-way delay, such as 50ms", {}},
      {"jitter", "TIME", "Maximum deviation from the delay", {}},
      {"reorder", "SHARE", "Share of packets overtaken by later ones", {}},
      {"duplicate", "SHARE", "Share of packets delivered twice", {}},
      {"rate", "RATE", "Bandwidth of the path, such as 800mbit", {}},
      {"queue", "TIME", "Maximum queueing time at the rate limit [100ms]", {}},
      {"seed", "N", "Seed of the random decisions", {}}};
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
      "{} packets ({:.1f} MB): {} passed, {} lost, {} dropped by a full queue, {} reordered, {} "
      "duplicated; TCP {:.1f} MB, {} retransmissions",
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
  std::string text = fmt::format("to target: {}\nto client: {}", lane_text(counters.to_target),
                                 lane_text(counters.to_client));
  if (counters.overruns > 0) {
    text += fmt::format("\n{} receive overruns: this machine was too busy, packets were lost",
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
    fmt::print("{} forwards to {}: {}\n", sail::address_text(address), sail::address_text(*to),
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
      app.command("impair",
                  "Simulate a bad network between two programs: loss, delay, limited bandwidth")
          .group("Network")
          .notes(kImpairNotes);
  command
      .option("--listen", arguments->listen,
              "Address to listen on; without a host: this machine only; port 0: any free port")
      .form("[HOST:]PORT")
      .shows_default();
  command.option("--to", arguments->to, "Numeric address to forward to")
      .form("HOST:PORT")
      .required();
  for (Setting& setting : arguments->settings) {
    command.option(fmt::format("--{}", setting.name), setting.value, setting.help)
        .form(setting.form);
  }
  command.flag("--both", arguments->both, "Impair both directions");
  command.option("--schedule", arguments->schedule, "Changes over time, see below").form("CHANGES");
  command
      .option("--traffic", arguments->traffic_file,
              "Log the traffic towards --to per millisecond: ms,bytes,packets")
      .form("FILE");
  sail::add_port_file_option(command, arguments->port_file);
  command.runs([&context, arguments] { return impair(context, *arguments); });
}

}  // namespace ui
