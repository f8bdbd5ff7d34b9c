#include "sail/media/storage/http/far_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <list>
#include <optional>
#include <utility>

#include "sail/media/storage/reading/loop_thread.h"

namespace sail {
namespace {

constexpr ByteSource::Depth kDepth = {.begin = 16, .most = 32};
constexpr ByteSource::Depth kSftpDepth = {.begin = 8, .most = 8};  // each connection needs a login
// A smaller answer counts as a failure, so that a server that sends single bytes cannot stall a
// read.
constexpr size_t kProgress = 16 << 10;

}  // namespace

int64_t FarTimeouts::pause_after(int failure, std::optional<int64_t> wished_s) const {
  constexpr int64_t kMsASecond = 1000;
  if (wished_s) return std::clamp<int64_t>(*wished_s, 0, most_pause_ms / kMsASecond) * kMsASecond;
  int64_t wait_ms = pause_ms;
  for (int i = 1; i < failure && wait_ms < most_pause_ms; ++i) wait_ms *= 2;
  return std::min(wait_ms, most_pause_ms);
}

// The event loop with its thread, and the reads in flight.
class FarBytes::Host {
 public:
  Host(FarAddress address, const FarTimeouts& timeouts)
      : timeouts_(timeouts), depth_(address.is_sftp() ? kSftpDepth : kDepth) {
    thread_.run(
        [&] { transfers_.emplace(thread_.loop(), std::move(address), timeouts.silence_ms); });
  }
  // No callback runs after this.
  ~Host() {
    thread_.run([this] {
      reads_.clear();
      transfers_.reset();
    });
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Any thread.
  using Learned = std::function<void(Result<FarFilm>)>;
  void learn(const std::string& name, Learned learned) {
    thread_.post([this, name, learned = std::move(learned)]() mutable {
      film_.name = name;
      learned_ = std::move(learned);
      add({.offset = 0, .bytes = first_byte_, .unwanted = nullptr, .done = {}});
    });
  }
  void begin(ByteReads::Job job) {
    thread_.post([this, job = std::move(job)]() mutable { add(std::move(job)); });
  }
  void drop_unwanted() {
    thread_.post([this] {
      for (auto read = reads_.begin(); read != reads_.end();) {
        Read& one = *read++;
        if (one.job.unwanted && *one.job.unwanted) end(one, {});
      }
    });
  }
  void finish() {
    thread_.run([] {});
  }
  uint64_t retries() const { return retries_; }
  Depth depth() const { return depth_; }

 private:
  struct Read {
    ByteReads::Job job;  // without `done`: the first request, which learns size and version
    size_t got = 0;
    int failures = 0;
    std::shared_ptr<CurlTransfers::Transfer> transfer;
    std::optional<Timer> pause;
    std::list<Read>::iterator self;
  };

  void add(ByteReads::Job job) {
    const auto read = reads_.emplace(reads_.end());
    read->self = read;
    read->job = std::move(job);
    ask(*read);
  }

  void ask(Read& read) {
    if (read.job.unwanted && *read.job.unwanted) return end(read, {});
    read.transfer = transfers_->begin(
        {read.job.offset + read.got, read.job.bytes.subspan(read.got), !read.job.done},
        [this, &read](const FarReply& reply) {
          read.job.done ? answered(read, reply) : learn(read, reply);
        });
  }

  void learn(Read& read, const FarReply& reply) {
    auto film = learn_film(film_.name, reply);
    const bool hopeless = judge(film_, 0, reply).kind != FarOutcome::Kind::kRetry ||
                          reply.trouble == FarTrouble::kNoHost;
    if (!film && !hopeless && ++read.failures < timeouts_.failures) return ask_later(read, reply);
    if (film) film_ = *film;
    reads_.erase(read.self);
    std::exchange(learned_, {})(std::move(film));
  }

  void answered(Read& read, const FarReply& reply) {
    const FarOutcome verdict = judge(film_, read.job.offset + read.got, reply);
    if (verdict.kind == FarOutcome::Kind::kFailed) return end(read, *verdict.error);
    const size_t rest = read.job.bytes.size() - read.got;
    read.got += reply.received;
    if (read.got == read.job.bytes.size()) return end(read, {});
    if (reply.received >= std::min(kProgress, rest)) {
      read.failures = 0;
    } else if (++read.failures >= timeouts_.failures) {
      return end(read,
                 verdict.error.value_or(fail(
                     ErrorCode::kIo,
                     fmt::format("cannot read {} at byte {}: the server sent less than requested",
                                 film_.name, read.job.offset + read.got))));
    }
    ask_later(read, reply);
  }

  void ask_later(Read& read, const FarReply& reply) {
    ++retries_;
    const int64_t pause_ms =
        read.failures == 0 ? 0 : timeouts_.pause_after(read.failures, reply.wait_s);
    if (pause_ms == 0) return ask(read);
    if (!read.pause) read.pause.emplace(thread_.loop());
    read.pause->start(pause_ms, 0, [this, &read] { ask(read); });
  }

  void end(Read& read, Result<void> result) {
    const auto done = std::move(read.job.done);
    reads_.erase(read.self);
    if (done) done(std::move(result));
  }

  const FarTimeouts timeouts_;
  const Depth depth_;
  LoopThread thread_;
  // Loop thread only.
  std::optional<CurlTransfers> transfers_;
  std::list<Read> reads_;
  FarFilm film_;
  Learned learned_;
  uint8_t first_byte_[1] = {};

  std::atomic<uint64_t> retries_{0};
};

Result<std::unique_ptr<const ByteSource>> FarBytes::open(const std::string& name,
                                                         FarAddress address, const GiveUp& give_up,
                                                         const FarTimeouts& timeouts) {
  const auto learned = std::make_shared<std::promise<Result<FarFilm>>>();
  auto answer = learned->get_future();
  auto host = std::make_unique<Host>(std::move(address), timeouts);
  host->learn(name, [learned](Result<FarFilm> film) { learned->set_value(std::move(film)); });
  if (!wait_unless_given_up(answer, give_up)) {
    return fail(ErrorCode::kTimeout,
                fmt::format("cannot open {}: gave up waiting for the server", name));
  }
  auto film = answer.get();
  if (!film) return std::move(film.error());
  return std::unique_ptr<const ByteSource>(new FarBytes(std::move(host), std::move(*film)));
}

FarBytes::FarBytes(std::unique_ptr<Host> host, FarFilm film)
    : host_(std::move(host)), film_(std::move(film)) {}

FarBytes::~FarBytes() = default;

Result<void> FarBytes::read(uint64_t offset, std::span<uint8_t> bytes) const {
  return bytes.empty() ? Result<void>() : read_and_wait(*host_, offset, bytes);
}

std::unique_ptr<ByteReads> FarBytes::reads() const {
  return std::make_unique<HostReads<Host>>(*host_);
}

ByteSource::Depth FarBytes::depth() const {
  return host_->depth();
}

}  // namespace sail
