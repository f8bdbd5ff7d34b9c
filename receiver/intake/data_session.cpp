#include "receiver/intake/data_session.h"

#include <fmt/core.h>

#include <utility>

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;
using sail::DataType;

// Limit for peers that never read their reports.
constexpr size_t kMaxUnsentReports = size_t{1} << 20;
constexpr int64_t kCloseTimeoutMs = 1000;

FrameSource source_of(const DataSession::StreamRequest& request, uint64_t session) {
  return {.stream = request.stream,
          .session = session,
          .codec = request.open.codec,
          .grid = {request.open.frame_size, request.open.block_size}};
}

}  // namespace

DataSession::DataSession(sail::Loop& loop, std::unique_ptr<sail::TcpConnection> connection,
                         uint64_t id, Host& host, int64_t open_timeout_ms)
    : loop_(loop),
      connection_(std::move(connection)),
      id_(id),
      host_(host),
      peer_(connection_->peer_address()),
      reader_(*this),
      open_timeout_(loop) {
  open_timeout_.start(open_timeout_ms, 0, [this] { on_timeout(); });
  connection_->start_reading(*this);
}

size_t DataSession::memory(const StreamRequest& request, int frames_in_flight) {
  const FrameSource source = source_of(request, 0);
  const size_t frames = FrameAssembler::memory(source, frames_in_flight);
  return request.open.symbol_bytes == 0 ? frames
                                        : frames + PacketSession::memory(source, frames_in_flight);
}

void DataSession::accept(int frames_in_flight, MemoryBudget::Share memory,
                         std::shared_ptr<PacketPort> port,
                         const std::function<int64_t(int64_t)>& to_wall_ns) {
  open_timeout_.stop();
  memory_ = std::move(memory);
  const StreamRequest request = *std::exchange(wants_stream_, std::nullopt);
  const FrameSource source = source_of(request, id_);
  stream_ = request.stream;
  intake_.emplace(source, frames_in_flight, host_.frames());
  sail::StreamAccept accept{.frames_in_flight = static_cast<uint16_t>(frames_in_flight)};
  if (request.open.symbol_bytes != 0) {
    packets_.emplace(
        loop_, std::move(port), *intake_,
        PacketSession::Setup{.source = source,
                             .frames_in_flight = frames_in_flight,
                             .symbol_bytes = request.open.symbol_bytes,
                             .sealed = request.open.sealed},
        PacketSession::Handlers{
            .on_bytes = [this](size_t bytes) { host_.bytes_read(bytes); },
            .on_error = [this](const DataError& error) { host_.session_over(id_, error); },
            .on_message =
                [this](const sail::MessageBuffer::Message& message) {
                  return message.header.type == DataType::kFrameShow &&
                         !on_show(message.header, message.body);
                },
            .to_wall_ns = to_wall_ns,
            .on_group_heard =
                [this](uint64_t secret) {
                  connection_->write_copy(sail::encode(
                      *stream_, sail::MulticastState{.secret = secret, .hears = true}));
                }});
    accept.packet_secret = packets_->secret();
    accept.packet_key = packets_->key();
  }
  if (request.open.shares && is_on_this_host()) {
    // Without a name the sender uses the connection.
    if (const auto name = intake_->listen_for_memory()) accept.packet_key = *name;
  }
  connection_->write_copy(sail::encode(*stream_, accept));
}

bool DataSession::is_on_this_host() const {
  return sail::is_same_host({.here = connection_->local_address().host, .there = peer_.host});
}

void DataSession::accept_sound() {
  open_timeout_.stop();
  sound_of_ = std::exchange(wants_sound_, std::nullopt)->stream;
  connection_->write_copy(sail::encode_sound_accept(*sound_of_));
}

void DataSession::report_ready(const sail::FrameReady& ready) {
  send(sail::encode(*stream_, ready));
}

void DataSession::report(const sail::FrameReport& report) {
  intake_->count_reported();
  send(sail::encode(*stream_, report));
}

void DataSession::send(std::span<const uint8_t> message) {
  if (packets_) packets_->repeat_message(message);
  connection_->write_copy(message);
}

uint32_t DataSession::stream_number() const {
  if (stream_) return *stream_;
  if (sound_of_) return *sound_of_;
  if (wants_stream_) return wants_stream_->stream;
  return wants_sound_ ? wants_sound_->stream : 0;
}

void DataSession::close(CloseReason reason, const std::string& text) {
  if (!connection_) return;
  connection_->write_copy(sail::encode(stream_number(), sail::CloseMessage{reason, text}));
  connection_->stop_reading();
  sail::TcpConnection::close_after_writes(std::move(connection_), kCloseTimeoutMs);
}

std::unique_ptr<sail::TcpConnection> DataSession::take_connection() {
  open_timeout_.stop();
  wants_snapshot_.reset();
  wants_group_.reset();
  connection_->stop_reading();
  return std::move(connection_);
}

void DataSession::on_read(size_t bytes) {
  host_.bytes_read(bytes);
  std::optional<DataError> error = reader_.on_read(bytes);
  if (!error && intake_ && connection_->unsent_bytes() > kMaxUnsentReports) {
    error = DataError{CloseReason::kLimit, "the peer does not read reports"};
  }
  if (error || peer_closed_ || !connection_) host_.session_over(id_, error);
}

void DataSession::on_closed(const sail::Error& error) {
  if (error.code == sail::ErrorCode::kUnauthorized) {  // no TLS, or an unsupported version
    return host_.session_over(id_, DataError{CloseReason::kUnsupported, error.message});
  }
  host_.session_over(id_, std::nullopt);
}

