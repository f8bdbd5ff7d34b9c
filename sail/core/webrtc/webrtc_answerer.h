// Answers the offer of one WebRTC peer: a pipeline with GStreamer's webrtcbin, to which the owner
// adds the sources or sinks of media. Not thread-safe.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "sail/core/base/result.h"
#include "sail/core/webrtc/gst_owned.h"

namespace sail {

// Starts GStreamer; later calls do nothing.
Result<void> start_gstreamer();

using WebrtcOffer = GstOwned<GstWebRTCSessionDescription>;
// Returns kInvalidParams if the text is not SDP, or has too many media.
Result<WebrtcOffer> read_offer(const std::string& sdp);

class WebrtcAnswerer {
 public:
  // Called on threads of GStreamer.
  struct Handlers {
    // Called once with the answer to the offer, or the error.
    std::function<void(Result<std::string> sdp)> on_answer;
    std::function<void()> on_connected;
    // The peer has left, or has timed out.
    std::function<void()> on_left;
  };
  // address: the local address for media; empty: any address except loopback.
  // Returns kUnavailable if GStreamer lacks an element.
  static Result<std::unique_ptr<WebrtcAnswerer>> create(const std::string& address,
                                                        Handlers handlers);
  // Stops the pipeline. After this no handler is called.
  ~WebrtcAnswerer();
  WebrtcAnswerer(const WebrtcAnswerer&) = delete;
  WebrtcAnswerer& operator=(const WebrtcAnswerer&) = delete;

  GstElement* pipeline() const { return pipeline_.get(); }
  GstElement* webrtc() const { return webrtc_; }
  // Starts the pipeline and asks for the answer. Call once.
  Result<void> answer(GstWebRTCSessionDescription& offer);

 private:
  explicit WebrtcAnswerer(Handlers handlers) : handlers_(std::move(handlers)) {}
  static WebrtcAnswerer& of(gpointer data) { return *static_cast<WebrtcAnswerer*>(data); }
  Result<void> use_address(const std::string& address) const;
  void connect_signals();
  void take_state() const;
  void send_answer();
  void tell(Result<std::string> sdp);

  const Handlers handlers_;
  GstOwned<GstElement> pipeline_;
  GstElement* webrtc_ = nullptr;  // part of the pipeline
  std::atomic<bool> answered_{false};
};

}  // namespace sail
