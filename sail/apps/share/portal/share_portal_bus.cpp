#include "sail/apps/share/portal/share_portal_bus.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sail {
namespace {

constexpr uint64_t kWaitTimeoutUs = 10'000'000;  // timeout of answers that need no user
constexpr uint64_t kSliceUs = 100'000;           // polling interval of stopped()
constexpr uint32_t kCancelled = 1;               // constant of the portal's interface

}  // namespace

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

bool enter_result(sd_bus_message* response, const char* wanted, const char* type) {
  sd_bus_message_rewind(response, 1);
  sd_bus_message_skip(response, "u");
  return enter_entry(response, wanted, type);
}

std::string text_result(sd_bus_message* response, const char* name) {
  const char* text = nullptr;
  if (!enter_result(response, name, "s")) return {};
  return sd_bus_message_read(response, "s", &text) > 0 ? text : "";
}

Result<void> PortalBus::open() {
  sd_bus* opened = nullptr;
  if (const int failed = sd_bus_open_user(&opened); failed < 0) {
    return fail(
        ErrorCode::kUnavailable,
        fmt::format("cannot reach the desktop's portal: no D-Bus connection for this user: {}",
                    std::strerror(-failed)));
  }
  bus_.reset(opened);
  sd_bus_set_method_call_timeout(bus_.get(), kWaitTimeoutUs);
  // The portal sends these signals only to the requesting client.
  const auto on_response = [](sd_bus_message* message, void* data, sd_bus_error*) {
    auto& self = *static_cast<PortalBus*>(data);
    if (self.request_ == sd_bus_message_get_path(message)) {
      self.response_.reset(sd_bus_message_ref(message));
    }
    return 0;
  };
  const auto on_closed = [](sd_bus_message* message, void* data, sd_bus_error*) {
    auto& self = *static_cast<PortalBus*>(data);
    self.closed_ |= self.session_ == sd_bus_message_get_path(message);
    return 0;
  };
  sd_bus_match_signal(bus_.get(), nullptr, kPortal, nullptr, "org.freedesktop.portal.Request",
                      "Response", on_response, this);
  sd_bus_match_signal(bus_.get(), nullptr, kPortal, nullptr, "org.freedesktop.portal.Session",
                      "Closed", on_closed, this);
  return {};
}

uint32_t PortalBus::property(const char* interface, const char* name) {
  uint32_t value = 0;
  BusError error;
  const int read = sd_bus_get_property_trivial(bus_.get(), kPortal, kPortalPath, interface, name,
                                               error.get(), 'u', &value);
  return read < 0 ? 0 : value;
}

void PortalBus::process() {
  int more = 1;
  while (more > 0) more = sd_bus_process(bus_.get(), nullptr);
  closed_ |= more < 0;
}

Result<void> PortalBus::ask(const char* interface, const char* method, const Fill& before,
                            const Fill& options, const std::function<bool()>& stopped) {
  const char* name = nullptr;
  sd_bus_get_unique_name(bus_.get(), &name);
  std::string peer(name == nullptr ? "" : name + 1);
  std::ranges::replace(peer, '.', '_');
  const std::string handle = std::string("vitrail_") + method;
  request_ = fmt::format("{}/request/{}/{}", kPortalPath, peer, handle);
  response_.reset();

  sd_bus_message* made = nullptr;
  int failed =
      sd_bus_message_new_method_call(bus_.get(), &made, kPortal, kPortalPath, interface, method);
  const BusMessage call(made);
  BusError error;
  if (failed >= 0) failed = before(call.get());
  if (failed >= 0) failed = sd_bus_message_open_container(call.get(), 'a', "{sv}");
  if (failed >= 0) {
    failed = sd_bus_message_append(call.get(), "{sv}", "handle_token", "s", handle.c_str());
  }
  if (failed >= 0) failed = options(call.get());
  if (failed >= 0) failed = sd_bus_message_close_container(call.get());
  if (failed >= 0) failed = sd_bus_call(bus_.get(), call.get(), 0, error.get(), nullptr);
  if (failed < 0) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("the desktop's portal returned an error: {}", error.text(failed)));
  }
  return await(stopped);
}

Result<void> PortalBus::await(const std::function<bool()>& stopped) {
  process();
  // A refusal also closes the session, so look for the response first.
  while (!response_) {
    if (closed_) return fail(ErrorCode::kUnavailable, "the desktop's portal closed the session");
    if (stopped()) return fail(ErrorCode::kUnavailable, "nothing was selected for sharing");
    sd_bus_wait(bus_.get(), kSliceUs);
    process();
  }
  uint32_t answer = 0;
  if (sd_bus_message_read(response_.get(), "u", &answer) <= 0 || answer > kCancelled) {
    return fail(ErrorCode::kUnavailable, "the desktop's portal failed to start sharing");
  }
  if (answer == kCancelled) {
    return fail(ErrorCode::kUnauthorized, "sharing was refused on the desktop");
  }
  return {};
}

}  // namespace sail
