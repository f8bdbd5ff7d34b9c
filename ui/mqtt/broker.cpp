#include "ui/mqtt/broker.h"

#include <fmt/core.h>
#include <mosquitto.h>

#include <utility>

#include "sail/core/text/limits.h"

namespace ui {
namespace {

constexpr int kKeepAliveS = 15;
constexpr unsigned kFirstPauseS = 1;
constexpr unsigned kLongestPauseS = 10;
// Commands exactly once; the state at least once.
constexpr int kOnceQos = 2;
constexpr int kArrivesQos = 1;

sail::Result<void> checked(int code, const char* what) {
  if (code == MOSQ_ERR_SUCCESS) return {};
  return sail::fail(sail::ErrorCode::kIo, fmt::format("{}: {}", what, mosquitto_strerror(code)));
}

}  // namespace

struct Broker::Impl : std::enable_shared_from_this<Impl> {
  Impl(sail::Loop& on, sail::Address at, Handlers of, MqttMessage last, std::vector<std::string> to)
      : loop(on),
        address(std::move(at)),
        handlers(std::move(of)),
        will(std::move(last)),
        subscriptions(std::move(to)),
        retry(on) {}

  // libmosquitto reconnects only after a first connection, so this repeats the first one.
  void connect() {
    const int code =
        mosquitto_connect_async(client, address.host.c_str(), address.port, kKeepAliveS);
    if (code == MOSQ_ERR_SUCCESS) {
      mosquitto_loop_start(client);
      return;
    }
    if (!std::exchange(failed, true)) handlers.on_lost(mosquitto_strerror(code));
    retry.start(kFirstPauseS * 1000, 0, [this] { connect(); });
  }

  // Any thread. Runs the task on the loop's thread while the broker exists.
  template <typename Task>
  void post(Task task) {
    loop.post([weak = weak_from_this(), task = std::move(task)] {
      if (const auto self = weak.lock()) task(*self);
    });
  }

  // --- called on libmosquitto's thread

  void connected(int code) {
    post([code](Impl& self) {
      if (code == MOSQ_ERR_SUCCESS) {
        for (const std::string& topics : self.subscriptions) {
          mosquitto_subscribe(self.client, nullptr, topics.c_str(), kOnceQos);
        }
        self.is_connected = true;
        self.handlers.on_connected();
        return;
      }
      // 1: protocol version, 2: client's name, 4 and 5: user or password (MQTT 3.1.1, 3.2.2.3).
      constexpr int kServerUnavailable = 3;
      const std::string why = mosquitto_connack_string(code);
      if (code == kServerUnavailable) return self.handlers.on_lost(why);
      self.handlers.on_refused(
          {sail::ErrorCode::kUnauthorized, "the broker refuses the connection: " + why});
    });
  }
  void lost(int code) {
    post([code](Impl& self) {
      if (!std::exchange(self.is_connected, false)) return;
      self.handlers.on_lost(mosquitto_strerror(code));
    });
  }
  void received(const mosquitto_message& message) {
    MqttMessage copy{.topic = message.topic,
                     .payload = {},
                     .retained = message.retain,
                     .too_long = static_cast<size_t>(message.payloadlen) > sail::kMaxControlLine};
    if (!copy.too_long && message.payloadlen > 0) {
      copy.payload.assign(static_cast<const char*>(message.payload),
                          static_cast<size_t>(message.payloadlen));
    }
    post([copy = std::move(copy)](Impl& self) { self.handlers.on_message(copy); });
  }

  sail::Loop& loop;
  const sail::Address address;
  const Handlers handlers;
  const MqttMessage will;
  const std::vector<std::string> subscriptions;
  mosquitto* client = nullptr;
  bool is_connected = false;
  bool failed = false;  // the first attempt to connect
  sail::Timer retry;
};

namespace {

void set_callbacks(mosquitto* client) {
  mosquitto_connect_callback_set(client, [](mosquitto*, void* self, int code) {
    static_cast<Broker::Impl*>(self)->connected(code);
  });
  mosquitto_disconnect_callback_set(client, [](mosquitto*, void* self, int code) {
    static_cast<Broker::Impl*>(self)->lost(code);
  });
  mosquitto_publish_callback_set(client, [](mosquitto*, void* self, int) {
    static_cast<Broker::Impl*>(self)->post(
        [](Broker::Impl& impl) { impl.handlers.on_published(); });
  });
  mosquitto_message_callback_set(client,
                                 [](mosquitto*, void* self, const mosquitto_message* message) {
                                   static_cast<Broker::Impl*>(self)->received(*message);
                                 });
}

sail::Result<void> configure(mosquitto* client, const BrokerOptions& options,
                             const MqttMessage& will) {
  if (!options.user.empty()) {
    const int code =
        mosquitto_username_pw_set(client, options.user.c_str(), options.password.c_str());
    if (auto set = checked(code, "user and password"); !set) return set;
  }
  if (!options.ca_file.empty()) {
    const int code =
        mosquitto_tls_set(client, options.ca_file.c_str(), nullptr, nullptr, nullptr, nullptr);
    if (auto set = checked(code, options.ca_file.c_str()); !set) return set;
  }
  mosquitto_reconnect_delay_set(client, kFirstPauseS, kLongestPauseS, true);
  return checked(
      mosquitto_will_set(client, will.topic.c_str(), static_cast<int>(will.payload.size()),
                         will.payload.data(), kArrivesQos, will.retained),
      "will");
}

}  // namespace

sail::Result<std::unique_ptr<Broker>> Broker::connect(sail::Loop& loop,
                                                      const BrokerOptions& options,
                                                      const MqttMessage& will,
                                                      std::vector<std::string> subscriptions,
                                                      Handlers handlers) {
  mosquitto_lib_init();
  auto impl = std::make_shared<Impl>(loop, options.address, std::move(handlers), will,
                                     std::move(subscriptions));
  std::unique_ptr<Broker> broker(new Broker(impl));
  // No name: the broker makes one, and forgets the session when it ends.
  impl->client = mosquitto_new(nullptr, true, impl.get());
  if (impl->client == nullptr) return sail::fail(sail::ErrorCode::kIo, "no memory for MQTT");
  set_callbacks(impl->client);
  if (auto set = configure(impl->client, options, will); !set) return set.error();
  impl->connect();
  return broker;
}

Broker::~Broker() {
  if (impl_->client != nullptr) {
    // A broker publishes the will of lost connections only.
    publish(impl_->will);
    mosquitto_disconnect(impl_->client);
    mosquitto_loop_stop(impl_->client, false);
    mosquitto_destroy(impl_->client);
  }
  mosquitto_lib_cleanup();
}

bool Broker::matches(const std::string& filter, const std::string& topic) {
  bool matched = false;
  return mosquitto_topic_matches_sub(filter.c_str(), topic.c_str(), &matched) == MOSQ_ERR_SUCCESS &&
         matched;
}

bool Broker::is_filter(const std::string& text) {
  return mosquitto_sub_topic_check(text.c_str()) == MOSQ_ERR_SUCCESS;
}

bool Broker::publish(const MqttMessage& message) {
  return impl_->is_connected &&
         mosquitto_publish(impl_->client, nullptr, message.topic.c_str(),
                           static_cast<int>(message.payload.size()), message.payload.data(),
                           kArrivesQos, message.retained) == MOSQ_ERR_SUCCESS;
}

}  // namespace ui
