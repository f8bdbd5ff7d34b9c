// The FsManager's pointers and labels over the windows.
#include <array>

#include "manager/fs_manager.h"
#include "sail/base/clock.h"

namespace manager {
namespace {

// Of clients who chose none.
constexpr std::array<uint32_t, 8> kColours = {0xe6194b, 0x3cb44b, 0x4363d8, 0xf58231,
                                              0x911eb4, 0x0fa3a3, 0xf032e6, 0xb8860b};

}  // namespace

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
  overlay_.move_pointer(ui.id(), pointer, ui.name(), kColours[ui.id() % kColours.size()], place);
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