void DataSession::on_timeout() {
  DataError error{CloseReason::kTimeout, "no first message received in time"};
  if (wants_stream_) {
    error = {CloseReason::kUnknownStream,
             fmt::format("stream {} with this secret is not shown here", wants_stream_->stream)};
  } else if (wants_sound_) {
    error = {CloseReason::kUnknownStream,
             fmt::format("stream {} with this secret is not played here", wants_sound_->stream)};
  } else if (wants_snapshot_) {
    error = {CloseReason::kUnknownStream,
             "the manager did not announce a snapshot with this secret"};
  } else if (wants_group_) {
    error = {CloseReason::kUnknownStream,
             fmt::format("stream {} is not a member of the group with this secret",
                         wants_group_->stream)};
  }
  host_.session_over(id_, error);
}

std::optional<DataError> DataSession::on_message(const sail::DataHeader& header,
                                                 std::span<const uint8_t> body) {
  if (header.type == DataType::kClose) {
    auto message = sail::decode_close(body);
    if (!message) return std::move(message.error());
    peer_closed_ = true;
    return std::nullopt;
  }
  if (intake_) {
    if (header.type == DataType::kFrameShow) {
      // Senders measure how long this machine usually takes to acknowledge.
      connection_->acknowledge_now();
      return on_show(header, body);
    }
    if (header.type == DataType::kMulticastJoin && packets_) return on_multicast(header, body);
    if (auto error = refuse_frames()) return error;
    if (header.type == DataType::kMemoryOffer) return on_memory_offer(header, body);
    return intake_->on_message(header, body);
  }
  if (sound_of_) return on_sound(header, body);
  if (!wants_nothing()) return sail::bad_message("a second message before the first was accepted");
  return on_first_message(header, body);
}

std::optional<DataError> DataSession::on_show(const sail::DataHeader& header,
                                              std::span<const uint8_t> body) {
  if (header.stream != *stream_) return sail::bad_message("frame_show of another stream");
  const auto show = sail::decode_frame_show(body);
  if (!show) return show.error();
  if (packets_ && !received_.is_new(header.type, body)) return std::nullopt;
  host_.show(*stream_, *show);
  return std::nullopt;
}

std::optional<DataError> DataSession::on_multicast(const sail::DataHeader& header,
                                                   std::span<const uint8_t> body) {
  if (header.stream != *stream_) return sail::bad_message("multicast_join of another stream");
  const auto join = sail::decode_multicast_join(body);
  if (!join) return join.error();
  const auto followed =
      packets_->follow_group(*join, {connection_->local_address().host, peer_.host});
  if (!followed) {
    connection_->write_copy(sail::encode(
        *stream_, sail::MulticastState{.secret = join->secret, .text = followed.error().message}));
  }
  return std::nullopt;
}

std::optional<DataError> DataSession::on_memory_offer(const sail::DataHeader& header,
                                                      std::span<const uint8_t> body) {
  if (header.stream != *stream_) return sail::bad_message("memory_offer of another stream");
  const auto offer = sail::decode_memory_offer(body);
  if (!offer) return offer.error();
  const auto taken = intake_->take_memory(*offer);
  sail::MemoryState state{.reads = taken.has_value()};
  if (!taken) state.text = taken.error().message;
  connection_->write_copy(sail::encode(*stream_, state));
  return std::nullopt;
}

std::optional<DataError> DataSession::on_sound(const sail::DataHeader& header,
                                               std::span<const uint8_t> body) {
  if (header.type != DataType::kSound || header.stream != *sound_of_) {
    return sail::bad_message(
        fmt::format("{} of stream {} on the connection for the sound of stream {}",
                    data_type_name(header.type), header.stream, *sound_of_));
  }
  const auto sound = sail::decode_sound(body);
  if (!sound) return sound.error();
  host_.on_sound(*sound_of_, *sound);
  return std::nullopt;
}

std::optional<DataError> DataSession::on_first_message(const sail::DataHeader& header,
                                                       std::span<const uint8_t> body) {
  if (header.type == DataType::kStreamOpen) {
    auto message = sail::decode_stream_open(body);
    if (!message) return std::move(message.error());
    if (message->symbol_bytes != 0 && !message->sealed && sail::is_protected(peer_)) {
      return DataError{CloseReason::kUnsupported, "packets from other machines must be encrypted"};
    }
    wants_stream_ = StreamRequest{header.stream, *message};
    return host_.on_first_request(*this);
  }
  if (header.type == DataType::kSoundOpen) {
    const auto message = sail::decode_sound_open(body);
    if (!message) return message.error();
    wants_sound_ = SoundRequest{header.stream, message->secret};
    return host_.on_first_request(*this);
  }
  if (header.type == DataType::kSnapshotRequest) {
    auto message = sail::decode_snapshot_request(body);
    if (!message) return std::move(message.error());
    wants_snapshot_ = *message;
    return host_.on_first_request(*this);
  }
  if (header.type == DataType::kGroupOpen) {
    auto message = sail::decode_group_open(body);
    if (!message) return std::move(message.error());
    wants_group_ = GroupRequest{header.stream, *message};
    return host_.on_first_request(*this);
  }
  return sail::bad_message(fmt::format("unexpected first message {}", data_type_name(header.type)));
}

sail::DataResult<std::span<uint8_t>> DataSession::on_run(const sail::DataHeader& header,
                                                         const sail::BlockRun& run,
                                                         std::span<const uint32_t> lengths) {
  if (auto error = refuse_frames()) return *std::move(error);
  return intake_->on_run(header, run, lengths);
}

std::optional<DataError> DataSession::on_run_filled() {
  return intake_->on_run_filled();
}

std::optional<DataError> DataSession::refuse_frames() const {
  if (!intake_) return sail::bad_message("frames of a stream that was not accepted");
  if (packets_)
    return sail::bad_message("frames over TCP for a stream that was opened for UDP packets");
  return std::nullopt;
}

}  // namespace receiver
