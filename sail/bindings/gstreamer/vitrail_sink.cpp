// The element `vitrailsink`: implements GstVideoSink with SinkWindow and SinkPictures. GStreamer's
// base class waits for each picture's time (sync, qos, max-lateness).
#include "sail/bindings/gstreamer/vitrail_sink.h"

#include <gst/video/gstvideosink.h>
#include <gst/video/video.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sail/bindings/gstreamer/sink_events.h"
#include "sail/bindings/gstreamer/sink_pictures.h"
#include "sail/bindings/gstreamer/sink_window.h"
#include "sail/media/source/picture_spec.h"

namespace {

enum Property : guint { kNone, kManager, kTitle, kCodec, kTransport, kPlace, kDelayMs };

constexpr int kMostDelayMs = 2000;

}  // namespace

// State of one element. The GObject struct is C, so it only points to this.
struct VitrailSinkState {
  std::mutex wishes_mutex;
  sail::SinkWishes wishes;
  std::string place;  // property text, unparsed
  std::unique_ptr<sail::SinkWindow> window;
  // Guards `window` and the following members: the window's thread may show the last picture again
  // while the pipeline shows another one.
  std::mutex show_mutex;
  GstVideoInfo info{};
  std::unique_ptr<sail::SinkPictures> pictures;
};

G_BEGIN_DECLS
#define VITRAIL_TYPE_SINK (vitrail_sink_get_type())
G_DECLARE_FINAL_TYPE(VitrailSink, vitrail_sink, VITRAIL, SINK, GstVideoSink)
struct _VitrailSink {
  GstVideoSink parent;
  VitrailSinkState* state;
};
G_DEFINE_TYPE(VitrailSink, vitrail_sink, GST_TYPE_VIDEO_SINK)
GST_ELEMENT_REGISTER_DEFINE(vitrailsink, "vitrailsink", GST_RANK_NONE, VITRAIL_TYPE_SINK)
G_END_DECLS

namespace {

// The size limits are libsail's.
GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
                            GST_STATIC_CAPS("video/x-raw, format = (string) " GST_VIDEO_FORMATS_ALL
                                            ", width = (int) [ 1, 16384 ], height = (int) [ 1, "
                                            "16384 ], framerate = " GST_VIDEO_FPS_RANGE));

std::string text_of(const GValue* value) {
  const char* text = g_value_get_string(value);
  return text == nullptr ? std::string() : std::string(text);
}

void set_property(GObject* object, guint number, const GValue* value, GParamSpec* spec) {
  VitrailSinkState& state = *VITRAIL_SINK(object)->state;
  const std::lock_guard lock(state.wishes_mutex);
  switch (number) {
    case kManager:
      state.wishes.manager = text_of(value);
      break;
    case kTitle:
      state.wishes.title = text_of(value);
      break;
    case kCodec:
      state.wishes.codec = text_of(value);
      break;
    case kTransport:
      state.wishes.transport = text_of(value);
      break;
    case kPlace:
      state.place = text_of(value);
      break;
    case kDelayMs:
      state.wishes.delay_ms = g_value_get_int(value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, number, spec);
  }
}

void get_property(GObject* object, guint number, GValue* value, GParamSpec* spec) {
  VitrailSinkState& state = *VITRAIL_SINK(object)->state;
  const std::lock_guard lock(state.wishes_mutex);
  switch (number) {
    case kManager:
      g_value_set_string(value, state.wishes.manager.c_str());
      break;
    case kTitle:
      g_value_set_string(value, state.wishes.title.c_str());
      break;
    case kCodec:
      g_value_set_string(value, state.wishes.codec.c_str());
      break;
    case kTransport:
      g_value_set_string(value, state.wishes.transport.c_str());
      break;
    case kPlace:
      g_value_set_string(value, state.place.c_str());
      break;
    case kDelayMs:
      g_value_set_int(value, state.wishes.delay_ms);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, number, spec);
  }
}

