// The words of the `vitrail` command: each is one subcommand, used alike from a shell and at the
// prompt.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>

#include "sail/net/rpc_client.h"

namespace ui {

// Exit codes of the command.
enum ExitCode : int {
  kDone = 0,
  kFailed = 1,     // the manager refused, or the command could not do its work
  kUsage = 2,      // the command line is wrong
  kNoManager = 3,  // nobody listens there, or the connection was lost
};

// What every command works with.
struct Context {
  std::string manager;  // --manager, empty: the default
  bool json =
      false;  // --json: results as JSON on standard output, errors as JSON on standard error
  sail::Hello person{.name = "vitrail"};    // --name, --colour: as whom the connection is opened
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
  // Says on standard error what went wrong; gives the exit code for it.
  int report(const sail::Error& error) const;
  // Prints the result as JSON or the sentence.
  int done(const sail::Json& result, std::string_view sentence);
  // Calls the verb and prints its result, as JSON or as what `text` makes of it (nothing without).
  using TextOf = std::function<std::string(const sail::Json& result)>;
  int perform(std::string_view verb, const sail::Json& params, const TextOf& text = {},
              int64_t timeout_ms = sail::kCallTimeoutMs);

 private:
  std::optional<sail::Json> answer(sail::Result<sail::Json> result);
};

// Adds all subcommands to the app. The chosen one puts its work into `action`, which returns the
// exit code. Both outlive the app's parsing.
void add_commands(CLI::App& app, Context& context, std::function<int()>& action);

// The parts of add_commands, by theme (one file each).
using Action = std::function<int()>;
void add_window_commands(CLI::App& app, Context& context, Action& action);
void add_arrange_commands(CLI::App& app, Context& context, Action& action);
void add_history_commands(CLI::App& app, Context& context, Action& action);
void add_layout_commands(CLI::App& app, Context& context, Action& action);
void add_session_commands(CLI::App& app, Context& context, Action& action);
void add_source_commands(CLI::App& app, Context& context, Action& action);
void add_upload_command(CLI::App& app, Context& context, Action& action);
void add_play_command(CLI::App& app, Context& context, Action& action);
void add_player_commands(CLI::App& app, Context& context, Action& action);
void add_people_commands(CLI::App& app, Context& context, Action& action);
void add_event_command(CLI::App& app, Context& context, Action& action);
void add_wall_commands(CLI::App& app, Context& context, Action& action);
void add_view_commands(CLI::App& app, Context& context, Action& action);
void add_convert_command(CLI::App& app, Context& context, Action& action);
void add_impair_command(CLI::App& app, Context& context, Action& action);
void add_program_commands(CLI::App& app, Context& context, Action& action);
void add_script_commands(CLI::App& app, Context& context, Action& action);
void add_completion_command(CLI::App& app, Context& context, Action& action);

// Adds the option that names one window, which all commands about windows have.
CLI::Option* add_window_option(CLI::App& command, int& window);

}  // namespace ui
