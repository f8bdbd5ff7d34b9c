// Commands for users with passwords: user add, ls, password, rm.
#include <fmt/core.h>

#include "sail/core/auth/password.h"
#include "ui/client/answers.h"
#include "ui/client/ask_password.h"
#include "ui/client/commands.h"
#include "ui/client/tables.h"

namespace ui {
namespace {

struct UserArguments {
  std::string name;
  std::string role = "operator";
  std::string password_file;
};

// Derives the verifier here, so that the manager never learns the password.
int save(Context& context, const UserArguments& arguments, bool is_new) {
  const auto told = context.call("user_salt", {{"name", arguments.name}});
  if (!told) return context.client ? kFailed : kNoManager;
  const auto password = new_password(arguments.password_file, arguments.name);
  if (!password) return context.report(password.error());
  const sail::Verifier made =
      sail::verifier_of(sail::derive_key(*password, text_of(*told, "salt")));
  sail::Json params = {{"name", arguments.name},
                       {"stored_key", made.stored_key},
                       {"listener_key", made.listener_key}};
  if (is_new) params["role"] = arguments.role;
  return context.perform(is_new ? "user_add" : "user_password", params);
}

std::string users_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"NAME", "ROLE", "SESSIONS"}};
  for (const sail::Json& user : member(result, "users")) {
    rows.push_back({text_of(user, "name"), text_of(user, "role"), text_of(user, "sessions")});
  }
  return rows.size() > 1 ? table(rows) : "nobody has a password: `vitrail user add NAME`";
}

}  // namespace

void add_user_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<UserArguments>();
  const Command user =
      app.command("user", "People who have a password at this wall").group("Wall").needs_command();
  user.notes("They sign in on the page, or by `vitrail --user NAME`. The wall must have a key.");
  const auto with_name = [&](const char* name, const char* help) {
    const Command command = user.command(name, help);
    command.option("name", arguments->name, "Letters, digits, - and _").required();
    return command;
  };
  const auto with_password = [&](const Command& command) {
    command
        .option("--password-file", arguments->password_file,
                "Its first line is the password, of 8 letters or more; else that is asked for, or "
                "read from standard input")
        .form("FILE")
        .existing_file();
  };
  const Command added = with_name("add", "Give somebody a password");
  added
      .option("--role", arguments->role,
              "Who may look, arrange what they opened themselves, arrange everything, or do "
              "everything")
      .one_of({"viewer", "presenter", "operator", "admin"})
      .shows_default();
  with_password(added);
  added.runs([&context, arguments] { return save(context, *arguments, true); });
  user.command("ls", "Who has one, and how many sessions now").alias("list").runs([&context] {
    return context.perform("users", sail::Json::object(), users_text);
  });
  const Command changed = with_name("password", "Give them another one; their sessions end");
  with_password(changed);
  changed.runs([&context, arguments] { return save(context, *arguments, false); });
  const Command removed =
      with_name("rm", "Let them in no more; their sessions end").alias("remove");
  removed.runs([&context, arguments] {
    return context.perform("user_remove", {{"name", arguments->name}});
  });
}

}  // namespace ui
