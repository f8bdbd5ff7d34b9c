// Addresses of the wall's page, for display.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/rpc/rpc_client.h"

namespace ui {

struct Context;

struct PageAddresses {
  std::string here;                    // for a browser on this host; empty: no page is served
  std::vector<std::string> elsewhere;  // for browsers on other hosts; empty: not served to them

  // The addresses to show to users.
  std::vector<std::string> shown() const {
    return elsewhere.empty() && !here.empty() ? std::vector{here} : elsewhere;
  }
  // True if only browsers on the manager's host reach the page.
  bool only_here() const;
  // Writes the fields "page" and "pages" of an answer.
  void write(sail::Json& answer) const;
};

// Addresses from the manager's hello, with a key that admits a browser. path: below the page's
// address, such as "remote/".
PageAddresses page_addresses(const sail::RpcClient& client, const sail::WallKey& key,
                             std::string_view path = "");

// Prints a line below these addresses in a terminal: a QR code of the first address, or, if the
// page is served on this host only, how to serve it to others.
void show_way_to_page(const Context& context, const PageAddresses& page);

}  // namespace ui