// Announces this element to the pipeline's audio sinks.
void make_known(VitrailSink* sink) {
  GstContext* context = gst_context_new(sail::kSinkContext, FALSE);
  gst_structure_set(gst_context_writable_structure(context), "sink", GST_TYPE_ELEMENT, sink,
                    nullptr);
  gst_element_post_message(GST_ELEMENT(sink),
                           gst_message_new_have_context(GST_OBJECT(sink), context));
}

// Returns false after posting an error.
bool show(VitrailSink* sink, GstBuffer* buffer) {
  VitrailSinkState& state = *sink->state;
  const std::lock_guard lock(state.show_mutex);
  if (!state.pictures) return true;
  GstVideoFrame mapped;
  if (gst_video_frame_map(&mapped, &state.info, buffer, GST_MAP_READ) == FALSE) {
    GST_ELEMENT_ERROR(sink, RESOURCE, READ, ("Cannot read a frame."), (nullptr));
    return false;
  }
  const bool taken = state.window->show(state.pictures->view(mapped));
  gst_video_frame_unmap(&mapped);
  if (!taken) {
    GST_ELEMENT_ERROR(sink, RESOURCE, WRITE, ("libsail rejected the frame."), (nullptr));
  }
  return taken;
}

void show_again(VitrailSink* sink, GstSample* last) {
  GstVideoInfo info;
  if (gst_video_info_from_caps(&info, gst_sample_get_caps(last)) == FALSE) return;
  {
    const std::lock_guard lock(sink->state->show_mutex);
    // The last sample is older than the format change.
    if (gst_video_info_is_equal(&info, &sink->state->info) == FALSE) return;
  }
  show(sink, gst_sample_get_buffer(last));
}

sail::SinkEars ears_of(VitrailSink* sink) {
  return {.closed =
              [sink] {
                GST_ELEMENT_ERROR(sink, RESOURCE, NOT_FOUND, ("The window was closed on the wall."),
                                  (nullptr));
              },
          .refresh =
              [sink] {
                GstSample* last = gst_base_sink_get_last_sample(GST_BASE_SINK(sink));
                if (last == nullptr) return;
                show_again(sink, last);
                gst_sample_unref(last);
              },
          .input =
              [sink](const sail_input& input) {
                GstEvent* event = sail::navigation_of(input);
                if (event != nullptr) gst_pad_push_event(GST_BASE_SINK_PAD(sink), event);
              }};
}

gboolean start(GstBaseSink* base) {
  auto* sink = VITRAIL_SINK(base);
  VitrailSinkState& state = *sink->state;
  sail::SinkWishes wishes;
  {
    const std::lock_guard lock(state.wishes_mutex);
    wishes = state.wishes;
    if (!state.place.empty()) {
      const auto place = sail::parse_place(state.place);
      if (!place) {
        GST_ELEMENT_ERROR(sink, RESOURCE, SETTINGS,
                          ("place \"%s\" is not X,Y[,WxH].", state.place.c_str()), (nullptr));
        return FALSE;
      }
      wishes.place = {place->x, place->y, place->width, place->height};
    }
  }
  std::string error;
  gst_base_sink_set_render_delay(base, static_cast<GstClockTime>(wishes.delay_ms) * GST_MSECOND);
  auto window = sail::SinkWindow::connect(std::move(wishes), ears_of(sink), &error);
  if (!window) {
    GST_ELEMENT_ERROR(sink, RESOURCE, OPEN_WRITE, ("%s", error.c_str()), (nullptr));
    return FALSE;
  }
  {
    const std::lock_guard lock(state.show_mutex);  // its thread runs, an audio sink may ask
    state.window = std::move(window);
  }
  make_known(sink);
  return TRUE;
}

gboolean stop(GstBaseSink* base) {
  VitrailSinkState& state = *VITRAIL_SINK(base)->state;
  std::unique_ptr<sail::SinkWindow> window;
  {
    const std::lock_guard lock(state.show_mutex);
    state.pictures.reset();
    window = std::move(state.window);
  }
  return TRUE;  // destroyed after the unlock: the window joins its thread, which may wait for the
                // mutex
}

