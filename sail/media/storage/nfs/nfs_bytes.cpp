#include "sail/media/storage/nfs/nfs_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <future>
#include <list>
#include <optional>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/storage/nfs/nfs_file.h"
#include "sail/media/storage/reading/file_address.h"
#include "sail/media/storage/reading/loop_thread.h"

namespace sail {
namespace {

constexpr size_t kMostAsked = 64;  // in flight, including cancelled reads

// The event loop with its thread, and the reads in flight.
class NfsHost {
 public:
  NfsHost(std::string name, FileAddress address, const FarTimeouts& timeouts)
      : name_(std::move(name)), address_(std::move(address)), timeouts_(timeouts) {
    thread_.run([this] {
      pause_.emplace(thread_.loop());
      silence_.emplace(thread_.loop());
      const int64_t often_ms = std::max<int64_t>(timeouts_.silence_ms / 4, 1);
      silence_->start(often_ms, often_ms, [this] { end_silence(); });
    });
  }
  // No callback runs after this.
  ~NfsHost() {
    thread_.run([this] {
      reads_.clear();
      file_.reset();
      pause_.reset();
      silence_.reset();
    });
  }
  NfsHost(const NfsHost&) = delete;
  NfsHost& operator=(const NfsHost&) = delete;

  // Any thread.
  using Learned = std::function<void(Result<uint64_t>)>;
  void learn_size(Learned learned) {
    thread_.post([this, learned = std::move(learned)]() mutable {
      learned_ = std::move(learned);
      connect();
    });
  }
  void begin(ByteReads::Job job) {
    thread_.post([this, job = std::move(job)]() mutable {
      reads_.push_back(std::make_shared<Read>(std::move(job)));
      if (!file_ && !pausing_) return connect();
      hand_out();
    });
  }
  void drop_unwanted() {
    thread_.post([this] { end_unwanted(); });
  }
  void finish() {
    thread_.run([] {});
  }
  uint64_t retries() const { return retries_; }
  const std::string& name() const { return name_; }

 private:
  struct Read {
    explicit Read(ByteReads::Job wanted) : job(std::move(wanted)) {}

    ByteReads::Job job;
    size_t got = 0;
    int failures = 0;  // consecutive failures
    bool asked = false;
  };

  void connect() {
    pausing_ = open_ = false;
    asked_ = 0;
    for (const auto& read : reads_) read->asked = false;
    begun_ns_ = steady_now_ns();
    file_.reset();
    file_.emplace(
        thread_.loop(), address_, [this](const NfsFile::Version& version) { opened(version); },
        [this](const NfsFailure& failure) { broken(failure); });
  }

  void opened(const NfsFile::Version& version) {
    if (version_ && version != *version_) {
      constexpr const char* kChanged = "the file has changed since it was opened";
      pause_->start(0, 0, [this] { broken({ErrorCode::kConflict, kChanged}); });
      return;
    }
    version_ = version;
    open_ = true;
    if (learned_) std::exchange(learned_, {})(version.size);
    hand_out();
  }

  void hand_out() {
    end_unwanted();
    for (const auto& read : reads_) {
      if (!open_ || pausing_ || asked_ == kMostAsked) return;
      if (!read->asked) ask(read);
    }
  }

  void ask(const std::shared_ptr<Read>& read) {
    if (asked_++ == 0) begun_ns_ = steady_now_ns();
    read->asked = true;
    const size_t count = std::min(read->job.bytes.size() - read->got, NfsFile::kMostBytes);
    file_->read(read->job.offset + read->got, count,
                [this, asked = std::weak_ptr(read)](const auto& bytes) {
                  --asked_;
                  if (const auto wanted = asked.lock()) answered(*wanted, bytes);
                  hand_out();
                });
  }

  void answered(Read& read, const Expected<std::span<const uint8_t>, NfsFailure>& bytes) {
    read.asked = false;
    if (!bytes) {
      if (bytes.error().code || ++read.failures >= timeouts_.failures) {
        return end(read, error_at(read, bytes.error()));
      }
      return restart(read.failures);
    }
    if (bytes->empty()) {
      return end(read, error_at(read, {ErrorCode::kBadData, "the file has become shorter"}));
    }
    std::memcpy(read.job.bytes.data() + read.got, bytes->data(), bytes->size());
    read.got += bytes->size();
    read.failures = failures_ = 0;
    if (read.got == read.job.bytes.size()) end(read, {});
  }

