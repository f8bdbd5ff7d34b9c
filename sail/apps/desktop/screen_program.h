// A program that runs and is shown on its own screen (PrivateXServer). One thread.
#pragma once

#include <sail/sail.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/apps/desktop/child_process.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

class ScreenProgram {
 public:
  ScreenProgram() = default;
  virtual ~ScreenProgram() = default;
  ScreenProgram(const ScreenProgram&) = delete;
  ScreenProgram& operator=(const ScreenProgram&) = delete;

  // Starts the program on $DISPLAY, whose screen has this size. Call once.
  virtual Result<void> start(Size screen) = 0;
  // Does periodic work. Call regularly.
  virtual void pump() {}
  // Empty while running.
  virtual std::optional<int> exit_code() = 0;
  // Window title; not sanitized.
  virtual std::string title() const = 0;
  // Returns true if the input must not go to the screen: it was handled here or is blocked.
  virtual bool takes(const sail_input& /*input*/) { return false; }
};

// A program given as a command line.
class ScreenCommand final : public ScreenProgram {
 public:
  explicit ScreenCommand(std::vector<std::string> words) : words_(std::move(words)) {}

  Result<void> start(Size /*screen*/) override {
    auto process = ChildProcess::start(words_);
    if (!process) return process.error();
    process_ = std::move(*process);
    return {};
  }
  std::optional<int> exit_code() override { return process_->exit_code(); }
  std::string title() const override {
    return std::filesystem::path(words_.front()).filename().string();
  }

 private:
  const std::vector<std::string> words_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace sail
