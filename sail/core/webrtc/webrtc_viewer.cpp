#include "sail/core/webrtc/webrtc_viewer.h"

#include <fmt/core.h>
#include <gst/app/gstappsrc.h>
#include <gst/sdp/sdp.h>
#include <gst/video/video-event.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"
#include "sail/core/webrtc/picture_gate.h"
#include "sail/core/webrtc/webrtc_answerer.h"

namespace sail {
namespace {

using std::string_view_literals::operator""sv;

constexpr uint64_t kMostSoundWaiting = 64 << 10;  // bytes
constexpr int kPacketBytes = 1200;                // fits every network's packets
constexpr const char* kElements[] = {"webrtcbin", "nicesink", "rtph264pay", "rtpopuspay", "appsrc"};

std::string_view field(const GstCaps& caps, const char* name) {
  const char* text = gst_structure_get_string(gst_caps_get_structure(&caps, 0), name);
  return text == nullptr ? ""sv : text;
}

bool receives(const GstSDPMedia& medium) {
  for (guint i = 0; i < gst_sdp_media_attributes_len(&medium); ++i) {
    const std::string_view key = gst_sdp_media_get_attribute(&medium, i)->key;
    if (key == "sendonly" || key == "inactive") return false;
  }
  return true;
}

// The format with the highest grade is chosen; 0: cannot be sent.
int grade_of(const GstCaps& caps) {
  if (field(caps, "encoding-name") == "OPUS") return 1;
  if (field(caps, "encoding-name") != "H264" || field(caps, "packetization-mode") != "1") return 0;
  // Senders use the Constrained Baseline profile. GStreamer replaces "profile-level-id" by
  // "profile" if the levels may differ.
  const std::string_view digits = field(caps, "profile-level-id");
  const bool constrained = field(caps, "profile") == "constrained-baseline" ||
                           digits.starts_with("42e") || digits.starts_with("42c");
  return constrained ? 2 : 1;
}

// Returns the RTP payload type of the medium's best format; empty: none can be sent.
std::optional<int> wanted_payload(const GstSDPMedia& medium) {
  std::optional<int> wanted;
  int best = 0;
  for (guint i = 0; receives(medium) && i < gst_sdp_media_formats_len(&medium); ++i) {
    const int payload = std::atoi(gst_sdp_media_get_format(&medium, i));
    const GstOwned<GstCaps> caps(gst_sdp_media_get_caps_from_media(&medium, payload));
    if (!caps || gst_caps_is_empty(caps.get())) continue;
    const int grade = grade_of(*caps);
    if (grade <= best) continue;
    best = grade;
    wanted = payload;
  }
  return wanted;
}

// Returns the payload type of the first medium of this kind that can be sent.
std::optional<int> wanted_payload(const GstSDPMessage& offer, std::string_view kind) {
  for (guint i = 0; i < gst_sdp_message_medias_len(&offer); ++i) {
    const GstSDPMedia* medium = gst_sdp_message_get_media(&offer, i);
    if (gst_sdp_media_get_media(medium) != kind) continue;
    if (const auto payload = wanted_payload(*medium)) return payload;
  }
  return std::nullopt;
}

// Without a source (SSRC), webrtcbin's answer announces only the source of repeated packets, and
// browsers drop all others.
std::string rtp_caps(bool sound, int payload) {
  return fmt::format(
      "application/x-rtp,media={},encoding-name={},clock-rate={},payload={},ssrc=(uint){}",
      sound ? "audio" : "video", sound ? "OPUS" : "H264", sound ? 48000 : 90000, payload,
      static_cast<uint32_t>(random_secret()));
}

std::string chain_of(bool sound, int payload, const std::string& caps) {
  return fmt::format(
      "appsrc name=source is-live=true format=time max-bytes=0 caps={} ! {} pt={} "
      "mtu={} ! capsfilter caps={}",
      sound ? "audio/x-opus,rate=48000,channels=2,channel-mapping-family=0"
            : "video/x-h264,stream-format=byte-stream,alignment=au",
      sound ? "rtpopuspay" : "rtph264pay aggregate-mode=zero-latency", payload, kPacketBytes, caps);
}

GstBuffer* buffer_of(const MediaUnit& unit) {
  using Bytes = std::shared_ptr<const std::vector<uint8_t>>;
  const Bytes& bytes = unit.bytes;
  // GStreamer does not write to memory that is read-only.
  auto* data = const_cast<uint8_t*>(bytes->data());
  return gst_buffer_new_wrapped_full(GST_MEMORY_FLAG_READONLY, data, bytes->size(), 0,
                                     bytes->size(), new Bytes(bytes),
                                     [](gpointer owner) { delete static_cast<Bytes*>(owner); });
}

}  // namespace

struct WebrtcViewer::Impl {
  Handlers handlers;
  std::atomic<bool> connected{false};
  std::atomic<int64_t> heard_ns{0};
  // Parts of the pipeline. Null: the viewer gets none.
  GstAppSrc* video = nullptr;
  GstAppSrc* sound = nullptr;
  PictureGate gate;
  std::optional<int64_t> begins_ns;          // the stream's time at the pipeline's start
  std::unique_ptr<WebrtcAnswerer> answerer;  // its threads use the members above

