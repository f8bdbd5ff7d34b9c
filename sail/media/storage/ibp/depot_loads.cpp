#include "sail/media/storage/ibp/depot_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/socket/tcp.h"

namespace sail {
namespace {

constexpr int64_t kMsPerSecond = 1000;

}  // namespace

struct Depot;

// An idle connection between two LOADs. Destroyed when the depot closes it.
class KeptConnection : public TcpReader {
 public:
  KeptConnection(Depot& depot, std::unique_ptr<TcpConnection> connection)
      : depot_(depot), connection_(std::move(connection)) {
    connection_->start_reading(*this);
  }

  std::unique_ptr<TcpConnection> take() {
    connection_->stop_reading();
    return std::move(connection_);
  }

  std::span<uint8_t> read_buffer() override { return connection_->shared_read_buffer(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override;

 private:
  Depot& depot_;
  std::unique_ptr<TcpConnection> connection_;
};

struct Depot {
  int version = 0;
  bool version_known = false;
  std::optional<bool> keeps_connections;  // empty: not known yet
  std::vector<std::unique_ptr<KeptConnection>> kept;

  void drop(const KeptConnection& one) {
    std::erase_if(kept, [&](const auto& other) { return other.get() == &one; });
  }
};

// Unsolicited data: drop the connection.
void KeptConnection::on_read(size_t /*bytes*/) {
  depot_.drop(*this);
}

void KeptConnection::on_closed(const Error& /*error*/) {
  if (!depot_.keeps_connections) depot_.keeps_connections = false;
  depot_.drop(*this);
}

struct DepotLoads::Depots {
  Loop& loop;
  int64_t silence_ms;
  std::map<std::pair<std::string, uint16_t>, Depot> all;
};

class DepotLoads::Load : public TcpReader {
 public:
  Load(Depots& depots, const IbpCapability& from, IbpPart part, std::span<uint8_t> bytes, Done done)
      : depots_(depots),
        depot_(depots.all[{from.depot.host, from.depot.port}]),
        from_(from),
        part_(part),
        bytes_(bytes),
        done_(std::move(done)),
        silence_(depots.loop) {
    start();
  }
  ~Load() override = default;

  std::span<uint8_t> read_buffer() override {
    if (!reply_) return std::span(head_).subspan(head_bytes_);
    return bytes_.first(coming_).subspan(received_);
  }

  void on_read(size_t bytes) override {
    progress_ += bytes;
    if (!reply_) {
      head_bytes_ += bytes;
      return take_head();
    }
    received_ += bytes;
    if (received_ == coming_) return end_whole();
    if (progress_ >= kLeastProgressBytes) wait();
  }

  void on_closed(const Error& error) override {
    connection_.reset();
    if (head_bytes_ == 0 && used_before_) {
      // The depot closed the idle connection while the request was in transit.
      if (!depot_.keeps_connections) depot_.keeps_connections = false;
      return start();
    }
    if (head_bytes_ == 0 && try_other_version()) return;
    fail_with(ErrorCode::kIo, head_bytes_ == 0
                                  ? "the depot closed the connection without an answer"
                                  : "the connection to the depot broke: " + error.message);
  }

 private:
  void start() {
    head_bytes_ = 0;
    wait();
    used_before_ = !depot_.kept.empty() && depot_.keeps_connections.value_or(true);
    if (used_before_) {
      auto connection = depot_.kept.back()->take();
      depot_.kept.pop_back();
      return ask(std::move(connection));
    }
    // Depots have no TLS, on any host.
    connecting_ = TcpConnection::connect(depots_.loop, from_.depot,
                                         [this](Result<std::unique_ptr<TcpConnection>> connection) {
                                           if (connection) return ask(std::move(*connection));
                                           fail_with(connection.error().code == ErrorCode::kNotFound
                                                         ? ErrorCode::kNotFound
                                                         : ErrorCode::kIo,
                                                     connection.error().message);
                                         },
                                         {.timeout_ms = depots_.silence_ms, .tls = TlsUse::kNever});
  }

  void ask(std::unique_ptr<TcpConnection> connection) {
    connection_ = std::move(connection);
    version_ = depot_.version;
    const int64_t timeout_s = std::max<int64_t>(1, depots_.silence_ms / kMsPerSecond);
    const std::string line = load_line(version_, from_, part_, timeout_s);
    connection_->write_copy({reinterpret_cast<const uint8_t*>(line.data()), line.size()});
    connection_->start_reading(*this);
  }

  // Restarts the silence timeout.
  void wait() {
    progress_ = 0;
    silence_.start(depots_.silence_ms, 0, [this] {
      fail_with(ErrorCode::kIo, fmt::format("almost no data received from the depot for {} s",
                                            static_cast<double>(depots_.silence_ms) /
                                                static_cast<double>(kMsPerSecond)));
    });
  }

  void take_head() {
    const std::string_view head(reinterpret_cast<const char*>(head_.data()), head_bytes_);
    const size_t end = head.find('\n');
    if (end == std::string_view::npos) {
      if (head_bytes_ == head_.size()) fail_with(ErrorCode::kBadData, kNoAnswer);
      return;
    }
    reply_ = parse_load_reply(head.substr(0, end));
    if (!reply_) return fail_with(ErrorCode::kBadData, kNoAnswer);
    if (reply_->status != kIbpOk) return refused(reply_->status);
    depot_.version_known = true;
    if (used_before_) depot_.keeps_connections = true;
    const auto begun = std::span(head_).first(head_bytes_).subspan(end + 1);
    if (reply_->bytes > bytes_.size() || begun.size() > reply_->bytes) {
      return fail_with(ErrorCode::kBadData, "the depot sent more than requested");
    }
    coming_ = static_cast<size_t>(reply_->bytes);
    std::ranges::copy(begun, bytes_.begin());
    received_ = begun.size();
    if (received_ == coming_) return end_whole();
    connection_->acknowledge_now();
    wait();
  }

  void refused(int status) {
    const IbpFault fault = fault_of(status);
    if (fault == IbpFault::kVersion && try_other_version()) return;
    const ErrorCode code = fault == IbpFault::kGone   ? ErrorCode::kNotFound
                           : fault == IbpFault::kEnds ? ErrorCode::kBadData
                                                      : ErrorCode::kIo;
    fail_with(code, ibp_words(status), fault);
  }

  bool try_other_version() {
    if (depot_.version_known || std::exchange(tried_other_, true)) return false;
    connection_.reset();
    reply_.reset();
    depot_.version = 1 - version_;
    start();
    return true;
  }

  void end_whole() {
    if (depot_.keeps_connections.value_or(true)) {
      connection_->stop_reading();
      depot_.kept.push_back(
          std::make_unique<KeptConnection>(depot_, std::exchange(connection_, nullptr)));
    }
    if (received_ < bytes_.size()) {
      return fail_with(ErrorCode::kBadData, "the allocation ends before the requested bytes",
                       IbpFault::kEnds);
    }
    finish({});
  }

  void fail_with(ErrorCode code, const std::string& words, IbpFault fault = IbpFault::kPasses) {
    finish({.received = 0, .error = fail(code, words), .fault = fault});
  }

  // May destroy this object.
  void finish(LoadOutcome outcome) {
    outcome.received = received_;
    silence_.stop();
    connecting_.reset();
    connection_.reset();
    const Done done = std::move(done_);
    done(outcome);
  }

  static constexpr const char* kNoAnswer = "the depot's answer is not valid IBP";

  Depots& depots_;
  Depot& depot_;
  const IbpCapability& from_;
  const IbpPart part_;
  const std::span<uint8_t> bytes_;
  Done done_;
  Timer silence_;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> connection_;
  bool used_before_ = false;  // the connection served another LOAD before
  bool tried_other_ = false;
  int version_ = 0;
  std::array<uint8_t, kLongestIbpReply> head_{};
  size_t head_bytes_ = 0;
  std::optional<IbpReply> reply_;
  size_t coming_ = 0;
  size_t received_ = 0;
  size_t progress_ = 0;
};

DepotLoads::DepotLoads(Loop& loop, int64_t silence_ms)
    : depots_(new Depots{loop, silence_ms, {}}) {}

DepotLoads::~DepotLoads() = default;

std::shared_ptr<DepotLoads::Load> DepotLoads::begin(const IbpCapability& from, uint64_t offset,
                                                    std::span<uint8_t> bytes, Done done) {
  return std::make_shared<Load>(*depots_, from, IbpPart{offset, bytes.size()}, bytes,
                                std::move(done));
}

}  // namespace sail
