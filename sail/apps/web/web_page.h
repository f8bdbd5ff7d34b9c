// A web page as a program on its own screen: the browser, its proxy, and input from the wall. One
// thread; the proxy has its own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "sail/apps/desktop/screen_program.h"
#include "sail/apps/desktop/share_options.h"
#include "sail/apps/web/browser.h"
#include "sail/apps/web/egress_proxy.h"
#include "sail/core/base/log.h"

namespace sail {

// Decides which keys reach a web page. Shortcuts of the browser itself (open, save, print,
// developer tools) are blocked, because they give access to files of the machine. Pure.
class PageKeys {
 public:
  enum class Use : uint8_t {
    kOfPage,
    kOfNobody,
    kAddress,  // a new address is requested
  };
  // key: KeyboardEvent.key of the DOM.
  Use take(const std::string& key, bool down);
  // The users have left: forgets held modifiers.
  void forget() { held_.clear(); }

 private:
  std::set<std::string> held_;  // Control, Alt, Meta, Shift
};

// Command line of vitrail-web.
struct WebOptions {
  ShareOptions window;     // how the page is shown on the wall
  BrowserOptions browser;  // except screen and gate
  std::string address;     // as returned by page_address()
  bool local = false;      // allow pages of this machine, the manager's machine and this link
};

std::variant<WebOptions, CommandLineAnswer> parse_web_options(int count,
                                                              const char* const* arguments);

class WebPage final : public ScreenProgram {
 public:
  explicit WebPage(WebOptions options);

  Result<void> start(Size screen) override;
  void pump() override;
  std::optional<int> exit_code() override { return exit_code_; }
  std::string title() const override;
  bool takes(const sail_input& input) override;

 private:
  // A browser that ends sooner counts as failed to start.
  static constexpr int64_t kStartNs = 5'000'000'000;
  static constexpr int kMostStarts = 3;  // consecutive failures

  Result<void> start_gate();
  Result<void> start_browser();
  void go(const std::string& wish, bool by_people);
  // Shows a message instead of the page; a click or Enter opens the page again.
  void say(const std::string& why);
  void note_address();

  const WebOptions options_;
  const Log log_;
  BrowserOptions browser_options_;
  std::unique_ptr<EgressProxy> egress_proxy_;  // null: no restriction
  std::unique_ptr<Browser> browser_;
  PageKeys keys_;
  std::string address_;  // address of the last page shown
  bool saying_ = false;  // a message is loading or shown
  bool said_ = false;    // the message is shown
  int starts_ = 0;
  int64_t started_ns_ = 0;
  std::optional<int> exit_code_;
};

}  // namespace sail
