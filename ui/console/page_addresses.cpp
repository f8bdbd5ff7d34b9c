#include "ui/console/page_addresses.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cctype>

#include "sail/core/base/environment.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/qr_code.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

// Returns lines of half blocks, dark on light with any terminal colours. Empty: too few columns, or
// the text is too long.
std::string qr_lines(const std::string& text, int columns) {
  constexpr int kMargin = 2;  // modules; enough in a terminal
  const auto code = sail::qr_code(text);
  if (!code || code->width + 2 * kMargin > columns) return {};
  std::string lines;
  for (int y = -kMargin; y < code->width + kMargin; y += 2) {
    lines += "\x1b[38;5;16;48;5;231m";
    for (int x = -kMargin; x < code->width + kMargin; ++x) {
      const bool above = code->dark(x, y);
      const bool below = code->dark(x, y + 1);
      lines += above && below ? "█" : above ? "▀" : below ? "▄" : " ";
    }
    lines += "\x1b[0m\n";
  }
  return lines;
}

// Appends the path, and the key as URL fragment: browsers never send a fragment, and the page
// removes it from the address bar.
std::string with_key(std::string page, std::string_view path, const sail::WallKey& key) {
  if (page.empty()) return page;
  page += path;
  if (key.secret.empty()) return page;
  // Programs that find addresses in texts leave out a last '.' or '_'.
  const auto stays = [](char letter) {
    return sail::is_unreserved(letter) && !std::ispunct(letter);
  };
  return page + "#key=" + sail::percent_encoded(key_text(key), stays);
}

// Returns 0 if standard output is not a terminal that shows UTF-8.
int terminal_columns() {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (locale.empty()) locale = sail::environment(name);
  }
  const bool utf8 =
      locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  winsize size{};
  if (!utf8 || isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return sail::environment("TERM") == "dumb" ? 0 : size.ws_col;
}

}  // namespace

void PageAddresses::write(sail::Json& answer) const {
  answer["page"] = here;
  if (!elsewhere.empty()) answer["pages"] = elsewhere;
}

bool PageAddresses::only_here() const {
  const std::string host = here.substr(here.find("://") + 3);
  return elsewhere.empty() && (host.starts_with("127.") || host.starts_with("[::1]"));
}

PageAddresses page_addresses(const sail::RpcClient& client, const sail::WallKey& key,
                             std::string_view path) {
  PageAddresses page{with_key(text_member(client.welcome(), "page"), path, key), {}};
  for (const sail::Json& url : member(client.welcome(), "pages")) {
    if (url.is_string()) page.elsewhere.push_back(with_key(url, path, key));
  }
  return page;
}

void show_way_to_page(const Context& context, const PageAddresses& page) {
  if (context.json || page.here.empty() || isatty(STDOUT_FILENO) != 1) return;
  if (page.only_here()) {
    fmt::print(
        "(only for browsers on this host; for other hosts: vitrail up WALL -- --page "
        "0.0.0.0:7480)\n");
    return;
  }
  fmt::print("{}", qr_lines(page.shown().front(), terminal_columns()));
}

}  // namespace ui
