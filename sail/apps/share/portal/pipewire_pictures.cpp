#include "sail/apps/share/portal/pipewire_pictures.h"

#include <fmt/core.h>
#include <pipewire/pipewire.h>
#include <spa/param/video/format-utils.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "sail/core/base/c_library.h"

namespace sail {
namespace {

constexpr int kPixelBytes = 4;
constexpr uint32_t kMostSide = 16384;
constexpr double kMostFps = 240;
// One is held here, and the producer needs at least one more to draw into.
constexpr int kFewestBuffers = 2;
constexpr int kUsualBuffers = 4;
constexpr int kMostBuffers = 8;
constexpr uint32_t kInMemory = 1U << SPA_DATA_MemPtr | 1U << SPA_DATA_MemFd;

const spa_pod* formats(spa_pod_builder& builder, double fps) {
  const spa_rectangle usual{1920, 1080};
  const spa_rectangle least{1, 1};
  const spa_rectangle most{kMostSide, kMostSide};
  const spa_fraction any{0, 1};
  const spa_fraction most_often{static_cast<uint32_t>(kMostFps), 1};
  const spa_fraction once{1, 1};
  const spa_fraction wanted{static_cast<uint32_t>(std::clamp(std::ceil(fps), 1.0, kMostFps)), 1};
  return static_cast<const spa_pod*>(spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType,
      SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw),
      SPA_FORMAT_VIDEO_format,
      SPA_POD_CHOICE_ENUM_Id(5, SPA_VIDEO_FORMAT_BGRx, SPA_VIDEO_FORMAT_BGRx, SPA_VIDEO_FORMAT_BGRA,
                             SPA_VIDEO_FORMAT_RGBx, SPA_VIDEO_FORMAT_RGBA),
      SPA_FORMAT_VIDEO_size, SPA_POD_CHOICE_RANGE_Rectangle(&usual, &least, &most),
      // Variable rate: pictures arrive when something is drawn.
      SPA_FORMAT_VIDEO_framerate, SPA_POD_CHOICE_RANGE_Fraction(&any, &any, &most_often),
      SPA_FORMAT_VIDEO_maxFramerate, SPA_POD_CHOICE_RANGE_Fraction(&wanted, &once, &wanted)));
}

bool has_red_first(spa_video_format format) {
  return format == SPA_VIDEO_FORMAT_RGBx || format == SPA_VIDEO_FORMAT_RGBA;
}

}  // namespace

struct PipewirePictures::Impl {
  struct Library {
    Library() { pw_init(nullptr, nullptr); }
    ~Library() { pw_deinit(); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
  };

  Library library;  // first member: must outlive all PipeWire objects
  std::unique_ptr<pw_main_loop, FreedBy<pw_main_loop_destroy>> main_loop;
  std::unique_ptr<pw_context, FreedBy<pw_context_destroy>> context;
  std::unique_ptr<pw_core, FreedBy<pw_core_disconnect>> core;
  std::unique_ptr<pw_stream, FreedBy<pw_stream_destroy>> stream;
  spa_hook core_hook{};
  spa_hook stream_hook{};
  Size size;  // as negotiated
  sail_pixel_format format = SAIL_BGRA;
  pw_buffer* held = nullptr;  // buffer of the newest picture; null: none
  Frame newest;
  bool newer = false;
  bool streamed = false;
  std::string lost;  // why no more pictures arrive; empty: still connected

