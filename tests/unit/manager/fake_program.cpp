// Stands in for bplay and vitrail-receiver in the tests of launching.
//
// As a player (… -- MEDIA): opens a window with MEDIA as its title and closes it when asked; "fail"
// ends at once with status 3, "…/fail.mp4" says why before, "hang" opens no window.
// As a receiver (--manager HOST:PORT --name NAME …): says hello and ends with status 1 at once.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/rpc_peer.h"
#include "sail/net/tcp.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/control_messages.h"

namespace {

int play(sail::Loop& loop, sail::RpcPeer& peer, const std::string& title) {
  sail::OpenStream open;
  open.title = title;
  open.frame_size = {640, 360};
  open.block_size = {128, 64};
  open.codecs = {"dxt1"};
  peer.call("open_stream", to_json(open), [&loop](const sail::Result<sail::Json>& opened) {
    if (!opened) loop.stop();
  });
  loop.run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string last = argv[argc - 1];
  if (last == "fail") return 3;
  if (last.ends_with("/fail.mp4")) {
    sail::Log("fake player", sail::LogLevel::kInfo).error("cannot open {}: damaged", last);
    return 1;
  }
  std::string manager = std::getenv("VITRAIL_MANAGER") ? std::getenv("VITRAIL_MANAGER") : "";
  sail::Hello hello;
  hello.role = sail::Role::kApplication;
  hello.name = "fake player";
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--manager") == 0) manager = argv[i + 1];
    if (std::strcmp(argv[i], "--name") != 0) continue;
    hello.role = sail::Role::kReceiver;
    hello.name = argv[i + 1];
    hello.data_port = 9;
    hello.codecs = sail::all_codec_names();
  }
  if (const char* token = std::getenv("VITRAIL_TOKEN")) hello.token = token;

  sail::Loop loop;
  std::unique_ptr<sail::TcpConnection> connection;
  const auto guard = sail::TcpConnection::connect(
      loop, *sail::parse_address(manager, {"127.0.0.1", 1}), [&](auto result) {
        if (result) connection = std::move(*result);
        loop.stop();
      });
  loop.run();
  if (!connection) return 4;

  std::unique_ptr<sail::RpcPeer> peer;
  const auto on_request = [&](const std::string& method, const sail::Json& params,
                              const sail::RpcPeer::Reply&) {
    if (method != "event" || params.value("type", "") != "close") return;
    peer->call("close_stream", {{"stream", params["stream"]}},
               [&loop](const auto&) { loop.stop(); });
  };
  peer = std::make_unique<sail::RpcPeer>(
      loop, std::move(connection),
      sail::RpcPeer::Handlers{.on_request = on_request,
                              .on_closed = [&loop](const sail::Error&) { loop.stop(); }});
  bool welcome = false;
  peer->call("hello", to_json(hello), [&](const sail::Result<sail::Json>& answer) {
    welcome = answer.has_value();
    loop.stop();
  });
  loop.run();
  if (!welcome) return 5;
  if (hello.role == sail::Role::kReceiver) return 1;
  if (last == "hang") {
    loop.run();
    return 0;
  }
  return play(loop, *peer, last);
}
