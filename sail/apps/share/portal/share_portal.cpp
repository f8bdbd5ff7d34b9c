#include "sail/apps/share/portal/share_portal.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sail/apps/share/portal/share_portal_bus.h"

namespace sail {
namespace {

constexpr const char* kScreenCast = "org.freedesktop.portal.ScreenCast";
constexpr const char* kRemoteDesktop = "org.freedesktop.portal.RemoteDesktop";
constexpr uint64_t kInputTimeoutUs = 1'000'000;
constexpr size_t kMostToken = 4096;

// Constants of the portal's interface.
constexpr uint32_t kMonitors = 1;
constexpr uint32_t kWindows = 2;
constexpr uint32_t kCursorHidden = 1;
constexpr uint32_t kCursorInPicture = 2;
constexpr uint32_t kUntilRevoked = 2;
constexpr uint32_t kKeyboard = 1;
constexpr uint32_t kPointer = 2;
constexpr int32_t kMostAreaSide = 65536;  // maximum of the pointer area
constexpr uint32_t kHasCursorModes = 2;   // required portal versions
constexpr uint32_t kHasTokens = 4;
constexpr uint32_t kRemoteHasTokens = 2;

}  // namespace

struct SharePortal::Impl {
  PortalBus bus;
  uint32_t version = 0;             // version of ScreenCast
  const char* owner = kScreenCast;  // the session's interface; with input RemoteDesktop
  bool has_tokens = false;          // `owner` supports restore tokens
  uint32_t device_types = 0;        // available and requested; 0: no input
  uint32_t node = 0;
  Size area;             // pointer area of the node
  uint32_t devices = 0;  // granted by the user
  std::string token;

