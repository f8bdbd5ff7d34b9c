#include "tests/unit/sail/client/session/fake_receiver.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "sail/core/wire/data/byte_reader.h"

namespace sail {

class FakeReceiver::Connection final : private TcpReader {
 public:
  Connection(FakeReceiver& receiver, std::unique_ptr<TcpConnection> tcp)
      : receiver_(receiver), tcp_(std::move(tcp)) {
    tcp_->start_reading(*this);
  }

  bool open() const { return tcp_ != nullptr; }
  void report(uint64_t frame, uint64_t epoch, FrameOutcome outcome, int64_t swapped_ns,
              DropCause cause = DropCause::kSuperseded) {
    const bool shown = outcome == FrameOutcome::kShown;
    say(encode(stream_, FrameReport{.frame = frame,
                                    .epoch = epoch,
                                    .outcome = outcome,
                                    .cause = shown ? DropCause::kNone : cause,
                                    .assembled_ns = swapped_ns,
                                    .swapped_ns = shown ? swapped_ns : 0}));
  }
  void send(std::span<const uint8_t> bytes) { tcp_->write_copy(bytes); }
  void say(std::span<const uint8_t> message) {
    if (!receiver_.behaviour.says_by_packets) return send(message);
    packets_->say(message);
  }

  // Null over TCP.
  FakePackets* packets() { return packets_.get(); }

 private:
  static constexpr uint64_t kPacketSecret = 0x1020304050607080;

  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_closed(const Error&) override {
    tcp_.reset();
    ++receiver_.connections_lost;
  }
  void on_read(size_t bytes) override {
    pending_.insert(pending_.end(), buffer_.begin(),
                    buffer_.begin() + static_cast<ptrdiff_t>(bytes));
    const size_t taken = on_messages(pending_);
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(taken));
  }
  // Handles complete messages. Returns their size in bytes.
  size_t on_messages(std::span<const uint8_t> bytes) {
    size_t at = 0;
    while (bytes.size() - at >= kDataHeaderBytes) {
      const std::span<const uint8_t> here = bytes.subspan(at);
      const auto header = decode_header(here.first<kDataHeaderBytes>());
      if (!header) {
        mistake(header.error().text);
        return bytes.size();
      }
      if (here.size() < kDataHeaderBytes + header->body_bytes) break;
      on_message(*header, here.subspan(kDataHeaderBytes, header->body_bytes));
      at += kDataHeaderBytes + header->body_bytes;
    }
    return at;
  }

  void accept(const StreamOpen& open) {
    const auto number = static_cast<uint64_t>(receiver_.connections);
    StreamAccept accept{.frames_in_flight = receiver_.behaviour.frames_in_flight};
    if (open.symbol_bytes != 0) {
      accept.packet_secret = kPacketSecret + number;
      if (open.sealed) accept.packet_key = random_packet_key();
      packets_ = std::make_unique<FakePackets>(
          *receiver_.socket_, stream_, open, accept, receiver_.behaviour.packets,
          FakePackets::Handlers{
              .on_whole = [this](const FrameName&, auto bytes) { on_messages(bytes); },
              .on_lost = [this](const FrameName& name) { report_lost(name); },
              .on_messages = [this](auto messages) { on_said(messages); }});
    }
    if (receiver_.behaviour.names_memory) accept.packet_key.fill(1);
    send(encode(stream_, accept));
  }

  void report_lost(const FrameName& name) {
    if (!receiver_.behaviour.reports) return;
    say(encode(stream_, FrameReport{.frame = name.frame,
                                    .epoch = name.epoch,
                                    .outcome = FrameOutcome::kDropped,
                                    .cause = DropCause::kLost}));
  }

  void on_said(std::span<const uint8_t> messages) {
    for (; !messages.empty(); messages = messages.subspan(kFrameShowBytes)) {
      const auto header = decode_header(messages.first<kDataHeaderBytes>());
      if (!header || header->type != DataType::kFrameShow || header->stream != stream_) {
        return mistake("a packet of messages with another one than frame_show");
      }
      const auto body = messages.subspan(kDataHeaderBytes, header->body_bytes);
      receiver_.shows_by_packets.push_back(decode_frame_show(body).value());
    }
  }

  void mistake(std::string text) { receiver_.mistakes.push_back(std::move(text)); }

  void on_message(const DataHeader& header, std::span<const uint8_t> body) {
    switch (header.type) {
      case DataType::kStreamOpen:
        stream_ = header.stream;
        receiver_.opened.push_back(decode_stream_open(body).value());
        if (!receiver_.behaviour.accepts) return;
        accept(receiver_.opened.back());
        if (!receiver_.behaviour.stops_reading) return;
        tcp_->set_buffer_sizes(4096);
        tcp_->stop_reading();
        return;
      case DataType::kFrameBegin:
        if (frame_open_) mistake("a frame begins within a frame");
        frame_open_ = true;
        receiver_.frames.emplace_back();
        receiver_.frames.back().stream = header.stream;
        receiver_.frames.back().begin = decode_frame_begin(body).value();
        build_on_base(receiver_.frames.back());
        frame_ = receiver_.frames.size() - 1;
        return;
      case DataType::kBlockRun:
        on_run(body);
        return;
      case DataType::kFrameEnd:
        on_end(decode_frame_end(body).value());
        return;
      case DataType::kClose:
        receiver_.closes.push_back(decode_close(body).value());
        return;
      case DataType::kFrameShow: {
        const FrameShow show = decode_frame_show(body).value();
        (show.frame == 0 ? receiver_.layouts : receiver_.shows).push_back(show);
        return;
      }
      default:
        mistake(data_type_name(header.type));
    }
  }

