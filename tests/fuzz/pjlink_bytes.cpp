// Bytes from a projector, or from whatever listens in its place. The first byte selects the order.
#include "receiver/power/pjlink.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(pjlink_bytes) {
  if (size == 0) return 0;
  const auto order = static_cast<sail::PowerOrder>(data[0] % 3);
  receiver::PjlinkExchange exchange(order, "password");
  size_t commands = 0;
  for (size_t i = 1; i < size; ++i) {
    const std::string said = exchange.take({reinterpret_cast<const char*>(data) + i, 1});
    if (said.empty()) continue;
    ++commands;
    fuzz::require(said.find('\r') == said.size() - 1, "one command is sent at a time");
    fuzz::require(!exchange.result(), "nothing is sent after the end");
  }
  fuzz::require(commands <= 2, "an exchange has at most two commands");
  const auto& result = exchange.result();
  if (result && !*result) {
    fuzz::require(!result->error().message.empty(), "a failure says why");
  }
  return 0;
}
