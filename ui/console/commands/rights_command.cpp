// The command rights: who may do what with partitions, scenes and sources.
#include <fmt/core.h>

#include <ctime>

#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

struct RightsArguments {
  std::string file;
  std::string kind;
  std::string name;
};

std::string words_text(const sail::Json& list) {
  std::string text;
  for (const sail::Json& word : list) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", word.get<std::string>());
  }
  return text;
}

// The object of a rule or a lock.
std::string object_text(const sail::Json& of) {
  for (const char* kind : {"partition", "scene", "source"}) {
    if (of.contains(kind)) return fmt::format("{} {}", kind, text_member(of, kind));
  }
  return "";
}

std::string rights_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rules = {{"OBJECT", "WHO", "MAY"}};
  for (const sail::Json& rule : member(result, "rules")) {
    rules.push_back(
        {object_text(rule), words_text(member(rule, "who")), words_text(member(rule, "may"))});
  }
  std::string text =
      rules.size() > 1 ? table(rules) : "no rules: `vitrail rights set FILE` sets them";
  std::vector<std::vector<std::string>> locks = {{"LOCKED", "BY", "KEY", "SINCE"}};
  for (const sail::Json& lock : member(result, "locks")) {
    locks.push_back({object_text(lock), text_of(lock, "who"), text_of(lock, "owner"),
                     age_text(number_member(lock, "since_s"), std::time(nullptr))});
  }
  return locks.size() > 1 ? text + "\n\n" + table(locks) : text;
}

int list_rights(Context& context) {
  const int code = context.perform("rights", sail::Json::object(), rights_text);
  if (code != kDone) return code;
  const std::string damage = text_member(context.last, "damage");
  if (damage.empty()) return kDone;
  if (!context.json) fmt::print(stderr, "{}: {}\n", context.program, damage);
  return kFailed;
}

int set_rights(Context& context, const RightsArguments& arguments) {
  const auto rules =
      sail::read_file(arguments.file, sail::kMaxControlLine).and_then([](const std::string& text) {
        return sail::parse_json(text, sail::kMaxControlLine);
      });
  if (!rules) return context.report(rules.error());
  return context.perform("rights_set", {{"rules", *rules}}, [](const auto& result) {
    const size_t count = member(result, "rules").size();
    return fmt::format("{} rule{}", count, count == 1 ? "" : "s");
  });
}

void add_lock(const Command& rights, Context& context,
              const std::shared_ptr<RightsArguments>& arguments, const char* word,
              const char* help) {
  const Command command = rights.command(word, help);
  command.option("kind", arguments->kind, "What: partition or scene")
      .required()
      .one_of({"partition", "scene"});
  add_name_option(command, "object", arguments->name);
  command.runs([&context, arguments, on = std::string_view(word) == "lock"] {
    return context.perform("rights_lock", {{arguments->kind, arguments->name}, {"on", on}});
  });
}

}  // namespace

void add_rights_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<RightsArguments>();
  const Command rights =
      app.command("rights", "Say who may do what with partitions, scenes and sources")
          .group("Wall")
          .needs_command();
  rights.command("ls", "List the rules and the locks").alias("list").runs([&context] {
    return list_rights(context);
  });
  const Command set = rights.command("set", "Replace the rules by those of a file");
  set.option("file", arguments->file, "JSON file of rules (see manager/rights/README.md)")
      .form("FILE")
      .required()
      .existing_file();
  set.runs([&context, arguments] { return set_rights(context, *arguments); });
  add_lock(rights, context, arguments, "lock",
           "Only you arrange the partition, or replace and remove the scene, until it is unlocked");
  add_lock(rights, context, arguments, "unlock",
           "End a lock, as its owner or an admin; the journal keeps that");
}

}  // namespace ui
