#include "sail/apps/server/playout/placer.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <utility>

#include "sail/apps/server/catalogue/placed_film.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"
#include "sail/media/storage/ibp/disk_links.h"
#include "sail/media/vmov/vmov_format.h"

namespace server {
namespace {

using sail::DiskAnswer;
using sail::DiskLink;
using sail::ErrorCode;
using sail::Result;

// A disk server sends nothing while it syncs a part to disk.
constexpr int64_t kSilenceMs = 60'000;
constexpr size_t kUnitsUnderWay = 4;

// A part being written.
struct Lane {
  sail::DiskPart part;
  uint32_t number = 0;  // number of the store request
  uint64_t bytes = 0;   // final size
  sail::DiskStored there{};
};

// Sends requests to disk servers on the links' thread, and waits for answers.
class Asking {
 public:
  Asking(const DiskLink::Options& options, const std::atomic<bool>& ending)
      : links_(options), ending_(ending) {}

  using Answered = std::future<DiskAnswer>;
  // what: sends the request on that link. Called on the links' thread.
  template <typename What>
  Answered ask(const sail::Address& disk, What what) {
    struct Waiting {
      std::promise<DiskAnswer> promise;
      std::shared_ptr<void> ticket;  // keeps the request alive until its answer
    };
    const auto waiting = std::make_shared<Waiting>();
    auto answer = waiting->promise.get_future();
    links_.thread().post([this, disk, what = std::move(what), waiting] {
      waiting->ticket = what(links_.link(disk), [waiting](const DiskAnswer& told) {
        waiting->promise.set_value(told);
      });
    });
    return answer;
  }

  Result<sail::DiskStored> wait_for(const Lane& lane, Answered& answer) const {
    if (!sail::wait_unless_given_up(answer, [this] { return ending_.load(); })) {
      return sail::fail(ErrorCode::kUnavailable, "this server is shutting down");
    }
    const DiskAnswer told = answer.get();
    if (!told.outcome.error) return told.stored;
    return sail::fail(told.outcome.error->code,
                      fmt::format("disk server {}: {}", sail::address_text(lane.part.disk),
                                  told.outcome.error->message));
  }

 private:
  sail::DiskLinks links_;
  const std::atomic<bool>& ending_;
};

// Copies one film.
class Copying {
 public:
  Copying(PlacePlan plan, const sail::ByteSource& film, const DiskLink::Options& options,
          const std::atomic<bool>& ending)
      : plan_(std::move(plan)), film_(film), ending_(ending), asking_(options, ending) {}

  Result<void> run() {
    for (size_t i = 0; i < plan_.stripes(); ++i) {
      for (size_t copy = 0; copy < plan_.copies; ++copy) {
        lanes_.push_back({.part = plan_.part(i, copy), .bytes = plan_.stripe_bytes(i)});
      }
    }
    auto done = begin();
    for (uint64_t unit = 0; done && unit * PlacePlan::kUnitBytes < plan_.bytes; ++unit) {
      done = write(unit);
    }
    while (done && !under_way_.empty()) done = end_oldest();
    return done ? keep() : done;
  }

 private:
  struct Written {
    const Lane* lane;
    Asking::Answered answer;
  };
  struct Unit {
    std::shared_ptr<std::vector<uint8_t>> memory;
    std::vector<Written> written;
  };

  Result<void> begin() {
    std::vector<Asking::Answered> answers;
    for (Lane& lane : lanes_) {
      answers.push_back(asking_.ask(lane.part.disk, [&lane](DiskLink& link, auto done) {
        auto asked = link.ask(sail::DiskStore{lane.part.name}, {}, std::move(done));
        lane.number = link.number();
        return asked;
      }));
    }
    for (size_t i = 0; i < lanes_.size(); ++i) {
      auto there = asking_.wait_for(lanes_[i], answers[i]);
      if (!there) return there.error();
      if (there->bytes > lanes_[i].bytes || (there->whole && there->bytes != lanes_[i].bytes)) {
        return sail::fail(
            ErrorCode::kConflict,
            fmt::format("disk server {} already has a different part named '{}'",
                        sail::address_text(lanes_[i].part.disk), lanes_[i].part.name));
      }
      lanes_[i].there = *there;
    }
    return {};
  }

  Result<void> write(uint64_t unit) {
    const uint64_t offset = unit * PlacePlan::kUnitBytes;
    const uint64_t at = unit / plan_.stripes() * PlacePlan::kUnitBytes;
    const size_t stripe = unit % plan_.stripes();
    const uint64_t count = std::min(PlacePlan::kUnitBytes, plan_.bytes - offset);
    const auto memory = std::make_shared<std::vector<uint8_t>>();
    Unit written{memory, {}};
    for (size_t copy = 0; copy < plan_.copies; ++copy) {
      const Lane& lane = lanes_[stripe * plan_.copies + copy];
      if (lane.there.bytes >= at + count) continue;
      if (memory->empty()) {
        memory->resize(count);
        auto read =
            sail::read_and_wait(*film_.reads(), offset, *memory, [this] { return ending_.load(); });
        if (!read) return read;
      }
      const uint64_t begin = std::max(lane.there.bytes, at);
      written.written.push_back(
          {&lane,
           asking_.ask(lane.part.disk, [&lane, memory, begin, at](DiskLink& link, auto done) {
             const auto bytes = std::span<const uint8_t>(*memory).subspan(begin - at);
             return link.go_on(lane.number, sail::DiskWrite{begin, bytes}, std::move(done));
           })});
    }
    if (!written.written.empty()) under_way_.push_back(std::move(written));
    return under_way_.size() < kUnitsUnderWay ? Result<void>() : end_oldest();
  }