  Result<void> open(bool input);
  Result<void> create(const std::function<bool()>& stopped);
  // Adds the token to a call of the owner interface.
  int add_token(sd_bus_message* call, const Wishes& wishes) const;
  Result<void> select_devices(const Wishes& wishes, const std::function<bool()>& stopped);
  Result<void> select_sources(const Wishes& wishes, const std::function<bool()>& stopped);
  Result<void> start(const std::function<bool()>& stopped);
  bool read_stream();
  // Sends an input event and waits for the reply: the portal may reorder concurrent calls.
  template <typename... Values>
  void tell(const char* method, const char* types, Values... values);
};

Result<void> SharePortal::Impl::open(bool input) {
  if (auto opened = bus.open(); !opened) return opened;
  version = bus.property(kScreenCast, "version");
  if (version == 0 || bus.property(kScreenCast, "AvailableSourceTypes") == 0) {
    return fail(ErrorCode::kUnavailable,
                "this Wayland session has no screen-sharing portal: apt install xdg-desktop-portal "
                "and that of the desktop (xdg-desktop-portal-gnome, -kde or -wlr). X11 programs "
                "can be shared with --display");
  }
  if (input)
    device_types = bus.property(kRemoteDesktop, "AvailableDeviceTypes") & (kKeyboard | kPointer);
  has_tokens = version >= kHasTokens;
  if (device_types != 0) {
    owner = kRemoteDesktop;
    has_tokens = bus.property(kRemoteDesktop, "version") >= kRemoteHasTokens;
  }
  return {};
}

Result<void> SharePortal::Impl::create(const std::function<bool()>& stopped) {
  const auto nothing = [](sd_bus_message*) { return 0; };
  const auto options = [](sd_bus_message* call) {
    return sd_bus_message_append(call, "{sv}", "session_handle_token", "s", "vitrail");
  };
  if (auto made = bus.ask(owner, "CreateSession", nothing, options, stopped); !made) return made;
  bus.set_session(text_result(bus.response(), "session_handle"));
  if (sd_bus_object_path_is_valid(bus.session().c_str()) > 0) return {};
  return fail(ErrorCode::kUnavailable, "the desktop's portal returned no session");
}

int SharePortal::Impl::add_token(sd_bus_message* call, const Wishes& wishes) const {
  if (!has_tokens) return 0;
  const int failed = sd_bus_message_append(call, "{sv}", "persist_mode", "u", kUntilRevoked);
  if (failed < 0 || wishes.token.empty()) return failed;
  return sd_bus_message_append(call, "{sv}", "restore_token", "s", wishes.token.c_str());
}

Result<void> SharePortal::Impl::select_devices(const Wishes& wishes,
                                               const std::function<bool()>& stopped) {
  if (owner != kRemoteDesktop) return {};
  const auto before = [this](sd_bus_message* call) {
    return sd_bus_message_append(call, "o", bus.session().c_str());
  };
  const auto options = [&](sd_bus_message* call) {
    const int failed = sd_bus_message_append(call, "{sv}", "types", "u", device_types);
    return failed < 0 ? failed : add_token(call, wishes);
  };
  return bus.ask(kRemoteDesktop, "SelectDevices", before, options, stopped);
}

Result<void> SharePortal::Impl::select_sources(const Wishes& wishes,
                                               const std::function<bool()>& stopped) {
  const auto before = [this](sd_bus_message* call) {
    return sd_bus_message_append(call, "o", bus.session().c_str());
  };
  const auto options = [&](sd_bus_message* call) {
    const uint32_t types =
        bus.property(kScreenCast, "AvailableSourceTypes") & (kMonitors | kWindows);
    int failed = sd_bus_message_append(call, "{sv}", "types", "u", types);
    const uint32_t cursor = wishes.cursor ? kCursorInPicture : kCursorHidden;
    if (failed >= 0 && version >= kHasCursorModes &&
        (bus.property(kScreenCast, "AvailableCursorModes") & cursor) != 0) {
      failed = sd_bus_message_append(call, "{sv}", "cursor_mode", "u", cursor);
    }
    return failed < 0 || owner != kScreenCast ? failed : add_token(call, wishes);
  };
  return bus.ask(kScreenCast, "SelectSources", before, options, stopped);
}

Result<void> SharePortal::Impl::start(const std::function<bool()>& stopped) {
  const auto before = [this](sd_bus_message* call) {
    return sd_bus_message_append(call, "os", bus.session().c_str(), "");  // no parent window
  };
  const auto nothing = [](sd_bus_message*) { return 0; };
  if (auto started = bus.ask(owner, "Start", before, nothing, stopped); !started) return started;
  token = text_result(bus.response(), "restore_token");
  if (token.size() > kMostToken) token.clear();
  if (owner == kRemoteDesktop && enter_result(bus.response(), "devices", "u")) {
    sd_bus_message_read(bus.response(), "u", &devices);
  }
  if (read_stream()) return {};
  return fail(ErrorCode::kUnavailable, "the desktop's portal returned no video stream");
}

// Reads the first stream of the response.
bool SharePortal::Impl::read_stream() {
  sd_bus_message* message = bus.response();
  if (!enter_result(message, "streams", "a(ua{sv})") ||
      sd_bus_message_enter_container(message, 'a', "(ua{sv})") <= 0 ||
      sd_bus_message_enter_container(message, 'r', "ua{sv}") <= 0 ||
      sd_bus_message_read(message, "u", &node) <= 0) {
    return false;
  }
  int32_t width = 0;
  int32_t height = 0;
  if (enter_entry(message, "size", "(ii)") &&
      sd_bus_message_read(message, "(ii)", &width, &height) > 0 && std::min(width, height) > 0 &&
      std::max(width, height) <= kMostAreaSide) {
    area = {width, height};
  }
  return true;
}

template <typename... Values>
void SharePortal::Impl::tell(const char* method, const char* types, Values... values) {
  sd_bus_message* made = nullptr;
  int failed = sd_bus_message_new_method_call(bus.get(), &made, kPortal, kPortalPath,
                                              kRemoteDesktop, method);
  const BusMessage call(made);
  if (failed >= 0) failed = sd_bus_message_append(call.get(), "oa{sv}", bus.session().c_str(), 0);
  if (failed >= 0) failed = sd_bus_message_append(call.get(), types, values...);
  if (failed >= 0) sd_bus_call(bus.get(), call.get(), kInputTimeoutUs, nullptr, nullptr);
}

Result<std::unique_ptr<SharePortal>> SharePortal::ask(const Wishes& wishes,
                                                      const std::function<bool()>& stopped) {
  auto impl = std::make_unique<Impl>();
  auto done = impl->open(wishes.input)
                  .and_then([&] { return impl->create(stopped); })
                  .and_then([&] { return impl->select_devices(wishes, stopped); })
                  .and_then([&] { return impl->select_sources(wishes, stopped); })
                  .and_then([&] { return impl->start(stopped); });
  if (!done) return done.error();
  return std::unique_ptr<SharePortal>(new SharePortal(std::move(impl)));
}

SharePortal::SharePortal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

// The session ends with the D-Bus connection.
SharePortal::~SharePortal() = default;

uint32_t SharePortal::node() const {
  return impl_->node;
}

const std::string& SharePortal::token() const {
  return impl_->token;
}

Result<int> SharePortal::connect() {
  sd_bus_message* read = nullptr;
  BusError error;
  int failed =
      sd_bus_call_method(impl_->bus.get(), kPortal, kPortalPath, kScreenCast, "OpenPipeWireRemote",
                         error.get(), &read, "oa{sv}", impl_->bus.session().c_str(), 0);
  const BusMessage answer(read);
  int theirs = -1;  // closed with the message
  if (failed >= 0) failed = sd_bus_message_read(answer.get(), "h", &theirs);
  const int ours = failed > 0 ? fcntl(theirs, F_DUPFD_CLOEXEC, 0) : -1;
  if (ours >= 0) return ours;
  if (failed > 0) failed = -errno;
  return fail(
      ErrorCode::kUnavailable,
      fmt::format("cannot open the video stream of the desktop's portal: {}", error.text(failed)));
}

bool SharePortal::takes_input() const {
  return impl_->devices != 0;
}

Size SharePortal::pointer_area() const {
  return impl_->area;
}

void SharePortal::move_pointer(double x, double y) {
  impl_->tell("NotifyPointerMotionAbsolute", "udd", impl_->node, x, y);
}

void SharePortal::press_button(int button, bool down) {
  impl_->tell("NotifyPointerButton", "iu", button, down ? 1U : 0U);
}

void SharePortal::turn_wheel(Axis axis, int notches) {
  impl_->tell("NotifyPointerAxisDiscrete", "ui", axis == Axis::kVertical ? 0U : 1U, notches);
}

void SharePortal::press_key(uint32_t keysym, bool down) {
  impl_->tell("NotifyKeyboardKeysym", "iu", static_cast<int32_t>(keysym), down ? 1U : 0U);
}

bool SharePortal::pump() {
  impl_->bus.process();
  return !impl_->bus.closed();
}

}  // namespace sail
