// Delayed answers to wrong keys (KeyGuard). Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "sail/core/http/web_server.h"
#include "sail/core/loop/loop.h"

namespace sail {

inline void answer_after(Loop& loop, int64_t delay_ms, const std::shared_ptr<WebExchange>& exchange,
                         WebAnswer answer) {
  if (delay_ms == 0) return exchange->answer(std::move(answer));
  // The timer is owned by its own callback.
  const auto delay = std::make_shared<Timer>(loop);
  delay->start(delay_ms, 0, [delay, exchange, answer = std::move(answer)]() mutable {
    exchange->answer(std::move(answer));
  });
}

}  // namespace sail
