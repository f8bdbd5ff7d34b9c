// A fake bplay and vitrail-receiver for tests of launching.
//
// As a player (… -- MEDIA): opens a window titled MEDIA, of the size of --place=X,Y,WxH or 640×360,
// and closes it when asked. "fail" exits at once with status 3, "busy" as if its film server were
// too busy, "…/fail.mp4" prints an error first, "…hang" opens no window, "…camera…" reports a
// frame, "/film/…" also that it plays, and its end as soon as it resumes, "crash" opens one and is
// killed at the wall's first request. As a receiver (--manager HOST:PORT --name NAME …): says hello
// and exits with status 1.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "sail/core/base/log.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/stats.h"

int main(int argc, char** argv) {
  const std::string last = argv[argc - 1];
  if (last == "fail") return 3;
  if (last == "busy") return sail::kFilmServerIsBusy;
  if (last.ends_with("/fail.mp4")) {
    sail::Log("fake player", sail::LogLevel::kInfo).error("cannot open {}: damaged", last);
    return 1;
  }
  std::string manager;
  sail::Size size{640, 360};
  sail::Hello hello{.role = sail::Role::kApplication, .name = "fake player"};
  for (int i = 1; i + 1 < argc; ++i) {
    (void)std::sscanf(argv[i], "--place=%*d,%*d,%dx%d", &size.width, &size.height);
    if (std::strcmp(argv[i], "--manager") == 0) manager = argv[i + 1];
    if (std::strcmp(argv[i], "--name") != 0) continue;
    hello.role = sail::Role::kReceiver;
    hello.name = argv[i + 1];
    hello.data_port = 9;
    hello.codecs = sail::all_codec_names();
  }

  std::unique_ptr<sail::RpcClient> client;
  bool closed = false;
  const bool is_film = last.starts_with("/film/");
  const auto report = [&](uint32_t stream, bool paused, bool ended) {
    const sail::StreamPlayback playback{
        .stream = stream, .playback = {.duration_s = 1, .paused = paused, .ended = ended}};
    client->peer().notify("playback", to_json(playback));
  };
  const auto on_notification = [&](const std::string& method, const sail::Json& params) {
    const std::string type = params.value("type", "");
    if (is_film && method == "event" && (type == "pause" || type == "resume")) {
      report(params.value("stream", 0U), type == "pause", type == "resume");
    }
    if (last == "crash" && method == "event") raise(SIGKILL);
    if (method != "event" || params.value("type", "") != "close") return;
    client->peer().call("close_stream", {{"stream", params["stream"]}},
                        [&closed](const auto&) { closed = true; });
  };
  auto connected = sail::RpcClient::connect(*sail::manager_address(manager),
                                            {.hello = hello, .on_notification = on_notification});
  if (!connected) return 4;
  client = std::move(*connected);
  if (hello.role == sail::Role::kReceiver) return 1;
  if (!last.ends_with("hang")) {
    sail::OpenStream open;
    open.title = last;
    open.frame_size = size;
    open.block_size = {128, 64};
    open.codecs = {"dxt1"};
    const auto opened = client->call("open_stream", to_json(open));
    if (!opened) return 0;
    if (is_film) report(opened->value("stream", 0U), false, false);
    if (is_film || last.find("camera") != std::string::npos) {
      const sail::StreamStats stats{.stream = opened->value("stream", 0U), .frames_submitted = 1};
      client->peer().notify("stream_stats", to_json(stats));
    }
  }
  constexpr int64_t kPollIntervalMs = 10;
  while (!closed && !client->wait(kPollIntervalMs)) {
  }
  return 0;
}
