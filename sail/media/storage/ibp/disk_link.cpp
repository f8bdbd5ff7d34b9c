#include "sail/media/storage/ibp/disk_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr const char* kRole = "disk";
constexpr int64_t kTryAgainNs = 150'000'000;

IbpFault fault_of(DiskFault fault) {
  if (fault == DiskFault::kEnds) return IbpFault::kEnds;
  return fault == DiskFault::kPasses ? IbpFault::kPasses : IbpFault::kGone;
}

ErrorCode code_of(DiskFault fault) {
  if (fault == DiskFault::kGone) return ErrorCode::kNotFound;
  if (fault == DiskFault::kEnds) return ErrorCode::kBadData;
  return fault == DiskFault::kRefused ? ErrorCode::kUnauthorized : ErrorCode::kIo;
}

}  // namespace

struct DiskLink::Request {
  uint32_t number = 0;
  std::vector<uint8_t> message;
  std::span<uint8_t> room;
  size_t bytes = 0;  // expected, wanted or not
  Done done;         // empty: cancelled
};

// Held by the caller; its destruction cancels the request.
struct DiskLink::Ticket {
  explicit Ticket(std::shared_ptr<Request> its) : request(std::move(its)) {}
  ~Ticket() {
    request->done = nullptr;
    request->room = {};
  }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  const std::shared_ptr<Request> request;
};

DiskLink::DiskLink(Loop& loop, Address disk, Options options, std::function<void()> on_change)
    : loop_(loop),
      disk_(std::move(disk)),
      options_(std::move(options)),
      on_change_(std::move(on_change)),
      silence_(loop),
      refuse_(loop) {}

// Callbacks may hold tickets of other requests, so drop them before the lists.
DiskLink::~DiskLink() {
  asked_.insert(asked_.end(), waiting_.begin(), waiting_.end());
  asked_.splice(asked_.end(), refused_);
  for (const auto& request : asked_) const Done dropped = std::exchange(request->done, nullptr);
}

std::shared_ptr<void> DiskLink::ask(const DiskMessage& message, std::span<uint8_t> room,
                                    Done done) {
  return put(++number_, message, room, std::move(done));
}

std::shared_ptr<void> DiskLink::go_on(uint32_t number, const DiskMessage& message, Done done) {
  return put(number, message, {}, std::move(done));
}

std::shared_ptr<void> DiskLink::put(uint32_t number, const DiskMessage& message,
                                    std::span<uint8_t> room, Done done) {
  auto request = std::make_shared<Request>(
      Request{number, encode_disk(number, message), room, room.size(), std::move(done)});
  connect();
  if (away_) {
    refused_.push_back(request);
    refuse_.start(0, 0, [this, why = *away_, fault = away_fault_] {
      fail_all(std::exchange(refused_, {}), why, fault);
    });
  } else {
    waiting_.push_back(request);
    send_waiting();
  }
  return std::make_shared<Ticket>(std::move(request));
}

// --- connection ----------------------------------------------------------------------------------

void DiskLink::connect() {
  const int64_t now_ns = steady_now_ns();
  if (connection_ || connecting_ || (away_ && now_ns - tried_ns_ < kTryAgainNs)) return;
  tried_ns_ = now_ns;
  head_bytes_ = 0;
  header_.reset();
  arriving_.reset();
  proof_.reset();
  proved_ = false;
  wait();
  connecting_ = TcpConnection::connect(loop_, disk_,
                                       [this](Result<std::unique_ptr<TcpConnection>> connection) {
                                         connecting_.reset();
                                         if (!connection)
                                           return lose(ErrorCode::kIo, connection.error().message);
                                         greet(std::move(*connection));
                                       },
                                       {.timeout_ms = options_.silence_ms});
  on_change_();
}

void DiskLink::greet(std::unique_ptr<TcpConnection> connection) {
  connection_ = std::move(connection);
  auto key = options_.key ? Result<WallKey>(*options_.key) : key_for(connection_->peer_address());
  if (!key) return lose(ErrorCode::kUnauthorized, key.error().message, IbpFault::kGone);
  DiskAsk ask;
  if (!key->secret.empty()) {
    ask = {random_word(), key->name};
    proof_ = ControlProof{std::move(*key), ask.nonce, "", connection_->binding()};
  }
  connection_->write_copy(encode_disk(0, ask));
  connection_->start_reading(*this);
}

void DiskLink::answer_challenge(const DiskChallenge& challenge) {
  if (!proof_) {
    return lose(ErrorCode::kUnauthorized,
                "the disk server requires the wall's key: set VITRAIL_KEY_FILE", IbpFault::kGone);
  }
  proof_->listener_nonce = challenge.nonce;
  if (!same_text(proof_->of_listener(), challenge.proof)) {
    return lose(ErrorCode::kUnauthorized, "the disk server uses a different key", IbpFault::kGone);
  }
  proved_ = true;
  connection_->write_copy(encode_disk(0, DiskProve{proof_->of_peer(kRole)}));
}

void DiskLink::be_welcome(const DiskWelcome& welcome) {
  if (proof_ && !proved_) {
    return lose(ErrorCode::kUnauthorized, "the disk server has no key, but this program has one",
                IbpFault::kGone);
  }
  welcome_ = welcome;
  away_.reset();
  on_change_();
  send_waiting();
}

