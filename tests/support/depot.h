// An IBP depot that answers LOAD requests as LoCI's or ACCRE's depots do, or as the test's handler
// decides: wrong, partial or no answers. The texts are those observed from real depots. Runs on its
// own thread.
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

#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace test {

enum class Dialect : uint8_t {
  kLoci,    // version 0 only; one command a connection; blanks around answers; short answers beyond
            // the end
  kAccre,   // both versions; persistent connections; an error beyond the end
  kLstore,  // as kAccre, but version 1 only
};

struct DepotLoad {
  size_t number = 0;  // index of the request, from 0
  int connection = 0;
  int version = 0;
  std::string key;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

struct DepotAnswer {
  enum class Then : uint8_t { kAsEver, kClose, kSilence };
  std::string bytes;  // the complete answer
  Then then = Then::kAsEver;
};

class Depot {
 public:
  // Returns the answer to a request, or an empty optional for the correct one. Called on the
  // depot's thread.
  using Handler = std::function<std::optional<DepotAnswer>(const DepotLoad&)>;
  explicit Depot(Dialect dialect, Handler handler = {});
  ~Depot();
  Depot(const Depot&) = delete;
  Depot& operator=(const Depot&) = delete;

  // Stores content. Returns its read capability in the depots' format.
  std::string store(std::string content);
  // Makes the allocation expire.
  void expire(const std::string& capability);

  uint16_t port() const { return port_; }
  std::vector<DepotLoad> loads() const;
  int connections() const;

 private:
  class ClientConnection;
  DepotAnswer answer(const std::string& line, int connection);
  DepotAnswer right(const DepotLoad& load, const std::string& type_key) const;
  DepotAnswer refusal(int status) const;

  const Dialect dialect_;
  const Handler handler_;
  mutable std::mutex mutex_;  // the test reads while the depot runs
  std::map<std::string, std::string> contents_;
  std::vector<DepotLoad> loads_;
  int connections_ = 0;
  sail::Loop loop_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::vector<std::unique_ptr<ClientConnection>> client_connections_;
  uint16_t port_ = 0;
  std::thread thread_;
};

// Builds the XML of an exNode as LoRS writes it.
struct ExnodeText {
  std::string mappings;

  // function: XML element of the mapping's function, or empty.
  void add(uint64_t begin, uint64_t bytes, const std::string& capability, uint64_t at = 0,
           const std::string& function = "");
  // size: value of the size metadata; empty: none.
  std::string text(const std::string& size = "") const;
};

}  // namespace test
