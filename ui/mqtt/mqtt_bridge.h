// Connects a wall with an MQTT broker: publishes the wall's state (WallTopics) as retained
// messages, and carries out verbs that arrive as messages. Below the prefix:
//   online              "true" while the bridge is connected to broker and manager
//   call/VERB[/ID]      (if calls are accepted) a JSON object with the verb's parameters, or empty
//   result/VERB[/ID]    {"result": …} or {"error": {"name": …, "message": …}}
// Messages of chosen topics begin and clear events, apart from those below the prefix: an event
// that changes them would begin itself again.
// While the broker is slow or away, only the newest payload of each topic waits. Thread: the
// loop's.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/rpc/call_queue.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/wall/event_request.h"
#include "ui/mqtt/broker.h"
#include "ui/mqtt/wall_topics.h"

namespace ui {

struct BridgeOptions {
  sail::Address manager;
  sail::Hello hello;
  BrokerOptions broker;
  std::string prefix;  // without a '/' at its end
  bool accepts_calls = false;
  std::vector<sail::EventRequest> events{};  // The name of each is a filter of topics.
};

class MqttBridge {
 public:
  // on_end: manager or broker refuse the bridge permanently. kIo: the broker's options are wrong.
  static sail::Result<std::unique_ptr<MqttBridge>> start(
      sail::Loop& loop, const BridgeOptions& options,
      std::function<void(const sail::Error&)> on_end, const sail::Log& log);

 private:
  MqttBridge(const BridgeOptions& options, std::function<void(const sail::Error&)> on_end,
             const sail::Log& log);
  void connect(sail::Loop& loop);
  void follow_wall();
  void on_notification(const std::string& method, const sail::Json& params);
  // Publishes all topics again.
  void refresh();
  void publish(const TopicPayloads& topics);
  void flush();
  void on_message(const MqttMessage& message);
  void on_call(const MqttMessage& message);
  void on_event(const sail::EventRequest& request, const MqttMessage& message);
  // Removes the topics that an earlier bridge left on the broker for windows and receivers that are
  // gone.
  void remove_stale();
  // name: "VERB" or "VERB/ID".
  void call(const std::string& name, const sail::Json& params);
  void answer(const std::string& name, const sail::Result<sail::Json>& result);

  const BridgeOptions options_;
  const std::function<void(const sail::Error&)> on_end_;
  const sail::Log log_;
  WallTopics topics_;
  std::set<std::string> retained_;  // topics on the broker, not yet compared with the wall
  TopicPayloads waiting_;           // retained, for the broker
  size_t unacknowledged_ = 0;       // published messages that the broker has not taken yet
  size_t running_calls_ = 0;
  bool follows_wall_ = false;
  sail::CallQueue events_;
  std::unique_ptr<sail::ManagerLink> link_;
  std::unique_ptr<Broker> broker_;
};

}  // namespace ui
