// Command line of vitrail-web.
#pragma once

#include <string>
#include <variant>

#include "sail/apps/desktop/share_options.h"
#include "sail/apps/web/browser.h"

namespace sail {

struct WebOptions {
  ShareOptions window;     // how the page is shown on the wall
  BrowserOptions browser;  // except screen and gate
  std::string address;     // as returned by page_address()
  bool local = false;      // allow pages of this machine, the manager's machine and this link
};

std::variant<WebOptions, CommandLineAnswer> parse_web_options(int count,
                                                              const char* const* arguments);

}  // namespace sail
