// An IBP depot that answers LOADs as LoCI's or ACCRE's do, or as a test wishes: wrongly, in part or
// never. Its words are those that the depots themselves were heard to say. On a thread of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sail/net/loop.h"
#include "sail/net/tcp.h"

namespace test {

enum class Dialect : uint8_t {
  kLoci,    // version 0 only; a command a connection; blanks around answers; short behind the end
  kAccre,   // both versions; connections stay; an error behind the end
  kLstore,  // the same, and understands version 1 only
};

struct DepotLoad {
  size_t number = 0;  // of those that came, from 0 on
  int connection = 0;
  int version = 0;
  std::string key;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

struct DepotAnswer {
  enum class Then : uint8_t { kAsEver, kClose, kSilence };
  std::string bytes;  // all that is sent
  Then then = Then::kAsEver;
};

class Depot {
 public:
  // Of what it would answer rightly. Called on the depot's thread.
  using Handler = std::function<std::optional<DepotAnswer>(const DepotLoad&)>;
  explicit Depot(Dialect dialect, Handler handler = {});
  ~Depot();
  Depot(const Depot&) = delete;
  Depot& operator=(const Depot&) = delete;

  // What opens it for reading, as depots write such.
  std::string store(std::string content);
  // As if its time were over.
  void expire(const std::string& capability);

  uint16_t port() const { return port_; }
  std::vector<DepotLoad> loads() const;
  int connections() const;

 private:
  class Visitor;
  DepotAnswer answer(const std::string& line, int connection);
  DepotAnswer right(const DepotLoad& load, const std::string& type_key) const;
  DepotAnswer refusal(int status) const;

  const Dialect dialect_;
  const Handler handler_;
  mutable std::mutex mutex_;  // a test looks while the depot goes on
  std::map<std::string, std::string> contents_;
  std::vector<DepotLoad> loads_;
  int connections_ = 0;
  sail::Loop loop_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::vector<std::unique_ptr<Visitor>> visitors_;
  uint16_t port_ = 0;
  std::thread thread_;
};

// The XML of an exNode, as LoRS writes it.
struct ExnodeText {
  std::string mappings;

  // `function`: its element, or "".
  void add(uint64_t begin, uint64_t bytes, const std::string& capability, uint64_t at = 0,
           const std::string& function = "");
  // With the size that it tells; "": none.
  std::string text(const std::string& size = "") const;
};

}  // namespace test
