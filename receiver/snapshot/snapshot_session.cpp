#include "receiver/snapshot/snapshot_session.h"

#include <algorithm>
#include <string>
#include <utility>

namespace receiver {
namespace {
constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr int64_t kPieceTimeoutMs = 5000;
constexpr int64_t kSnapshotCloseMs = 1000;
}  // namespace

struct SnapshotSession::Outgoing {
  SnapshotSession* session = nullptr;  // null once the session is destroyed
  std::vector<TileImage> pictures;
  size_t picture = 0;  // index of the picture being sent
  uint32_t row = 0;    // next row of that picture to send
  std::array<uint8_t, sail::kDataHeaderBytes + sail::kPictureRowsFixedBytes> head;
};

SnapshotSession::SnapshotSession(sail::Loop& loop, std::unique_ptr<sail::TcpConnection> connection,
                                 std::function<void()> on_over)
    : connection_(std::move(connection)),
      on_over_(std::move(on_over)),
      timeout_(loop),
      outgoing_(std::make_shared<Outgoing>()) {
  outgoing_->session = this;
  connection_->start_reading(*this);
}

SnapshotSession::~SnapshotSession() {
  outgoing_->session = nullptr;
}

void SnapshotSession::send(std::vector<TileImage> pictures) {
  outgoing_->pictures = std::move(pictures);
  send_next_piece();
}

void SnapshotSession::close(sail::CloseReason reason, const std::string& text) {
  connection_->write_copy(sail::encode(0, sail::CloseMessage{reason, text}));
  connection_->stop_reading();
  sail::TcpConnection::close_after_writes(std::move(connection_), kSnapshotCloseMs);
}

// A peer must not send anything after its request.
void SnapshotSession::on_read(size_t /*bytes*/) {
  over();
}

void SnapshotSession::on_closed(const sail::Error& /*error*/) {
  over();
}

void SnapshotSession::over() {
  const auto on_over = std::move(on_over_);
  on_over();
}

void SnapshotSession::send_next_piece() {
  Outgoing& out = *outgoing_;
  if (out.picture == out.pictures.size()) {
    connection_->write_copy(sail::encode_picture_end());
    connection_->stop_reading();
    sail::TcpConnection::close_after_writes(std::move(connection_), kPieceTimeoutMs);
    over();
    return;
  }
  const TileImage& picture = out.pictures[out.picture];
  if (out.row == 0) connection_->write_copy(sail::encode(picture.begin));

  const size_t row_bytes = static_cast<size_t>(picture.begin.size.width) * 4;
  const auto height = static_cast<uint32_t>(picture.begin.size.height);
  const auto rows = std::min(static_cast<uint32_t>(std::max<size_t>(kPieceBytes / row_bytes, 1)),
                             height - out.row);
  const auto pixels = std::span(picture.pixels).subspan(out.row * row_bytes, rows * row_bytes);
  sail::encode_to(out.head, sail::PictureRows{out.row, rows}, pixels.size());
  out.row += rows;
  if (out.row == height) {
    out.row = 0;
    ++out.picture;
  }
  timeout_.start(kPieceTimeoutMs, 0, [this] { over(); });
  const std::array<std::span<const uint8_t>, 2> parts{out.head, pixels};
  connection_->write(parts, [outgoing = outgoing_](bool sent) {
    if (sent && outgoing->session != nullptr) outgoing->session->send_next_piece();
  });
}

}  // namespace receiver
