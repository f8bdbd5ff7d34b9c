#include "tests/support/desktop/drawn_screen.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <pipewire/pipewire.h>
#include <spa/param/video/format-utils.h>
#include <systemd/sd-bus.h>

#include <array>
#include <cstring>
#include <utility>

#include "tests/support/headless_wall.h"

namespace test {
namespace {

constexpr const char* kPath = "/org/freedesktop/portal/desktop";
constexpr const char* kInterface = "org.freedesktop.impl.portal.ScreenCast";
constexpr const char* kInput = "org.freedesktop.impl.portal.RemoteDesktop";
constexpr const char* kProperties = "org.freedesktop.DBus.Properties";
constexpr long kTickNs = 5'000'000;
constexpr uint32_t kRefused = 1;
constexpr uint32_t kPointerInPicture = 2;

class Locked {
 public:
  explicit Locked(pw_thread_loop* loop) : loop_(loop) { pw_thread_loop_lock(loop_); }
  ~Locked() { pw_thread_loop_unlock(loop_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  pw_thread_loop* loop_;
};

}  // namespace

struct DrawnScreen::Impl {
  pw_thread_loop* thread = nullptr;
  pw_context* context = nullptr;
  pw_core* core = nullptr;
  pw_stream* stream = nullptr;
  spa_source* timer = nullptr;
  spa_source* heard = nullptr;
  spa_hook hook{};
  sd_bus* bus = nullptr;

  sail::Size size;
  Colours colours = [](int, int) { return 0U; };
  sail::Rect part;  // empty: the whole screen
  int missing = 0;
  bool drawn = false;  // but not sent yet
  int loses = 0;
  bool refuses = false;
  int asked = 0;
  bool restored = false;
  bool pointer = false;
  std::string session;
  sail::Size area;
  uint32_t devices = 3;
  std::string input;

  static Impl& of(void* data) { return *static_cast<Impl*>(data); }
  void start_stream();
  const spa_pod* format(spa_pod_builder& builder) const;
  void agree();
  void send();
  void paint(pw_buffer& buffer) const;
  int answer(sd_bus_message* call);
  int answer_properties(sd_bus_message* call) const;
  int select(sd_bus_message* call);
  int start(sd_bus_message* call);
  bool receive_input(sd_bus_message* call);
};

const spa_pod* DrawnScreen::Impl::format(spa_pod_builder& builder) const {
  const spa_rectangle sides{static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height)};
  const spa_fraction any{0, 1};
  const spa_fraction once{1, 1};
  const spa_fraction most{60, 1};
  return static_cast<const spa_pod*>(spa_pod_builder_add_object(
      &builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType,
      SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw),
      SPA_FORMAT_VIDEO_format, SPA_POD_Id(SPA_VIDEO_FORMAT_RGBx), SPA_FORMAT_VIDEO_size,
      SPA_POD_Rectangle(&sides), SPA_FORMAT_VIDEO_framerate, SPA_POD_Fraction(&any),
      SPA_FORMAT_VIDEO_maxFramerate, SPA_POD_CHOICE_RANGE_Fraction(&most, &once, &most)));
}

void DrawnScreen::Impl::start_stream() {
  static const pw_stream_events kEvents = [] {
    pw_stream_events events{};
    events.version = PW_VERSION_STREAM_EVENTS;
    events.param_changed = [](void* data, uint32_t id, const spa_pod* param) {
      if (id == SPA_PARAM_Format && param != nullptr) of(data).agree();
    };
    events.state_changed = [](void* data, pw_stream_state, pw_stream_state state, const char*) {
      Impl& self = of(data);
      if (state == PW_STREAM_STATE_STREAMING) self.drawn = self.loses == 0 || --self.loses < 0;
    };
    return events;
  }();
  stream =
      pw_stream_new(core, "screen", pw_properties_new(PW_KEY_MEDIA_CLASS, "Video/Source", nullptr));
  pw_stream_add_listener(stream, &hook, &kEvents, this);
  std::array<uint8_t, 1024> bytes{};
  spa_pod_builder builder{};
  spa_pod_builder_init(&builder, bytes.data(), bytes.size());
  const spa_pod* params = format(builder);
  EXPECT_GE(pw_stream_connect(
                stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                static_cast<pw_stream_flags>(PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS),
                &params, 1),
            0);
}

void DrawnScreen::Impl::agree() {
  std::array<uint8_t, 1024> bytes{};
  spa_pod_builder builder{};
  spa_pod_builder_init(&builder, bytes.data(), bytes.size());
  const auto made = [](void* pod) { return static_cast<const spa_pod*>(pod); };
  const int stride = size.width * 4;
  std::array<const spa_pod*, 2> params{
      made(spa_pod_builder_add_object(
          &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
          SPA_POD_CHOICE_RANGE_Int(4, 2, 8), SPA_PARAM_BUFFERS_blocks, SPA_POD_Int(1),
          SPA_PARAM_BUFFERS_size, SPA_POD_Int(stride * size.height), SPA_PARAM_BUFFERS_stride,
          SPA_POD_Int(stride), SPA_PARAM_BUFFERS_dataType,
          SPA_POD_CHOICE_FLAGS_Int(1 << SPA_DATA_MemFd))),
      made(spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta,
                                      SPA_PARAM_META_type, SPA_POD_Id(SPA_META_VideoCrop),
                                      SPA_PARAM_META_size,
                                      SPA_POD_Int(static_cast<int>(sizeof(spa_meta_region)))))};
  pw_stream_update_params(stream, params.data(), params.size());
  drawn = true;
}

