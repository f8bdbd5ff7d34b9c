// Commands for users with passwords: user add, ls, password, rm.
#include <fmt/core.h>

#include "sail/core/auth/password.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/wall_connection.h"

namespace ui {
namespace {

struct UserArguments {
  std::string name;
  std::string role = "operator";
  std::string password_file;
};

// Derives the verifier here, so that the manager never learns the password.
int save(Context& context, const UserArguments& arguments, bool is_new) {
  const auto answer = context.call("user_salt", {{"name", arguments.name}});
  if (!answer) return context.failure();
  const auto password = new_password(arguments.password_file, arguments.name);
  if (!password) return context.report(password.error());
  const sail::Verifier made =
      sail::verifier_of(sail::derive_key(*password, text_of(*answer, "salt")));
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
  return rows.size() > 1 ? table(rows) : "no users: `vitrail user add NAME` adds one";
}

}  // namespace

void add_user_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<UserArguments>();
  const Command user =
      app.command("user", "Manage users with passwords").group("Wall").needs_command();
  user.notes("Users sign in on the page, or with `vitrail --user NAME`. The wall must have a key.");
  const auto with_name = [&](const char* name, const char* help) {
    const Command command = user.command(name, help);
    command.option("name", arguments->name, "User name: letters, digits, - and _").required();
    return command;
  };
  const auto with_password = [&](const Command& command) {
    command
        .option("--password-file", arguments->password_file,
                "File whose first line is the password (8 characters or more); default: ask, or "
                "read standard input")
        .form("FILE")
        .existing_file();
  };
  const Command added = with_name("add", "Add a user with a password");
  added
      .option("--role", arguments->role,
              "viewer: look; presenter: arrange own windows; operator: arrange all windows; admin: "
              "everything")
      .one_of({"viewer", "presenter", "operator", "admin"})
      .shows_default();
  with_password(added);
  added.runs([&context, arguments] { return save(context, *arguments, true); });
  user.command("ls", "List the users with the number of their sessions")
      .alias("list")
      .runs([&context] { return context.perform("users", sail::Json::object(), users_text); });
  const Command changed =
      with_name("password", "Change a user's password and end the user's sessions");
  with_password(changed);
  changed.runs([&context, arguments] { return save(context, *arguments, false); });
  const Command removed =
      with_name("rm", "Remove a user and end the user's sessions").alias("remove");
  removed.runs([&context, arguments] {
    return context.perform("user_remove", {{"name", arguments->name}});
  });
}

}  // namespace ui
