// The program when it shows a ticker: a strip of text that moves by whole pixels, with a
// presentation time for each frame, so that all tiles move it evenly. One thread communicates with
// the wall; a TickerReader reads and draws.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <memory>
#include <string>

#include "sail/apps/program/program_shell.h"
#include "sail/apps/show/ticker_reader.h"
#include "sail/apps/show/ticker_strip.h"
#include "sail/core/wire/ticker_medium.h"

namespace sail {

// The title of the ticker's window: its text, or the name of its file or feed.
std::string title_of_ticker(const TickerMedium& medium);

class TickerShow final : ProgramShell {
 public:
  TickerShow(const ShellOptions& options, const TickerMedium& medium);

  // Returns the exit code.
  int run();

 private:
  static constexpr int64_t kSettleNs = 500'000'000;

  bool begin();
  Result<void> open_window(Size size);
  void follow_size();
  void obey(const sail_event& event) override;
  void take(TickerReader::Answer answer);
  // Handles events until the next frame is due.
  void attend();
  void show_next();
  bool is_drawn_for_window() const { return strip_->height() == frame_.size.height; }

  const ShellOptions options_;
  const TickerMedium medium_;
  const TickerPace pace_;
  TickerReader reader_;

  std::shared_ptr<const TickerStrip> strip_;  // null: none was drawn yet
  int64_t first_frame_ = 0;                   // first frame of the strip
  int64_t last_frame_ = 0;                    // last frame that was submitted; 0: none
  int rejected_ = 0;                          // frames rejected since one was accepted
  Raster frame_;
};

}  // namespace sail
