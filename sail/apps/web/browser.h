// Chromium with one page that fills $DISPLAY and a temporary profile. Controlled by the DevTools
// protocol over a private socket. If the page opens a new window, its address is shown in the page
// itself. Downloads and file choosers are refused. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/apps/desktop/child_process.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

struct BrowserOptions {
  Size screen;
  double scale = 1;      // device scale factor
  uint16_t gate = 0;     // port of the EgressProxy; 0: no proxy
  bool sandbox = true;   // use Chromium's sandbox
  int memory_mb = 2048;  // limit for each process
};

class Browser {
 public:
  // Starts with an empty page. Returns kNotFound if Chromium is not installed.
  static Result<std::unique_ptr<Browser>> start(const BrowserOptions& options);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Processes the browser's messages. Call regularly.
  void pump();
  // Navigates to an address from page_address(), or to a data: URL.
  void go(const std::string& address);
  // Prompts the users at the wall for another address; the answer comes by take_request().
  void ask_address();
  // Returns the address that the page or a user wants to show, unchecked; once.
  std::optional<std::string> take_request() { return std::exchange(wish_, std::nullopt); }
  // True if the last wish came from a user, who may enter more than a URL.
  bool wished_by_people() const { return by_people_; }
  // Address of the current page; "" before the first.
  const std::string& address() const { return address_; }
  // Returns true if the page has crashed but the browser runs; once.
  bool take_crash() { return std::exchange(crashed_, false); }
  // Returns why the browser has ended; empty while it runs.
  std::optional<std::string> ended();

 private:
  Browser(ScratchFolder profile, int socket);
  // Sends a request and returns its number. The browser is lost if it does not accept the request.
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
  std::string bytes_;    // incomplete message
  std::string session_;  // DevTools session of the page; empty: not attached yet
  std::string page_;     // target ID of the page
  // Address to open when the page is attached.
  std::string first_;
  std::string address_;
  std::string opening_;  // address of the window that the page is opening
  std::optional<std::string> wish_;
  bool by_people_ = false;
  bool crashed_ = false;
  std::string lost_;  // why the browser is lost; empty: it runs
  int64_t last_id_ = 0;
  int64_t asked_ = 0;  // number of the pending request for an address; 0: none
};

}  // namespace sail
