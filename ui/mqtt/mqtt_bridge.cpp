#include "ui/mqtt/mqtt_bridge.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sail/core/text/limits.h"
#include "ui/mqtt/event_payload.h"

namespace ui {
namespace {

constexpr size_t kMostUnacknowledged = 64;
constexpr size_t kMostCalls = 64;

// Verbs about the bridge's own connection.
constexpr std::array<std::string_view, 7> kOwnVerbs = {
    "challenge", "hello", "pointer", "stand_by", "subscribe", "watch_levels", "watch_thumbnails"};

sail::Error too_long() {
  return {sail::ErrorCode::kLimit,
          fmt::format("the message has more than {} bytes", sail::kMaxControlLine)};
}

std::string payload_of(const sail::Result<sail::Json>& result) {
  const sail::Json json = result ? sail::Json{{"result", *result}}
                                 : sail::Json{{"error",
                                               {{"name", sail::error_name(result.error().code)},
                                                {"message", result.error().message}}}};
  return json.dump(-1, ' ', false, sail::Json::error_handler_t::replace);
}

}  // namespace

MqttBridge::MqttBridge(const BridgeOptions& options, std::function<void(const sail::Error&)> on_end,
                       const sail::Log& log)
    : options_(options),
      on_end_(std::move(on_end)),
      log_(log),
      events_([this] { return follows_wall_ ? link_->peer() : nullptr; }) {}

sail::Result<std::unique_ptr<MqttBridge>> MqttBridge::start(
    sail::Loop& loop, const BridgeOptions& options, std::function<void(const sail::Error&)> on_end,
    const sail::Log& log) {
  std::unique_ptr<MqttBridge> bridge(new MqttBridge(options, std::move(on_end), log));
  std::vector<std::string> subscriptions = {options.prefix + "/receivers/#",
                                            options.prefix + "/windows/#"};
  if (options.accepts_calls) subscriptions.push_back(options.prefix + "/call/#");
  for (const sail::EventRequest& event : options.events) subscriptions.push_back(event.name);
  auto broker = Broker::connect(
      loop, options.broker,
      {.topic = options.prefix + "/online", .payload = "false", .retained = true},
      std::move(subscriptions),
      {.on_connected =
           [self = bridge.get()] {
             self->log_.info("connected to the broker");
             self->refresh();
           },
       .on_lost =
           [self = bridge.get()](const std::string& why) {
             self->log_.warning("the broker at {} is not connected: {}; the bridge tries again",
                                sail::address_text(self->options_.broker.address), why);
           },
       .on_refused = [self = bridge.get()](const sail::Error& why) { self->on_end_(why); },
       .on_published =
           [self = bridge.get()] {
             if (self->unacknowledged_ > 0) --self->unacknowledged_;
             self->flush();
           },
       .on_message =
           [self = bridge.get()](const MqttMessage& message) { self->on_message(message); }});
  if (!broker) return broker.error();
  bridge->broker_ = std::move(*broker);
  bridge->connect(loop);
  return bridge;
}

// --- the wall ------------------------------------------------------------------------------------

void MqttBridge::connect(sail::Loop& loop) {
  link_ = std::make_unique<sail::ManagerLink>(
      loop, options_.manager, [hello = options_.hello](const sail::Address&) { return hello; },
      sail::ManagerLink::Handlers{
          .on_connected = [this](const sail::Json&) { follow_wall(); },
          .on_request =
              sail::only_notifications([this](const std::string& method, const sail::Json& params) {
                on_notification(method, params);
              }),
          .on_lost =
              [this](const sail::Error&) {
                follows_wall_ = false;
                publish({{"online", "false"}});
              },
          .on_refused = [this](const sail::Error& error) { on_end_(error); }},
      log_);
}

void MqttBridge::follow_wall() {
  link_->peer()->call("subscribe", sail::Json::object(), [this](const auto& state) {
    if (!state) {
      return log_.warning("cannot subscribe to the wall's state: {}", state.error().message);
    }
    follows_wall_ = true;
    publish(topics_.reset(*state));
    remove_stale();
    publish({{"online", "true"}});
    events_.run();
  });
}

void MqttBridge::on_notification(const std::string& method, const sail::Json& params) {
  if (method == "changed" && follows_wall_) publish(topics_.change(params));
}

// --- messages to the broker ----------------------------------------------------------------------

void MqttBridge::refresh() {
  unacknowledged_ = 0;
  publish(topics_.all());
  publish({{"online", follows_wall_ ? "true" : "false"}});
}

void MqttBridge::publish(const TopicPayloads& topics) {
  for (const auto& [topic, payload] : topics) waiting_[topic] = payload;
  flush();
}

void MqttBridge::flush() {
  while (!waiting_.empty() && unacknowledged_ < kMostUnacknowledged) {
    const auto& [topic, payload] = *waiting_.begin();
    if (!broker_->publish({options_.prefix + "/" + topic, payload, true})) return;
    ++unacknowledged_;
    waiting_.erase(waiting_.begin());
  }
}

// --- events and verbs from the broker ------------------------------------------------------------

void MqttBridge::on_message(const MqttMessage& message) {
  if (!message.topic.starts_with(options_.prefix + "/")) {
    for (const sail::EventRequest& event : options_.events) {
      if (Broker::matches(event.name, message.topic)) on_event(event, message);
    }
    return;
  }
  const std::string topic = message.topic.substr(options_.prefix.size() + 1);
  if (topic.starts_with("call/")) return on_call(message);
  const bool is_state = topic.starts_with("windows/") || topic.starts_with("receivers/");
  if (!message.retained || message.payload.empty() || !is_state) return;
  if (retained_.size() < sail::kMaxWindows + sail::kMaxTiles) retained_.insert(topic);
  remove_stale();
}

void MqttBridge::remove_stale() {
  if (!follows_wall_) return;
  TopicPayloads stale;
  for (const std::string& topic : std::exchange(retained_, {})) {
    if (!topics_.all().contains(topic)) stale[topic] = "";
  }
  publish(stale);
}

// A retained message counts: it is the present state of a sensor.
void MqttBridge::on_event(const sail::EventRequest& request, const MqttMessage& message) {
  const auto refuse = [log = log_, topic = message.topic](const sail::Error& why) {
    log.warning("the message {} causes no event: {}", topic, why.message);
  };
  if (message.too_long) return refuse(too_long());
  const auto event = sail::event_verb(request, event_payload(message.topic, message.payload));
  if (!event) return refuse(event.error());
  const auto added = events_.add(
      event->verb, event->parameters,
      [refuse, clears = event->clears()](const sail::Result<sail::Json>& result) {
        // Sensors repeat that something is over.
        const bool over = clears && !result && result.error().code == sail::ErrorCode::kNotFound;
        if (!result && !over) refuse(result.error());
      });
  if (!added) refuse(added.error());
}

void MqttBridge::on_call(const MqttMessage& message) {
  const std::string name = message.topic.substr(options_.prefix.size() + sizeof "/call/" - 1);
  if (message.retained) {
    // A retained call would be repeated at each start of the bridge.
    log_.warning("the retained message {} is ignored: publish calls without \"retain\"",
                 message.topic);
    return;
  }
  if (message.too_long) return answer(name, too_long());
  if (message.payload.empty()) return call(name, sail::Json::object());
  const auto params = sail::parse_json(message.payload, sail::kMaxControlLine);
  if (!params) return answer(name, params.error());
  if (!params->is_object()) {
    return answer(name, sail::fail(sail::ErrorCode::kInvalidParams,
                                   "the message must be a JSON object with the parameters"));
  }
  call(name, *params);
}

void MqttBridge::call(const std::string& name, const sail::Json& params) {
  const std::string verb = name.substr(0, name.find('/'));
  if (std::ranges::find(kOwnVerbs, verb) != kOwnVerbs.end()) {
    return answer(name, sail::fail(sail::ErrorCode::kUnknownMethod,
                                   fmt::format("'{}' is not available over MQTT", verb)));
  }
  sail::RpcPeer* manager = link_->peer();
  if (manager == nullptr || !follows_wall_) {
    return answer(name, sail::fail(sail::ErrorCode::kUnavailable,
                                   "the bridge has no connection to the manager"));
  }
  if (running_calls_ >= kMostCalls) {
    return answer(name, sail::fail(sail::ErrorCode::kLimit,
                                   fmt::format("{} calls are running already", kMostCalls)));
  }
  ++running_calls_;
  manager->call(verb, params, [this, name](const sail::Result<sail::Json>& result) {
    --running_calls_;
    answer(name, result);
  });
}

void MqttBridge::answer(const std::string& name, const sail::Result<sail::Json>& result) {
  if (!result) log_.info("{}: {}", name, result.error().message);
  if (broker_->publish({options_.prefix + "/result/" + name, payload_of(result), false})) {
    ++unacknowledged_;
  }
}

}  // namespace ui
