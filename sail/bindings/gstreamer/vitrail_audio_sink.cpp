// The element `vitrailaudiosink`: plays the sound of a vitrailsink of the same pipeline where the
// wall plays sound. GStreamer's base class waits for each buffer's time, minus the time that the
// sound needs to reach the wall.
#include <gst/base/gstbasesink.h>
#include <gst/gst.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>

#include "sail/bindings/gstreamer/vitrail_sink.h"

namespace {

// Lead time in which a buffer reaches the receiver and its sound card. It adds to the latency of a
// live pipeline, so video waits for it too.
constexpr GstClockTime kAheadNs = 100 * GST_MSECOND;

}  // namespace

// State of one element. The GObject struct is C, so it only points to this.
struct VitrailAudioSinkState {
  std::mutex sink_mutex;
  GstElement* sink = nullptr;  // holds a reference; null: not known
  // Used only on the streaming thread.
  sail_audio audio{};  // format fields from the caps
  size_t sample_bytes = 0;
  bool restart = false;
};

G_BEGIN_DECLS
#define VITRAIL_TYPE_AUDIO_SINK (vitrail_audio_sink_get_type())
G_DECLARE_FINAL_TYPE(VitrailAudioSink, vitrail_audio_sink, VITRAIL, AUDIO_SINK, GstBaseSink)
struct _VitrailAudioSink {
  GstBaseSink parent;
  VitrailAudioSinkState* state;
};
G_DEFINE_TYPE(VitrailAudioSink, vitrail_audio_sink, GST_TYPE_BASE_SINK)
GST_ELEMENT_REGISTER_DEFINE(vitrailaudiosink, "vitrailaudiosink", GST_RANK_NONE,
                            VITRAIL_TYPE_AUDIO_SINK)
G_END_DECLS

namespace {

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define VITRAIL_S16 "S16LE"
#define VITRAIL_FLOAT "F32LE"
#else
#define VITRAIL_S16 "S16BE"
#define VITRAIL_FLOAT "F32BE"
#endif

GstStaticPadTemplate audio_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("audio/x-raw, format = { " VITRAIL_FLOAT ", " VITRAIL_S16 " }, "
                    "layout = interleaved, rate = [ 8000, 192000 ], channels = [ 1, 8 ]"));

// Returns a new reference, or null.
GstElement* known_sink(VitrailAudioSink* sink) {
  const std::lock_guard lock(sink->state->sink_mutex);
  GstElement* known = sink->state->sink;
  return known == nullptr ? nullptr : GST_ELEMENT(gst_object_ref(known));
}

// Returns a new reference, or null. The message makes the pipeline call set_context() before it
// returns, if a vitrailsink is known.
GstElement* sink_of_the_pipeline(VitrailAudioSink* sink) {
  if (GstElement* known = known_sink(sink)) return known;
  gst_element_post_message(GST_ELEMENT(sink),
                           gst_message_new_need_context(GST_OBJECT(sink), sail::kSinkContext));
  return known_sink(sink);
}

void set_sink(VitrailAudioSink* sink, GstElement* other) {
  {
    const std::lock_guard lock(sink->state->sink_mutex);
    std::swap(sink->state->sink, other);
  }
  if (other != nullptr) gst_object_unref(other);
}

void set_context(GstElement* element, GstContext* context) {
  if (gst_context_has_context_type(context, sail::kSinkContext) != FALSE) {
    GstElement* sink = nullptr;
    gst_structure_get(gst_context_get_structure(context), "sink", GST_TYPE_ELEMENT, &sink, nullptr);
    set_sink(VITRAIL_AUDIO_SINK(element), sink);
  }
  GST_ELEMENT_CLASS(vitrail_audio_sink_parent_class)->set_context(element, context);
}

gboolean set_caps(GstBaseSink* base, GstCaps* caps) {
  VitrailAudioSinkState& state = *VITRAIL_AUDIO_SINK(base)->state;
  const GstStructure* form = gst_caps_get_structure(caps, 0);
  const char* format = gst_structure_get_string(form, "format");
  int rate = 0;
  int channels = 0;
  if (format == nullptr || gst_structure_get_int(form, "rate", &rate) == FALSE ||
      gst_structure_get_int(form, "channels", &channels) == FALSE) {
    return FALSE;
  }
  const bool floats = std::string_view(format) == VITRAIL_FLOAT;
  state.audio = {};
  state.audio.format = floats ? SAIL_FLOAT : SAIL_S16;
  state.audio.rate = rate;
  state.audio.channels = channels;
  state.audio.with_picture = 1;
  state.sample_bytes = (floats ? sizeof(float) : sizeof(int16_t)) * static_cast<size_t>(channels);
  return TRUE;
}

