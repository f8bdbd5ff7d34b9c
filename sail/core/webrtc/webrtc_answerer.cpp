#include "sail/core/webrtc/webrtc_answerer.h"

#include <fmt/core.h>
#include <gst/sdp/sdp.h>

#include <utility>

namespace sail {
namespace {

constexpr unsigned kJitterMs = 60;  // how long to wait for lost packets
constexpr guint kMostMedia = 16;    // of an offer

}  // namespace

Result<void> start_gstreamer() {
  GError* error = nullptr;
  if (gst_init_check(nullptr, nullptr, &error) != FALSE) return {};
  const std::string why = error == nullptr ? "no reason given" : error->message;
  g_clear_error(&error);
  return fail(ErrorCode::kUnavailable, fmt::format("GStreamer failed to start: {}", why));
}

Result<WebrtcOffer> read_offer(const std::string& sdp) {
  GstSDPMessage* message = nullptr;
  if (sdp.empty() || gst_sdp_message_new_from_text(sdp.c_str(), &message) != GST_SDP_OK) {
    return fail(ErrorCode::kInvalidParams, "the offer is not valid SDP");
  }
  WebrtcOffer offer(gst_webrtc_session_description_new(GST_WEBRTC_SDP_TYPE_OFFER, message));
  if (gst_sdp_message_medias_len(message) > kMostMedia) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("the offer has more than {} media", kMostMedia));
  }
  return offer;
}

Result<std::unique_ptr<WebrtcAnswerer>> WebrtcAnswerer::create(const std::string& address,
                                                               Handlers handlers) {
  std::unique_ptr<WebrtcAnswerer> made(new WebrtcAnswerer(std::move(handlers)));
  made->pipeline_.reset(gst_pipeline_new(nullptr));
  made->webrtc_ = gst_element_factory_make("webrtcbin", nullptr);
  if (made->webrtc_ == nullptr) {
    return fail(ErrorCode::kUnavailable,
                "GStreamer's webrtcbin is not installed: apt install gstreamer1.0-plugins-bad "
                "gstreamer1.0-nice");
  }
  gst_bin_add(GST_BIN(made->pipeline()), made->webrtc_);
  g_object_set(made->webrtc_, "bundle-policy", GST_WEBRTC_BUNDLE_POLICY_MAX_BUNDLE, "latency",
               kJitterMs, nullptr);
  if (auto used = made->use_address(address); !used) return used.error();
  made->connect_signals();
  return made;
}

WebrtcAnswerer::~WebrtcAnswerer() {
  if (pipeline_) gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
}

// Adds the address to those for media. Empty: all addresses of this host.
Result<void> WebrtcAnswerer::use_address(const std::string& address) const {
  if (address.empty()) return {};
  GObject* ice = nullptr;
  g_object_get(webrtc_, "ice-agent", &ice, nullptr);
  gboolean added = FALSE;
  if (ice != nullptr) {
    g_signal_emit_by_name(ice, "add-local-ip-address", address.c_str(), &added);
    g_object_unref(ice);
  }
  if (added != FALSE) return {};
  return fail(ErrorCode::kUnavailable,
              fmt::format("cannot use WebRTC at {}: is gstreamer1.0-nice installed?", address));
}

void WebrtcAnswerer::connect_signals() {
  g_signal_connect(
      webrtc_, "notify::ice-gathering-state",
      G_CALLBACK(+[](GstElement*, GParamSpec*, gpointer data) { of(data).send_answer(); }), this);
  g_signal_connect(
      webrtc_, "notify::connection-state",
      G_CALLBACK(+[](GstElement*, GParamSpec*, gpointer data) { of(data).take_state(); }), this);
}

void WebrtcAnswerer::take_state() const {
  GstWebRTCPeerConnectionState state{};
  g_object_get(webrtc_, "connection-state", &state, nullptr);
  if (state == GST_WEBRTC_PEER_CONNECTION_STATE_CONNECTED && handlers_.on_connected) {
    handlers_.on_connected();
  }
  if (state == GST_WEBRTC_PEER_CONNECTION_STATE_FAILED ||
      state == GST_WEBRTC_PEER_CONNECTION_STATE_DISCONNECTED ||
      state == GST_WEBRTC_PEER_CONNECTION_STATE_CLOSED) {
    handlers_.on_left();
  }
}

// webrtcbin processes these requests in order.
Result<void> WebrtcAnswerer::answer(GstWebRTCSessionDescription& offer) {
  if (gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    return fail(ErrorCode::kUnavailable, "GStreamer's webrtcbin failed to start");
  }
  GstPromise* created = gst_promise_new_with_change_func(
      [](GstPromise* promise, gpointer data) {
        const GstStructure* reply = gst_promise_get_reply(promise);
        GstWebRTCSessionDescription* answer = nullptr;
        if (reply != nullptr) {
          gst_structure_get(reply, "answer", GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &answer, nullptr);
        }
        gst_promise_unref(promise);
        const GstOwned<GstWebRTCSessionDescription> owned(answer);
        if (!owned) {
          return of(data).tell(
              fail(ErrorCode::kInvalidParams, "cannot create an answer to the offer"));
        }
        // ICE gathering may already be complete.
        GstPromise* set = gst_promise_new_with_change_func(
            [](GstPromise* done, gpointer self) {
              gst_promise_unref(done);
              of(self).send_answer();
            },
            data, nullptr);
        g_signal_emit_by_name(of(data).webrtc_, "set-local-description", owned.get(), set);
      },
      this, nullptr);
  g_signal_emit_by_name(webrtc_, "set-remote-description", &offer, nullptr);
  g_signal_emit_by_name(webrtc_, "create-answer", nullptr, created);
  return {};
}

// Called when the answer is set and when gathering completes; whichever is last sends the answer.
void WebrtcAnswerer::send_answer() {
  GstWebRTCICEGatheringState state{};
  g_object_get(webrtc_, "ice-gathering-state", &state, nullptr);
  if (state != GST_WEBRTC_ICE_GATHERING_STATE_COMPLETE) return;
  GstWebRTCSessionDescription* local = nullptr;
  g_object_get(webrtc_, "local-description", &local, nullptr);
  const GstOwned<GstWebRTCSessionDescription> owned(local);
  if (!owned) return;
  const std::unique_ptr<char, void (*)(void*)> text(gst_sdp_message_as_text(owned->sdp),
                                                    [](void* memory) { g_free(memory); });
  tell(text == nullptr ? std::string() : std::string(text.get()));
}

void WebrtcAnswerer::tell(Result<std::string> sdp) {
  if (!answered_.exchange(true)) handlers_.on_answer(std::move(sdp));
}

}  // namespace sail
