#include "sail/apps/server/disk/disk_stores.h"

#include <utility>

namespace server {
namespace {

using sail::DiskType;
using sail::ErrorCode;
using sail::Result;

constexpr size_t kMostStores = 256;

// The error for requests without a store, for example for writes that were already sent when an
// earlier write failed.
const sail::Error kNoStore{ErrorCode::kInvalidParams, "no part is being written under this number"};

}  // namespace

bool DiskStores::begin(uint32_t number, const std::string& name) {
  if (stores_.contains(number) || stores_.size() >= kMostStores) return false;
  Store& store = stores_[number];
  store.part = std::make_shared<std::optional<WrittenPart>>();
  const auto there = std::make_shared<Result<sail::DiskStored>>(sail::DiskStored{});
  store.work = sail::in_background(
      loop_,
      [part = store.part, there, name, folder = folder_] {
        *there = find_part(folder, name);
        if (*there || there->error().code != ErrorCode::kNotFound) return;
        auto opened = WrittenPart::open(folder, name);
        if (!opened) {
          *there = opened.error();
          return;
        }
        *there = sail::DiskStored{opened->bytes(), false};
        part->emplace(std::move(*opened));
      },
      [this, number, there] {
        Store& its = stores_.at(number);
        its.work.reset();
        const bool written = its.part->has_value();
        answer_(number, *there);
        written ? go_on(number) : drop(number, kNoStore);
      });
  return true;
}

DiskStores::Store* DiskStores::find(uint32_t number) {
  const auto store = stores_.find(number);
  if (store != stores_.end() && !store->second.keep) return &store->second;
  answer_(number, kNoStore);
  return nullptr;
}

void DiskStores::write(uint32_t number, std::vector<uint8_t> body) {
  Store* store = find(number);
  if (store == nullptr) return;
  store->waiting.push_back(std::move(body));
  go_on(number);
}

void DiskStores::keep(uint32_t number, uint64_t bytes) {
  Store* store = find(number);
  if (store == nullptr) return;
  store->keep = bytes;
  go_on(number);
}

// Fails all requests that follow a failed one.
void DiskStores::drop(uint32_t number, const sail::Error& why) {
  const Store& store = stores_.at(number);
  size_t left = store.waiting.size() + (store.keep ? 1 : 0);
  stores_.erase(number);
  for (; left > 0; --left) answer_(number, why);
}

// Starts the next queued request, unless one is in progress.
void DiskStores::go_on(uint32_t number) {
  Store& store = stores_.at(number);
  if (store.work || (store.waiting.empty() && !store.keep)) return;
  const auto body = std::make_shared<std::vector<uint8_t>>();
  const std::optional<uint64_t> keep = store.waiting.empty() ? store.keep : std::nullopt;
  if (!keep) {
    *body = std::move(store.waiting.front());
    store.waiting.pop_front();
  }
  const auto done = std::make_shared<Result<void>>();
  store.work = sail::in_background(
      loop_,
      [part = store.part, body, keep, done] {
        if (keep) {
          *done = (*part)->keep(*keep);
          return;
        }
        const auto message = sail::decode_disk(DiskType::kWrite, *body);
        const auto& write = std::get<sail::DiskWrite>(*message);
        *done = (*part)->write(write.offset, write.bytes);
      },
      [this, number, keep, done] {
        Store& its = stores_.at(number);
        const sail::DiskStored stored{(**its.part).bytes(), keep.has_value()};
        its.work.reset();
        if (!*done) {
          if (keep) its.keep.reset();  // the failed request is the keep: do not fail it twice
          answer_(number, done->error());
          return drop(number, done->error());
        }
        if (keep) stores_.erase(number);
        answer_(number, stored);
        keep ? on_kept_() : go_on(number);
      });
}

}  // namespace server
