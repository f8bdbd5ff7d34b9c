#include "manager/desk/window_file.h"

#include "manager/desk/desk.h"
#include "manager/peers/opener.h"
#include "manager/peers/peers.h"

namespace manager {

std::string file_in(const Desk& desk, const Peers& peers, uint32_t number) {
  const Window* window = desk.windows().find(number);
  if (window == nullptr || !window->content || window->content->media.size() != 1) return "";
  const auto& clients = peers.service().peers();
  const auto owner = clients.find(window->owner);
  const bool ours = owner != clients.end() && is_program_key(owner->second->key_name()) &&
                    window->content->on.empty();
  const std::string& medium = window->content->media.front();
  return ours && medium.starts_with('/') ? medium : "";
}

}  // namespace manager