  void build_on_base(ReceivedFrame& frame) {
    if (frame.begin.base == 0) return;
    const ReceivedFrame& before = receiver_.frames[frame_];
    const bool has_base =
        packets_ ? before.begin.frame >= frame.begin.base : before.begin.frame == frame.begin.base;
    if (frames_ == 0 || !has_base || !before.whole ||
        before.begin.reduction != frame.begin.reduction) {
      mistake("a frame builds on one that did not come before it");
      return;
    }
    frame.blocks = before.blocks;
  }

  void on_run(std::span<const uint8_t> body) {
    ReceivedFrame& frame = receiver_.frames[frame_];
    const BlockRun run = decode_block_run(body.first(kBlockRunFixedBytes)).value();
    if (!frame_open_ || run.frame != frame.begin.frame) mistake("a run outside its frame");
    frame.rows.push_back(run.row);
    ByteReader lengths(body.subspan(kBlockRunFixedBytes));
    auto bytes = body.subspan(block_run_bytes(run.count));
    for (int i = 0; i < run.count; ++i) {
      const uint32_t length = lengths.u32();
      const auto block = bytes.first(length);
      bytes = bytes.subspan(length);
      const std::pair<int, int> place{run.row, run.first_column + i};
      frame.blocks[place].assign(block.begin(), block.end());
      if (!frame.came.insert(place).second) mistake("a block came twice");
    }
    if (!bytes.empty()) mistake("bytes left over in a run");
  }

  void on_end(const FrameEnd& end) {
    ReceivedFrame& frame = receiver_.frames[frame_];
    frame_open_ = false;
    frame.end = end;
    frame.whole = true;
    ++frames_;
    if (frame.came.size() != end.block_count) mistake("not the blocks that came");
    if (receiver_.behaviour.reports_ready) {
      say(encode(stream_, FrameReady{.frame = frame.begin.frame, .epoch = frame.begin.epoch}));
    }
    if (!receiver_.behaviour.reports) return;
    report(frame.begin.frame, frame.begin.epoch,
           receiver_.behaviour.decodes ? FrameOutcome::kShown : FrameOutcome::kDropped,
           frame.begin.submitted_ns + receiver_.behaviour.swapped_after_ns, DropCause::kUndecoded);
  }

  FakeReceiver& receiver_;
  std::unique_ptr<TcpConnection> tcp_;
  std::array<uint8_t, 65536> buffer_;
  std::vector<uint8_t> pending_;
  std::unique_ptr<FakePackets> packets_;
  uint32_t stream_ = 0;
  bool frame_open_ = false;
  size_t frame_ = 0;
  int frames_ = 0;  // complete frames
};

FakeReceiver::FakeReceiver(Loop& loop, std::string name, const Behaviour& its_behaviour)
    : behaviour(its_behaviour), loop_(loop), name_(std::move(name)) {
  // TCP and UDP use the same port number; try again if it is taken in UDP.
  while (!socket_) {
    listener_ =
        TcpListener::listen(loop_, {"127.0.0.1", 0}, [this](std::unique_ptr<TcpConnection> tcp) {
          ++connections;
          connections_.push_back(std::make_unique<Connection>(*this, std::move(tcp)));
        }).value();
    if (auto socket = UdpSocket::bind(loop_, listener_->address())) socket_ = *std::move(socket);
  }
  // Large enough for all packets that arrive while a busy machine does not run this thread.
  socket_->grow_receive_buffer(size_t{4} << 20);
  socket_->start_reading(*this);
}

FakeReceiver::~FakeReceiver() = default;

void FakeReceiver::on_datagrams(std::span<const Datagram> datagrams) {
  FakePackets* packets = connections_.empty() ? nullptr : connections_.back()->packets();
  if (packets == nullptr) return;
  for (const Datagram& datagram : datagrams) {
    const auto header = decode_packet_header(datagram.bytes);
    if (header && header->secret == packets->secret()) packets->take(*header, datagram);
  }
  packets->feed_back();
}

const FakePackets& FakeReceiver::packets() const {
  return *connections_.back()->packets();
}

Route FakeReceiver::route(std::vector<BlockRect> blocks) const {
  const Address address = listener_->address();
  return {.receiver = name_,
          .host = address.host,
          .port = address.port,
          .blocks = std::move(blocks),
          .certificate = TcpListener::fingerprint(loop_)};
}

void FakeReceiver::report(uint64_t frame, uint64_t epoch, FrameOutcome outcome,
                          int64_t swapped_ns) {
  connections_.back()->report(frame, epoch, outcome, swapped_ns);
}

void FakeReceiver::send(std::span<const uint8_t> bytes) {
  if (!connections_.empty() && connections_.back()->open()) connections_.back()->send(bytes);
}

void FakeReceiver::drop_connections() {
  connections_.clear();
}

}  // namespace sail
