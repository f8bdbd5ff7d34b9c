// In place of webrtc_viewer.cpp where GStreamer's headers are not installed.
#include "sail/core/webrtc/webrtc_viewer.h"

namespace sail {

struct WebrtcViewer::Impl {};

Result<void> WebrtcViewer::check() {
  return fail(ErrorCode::kUnavailable,
              "this build has no WebRTC: GStreamer's headers were missing");
}

Result<std::unique_ptr<WebrtcViewer>> WebrtcViewer::start(const std::string& /*offer*/,
                                                          const std::string& /*address*/,
                                                          bool /*sound*/, Handlers /*handlers*/) {
  return check().error();
}

WebrtcViewer::~WebrtcViewer() = default;
void WebrtcViewer::send(const MediaUnit& /*unit*/) {}
int64_t WebrtcViewer::heard_ns() const {
  return 0;
}

}  // namespace sail
