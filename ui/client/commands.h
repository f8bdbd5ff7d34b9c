// The commands of `vitrail`: each is one subcommand, the same in a shell and at the prompt.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/command_line/command_line.h"
#include "sail/core/rpc/rpc_client.h"

namespace ui {

using sail::Command;
using sail::Option;

// Exit codes of `vitrail`.
enum ExitCode : int {
  kDone = 0,
  kFailed = 1,     // the manager refused, or the command failed
  kUsage = 2,      // the command line is wrong
  kNoManager = 3,  // no manager listens there, or the connection was lost
  kNotWhole = 4,   // done, but pictures of the input were missing or damaged
};

// State shared by all commands.
struct Context {
  std::string program = "vitrail";  // prefix of error messages
  std::string manager;              // --manager; empty: the default
  bool json =
      false;  // --json: results as JSON on standard output, errors as JSON on standard error
  sail::Hello person{.name = "vitrail"};    // --name, --colour: identity of the connection
  std::string user;                         // --user: authenticates with a password; empty: no user
  std::unique_ptr<sail::RpcClient> client;  // opened by the first command that needs it
  bool interactive = false;                 // lines of a prompt or script share the connection
  bool classical = false;                   // classical meaning of words that both consoles have
  int script_depth = 0;                     // nesting depth of running scripts
  sail::Json last;                          // answer of the last successful command
  std::string wall;                         // --wall: a name in the file of walls; empty: none

  // Selects the wall of --wall, if given, for this command and all later ones, and for the programs
  // that they run. Returns the mistake; empty: done.
  std::string choose_wall();
  // Returns the open connection, and opens it if needed. On failure reports the error and returns
  // null.
  sail::RpcClient* connection();
  // Calls the verb. On failure reports the error and returns an empty optional.
  std::optional<sail::Json> call(std::string_view verb, const sail::Json& params,
                                 int64_t timeout_ms = sail::kCallTimeoutMs);
  // Like call(), for the verb "list" or "stats" with all windows.
  std::optional<sail::Json> call_for_all_windows(std::string_view verb);
  // Prints the parser's answer, such as help. Prints a mistake as JSON if --json is in effect or in
  // `words`. Returns the exit code.
  int print_answer(const sail::CommandLineAnswer& answer, const std::vector<std::string>& words);
  // Prints the error on standard error. Returns the exit code for it.
  int report(const sail::Error& error) const;
  // Reports what is wrong with the command line. Returns kUsage.
  int usage_error(const std::string& mistake) const;
  // Reports the error of a call, and forgets the connection if it is lost; returns failure().
  int failed(const sail::Error& error);
  // Exit code after a call failed and was reported.
  int failure() const { return client ? kFailed : kNoManager; }
  // Prints the result as JSON, or the sentence. Returns kDone.
  int done(const sail::Json& result, std::string_view sentence);
  // Calls the verb and prints its result, as JSON or as text by `text` (without `text` nothing).
  using TextOf = std::function<std::string(const sail::Json& result)>;
  int perform(std::string_view verb, const sail::Json& params, const TextOf& text = {},
              int64_t timeout_ms = sail::kCallTimeoutMs);
  // Like perform(), for verbs that start programs again. Prints the windows in the answer's field
  // `failed`, which did not come back; returns kFailed if there are any.
  int perform_restart(std::string_view verb, const sail::Json& params, const TextOf& text,
                      int64_t timeout_ms);
  // The ids of the named windows (named_windows.h). Empty optional: the error has been reported.
  std::optional<std::vector<int64_t>> windows(const std::vector<std::string>& names);
  // Like windows(), for one name.
  std::optional<int64_t> window(const std::string& name);
  // Calls `act` for each of the windows. Returns the worst exit code.
  int for_windows(const std::vector<std::string>& names,
                  const std::function<int(int64_t window)>& act);

 private:
  template <typename Value>
  std::optional<Value> answer(sail::Result<Value> result);

