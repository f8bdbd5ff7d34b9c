#include "manager/api/request_channels.h"

#include <utility>

namespace manager {
namespace {

constexpr int64_t kPulseMs = 15'000;  // proxies end connections that are silent for longer
constexpr int64_t kReaderTimeoutS = 30;

}  // namespace

// ---- RequestChannel ----

void RequestChannel::start_reading(Reader& reader) {
  reader_ = &reader;
  if (request_) reader_->on_request(*std::exchange(request_, std::nullopt));
}

void RequestChannel::add(sail::RpcRequest request) {
  if (reader_ != nullptr) return reader_->on_request(std::move(request));
  request_ = std::move(request);
}

void RequestChannel::end(const sail::Error& why) {
  soon_.start(0, 0, [this, why] { reader_->on_closed(why); });
}

// ---- EventChannel ----

EventChannel::EventChannel(sail::Loop& loop, RequestEnds ends, sail::RpcRequest request,
                           std::shared_ptr<sail::WebExchange> exchange, std::shared_ptr<char> place)
    : RequestChannel(loop, std::move(ends)),
      exchange_(std::move(exchange)),
      place_(std::move(place)),
      stream_(std::make_shared<Stream>(Stream{.channel = this})),
      pulse_(loop) {
  add(std::move(request));
}

EventChannel::~EventChannel() {
  stream_->channel = nullptr;
  if (begun_) exchange_->give_up();
}

void EventChannel::begin() {
  begun_ = true;
  sail::WebAnswer answer;
  answer.headers = {{"Content-Type", "text/event-stream"},
                    {"Cache-Control", "no-cache"},
                    {"X-Accel-Buffering", "no"}};  // without it, nginx buffers the events
  answer.length = sail::WebAnswer::kEndless;
  exchange_->answer_by_pieces(
      std::move(answer),
      {.on_wanted =
           [stream = stream_] {
             stream->writing.clear();
             if (stream->channel == nullptr) return;
             stream->channel->wanted_ = true;
             stream->channel->flush();
           },
       .on_over =
           [stream = stream_] {
             if (stream->channel == nullptr) return;
             stream->channel->end({sail::ErrorCode::kUnavailable, "the client disconnected"});
           },
       .wait_timeout_s = kReaderTimeoutS});
  pulse_.start(kPulseMs, kPulseMs, [this] {
    if (unsent_bytes() == 0) pending_ = ":\n\n";
    flush();
  });
}

void EventChannel::send(std::string_view line) {
  pending_.append("data: ").append(line).append("\n");
  flush();
}

void EventChannel::flush() {
  if (!wanted_ || pending_.empty()) return;
  wanted_ = false;
  std::vector<uint8_t>& writing = stream_->writing;
  writing.assign(sail::WebExchange::kRoomBefore, 0);
  writing.insert(writing.end(), pending_.begin(), pending_.end());
  pending_.clear();
  exchange_->write(std::span(writing).subspan(sail::WebExchange::kRoomBefore));
}

}  // namespace manager
