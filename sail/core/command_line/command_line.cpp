// Only this source and parser_help.cpp include CLI11, which compiles slowly.
#include "sail/core/command_line/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sail/core/command_line/outline.h"
#include "sail/core/command_line/parser_help.h"

namespace sail {
namespace {

constexpr int kUsage = 2;  // exit code for usage errors

// --- numbers ------------------------------------------------------------------------------------

template <typename Number>
bool read_whole(std::string_view text, Number& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Quotes the text; long texts are cut.
std::string in_quotes(const std::string& text) {
  constexpr size_t kMost = 24;
  return "'" + (text.size() <= kMost ? text : text.substr(0, kMost) + "…") + "'";
}

// Rewrites the number without leading zeros, which CLI11 would read as octal.
std::string check_whole_number(std::string& text) {
  int64_t number = 0;
  if (!read_whole(text, number)) return in_quotes(text) + " is not a whole number, or too large";
  text = std::to_string(number);
  return {};
}

std::string check_number(std::string& text) {
  double number = 0;
  const bool good = read_whole(text, number) && std::isfinite(number);
  return good ? std::string() : in_quotes(text) + " is not a number, or too large";
}

// `text` was accepted by check_number(), or is about to be rejected by it.
double number_of(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

CLI::Validator within(double least, double most, const std::string& in_help) {
  return CLI::Validator(
      [least, most](const std::string& text) {
        const double value = number_of(text);
        const bool fits = value >= least && value <= most;
        return fits ? "" : fmt::format("must be {} to {}, not {}", least, most, in_quotes(text));
      },
      in_help);
}

// The type of a value, or of the values in an optional or vector.
template <typename Value>
struct Part {
  using Type = Value;
};
template <typename Value>
struct Part<std::optional<Value>> {
  using Type = Value;
};
template <typename Value>
struct Part<std::vector<Value>> {
  using Type = Value;
};

}  // namespace

struct Option::Words {
  AllowedWords of;
};

// --- options ------------------------------------------------------------------------------------

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::form(const std::string& text) const {
  option_->type_name(text);
  return *this;
}

Option Option::shows_default() const {
  option_->capture_default_str();
  return *this;
}

Option Option::shows_default(const std::string& text) const {
  option_->default_str(text);
  return *this;
}

Option Option::between(int least, int most) const {
  option_->check(within(least, most, CLI::Range(least, most).get_description()));
  return *this;
}

Option Option::between(size_t least, size_t most) const {
  option_->check(within(static_cast<double>(least), static_cast<double>(most),
                        CLI::Range(least, most).get_description()));
  return *this;
}

Option Option::between(double least, double most) const {
  option_->check(within(least, most, CLI::Range(least, most).get_description()));
  return *this;
}

Option Option::positive() const {
  option_->check(CLI::Validator(
      [](const std::string& text) {
        return number_of(text) > 0 ? ""
                                   : fmt::format("must be more than 0, not {}", in_quotes(text));
      },
      CLI::PositiveNumber.get_description()));
  return *this;
}

Option Option::not_negative() const {
  option_->check(CLI::Validator(
      [](const std::string& text) {
        return number_of(text) >= 0 ? ""
                                    : fmt::format("must be 0 or more, not {}", in_quotes(text));
      },
      CLI::NonNegativeNumber.get_description()));
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
  option_->check(CLI::Validator(
      [words](const std::string& text) {
        if (std::ranges::find(words, text) != words.end()) return std::string();
        std::string list;
        for (size_t i = 0; i < words.size(); ++i) {
          list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
        }
        return fmt::format("must be {}, not {}", list, in_quotes(text));
      },
      CLI::IsMember(words).get_description()));
  words_->of[option_] = words;
  return *this;
}

Option Option::existing_file() const {
  option_->check(CLI::ExistingFile);
  return *this;
}

Option Option::existing_folder() const {
  option_->check(CLI::ExistingDirectory);
  return *this;
}

Option Option::limited(double least, double most) const {
  option_->check([least, most](const std::string& text) {
    const double value = std::strtod(text.c_str(), nullptr);
    const bool within = value >= least && value <= most;
    return within ? "" : fmt::format("{} is not between {} and {}", text, least, most);
  });
  return *this;
}

Option Option::check(const Check& mistake) const {
  option_->check(mistake);
  return *this;
}

Option Option::environment(const std::string& variable) const {
  option_->envname(variable);
  return *this;
}

Option Option::excludes(Option other) const {
  option_->excludes(other.option_);
  return *this;
}

Option Option::needs(Option other) const {
  option_->needs(other.option_);
  return *this;
}

Option Option::value_optional() const {
  option_->expected(0, 1);
  return *this;
}

bool Option::given() const {
  return option_->count() > 0;
}

// --- commands -----------------------------------------------------------------------------------

struct Command::Actions {
  Option::Words words;
  std::map<const CLI::App*, Work> works;
  std::map<const CLI::App*, OtherWork> handed_over;
  std::map<const CLI::App*, std::function<std::string()>> checks;
};

template <typename Value>
Option Command::option(const std::string& names, Value& value, const std::string& help) const {
  CLI::Option* option = app_->add_option(names, value, help);
  using Type = typename Part<Value>::Type;
  if constexpr (std::is_integral_v<Type>) {
    option->transform(CLI::Validator(check_whole_number, ""));
  } else if constexpr (std::is_floating_point_v<Type>) {
    option->transform(CLI::Validator(check_number, ""));
  }
  // Each use of the option takes one value; following words are not its values.
  if (!option->get_positional() && option->get_items_expected_max() > 1) {
    option->allow_extra_args(false);
    if (std::is_integral_v<Type>) option->delimiter(',');
  }
  return {*option, actions_->words};
}

template Option Command::option(const std::string&, std::string&, const std::string&) const;
template Option Command::option(const std::string&, int&, const std::string&) const;
template Option Command::option(const std::string&, uint16_t&, const std::string&) const;
template Option Command::option(const std::string&, uint64_t&, const std::string&) const;
template Option Command::option(const std::string&, double&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<int>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<double>&,
                                const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::string>&,
                                const std::string&) const;
template Option Command::option(const std::string&, std::vector<int>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<uint16_t>&,
                                const std::string&) const;

Option Command::option_read(const std::string& names, const Option::Check& read,
                            const std::string& help) const {
  const auto taken = [read, names](const std::string& text) {
    const std::string mistake = read(text);
    if (!mistake.empty()) throw CLI::ValidationError(names, mistake);
  };
  return {*app_->add_option_function<std::string>(names, taken, help), actions_->words};
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) const {
  return {*app_->add_flag(names, value, help), actions_->words};
}

Option Command::flag(const std::string& names, const std::function<void()>& then,
                     const std::string& help) const {
  return {*app_->add_flag_callback(names, then, help), actions_->words};
}

Command Command::command(const std::string& name, const std::string& help) const {
  return {*app_->add_subcommand(name, help), *actions_};
}

Command Command::alias(const std::string& name) const {
  app_->alias(name);
  return *this;
}

Command Command::group(const std::string& heading) const {
  app_->group(heading);
  return *this;
}

Command Command::notes(const std::string& text) const {
  app_->footer(text);
  return *this;
}

Command Command::needs_command() const {
  app_->require_subcommand(1);
  return *this;
}

Command Command::runs(const Work& work) const {
  actions_->works[app_] = work;
  return *this;
}

Command Command::hands_over(const OtherWork& work) const {
  app_->prefix_command();
  app_->fallthrough(false);
  app_->set_help_flag();
  actions_->handed_over[app_] = work;
  return *this;
}

Command Command::check(const std::function<std::string()>& mistake) const {
  actions_->checks[app_] = mistake;
  return *this;
}

// --- the line -----------------------------------------------------------------------------------

int CommandLineAnswer::say() const {
  std::fputs(text.c_str(), exit_code == 0 ? stdout : stderr);
  return exit_code;
}

int exit_code_of(const std::string& program, const Result<void>& end) {
  if (end) return EXIT_SUCCESS;
  // fmt::print would throw if standard error is a log on a full disk.
  std::fputs(fmt::format("{}: {}\n", program, end.error().message).c_str(), stderr);
  return EXIT_FAILURE;
}

Error about_option(const std::string& option, const Error& error) {
  return {error.code, option + ": " + error.message};
}

CommandLine::CommandLine(const std::string& program, const std::string& about)
    : CommandLine(std::make_unique<CLI::App>(about, program), std::make_unique<Actions>()) {}

CommandLine::CommandLine(std::unique_ptr<CLI::App> app, std::unique_ptr<Actions> actions)
    : Command(*app, *actions), owned_app_(std::move(app)), owned_actions_(std::move(actions)) {
  app_->formatter(folded_help());
  app_->failure_message(explain);
  app_->group("Subcommands");  // commands inherit it; the default depends on CLI11's version
  app_->set_version_flag("--version", app_->get_name() + " " + VITRAIL_VERSION);
  app_->add_flag_callback(
          "--man-page",
          [this] { throw CLI::CallForVersion(man_page(outline(), VITRAIL_VERSION), 0); })
      ->trigger_on_parse()  // before required options are checked
      ->group("");
  // Options of the program may also follow a command.
  app_->fallthrough();
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

std::optional<CommandLineAnswer> CommandLine::read(int count, const char* const* arguments) {
  return answer_to([&] { app_->parse(count, arguments); });
}

std::optional<CommandLineAnswer> CommandLine::read(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 expects the last word first
  return answer_to([&] { app_->parse(words); });
}

std::optional<CommandLineAnswer> CommandLine::answer_to(const std::function<void()>& parse) {
  try {
    parse();
    for (const CLI::App* one : commands_given(*app_)) {
      const auto check = actions_->checks.find(one);
      const std::string mistake = check == actions_->checks.end() ? "" : check->second();
      if (!mistake.empty()) throw CLI::ValidationError(mistake);
    }
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    if (app_->exit(error, text, text) == 0) return CommandLineAnswer{0, text.str(), ""};
    return CommandLineAnswer{kUsage, text.str(), mistake_in(*app_, error, outline())};
  }
  return std::nullopt;
}

int CommandLine::run(int count, const char* const* arguments,
                     const std::function<Result<void>()>& work) {
  const auto answer = read(count, arguments);
  if (answer) return answer->say();
  try {
    return exit_code_of(app_->get_name(), work());
  } catch (const std::bad_alloc&) {
    std::fputs((app_->get_name() + ": not enough memory\n").c_str(), stderr);
    return EXIT_FAILURE;
  }
}

Command::Work CommandLine::work() const {
  const CLI::App* command = commands_given(*app_).back();
  if (const auto other = actions_->handed_over.find(command);
      other != actions_->handed_over.end()) {
    return [work = other->second, words = command->remaining()] { return work(words); };
  }
  const auto own = actions_->works.find(command);
  return own == actions_->works.end() ? Work() : own->second;
}

CommandOutline CommandLine::outline() const {
  return outline_of(*app_, actions_->words.of);
}

}  // namespace sail
