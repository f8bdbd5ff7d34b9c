#include "sail/media/storage/gluster/gluster_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <thread>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/storage/gluster/gluster_file.h"
#include "sail/media/storage/reading/host_reads.h"
#include "sail/media/storage/reading/loop_thread.h"

namespace sail {
namespace {

constexpr size_t kMostAsked = 64;  // in flight, including cancelled reads

// The reads in flight, with an event loop and its thread. The thread outlives this object until
// late answers of cancelled reads have arrived.
class GlusterHost {
 public:
  GlusterHost(std::string name, std::shared_ptr<GlusterFile> file)
      : name_(std::move(name)), file_(std::move(file)) {}
  // No callback runs after this.
  ~GlusterHost() {
    thread_->run([this] { self_.reset(); });
  }
  GlusterHost(const GlusterHost&) = delete;
  GlusterHost& operator=(const GlusterHost&) = delete;

  // Any thread.
  void begin(ByteReads::Job job) {
    thread_->post([this, job = std::move(job)]() mutable {
      reads_.push_back(std::make_shared<Read>(Read{std::move(job)}));
      hand_out();
    });
  }
  void drop_unwanted() {
    thread_->post([this] { end_unwanted(); });
  }
  void settle() {
    thread_->run([] {});
  }
  uint64_t retries() const { return 0; }
  const std::string& name() const { return name_; }
  uint64_t size() const { return file_->size(); }

 private:
  struct Read {
    ByteReads::Job job;
    size_t got = 0;
    bool asked = false;
  };
  // Holds everything that an answer needs even if its read or the host is gone.
  struct Call {
    std::shared_ptr<GlusterFile> file;
    std::shared_ptr<LoopThread> thread;
    std::weak_ptr<GlusterHost*> host;
    std::weak_ptr<Read> read;
    std::unique_ptr<uint8_t[]> memory;
  };

  void hand_out() {
    end_unwanted();
    for (const auto& read : reads_) {
      if (asked_ == kMostAsked) return;
      if (!read->asked) ask(read);
    }
  }

  void ask(const std::shared_ptr<Read>& read) {
    ++asked_;
    read->asked = true;
    const size_t count = read->job.bytes.size() - read->got;
    const auto call = std::make_shared<Call>(
        Call{file_, thread_, self_, read, std::make_unique_for_overwrite<uint8_t[]>(count)});
    file_->read(read->job.offset + read->got, {call->memory.get(), count},
                [call](Result<size_t> got) {
                  // Move the reference into the callback: otherwise the loop thread might drop the
                  // last one and join itself.
                  const auto thread = std::move(call->thread);
                  thread->post([call, got = std::move(got)] {
                    if (const auto host = call->host.lock()) (*host)->answered(*call, got);
                  });
                });
  }

  void answered(const Call& call, const Result<size_t>& got) {
    --asked_;
    if (const auto read = call.read.lock()) take(*read, call.memory.get(), got);
    hand_out();
  }

  void take(Read& read, const uint8_t* memory, const Result<size_t>& got) {
    read.asked = false;
    if (!got) return end(read, error_at(read, got.error()));
    if (*got == 0) return end(read, error_at(read, {ErrorCode::kBadData, "the file ends there"}));
    const size_t some = std::min(*got, read.job.bytes.size() - read.got);
    std::memcpy(read.job.bytes.data() + read.got, memory, some);
    read.got += some;
    if (read.got == read.job.bytes.size()) end(read, {});
  }

  void end_unwanted() {
    for (auto next = reads_.begin(); next != reads_.end();) {
      Read& read = **next++;
      if (read.job.unwanted && *read.job.unwanted) end(read, {});
    }
  }

  Error error_at(const Read& read, const Error& why) const {
    return fail(why.code, fmt::format("cannot read {} at byte {}: {}", name_,
                                      read.job.offset + read.got, why.message));
  }

  void end(const Read& read, Result<void> result) {
    const auto place =
        std::ranges::find_if(reads_, [&](const auto& one) { return one.get() == &read; });
    const auto ended = *place;
    reads_.erase(place);
    ended->job.done(std::move(result));
  }

  const std::string name_;
  const std::shared_ptr<GlusterFile> file_;
  const std::shared_ptr<LoopThread> thread_ = std::make_shared<LoopThread>();
  // Loop thread only.
  std::shared_ptr<GlusterHost*> self_ = std::make_shared<GlusterHost*>(this);
  std::list<std::shared_ptr<Read>> reads_;
  size_t asked_ = 0;
};

class GlusterBytes : public ByteSource {
 public:
  explicit GlusterBytes(std::unique_ptr<GlusterHost> host) : host_(std::move(host)) {}

  const std::string& name() const override { return host_->name(); }
  Result<uint64_t> size() const override { return host_->size(); }
  Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override {
    return bytes.empty() ? Result<void>() : read_and_wait(*host_, offset, bytes);
  }
  std::unique_ptr<ByteReads> reads() const override {
    return std::make_unique<HostReads<GlusterHost>>(*host_);
  }
  Depth depth() const override { return {.begin = 16, .most = 32}; }

 private:
  const std::unique_ptr<GlusterHost> host_;
};

}  // namespace

Result<std::unique_ptr<const ByteSource>> open_gluster(const std::string& uri,
                                                       const GiveUp& give_up, int64_t patience_ms) {
  auto address = parse_file_address(uri, kGluster);
  if (!address) return std::move(address.error());
  // libgfapi's open cannot be cancelled: a detached thread waits for it.
  const auto opened = std::make_shared<std::promise<Result<std::shared_ptr<GlusterFile>>>>();
  auto answer = opened->get_future();
  std::thread([opened, uri, address = std::move(*address)] {
    opened->set_value(GlusterFile::open(uri, address));
  }).detach();
  const int64_t until_ns = steady_now_ns() + patience_ms * kMillisecondNs;
  bool silent = false;
  const auto give_up_at_last = [&] {
    silent = steady_now_ns() > until_ns;
    return silent || (give_up && give_up());
  };
  if (!wait_unless_given_up(answer, give_up_at_last)) {
    return silent ? fail(ErrorCode::kIo, fmt::format("cannot open {}: the server is silent", uri))
                  : fail(ErrorCode::kTimeout, fmt::format("cannot open {}: given up", uri));
  }
  auto file = answer.get();
  if (!file) return std::move(file.error());
  return std::make_unique<const GlusterBytes>(std::make_unique<GlusterHost>(uri, std::move(*file)));
}

}  // namespace sail
