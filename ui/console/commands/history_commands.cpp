// The commands undo, redo, history and journal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <tuple>

#include "sail/core/command_line/shared_options.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/layout_drawing.h"
#include "ui/console/stats_csv.h"

namespace ui {
namespace {

std::string step_text(const sail::Json& step) {
  const std::string who = text_member(step, "who");
  return who.empty() ? text_member(step, "what")
                     : fmt::format("{} (by {})", text_member(step, "what"), who);
}

bool undone(const sail::Json& entry, int64_t done) {
  return !entry.contains("note") && number_member(entry, "number") > done;
}

std::string history_text(const sail::Json& history) {
  const int64_t done = number_member(history, "done");
  std::vector<std::vector<std::string>> rows = {{"STEP", "WHO", "WHAT", ""}};
  for (const sail::Json& entry : member(history, "entries")) {
    rows.push_back({text_of(entry, "number"), text_of(entry, "who"), text_of(entry, "what"),
                    undone(entry, done) ? "undone" : ""});
  }
  return rows.size() > 1 ? table(rows) : "no changes yet";
}

struct JournalArguments {
  std::optional<double> since;
  std::string person;
  std::string verb;
  std::optional<int> window;
  int count = 50;
  std::string at;  // see past_time_ns()
  bool csv = false;
  bool lines = false;
  bool verify = false;
};

std::string local_time(double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts{};
  localtime_r(&whole, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%F %T", &parts)};
}

// A value of "changed" for people. before: the former value, whose size is left out if it is the
// same; null: there is none.
std::string value_text(const sail::Json& value, const sail::Json& before = nullptr) {
  constexpr size_t kRectSides = 4;
  const auto is_rect = [](const sail::Json& one) {
    return one.is_array() && one.size() == kRectSides;
  };
  if (value.is_string()) return fmt::format("'{}'", value.get<std::string>());
  if (value.is_null()) return "–";
  if (!is_rect(value)) return value.dump();
  const std::string place = fmt::format("{},{}", value[0].dump(), value[1].dump());
  const bool same_size = is_rect(before) && before[2] == value[2] && before[3] == value[3];
  return same_size ? place : fmt::format("{} {}×{}", place, value[2].dump(), value[3].dump());
}

// The values before and after, such as "place 0,0 640×360 → 100,50".
std::string changes_text(const sail::Json& changes) {
  std::vector<std::string> texts;
  for (const auto& [key, change] : changes.items()) {
    const std::string name = key == "rect" ? "place" : key;
    texts.push_back(change.is_array() && change.size() == 2
                        ? fmt::format("{} {} → {}", name, value_text(change[0]),
                                      value_text(change[1], change[0]))
                    : change.is_object() ? fmt::format("{}: {}", name, changes_text(change))
                                         : fmt::format("{} {}", change.dump(), name));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// What the entry changed: "window 7: locked false → true; wall: …". "": nothing.
std::string changed_text(const sail::Json& entry) {
  std::vector<std::string> texts;
  const sail::Json changed = member(entry, "changed");
  for (const auto& [name, change] : changed.items()) {
    const bool is_window = name.find_first_not_of("0123456789") == std::string::npos;
    texts.push_back(change.is_object() ? fmt::format("{}{}: {}", is_window ? "window " : "", name,
                                                     changes_text(change))
                                       : fmt::format("{} {}", change.size(), name));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string asked_text(const sail::Json& entry) {
  const std::string error = text_member(entry, "error");
  std::string did = text_member(entry, "did");
  if (!did.empty()) return did;
  const sail::Json params = member(entry, "params");
  const std::string asked = params.is_string() ? params.get<std::string>() : params.dump();
  const std::string verb = text_member(entry, "verb");
  const std::string what = params.empty() ? verb : fmt::format("{} {}", verb, asked);
  return error.empty() ? what : fmt::format("{} ({})", what, error);
}

std::string what_text(const sail::Json& entry) {
  const std::string changed = changed_text(entry);
  return changed.empty() ? asked_text(entry) : fmt::format("{}; {}", asked_text(entry), changed);
}

// Returns "" if no entry was tampered with.
std::string broken_text(const sail::Json& journal) {
  const sail::Json broken = member(journal, "broken");
  if (broken.empty()) return "";
  return fmt::format("entries were changed, removed or inserted at number {}", broken.dump());
}

std::string journal_text(const sail::Json& journal) {
  std::vector<std::vector<std::string>> rows = {{"TIME", "WHO", "ROLE", "FROM", "WHAT"}};
  for (const sail::Json& entry : member(journal, "entries")) {
    const sail::Json at = member(entry, "at");
    rows.push_back({at.is_number() ? local_time(at.get<double>()) : "–", text_of(entry, "who"),
                    text_of(entry, "role"), text_of(entry, "from"), what_text(entry)});
  }
  std::string text = rows.size() > 1 ? table(rows) : "no entries";
  const std::string broken = broken_text(journal);
  return broken.empty() ? text : fmt::format("{}\n{}", text, broken);
}

// Returns the entries as CSV (RFC 4180), with a heading.
std::string journal_csv(const sail::Json& journal) {
  constexpr std::array kColumns = {"n",    "at",  "who",   "key",    "role",   "from",
                                   "verb", "did", "error", "params", "changed"};
  std::string text = fmt::format("{}", fmt::join(kColumns, ","));
  for (const sail::Json& entry : member(journal, "entries")) {
    std::vector<std::string> row;
    for (const char* column : kColumns) {
      const auto cell = entry.find(column);
      row.push_back(cell == entry.end() ? ""
                    : cell->is_string() ? csv_cell(cell->get<std::string>())
                                        : csv_cell(cell->dump()));
    }
    text += fmt::format("\n{}", fmt::join(row, ","));
  }
  return text;
}

// Returns the entries as JSON lines.
std::string journal_lines(const sail::Json& journal) {
  std::string text;
  for (const sail::Json& entry : member(journal, "entries")) {
    text += (text.empty() ? "" : "\n") + entry.dump();
  }
  return text;
}

constexpr int64_t kReadTimeoutMs = 30'000;  // for a page of the journal

// Times of day are the last such time; dates are at most a year ago.
sail::Result<int64_t> past_time_ns(const std::string& text) {
  constexpr int64_t kDayNs = 86'400 * sail::kSecondNs;
  constexpr int64_t kDaysOfYear = 365;
  const bool is_date = text.find_first_of("T@") != std::string::npos;
  const int64_t now_ns = sail::calendar_now_ns();
  auto at_ns = sail::parse_start_time(text, now_ns - (is_date ? kDaysOfYear : 1) * kDayNs);
  // A start time may be a moment ago, so the present time of day is taken for that of yesterday.
  if (at_ns && !is_date && *at_ns + kDayNs <= now_ns) *at_ns += kDayNs;
  return at_ns;
}

std::string layout_text(const sail::Json& layout) {
  sail::JsonFields wall(layout, "layout");
  sail::Size size;
  std::tie(size.width, size.height) = wall.pair("size", 1, sail::kMaxWindowSide);
  std::vector<std::vector<std::string>> rows = {{"WINDOW", "TITLE", "PLACE"}};
  std::vector<DrawnWindow> windows;
  for (const sail::Json& window : member(layout, "windows")) {
    sail::JsonFields fields(window, "window");
    const sail::Rect rect = fields.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
    windows.push_back({number_member(window, "window"), rect});
    rows.push_back({text_of(window, "window"), text_of(window, "title"),
                    fmt::format("{}×{} at {},{}", rect.width, rect.height, rect.x, rect.y)});
  }
  const sail::Json at = member(layout, "at");
  return fmt::format("The wall as it was from {}:\n{}\n{}",
                     at.is_number() ? local_time(at.get<double>()) : "–",
                     layout_drawing(size, windows), rows.size() > 1 ? table(rows) : "no windows");
}

int show_past(Context& context, const std::string& text) {
  const auto at_ns = past_time_ns(text);
  if (!at_ns) return context.report(at_ns.error());
  const double at = static_cast<double>(*at_ns) / static_cast<double>(sail::kSecondNs);
  return context.perform("journal", {{"at", at}}, layout_text, kReadTimeoutMs);
}

// Asks for page after page.
int verify_journal(Context& context) {
  uint64_t checked = 0;
  sail::Json params = {{"verify", true}};
  sail::Json all = {{"broken", sail::Json::array()}};
  for (int64_t next = 1; next > 0;) {
    const auto page = context.call("journal", params, kReadTimeoutMs);
    if (!page) return context.failure();
    checked += static_cast<uint64_t>(number_member(*page, "checked"));
    for (const sail::Json& number : member(*page, "broken")) all["broken"].push_back(number);
    next = number_member(*page, "next");
    params["before"] = next;
  }
  all["checked"] = checked;
  const std::string broken = broken_text(all);
  context.done(all, fmt::format("{} entries checked: {}", checked,
                                broken.empty() ? "none was changed" : broken));
  return broken.empty() ? kDone : kFailed;
}

// Asks for page after page.
int show_journal(Context& context, const JournalArguments& arguments) {
  constexpr size_t kMostInPage = 200;
  const auto count = static_cast<size_t>(arguments.count);
  sail::Json params = sail::Json::object();
  if (!arguments.person.empty()) params["person"] = arguments.person;
  if (!arguments.verb.empty()) params["verb"] = arguments.verb;
  if (arguments.window) params["window"] = *arguments.window;
  if (arguments.since) {
    constexpr double kHourS = 3600;
    params["since"] = static_cast<double>(std::time(nullptr)) - *arguments.since * kHourS;
  }
  sail::Json all = {{"entries", sail::Json::array()}, {"broken", sail::Json::array()}};
  for (int64_t next = 1; next > 0 && all["entries"].size() < count;) {
    params["count"] = std::min(count - all["entries"].size(), kMostInPage);
    const auto page = context.call("journal", params, kReadTimeoutMs);
    if (!page) return context.failure();
    for (const sail::Json& entry : member(*page, "entries")) all["entries"].push_back(entry);
    for (const sail::Json& number : member(*page, "broken")) all["broken"].push_back(number);
    next = number_member(*page, "next");
    params["before"] = next;
  }
  context.done(all, arguments.csv     ? journal_csv(all)
                    : arguments.lines ? journal_lines(all)
                                      : journal_text(all));
  return all["broken"].empty() ? kDone : kFailed;
}

}  // namespace

void add_history_commands(const Command& app, Context& context) {
  // Undoing a close starts a player, which takes time.
  constexpr int64_t kWaitTimeoutMs = 15000;
  for (const auto& [verb, help] :
       {std::pair{"undo", "Undo the last change by any client; exit 1 if a window fails to start"},
        std::pair{"redo", "Redo the last undone change; exit 1 if a window fails to start"}}) {
    const Command command = app.command(verb, help).group("Arranging");
    command.runs([&context, word = verb] {
      return context.perform_restart(word, sail::Json::object(), step_text, kWaitTimeoutMs);
    });
  }
  const Command history =
      app.command("history", "List the last changes and who made them").group("Arranging");
  history.runs(
      [&context] { return context.perform("history", sail::Json::object(), history_text); });
  const auto arguments = std::make_shared<JournalArguments>();
  const Command journal = app.command("journal",
                                      "Show who changed what and what was denied; exit 1 if these "
                                      "entries were tampered with")
                              .group("Arranging");
  const Option verify =
      journal.flag("--verify", arguments->verify,
                   "Check whether any entry was tampered with, instead of showing entries");
  const Option at =
      journal
          .option("--at", arguments->at,
                  "Show where the windows were at this time, instead of entries: HH:MM[:SS], "
                  "YYYY-MM-DDTHH:MM[:SS] (local time) or @SECONDS since 1970")
          .form("TIME")
          .excludes(verify);
  const auto for_entries = [&](const Option& option) { option.excludes(verify).excludes(at); };
  for_entries(journal.option("--since", arguments->since, "Show only the last HOURS")
                  .form("HOURS")
                  .between(0, 100'000));
  for_entries(
      journal
          .option("--person", arguments->person, "Show only entries of this client or key, by name")
          .form("NAME"));
  for_entries(journal
                  .option("--window", arguments->window,
                          "Show only entries about the window with this number")
                  .between(1, 2'000'000'000));
  for_entries(journal
                  .option("--verb", arguments->verb,
                          "Show only entries of this verb, such as move (manager/COMMANDS.md)")
                  .form("VERB"));
  for_entries(journal.option("--count", arguments->count, "Maximum number of entries to show")
                  .between(1, 1'000'000));
  const Option csv = journal.flag("--csv", arguments->csv, "Print CSV for spreadsheets");
  for_entries(csv);
  for_entries(journal.flag("--lines", arguments->lines, "Print JSON lines, one for each entry")
                  .excludes(csv));
  journal.runs([&context, arguments] {
    if (!arguments->at.empty()) return show_past(context, arguments->at);
    return arguments->verify ? verify_journal(context) : show_journal(context, *arguments);
  });
}

}  // namespace ui
