#include "sail/client/session/snapshot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace sail {
namespace {

constexpr size_t kBgraBytes = 4;

size_t row_bytes(const TilePicture& picture) {
  return static_cast<size_t>(picture.size.width) * kBgraBytes;
}

// The exchange with one receiver. Reads exactly the bytes needed next, so that pixels go directly
// into their picture.
class Conversation final : private TcpReader {
 public:
  // on_over is called once, on the loop thread.
  Conversation(Loop& loop, SnapshotSource source, int64_t at_ns, std::function<void()> on_over)
      : source_(std::move(source)), at_ns_(at_ns), on_over_(std::move(on_over)) {
    connecting_ = TcpConnection::connect(loop, source_.data_address,
                                         [this](Result<std::unique_ptr<TcpConnection>> connection) {
                                           on_connected(std::move(connection));
                                         },
                                         {.certificate = source_.data_address.certificate});
  }

  bool over() const { return on_over_ == nullptr; }
  // Ends the exchange with this error and drops incomplete pictures.
  void stop(Error error);
  // Moves the received pictures into the snapshot. Only when over().
  void hand_over(Snapshot& snapshot);

 private:
  enum class State { kHeader, kBody, kRowsFixed, kPixels };

  std::span<uint8_t> read_buffer() override { return wanted_; }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { finish(error); }

  void on_connected(Result<std::unique_ptr<TcpConnection>> connection);
  void want(State state, std::span<uint8_t> buffer);
  void want_header() { want(State::kHeader, header_bytes_); }
  // Handles the bytes read for the current state. Returns an error to end the exchange.
  std::optional<Error> step();
  std::optional<Error> on_header();
  std::optional<Error> on_body();
  std::optional<Error> on_picture(PictureBegin begin);
  std::optional<Error> on_rows();
  bool whole(const TilePicture& picture) const { return next_row_ == picture.size.height; }
  void finish(std::optional<Error> error);

  const SnapshotSource source_;
  const int64_t at_ns_;
  std::function<void()> on_over_;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> tcp_;
  std::optional<Error> error_;

