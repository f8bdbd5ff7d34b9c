#include "sail/apps/share/portal/share_portal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <systemd/sd-bus.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sail/core/base/c_library.h"

namespace sail {
namespace {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kScreenCast = "org.freedesktop.portal.ScreenCast";
constexpr const char* kRemoteDesktop = "org.freedesktop.portal.RemoteDesktop";
constexpr uint64_t kWaitTimeoutUs = 10'000'000;  // timeout of answers that need no user
constexpr uint64_t kInputTimeoutUs = 1'000'000;
constexpr uint64_t kSliceUs = 100'000;  // polling interval of stopped()
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
constexpr uint32_t kCancelled = 1;

using Message = std::unique_ptr<sd_bus_message, FreedBy<sd_bus_message_unref>>;

class BusError {
 public:
  BusError() = default;
  ~BusError() { sd_bus_error_free(&error_); }
  BusError(const BusError&) = delete;
  BusError& operator=(const BusError&) = delete;
  sd_bus_error* get() { return &error_; }
  // Returns the message of a call that failed with this code.
  std::string text(int code) const {
    return error_.message != nullptr ? error_.message : std::strerror(-code);
  }

 private:
  sd_bus_error error_ = SD_BUS_ERROR_NULL;
};

// Enters the value with this name and type in the "a{sv}" that follows.
bool enter_entry(sd_bus_message* message, const char* wanted, const char* type) {
  if (sd_bus_message_enter_container(message, 'a', "{sv}") <= 0) return false;
  while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
    const char* name = nullptr;
    if (sd_bus_message_read(message, "s", &name) <= 0) return false;
    if (std::strcmp(name, wanted) == 0) {
      return sd_bus_message_enter_container(message, 'v', type) > 0;
    }
    if (sd_bus_message_skip(message, "v") < 0) return false;
    if (sd_bus_message_exit_container(message) < 0) return false;
  }
  return false;
}

// Enters a value among the results of a response of type "ua{sv}".
bool enter_result(sd_bus_message* response, const char* wanted, const char* type) {
  sd_bus_message_rewind(response, 1);
  sd_bus_message_skip(response, "u");
  return enter_entry(response, wanted, type);
}

// Returns an empty string if there is no such result.
std::string text_result(sd_bus_message* response, const char* name) {
  const char* text = nullptr;
  if (!enter_result(response, name, "s")) return {};
  return sd_bus_message_read(response, "s", &text) > 0 ? text : "";
}

}  // namespace

struct SharePortal::Impl {
  std::unique_ptr<sd_bus, FreedBy<sd_bus_flush_close_unref>> bus;
  uint32_t version = 0;             // version of ScreenCast
  const char* owner = kScreenCast;  // the session's interface; with input RemoteDesktop
  bool has_tokens = false;          // `owner` supports restore tokens
  uint32_t device_types = 0;        // available and requested; 0: no input
  std::string request;              // object path of the pending request
  Message response;                 // response to that request
  std::string session;              // object path; empty: not created yet
  bool closed = false;
  uint32_t node = 0;
  Size area;             // pointer area of the node
  uint32_t devices = 0;  // granted by the user
  std::string token;

  static Impl& of(void* data) { return *static_cast<Impl*>(data); }
  Result<void> open(bool input);
  uint32_t property(const char* interface, const char* name);
  void hear();

  using Fill = std::function<int(sd_bus_message* call)>;
  // Sends a request and waits for the response. `before` writes the arguments before the options,
  // `options` writes the options except the handle.
  Result<void> ask(const char* interface, const char* method, const Fill& before,
                   const Fill& options, const std::function<bool()>& stopped);
  Result<void> await(const std::function<bool()>& stopped);

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
  sd_bus* opened = nullptr;
  if (const int failed = sd_bus_open_user(&opened); failed < 0) {
    return fail(
        ErrorCode::kUnavailable,
        fmt::format("cannot reach the desktop's portal: no D-Bus connection for this user: {}",
                    std::strerror(-failed)));
  }
  bus.reset(opened);
  sd_bus_set_method_call_timeout(bus.get(), kWaitTimeoutUs);
  version = property(kScreenCast, "version");
  if (version == 0 || property(kScreenCast, "AvailableSourceTypes") == 0) {
    return fail(ErrorCode::kUnavailable,
                "this Wayland session has no screen-sharing portal: apt install xdg-desktop-portal "
                "and that of the desktop (xdg-desktop-portal-gnome, -kde or -wlr). X11 programs "
                "can be shared with --display");
  }
  if (input)
    device_types = property(kRemoteDesktop, "AvailableDeviceTypes") & (kKeyboard | kPointer);
  has_tokens = version >= kHasTokens;
  if (device_types != 0) {
    owner = kRemoteDesktop;
    has_tokens = property(kRemoteDesktop, "version") >= kRemoteHasTokens;
  }
  // The portal sends these signals only to the requesting client.
  const auto on_response = [](sd_bus_message* message, void* data, sd_bus_error*) {
    Impl& self = of(data);
    if (self.request == sd_bus_message_get_path(message)) {
      self.response.reset(sd_bus_message_ref(message));
    }
    return 0;
  };
  const auto on_closed = [](sd_bus_message* message, void* data, sd_bus_error*) {
    Impl& self = of(data);
    self.closed |= self.session == sd_bus_message_get_path(message);
    return 0;
  };
  sd_bus_match_signal(bus.get(), nullptr, kPortal, nullptr, "org.freedesktop.portal.Request",
                      "Response", on_response, this);
  sd_bus_match_signal(bus.get(), nullptr, kPortal, nullptr, "org.freedesktop.portal.Session",
                      "Closed", on_closed, this);
  return {};
}