void DrawnScreen::Impl::send() {
  if (!drawn || pw_stream_get_state(stream, nullptr) != PW_STREAM_STATE_STREAMING) return;
  pw_buffer* buffer = pw_stream_dequeue_buffer(stream);
  if (buffer == nullptr) return;
  paint(*buffer);
  pw_stream_queue_buffer(stream, buffer);
  pw_stream_trigger_process(stream);
  drawn = false;
}

void DrawnScreen::Impl::paint(pw_buffer& buffer) const {
  spa_data& data = buffer.buffer->datas[0];
  const int bytes = size.width * size.height * 4;
  if (data.data == nullptr || data.maxsize < static_cast<uint32_t>(bytes)) return;
  auto* pixel = static_cast<uint8_t*>(data.data);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x, pixel += 4) {
      const uint32_t colour = colours(x, y);
      for (const int i : {0, 1, 2}) pixel[i] = static_cast<uint8_t>(colour >> (16 - 8 * i));
    }
  }
  *data.chunk = {.offset = static_cast<uint32_t>(missing),
                 .size = static_cast<uint32_t>(bytes),
                 .stride = size.width * 4,
                 .flags = 0};
  auto* crop = static_cast<spa_meta_region*>(
      spa_buffer_find_meta_data(buffer.buffer, SPA_META_VideoCrop, sizeof(spa_meta_region)));
  if (crop == nullptr) return;
  crop->region = {{part.x, part.y},
                  {static_cast<uint32_t>(part.width), static_cast<uint32_t>(part.height)}};
}

int DrawnScreen::Impl::answer_properties(sd_bus_message* call) const {
  sd_bus_message* reply = nullptr;
  sd_bus_message_new_method_return(call, &reply);
  sd_bus_message_append(reply, "a{sv}", 4, "AvailableSourceTypes", "u", 1U, "AvailableCursorModes",
                        "u", 3U, "AvailableDeviceTypes", "u", 7U, "version", "u", 4U);
  const int sent = sd_bus_send(bus, reply, nullptr);
  sd_bus_message_unref(reply);
  return sent < 0 ? sent : 1;
}

