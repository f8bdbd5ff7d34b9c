// What a Wayland session lets be seen of itself: its portal (org.freedesktop.portal.ScreenCast)
// asks the person what that is. sd-bus lives in this file and nowhere else. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/base/result.h"

namespace sail {

class SharePortal {
 public:
  struct Wishes {
    bool cursor = true;  // is in the pictures
    std::string token;   // of what was chosen before, so that nobody is asked; empty: they are
  };
  // Returns when the person has chosen, or when stopped() says so. kUnavailable: there is no
  // portal, or it shares nothing; kUnauthorized: the person does not want it.
  static Result<std::unique_ptr<SharePortal>> ask(const Wishes& wishes,
                                                  const std::function<bool()>& stopped);
  ~SharePortal();
  SharePortal(const SharePortal&) = delete;
  SharePortal& operator=(const SharePortal&) = delete;

  // PipeWire's node with the pictures, and a new connection on which it can be seen, the caller's.
  uint32_t node() const;
  Result<int> connect();
  // For the next time; empty: the person shall be asked again. Good once.
  const std::string& token() const;

  // False: the person, or the desktop, has ended it.
  bool look();

 private:
  struct Impl;
  explicit SharePortal(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
