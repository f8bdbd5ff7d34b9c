#include "sail/apps/whip/whip_peer.h"

#include <fmt/core.h>
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/sdp/sdp.h>
#include <gst/video/video-color.h>
#include <gst/video/video-event.h>

#include <array>
#include <mutex>
#include <string_view>
#include <utility>

#include "sail/core/webrtc/webrtc_answerer.h"

namespace sail {
namespace {

using std::string_view_literals::operator""sv;

// RTP header extension with the meaning of the colour components, sent by browsers.
constexpr std::string_view kColorSpace = "http://www.webrtc.org/experiments/rtp-hdrext/color-space";

// Codecs that can be decoded. The first one in the sender's order is chosen; others are declined.
struct Coding {
  std::string_view name;  // RTP encoding name
  const char* chain;      // elements that reassemble whole pictures, or packets
  std::optional<VideoCodec> video;
};
constexpr std::array<Coding, 4> kCodings = {{
    {"H264",
     "rtph264depay request-keyframe=true wait-for-keyframe=true ! "
     "video/x-h264,stream-format=byte-stream,alignment=au",
     VideoCodec::kH264},
    {"VP8", "rtpvp8depay request-keyframe=true wait-for-keyframe=true", VideoCodec::kVp8},
    {"VP9", "rtpvp9depay request-keyframe=true wait-for-keyframe=true", VideoCodec::kVp9},
    {"OPUS", "rtpopusdepay", std::nullopt},
}};

const Coding* coding_of(const GstCaps* caps) {
  const char* name = gst_structure_get_string(gst_caps_get_structure(caps, 0), "encoding-name");
  if (name == nullptr) return nullptr;
  for (const Coding& coding : kCodings) {
    if (coding.name == name) return &coding;
  }
  return nullptr;
}

// Adds the header extension for colours to the caps if it is offered. No other extension is used.
void add_color_space(GstCaps& caps, const GstSDPMedia& medium) {
  for (guint i = 0; i < gst_sdp_media_attributes_len(&medium); ++i) {
    const GstSDPAttribute* attribute = gst_sdp_media_get_attribute(&medium, i);
    if (attribute->key != "extmap"sv || attribute->value == nullptr) continue;
    const std::string_view value = attribute->value;  // "8 http://…"
    const size_t space = value.find(' ');
    if (space == std::string_view::npos || value.substr(space + 1) != kColorSpace) continue;
    gst_structure_set(gst_caps_get_structure(&caps, 0),
                      fmt::format("extmap-{}", std::atoi(attribute->value)).c_str(), G_TYPE_STRING,
                      kColorSpace.data(), nullptr);
  }
}

// Returns the colour format given by the caps of a video; empty if not given or not supported.
std::optional<codecs::PictureColor> color_of(const GstCaps* caps) {
  const char* text = caps == nullptr
                         ? nullptr
                         : gst_structure_get_string(gst_caps_get_structure(caps, 0), "colorimetry");
  GstVideoColorimetry told{};
  if (text == nullptr || gst_video_colorimetry_from_string(&told, text) == FALSE) {
    return std::nullopt;
  }
  codecs::PictureColor color;
  switch (told.matrix) {
    case GST_VIDEO_COLOR_MATRIX_BT601:
    case GST_VIDEO_COLOR_MATRIX_FCC:
      color.matrix = codecs::ColorMatrix::kBt601;
      break;
    case GST_VIDEO_COLOR_MATRIX_BT709:
      color.matrix = codecs::ColorMatrix::kBt709;
      break;
    case GST_VIDEO_COLOR_MATRIX_BT2020:
      color.matrix = codecs::ColorMatrix::kBt2020;
      break;
    default:
      return std::nullopt;
  }
  color.range = told.range == GST_VIDEO_COLOR_RANGE_0_255 ? codecs::ColorRange::kFull
                                                          : codecs::ColorRange::kLimited;
  return color;
}

// Returns the caps of the medium's first codec that can be decoded; null if there is none.
GstOwned<GstCaps> wanted_caps(const GstSDPMedia& medium) {
  for (guint i = 0; i < gst_sdp_media_formats_len(&medium); ++i) {
    const char* format = gst_sdp_media_get_format(&medium, i);
    GstOwned<GstCaps> caps(gst_sdp_media_get_caps_from_media(&medium, std::atoi(format)));
    if (!caps || gst_caps_is_empty(caps.get())) continue;
    gst_structure_set_name(gst_caps_get_structure(caps.get(), 0), "application/x-rtp");
    const Coding* coding = coding_of(caps.get());
    if (coding == nullptr) continue;
    if (coding->video) add_color_space(*caps, medium);
    return caps;
  }
  return nullptr;
}

}  // namespace

struct WhipPeer::Impl {
  Handlers handlers;
  std::vector<GstOwned<GstCaps>> wanted;  // codec by medium of the offer; null: declined
  std::mutex mutex;
  // Part of the pipeline; null until video has arrived.
  GstElement* video_sink = nullptr;
  std::unique_ptr<WebrtcAnswerer> answerer;  // its threads use the members above

