#include "sail/media/storage/http/curl_loop.h"

#include <utility>

namespace sail {

CurlLoop::CurlLoop(Loop& loop, std::function<void(CURL*, CURLcode)> on_end)
    : loop_(loop), on_end_(std::move(on_end)), timer_(loop) {
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &CurlLoop::watch);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &CurlLoop::set_timer);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, this);
}

CurlLoop::~CurlLoop() {
  multi_.reset();  // removes the socket watches
}

int CurlLoop::watch(CURL* /*transfer*/, curl_socket_t socket, int what, void* self,
                    void* /*ignored*/) {
  auto& loop = *static_cast<CurlLoop*>(self);
  if (what == CURL_POLL_REMOVE) {
    loop.sockets_.erase(socket);
    return 0;
  }
  auto& place = loop.sockets_[socket];
  if (!place) {
    place = std::make_unique<SocketWatch>(loop.loop_, socket, [&loop, socket](bool in, bool out) {
      loop.act(socket, (in ? CURL_CSELECT_IN : 0) | (out ? CURL_CSELECT_OUT : 0));
    });
  }
  place->want((what & CURL_POLL_IN) != 0, (what & CURL_POLL_OUT) != 0);
  return 0;
}

int CurlLoop::set_timer(CURLM* /*multi*/, long wait_ms, void* self) {
  auto& loop = *static_cast<CurlLoop*>(self);
  if (wait_ms < 0) {
    loop.timer_.stop();
  } else {
    loop.timer_.start(wait_ms, 0, [&loop] { loop.act(CURL_SOCKET_TIMEOUT, 0); });
  }
  return 0;
}

void CurlLoop::act(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_.get(), socket, events, &running);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg == CURLMSG_DONE) on_end_(message->easy_handle, message->data.result);
  }
}

}  // namespace sail
