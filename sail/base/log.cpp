#include "sail/base/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "sail/base/environment.h"

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

}  // namespace

Log::Log(std::string program, LogLevel level) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
      environment("NO_COLOR").empty() ? spdlog::color_mode::automatic : spdlog::color_mode::never);
  logger_ = std::make_shared<spdlog::logger>(std::move(program), std::move(sink));
  logger_->set_pattern("%H:%M:%S.%e %^%-7l%$ %n: %v");
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