// Returns 0 if the property does not exist.
uint32_t SharePortal::Impl::property(const char* interface, const char* name) {
  uint32_t value = 0;
  BusError error;
  const int read = sd_bus_get_property_trivial(bus.get(), kPortal, kPortalPath, interface, name,
                                               error.get(), 'u', &value);
  return read < 0 ? 0 : value;
}

void SharePortal::Impl::hear() {
  int more = 1;
  while (more > 0) more = sd_bus_process(bus.get(), nullptr);
  closed |= more < 0;
}

Result<void> SharePortal::Impl::ask(const char* interface, const char* method, const Fill& before,
                                    const Fill& options, const std::function<bool()>& stopped) {
  const char* name = nullptr;
  sd_bus_get_unique_name(bus.get(), &name);
  std::string peer(name == nullptr ? "" : name + 1);
  std::ranges::replace(peer, '.', '_');
  const std::string handle = std::string("vitrail_") + method;
  request = fmt::format("{}/request/{}/{}", kPortalPath, peer, handle);
  response.reset();

  sd_bus_message* made = nullptr;
  int failed =
      sd_bus_message_new_method_call(bus.get(), &made, kPortal, kPortalPath, interface, method);
  const Message call(made);
  BusError error;
  if (failed >= 0) failed = before(call.get());
  if (failed >= 0) failed = sd_bus_message_open_container(call.get(), 'a', "{sv}");
  if (failed >= 0) {
    failed = sd_bus_message_append(call.get(), "{sv}", "handle_token", "s", handle.c_str());
  }
  if (failed >= 0) failed = options(call.get());
  if (failed >= 0) failed = sd_bus_message_close_container(call.get());
  if (failed >= 0) failed = sd_bus_call(bus.get(), call.get(), 0, error.get(), nullptr);
  if (failed < 0) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("the desktop's portal returned an error: {}", error.text(failed)));
  }
  return await(stopped);
}

Result<void> SharePortal::Impl::await(const std::function<bool()>& stopped) {
  hear();
  // A refusal also closes the session, so look for the response first.
  while (!response) {
    if (closed) return fail(ErrorCode::kUnavailable, "the desktop's portal closed the session");
    if (stopped()) return fail(ErrorCode::kUnavailable, "nothing was selected for sharing");
    sd_bus_wait(bus.get(), kSliceUs);
    hear();
  }
  uint32_t answer = 0;
  if (sd_bus_message_read(response.get(), "u", &answer) <= 0 || answer > kCancelled) {
    return fail(ErrorCode::kUnavailable, "the desktop's portal failed to start sharing");
  }
  if (answer == kCancelled) {
    return fail(ErrorCode::kUnauthorized, "sharing was refused on the desktop");
  }
  return {};
}

Result<void> SharePortal::Impl::create(const std::function<bool()>& stopped) {
  const auto nothing = [](sd_bus_message*) { return 0; };
  const auto options = [](sd_bus_message* call) {
    return sd_bus_message_append(call, "{sv}", "session_handle_token", "s", "vitrail");
  };
  if (auto made = ask(owner, "CreateSession", nothing, options, stopped); !made) return made;
  session = text_result(response.get(), "session_handle");
  if (sd_bus_object_path_is_valid(session.c_str()) > 0) return {};
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
    return sd_bus_message_append(call, "o", session.c_str());
  };
  const auto options = [&](sd_bus_message* call) {
    const int failed = sd_bus_message_append(call, "{sv}", "types", "u", device_types);
    return failed < 0 ? failed : add_token(call, wishes);
  };
  return ask(kRemoteDesktop, "SelectDevices", before, options, stopped);
}

Result<void> SharePortal::Impl::select_sources(const Wishes& wishes,
                                               const std::function<bool()>& stopped) {
  const auto before = [this](sd_bus_message* call) {
    return sd_bus_message_append(call, "o", session.c_str());
  };
  const auto options = [&](sd_bus_message* call) {
    const uint32_t types = property(kScreenCast, "AvailableSourceTypes") & (kMonitors | kWindows);
    int failed = sd_bus_message_append(call, "{sv}", "types", "u", types);
    const uint32_t cursor = wishes.cursor ? kCursorInPicture : kCursorHidden;
    if (failed >= 0 && version >= kHasCursorModes &&
        (property(kScreenCast, "AvailableCursorModes") & cursor) != 0) {
      failed = sd_bus_message_append(call, "{sv}", "cursor_mode", "u", cursor);
    }
    return failed < 0 || owner != kScreenCast ? failed : add_token(call, wishes);
  };
  return ask(kScreenCast, "SelectSources", before, options, stopped);
}

Result<void> SharePortal::Impl::start(const std::function<bool()>& stopped) {
  const auto before = [this](sd_bus_message* call) {
    return sd_bus_message_append(call, "os", session.c_str(), "");  // no parent window
  };
  const auto nothing = [](sd_bus_message*) { return 0; };
  if (auto started = ask(owner, "Start", before, nothing, stopped); !started) return started;
  token = text_result(response.get(), "restore_token");
  if (token.size() > kMostToken) token.clear();
  if (owner == kRemoteDesktop && enter_result(response.get(), "devices", "u")) {
    sd_bus_message_read(response.get(), "u", &devices);
  }
  if (read_stream()) return {};
  return fail(ErrorCode::kUnavailable, "the desktop's portal returned no video stream");
}

// Reads the first stream of the response.
bool SharePortal::Impl::read_stream() {
  sd_bus_message* message = response.get();
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
  const Message call(made);
  if (failed >= 0) failed = sd_bus_message_append(call.get(), "oa{sv}", session.c_str(), 0);
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
                         error.get(), &read, "oa{sv}", impl_->session.c_str(), 0);
  const Message answer(read);
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
  impl_->hear();
  return !impl_->closed;
}

}  // namespace sail
