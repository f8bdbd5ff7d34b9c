#include "ui/client/all_windows.h"

#include "ui/client/answers.h"

namespace ui {

sail::Result<sail::Json> call_for_all_windows(sail::RpcClient& client, std::string_view verb) {
  auto whole = client.call(verb, sail::Json::object());
  while (whole) {
    const size_t known = member(*whole, "windows").size();
    if (static_cast<int64_t>(known) >= number_member(*whole, "total")) break;
    auto next = client.call(verb, {{"skip", known}});
    if (!next) return next;
    const sail::Json windows = member(*next, "windows");
    if (windows.empty()) break;
    for (const sail::Json& window : windows) (*whole)["windows"].push_back(window);
  }
  return whole;
}

}  // namespace ui
