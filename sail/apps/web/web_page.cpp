#include "sail/apps/web/web_page.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/apps/web/page_address.h"
#include "sail/core/address/address.h"
#include "sail/core/base/rate_limited_log.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

bool is_among(std::string_view key, const auto& keys) {
  return std::ranges::find(keys, key) != keys.end();
}

constexpr std::array<std::string_view, 4> kModifiers{"Control", "Alt", "Meta", "Shift"};
// Keys that reach the page together with Control, in addition to named keys such as arrows. With
// Shift, most letters would have another meaning.
constexpr std::array<std::string_view, 12> kWithControl{"a", "b", "c", "f", "i", "r",
                                                        "v", "x", "y", "z", "0", " "};
constexpr std::array<std::string_view, 5> kWithControlAndShift{"+", "-", "=", "v", "z"};
constexpr std::array<std::string_view, 12> kMoving{
    "ArrowLeft", "ArrowRight", "ArrowUp",   "ArrowDown", "Home",  "End",
    "PageUp",    "PageDown",   "Backspace", "Delete",    "Enter", "Insert"};

constexpr std::array<std::string_view, 13> kPlain{
    "AltGraph", "CapsLock", "Clear", "Compose", "Copy", "Cut", "Escape",
    "F5",       "NumLock",  "Paste", "Redo",    "Tab",  "Undo"};

// Returns true for named keys, whose names are ASCII, and false for characters.
bool has_name(std::string_view key) {
  return key.size() > 1 && static_cast<unsigned char>(key[0]) < 0x80;
}

constexpr int kRightButton = 2;  // DOM button number

bool is_page(std::string_view address) {
  return address.starts_with("http:") || address.starts_with("https:") ||
         address.starts_with("file:");
}

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '<':
        html += "&lt;";
        break;
      case '&':
        html += "&amp;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string message_page(std::string_view why, std::string_view address) {
  const std::string html = fmt::format(
      "<!DOCTYPE html><meta charset=utf-8><title>Vitrail</title><body style='background:#202428;"
      "color:#e8e8e8;font:3vw sans-serif;margin:8vw;overflow-wrap:anywhere'><p>{}<p "
      "style='font-size:2vw'>Click, or press Enter, to open {} again.",
      escaped(why), escaped(address));
  return "data:text/html;base64," + base64_text(html);
}

}  // namespace

PageKeys::Use PageKeys::take(const std::string& key, bool down) {
  if (is_among(key, kModifiers)) {
    down ? static_cast<void>(held_.insert(key)) : static_cast<void>(held_.erase(key));
    return key == "Meta" ? Use::kOfNobody : Use::kOfPage;
  }
  if (!down) return Use::kOfPage;
  if (key == "AltGraph") held_.erase("Control");  // Windows sends Control before AltGraph
  const bool shift = held_.contains("Shift");
  const std::string name = lower(key);
  if (held_.contains("Control")) {
    if (name == "l" && !shift) return Use::kAddress;
    const bool moving = is_among(key, kMoving) && !(shift && key == "Delete");
    const bool editing =
        is_among(name, kWithControlAndShift) || (!shift && is_among(name, kWithControl));
    return !held_.contains("Alt") && (moving || editing) ? Use::kOfPage : Use::kOfNobody;
  }
  if (held_.contains("Alt")) {
    return key == "ArrowLeft" || key == "ArrowRight" ? Use::kOfPage : Use::kOfNobody;
  }
  if (shift && key == "Escape") return Use::kOfNobody;
  return has_name(key) && !is_among(key, kMoving) && !is_among(key, kPlain) ? Use::kOfNobody
                                                                            : Use::kOfPage;
}

WebPage::WebPage(WebOptions options)
    : options_(std::move(options)),
      log_("vitrail-web", options_.window.log_level),
      browser_options_(options_.browser),
      address_(options_.address) {}

