#include "manager/sessions/window_exchange.h"

#include <utility>

#include "manager/desk/desk.h"
#include "manager/desk/groups.h"
#include "manager/peers/change_feed.h"

namespace manager {

WindowExchange::WindowExchange(Desk& desk, Groups& groups, Players& players, ChangeFeed& changes,
                               const sail::Log& log)
    : desk_(desk),
      groups_(groups),
      changes_(changes),
      log_(log),
      restarter_(players,
                 [this](const SavedWindow& saved, uint32_t number,
                        const std::vector<uint32_t>& order) { reopened(saved, number, order); }) {}

void WindowExchange::run(const std::vector<uint32_t>& going, std::vector<SavedWindow> coming,
                         std::vector<uint32_t> order, ProcessRestarter::Done done) {
  in_progress_ = true;
  const auto finish = [this, done = std::move(done)](const RestartResult& result) {
    in_progress_ = false;
    // Another step may now be the next one to undo or redo.
    changes_.part_changed(StatePart::kHistory);
    done(result);
  };
  desk_.close(going, [this, coming = std::move(coming), order = std::move(order),
                      finish](const auto& /*forced*/) { restarter_.start(coming, order, finish); });
}

void WindowExchange::start(std::vector<SavedWindow> windows, std::vector<uint32_t> order,
                           ProcessRestarter::Done done) {
  restarter_.start(std::move(windows), std::move(order), std::move(done));
}

void WindowExchange::restore_window(const SavedWindow& saved, uint32_t number,
                                    const std::vector<uint32_t>& order) {
  desk_.change([&](Arrangement& arrangement) {
    arrangement.history().renumber(saved.number, number);
    arrangement.apply({.windows = {{number, saved.placement}}, .order = order}, {});
    // A stream that does not continue has no picture to stay frozen.
    WindowCover cover = desk_.windows().find(number)->cover;
    cover.blank = saved.cover.blank;
    arrangement.set_cover(number, cover);
    if (saved.group) join(number, *saved.group);
  });
  for (const Renumbered& on_renumbered : watchers_) on_renumbered(saved.number, number);
}

void WindowExchange::reopened(const SavedWindow& saved, uint32_t number,
                              const std::vector<uint32_t>& order) {
  restore_window(saved, number, order);
  resume_playback(saved, number);
}

void WindowExchange::join(uint32_t number, const std::string& group) {
  if (desk_.windows().find(number)->group == group) return;
  if (auto joined = groups_.put(group, {number}); !joined) {
    log_.info("window {} cannot join group '{}': {}", number, group, joined.error().message);
  }
}

// The player got its start position on its command line.
void WindowExchange::resume_playback(const SavedWindow& saved, uint32_t number) {
  if (!saved.playback) return;
  const Window& window = *desk_.windows().find(number);
  const sail::Playback& playback = *saved.playback;
  if (playback.rate != 1) desk_.notify_application(window, "rate", playback.rate);
  if (playback.volume) desk_.notify_application(window, "volume", *playback.volume);
  if (playback.page > 0) desk_.notify_application(window, "page", playback.page);
  if (playback.paused) desk_.notify_application(window, "pause");
}

}  // namespace manager
