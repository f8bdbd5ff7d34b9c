// The commands key new and key show.
#include <fmt/core.h>

#include <filesystem>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/private_file.h"
#include "ui/client/commands.h"
#include "ui/console/derived_key.h"

namespace ui {
namespace {

struct KeyArguments {
  std::string file;
  KeyChoice choice;
  bool replace = false;
};

sail::Result<std::filesystem::path> place_for(const Context& context,
                                              const KeyArguments& arguments) {
  if (!arguments.file.empty()) return std::filesystem::path(arguments.file);
  const auto at = sail::manager_address(context.manager);
  if (!at) return at.error();
  std::filesystem::path place = sail::key_file(*at);
  if (!place.empty()) return place;
  return sail::fail(
      sail::ErrorCode::kIo,
      "no default key file for this address: name a FILE, and set VITRAIL_KEY_FILE to its path");
}

sail::Result<void> write_new_key(const Context& context, const KeyArguments& arguments,
                                 const std::filesystem::path& place) {
  std::error_code ignored;
  if (!arguments.replace && std::filesystem::exists(place, ignored)) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("{} exists: --replace overwrites the key and locks out all "
                                  "clients that use the old one",
                                  place.string()));
  }
  const sail::WallKey key = sail::new_key();
  if (arguments.file.empty()) {
    return sail::manager_address(context.manager).and_then([&](const sail::Address& at) {
      return sail::save_key(at, key);
    });
  }
  return sail::write_private_file(place, key_text(key) + '\n');
}

int make_key(Context& context, const KeyArguments& arguments) {
  const auto place = place_for(context, arguments);
  if (!place) return context.report(place.error());
  if (const auto done = write_new_key(context, arguments, *place); !done) {
    return context.report(done.error());
  }
  return context.done({{"file", place->string()}}, place->string());
}

int show_key(Context& context, const KeyArguments& arguments) {
  const auto at = sail::manager_address(context.manager);
  if (!at) return context.report(at.error());
  const auto key =
      arguments.file.empty() ? sail::key_for_server(*at) : sail::read_key_file(arguments.file);
  if (!key) return context.report(key.error());
  if (key->secret.empty()) {
    return context.report({sail::ErrorCode::kNotFound,
                           fmt::format("there is no key for {}: `vitrail key new` creates one",
                                       sail::address_text(*at))});
  }
  const auto made = derived_key(*key, arguments.choice);
  if (!made) return context.report(made.error());
  const std::string text = key_text(*made);
  return context.done({{"key", text}}, text);
}

}  // namespace

void add_key_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<KeyArguments>();
  const Command key = app.command("key", "Create and print the keys that admit programs and people")
                          .group("Wall")
                          .needs_command();
  const Command made = key.command(
      "new", "Create the wall's key in a file that only this user can read, and print the path");
  made.option("file", arguments->file,
              "Key file, for $VITRAIL_KEY_FILE; default: where this user's programs look for the "
              "key of the wall at --manager");
  made.flag("--replace", arguments->replace, "Overwrite an existing key");
  made.runs([&context, arguments] { return make_key(context, *arguments); });
  const Command shown =
      key.command("show", "Print the wall's key, or a key for a role derived from it");
  shown.option("file", arguments->file,
               "File with the wall's key; default: this user's key of the wall at --manager");
  add_key_choice(
      shown, arguments->choice,
      {"viewer", "presenter", "operator", "application", "receiver", "metrics", "watch"});
  shown.runs([&context, arguments] { return show_key(context, *arguments); });
}

}  // namespace ui
