// A scripted manager for tests of applications. Used on its loop's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/stats.h"

namespace sail {

class FakeManager {
 public:
  // Offset of its clock from this machine's.
  static constexpr int64_t kClockAheadNs = 7'000'000'000;
  static constexpr uint64_t kSecret = 0xfeedfacecafebeef;

  explicit FakeManager(Loop& loop);
  ~FakeManager();

  Address address() const { return address_; }

  // Routes sent right after a stream opens; empty optional: no routes are sent.
  std::optional<std::vector<Route>> first_routes;
  Rect first_wall_rect{100, 200, 640, 480};
  // Errors to answer with, if set.
  std::optional<Error> refuse_hello;
  std::optional<Error> refuse_open;
  uint32_t next_stream = 5;
  bool resumes = false;                   // accepts streams that continue after a failover
  Transport transport = Transport::kTcp;  // transport in its answers
  int mtu = kDefaultMtu;
  Json welcome = Json::object();  // further fields of the answer to hello
  std::string codec = "dxt1";

  std::vector<Hello> hellos;
  std::vector<OpenStream> opens;
  std::vector<uint32_t> closed_streams;
  std::vector<EpochReady> epochs_ready;
  std::vector<StreamStats> stats;
  std::vector<StreamPlayback> playbacks;
  std::vector<Thumbnail> thumbnails;

  void send_routes(uint32_t stream, uint64_t epoch, const Rect& wall_rect,
                   std::vector<Route> routes);
  void notify(const std::string& method, const Json& params);
  // Crashes: stops listening and closes all connections.
  void stop();
  // Restarts on the same port.
  void start();

 private:
  void on_request(const std::string& method, const Json& params, const RpcPeer::Reply& reply);
  Result<Json> answer(const std::string& method, const Json& params);

  Loop& loop_;
  Address address_{"127.0.0.1", 0};
  std::unique_ptr<TcpListener> listener_;
  std::vector<std::unique_ptr<RpcPeer>> peers_;
};

}  // namespace sail
