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
  start_more(batch);
}

void ProcessRestarter::start_more(const std::shared_ptr<Batch>& batch) {
  while (batch->running < kMostAtOnce && batch->next < batch->windows.size()) {
    ++batch->running;
    launch(batch, batch->windows[batch->next++]);
  }
  const bool over = batch->running == 0 && batch->next == batch->windows.size();
  if (over && batch->done) std::exchange(batch->done, nullptr)(batch->result);
}

// An answer starts further launches, but not if it comes during the call of play(): the loop in
// start_more() then continues.
void ProcessRestarter::launch(const std::shared_ptr<Batch>& batch, const SavedWindow& saved) {
  if (!saved.content) {
    --batch->running;
    batch->result.failed.push_back(
        {saved.title,
         "the manager did not start its application: start the application again yourself",
         saved.number});
    return;
  }
  const auto at_once = std::make_shared<bool>(true);
  players_.play(
      request_for(saved), {}, [this, batch, saved, at_once](const sail::Result<uint32_t>& number) {
        --batch->running;
        if (number) {
          batch->result.started.push_back(*number);
          std::replace(batch->order.begin(), batch->order.end(), saved.number, *number);
          opened_(saved, *number, batch->order);
        } else {
          batch->result.failed.push_back({saved.title, number.error().message, saved.number});
        }
        if (!*at_once) start_more(batch);
      });
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