  static Impl& of(gpointer data) { return *static_cast<Impl*>(data); }
  Result<void> start(const std::string& offer, const std::string& address, bool with_sound);
  Result<void> add(bool is_sound, int payload);
  Result<void> link(GstElement& bin, const std::string& format) const;
  void await_requests(GstElement& source);
  void await_reports();
  bool takes(const MediaUnit& unit, uint64_t waiting);
  void send(const MediaUnit& unit);
};

Result<void> WebrtcViewer::Impl::start(const std::string& offer, const std::string& address,
                                       bool with_sound) {
  auto description = read_offer(offer);
  if (!description) return description.error();
  const auto picture = wanted_payload(*(*description)->sdp, "video");
  if (!picture) {
    return fail(ErrorCode::kInvalidParams,
                "the offer asks for no H.264 video with packetization-mode=1");
  }
  auto created = WebrtcAnswerer::create(address, {.on_answer = handlers.on_answer,
                                                  .on_connected = [this] { connected = true; },
                                                  .on_left = handlers.on_left});
  if (!created) return created.error();
  answerer = std::move(*created);
  await_reports();
  if (auto added = add(false, *picture); !added) return added;
  const auto opus = with_sound ? wanted_payload(*(*description)->sdp, "audio") : std::nullopt;
  if (opus) {
    if (auto added = add(true, *opus); !added) return added;
  }
  return answerer->answer(**description);
}

Result<void> WebrtcViewer::Impl::add(bool is_sound, int payload) {
  const std::string caps = rtp_caps(is_sound, payload);
  GError* error = nullptr;
  GstElement* bin =
      gst_parse_bin_from_description(chain_of(is_sound, payload, caps).c_str(), TRUE, &error);
  if (bin == nullptr) {
    const std::string why = error == nullptr ? "no reason given" : error->message;
    g_clear_error(&error);
    return fail(ErrorCode::kUnavailable, fmt::format("GStreamer cannot send media: {}", why));
  }
  gst_bin_add(GST_BIN(answerer->pipeline()), bin);
  GstElement* source = gst_bin_get_by_name(GST_BIN(bin), "source");
  (is_sound ? sound : video) = GST_APP_SRC(source);
  if (!is_sound) await_requests(*source);
  gst_object_unref(source);
  return link(*bin, caps);
}

// Requests webrtcbin's pad with the format, so that webrtcbin assigns the pad to a medium of the
// offer with that format.
Result<void> WebrtcViewer::Impl::link(GstElement& bin, const std::string& format) const {
  const GstOwned<GstCaps> caps(gst_caps_from_string(format.c_str()));
  GstElement* webrtc = answerer->webrtc();
  GstPadTemplate* kind =
      gst_element_class_get_pad_template(GST_ELEMENT_GET_CLASS(webrtc), "sink_%u");
  const GstOwned<GstPad> entry(gst_element_request_pad(webrtc, kind, nullptr, caps.get()));
  const GstOwned<GstPad> from(gst_element_get_static_pad(&bin, "src"));
  if (!entry || !from || gst_pad_link(from.get(), entry.get()) != GST_PAD_LINK_OK) {
    return fail(ErrorCode::kUnavailable, "GStreamer's webrtcbin takes no media");
  }
  GstWebRTCRTPTransceiver* transceiver = nullptr;
  g_object_get(entry.get(), "transceiver", &transceiver, nullptr);
  if (transceiver != nullptr) {
    // do-nack: lost packets are sent again if the viewer's offer supports that.
    g_object_set(transceiver, "direction", GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_SENDONLY, "do-nack",
                 TRUE, nullptr);
    gst_object_unref(transceiver);
  }
  return {};
}

// A viewer's request for a key picture (PLI, FIR) arrives as an event that goes upstream.
void WebrtcViewer::Impl::await_requests(GstElement& source) {
  const GstOwned<GstPad> pad(gst_element_get_static_pad(&source, "src"));
  gst_pad_add_probe(
      pad.get(), GST_PAD_PROBE_TYPE_EVENT_UPSTREAM,
      [](GstPad*, GstPadProbeInfo* info, gpointer data) {
        if (gst_video_event_is_force_key_unit(GST_PAD_PROBE_INFO_EVENT(info)) != FALSE) {
          of(data).handlers.on_key_wanted();
        }
        return GST_PAD_PROBE_OK;
      },
      this, nullptr);
}

// A viewer that vanishes is noticed only by the absence of its reports.
void WebrtcViewer::Impl::await_reports() {
  GstElement* rtp = gst_bin_get_by_name(GST_BIN(answerer->webrtc()), "rtpbin");
  if (rtp == nullptr) return;
  g_signal_connect(rtp, "on-ssrc-active", G_CALLBACK(+[](GstElement*, guint, guint, gpointer data) {
                     of(data).heard_ns = steady_now_ns();
                   }),
                   this);
  gst_object_unref(rtp);
}

bool WebrtcViewer::Impl::takes(const MediaUnit& unit, uint64_t waiting) {
  if (unit.sound) return gate.is_open() && waiting <= kMostSoundWaiting;
  if (gate.lets_through(unit.key, waiting)) return true;
  if (waiting <= PictureGate::kMostWaiting) handlers.on_key_wanted();
  return false;
}

void WebrtcViewer::Impl::send(const MediaUnit& unit) {
  GstAppSrc* to = unit.sound ? sound : video;
  if (!connected || to == nullptr) return;
  if (!begins_ns) {
    const GstClockTime now = gst_element_get_current_running_time(answerer->pipeline());
    if (!GST_CLOCK_TIME_IS_VALID(now)) return;
    begins_ns = unit.time_ns - static_cast<int64_t>(now);
  }
  if (!takes(unit, gst_app_src_get_current_level_bytes(to))) return;
  GstBuffer* buffer = buffer_of(unit);
  GST_BUFFER_PTS(buffer) =
      static_cast<GstClockTime>(std::max<int64_t>(unit.time_ns - *begins_ns, 0));
  if (!unit.sound && !unit.key) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  gst_app_src_push_buffer(to, buffer);
}

Result<void> WebrtcViewer::check() {
  if (auto started = start_gstreamer(); !started) return started;
  for (const char* name : kElements) {
    GstElementFactory* found = gst_element_factory_find(name);
    if (found == nullptr) {
      return fail(ErrorCode::kUnavailable,
                  fmt::format("GStreamer's {} is not installed: apt install "
                              "gstreamer1.0-plugins-good gstreamer1.0-plugins-bad "
                              "gstreamer1.0-nice",
                              name));
    }
    gst_object_unref(found);
  }
  return {};
}

Result<std::unique_ptr<WebrtcViewer>> WebrtcViewer::start(const std::string& offer,
                                                          const std::string& address, bool sound,
                                                          Handlers handlers) {
  if (auto started = start_gstreamer(); !started) return started.error();
  auto impl = std::make_unique<Impl>();
  impl->handlers = std::move(handlers);
  if (auto started = impl->start(offer, address, sound); !started) return started.error();
  return std::unique_ptr<WebrtcViewer>(new WebrtcViewer(std::move(impl)));
}

WebrtcViewer::WebrtcViewer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WebrtcViewer::~WebrtcViewer() = default;

void WebrtcViewer::send(const MediaUnit& unit) {
  impl_->send(unit);
}

int64_t WebrtcViewer::heard_ns() const {
  return impl_->heard_ns;
}

}  // namespace sail
