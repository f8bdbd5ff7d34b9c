#include "sail/apps/server/disk/disk_session.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

using sail::DiskFault;
using sail::DiskType;
using sail::ErrorCode;
using sail::Result;

constexpr const char* kRole = "disk";
constexpr size_t kMostOpen = 64;  // open parts per session; idle ones are closed beyond that
// Enough for the answers to as many requests as may be in flight. A client with more unsent answers
// does not read them.
constexpr size_t kMostUnsent =
    sail::kMaxDiskRequests * (sail::kMaxDiskBytes + sail::kDiskHeaderBytes);
constexpr int64_t kCloseMs = 1000;

DiskFault fault_of(ErrorCode code) {
  if (code == ErrorCode::kNotFound) return DiskFault::kGone;
  return code == ErrorCode::kBadData ? DiskFault::kEnds : DiskFault::kPasses;
}

}  // namespace

// One read. Exists until its bytes are sent.
struct DiskSession::Reading {
  std::shared_ptr<StreamBytes> stream;
  std::shared_ptr<std::atomic<bool>> unwanted;
  std::vector<uint8_t> memory;
  std::array<uint8_t, sail::kDiskHeaderBytes> head{};
};

DiskSession::DiskSession(Host& host, uint64_t id, std::unique_ptr<sail::TcpConnection> connection,
                         int64_t hello_ms)
    : host_(host),
      id_(id),
      connection_(std::move(connection)),
      peer_(connection_->peer_address()),
      timer_(host.loop),
      stores_(
          host.loop, host.folder,
          [this](uint32_t number, const Result<sail::DiskStored>& stored) {
            stored ? answer(number, *stored) : fail(number, stored.error());
          },
          [this] { host_.on_kept(); }) {
  timer_.start(hello_ms, 0, [this] { end("authentication timeout"); });
}

DiskSession::~DiskSession() {
  *unwanted_ = true;
  for (const auto& [name, part] : parts_) {
    if (part.bytes) part.bytes->drop_unwanted();
  }
}

void DiskSession::begin() {
  connection_->start_reading(*this);
}

// --- messages ------------------------------------------------------------------------------------

std::span<uint8_t> DiskSession::read_buffer() {
  if (!header_) return std::span(head_).subspan(head_bytes_);
  return std::span(body_).subspan(body_bytes_);
}

void DiskSession::on_read(size_t bytes) {
  if (header_) {
    body_bytes_ += bytes;
  } else {
    head_bytes_ += bytes;
    if (head_bytes_ < head_.size()) return;
    const auto header = sail::decode_disk_header(head_);
    if (!header) return refuse(header.error().message);
    const bool first = header->type == DiskType::kAsk || header->type == DiskType::kProve;
    if (!in_ && !first)
      return refuse("not authenticated: the client must prove the wall's key first");
    header_ = *header;
    body_.resize(header->body_bytes);
    body_bytes_ = 0;
  }
  if (body_bytes_ < body_.size()) return;
  head_bytes_ = 0;
  take(*std::exchange(header_, std::nullopt));
}

void DiskSession::on_closed(const sail::Error& error) {
  end(error.message);
}

void DiskSession::take(const sail::DiskHeader& header) {
  auto message = sail::decode_disk(header.type, body_);
  if (!message) return refuse(message.error().message);
  if (!in_) return take_first(*message);
  if (header.number == 0) return refuse("request numbers start at 1");
  if (++requests_ > sail::kMaxDiskRequests) return refuse("too many requests in flight");
  if (connection_->unsent_bytes() > kMostUnsent)
    return refuse("the client does not read its answers");
  if (auto* read = std::get_if<sail::DiskRead>(&*message)) {
    begin_read(header.number, std::move(*read));
  } else if (const auto* wanted = std::get_if<sail::DiskStore>(&*message)) {
    if (!stores_.begin(header.number, wanted->part)) {
      refuse("too many parts are being written, or the number is in use");
    }
  } else if (const auto* keep = std::get_if<sail::DiskKeep>(&*message)) {
    stores_.keep(header.number, keep->bytes);
  } else if (header.type == DiskType::kWrite) {
    stores_.write(header.number, std::exchange(body_, {}));
  } else {
    refuse("this message is not a request to a disk server");
  }
}

void DiskSession::answer(uint32_t number, const sail::DiskMessage& message) {
  if (number > 0) --requests_;
  if (connection_) connection_->write_copy(sail::encode_disk(number, message));
}

void DiskSession::fail(uint32_t number, const sail::Error& error) {
  answer(number, sail::DiskFailed{fault_of(error.code), error.message});
}

// Ends the session: the client's later messages are ignored.
void DiskSession::refuse(const std::string& why, int64_t delay_ms) {
  connection_->stop_reading();
  timer_.start(delay_ms, 0, [this, why] {
    connection_->write_copy(sail::encode_disk(0, sail::DiskFailed{DiskFault::kRefused, why}));
    sail::TcpConnection::close_after_writes(std::move(connection_), kCloseMs);
    end(why);
  });
}

