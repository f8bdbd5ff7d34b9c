// Chromium with one page that fills $DISPLAY, with a profile of its own that goes with it. It is
// driven by its DevTools protocol over a socket that nobody else has. New windows of the page
// become the page, downloads and file choosers are refused. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/desk/child_process.h"
#include "sail/desk/scratch_folder.h"
#include "sail/wire/json.h"

namespace sail {

struct BrowserOptions {
  Size screen;
  double scale = 1;      // of what it draws
  uint16_t gate = 0;     // the port of its PageGate; 0: it goes everywhere
  bool sandbox = true;   // pages cannot do what this user can
  int memory_mb = 2048;  // that each of its processes may have
};

class Browser {
 public:
  // Its first page is empty. kNotFound: Chromium is not installed.
  static Result<std::unique_ptr<Browser>> start(const BrowserOptions& options);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Obeys what the page has asked for since. To be called again and again.
  void look();
  // An address as page_address() makes it, or one of data:.
  void go(const std::string& address);
  // Asks whoever is at the wall for another address; the answer comes by take_wish().
  void ask_address();
  // An address that the page or people want to see instead, as they gave it; once.
  std::optional<std::string> take_wish() { return std::exchange(wish_, std::nullopt); }
  // It came from people, who may want more than a page.
  bool wished_by_people() const { return by_people_; }
  // Of the page that is shown; "" before the first.
  const std::string& address() const { return address_; }
  // The page has ended, and the browser has not; once.
  bool take_crash() { return std::exchange(crashed_, false); }
  // Why the browser is no more; nothing while it is.
  std::optional<std::string> ended();

 private:
  Browser(ScratchFolder profile, int socket);
  // The number that its answer will have. One that does not take it is lost.
  int64_t send(const char* method, Json params, const std::string& session = {});
  void read_socket();
  void obey(const Json& message);
  void obey_event(const std::string& method, const Json& params);
  void attached(const Json& params);
  void detached(const std::string& session);
  void lose(const char* why);

  const ScratchFolder profile_;
  int socket_;
  std::unique_ptr<ChildProcess> process_;
  std::string bytes_;    // that came and are no whole message yet
  std::string session_;  // of the page; empty: it is not there yet
  std::string page_;     // its target
  std::string first_;    // address to which it goes when it is there
  std::string address_;
  std::string opening_;  // address of the window that the page opens
  std::optional<std::string> wish_;
  bool by_people_ = false;
  bool crashed_ = false;
  std::string lost_;  // why nothing is heard of it any more
  int64_t last_id_ = 0;
  int64_t asked_ = 0;  // the number of the question under way; 0: none
};

}  // namespace sail
