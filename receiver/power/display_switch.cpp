#include "receiver/power/display_switch.h"

#include <fmt/core.h>

#include <utility>

namespace receiver {

void DisplaySwitch::ask(sail::PowerOrder order, PowerDone done) {
  const bool shares = order == sail::PowerOrder::kStatus && !waiting_.empty() &&
                      waiting_.back().order == order && waiting_.back().done.size() < kMostSharing;
  if (shares) return waiting_.back().done.push_back(std::move(done));
  if (waiting_.size() >= kMostWaiting) {
    return done(sail::fail(sail::ErrorCode::kLimit, "too many orders wait for this display"));
  }
  waiting_.push_back({order, {std::move(done)}});
  if (waiting_.size() == 1) begin();
}

void DisplaySwitch::begin() {
  limit_.start(limit_ms_, 0, [this] {
    end(sail::fail(
        sail::ErrorCode::kTimeout,
        fmt::format("the display's {} within {} s",
                    control_.pjlink.empty() ? "command did not end" : "projector did not answer",
                    static_cast<double>(limit_ms_) / 1e3)));
  });
  const auto done = [this](const sail::Result<sail::PowerState>& result) { end(result); };
  const sail::PowerOrder order = waiting_.front().order;
  run_ = control_.pjlink.empty() ? run_power_commands(loop_, control_, order, done)
                                 : ask_projector(loop_, control_, order, done);
}

void DisplaySwitch::end(const sail::Result<sail::PowerState>& result) {
  // The run may own the result.
  const auto state = result.map([](sail::PowerState reached) { return reached; });
  run_.reset();
  limit_.stop();
  const std::vector<PowerDone> all = std::move(waiting_.front().done);
  waiting_.pop_front();
  if (!waiting_.empty()) begin();
  for (const PowerDone& done : all) done(state);
}

}  // namespace receiver
