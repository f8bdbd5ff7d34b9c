// The program: shows another machine's desktop until its window is closed. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/program/program_shell.h"
#include "sail/apps/vnc/vnc_desktop.h"
#include "sail/apps/vnc/vnc_input.h"
#include "sail/apps/vnc/vnc_options.h"

namespace sail {

class VncShow final : ProgramShell {
 public:
  explicit VncShow(VncOptions options);

  // Returns the exit code.
  int run();

 private:
  static constexpr int64_t kSettleNs = 200'000'000;
  static constexpr int64_t kFirstPauseNs = 500'000'000;  // before reconnecting; doubles
  static constexpr int64_t kLongestPauseNs = 10'000'000'000;

  Result<std::string> read_password() const;
  Result<void> begin();
  Result<void> open_window();
  // Shows the desktop's current picture on the wall. Returns false if the connection is lost.
  bool pump();
  void try_again();
  void take(std::unique_ptr<VncDesktop> desktop);
  void submit();
  void obey(const sail_event& event) override;

  const VncOptions options_;
  std::string password_;
  std::unique_ptr<VncDesktop> desktop_;  // null: not connected
  std::optional<VncInput> input_;        // for the desktop; empty with --view-only
  int64_t pause_ns_ = kFirstPauseNs;
  int64_t again_at_ns_ = 0;
  bool dirty_ = true;
};

}  // namespace sail