void DiskLink::send_waiting() {
  while (welcome_ && connection_ && !waiting_.empty() && asked_.size() < kMaxDiskRequests) {
    const auto request = std::move(waiting_.front());
    waiting_.pop_front();
    if (!request->done) continue;
    if (asked_.empty()) wait();
    asked_.push_back(request);
    connection_->write_copy(request->message);
    request->message = {};
  }
  if (welcome_ && asked_.empty()) silence_.stop();
}

// Restarts the silence timeout.
void DiskLink::wait() {
  progress_ = 0;
  silence_.start(options_.silence_ms, 0,
                 [this] { lose(ErrorCode::kIo, "the disk server stopped responding"); });
}

void DiskLink::lose(ErrorCode code, const std::string& words, IbpFault fault) {
  silence_.stop();
  connecting_.reset();
  connection_.reset();
  arriving_.reset();
  welcome_.reset();
  away_ = fail(code, words);
  away_fault_ = fault;
  on_change_();
  auto lost = std::exchange(asked_, {});
  lost.insert(lost.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  fail_all(lost, fail(code, words), fault);
}

void DiskLink::fail_all(const std::list<std::shared_ptr<Request>>& requests, const Error& error,
                        IbpFault fault) {
  for (const auto& request : requests) {
    if (const Done done = std::exchange(request->done, nullptr)) {
      done({{.received = 0, .error = error, .fault = fault}});
    }
  }
}

// --- received messages ---------------------------------------------------------------------------

std::span<uint8_t> DiskLink::read_buffer() {
  if (!header_) return std::span(head_).subspan(head_bytes_);
  const size_t left = header_->body_bytes - body_bytes_;
  if (header_->type != DiskType::kBytes) return std::span(small_).subspan(body_bytes_);
  if (!arriving_->room.empty()) return arriving_->room.subspan(body_bytes_);
  // The body of a cancelled read is discarded.
  const auto scrap = connection_->shared_read_buffer();
  return scrap.first(std::min(left, scrap.size()));
}

void DiskLink::on_read(size_t bytes) {
  progress_ += bytes;
  if (progress_ >= kLeastProgressBytes) wait();
  if (header_) {
    body_bytes_ += bytes;
  } else {
    head_bytes_ += bytes;
    if (head_bytes_ < head_.size()) return;
    const auto header = decode_disk_header(head_);
    if (!header) return lose(ErrorCode::kBadData, header.error().message);
    header_ = *header;
    begin_body();
    if (!connection_) return;
  }
  if (body_bytes_ == header_->body_bytes) end_message();
}

void DiskLink::on_closed(const Error& error) {
  lose(ErrorCode::kIo, "the connection to the disk server broke: " + error.message);
}

void DiskLink::begin_body() {
  body_bytes_ = 0;
  if (header_->type != DiskType::kBytes) {
    constexpr size_t kLongest = size_t{1} << 10;
    if (header_->body_bytes > kLongest) {
      return lose(ErrorCode::kBadData, "the disk server sent an unexpected message");
    }
    small_.resize(header_->body_bytes);
    return;
  }
  arriving_ = due(header_->number);
  if (!arriving_ || arriving_->bytes != header_->body_bytes) {
    lose(ErrorCode::kBadData, "the disk server sent bytes that were not requested");
  }
}

void DiskLink::end_message() {
  const DiskHeader header = *std::exchange(header_, std::nullopt);
  head_bytes_ = 0;
  wait();
  if (const auto whole = std::exchange(arriving_, nullptr)) {
    return finish(whole, {{.received = whole->bytes, .error = {}}});
  }
  const auto message = decode_disk(header.type, small_);
  if (!message) return lose(ErrorCode::kBadData, message.error().message);
  const bool in = welcome_.has_value();
  if (const auto* challenge = std::get_if<DiskChallenge>(&*message); challenge && !in && !proved_) {
    return answer_challenge(*challenge);
  }
  if (const auto* welcome = std::get_if<DiskWelcome>(&*message); welcome && !in) {
    return be_welcome(*welcome);
  }
  if (const auto* failed = std::get_if<DiskFailed>(&*message)) {
    if (!in || header.number == 0) {
      return lose(code_of(failed->fault), failed->text, fault_of(failed->fault));
    }
  }
  answered(header.number, *message);
}

void DiskLink::answered(uint32_t number, const DiskMessage& message) {
  const auto request = due(number);
  const auto* failed = std::get_if<DiskFailed>(&message);
  const auto* stored = std::get_if<DiskStored>(&message);
  if (!request || (!failed && (!stored || request->bytes > 0))) {
    return lose(ErrorCode::kBadData, "the disk server answered an unknown request");
  }
  if (failed) {
    return finish(request, {{.received = 0,
                             .error = fail(code_of(failed->fault), failed->text),
                             .fault = fault_of(failed->fault)}});
  }
  finish(request, {{}, *stored});
}

std::shared_ptr<DiskLink::Request> DiskLink::due(uint32_t number) const {
  const auto found =
      std::ranges::find_if(asked_, [&](const auto& one) { return one->number == number; });
  return found == asked_.end() ? nullptr : *found;
}

void DiskLink::finish(const std::shared_ptr<Request>& request, const DiskAnswer& answer) {
  asked_.remove(request);
  const Done done = std::exchange(request->done, nullptr);
  send_waiting();
  if (done) done(answer);
}

}  // namespace sail
