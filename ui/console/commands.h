// The words of the `vitrail` command: each is one subcommand, used alike from a shell and at the
// prompt.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/command_line/command_line.h"
#include "sail/net/rpc_client.h"

namespace ui {

using sail::Command;
using sail::Option;

// Exit codes of the command.
enum ExitCode : int {
  kDone = 0,
  kFailed = 1,     // the manager refused, or the command could not do its work
  kUsage = 2,      // the command line is wrong
  kNoManager = 3,  // nobody listens there, or the connection was lost
};

// What every command works with.
struct Context {
  std::string program = "vitrail";  // whose mistakes it tells
  std::string manager;              // --manager, empty: the default
  bool json =
      false;  // --json: results as JSON on standard output, errors as JSON on standard error
  sail::Hello person{.name = "vitrail"};    // --name, --colour: as whom the connection is opened
  std::string user;                         // --user: who proves a password; empty: nobody
  std::unique_ptr<sail::RpcClient> client;  // opened by the first command that needs it
  bool interactive = false;  // lines of a prompt or script, which share the connection
  bool classical = false;    // words that also the classical console has mean what they meant there
  int script_depth = 0;      // scripts that run each other
  sail::Json last;           // what the last command that was done answered

  // The open connection; on failure reports it and gives null.
  sail::RpcClient* connection();
  // Calls the verb and reports an error.
  std::optional<sail::Json> call(std::string_view verb, const sail::Json& params,
                                 int64_t timeout_ms = sail::kCallTimeoutMs);
  // Calls "list" or "stats" for all windows, likewise.
  std::optional<sail::Json> call_for_all_windows(std::string_view verb);
  // Says what the line's answer is, a mistake as the others where these words ask for JSON; gives
  // the exit code.
  int say(const sail::CommandLineAnswer& answer, const std::vector<std::string>& words);
  // Says on standard error what went wrong; gives the exit code for it.
  int report(const sail::Error& error) const;
  // The exit code when what was asked of the manager failed, and has been reported.
  int failure() const { return client ? kFailed : kNoManager; }
  // Prints the result as JSON or the sentence.
  int done(const sail::Json& result, std::string_view sentence);
  // Calls the verb and prints its result, as JSON or as what `text` makes of it (nothing without).
  using TextOf = std::function<std::string(const sail::Json& result)>;
  int perform(std::string_view verb, const sail::Json& params, const TextOf& text = {},
              int64_t timeout_ms = sail::kCallTimeoutMs);
  // The numbers of the windows that are so named (named_windows.h). Nothing: it has been reported.
  std::optional<std::vector<int64_t>> windows(const std::vector<std::string>& names);
  // The same of one.
  std::optional<int64_t> window(const std::string& name);
  // `act` for each of them; the worst of the exit codes.
  int for_windows(const std::vector<std::string>& names,
                  const std::function<int(int64_t window)>& act);

 private:
  template <typename Value>
  std::optional<Value> answer(sail::Result<Value> result);
};

// The command line of `vitrail` and of each line at the prompt; the context outlives it.
std::unique_ptr<sail::CommandLine> make_line(Context& context);

// Its commands, by theme (one file each).
void add_window_commands(const Command& app, Context& context);
void add_look_commands(const Command& app, Context& context);
void add_arrange_commands(const Command& app, Context& context);
void add_history_commands(const Command& app, Context& context);
void add_layout_commands(const Command& app, Context& context);
void add_session_commands(const Command& app, Context& context);
void add_source_commands(const Command& app, Context& context);
void add_upload_command(const Command& app, Context& context);
void add_play_command(const Command& app, Context& context);
void add_player_commands(const Command& app, Context& context);
void add_group_command(const Command& app, Context& context);
void add_people_commands(const Command& app, Context& context);
void add_doctor_command(const Command& app, Context& context);
void add_event_command(const Command& app, Context& context);
void add_wall_commands(const Command& app, Context& context);
void add_key_commands(const Command& app, Context& context);
void add_user_commands(const Command& app, Context& context);
void add_demo_command(const Command& app, Context& context);
void add_node_commands(const Command& app, Context& context);
void add_trace_command(const Command& app, Context& context);
void add_view_commands(const Command& app, Context& context);
void add_impair_command(const Command& app, Context& context);
void add_films_command(const Command& app, Context& context);
void add_iobench_command(const Command& app, Context& context);
void add_program_commands(const Command& app, Context& context);
void add_script_commands(const Command& app, Context& context);
void add_completion_command(const Command& app, Context& context);

// To "wall".
void add_new_wall_command(const Command& wall, Context& context);

// Adds the argument that names a window, or with `several` also "all" and "1,4". All commands about
// windows have it.
enum class Several : uint8_t { kNo, kYes };
Option add_window_option(const Command& command, std::string& name, Several several);
// The same of all words that are left.
Option add_windows_option(const Command& command, std::vector<std::string>& names);

}  // namespace ui
