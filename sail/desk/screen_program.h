// What runs on a screen of its own (OwnScreen) and is shown there. One thread.
#pragma once

#include <sail/sail.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/desk/child_process.h"

namespace sail {

class ScreenProgram {
 public:
  ScreenProgram() = default;
  virtual ~ScreenProgram() = default;
  ScreenProgram(const ScreenProgram&) = delete;
  ScreenProgram& operator=(const ScreenProgram&) = delete;

  // On $DISPLAY, whose screen has that size. Once.
  virtual Result<void> start(Size screen) = 0;
  // What it has to do beside; to be called again and again.
  virtual void look() {}
  // Nothing while it runs.
  virtual std::optional<int> exit_code() = 0;
  // What the window is called, in words of its own.
  virtual std::string title() const = 0;
  // Whether the screen is not to hear of what people did: it was done, or is not for them.
  virtual bool takes(const sail_input& /*input*/) { return false; }
};

// A command line.
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
