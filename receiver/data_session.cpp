#include "receiver/data_session.h"

#include <fmt/core.h>

#include <utility>

#include "sail/base/clock.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;
using sail::DataType;

// A peer that never reads its reports.
constexpr size_t kMaxUnsentReports = size_t{1} << 20;
constexpr int64_t kCloseTimeoutMs = 1000;

DataError bad(std::string text) {
  return {CloseReason::kBadMessage, std::move(text)};
}

}  // namespace

DataSession::DataSession(sail::Loop& loop, std::unique_ptr<sail::TcpConnection> connection,
                         uint64_t id, Host& host, int64_t open_timeout_ms)
    : connection_(std::move(connection)),
      id_(id),
      host_(host),
      peer_(connection_->peer_address()),
      reader_(*this),
      open_timeout_(loop) {
  open_timeout_.start(open_timeout_ms, 0, [this] { on_timeout(); });
  connection_->start_reading(*this);
}

void DataSession::accept() {
  open_timeout_.stop();
  stream_ = wants_stream_->stream;
  const sail::StreamOpen& open = wants_stream_->open;
  assembler_.emplace(FrameSource{.stream = *stream_,
                                 .session = id_,
                                 .codec = open.codec,
                                 .grid = {open.frame_size, open.block_size}});
  wants_stream_.reset();
  connection_->write_copy(
      sail::encode(*stream_, sail::StreamAccept{FrameAssembler::kFramesInFlight}));
}

void DataSession::report(const sail::FrameReport& report) {
  assembler_->count_reported();
  connection_->write_copy(sail::encode(*stream_, report));
}

void DataSession::close(CloseReason reason, const std::string& text) {
  if (!connection_) return;
  const uint32_t stream = stream_ ? *stream_ : wants_stream_ ? wants_stream_->stream : 0;
  connection_->write_copy(sail::encode(stream, sail::CloseMessage{reason, text}));
  connection_->stop_reading();
  sail::TcpConnection::close_after_writes(std::move(connection_), kCloseTimeoutMs);
}

std::unique_ptr<sail::TcpConnection> DataSession::take_connection() {
  open_timeout_.stop();
  wants_snapshot_.reset();
  connection_->stop_reading();
  return std::move(connection_);
}

void DataSession::on_read(size_t bytes) {
  host_.bytes_read(bytes);
  std::optional<DataError> error = reader_.on_read(bytes);
  if (!error && assembler_ && connection_->unsent_bytes() > kMaxUnsentReports) {
    error = DataError{CloseReason::kLimit, "the peer reads no reports"};
  }
  if (error || peer_closed_ || !connection_) host_.session_over(id_, error);
}

void DataSession::on_closed(const sail::Error& /*error*/) {
  host_.session_over(id_, std::nullopt);
}

void DataSession::on_timeout() {
  DataError error{CloseReason::kTimeout, "the connection did not say in time what it is for"};
  if (wants_stream_) {
    error = {CloseReason::kUnknownStream,
             fmt::format("no stream {} with this secret is shown here", wants_stream_->stream)};
  } else if (wants_snapshot_) {
    error = {CloseReason::kUnknownStream, "the manager announced no snapshot with this secret"};
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
  if (stream_) return on_stream_message(header, body);
  if (wants_stream_ || wants_snapshot_) return bad("a second message before the first was granted");
  return on_first_message(header, body);
}

std::optional<DataError> DataSession::on_first_message(const sail::DataHeader& header,
                                                       std::span<const uint8_t> body) {
  if (header.type == DataType::kStreamOpen) {
    auto message = sail::decode_stream_open(body);
    if (!message) return std::move(message.error());
    wants_stream_ = StreamWish{header.stream, *message};
    return host_.first_message(*this);
  }
  if (header.type == DataType::kSnapshotRequest) {
    auto message = sail::decode_snapshot_request(body);
    if (!message) return std::move(message.error());
    wants_snapshot_ = *message;
    return host_.first_message(*this);
  }
  return bad(fmt::format("{} as the first message", data_type_name(header.type)));
}

std::optional<DataError> DataSession::on_stream_message(const sail::DataHeader& header,
                                                        std::span<const uint8_t> body) {
  if (header.stream != *stream_) return bad("a message of another stream");
  if (header.type == DataType::kFrameBegin) return on_frame_begin(body);
  if (header.type == DataType::kFrameEnd) return on_frame_end(body);
  return bad(fmt::format("{} from an application", data_type_name(header.type)));
}

std::optional<DataError> DataSession::on_frame_begin(std::span<const uint8_t> body) {
  auto message = sail::decode_frame_begin(body);
  if (!message) return std::move(message.error());
  auto incomplete = assembler_->begin(*message);
  if (!incomplete) return std::move(incomplete.error());
  if (*incomplete) host_.frame_incomplete(*std::move(incomplete));
  return std::nullopt;
}

std::optional<DataError> DataSession::on_frame_end(std::span<const uint8_t> body) {
  auto message = sail::decode_frame_end(body);
  if (!message) return std::move(message.error());
  auto ended = assembler_->end(*message);
  if (!ended) return std::move(ended.error());
  if (!ended->whole) {
    host_.frame_incomplete(std::move(ended->frame));
    return std::nullopt;
  }
  ended->frame->set_assembled_ns(sail::steady_now_ns());
  host_.frame_whole(std::move(ended->frame));
  return std::nullopt;
}

sail::DataResult<std::span<uint8_t>> DataSession::on_run(const sail::DataHeader& header,
                                                         const sail::BlockRun& run,
                                                         std::span<const uint32_t> lengths) {
  if (!stream_ || header.stream != *stream_) {
    return tl::make_unexpected(bad("blocks of a stream that was not accepted"));
  }
  return assembler_->place(run, lengths);
}

std::optional<DataError> DataSession::on_run_filled() {
  assembler_->placed();
  return std::nullopt;
}

}  // namespace receiver