  static Impl& of(void* data) { return *static_cast<Impl*>(data); }
  pw_loop* loop() const { return pw_main_loop_get_loop(main_loop.get()); }
  ~Impl();
  static pw_core_events core_events();
  static pw_stream_events stream_events();
  Result<void> connect(int connection, uint32_t node, double fps);
  void agreed(const spa_pod& param);
  void changed(pw_stream_state state, const char* why);
  void take_buffers();
  // The returned frame has no pixels if the buffer contains no picture.
  static Frame frame_in(const pw_buffer& buffer, Size size, sail_pixel_format format);
  void lose(const char* why) {
    if (lost.empty()) lost = why;
  }
};

PipewirePictures::Impl::~Impl() {
  if (stream) spa_hook_remove(&stream_hook);
  if (core) spa_hook_remove(&core_hook);
  if (main_loop) pw_loop_leave(loop());
}

pw_core_events PipewirePictures::Impl::core_events() {
  pw_core_events events{};
  events.version = PW_VERSION_CORE_EVENTS;
  events.error = [](void* data, uint32_t id, int /*seq*/, int /*result*/, const char* message) {
    if (id == PW_ID_CORE) of(data).lose(message);
  };
  return events;
}

pw_stream_events PipewirePictures::Impl::stream_events() {
  pw_stream_events events{};
  events.version = PW_VERSION_STREAM_EVENTS;
  events.state_changed = [](void* data, pw_stream_state /*old*/, pw_stream_state state,
                            const char* why) { of(data).changed(state, why); };
  events.param_changed = [](void* data, uint32_t id, const spa_pod* param) {
    if (id == SPA_PARAM_Format && param != nullptr) of(data).agreed(*param);
  };
  events.remove_buffer = [](void* data, pw_buffer* buffer) {
    Impl& self = of(data);
    if (self.held != buffer) return;
    self.held = nullptr;
    self.newest = {};
  };
  return events;
}

Result<void> PipewirePictures::Impl::connect(int connection, uint32_t node, double fps) {
  static const pw_core_events kCoreEvents = core_events();
  static const pw_stream_events kStreamEvents = stream_events();
  main_loop.reset(pw_main_loop_new(nullptr));
  if (main_loop) {
    pw_loop_enter(loop());
    context.reset(pw_context_new(loop(), nullptr, 0));
  }
  if (!context) {
    close(connection);
    return fail(
        ErrorCode::kUnavailable,
        fmt::format("cannot start PipeWire ({}): apt install pipewire", std::strerror(errno)));
  }
  core.reset(pw_context_connect_fd(context.get(), connection, nullptr, 0));  // owns `connection`
  if (!core) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot connect to PipeWire: {}", std::strerror(errno)));
  }
  pw_core_add_listener(core.get(), &core_hook, &kCoreEvents, this);
  stream.reset(pw_stream_new(core.get(), "vitrail-share",
                             pw_properties_new(PW_KEY_MEDIA_TYPE, "Video", PW_KEY_MEDIA_CATEGORY,
                                               "Capture", PW_KEY_MEDIA_ROLE, "Screen", nullptr)));
  if (!stream) return fail(ErrorCode::kUnavailable, "cannot create a PipeWire stream");
  pw_stream_add_listener(stream.get(), &stream_hook, &kStreamEvents, this);
  std::array<uint8_t, 1024> bytes{};
  spa_pod_builder builder{};
  spa_pod_builder_init(&builder, bytes.data(), bytes.size());
  const spa_pod* params = formats(builder, fps);
  const int failed = pw_stream_connect(
      stream.get(), PW_DIRECTION_INPUT, node,
      static_cast<pw_stream_flags>(PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS),
      &params, 1);
  if (failed >= 0) return {};
  return fail(ErrorCode::kUnavailable,
              fmt::format("cannot connect the PipeWire stream: {}", std::strerror(-failed)));
}

void PipewirePictures::Impl::agreed(const spa_pod& param) {
  spa_video_info_raw info{};
  if (spa_format_video_raw_parse(&param, &info) < 0 || info.size.width < 1 ||
      info.size.height < 1 || info.size.width > kMostSide || info.size.height > kMostSide) {
    return lose("unsupported frame size");
  }
  size = {static_cast<int>(info.size.width), static_cast<int>(info.size.height)};
  format = has_red_first(info.format) ? SAIL_RGBA : SAIL_BGRA;
  std::array<uint8_t, 1024> bytes{};
  spa_pod_builder builder{};
  spa_pod_builder_init(&builder, bytes.data(), bytes.size());
  const auto made = [](void* pod) { return static_cast<const spa_pod*>(pod); };
  std::array<const spa_pod*, 2> params{
      made(spa_pod_builder_add_object(
          &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
          SPA_POD_CHOICE_RANGE_Int(kUsualBuffers, kFewestBuffers, kMostBuffers),
          SPA_PARAM_BUFFERS_dataType, SPA_POD_CHOICE_FLAGS_Int(static_cast<int>(kInMemory)))),
      // The crop region: a window may fill only a part of the buffer.
      made(spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
                                      SPA_PARAM_META_type, SPA_POD_Id(SPA_META_VideoCrop),
                                      SPA_PARAM_META_size,
                                      SPA_POD_Int(static_cast<int>(sizeof(spa_meta_region))))),
  };
  pw_stream_update_params(stream.get(), params.data(), params.size());
}