  State state_{};
  std::span<uint8_t> wanted_;  // the unfilled rest of the current read
  std::array<uint8_t, kDataHeaderBytes> header_bytes_;
  DataHeader header_;
  std::array<uint8_t, kPictureRowsFixedBytes> rows_fixed_;
  std::vector<uint8_t> body_;
  std::vector<TilePicture> pictures_;  // the last one may be incomplete
  int next_row_ = 0;                   // next row of the last picture
};

Error bad(std::string text) {
  return {ErrorCode::kBadData, std::move(text)};
}

void Conversation::on_connected(Result<std::unique_ptr<TcpConnection>> connection) {
  connecting_.reset();
  if (!connection) {
    finish(connection.error());
    return;
  }
  tcp_ = *std::move(connection);
  want_header();
  tcp_->start_reading(*this);
  tcp_->write_copy(encode(SnapshotRequest{.secret = source_.secret, .at_ns = at_ns_}));
}

void Conversation::want(State state, std::span<uint8_t> buffer) {
  state_ = state;
  wanted_ = buffer;
}

void Conversation::on_read(size_t bytes) {
  wanted_ = wanted_.subspan(bytes);
  if (!wanted_.empty()) return;
  if (auto error = step()) finish(*std::move(error));
}

std::optional<Error> Conversation::step() {
  switch (state_) {
    case State::kHeader:
      return on_header();
    case State::kBody:
      return on_body();
    case State::kRowsFixed:
      return on_rows();
    case State::kPixels:
      want_header();
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Error> Conversation::on_header() {
  const auto header = decode_header(header_bytes_);
  if (!header) return bad(header.error().text);
  header_ = *header;
  switch (header_.type) {
    case DataType::kPictureRows:
      want(State::kRowsFixed, rows_fixed_);
      return std::nullopt;
    case DataType::kPictureBegin:
    case DataType::kClose:
      body_.resize(header_.body_bytes);  // small: decode_header() checks the type's limit
      want(State::kBody, body_);
      return std::nullopt;
    case DataType::kPictureEnd:
      if (pictures_.size() < source_.tiles.size() || !whole(pictures_.back())) {
        return bad("the receiver did not send all of its tiles");
      }
      finish(std::nullopt);
      return std::nullopt;
    default:
      return bad(fmt::format("unexpected {} message in a snapshot", data_type_name(header_.type)));
  }
}

std::optional<Error> Conversation::on_body() {
  if (header_.type == DataType::kClose) {
    const auto close = decode_close(body_);
    if (!close) return bad(close.error().text);
    return Error{
        ErrorCode::kUnavailable,
        fmt::format("the receiver refused: {}: {}", close_reason_name(close->reason), close->text)};
  }
  auto begin = decode_picture_begin(body_);
  if (!begin) return bad(begin.error().text);
  want_header();
  return on_picture(*std::move(begin));
}

std::optional<Error> Conversation::on_picture(PictureBegin begin) {
  if (!pictures_.empty() && !whole(pictures_.back())) {
    return bad(fmt::format("rows of tile '{}' are missing", pictures_.back().tile));
  }
  const bool known = std::any_of(source_.tiles.begin(), source_.tiles.end(), [&](const auto& tile) {
    return tile.name == begin.tile && tile.size == begin.size;
  });
  const bool twice = std::any_of(pictures_.begin(), pictures_.end(), [&](const TilePicture& other) {
    return other.tile == begin.tile;
  });
  if (!known || twice) {
    return bad(fmt::format("tile '{}' of {}×{} pixels was not requested", begin.tile,
                           begin.size.width, begin.size.height));
  }
  TilePicture& picture = pictures_.emplace_back();
  picture = {.tile = std::move(begin.tile),
             .size = begin.size,
             .taken_ns = begin.taken_ns,
             .windows = std::move(begin.windows),
             .bgra = {}};
  picture.bgra.resize(row_bytes(picture) * static_cast<size_t>(picture.size.height));
  next_row_ = 0;
  return std::nullopt;
}

std::optional<Error> Conversation::on_rows() {
  const auto rows = decode_picture_rows(rows_fixed_);
  if (!rows) return bad(rows.error().text);
  if (pictures_.empty()) return bad("rows without a picture");
  TilePicture& picture = pictures_.back();
  const int64_t end_row = int64_t{rows->first_row} + rows->rows;
  const size_t bytes = row_bytes(picture) * rows->rows;
  if (rows->first_row != static_cast<uint32_t>(next_row_) || end_row > picture.size.height ||
      header_.body_bytes != kPictureRowsFixedBytes + bytes) {
    return bad(
        fmt::format("tile '{}': unexpected rows {} to {}", picture.tile, rows->first_row, end_row));
  }
  next_row_ = static_cast<int>(end_row);
  want(State::kPixels,
       std::span(picture.bgra).subspan(row_bytes(picture) * rows->first_row, bytes));
  return std::nullopt;
}

void Conversation::finish(std::optional<Error> error) {
  if (over()) return;
  tcp_.reset();
  // next_row_ already includes rows that were announced but not received.
  const bool cut_off = state_ == State::kPixels && !wanted_.empty();
  if (!pictures_.empty() && (cut_off || !whole(pictures_.back()))) pictures_.pop_back();
  error_ = std::move(error);
  std::exchange(on_over_, nullptr)();
}

void Conversation::stop(Error error) {
  if (over()) return;
  on_over_ = [] {};
  connecting_.reset();
  finish(std::move(error));
}

void Conversation::hand_over(Snapshot& snapshot) {
  for (const SnapshotSource::Tile& tile : source_.tiles) {
    const auto picture =
        std::find_if(pictures_.begin(), pictures_.end(),
                     [&](const TilePicture& candidate) { return candidate.tile == tile.name; });
    if (picture != pictures_.end()) snapshot.pictures.push_back(std::move(*picture));
  }
  if (error_) snapshot.failures.push_back({source_.receiver, *std::move(error_)});
}

// All exchanges of one snapshot.
class Gathering {
 public:
  Gathering(Loop& loop, const std::vector<SnapshotSource>& sources, int64_t at_ns,
            int64_t timeout_ms, std::function<void(Snapshot)> callback)
      : callback_(std::move(callback)), timer_(loop) {
    for (const SnapshotSource& source : sources) {
      conversations_.push_back(
          std::make_unique<Conversation>(loop, source, at_ns, [this] { check_finished(); }));
    }
    timer_.start(sources.empty() ? 0 : timeout_ms, 0, [this, timeout_ms] {
      for (const auto& conversation : conversations_) {
        conversation->stop(
            {ErrorCode::kTimeout, fmt::format("no picture received within {} ms", timeout_ms)});
      }
      finish();
    });
  }

 private:
  void check_finished() {
    const bool over = std::all_of(conversations_.begin(), conversations_.end(),
                                  [](const auto& conversation) { return conversation->over(); });
    // Finish from the timer, because the last exchange is still on the call stack.
    if (over) timer_.start(0, 0, [this] { finish(); });
  }
  void finish() {
    Snapshot snapshot;
    for (const auto& conversation : conversations_) conversation->hand_over(snapshot);
    std::exchange(callback_, nullptr)(std::move(snapshot));  // may destroy this
  }

  std::function<void(Snapshot)> callback_;
  std::vector<std::unique_ptr<Conversation>> conversations_;
  Timer timer_;
};

}  // namespace

std::shared_ptr<void> take_snapshot(Loop& loop, const std::vector<SnapshotSource>& sources,
                                    int64_t at_ns, int64_t timeout_ms,
                                    std::function<void(Snapshot)> callback) {
  return std::make_shared<Gathering>(loop, sources, at_ns, timeout_ms, std::move(callback));
}

}  // namespace sail
