#include "manager/programs/process_restarter.h"

#include <algorithm>
#include <string>
#include <utility>

namespace manager {
namespace {

constexpr size_t kMostAtOnce = 4;

// If the subtitles are a file, the request has its name.
void keep_choice(const sail::FilmTracks& tracks, PlayRequest& request) {
  const int subtitle = tracks.subtitle.value_or(sail::kForcedSubtitleTrack);
  if (tracks.subtitle && subtitle == sail::kForcedSubtitleTrack) request.subtitles.clear();
  if (subtitle == sail::kNoSubtitleTrack) request.subtitles = "off";
  if (subtitle > 0) request.subtitles = std::to_string(subtitle);
  const int sound = tracks.sound;
  if (sound != sail::kUsualSoundTrack) {
    request.sound_track = sound == sail::kAllSoundTracks ? "all" : std::to_string(sound);
  }
}

}  // namespace

PlayRequest request_for(const SavedWindow& saved) {
  PlayRequest request = *saved.content;
  request.place = saved.placement.wall_rect;
  request.page_size = saved.frame_size;
  // Somebody may have moved the window to another group, or out of it.
  if (!request.group.empty() && saved.group) request.group = *saved.group;
  if (!saved.playback) return request;
  const bool looped = request.at_end == AtEnd::kLoop;  // A person may have ended the loop.
  if (saved.playback->loop || looped) {
    request.at_end = saved.playback->loop ? AtEnd::kLoop : AtEnd::kHold;
  }
  request.rate = std::clamp(saved.playback->rate, sail::kMinRate, sail::kMaxRate);
  if (saved.playback->volume) request.volume = saved.playback->volume;
  // In a list, it is unknown which film was playing.
  if (request.media.size() != 1) return request;
  request.start_s = saved.playback->position_s;
  if (const auto& tracks = saved.playback->tracks) keep_choice(*tracks, request);
  return request;
}

ProcessRestarter::ProcessRestarter(Players& players, Opened opened)
    : players_(players), opened_(std::move(opened)) {}

void ProcessRestarter::start(std::vector<SavedWindow> windows, std::vector<uint32_t> order,
                             Done done) {
  auto batch = std::make_shared<Batch>();
  batch->windows = std::move(windows);
  batch->order = std::move(order);
  batch->done = std::move(done);
  last_ = batch;
  start_more(batch);
}

void ProcessRestarter::give_up(const std::string& why) {
  const std::shared_ptr<Batch> batch = last_.lock();
  if (!batch || !batch->done) return;
  for (; batch->next < batch->windows.size(); ++batch->next) {
    const SavedWindow& saved = batch->windows[batch->next];
    batch->result.failed.push_back({saved.title, why, saved.number});
  }
  const auto running = batch->running;
  for (const auto& [number, title] : running) players_.give_up(number, why);
  if (!batch->done) return;
  // The manager still checks the rights for these, so they have no program.
  for (const auto& [number, title] : batch->running) {
    batch->result.failed.push_back({title, why, number});
  }
  std::exchange(batch->done, nullptr)(batch->result);
}

void ProcessRestarter::start_more(const std::shared_ptr<Batch>& batch) {
  while (batch->running.size() < kMostAtOnce && batch->next < batch->windows.size()) {
    const SavedWindow& saved = batch->windows[batch->next++];
    batch->running.emplace(saved.number, saved.title);
    launch(batch, saved);
  }
  const bool over = batch->running.empty() && batch->next == batch->windows.size();
  if (over && batch->done) std::exchange(batch->done, nullptr)(batch->result);
}

// An answer starts further launches, but not if it comes during the call of play(): the loop in
// start_more() then continues.
void ProcessRestarter::launch(const std::shared_ptr<Batch>& batch, const SavedWindow& saved) {
  if (!saved.content) {
    batch->running.erase(saved.number);
    batch->result.failed.push_back(
        {saved.title,
         "the manager did not start its application: start the application again yourself",
         saved.number});
    return;
  }
  const auto at_once = std::make_shared<bool>(true);
  players_.play(
      request_for(saved), {},
      [this, batch, saved, at_once](const sail::Result<uint32_t>& number) {
        batch->running.erase(saved.number);
        if (number) {
          batch->result.started.push_back(*number);
          std::replace(batch->order.begin(), batch->order.end(), saved.number, *number);
          opened_(saved, *number, batch->order);
        } else {
          batch->result.failed.push_back({saved.title, number.error().message, saved.number});
        }
        if (!*at_once) start_more(batch);
      },
      {.saved = saved.number, .prepared = saved.placement.hidden.value_or(false)});
  *at_once = false;
}

sail::Json failures_json(const std::vector<RestartResult::Failure>& failures) {
  sail::Json list = sail::Json::array();
  for (const RestartResult::Failure& failure : failures) {
    list.push_back({{"title", failure.title}, {"why", failure.why}});
  }
  return list;
}

}  // namespace manager
