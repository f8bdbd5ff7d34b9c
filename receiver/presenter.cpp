#include "receiver/presenter.h"

#include <utility>

namespace receiver {

sail::Result<std::unique_ptr<Presenter>> make_presenter(DisplayKind kind, const std::string& node,
                                                        const sail::Log& log) {
  if (kind == DisplayKind::kNull) return make_null_presenter();
  auto presenter = make_sdl_presenter(node, log);
  if (presenter || kind == DisplayKind::kCpu) return presenter;
  log.warning("{}; the tiles are kept in memory only (--display=null says so without a warning)",
              presenter.error().message);
  return make_null_presenter();
}

}  // namespace receiver
