#include "sail/client/sound/sound_connection.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kFirstSoundPauseMs = 100;  // before reconnecting
constexpr int64_t kSoundLingerMs = 1000;
// About two seconds of typical sound.
constexpr size_t kMostUnsentSound = size_t{512} << 10;

}  // namespace

SoundConnection::SoundConnection(Loop& loop, const Log& log, SoundRoutes::Route route,
                                 uint32_t stream, uint64_t secret)
    : loop_(loop),
      log_(log),
      route_(std::move(route)),
      stream_(stream),
      secret_(secret),
      timer_(loop),
      pause_(kFirstSoundPauseMs) {
  connect();
}

SoundConnection::~SoundConnection() {
  if (tcp_ == nullptr) return;
  tcp_->stop_reading();
  tcp_->write_copy(encode(stream_, CloseMessage{CloseReason::kNormal, "the sound has ended"}));
  TcpConnection::close_after_writes(std::move(tcp_), kSoundLingerMs);
}

void SoundConnection::connect() {
  connecting_ = TcpConnection::connect(loop_, {route_.host, route_.port},
                                       [this](Result<std::unique_ptr<TcpConnection>> made) {
                                         connecting_.reset();
                                         if (!made) return lose(made.error().message);
                                         tcp_ = *std::move(made);
                                         messages_ = {};
                                         tcp_->start_reading(*this);
                                         tcp_->write_copy(encode(stream_, SoundOpen{secret_}));
                                         timer_.start(kDataOpenTimeoutMs, 0,
                                                      [this] { lose("no answer in time"); });
                                       },
                                       {.reach_ms = kReachMs, .certificate = route_.certificate});
}

void SoundConnection::on_read(size_t bytes) {
  messages_.filled(bytes);
  while (tcp_ != nullptr) {
    const auto message = messages_.next();
    if (!message) return lose(message.error().text);
    if (!*message) return;
    if (const auto why = take(**message)) return lose(*why);
  }
}

std::optional<std::string> SoundConnection::take(const MessageBuffer::Message& message) {
  const auto& [header, body] = message;
  if (header.type == DataType::kClose) {
    const auto close = decode_close(body);
    return close ? fmt::format("closed by the receiver: {}", close->text) : close.error().text;
  }
  if (header.type != DataType::kSoundAccept || header.stream != stream_ || accepted_) {
    return fmt::format("unexpected {} message", data_type_name(header.type));
  }
  accepted_ = true;
  writes_.begin(steady_now_ns());
  write(std::exchange(before_, {}));
  timer_.stop();
  pause_.restart();
  if (std::exchange(trouble_reported_, false)) {
    log_.info("receiver '{}' accepts the sound of stream {} again", route_.receiver, stream_);
  }
  return std::nullopt;
}

void SoundConnection::lose(const std::string& why) {
  if (!std::exchange(trouble_reported_, true)) {
    log_.warning("stream {}: cannot send sound to receiver '{}' at {}: {}; reconnecting", stream_,
                 route_.receiver, address_text({route_.host, route_.port}), why);
  }
  tcp_.reset();
  accepted_ = false;
  before_.clear();
  timer_.start(pause_.take_ms(), 0, [this] { connect(); });
}

void SoundConnection::write(std::span<const uint8_t> bytes) {
  writes_.add(bytes.size());
  tcp_->write_copy(bytes);
}

void SoundConnection::send(std::span<const uint8_t> message) {
  if (accepted_ && writes_.too_long(tcp_->unsent_bytes(), steady_now_ns())) {
    return lose(fmt::format("the receiver read nothing for {} ms", kStallTimeoutMs));
  }
  const bool opening = !accepted_ && (connecting_ || tcp_);
  const size_t waits = accepted_ ? tcp_->unsent_bytes() : before_.size();
  if (waits + message.size() > kMostUnsentSound) return;
  if (accepted_) write(message);
  if (opening) before_.insert(before_.end(), message.begin(), message.end());
}

}  // namespace sail