int DrawnScreen::Impl::answer(sd_bus_message* call) {
  const auto is = [call](const char* method) {
    return sd_bus_message_is_method_call(call, kInterface, method) > 0 ||
           sd_bus_message_is_method_call(call, kInput, method) > 0;
  };
  if (sd_bus_message_is_method_call(call, kProperties, "GetAll") > 0)
    return answer_properties(call);
  if (is("CreateSession")) {
    const char* request = nullptr;
    const char* made = nullptr;
    sd_bus_message_read(call, "oo", &request, &made);
    session = made;
    restored = false;
    return sd_bus_reply_method_return(call, "ua{sv}", 0U, 0);
  }
  if (is("SelectSources") || is("SelectDevices")) return select(call);
  if (is("Start")) return start(call);
  return receive_input(call) ? sd_bus_reply_method_return(call, "") : 0;
}

bool DrawnScreen::Impl::receive_input(sd_bus_message* call) {
  const auto is = [call](const char* method) {
    const bool it_is = sd_bus_message_is_method_call(call, kInput, method) > 0;
    if (it_is) sd_bus_message_skip(call, "oa{sv}");
    return it_is;
  };
  uint32_t stream_node = 0;
  uint32_t down = 0;
  int32_t number = 0;
  double x = 0;
  double y = 0;
  if (is("NotifyPointerMotionAbsolute")) {
    sd_bus_message_read(call, "udd", &stream_node, &x, &y);
    if (stream_node == pw_stream_get_node_id(stream)) input += fmt::format("move {} {}\n", x, y);
  } else if (is("NotifyPointerButton")) {
    sd_bus_message_read(call, "iu", &number, &down);
    input += fmt::format("button {} {}\n", number, down);
  } else if (is("NotifyPointerAxisDiscrete")) {
    sd_bus_message_read(call, "ui", &down, &number);
    input += fmt::format("wheel {} {}\n", down, number);
  } else if (is("NotifyKeyboardKeysym")) {
    sd_bus_message_read(call, "iu", &number, &down);
    input += fmt::format("key {} {}\n", number, down);
  } else {
    return false;
  }
  return true;
}

int DrawnScreen::Impl::select(sd_bus_message* call) {
  sd_bus_message_skip(call, "oos");
  sd_bus_message_enter_container(call, 'a', "{sv}");
  while (sd_bus_message_enter_container(call, 'e', "sv") > 0) {
    const char* name = nullptr;
    uint32_t mode = 0;
    sd_bus_message_read(call, "s", &name);
    restored |= std::strcmp(name, "restore_data") == 0;
    if (std::strcmp(name, "cursor_mode") == 0) {
      sd_bus_message_read(call, "v", "u", &mode);
      pointer = mode == kPointerInPicture;
    } else {
      sd_bus_message_skip(call, "v");
    }
    sd_bus_message_exit_container(call);
  }
  return sd_bus_reply_method_return(call, "ua{sv}", 0U, 0);
}

int DrawnScreen::Impl::start(sd_bus_message* call) {
  asked += restored ? 0 : 1;
  if (!restored && refuses) return sd_bus_reply_method_return(call, "ua{sv}", kRefused, 0);
  const sail::Size pointer_area = area == sail::Size{} ? size : area;
  return sd_bus_reply_method_return(
      call, "ua{sv}", 0U, 4, "streams", "a(ua{sv})", 1, pw_stream_get_node_id(stream), 2,
      "source_type", "u", 1U, "size", "(ii)", pointer_area.width, pointer_area.height, "devices",
      "u", devices, "persist_mode", "u", 2U, "restore_data", "(suv)", "vitrail", 1U, "s", "screen");
}

