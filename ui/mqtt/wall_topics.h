// The wall's state as retained MQTT messages, one topic for each of:
// wall, health, blank, sound, receivers/NAME, windows/NUMBER. Payloads are JSON; an empty payload
// removes the topic. Pure.
#pragma once

#include <map>
#include <string>

#include "sail/core/text/json.h"

namespace ui {

// Payloads by topic, below the bridge's prefix.
using TopicPayloads = std::map<std::string, std::string>;

class WallTopics {
 public:
  // Takes the answer of "subscribe", and "changed" after it. Returns what differs from before.
  TopicPayloads reset(const sail::Json& state);
  TopicPayloads change(const sail::Json& changed);
  const TopicPayloads& all() const { return all_; }

 private:
  void take(const sail::Json& state, TopicPayloads& topics) const;
  TopicPayloads replace(TopicPayloads topics);

  TopicPayloads all_;
};

}  // namespace ui