void DiskSession::end(const std::string& why) {
  host_.on_over(id_, why);
}

// --- authentication ------------------------------------------------------------------------------

void DiskSession::take_first(const sail::DiskMessage& message) {
  if (const auto* ask = std::get_if<sail::DiskAsk>(&message)) return answer_ask(*ask);
  const auto& prove = std::get<sail::DiskProve>(message);
  if (!challenge_) return refuse("key proof received without a challenge");
  const bool right = sail::same_text(prove.proof, challenge_->of_peer(kRole));
  const auto judged =
      host_.guard.judge(right ? sail::KeyGuard::Proof::kRight : sail::KeyGuard::Proof::kWrong,
                        peer_.host, sail::steady_now_ns());
  if (judged.wrong) return refuse(judged.wrong->message, judged.delay_ms);
  let_in(challenge_->key.name);
}

void DiskSession::answer_ask(const sail::DiskAsk& ask) {
  if (challenge_) return refuse("the challenge was requested twice");
  if (host_.guard.allows_everybody()) return let_in("");
  if (ask.nonce.empty()) {
    const auto judged =
        host_.guard.judge(sail::KeyGuard::Proof::kNone, peer_.host, sail::steady_now_ns());
    return refuse(judged.wrong->message, judged.delay_ms);
  }
  challenge_ = {sail::key_named(host_.guard.key(), ask.key), ask.nonce, sail::random_word(),
                connection_->binding()};
  answer(0, sail::DiskChallenge{challenge_->listener_nonce, challenge_->of_listener()});
}

void DiskSession::let_in(const std::string& key) {
  if (sail::right_of(key) != sail::Right::kAdmin) {
    return refuse(fmt::format("the key '{}' does not allow access to disk servers", key));
  }
  if (auto admitted = host_.admit(); !admitted) return refuse(admitted.error().message);
  timer_.stop();
  in_ = true;
  answer(0, host_.welcome());
}

// --- reading -------------------------------------------------------------------------------------

void DiskSession::begin_read(uint32_t number, sail::DiskRead read) {
  if (parts_.size() >= kMostOpen && !parts_.contains(read.part)) {
    std::erase_if(parts_, [](const auto& one) {
      return one.second.bytes && one.second.bytes.use_count() == 1;
    });
  }
  Part& part = parts_[read.part];
  if (part.bytes) return read_part(number, read, part);
  const std::string name = read.part;
  part.waiting.push_back({number, std::move(read)});
  if (part.opening) return;
  using Opened = Result<std::unique_ptr<StreamBytes>>;
  const auto bytes = std::make_shared<Opened>(std::unique_ptr<StreamBytes>());
  part.opening = sail::in_background(
      host_.loop,
      [bytes, name, folder = host_.folder, storage = host_.storage] {
        const auto found = find_part(folder, name);
        *bytes = found ? storage->open(part_path(folder, name)) : Opened(found.error());
      },
      [this, bytes, name] {
        Part& its = parts_.at(name);
        its.opening.reset();
        const auto waiting = std::exchange(its.waiting, {});
        if (*bytes) its.bytes = std::move(**bytes);
        for (const Wanted& one : waiting) {
          *bytes ? read_part(one.number, one.read, its) : fail(one.number, bytes->error());
        }
        if (!*bytes) parts_.erase(name);
      });
}

void DiskSession::read_part(uint32_t number, const sail::DiskRead& read, const Part& part) {
  auto reading =
      std::make_shared<Reading>(Reading{part.bytes, unwanted_, std::vector<uint8_t>(read.bytes)});
  const std::span<uint8_t> room = reading->memory;
  const auto* unwanted = reading->unwanted.get();
  part.bytes->begin({read.offset, room, unwanted,
                     [&loop = host_.loop, self = weak_from_this(), number,
                      reading = std::move(reading)](Result<void> done) mutable {
                       // post() moves the references, so that the last one is dropped on the loop
                       // thread.
                       loop.post([self = std::move(self), number, reading = std::move(reading),
                                  done = std::move(done)] {
                         if (const auto session = self.lock()) {
                           session->read_done(number, reading, done);
                         }
                       });
                     }});
}

void DiskSession::read_done(uint32_t number, const std::shared_ptr<Reading>& reading,
                            const Result<void>& read) {
  if (!connection_) return;
  if (!read) return fail(number, read.error());
  --requests_;
  reading->stream.reset();
  reading->head = sail::disk_bytes_head(number, reading->memory.size());
  const std::span<const uint8_t> parts[] = {reading->head, reading->memory};
  connection_->write(parts, [reading](bool) {});
}

}  // namespace server
