// Message channels of sessions that have no connection of their own (CallSessions), or whose
// messages leave by HTTP. Run on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/message_channel.h"
#include "sail/core/wire/rpc.h"

namespace manager {

// The two ends of the connection by which a request arrived.
struct RequestEnds {
  sail::Address local;
  sail::Address peer;
};

// Passes requests to the service as values.
class RequestChannel : public sail::MessageChannel {
 public:
  RequestChannel(sail::Loop& loop, RequestEnds ends) : ends_(std::move(ends)), soon_(loop) {}

  // Sends this request, or keeps it until there is a reader. The reader must have taken the
  // previous request.
  void add(sail::RpcRequest request);

  void start_reading(Reader& reader) override;
  void pause() override {}
  void resume() override {}
  void set_unauthenticated(bool /*unauthenticated*/) override {}
  sail::Result<std::optional<std::string_view>> next() override {
    return std::optional<std::string_view>();
  }
  void close_after_sending(int64_t /*at_most_ms*/) override {}
  sail::Address local_address() const override { return ends_.local; }
  sail::Address peer_address() const override { return ends_.peer; }

 protected:
  // Reports the end of the session to the reader, later from the loop.
  void end(const sail::Error& why);

 private:
  const RequestEnds ends_;
  std::optional<sail::RpcRequest> request_;  // until there is a reader
  Reader* reader_ = nullptr;
  sail::Timer soon_;
};

// Sends all messages on as server-sent events, until the client disconnects or does not read.
class EventChannel : public RequestChannel {
 public:
  // place: counts the stream among those in progress (HttpApi) while it is held.
  EventChannel(sail::Loop& loop, RequestEnds ends, sail::RpcRequest request,
               std::shared_ptr<sail::WebExchange> exchange, std::shared_ptr<char> place);
  ~EventChannel() override;

  // Begins the HTTP response.
  void begin();
  void send(std::string_view line) override;
  size_t unsent_bytes() const override { return pending_.size() + stream_->writing.size(); }

 private:
  // Data that the web server uses; may outlive the channel.
  struct Stream {
    EventChannel* channel = nullptr;  // null: gone
    std::vector<uint8_t> writing{};
  };
  void flush();

  const std::shared_ptr<sail::WebExchange> exchange_;
  const std::shared_ptr<char> place_;
  const std::shared_ptr<Stream> stream_;
  std::string pending_;
  bool begun_ = false;
  bool wanted_ = false;  // the web server is ready for more data
  sail::Timer pulse_;
};

}  // namespace manager