  static Impl& of(gpointer data) { return *static_cast<Impl*>(data); }
  Result<void> start(const std::string& offer, const std::string& address);
  void connect_signals();
  Result<void> choose(const GstSDPMessage& offer);
  void prefer(GstWebRTCRTPTransceiver* transceiver) const;
  void take_pad(GstPad* pad);
  void take_sample(GstSample& sample, const Coding& coding) const;
};

Result<void> WhipPeer::Impl::choose(const GstSDPMessage& offer) {
  bool video = false;
  for (guint i = 0; i < gst_sdp_message_medias_len(&offer); ++i) {
    const GstSDPMedia* medium = gst_sdp_message_get_media(&offer, i);
    wanted.push_back(wanted_caps(*medium));
    video |= wanted.back() && std::string_view(gst_sdp_media_get_media(medium)) == "video";
  }
  if (video) return {};
  return fail(ErrorCode::kInvalidParams, "the offer contains no H.264, VP8 or VP9 video");
}

Result<void> WhipPeer::Impl::start(const std::string& offer, const std::string& address) {
  auto description = read_offer(offer);
  if (!description) return description.error();
  if (auto chosen = choose(*(*description)->sdp); !chosen) return chosen;
  auto created = WebrtcAnswerer::create(
      address, {.on_answer = handlers.on_answer, .on_connected = {}, .on_left = handlers.on_left});
  if (!created) return created.error();
  answerer = std::move(*created);
  connect_signals();
  return answerer->answer(**description);
}

void WhipPeer::Impl::connect_signals() {
  g_signal_connect(answerer->webrtc(), "on-new-transceiver",
                   G_CALLBACK(+[](GstElement*, GstWebRTCRTPTransceiver* transceiver,
                                  gpointer data) { of(data).prefer(transceiver); }),
                   this);
  g_signal_connect(
      answerer->webrtc(), "pad-added",
      G_CALLBACK(+[](GstElement*, GstPad* pad, gpointer data) { of(data).take_pad(pad); }), this);
}

// Restricts the transceiver to the chosen codec. Otherwise webrtcbin accepts unsupported codecs.
void WhipPeer::Impl::prefer(GstWebRTCRTPTransceiver* transceiver) const {
  guint line = 0;
  g_object_get(transceiver, "mlineindex", &line, nullptr);
  g_object_set(transceiver, "direction", GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_RECVONLY, nullptr);
  if (line < wanted.size() && wanted[line]) {
    g_object_set(transceiver, "codec-preferences", wanted[line].get(), nullptr);
  }
}

void WhipPeer::Impl::take_pad(GstPad* pad) {
  if (GST_PAD_DIRECTION(pad) != GST_PAD_SRC) return;
  const GstOwned<GstCaps> caps(gst_pad_get_current_caps(pad));
  const Coding* coding = caps ? coding_of(caps.get()) : nullptr;
  const std::string chain =
      coding == nullptr
          ? "fakesink sync=false async=false"
          : fmt::format("{} ! appsink name=sink sync=false async=false max-buffers=4 drop=true",
                        coding->chain);
  GstElement* bin = gst_parse_bin_from_description(chain.c_str(), TRUE, nullptr);
  if (bin == nullptr) return;
  if (coding != nullptr) {
    GstElement* sink = gst_bin_get_by_name(GST_BIN(bin), "sink");
    struct Taker {
      Impl& impl;
      const Coding& coding;
    };
    GstAppSinkCallbacks callbacks{};
    callbacks.new_sample = [](GstAppSink* from, gpointer data) {
      const auto& taker = *static_cast<Taker*>(data);
      const GstOwned<GstSample> sample(gst_app_sink_pull_sample(from));
      if (sample) taker.impl.take_sample(*sample, taker.coding);
      return GST_FLOW_OK;
    };
    gst_app_sink_set_callbacks(GST_APP_SINK(sink), &callbacks, new Taker{*this, *coding},
                               [](gpointer data) { delete static_cast<Taker*>(data); });
    if (coding->video) {
      const std::lock_guard lock(mutex);
      video_sink = sink;
    }
    gst_object_unref(sink);
  }
  gst_bin_add(GST_BIN(answerer->pipeline()), bin);
  gst_element_sync_state_with_parent(bin);
  const GstOwned<GstPad> entry(gst_element_get_static_pad(bin, "sink"));
  gst_pad_link(pad, entry.get());
}

void WhipPeer::Impl::take_sample(GstSample& sample, const Coding& coding) const {
  GstBuffer* buffer = gst_sample_get_buffer(&sample);
  GstMapInfo map{};
  if (buffer == nullptr || gst_buffer_map(buffer, &map, GST_MAP_READ) == FALSE) return;
  const std::span<const uint8_t> bytes(map.data, map.size);
  if (coding.video) {
    const bool key = !GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT);
    handlers.on_chunk({*coding.video, color_of(gst_sample_get_caps(&sample))}, key, bytes);
  } else if (GST_BUFFER_PTS_IS_VALID(buffer)) {
    handlers.on_sound(static_cast<int64_t>(GST_TIME_AS_USECONDS(GST_BUFFER_PTS(buffer))), bytes);
  }
  gst_buffer_unmap(buffer, &map);
}

Result<std::unique_ptr<WhipPeer>> WhipPeer::start(const std::string& offer,
                                                  const std::string& address, Handlers handlers) {
  if (auto started = start_gstreamer(); !started) return started.error();
  auto impl = std::make_unique<Impl>();
  impl->handlers = std::move(handlers);
  if (auto started = impl->start(offer, address); !started) return started.error();
  return std::unique_ptr<WhipPeer>(new WhipPeer(std::move(impl)));
}

WhipPeer::WhipPeer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WhipPeer::~WhipPeer() = default;

void WhipPeer::ask_for_key_frame() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->video_sink == nullptr) return;
  gst_element_send_event(impl_->video_sink,
                         gst_video_event_new_upstream_force_key_unit(GST_CLOCK_TIME_NONE, TRUE, 0));
}

}  // namespace sail