Result<void> WebPage::start(Size screen) {
  if (geteuid() == 0 && options_.browser.sandbox) {
    return fail(ErrorCode::kUnavailable,
                "Chromium has no sandbox as root: run as another user, or use --no-sandbox for "
                "pages that you trust");
  }
  browser_options_.screen = screen;
  if (auto started = options_.local ? Result<void>() : start_gate(); !started) return started;
  if (auto started = start_browser(); !started) return started;
  browser_->go(address_);
  return {};
}

Result<void> WebPage::start_gate() {
  const auto manager = manager_address(options_.window.manager);
  if (!manager) return manager.error();
  const auto on_refused = [rate_limited_log =
                               std::make_shared<RateLimitedLog>(log_)](const std::string& host) {
    rate_limited_log->warning("near", host, steady_now_ns(),
                              "blocked the page's access to {}, an address of this machine, the "
                              "manager's machine or the local link (--local allows it)",
                              host);
  };
  const auto is_closed = [managers = addresses_of(manager->host)](const std::string& address) {
    return is_near(address) || std::ranges::find(managers, address) != managers.end();
  };
  auto gate = EgressProxy::start(is_closed, on_refused);
  if (!gate) return gate.error();
  egress_proxy_ = std::move(*gate);
  browser_options_.gate = egress_proxy_->port();
  return {};
}

Result<void> WebPage::start_browser() {
  auto browser = Browser::start(browser_options_);
  if (!browser) return browser.error();
  browser_ = std::move(*browser);
  started_ns_ = steady_now_ns();
  ++starts_;
  return {};
}

void WebPage::pump() {
  browser_->pump();
  if (const auto wish = browser_->take_request()) go(*wish, browser_->wished_by_people());
  note_address();
  if (browser_->take_crash()) say("The page crashed, perhaps because it ran out of memory.");
  const auto why = browser_->ended();
  if (!why || exit_code_) return;
  log_.warning("{}", *why);
  if (steady_now_ns() - started_ns_ > kStartNs) starts_ = 0;
  const auto started =
      starts_ < kMostStarts ? start_browser() : Result<void>(fail(ErrorCode::kUnavailable, *why));
  if (started) return say(*why);
  log_.error("the browser failed to start: {}", started.error().message);
  exit_code_ = EXIT_FAILURE;
}

std::string WebPage::title() const {
  const std::string host = host_of_page(options_.address);
  return host.empty() ? options_.address : host;
}

// Pages may only navigate to other machines, even if users may open local addresses: the browser
// would open these with this user's rights.
void WebPage::go(const std::string& wish, bool by_people) {
  const bool local = by_people && options_.local;
  const auto address = page_address(wish, local ? PageReach::kLocal : PageReach::kElsewhere);
  if (address) {
    browser_->go(*address);
  } else {
    log_.warning("{}", address.error().message);
    if (by_people) say(address.error().message);
  }
}

void WebPage::say(const std::string& why) {
  saying_ = true;
  browser_->go(message_page(why, address_));
}

void WebPage::note_address() {
  const std::string& address = browser_->address();
  if (is_page(address)) address_ = address;
  // Pages cannot navigate to data: addresses, so this is a message.
  const bool message = address.starts_with("data:");
  if (said_ && !message) saying_ = false;
  said_ = message;
}

bool WebPage::takes(const sail_input& input) {
  switch (input.type) {
    case SAIL_INPUT_DOWN:
    case SAIL_INPUT_TOUCH_DOWN:
      if (saying_) browser_->go(address_);
      return input.type == SAIL_INPUT_DOWN && input.button == kRightButton;
    case SAIL_INPUT_LEAVE:
      keys_.forget();
      return false;
    case SAIL_INPUT_KEY_DOWN:
    case SAIL_INPUT_KEY_UP: {
      const bool down = input.type == SAIL_INPUT_KEY_DOWN;
      const std::string key = input.key;
      if (down && key == "Enter" && saying_) browser_->go(address_);
      const PageKeys::Use use = keys_.take(key, down);
      if (use == PageKeys::Use::kAddress) browser_->ask_address();
      return use != PageKeys::Use::kOfPage;
    }
    default:
      return false;
  }
}

}  // namespace sail
