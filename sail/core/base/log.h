// One line per message on standard error: time, level, program, text. A Log is passed to its users;
// there is no global one.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace spdlog {
class logger;
}

namespace sail {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError, kOff };

// Any thread. Copies share one sink.
class Log {
 public:
  // Coloured if standard error is a terminal and NO_COLOR is not set.
  Log(std::string program, LogLevel level);

  template <typename... Args>
  void debug(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::kDebug, fmt::format(text, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void info(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::kInfo, fmt::format(text, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void warning(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::kWarning, fmt::format(text, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void error(fmt::format_string<Args...> text, Args&&... args) const {
    write(LogLevel::kError, fmt::format(text, std::forward<Args>(args)...));
  }

  void write(LogLevel level, std::string_view text) const;

 private:
  std::shared_ptr<spdlog::logger> logger_;
};

// Accepts "debug", "info", "warning", "error", "off"; returns false for anything else.
bool parse_log_level(std::string_view name, LogLevel& level);

}  // namespace sail
