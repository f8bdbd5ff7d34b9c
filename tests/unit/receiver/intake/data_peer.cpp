#include "tests/unit/receiver/intake/data_peer.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

void append(std::vector<uint8_t>& bytes, std::span<const uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

std::vector<uint8_t> frame_bytes(
    uint32_t stream, const FrameKey& key, uint32_t block_count,
    const std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>>& runs, uint64_t base,
    const FrameTiming& timing) {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> head(4096);
  const auto add = [&](size_t size) { append(bytes, std::span(head).first(size)); };
  add(sail::encode_to(head, stream,
                      sail::FrameBegin{.frame = key.number,
                                       .epoch = key.epoch,
                                       .submitted_ns = timing.submitted_ns,
                                       .base = base,
                                       .delay_us = timing.delay_us}));
  for (const auto& [run, payload] : runs) {
    const std::vector<uint32_t> lengths(run.count,
                                        static_cast<uint32_t>(payload.size() / run.count));
    add(sail::encode_to(head, stream, run, lengths));
    append(bytes, payload);
  }
  add(sail::encode_to(
      head, stream,
      sail::FrameEnd{
          .frame = key.number, .encoded_ns = 2, .sent_ns = 3, .block_count = block_count}));
  return bytes;
}

DataPeer::DataPeer(sail::Loop& loop, const sail::Address& to) {
  connecting_ = sail::TcpConnection::connect(
      loop, to, [this](sail::Result<std::unique_ptr<sail::TcpConnection>> result) {
        if (!result) {
          ended_ = true;
          return;
        }
        connection_ = *std::move(result);
        connection_->start_reading(*this);
        send(std::exchange(unsent_, {}));
      });
}

void DataPeer::send(std::span<const uint8_t> bytes) {
  if (!connection_) {
    append(unsent_, bytes);
  } else if (!bytes.empty()) {
    connection_->write_copy(bytes);
  }
}

void DataPeer::send_frame(uint32_t stream, const FrameKey& key, const sail::BlockGrid& grid,
                          const std::vector<std::pair<int, int>>& blocks, uint8_t fill) {
  std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>> runs;
  runs.reserve(blocks.size());
  for (const auto& [column, row] : blocks) {
    runs.push_back({{key.number, static_cast<uint16_t>(row), static_cast<uint16_t>(column), 1},
                    std::vector<uint8_t>(block_bytes(grid, column, row), fill)});
  }
  send(frame_bytes(stream, key, static_cast<uint32_t>(blocks.size()), runs));
}

bool DataPeer::accepted() const {
  return !messages_.empty() && messages_[0].header.type == sail::DataType::kStreamAccept;
}

std::vector<sail::FrameReport> DataPeer::reports() const {
  std::vector<sail::FrameReport> reports;
  for (const Message& message : messages_) {
    if (message.header.type != sail::DataType::kFrameReport) continue;
    const auto report = sail::decode_frame_report(message.body);
    EXPECT_TRUE(report) << report.error().text;
    if (report) reports.push_back(*report);
  }
  return reports;
}

std::vector<sail::CloseMessage> DataPeer::closes() const {
  std::vector<sail::CloseMessage> closes;
  for (const Message& message : messages_) {
    if (message.header.type != sail::DataType::kClose) continue;
    const auto close = sail::decode_close(message.body);
    EXPECT_TRUE(close) << close.error().text;
    if (close) closes.push_back(*close);
  }
  return closes;
}

void DataPeer::on_read(size_t bytes) {
  append(unparsed_, std::span(buffer_).first(bytes));
  for (;;) {
    if (unparsed_.size() < sail::kDataHeaderBytes) return;
    const auto header = sail::decode_header(std::span(unparsed_).first<sail::kDataHeaderBytes>());
    ASSERT_TRUE(header) << header.error().text;
    const size_t size = sail::kDataHeaderBytes + header->body_bytes;
    if (unparsed_.size() < size) return;
    const auto body = std::span(unparsed_).subspan(sail::kDataHeaderBytes, header->body_bytes);
    messages_.push_back({*header, {body.begin(), body.end()}});
    if (header->type == sail::DataType::kFrameReady && on_ready) {
      const auto ready = sail::decode_frame_ready(body).value();
      on_ready(header->stream, {.epoch = ready.epoch, .number = ready.frame});
    }
    unparsed_.erase(unparsed_.begin(), unparsed_.begin() + static_cast<ptrdiff_t>(size));
  }
}

void DataPeer::on_closed(const sail::Error& /*error*/) {
  ended_ = true;
  connection_.reset();
}

}  // namespace receiver