void PipewirePictures::Impl::changed(pw_stream_state state, const char* why) {
  if (state == PW_STREAM_STATE_STREAMING) streamed = true;
  if (state == PW_STREAM_STATE_ERROR) lose(why == nullptr ? "no reason given" : why);
  if (state == PW_STREAM_STATE_UNCONNECTED && streamed) lose("the source has ended");
}

void PipewirePictures::Impl::take_buffers() {
  while (pw_buffer* buffer = pw_stream_dequeue_buffer(stream.get())) {
    const Frame frame = frame_in(*buffer, size, format);
    if (frame.pixels == nullptr) {
      pw_stream_queue_buffer(stream.get(), buffer);
      continue;
    }
    if (held != nullptr) pw_stream_queue_buffer(stream.get(), held);
    held = buffer;
    newest = frame;
    newer = true;
  }
}

// The producer may change a buffer's metadata at any time, so each value is read only once.
PipewirePictures::Frame PipewirePictures::Impl::frame_in(const pw_buffer& buffer, Size size,
                                                         sail_pixel_format format) {
  const spa_buffer& spa = *buffer.buffer;
  if (spa.n_datas < 1 || spa.datas[0].data == nullptr) return {};
  const spa_data& data = spa.datas[0];
  const spa_chunk chunk = *data.chunk;
  const Rect whole{0, 0, size.width, size.height};
  Rect part = whole;
  const auto* crop = static_cast<const spa_meta_region*>(
      spa_buffer_find_meta_data(&spa, SPA_META_VideoCrop, sizeof(spa_meta_region)));
  if (crop != nullptr) {
    const spa_region region = crop->region;
    const auto [x, y] = region.position;
    const auto [width, height] = region.size;
    if (std::max(width, height) > kMostSide || std::abs(int64_t{x}) > kMostSide ||
        std::abs(int64_t{y}) > kMostSide) {
      return {};
    }
    const Rect region_rect{x, y, static_cast<int>(width), static_cast<int>(height)};
    if (!region_rect.empty()) part = intersect(whole, region_rect);
  }
  const bool empty =
      chunk.size == 0 || (static_cast<uint32_t>(chunk.flags) & SPA_CHUNK_FLAG_CORRUPTED) != 0;
  if (empty || part.empty() || chunk.stride < size.width * kPixelBytes) return {};
  const int64_t end =
      chunk.offset + int64_t{chunk.stride} * (size.height - 1) + int64_t{size.width} * kPixelBytes;
  if (end > data.maxsize) return {};
  return {static_cast<const uint8_t*>(data.data) + chunk.offset + ptrdiff_t{part.y} * chunk.stride +
              ptrdiff_t{part.x} * kPixelBytes,
          chunk.stride,
          {part.width, part.height},
          format};
}

Result<std::unique_ptr<PipewirePictures>> PipewirePictures::open(int connection, uint32_t node,
                                                                 double fps) {
  auto impl = std::make_unique<Impl>();
  if (auto connected = impl->connect(connection, node, fps); !connected) return connected.error();
  return std::unique_ptr<PipewirePictures>(new PipewirePictures(std::move(impl)));
}

PipewirePictures::PipewirePictures(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

PipewirePictures::~PipewirePictures() = default;

Result<bool> PipewirePictures::pump(int timeout_ms) {
  pw_loop_iterate(impl_->loop(), timeout_ms);
  impl_->take_buffers();
  if (!impl_->lost.empty()) {
    return fail(ErrorCode::kUnavailable, "lost the desktop's video stream: " + impl_->lost);
  }
  return std::exchange(impl_->newer, false);
}

void PipewirePictures::restart() {
  for (const bool active : {false, true}) pw_stream_set_active(impl_->stream.get(), active);
}

const PipewirePictures::Frame& PipewirePictures::newest() const {
  return impl_->newest;
}

}  // namespace sail
