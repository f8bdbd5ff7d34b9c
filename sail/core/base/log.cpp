#include "sail/core/base/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/dup_filter_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "sail/core/base/environment.h"

namespace sail {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::off;
}

constexpr std::chrono::seconds kRepeated(5);

// Whether standard error is the systemd journal's socket: JOURNAL_STREAM is "device:inode".
bool goes_to_journal() {
  struct stat file {};
  const std::string stream = environment("JOURNAL_STREAM");
  return !stream.empty() && fstat(STDERR_FILENO, &file) == 0 &&
         stream == fmt::format("{}:{}", file.st_dev, file.st_ino);
}

// Priority prefix of a line for the journal, see sd-daemon(3).
class PriorityFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& line) override {
    const std::string_view mark = message.level >= spdlog::level::err    ? "<3>"
                                  : message.level == spdlog::level::warn ? "<4>"
                                  : message.level == spdlog::level::info ? "<6>"
                                                                         : "<7>";
    line.append(mark.data(), mark.data() + mark.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<PriorityFlag>();
  }
};

// Escapes text for a JSON string. Invalid UTF-8 is left unchanged.
std::string json_text(std::string_view text) {
  std::string quoted;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (static_cast<unsigned char>(letter) < ' ') {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(letter));
    } else {
      quoted += letter;
    }
  }
  return quoted;
}

// The message, escaped for a JSON string.
class QuotedFlag final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& line) override {
    const std::string text = json_text({message.payload.data(), message.payload.size()});
    line.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<QuotedFlag>();
  }
};

std::unique_ptr<spdlog::formatter> formatter(bool json) {
  const bool journal = goes_to_journal();
  std::string pattern = journal ? "%n: %v" : "%H:%M:%S.%e %^%-7l%$ %n: %v";
  if (json) {
    pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","program":"%n","message":"%*"})";
  }
  auto made = std::make_unique<spdlog::pattern_formatter>();
  made->add_flag<PriorityFlag>('&').add_flag<QuotedFlag>('*');
  made->set_pattern((journal ? "%&" : "") + pattern);
  return made;
}

}  // namespace

Log::Log(std::string program, LogLevel level) {
  const bool json = environment("VITRAIL_LOG_FORMAT") == "json";
  auto lines = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
      environment("NO_COLOR").empty() ? spdlog::color_mode::automatic : spdlog::color_mode::never);
  // A repeated line is written once, then with a count.
  auto sink = std::make_shared<spdlog::sinks::dup_filter_sink_mt>(kRepeated);
  sink->add_sink(std::move(lines));
  logger_ = std::make_shared<spdlog::logger>(json ? json_text(program) : std::move(program),
                                             std::move(sink));
  logger_->set_formatter(formatter(json));
  logger_->set_level(to_spdlog(level));
}

void Log::write(LogLevel level, std::string_view text) const {
  logger_->log(to_spdlog(level), spdlog::string_view_t(text.data(), text.size()));
}

bool parse_log_level(std::string_view name, LogLevel& level) {
  constexpr std::pair<std::string_view, LogLevel> kNames[] = {{"debug", LogLevel::kDebug},
                                                              {"info", LogLevel::kInfo},
                                                              {"warning", LogLevel::kWarning},
                                                              {"error", LogLevel::kError},
                                                              {"off", LogLevel::kOff}};
  for (const auto& [known, value] : kNames) {
    if (name == known) {
      level = value;
      return true;
    }
  }
  return false;
}

}  // namespace sail