DrawnScreen::DrawnScreen(const std::string& bus, const std::string& folder, sail::Size size)
    : impl_(std::make_unique<Impl>()) {
  pw_init(nullptr, nullptr);
  Impl& self = *impl_;
  self.size = size;
  self.thread = pw_thread_loop_new("screen", nullptr);
  pw_loop* loop = pw_thread_loop_get_loop(self.thread);
  self.context = pw_context_new(loop, nullptr, 0);
  const std::string socket = folder + "/pipewire-0";
  // The socket exists before PipeWire listens on it.
  const auto connect = [&] {
    self.core = pw_context_connect(
        self.context, pw_properties_new(PW_KEY_REMOTE_NAME, socket.c_str(), nullptr), 0);
    return self.core != nullptr;
  };
  if (!eventually(connect)) {
    ADD_FAILURE() << "no PipeWire at " << socket;
    return;
  }
  self.start_stream();
  sd_bus_new(&self.bus);
  sd_bus_set_address(self.bus, bus.c_str());
  sd_bus_set_bus_client(self.bus, 1);
  EXPECT_GE(sd_bus_start(self.bus), 0) << bus;
  sd_bus_add_object(
      self.bus, nullptr, kPath,
      [](sd_bus_message* call, void* data, sd_bus_error*) { return Impl::of(data).answer(call); },
      &self);
  EXPECT_GE(sd_bus_request_name(self.bus, kBusName, 0), 0);
  const auto hear = [](void* data, int, uint32_t) {
    while (sd_bus_process(Impl::of(data).bus, nullptr) > 0) {
    }
  };
  self.heard = pw_loop_add_io(loop, sd_bus_get_fd(self.bus), SPA_IO_IN, false, hear, &self);
  self.timer = pw_loop_add_timer(
      loop, [](void* data, uint64_t) { Impl::of(data).send(); }, &self);
  timespec tick{0, kTickNs};
  pw_loop_update_timer(loop, self.timer, &tick, &tick, false);
  pw_thread_loop_start(self.thread);
  EXPECT_TRUE(eventually([&] {
    const Locked locked(self.thread);
    return pw_stream_get_node_id(self.stream) != PW_ID_ANY;
  }));
}

DrawnScreen::~DrawnScreen() {
  Impl& self = *impl_;
  pw_thread_loop_stop(self.thread);
  if (self.stream != nullptr) pw_stream_destroy(self.stream);
  if (self.core != nullptr) pw_core_disconnect(self.core);
  pw_context_destroy(self.context);
  pw_thread_loop_destroy(self.thread);
  sd_bus_flush_close_unref(self.bus);
  pw_deinit();
}

void DrawnScreen::draw(const Colours& colours) {
  const Locked locked(impl_->thread);
  impl_->colours = colours;
  impl_->drawn = true;
}

bool DrawnScreen::sent() const {
  const Locked locked(impl_->thread);
  return !impl_->drawn;
}

void DrawnScreen::resize(sail::Size size) {
  const Locked locked(impl_->thread);
  impl_->size = size;
  std::array<uint8_t, 1024> bytes{};
  spa_pod_builder builder{};
  spa_pod_builder_init(&builder, bytes.data(), bytes.size());
  const spa_pod* params = impl_->format(builder);
  pw_stream_update_params(impl_->stream, &params, 1);
}

void DrawnScreen::crop(const sail::Rect& part) {
  const Locked locked(impl_->thread);
  impl_->part = part;
  impl_->drawn = true;
}

void DrawnScreen::lie_about_its_bytes(int missing) {
  const Locked locked(impl_->thread);
  impl_->missing = missing;
}

void DrawnScreen::lose_its_first(int times) {
  const Locked locked(impl_->thread);
  impl_->loses = times;
}

void DrawnScreen::refuse(bool on) {
  const Locked locked(impl_->thread);
  impl_->refuses = on;
}

int DrawnScreen::times_asked() const {
  const Locked locked(impl_->thread);
  return impl_->asked;
}

bool DrawnScreen::has_pointer() const {
  const Locked locked(impl_->thread);
  return impl_->pointer;
}

void DrawnScreen::set_pointer_area(sail::Size area) {
  const Locked locked(impl_->thread);
  impl_->area = area;
}

void DrawnScreen::give_devices(uint32_t devices) {
  const Locked locked(impl_->thread);
  impl_->devices = devices;
}

std::string DrawnScreen::take_input() {
  const Locked locked(impl_->thread);
  return std::exchange(impl_->input, {});
}

void DrawnScreen::end() {
  const Locked locked(impl_->thread);
  sd_bus_emit_signal(impl_->bus, impl_->session.c_str(), "org.freedesktop.impl.portal.Session",
                     "Closed", "");
}

}  // namespace test