// Nanoseconds until a picture with this timestamp is submitted.
int64_t in_ns(GstBaseSink* base, GstClockTime pts) {
  const auto due = gst_segment_to_running_time(&base->segment, GST_FORMAT_TIME, pts);
  GstClock* clock = gst_element_get_clock(GST_ELEMENT(base));
  if (clock == nullptr || due == GST_CLOCK_TIME_NONE) {
    if (clock != nullptr) gst_object_unref(clock);
    return static_cast<int64_t>(kAheadNs);
  }
  const GstClockTime now = gst_clock_get_time(clock);
  gst_object_unref(clock);
  const GstClockTime begun = gst_element_get_base_time(GST_ELEMENT(base));
  return static_cast<int64_t>(due + gst_base_sink_get_latency(base) + begun) -
         static_cast<int64_t>(now);
}

// Returns false if libsail rejects the sound.
bool play(VitrailAudioSink* sink, GstElement* beside, GstBuffer* buffer, const GstMapInfo& bytes) {
  VitrailAudioSinkState& state = *sink->state;
  const int64_t first_ns = in_ns(GST_BASE_SINK(sink), GST_BUFFER_PTS(buffer));
  const size_t count = bytes.size / state.sample_bytes;
  const auto rate = static_cast<size_t>(state.audio.rate);
  const size_t most = rate / 4;
  for (size_t done = 0; done < count; done += most) {
    sail_audio audio = state.audio;
    audio.samples = bytes.data + done * state.sample_bytes;
    audio.count = std::min(most, count - done);
    audio.restart = std::exchange(state.restart, false) ? 1 : 0;
    const auto after_ns = static_cast<int64_t>(done * GST_SECOND / rate);
    if (!sail::play_beside(beside, audio, first_ns + after_ns)) return false;
  }
  return true;
}

GstFlowReturn render(GstBaseSink* base, GstBuffer* buffer) {
  auto* sink = VITRAIL_AUDIO_SINK(base);
  GstElement* beside = sink_of_the_pipeline(sink);
  if (beside == nullptr) {
    GST_ELEMENT_ERROR(sink, RESOURCE, NOT_FOUND,
                      ("vitrailaudiosink needs a vitrailsink in the same pipeline."), (nullptr));
    return GST_FLOW_ERROR;
  }
  GstMapInfo bytes;
  bool taken = false;
  if (gst_buffer_map(buffer, &bytes, GST_MAP_READ) != FALSE) {
    taken = play(sink, beside, buffer, bytes);
    gst_buffer_unmap(buffer, &bytes);
  }
  gst_object_unref(beside);
  if (taken) return GST_FLOW_OK;
  GST_ELEMENT_ERROR(sink, RESOURCE, WRITE, ("libsail rejected the sound."), (nullptr));
  return GST_FLOW_ERROR;
}

gboolean on_event(GstBaseSink* base, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
    VITRAIL_AUDIO_SINK(base)->state->restart = true;
  }
  return GST_BASE_SINK_CLASS(vitrail_audio_sink_parent_class)->event(base, event);
}

// Submits silence with `restart` on pause, so that sound submitted ahead is not played.
GstStateChangeReturn change_state(GstElement* element, GstStateChange change) {
  const auto changed =
      GST_ELEMENT_CLASS(vitrail_audio_sink_parent_class)->change_state(element, change);
  if (change != GST_STATE_CHANGE_PLAYING_TO_PAUSED) return changed;
  if (GstElement* beside = known_sink(VITRAIL_AUDIO_SINK(element))) {
    sail_audio silence{};
    silence.format = SAIL_FLOAT;
    silence.rate = 48000;
    silence.channels = 1;
    silence.restart = 1;
    static_cast<void>(sail::play_beside(beside, silence, 0));
    gst_object_unref(beside);
  }
  return changed;
}

gboolean stop_audio(GstBaseSink* base) {
  set_sink(VITRAIL_AUDIO_SINK(base), nullptr);
  return TRUE;
}

void finalize_audio(GObject* object) {
  auto* sink = VITRAIL_AUDIO_SINK(object);
  set_sink(sink, nullptr);
  delete std::exchange(sink->state, nullptr);
  G_OBJECT_CLASS(vitrail_audio_sink_parent_class)->finalize(object);
}

}  // namespace

static void vitrail_audio_sink_class_init(VitrailAudioSinkClass* type) {
  G_OBJECT_CLASS(type)->finalize = finalize_audio;
  auto* element = GST_ELEMENT_CLASS(type);
  gst_element_class_add_static_pad_template(element, &audio_template);
  gst_element_class_set_static_metadata(
      element, "Vitrail audio sink", "Sink/Audio",
      "Plays the sound of a vitrailsink's window on a Vitrail wall", "Vitrail");
  element->set_context = set_context;
  element->change_state = change_state;
  auto* base = GST_BASE_SINK_CLASS(type);
  base->set_caps = set_caps;
  base->event = on_event;
  base->render = render;
  base->stop = stop_audio;
}

static void vitrail_audio_sink_init(VitrailAudioSink* sink) {
  sink->state = new VitrailAudioSinkState;
  gst_base_sink_set_render_delay(GST_BASE_SINK(sink), kAheadNs);
}
