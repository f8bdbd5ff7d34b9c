// The receivers of the wall file, and which of them are connected. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/power.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/stats.h"

namespace manager {

// Process status of a receiver or of the standby.
struct ReceiverRun {
  bool runs = false;
  int starts = 0;
  std::string why{};  // Why it last ended; empty: it has not ended.
};

// The power of the display that shows a tile, as last reported.
struct RecordedPower {
  sail::PowerState state = sail::PowerState::kUnknown;
  std::string why{};                         // Why the state is unknown, or the order failed.
  std::optional<sail::PowerOrder> wanted{};  // An order that the display has not obeyed.
  int64_t since_ns = 0;                      // Time of `wanted`, steady.
  bool disobeyed = false;                    // The display had enough time.
  bool idle = false;                         // Turned off because nothing was shown.

  bool operator==(const RecordedPower&) const = default;
};
// Returns "display 'c1r1' did not turn on: it is off".
std::string disobeyed_text(const std::string& tile, const RecordedPower& power);

struct ReceiverEntry {
  std::string name;
  std::string place;     // Host in the wall file.
  bool local = false;    // `place` is the manager's host.
  std::string announce;  // Address for peers on other hosts, from the wall file; empty: detected.
  uint64_t peer = 0;     // Peer id; 0: not connected.
  std::string address;   // Host of its data plane, while connected.
  bool here = false;     // `address` is a loopback address.
  uint16_t data_port = 0;
  std::string certificate;                     // Certificate of its data plane.
  std::vector<std::string> codecs;             // Codecs that it decodes, while connected.
  bool multicast = false;                      // It can be in multicast groups.
  uint64_t shown_epoch = 0;                    // Epoch that it showed when it joined.
  std::vector<uint32_t> shown_streams;         // Streams that it showed then.
  std::optional<sail::ReceiverStats> stats;    // Latest report.
  int64_t measured_ns = 0;                     // Time of `stats`, steady.
  std::optional<ReceiverRun> run;              // Set if the manager starts it.
  std::map<std::string, RecordedPower> power;  // By tile; empty: nobody has asked.
  bool was_connected = false;                  // The current run of its program has been connected.

  bool connected() const { return peer != 0; }
  // The receiver's program runs without a connection: it hangs, or its machine is cut off.
  bool hangs() const { return !connected() && was_connected && run && run->runs; }
  sail::Address data_address() const { return {address, data_port, certificate}; }
  sail::ListenerPlace listener() const { return {address, here, announce}; }
};

class ReceiverRoster {
 public:
  explicit ReceiverRoster(const sail::Wall& wall);

  ReceiverEntry* find(std::string_view name);
  const ReceiverEntry* find(std::string_view name) const;
  const std::vector<ReceiverEntry>& all() const { return entries_; }
  // Returns the first offered codec that this version and all connected receivers know; empty:
  // none.
  std::string common_codec(const std::vector<std::string>& offered) const;
  // Returns the codecs that all connected receivers decode.
  std::vector<std::string> common_codecs() const;
  // Connected receivers that do not support this codec.
  std::vector<std::string> without_codec(std::string_view codec) const;
  // Returns "'left', 'right'".
  std::string names() const;

 private:
  struct HashOfText {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::vector<ReceiverEntry> entries_;
  std::unordered_map<std::string, size_t, HashOfText, std::equal_to<>>
      places_;  // Index into entries_, by name.
};

// Returns the welcome of a receiver, with the tiles that it drives.
sail::ReceiverWelcome receiver_welcome(const sail::Wall& wall, std::string_view receiver);

// Whether this name in a wall file means the manager's own host.
inline bool is_this_host(std::string_view host) {
  return host.empty() || host == "localhost" || host == "127.0.0.1" || host == "::1";
}

}  // namespace manager
