// The receivers that the wall names, and which of them are connected. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sail/net/reach.h"
#include "sail/wall/wall.h"
#include "sail/wire/control_messages.h"

namespace manager {

// How it is with a program that this manager starts.
struct ReceiverRun {
  bool runs = false;
  int starts = 0;
  std::string why;  // it ended last; empty: it has not
};

struct ReceiverEntry {
  std::string name;
  std::string place;     // host in the wall file
  bool local = false;    // its place is the manager's host
  std::string announce;  // its address for peers on other hosts, by the wall file; empty: found
  uint64_t peer = 0;     // 0: not connected
  std::string address;   // where its data plane listens, while connected
  bool here = false;     // that is a loopback address
  uint16_t data_port = 0;
  std::string certificate;                   // of that
  std::vector<std::string> codecs;           // names of those that it decodes, while connected
  uint64_t shown_epoch = 0;                  // of what it showed when it came
  std::vector<uint32_t> shown_streams;       // and these were in it
  std::optional<sail::ReceiverStats> stats;  // the last that came
  int64_t measured_ns = 0;                   // and when, steady
  std::optional<ReceiverRun> run;            // of those that the manager starts

  bool connected() const { return peer != 0; }
  sail::Address data_address() const { return {address, data_port, certificate}; }
  sail::ListenerPlace listener() const { return {address, here, announce}; }
};

class ReceiverRoster {
 public:
  explicit ReceiverRoster(const sail::Wall& wall);

  // In constant time.
  ReceiverEntry* find(std::string_view name);
  const ReceiverEntry* find(std::string_view name) const;
  const std::vector<ReceiverEntry>& all() const { return entries_; }
  // The first of these codecs that this release knows and all connected receivers decode; none:
  // empty.
  std::string common_codec(const std::vector<std::string>& offered) const;
  // Names of the codecs that all connected receivers decode.
  std::vector<std::string> common_codecs() const;
  // "'left', 'right'"
  std::string names() const;

 private:
  struct HashOfText {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::vector<ReceiverEntry> entries_;
  std::unordered_map<std::string, size_t, HashOfText, std::equal_to<>> places_;  // in entries_
};

// The tiles that a receiver drives, as it must know them.
sail::ReceiverWelcome receiver_welcome(const sail::Wall& wall, std::string_view receiver);

}  // namespace manager
