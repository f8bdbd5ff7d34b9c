// The connections of HTTP requests, and of the schedule's verbs, to the service of verbs: each
// request is a client of its own, so it passes through the same checks, limits and verbs as all
// others. Run on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/message_channel.h"

namespace manager {

// The two ends of a request's connection.
struct RequestEnds {
  sail::Address local;
  sail::Address peer;
};

// Sends one request.
class RequestChannel : public sail::MessageChannel {
 public:
  // line: the request. It is delivered once a reader is set.
  RequestChannel(sail::Loop& loop, RequestEnds ends, std::string line)
      : ends_(std::move(ends)), line_(std::move(line)), soon_(loop) {}

  void start_reading(Reader& reader) override;
  void pause() override {}
  void resume() override {}
  void set_unauthenticated(bool /*unauthenticated*/) override {}
  sail::Result<std::optional<std::string_view>> next() override;
  void close_after_sending(int64_t /*at_most_ms*/) override {}
  sail::Address local_address() const override { return ends_.local; }
  sail::Address peer_address() const override { return ends_.peer; }

 protected:
  // Reports the end of the session to the reader, later from the loop.
  void end(const sail::Error& why);

 private:
  const RequestEnds ends_;
  const std::string line_;
  bool sent_ = false;
  Reader* reader_ = nullptr;
  sail::Timer soon_;
};

// Passes on the answer to a request. Later answers to the same request are ignored.
class AnswerOnce {
 public:
  // line: a JSON-RPC response.
  using Take = std::function<void(std::string_view line)>;
  explicit AnswerOnce(Take take) : take_(std::move(take)) {}

  void give(std::string_view line);
  void give(const sail::Error& error);

 private:
  Take take_;
};

// Sends one request, passes on its answer, and ends.
class CallChannel : public RequestChannel {
 public:
  CallChannel(sail::Loop& loop, RequestEnds ends, std::string line,
              std::shared_ptr<AnswerOnce> answer);
  ~CallChannel() override;

  void start_reading(Reader& reader) override;
  void send(std::string_view line) override;
  size_t unsent_bytes() const override { return 0; }

 private:
  const std::shared_ptr<AnswerOnce> answer_;
  sail::Timer deadline_;
};

// Sends all messages on as server-sent events, until the client disconnects or does not read.
class EventChannel : public RequestChannel {
 public:
  // place: counts the stream among those in progress (HttpApi) while it is held.
  EventChannel(sail::Loop& loop, RequestEnds ends, std::string line,
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