  Result<void> end_oldest() {
    Unit unit = std::move(under_way_.front());
    under_way_.pop_front();
    for (auto& [lane, answer] : unit.written) {
      const auto stored = asking_.wait_for(*lane, answer);
      if (!stored) return stored.error();
    }
    return {};
  }

  Result<void> keep() {
    std::vector<Written> kept;
    for (const Lane& lane : lanes_) {
      if (lane.there.whole) continue;
      kept.push_back({&lane, asking_.ask(lane.part.disk, [&lane](DiskLink& link, auto done) {
                        return link.go_on(lane.number, sail::DiskKeep{lane.bytes}, std::move(done));
                      })});
    }
    for (auto& [lane, answer] : kept) {
      const auto stored = asking_.wait_for(*lane, answer);
      if (!stored) return stored.error();
    }
    return {};
  }

  const PlacePlan plan_;
  const sail::ByteSource& film_;
  const std::atomic<bool>& ending_;
  std::vector<Lane> lanes_;
  std::deque<Unit> under_way_;
  Asking asking_;  // last member: requests in flight use the members above
};

}  // namespace

Placer::Placer(sail::Loop& loop, const Library& library, std::shared_ptr<FilmStorage> storage,
               std::vector<sail::Address> disks, sail::WallKey key)
    : loop_(loop),
      library_(library),
      storage_(std::move(storage)),
      disks_(std::move(disks)),
      links_{.key = std::move(key), .silence_ms = kSilenceMs} {}

Placer::~Placer() {
  ending_ = true;
  if (thread_.joinable()) thread_.join();
}

Result<void> Placer::check(const PlaceRequest& request) const {
  if (disks_.empty()) {
    return sail::fail(ErrorCode::kUnavailable,
                      "this server has no disk servers: its operator can add them with --disk");
  }
  if (std::max(request.stripe, request.copies) > disks_.size()) {
    return sail::fail(
        ErrorCode::kInvalidParams,
        fmt::format(
            "this server has {} disk servers: stripe and copies must not exceed this number",
            disks_.size()));
  }
  if (busy_) {
    return sail::fail(ErrorCode::kConflict, "another film is being placed: try again later");
  }
  return {};
}

void Placer::place(PlaceRequest request, Answer answer) {
  if (auto fine = check(request); !fine) return answer(std::move(fine.error()));
  if (thread_.joinable()) thread_.join();  // the answer has been delivered
  busy_ = true;
  thread_ = std::thread([this, request = std::move(request), answer = std::move(answer)] {
    sail::name_this_thread("film placing");
    auto placed = std::make_shared<Result<void>>(copy(request));
    loop_.post([this, answer, placed, alive = std::weak_ptr(alive_)] {
      if (alive.expired()) return;
      busy_ = false;
      answer(std::move(*placed));
    });
  });
}

Result<void> Placer::copy(const PlaceRequest& request) {
  const auto original = library_.find_in_folder(request.title);
  if (!original) return original.error();
  std::error_code error;
  if (!std::filesystem::is_regular_file(*original, error)) {
    return sail::fail(ErrorCode::kUnavailable,
                      request.title + ": a folder of numbered files cannot be placed");
  }
  const auto changed = [&] {
    return std::filesystem::last_write_time(*original, error).time_since_epoch().count();
  };
  auto film = storage_->open(*original);
  if (!film) return std::move(film.error());
  const auto bytes = (*film)->size();
  if (!bytes) return bytes.error();
  if (*bytes == 0) return sail::fail(ErrorCode::kBadData, request.title + " is empty");
  const auto begun = changed();
  const std::string words = fmt::format("{}\n{}\n{}", request.title, *bytes, begun);
  const uint64_t hash =
      sail::checksum({reinterpret_cast<const uint8_t*>(words.data()), words.size()});
  PlacePlan plan{.bytes = *bytes,
                 .name = fmt::format("{:016x}", hash),
                 .disks = disks_,
                 .stripe = request.stripe == 0 ? disks_.size() : request.stripe,
                 .copies = request.copies};
  // Different films start on different disk servers, because many films are read near their
  // beginning.
  const auto first = static_cast<ptrdiff_t>(hash % disks_.size());
  std::rotate(plan.disks.begin(), plan.disks.begin() + first, plan.disks.end());
  auto copied = Copying(plan, **film, links_, ending_).run();
  if (!copied) return copied;
  if (changed() != begun) {
    return sail::fail(ErrorCode::kConflict, request.title + " changed while it was being placed");
  }
  return sail::write_private_file(
      std::filesystem::path(library_.folder()) / (request.title + kPlacedExtension),
      plan.exnode().text());
}

}  // namespace server
