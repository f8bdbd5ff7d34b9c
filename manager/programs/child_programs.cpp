#include "manager/programs/child_programs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "sail/core/text/json.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr size_t kMostLastBytes = 4096;

}  // namespace

std::string exit_text(int64_t exit_status, int signal) {
  return signal != 0 ? fmt::format("signal {}", signal) : fmt::format("status {}", exit_status);
}

sail::Result<int> ChildPrograms::start(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& environment,
                                       ExitCallback on_exit, const sail::ChildFiles& files) {
  return take([&](int child) {
    return sail::Process::spawn(
        loop_, arguments, environment,
        [this, child, on_exit = std::move(on_exit)](int64_t exit_status, int signal) {
          // The process object owns this callback, so it must outlive the call.
          const auto ended = children_.extract(child);
          on_exit(exit_status, signal);
        },
        files);
  });
}

sail::Result<int> ChildPrograms::start_overheard(const std::vector<std::string>& arguments,
                                                 const std::vector<std::string>& environment,
                                                 LastErrorCallback on_exit) {
  return take([&](int child) {
    return sail::Process::spawn_overheard(
        loop_, arguments, environment, kMostLastBytes,
        [this, child, on_exit = std::move(on_exit)](int64_t exit_status, int signal,
                                                    std::string_view errors) {
          const auto ended = children_.extract(child);
          on_exit(exit_status, signal, errors);
        });
  });
}

sail::Result<int> ChildPrograms::take(const Spawn& spawn) {
  constexpr size_t kMostChildren = 512;
  if (children_.size() >= kMostChildren) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format(
            "{} programs started by this manager are running, the maximum: close some windows",
            kMostChildren));
  }
  const int child = next_++;
  auto process = spawn(child);
  if (!process) return process.error();
  children_.emplace(child, std::move(*process));
  return child;
}

void ChildPrograms::signal(int child, int number) {
  const auto it = children_.find(child);
  if (it != children_.end()) it->second->signal(number);
}

void ChildPrograms::signal_all(int number) {
  for (const auto& [child, process] : children_) process->signal(number);
}

namespace {

constexpr size_t kMostWordBytes = 400;
constexpr size_t kMostLineBytes = 4096;

// Returns the text after "12:00:00.123 error   bplay: "; empty: not an error of our programs.
std::string_view error_in(std::string_view line) {
  constexpr std::string_view kForm = "00:00:00.000 error   ";
  if (line.size() <= kForm.size()) return {};
  for (size_t i = 0; i < kForm.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(line[i])) != 0;
    if (kForm[i] == '0' ? !digit : line[i] != kForm[i]) return {};
  }
  const size_t name_end = line.find(": ", kForm.size());
  return name_end == std::string_view::npos ? std::string_view() : line.substr(name_end + 2);
}

// Like error_in(), for logs in JSON.
std::string json_error_in(std::string_view line) {
  constexpr std::string_view kBegin = R"({"time":)";
  if (!line.starts_with(kBegin)) return {};
  const auto object = sail::parse_json(line, kMostLineBytes);
  if (!object || object->value("level", "") != "error") return {};
  return object->value("message", "");
}

// After a wrong command line, programs print the error and then "Try bplay --help." Returns the
// program of that second line.
std::string_view misused_program(std::string_view line) {
  constexpr std::string_view kBegin = "Try ";
  constexpr std::string_view kEnd = " --help.";
  if (!line.starts_with(kBegin) || !line.ends_with(kEnd)) return {};
  line.remove_prefix(kBegin.size());
  return line.substr(0, line.find(' '));
}

// False for rulers such as "-----", which Open MPI's mpirun prints around its messages.
bool has_words(std::string_view line) {
  return std::ranges::any_of(line, [](char letter) {
    constexpr unsigned char kLastAscii = 0x7f;
    const auto byte = static_cast<unsigned char>(letter);
    return std::isalnum(byte) != 0 || byte > kLastAscii;
  });
}

std::string last_line(std::string_view log) {
  std::string error;
  std::string any;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(log.size(), line.size() + 1));
    if (const std::string_view text = error_in(line); !text.empty()) error = text;
    if (std::string text = json_error_in(line); !text.empty()) error = std::move(text);
    if (const std::string program{misused_program(line)}; !program.empty()) {
      error = any.starts_with(program + ": ") ? any.substr(program.size() + 2) : any;
    }
    if (has_words(line)) any = line;
  }
  return error.empty() ? any : error;
}

}  // namespace

std::string public_name(const std::string& media) {
  if (media.find("://") != std::string::npos) return sail::without_passwords(media);
  return media.substr(media.rfind('/') + 1);
}

std::string last_error(std::string_view log, const std::vector<std::string>& media) {
  std::string words = sail::make_plain_text(last_line(log), kMostWordBytes);
  for (const std::string& one : media) {
    const std::string name = public_name(one);
    if (one.empty() || name == one) continue;
    for (size_t at = 0; (at = words.find(one, at)) != std::string::npos; at += name.size()) {
      words.replace(at, one.size(), name);
    }
  }
  return words;
}

}  // namespace manager
