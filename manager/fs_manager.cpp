#include "manager/fs_manager.h"

#include <filesystem>
#include <utility>

#include "manager/parts.h"
#include "sail/core/base/private_file.h"

namespace manager {

FsManager::~FsManager() = default;

sail::Result<std::unique_ptr<FsManager>> FsManager::start(sail::Loop& loop,
                                                          FsManagerOptions options,
                                                          const sail::Log& log,
                                                          std::function<void()> on_ended) {
  std::unique_ptr<FsManager> manager(new FsManager());
  auto listener = sail::RpcService::listen(
      loop, options.listen,
      {.access = {.server = "manager", .key = options.key},
       .when_in_use = kWhenInUse,
       .tls = options.tls},
      [&manager = *manager]() -> sail::RpcService& { return manager.parts_->peers.service(); });
  if (!listener) return listener.error();
  if (auto added = add_app_commands(options.wall, options.commands); !added) return added.error();
  Users users =
      Users::load(options.state_folder.empty() ? "" : options.state_folder / "people.json");
  if (!users.damage().empty()) log.error("{}", users.damage());
  manager->listener_ = std::move(*listener);
  // An older version made this folder readable for everyone.
  if (std::filesystem::exists(options.state_folder)) {
    (void)sail::make_private_folder(options.state_folder);
  }
  manager->parts_ = std::make_unique<Parts>(loop, std::move(options), std::move(users),
                                            manager->address(), log, std::move(on_ended));
  if (auto started = manager->parts_->start(); !started) return started.error();
  return manager;
}

std::optional<sail::Address> FsManager::page_address() const {
  if (!parts_->web) return std::nullopt;
  return parts_->web->address();
}

std::vector<std::string> FsManager::page_urls() const {
  if (!parts_->web) return {};
  std::vector<std::string> urls = parts_->web->urls_elsewhere();
  if (urls.empty()) urls.push_back(parts_->web->url("localhost"));
  return urls;
}

const Desk& FsManager::desk() const {
  return parts_->desk;
}

const Peers& FsManager::peers() const {
  return parts_->peers;
}

const WallOverlay& FsManager::overlay() const {
  return parts_->overlay;
}

void FsManager::shut_down() {
  parts_->shutdown_sequence.begin();
}

}  // namespace manager