  std::string chosen_wall_;  // the wall that choose_wall() selected; empty: none
};

// The manager may run in another folder, so it gets files of this host by their full paths. Returns
// other words unchanged.
std::string source_for_manager(const std::string& word);

// Creates the command line of `vitrail` and of each prompt line. The context must outlive it.
std::unique_ptr<sail::CommandLine> make_line(Context& context);

// Add commands, one file for each theme.
void add_window_commands(const Command& app, Context& context);
void add_label_command(const Command& app, Context& context);
void add_decoration_commands(const Command& app, Context& context);
void add_annotate_command(const Command& app, Context& context);
void add_look_commands(const Command& app, Context& context);
void add_blank_commands(const Command& app, Context& context);
void add_arrange_commands(const Command& app, Context& context);
void add_history_commands(const Command& app, Context& context);
void add_layout_commands(const Command& app, Context& context);
void add_session_commands(const Command& app, Context& context);
void add_source_commands(const Command& app, Context& context);
void add_upload_command(const Command& app, Context& context);
void add_play_command(const Command& app, Context& context);
void add_ticker_command(const Command& app, Context& context);
void add_player_commands(const Command& app, Context& context);
void add_group_command(const Command& app, Context& context);
void add_people_commands(const Command& app, Context& context);
void add_doctor_command(const Command& app, Context& context);
void add_event_command(const Command& app, Context& context);
void add_input_command(const Command& app, Context& context);
void add_schedule_command(const Command& app, Context& context);
void add_playlist_command(const Command& app, Context& context);
void add_tour_command(const Command& app, Context& context);
void add_rights_command(const Command& app, Context& context);
void add_wall_commands(const Command& app, Context& context);
void add_walls_commands(const Command& app, Context& context);
void add_key_commands(const Command& app, Context& context);
void add_user_commands(const Command& app, Context& context);
void add_demo_command(const Command& app, Context& context);
void add_node_commands(const Command& app, Context& context);
void add_node_setup_commands(const Command& app, Context& context);
void add_camera_command(const Command& app, Context& context);
void add_power_command(const Command& app, Context& context);
void add_webhooks_command(const Command& app, Context& context);
void add_trace_command(const Command& app, Context& context);
void add_view_commands(const Command& app, Context& context);
void add_impair_command(const Command& app, Context& context);
void add_films_command(const Command& app, Context& context);
void add_iobench_command(const Command& app, Context& context);
void add_program_commands(const Command& app, Context& context);
void add_script_commands(const Command& app, Context& context);
void add_completion_command(const Command& app, Context& context);

// Adds the subcommand "new" to the command "wall".
void add_new_wall_command(const Command& wall, Context& context);
// Adds the subcommand "check" to the command "node".
void add_node_check_command(const Command& node, Context& context);

// Adds the subcommand "copy" to the command "session".
void add_session_copy_command(const Command& session, Context& context);
// Opens the windows on the wall `to` of the file of walls, at the same part of that wall and where
// their films are; `move`: and closes them here. Prints why a window cannot be copied.
int copy_windows(Context& context, const std::vector<std::string>& names, const std::string& to,
                 bool move);
// Adds --to, the name of another wall. Options with this form complete to names of walls.
constexpr const char* kWallForm = "WALL";
Option add_to_wall_option(const Command& command, std::string& to);

// Adds the argument that names a layout, a session or a partition.
Option add_name_option(const Command& command, const std::string& argument, std::string& name);
// Adds the argument that names a window; with kYes also "all" and "1,4". All window commands use
// it.
enum class Several : uint8_t { kNo, kYes };
Option add_window_option(const Command& command, std::string& name, Several several);
// Like add_window_option(), for all remaining words.
Option add_windows_option(const Command& command, std::vector<std::string>& names);

// The arguments of commands that switch something on or off: a last word "on" or "off", or --off.
// On by default.
struct Switch {
  std::string word = "on";
  bool off = false;

  bool on() const { return !off && word != "off"; }
};
// off_help: what --off does.
void add_switch(const sail::Command& command, Switch& to, const std::string& off_help);

// The same after any number of windows: "1 2 off". A single word names a window.
struct WindowsSwitch {
  std::vector<std::string> words;
  bool off = false;

  std::vector<std::string> windows() const;
  bool has_word() const;
  bool on() const;
};
void add_windows_switch(const sail::Command& command, WindowsSwitch& to,
                        const std::string& off_help);

}  // namespace ui
