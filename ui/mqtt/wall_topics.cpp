#include "ui/mqtt/wall_topics.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/text/encodings.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

// '/', '+' and '#' of names have a meaning in topics.
std::string topic_of_receiver(const std::string& name) {
  return "receivers/" + sail::percent_encoded(name, sail::is_unreserved);
}

std::string topic_of_window(const sail::Json& number) {
  return "windows/" + number.dump();
}

// Without the figures, which change all the time.
std::string payload_of(sail::Json object) {
  if (object.is_object()) {
    for (const char* figure : {"stats", "fps"}) object.erase(figure);
  }
  return object.dump();
}

}  // namespace

void WallTopics::take(const sail::Json& state, TopicPayloads& topics) const {
  for (const char* name : {"health", "blank", "sound"}) {
    const auto value = state.find(name);
    if (value != state.end()) topics[name] = payload_of(*value);
  }
  for (const sail::Json& receiver : member(state, "receivers")) {
    topics[topic_of_receiver(text_member(receiver, "name"))] = payload_of(receiver);
  }
  for (const sail::Json& window : member(state, "windows")) {
    topics[topic_of_window(member(window, "window"))] = payload_of(window);
  }
}

TopicPayloads WallTopics::replace(TopicPayloads topics) {
  TopicPayloads differing;
  for (const auto& [topic, payload] : topics) {
    const auto before = all_.find(topic);
    if (before == all_.end() || before->second != payload) differing[topic] = payload;
  }
  for (const auto& [topic, payload] : all_) {
    if (!topics.contains(topic)) differing[topic] = "";
  }
  all_ = std::move(topics);
  return differing;
}

TopicPayloads WallTopics::reset(const sail::Json& state) {
  TopicPayloads topics;
  const sail::Json wall = member(state, "wall");
  topics["wall"] =
      sail::Json{{"name", member(wall, "name")}, {"size", member(wall, "size")}}.dump();
  take(state, topics);
  return replace(std::move(topics));
}

TopicPayloads WallTopics::change(const sail::Json& changed) {
  TopicPayloads topics = all_;
  take(changed, topics);
  for (const sail::Json& number : member(changed, "removed")) topics.erase(topic_of_window(number));
  return replace(std::move(topics));
}

}  // namespace ui
