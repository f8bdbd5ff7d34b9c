// vitrail-web's command line.
#pragma once

#include <string>
#include <variant>

#include "sail/desk/browser.h"
#include "sail/desk/share_options.h"

namespace sail {

struct WebOptions {
  ShareOptions window;     // how it is on the wall
  BrowserOptions browser;  // but for its screen and its gate
  std::string address;     // as page_address() makes it
  bool local = false;      // pages may be of this machine, too
};

std::variant<WebOptions, CommandLineAnswer> parse_web_options(int count,
                                                              const char* const* arguments);

}  // namespace sail
