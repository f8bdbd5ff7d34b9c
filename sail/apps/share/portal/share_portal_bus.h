// The connection to the desktop's portal by sd-bus: properties, requests, and their responses,
// which come as signals. For share_portal only. One thread.
#pragma once

#include <systemd/sd-bus.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "sail/core/base/c_library.h"
#include "sail/core/base/result.h"

namespace sail {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";

using BusMessage = std::unique_ptr<sd_bus_message, FreedBy<sd_bus_message_unref>>;

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

class PortalBus {
 public:
  PortalBus() = default;
  PortalBus(const PortalBus&) = delete;
  PortalBus& operator=(const PortalBus&) = delete;

  // kUnavailable: this user has no D-Bus.
  Result<void> open();
  sd_bus* get() const { return bus_.get(); }
  // Returns 0 if the property does not exist.
  uint32_t property(const char* interface, const char* name);

  using Fill = std::function<int(sd_bus_message* call)>;
  // Sends a request and waits for the response. `before` writes the arguments before the options,
  // `options` writes the options except the handle. kUnauthorized: the user refused.
  Result<void> ask(const char* interface, const char* method, const Fill& before,
                   const Fill& options, const std::function<bool()>& stopped);
  // The last response, of type "ua{sv}".
  sd_bus_message* response() const { return response_.get(); }

  // Processes events.
  void process();
  // Sets the object path of the session. If the session ends, the connection is closed.
  void set_session(std::string session) { session_ = std::move(session); }
  const std::string& session() const { return session_; }
  bool closed() const { return closed_; }

 private:
  Result<void> await(const std::function<bool()>& stopped);

  std::unique_ptr<sd_bus, FreedBy<sd_bus_flush_close_unref>> bus_;
  std::string request_;  // object path of the pending request
  BusMessage response_;  // response to that request
  std::string session_;  // object path; empty: not created yet
  bool closed_ = false;
};

// Enters the value with this name and type in the "a{sv}" that follows.
bool enter_entry(sd_bus_message* message, const char* wanted, const char* type);
// Enters a value among the results of a response.
bool enter_result(sd_bus_message* response, const char* wanted, const char* type);
// Returns an empty string if there is no such result.
std::string text_result(sd_bus_message* response, const char* name);

}  // namespace sail