  // Reconnects: the server may have invalidated the open file, as after an expired lease.
  void restart(int failures) {
    if (pausing_) return;
    pausing_ = true;
    ++retries_;
    pause_->start(timeouts_.pause_after(failures, {}), 0, [this] { connect(); });
  }

  // Must not be called from within an answer.
  void broken(const NfsFailure& failure) {
    file_.reset();
    open_ = false;
    asked_ = 0;
    if (!failure.code && ++failures_ < timeouts_.failures) {
      // Otherwise the next read reconnects.
      if (learned_ || !reads_.empty()) restart(failures_);
      return;
    }
    failures_ = 0;
    const ErrorCode code = failure.code.value_or(ErrorCode::kIo);
    if (learned_) {
      std::exchange(learned_,
                    {})(fail(code, fmt::format("cannot open {}: {}", name_, failure.words)));
    }
    while (!reads_.empty()) end(*reads_.front(), error_at(*reads_.front(), failure));
  }

  void end_silence() {
    const bool waiting = file_ && !pausing_ && (!open_ || asked_ > 0);
    if (!waiting) return;
    const int64_t heard_ns = std::max(begun_ns_, file_->heard_ns());
    if (steady_now_ns() - heard_ns < timeouts_.silence_ms * kMillisecondNs) return;
    broken({{}, "the server stopped responding"});
  }

  void end_unwanted() {
    for (auto next = reads_.begin(); next != reads_.end();) {
      Read& read = **next++;
      if (read.job.unwanted && *read.job.unwanted) end(read, {});
    }
  }

  Error error_at(const Read& read, const NfsFailure& failure) const {
    return fail(failure.code.value_or(ErrorCode::kIo),
                fmt::format("cannot read {} at byte {}: {}", name_, read.job.offset + read.got,
                            failure.words));
  }

  void end(const Read& read, Result<void> result) {
    const auto place =
        std::ranges::find_if(reads_, [&](const auto& one) { return one.get() == &read; });
    const auto ended = *place;
    reads_.erase(place);
    ended->job.done(std::move(result));
  }

  const std::string name_;
  const FileAddress address_;
  const FarTimeouts timeouts_;
  LoopThread thread_;
  // Loop thread only.
  std::list<std::shared_ptr<Read>> reads_;
  Learned learned_;
  std::optional<NfsFile::Version> version_;
  std::optional<NfsFile> file_;
  bool open_ = false;
  bool pausing_ = false;
  size_t asked_ = 0;
  int failures_ = 0;  // consecutive failures of the connection without progress
  int64_t begun_ns_ = 0;
  std::optional<Timer> pause_;
  std::optional<Timer> silence_;

  std::atomic<uint64_t> retries_{0};
};

class NfsBytes : public ByteSource {
 public:
  NfsBytes(std::unique_ptr<NfsHost> host, uint64_t size) : host_(std::move(host)), size_(size) {}

  const std::string& name() const override { return host_->name(); }
  Result<uint64_t> size() const override { return size_; }
  Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override {
    return bytes.empty() ? Result<void>() : read_and_wait(*host_, offset, bytes);
  }
  std::unique_ptr<ByteReads> reads() const override {
    return std::make_unique<HostReads<NfsHost>>(*host_);
  }
  Depth depth() const override { return {.begin = 16, .most = 32}; }

 private:
  const std::unique_ptr<NfsHost> host_;
  const uint64_t size_;
};

}  // namespace

Result<std::unique_ptr<const ByteSource>> open_nfs(const std::string& uri, const GiveUp& give_up,
                                                   const FarTimeouts& timeouts) {
  auto address = parse_file_address(uri);
  if (!address) return std::move(address.error());
  const auto learned = std::make_shared<std::promise<Result<uint64_t>>>();
  auto answer = learned->get_future();
  auto host = std::make_unique<NfsHost>(uri, std::move(*address), timeouts);
  host->learn_size([learned](Result<uint64_t> size) { learned->set_value(std::move(size)); });
  if (!wait_unless_given_up(answer, give_up)) {
    return fail(ErrorCode::kTimeout,
                fmt::format("cannot open {}: gave up waiting for the server", uri));
  }
  const auto size = answer.get();
  if (!size) return size.error();
  return std::make_unique<const NfsBytes>(std::move(host), *size);
}

}  // namespace sail
