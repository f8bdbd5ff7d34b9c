// Where the wall's page is, for people.
#pragma once

#include <string>
#include <vector>

#include "sail/net/rpc_client.h"

namespace ui {

struct Context;

struct PageAddresses {
  std::string here;                    // for a browser on this host; empty: there is no page
  std::vector<std::string> elsewhere;  // for browsers on other hosts, if it is served to them

  // Those that people are shown.
  std::vector<std::string> shown() const {
    return elsewhere.empty() && !here.empty() ? std::vector{here} : elsewhere;
  }
  // "page" and "pages" of an answer.
  void write(sail::Json& answer) const;
};

// With the key that lets a browser in.
PageAddresses page_addresses(const sail::RpcClient& client);

// Below these addresses in a terminal: a QR code of the first for tablets, or, where only this host
// reaches the page, how others would.
void show_way_to_page(const Context& context, const PageAddresses& page);

}  // namespace ui
