// The command schedule: scenes and verbs at times of the calendar.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/calendar/schedule.h"
#include "sail/core/text/limits.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

struct ScheduleArguments {
  std::string name;
  std::string file;
  std::string zone;
  std::string start;
  std::string end;
  std::string duration;
  std::string rule;
  std::vector<std::string> except;
  std::string scene;
  std::string area;
  std::vector<std::string> verbs;  // "VERB" or "VERB {JSON}".
  int priority = 0;
  bool skip = false;
  int count = 10;
};

// The name of this machine's time zone; "": unknown.
std::string local_zone() {
  std::error_code error;
  const std::string link = std::filesystem::read_symlink("/etc/localtime", error).string();
  constexpr std::string_view kFolder = "/zoneinfo/";
  const size_t at = link.find(kFolder);
  return error || at == std::string::npos ? "" : link.substr(at + kFolder.size());
}

// "2026-11-30T09:00" as people write it.
std::string time_text(const sail::Json& when, const char* name) {
  std::string text = text_member(when, name);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::string deed_text(const sail::Json& entry) {
  const std::string area = text_member(entry, "area");
  if (entry.contains("scene")) {
    return text_member(entry, "scene") + (area.empty() ? "" : " in " + area);
  }
  std::string text;
  for (const sail::Json& verb : member(entry, "do")) {
    text += (text.empty() ? "" : ", ") + text_member(verb, "verb");
  }
  return text;
}

std::string entries_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {
      {"NAME", "SHOWS OR DOES", "PRIORITY", "NOW UNTIL", "NEXT", "TIME ZONE"}};
  const std::string shown = text_member(result, "shown");
  std::string failures;
  for (const sail::Json& entry : member(result, "entries")) {
    const std::string name = text_member(entry, "name");
    std::string until = time_text(member(entry, "on"), "end");
    if (!until.empty() && name != shown) until += " (hidden)";
    const auto priority = static_cast<int>(number_member(entry, "priority"));
    const std::string next = time_text(member(entry, "next"), "start");
    rows.push_back({name, deed_text(entry), std::to_string(priority), until,
                    next.empty() ? "never" : next, text_member(entry, "zone")});
    if (entry.contains("failed")) {
      failures += fmt::format("\nfailed: '{}': {}", name, text_member(entry, "failed"));
    }
  }
  for (const sail::Json& window : member(result, "failed")) {
    failures += fmt::format("\nnot shown: '{}': {}", text_member(window, "title"),
                            text_member(window, "why"));
  }
  const std::string text =
      rows.size() > 1 ? table(rows) : "the schedule is empty: `vitrail schedule add` adds entries";
  return text + failures;
}

std::string coming_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"START", "END", "TIME ZONE", "NAME", "SCENE"}};
  for (const sail::Json& next : member(result, "next")) {
    rows.push_back({time_text(next, "start"), time_text(next, "end"), text_member(next, "zone"),
                    text_member(next, "name"), text_member(next, "scene")});
  }
  return rows.size() > 1 ? table(rows) : "nothing begins any more";
}

sail::Result<sail::Json> verb_of(const std::string& text) {
  const size_t blank = text.find(' ');
  sail::Json verb = {{"verb", text.substr(0, blank)}};
  if (blank == std::string::npos) return verb;
  const auto params = sail::parse_json(text.substr(blank + 1), sail::kMaxControlLine);
  if (!params) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("--do '{}': must be VERB or VERB {{JSON}}: {}", text, params.error().message));
  }
  verb["params"] = *params;
  return verb;
}

sail::Result<sail::Json> entry_of(const ScheduleArguments& arguments) {
  sail::Json entry = {{"name", arguments.name},
                      {"zone", arguments.zone.empty() ? local_zone() : arguments.zone},
                      {"start", arguments.start}};
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) entry[name] = value;
  };
  set("end", arguments.end);
  set("rule", arguments.rule);
  set("scene", arguments.scene);
  set("area", arguments.area);
  if (arguments.priority != 0) entry["priority"] = arguments.priority;
  if (arguments.skip) entry["missed"] = "skip";
  if (!arguments.except.empty()) entry["except"] = arguments.except;
  if (!arguments.duration.empty()) {
    const auto seconds = read_seconds(arguments.duration);
    if (!seconds) {
      return sail::fail(
          sail::ErrorCode::kInvalidParams,
          fmt::format("--duration '{}': must be seconds, 1:30 or 8:00:00", arguments.duration));
    }
    entry["duration_s"] = *seconds;
  }
  for (const std::string& text : arguments.verbs) {
    const auto verb = verb_of(text);
    if (!verb) return verb.error();
    entry["do"].push_back(*verb);
  }
  return entry;
}

