// The reports that wait for one webhook: in order, one at a time, each attempted several times with
// growing pauses. Pure; times are steady ms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "sail/core/wire/webhooks.h"

namespace ui {

// A message for webhooks.
struct WallReport {
  std::string id;    // unique; the same for all webhooks and attempts
  std::string body;  // JSON
};

class ReportQueue {
 public:
  static constexpr size_t kMostWaiting = 100;
  static constexpr int kMostAttempts = 8;
  static constexpr int64_t kFirstPauseMs = 1000;  // doubles with each attempt

  explicit ReportQueue(const std::string& name) { state_.name = name; }

  // If the queue is full, the oldest report that is not being sent is dropped.
  void add(WallReport report);
  // Returns the report to send now; null: none. It must be finished with delivered(), failed() or
  // refused() before the next one.
  const WallReport* begin(int64_t now_ms);
  void delivered();
  void failed(const std::string& why, int64_t now_ms);
  // The server wants no more reports.
  void refused(const std::string& why);
  // A test was delivered: reports are sent again, the next one at once.
  void enable();

  // How long until begin() may return a report; negative: not before a report is added or finished.
  int64_t pause_ms(int64_t now_ms) const;
  const sail::WebhookState& state() const { return state_; }

 private:
  void take_front();

  std::deque<WallReport> waiting_;  // begins with the one that is being sent
  bool sending_ = false;
  int attempts_ = 0;  // attempts for the first report
  int64_t due_ms_ = 0;
  sail::WebhookState state_;
};

}  // namespace ui
