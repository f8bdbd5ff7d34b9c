// The FsManager's pointers and labels over the windows.
#include "manager/fs_manager.h"
#include "sail/base/clock.h"
#include "sail/wire/colour.h"

namespace manager {
WallOverlay::Handlers FsManager::overlay_handlers() {
  return {.peer_of = [this](const std::string& receiver) -> sail::RpcPeer* {
            Session* session = find_session(receivers().find(receiver)->session);
            return session == nullptr ? nullptr : &session->peer();
          },
          .offer_pointers =
              [this](const std::string& line) {
                subscribers_.offer(&Subscribers::Wants::pointers, line);
              },
          .labels =
              [this] {
                return figure_labels_.make(wall(), windows(), receivers(), sail::steady_now_ns());
              }};
}

void FsManager::move_pointer(const Session& ui, int pointer, const PointerPlace& place) {
  const Client& client = clients_.all().at(ui.id());
  overlay_.move_pointer(ui.id(), pointer, clients_.author(ui.id()).name,
                        sail::parse_colour(client.colour).value_or(0), place);
}

void FsManager::hide_pointer(const Session& ui, int pointer) {
  overlay_.hide_pointer(ui.id(), pointer);
}

void FsManager::show_figures(bool on) {
  if (on == figures_shown()) return;
  overlay_.set_labels_on(on);
  changes_.state_changed();
  changes_pending();
}

}  // namespace manager