int add_entries(Context& context, const ScheduleArguments& arguments) {
  sail::Json entries = sail::Json::array();
  if (!arguments.file.empty()) {
    const auto schedule = sail::Schedule::load(arguments.file);
    if (!schedule) return context.report(schedule.error());
    entries = schedule->json();
  } else {
    const auto entry = entry_of(arguments);
    if (!entry) return context.usage_error(entry.error().message);
    entries.push_back(*entry);
  }
  return context.perform("schedule_add", {{"entries", entries}}, entries_text);
}

// Prints what the file would do, without a wall.
int check_file(Context& context, const ScheduleArguments& arguments) {
  const auto schedule = sail::Schedule::load(arguments.file);
  if (!schedule) return context.report(schedule.error());
  sail::Json list = sail::Json::array();
  for (const auto& coming :
       schedule->coming(std::time(nullptr), static_cast<size_t>(arguments.count))) {
    const sail::ScheduleEntry& entry = *coming.entry;
    const auto local = [&](int64_t at_s) {
      return sail::local_time_text(entry.zone.local_s(at_s));
    };
    list.push_back({{"name", entry.name},
                    {"zone", entry.zone.name()},
                    {"scene", entry.scene},
                    {"start", local(coming.when.start_s)},
                    {"end", entry.scene.empty() ? "" : local(coming.when.end_s)}});
  }
  const sail::Json result = {{"next", std::move(list)}};
  return context.done(result, coming_text(result));
}

std::string add_mistake(const ScheduleArguments& arguments) {
  if (!arguments.file.empty()) {
    return arguments.name.empty() ? "" : "give a name and options, or --file";
  }
  if (arguments.name.empty() || arguments.start.empty()) {
    return "give a name and --start, or --file";
  }
  return arguments.zone.empty() && local_zone().empty()
             ? "the time zone of this machine is unknown: give --zone"
             : "";
}

void add_entry_options(const Command& add, ScheduleArguments& arguments) {
  add.option("name", arguments.name, "Name of the entry; it replaces the entry of this name");
  add.option("--file", arguments.file, "Add the entries of a JSON file")
      .form("FILE")
      .existing_file();
  add.option("--zone", arguments.zone,
             "Time zone of all times, such as Europe/Berlin (default: this machine's)");
  add.option("--start", arguments.start, "Local time at which it begins: 2026-11-30T09:00");
  add.option("--end", arguments.end, "Local time at which the scene ends for the first time");
  add.option("--duration", arguments.duration, "How long the scene is shown: 90, 1:30 or 8:00:00");
  add.option("--rule", arguments.rule,
             "How it repeats (RFC 5545), such as FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR");
  add.option("--except", arguments.except, "A day or local time at which it does not begin");
  add.option("--scene", arguments.scene, "Saved session to show");
  add.option("--area", arguments.area, "Tile or partition to show it in");
  add.option("--do", arguments.verbs, "Verb to run instead: VERB or 'VERB {JSON}'");
  add.option("--priority", arguments.priority,
             "Of the scenes at one time the highest is shown, then the one that began last");
  add.flag("--skip-missed", arguments.skip, "If the manager misses the start, skip this time");
}

}  // namespace

void add_schedule_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ScheduleArguments>();
  const auto list = [&context] {
    return context.perform("schedule_list", sail::Json::object(), entries_text);
  };
  const Command schedule =
      app.command("schedule", "Show scenes and run verbs at times; alone: what is on, and next")
          .group("Arranging");
  schedule.runs(list);
  schedule.command("ls", "List the entries, what is on, and what is next").alias("list").runs(list);
  const Command add = schedule.command("add", "Add an entry, or those of a file");
  add_entry_options(add, *arguments);
  add.check([arguments] { return add_mistake(*arguments); });
  add.runs([&context, arguments] { return add_entries(context, *arguments); });
  const Command remove = schedule.command("remove", "Remove an entry; its scene ends").alias("rm");
  add_name_option(remove, "name", arguments->name);
  remove.runs([&context, arguments] {
    return context.perform("schedule_remove", {{"name", arguments->name}}, entries_text);
  });
  const auto with_count = [&](const Command& command) {
    command.option("--count", arguments->count, "How many").between(1, 100).shows_default();
  };
  const Command next = schedule.command("next", "List what begins next");
  with_count(next);
  next.runs([&context, arguments] {
    return context.perform("schedule_next", {{"count", arguments->count}}, coming_text);
  });
  const Command check = schedule.command(
      "check", "Check a file of entries without a wall, and list what would begin next");
  check.option("file", arguments->file, "JSON file of entries")
      .form("FILE")
      .required()
      .existing_file();
  with_count(check);
  check.runs([&context, arguments] { return check_file(context, *arguments); });
}

}  // namespace ui
