// Completes words of a command line.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "sail/core/address/site_walls.h"
#include "ui/client/answers.h"
#include "ui/console/prompt/prompt.h"

namespace ui {
namespace {

constexpr int64_t kAtOnceMs = 300;

// Returns the manager's answer, or null if it fails or takes longer than kAtOnceMs. Prints nothing,
// because the user is typing.
sail::Json ask(Context& context, const char* verb,
               const sail::Json& params = sail::Json::object()) {
  if (!context.client) {
    const auto address = sail::manager_address(context.manager);
    if (!address) return nullptr;
    auto connected =
        sail::RpcClient::connect(*address, {.hello = context.person, .timeout_ms = kAtOnceMs});
    if (!connected) return nullptr;
    context.client = std::move(*connected);
  }
  auto answer = context.client->call(verb, params, kAtOnceMs);
  return answer ? std::move(*answer) : sail::Json();
}

using Words = std::vector<std::string>;

Words members(const sail::Json& list, const char* name) {
  Words words;
  for (const sail::Json& one : list) {
    const sail::Json value = member(one, name);
    if (value.is_string()) words.push_back(value.get<std::string>());
    if (value.is_number_integer()) words.push_back(value.dump());
  }
  return words;
}

Words site_walls() {
  Words words;
  const auto walls = sail::load_site_walls(sail::site_walls_file());
  if (!walls) return words;
  for (const sail::SiteWall& wall : *walls) words.push_back(wall.name);
  return words;
}

// Candidate values for an option or argument: its fixed words, or names from the wall chosen by the
// option's name.
Words values(Context& context, const sail::OptionOutline& option, const std::string& partial) {
  static const std::map<std::string, std::function<Words(Context&, const std::string&)>> kKinds = {
      {"window", [](Context& c,
                    const auto&) { return members(member(ask(c, "list"), "windows"), "window"); }},
      {"tile",
       [](Context& c, const auto&) {
         return members(member(member(ask(c, "list"), "wall"), "tiles"), "name");
       }},
      {"partition",
       [](Context& c, const auto&) {
         return members(member(ask(c, "list"), "partitions"), "name");
       }},
      {"area",
       [](Context& c, const auto&) {
         const sail::Json state = ask(c, "list");
         Words words = members(member(member(state, "wall"), "tiles"), "name");
         for (auto& one : members(member(state, "partitions"), "name")) words.push_back(one);
         return words;
       }},
      {"layout", [](Context& c,
                    const auto&) { return members(member(ask(c, "layouts"), "layouts"), "name"); }},
      {"session",
       [](Context& c, const auto&) {
         return members(member(ask(c, "sessions"), "sessions"), "name");
       }},
      {"source",
       [](Context& c, const auto&) {
         return members(member(ask(c, "sources"), "sources"), "source");
       }},
      {"media",
       [](Context& c, const auto& typed) {
         // An empty word completes to files only; sources are offered once a part of their name is
         // typed.
         if (typed.empty()) return Words{};
         return members(member(ask(c, "sources", {{"search", typed}}), "sources"), "source");
       }},
  };
  if (!option.words.empty()) return option.words;
  if (option.form.find(kWallForm) != std::string::npos) return site_walls();
  const auto& names = option.long_names;
  const auto kind = kKinds.find(names.empty() ? option.name : names.front());
  return kind == kKinds.end() ? Words{} : kind->second(context, partial);
}

// Returns null if the command has no such option.
const sail::OptionOutline* option_named(const sail::CommandOutline& command,
                                        const std::string& word) {
  for (const sail::OptionOutline& option : command.options) {
    for (const std::string& name : option.long_names) {
      if (word == "--" + name) return &option;
    }
  }
  return nullptr;
}

// Position of the next word: its command, and the words given before it.
struct Place {
  const sail::CommandOutline* command = nullptr;
  const sail::OptionOutline* option = nullptr;  // set if the word is this option's value
  size_t arguments = 0;                         // positional arguments given so far
};

Place find_place(const sail::CommandOutline& program, const Words& before) {
  Place place{.command = &program};
  for (const std::string& word : before) {
    if (place.option != nullptr) {
      place.option = nullptr;
      continue;
    }
    if (word.starts_with("--")) {
      const sail::OptionOutline* option = option_named(*place.command, word);
      if (option == nullptr) option = option_named(program, word);
      if (option != nullptr && option->takes_value) place.option = option;
      continue;
    }
    const auto& commands = place.command->commands;
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const auto& command) { return command.name == word; });
    if (found != commands.end()) {
      place.command = &*found;
      place.arguments = 0;
    } else {
      ++place.arguments;
    }
  }
  return place;
}

