// A connection to an MQTT broker by libmosquitto, which reconnects automatically. libmosquitto's
// thread posts its events to the loop; everything else runs on the loop's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

struct mosquitto;

namespace ui {

struct BrokerOptions {
  sail::Address address;
  std::string user;      // empty: none
  std::string password;  // password of the user
  std::string ca_file;   // certificates that sign the broker's; empty: no TLS
};

struct MqttMessage {
  std::string topic;
  std::string payload;
  bool retained = false;
  bool too_long = false;  // Received with more than kMaxControlLine bytes: payload is empty.
};

class Broker {
 public:
  struct Handlers {
    // Connected, again after each loss: nothing that was published before is known to have arrived.
    std::function<void()> on_connected;
    std::function<void(const std::string& why)> on_lost;
    // The broker refuses this client permanently.
    std::function<void(const sail::Error&)> on_refused;
    // The broker has taken one published message.
    std::function<void()> on_published;
    std::function<void(const MqttMessage&)> on_message;
  };
  // will: published by the broker when this connection is lost.
  static sail::Result<std::unique_ptr<Broker>> connect(sail::Loop& loop,
                                                       const BrokerOptions& options,
                                                       const MqttMessage& will,
                                                       std::vector<std::string> subscriptions,
                                                       Handlers handlers);
  // Publishes the will, as after a loss.
  ~Broker();
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  // Whether the filter, such as "doors/+/state", includes the topic.
  static bool matches(const std::string& filter, const std::string& topic);
  // Whether a text is a filter.
  static bool is_filter(const std::string& text);
  // Returns false if there is no connection.
  bool publish(const MqttMessage& message);

  struct Impl;

 private:
  explicit Broker(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  const std::shared_ptr<Impl> impl_;
};

}  // namespace ui
