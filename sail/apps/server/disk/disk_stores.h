// The parts of films that one film server is writing. The requests for a part are executed in
// order. Thread: the loop's; disk work runs on libuv's threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/server/disk/disk_parts.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/wire/data/disk_messages.h"

namespace server {

class DiskStores {
 public:
  // Called once per request, with the request's number, later from the loop or within the call.
  using Answer = std::function<void(uint32_t number, const sail::Result<sail::DiskStored>& stored)>;

  // on_kept: a part has been completed.
  DiskStores(sail::Loop& loop, std::string folder, Answer answer, std::function<void()> on_kept)
      : loop_(loop),
        folder_(std::move(folder)),
        answer_(std::move(answer)),
        on_kept_(std::move(on_kept)) {}
  DiskStores(const DiskStores&) = delete;
  DiskStores& operator=(const DiskStores&) = delete;

  // Begins a part under that number. False: too many, or the number is in use.
  bool begin(uint32_t number, const std::string& name);
  // body: the body of a write message.
  void write(uint32_t number, std::vector<uint8_t> body);
  // Completes the part, which must have that many bytes.
  void keep(uint32_t number, uint64_t bytes);

 private:
  struct Store {
    std::shared_ptr<std::optional<WrittenPart>> part;
    std::deque<std::vector<uint8_t>> waiting;  // bodies of write messages
    std::optional<uint64_t> keep;              // the size; executed after the writes
    std::shared_ptr<void> work;
  };

  // Null: no part is being written under this number, and the request was answered.
  Store* find(uint32_t number);
  void go_on(uint32_t number);
  void drop(uint32_t number, const sail::Error& why);

  sail::Loop& loop_;
  const std::string folder_;
  const Answer answer_;
  const std::function<void()> on_kept_;
  std::map<uint32_t, Store> stores_;
};

}  // namespace server