// Returns the positional argument at `index`; an argument that takes many takes all the rest.
const sail::OptionOutline* argument_at(const sail::CommandOutline& command, size_t index) {
  for (const sail::OptionOutline& argument : command.arguments) {
    if (index == 0 || argument.takes_many) return &argument;
    --index;
  }
  return nullptr;
}

Words option_names(const sail::CommandOutline& command) {
  Words words;
  for (const sail::OptionOutline& option : command.options) {
    for (const std::string& name : option.long_names) words.push_back("--" + name);
  }
  return words;
}

// Names come from the wall that the line has selected so far.
void choose_place(Context& context, const Words& before) {
  for (size_t i = 0; i + 1 < before.size(); ++i) {
    if (before[i] == "--manager") context.manager = before[i + 1];
    if (before[i] == "--wall") context.wall = before[i + 1];
  }
  (void)context.choose_wall();  // the user is still typing
}

Words possible(Context& context, const sail::CommandOutline& program, const Words& before,
               const std::string& partial) {
  const Place place = find_place(program, before);
  if (place.option != nullptr) return values(context, *place.option, partial);
  if (partial.starts_with("-")) {
    Words words = option_names(*place.command);
    for (const char* everywhere :
         {"--json", "--manager", "--wall", "--user", "--name", "--colour"}) {
      words.emplace_back(everywhere);
    }
    return words;
  }
  // A command's own argument comes before its subcommands.
  const sail::OptionOutline* argument = argument_at(*place.command, place.arguments);
  if (argument != nullptr) return values(context, *argument, partial);
  Words words;
  for (const sail::CommandOutline& command : place.command->commands) {
    if (!command.group.empty()) words.push_back(command.name);
  }
  return words;
}

}  // namespace

std::vector<std::string> completions(Context& context, const std::vector<std::string>& before,
                                     const std::string& partial) {
  if (!before.empty() && before[0] == "help") {
    return before.size() > 1 ? Words{} : completions(context, {}, partial);
  }
  if (!context.interactive) choose_place(context, before);
  const sail::CommandOutline program = make_line(context)->outline();
  std::set<std::string> fitting;
  for (std::string& word : possible(context, program, before, partial)) {
    if (word.starts_with(partial)) fitting.insert(std::move(word));
  }
  return {fitting.begin(), fitting.end()};
}

const char* completion_script(const std::string& shell) {
  if (shell == "bash") {
    return R"(# vitrail completion bash: put into ~/.bashrc:  source <(vitrail completion bash)
_vitrail() {
  local line=${COMP_LINE:0:COMP_POINT} words=() cut word
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  COMPREPLY=()
  # bash takes what is before a : or = for a word of its own.
  cut=${words[-1]%"${words[-1]##*[:=]}"}
  while IFS= read -r word; do
    word=${word#"$cut"}
    [[ $word == *[[:space:]]* ]] && printf -v word '%q' "$word"
    COMPREPLY+=("$word")
  done < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
}
complete -o default -o bashdefault -F _vitrail vitrail)";
  }
  if (shell == "zsh") {
    return R"(#compdef vitrail
# vitrail completion zsh: put into ~/.zshrc, after compinit:  source <(vitrail completion zsh)
_vitrail() {
  local -a found
  found=("${(@f)$(vitrail --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( ${#found} )) && [[ -n ${found[1]} ]]; then
    compadd -- "${found[@]}"
  else
    _files
  fi
}
compdef _vitrail vitrail)";
  }
  if (shell == "fish") {
    return R"(# vitrail completion fish: vitrail completion fish > ~/.config/fish/completions/vitrail.fish
function __vitrail_words
  set -l before (commandline -opc)
  vitrail --complete $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c vitrail -a '(__vitrail_words)')";
  }
  return nullptr;
}

}  // namespace ui
