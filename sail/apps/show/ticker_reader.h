// Reads and draws a ticker's text on its own thread, and again when its file or feed changes. While
// that fails, the last text stays.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "sail/apps/show/ticker_line.h"
#include "sail/apps/show/ticker_strip.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/ticker_medium.h"

namespace sail {

// How often a reader looks for a new text.
struct TickerTimes {
  int64_t file_ns = 2'000'000'000;
  int64_t feed_ns = 300'000'000'000;
  int64_t failed_feed_ns = 30'000'000'000;
};

class TickerReader {
 public:
  // An error: the text could not be read or drawn. An error that persists is reported once.
  struct Answer {
    Result<std::shared_ptr<const TickerStrip>> strip;
    std::string notice = {};  // about what was left out; empty: none
  };

  explicit TickerReader(TickerMedium medium, TickerTimes times = {});
  ~TickerReader();
  TickerReader(const TickerReader&) = delete;
  TickerReader& operator=(const TickerReader&) = delete;

  // Draws strips of this height from now on.
  void draw_for(int height) { heights_.push(height); }
  // Returns the next answer, waiting at most `wait`. Only the newest ones are kept.
  std::optional<Answer> take(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0)) {
    return answers_.pop(wait);
  }
  // Waits at most `wait` for the thread to end. Returns false if it is still busy.
  bool end(std::chrono::nanoseconds wait);

 private:
  static constexpr int kEnd = 0;  // instead of a height
  // Time and size of a file when it was read.
  using Stamp = std::pair<std::filesystem::file_time_type, uintmax_t>;

  void run();
  // Returns true if there is a new text.
  bool look();
  // Empty: unchanged since it was read last.
  Result<std::optional<std::string>> read_file();
  Result<std::optional<std::string>> read_feed();
  bool take_line(Result<TickerLine> line);
  void draw(int height);
  void complain(Error error);

  const TickerMedium medium_;
  const std::string source_;  // file or URL; empty: the medium has the text
  const TickerTimes times_;
  Mailbox<int> heights_{2};
  Mailbox<Answer> answers_{4};
  Mailbox<bool> ended_{1};
  std::atomic<bool> ending_{false};

  // Used only by the thread.
  std::optional<Stamp> stamp_;
  std::string document_;  // the feed as it was read last
  TickerLine line_;
  std::string complaint_;   // reported last
  int64_t look_at_ns_ = 0;  // steady time

  std::thread thread_;
};

}  // namespace sail