gboolean set_info(GstVideoSink* video, GstCaps* /*caps*/, const GstVideoInfo* info) {
  auto* sink = VITRAIL_SINK(video);
  VitrailSinkState& state = *sink->state;
  const std::lock_guard lock(state.show_mutex);
  const double fps = info->fps_d > 0 ? static_cast<double>(info->fps_n) / info->fps_d : 0;
  std::string error;
  if (!state.window->open(info->width, info->height, fps, &error)) {
    GST_ELEMENT_ERROR(sink, RESOURCE, OPEN_WRITE, ("%s", error.c_str()), (nullptr));
    return FALSE;
  }
  state.info = *info;
  state.pictures = std::make_unique<sail::SinkPictures>(*info, state.window->codec());
  if (state.pictures->readable()) return TRUE;
  state.pictures.reset();
  GST_ELEMENT_ERROR(sink, STREAM, FORMAT, ("%s cannot be converted.", info->finfo->name),
                    (nullptr));
  return FALSE;
}

GstFlowReturn show_frame(GstVideoSink* video, GstBuffer* buffer) {
  return show(VITRAIL_SINK(video), buffer) ? GST_FLOW_OK : GST_FLOW_ERROR;
}

// Accepting any stride saves upstream elements a copy.
gboolean propose_allocation(GstBaseSink* /*sink*/, GstQuery* query) {
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  return TRUE;
}

void finalize(GObject* object) {
  delete std::exchange(VITRAIL_SINK(object)->state, nullptr);
  G_OBJECT_CLASS(vitrail_sink_parent_class)->finalize(object);
}

void install_text(GObjectClass* type, Property number, const char* name, const char* what) {
  const auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_property(type, number,
                                  g_param_spec_string(name, name, what, nullptr, flags));
}

gboolean plugin_init(GstPlugin* plugin) {
  return GST_ELEMENT_REGISTER(vitrailsink, plugin) != FALSE &&
         GST_ELEMENT_REGISTER(vitrailaudiosink, plugin) != FALSE;
}

}  // namespace

bool sail::play_beside(GstElement* vitrailsink, sail_audio audio, int64_t in_ns) {
  VitrailSinkState& state = *VITRAIL_SINK(vitrailsink)->state;
  const std::lock_guard lock(state.show_mutex);
  return !state.window || state.window->play(audio, in_ns);
}

static void vitrail_sink_class_init(VitrailSinkClass* type) {
  auto* object = G_OBJECT_CLASS(type);
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = finalize;
  install_text(object, kManager, "manager",
               "HOST:PORT of the wall's manager (default: $VITRAIL_MANAGER, else 127.0.0.1:7440)");
  install_text(object, kTitle, "title", "Title of the window");
  install_text(
      object, kCodec, "codec",
      "Codec and its options, as for bplay --codec: dxt1, dxt5, dxt5ycocg, htj2k, j2k or raw");
  install_text(object, kTransport, "transport", "tcp or udp (default: from the wall file)");
  install_text(object, kPlace, "place",
               "X,Y[,WxH] in wall pixels (default: chosen by the manager)");
  const auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_property(object, kDelayMs,
                                  g_param_spec_int("delay-ms", "delay-ms",
                                                   "Time from submitting a frame to showing it, in "
                                                   "ms; frames are submitted this much earlier",
                                                   0, kMostDelayMs, 0, flags));
  auto* element = GST_ELEMENT_CLASS(type);
  gst_element_class_add_static_pad_template(element, &sink_template);
  gst_element_class_set_static_metadata(element, "Vitrail sink", "Sink/Video",
                                        "Shows video in a window on a Vitrail wall", "Vitrail");
  auto* base = GST_BASE_SINK_CLASS(type);
  base->start = start;
  base->stop = stop;
  base->propose_allocation = propose_allocation;
  auto* video = GST_VIDEO_SINK_CLASS(type);
  video->set_info = set_info;
  video->show_frame = show_frame;
}

static void vitrail_sink_init(VitrailSink* sink) {
  sink->state = new VitrailSinkState;
  sink->state->wishes.title = "GStreamer";
}

#define PACKAGE "vitrail"
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, vitrail, "Vitrail walls", plugin_init,
                  VITRAIL_VERSION, "Apache 2.0", "Vitrail", "Vitrail")
