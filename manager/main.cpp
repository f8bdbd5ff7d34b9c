// vitrail-manager: reads the command line and runs one FsManager until a signal or a request.
#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "manager/arguments.h"
#include "manager/fs_manager.h"
#include "manager/succession.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/log.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/loop/loop.h"
#include "sail/core/wire/standby.h"

namespace {

sail::Result<void> run(manager::Arguments& arguments) {
  const sail::Log log("vitrail-manager", arguments.log_level);
  if (auto set = manager::set_options(arguments); !set) return set;
  manager::FsManagerOptions& options = arguments.options;
  const std::string ready_text =
      fmt::format("wall '{}', {} tiles, {}×{} pixels", options.wall.name, options.wall.tiles.size(),
                  options.wall.size.width, options.wall.size.height);

  sail::raise_descriptor_limit();
  sail::Loop loop;
  const auto active = manager::succeed(loop, arguments, log);
  if (!active) return active.error();
  if (!*active) return {};
  bool fenced = false;
  options.on_fenced = [&](uint64_t /*term*/) {
    fenced = true;
    loop.stop();
  };
  const auto manager =
      manager::FsManager::start(loop, std::move(options), log, [&loop] { loop.stop(); });
  if (!manager) return manager.error();
  const sail::Address address = (*manager)->address();
  const auto page_address = (*manager)->page_address();
  // The control port comes last: a reader that has found this file also finds the page's.
  sail::Result<void> written;
  if (page_address) {
    written = sail::write_port_file(arguments.page_port_file, page_address->port);
  }
  if (written) written = sail::write_port_file(arguments.port_file, address.port);
  if (!written) return written;
  fmt::print("vitrail-manager ready on {}: {}\n", sail::address_text(address), ready_text);
  for (const std::string& url : (*manager)->page_urls()) fmt::print("page: {}\n", url);
  std::fflush(stdout);

  sail::run_until_signal(loop, [&manager] { (*manager)->shut_down(); });
  // Exit as if killed: the other manager now owns the started programs, which must not end.
  if (fenced) std::_Exit(sail::kExitOutrun);
  return {};
}

}  // namespace

int vitrail_manager_main(int argc, char** argv) {
  sail::CommandLine line(
      "vitrail-manager",
      "Run a wall: manage its tiles and windows, and send the layout to receivers and "
      "applications.\nPixels go straight from applications to receivers.");
  manager::Arguments arguments;
  manager::describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
