#include "receiver/display.h"

#include <utility>

#include "receiver/cpu_display.h"
#include "receiver/presenter.h"

namespace receiver {

sail::Result<std::unique_ptr<Display>> make_display(const DisplayOptions& options,
                                                    const sail::Log& log) {
  const auto in_memory = [&] { return make_cpu_display(make_null_presenter(), options.threads); };
  if (options.kind == DisplayKind::kNull) return in_memory();
  auto presenter = make_sdl_presenter(options.node, log);
  if (presenter) return make_cpu_display(*std::move(presenter), options.threads);
  if (options.kind == DisplayKind::kCpu) return tl::make_unexpected(std::move(presenter.error()));
  log.warning("{}; the tiles are kept in memory only (--display=null says so without a warning)",
              presenter.error().message);
  return in_memory();
}

}  // namespace receiver
