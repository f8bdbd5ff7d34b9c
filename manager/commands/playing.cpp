// Verbs for media in windows: play, replace, control, groups and sound.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/desk/groups.h"
#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "manager/peers/opener.h"
#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "manager/programs/guests.h"
#include "manager/programs/players.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/ticker_medium.h"

namespace manager::verbs {

namespace {

constexpr size_t kLongestName = 4096;

// Media to play, or the source that stands for them.
struct WantedPlay {
  PlayRequest request;
  std::string source;
  std::vector<std::string> then;  // Further sources for the same window.
  uint32_t replaces = 0;          // Window to replace; 0: none.
};

// Reads where to show the window.
void read_where(sail::JsonFields& fields, PlayRequest& request) {
  if (fields.has("place")) {
    request.place = fields.rect("place", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  }
  if (fields.has("at")) {
    request.centre = fields.pair("at", -sail::kMaxWindowOffset / 2, sail::kMaxWindowOffset / 2);
  }
  if (fields.has("within")) {
    request.within = fields.rect("within", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  }
  const int places = int{request.place.has_value()} + int{request.within.has_value()} +
                     int{request.centre.has_value()};
  if (places > 1) {
    fields.mistake("place", "excludes 'within' and 'at': give only one of the three");
  }
}

void read_what(sail::JsonFields& fields, WantedPlay& wanted) {
  if (fields.has("sources")) {
    wanted.then = source_ids(fields, "sources");
    if (fields.has("media") || fields.has("source")) {
      fields.mistake("sources", "excludes 'source' and 'media'");
    }
    if (!wanted.then.empty()) {
      wanted.source = wanted.then.front();
      wanted.then.erase(wanted.then.begin());
    }
  } else if (fields.has("source")) {
    wanted.source = fields.string("source", kLongestName);
    if (fields.has("media")) fields.mistake("media", "and 'source' cannot both be given");
  } else {
    wanted.request.media = read_media(fields);
  }
}

sail::Result<WantedPlay> read_play(const Call& call, bool replaces) {
  sail::JsonFields fields = call.fields();
  WantedPlay wanted;
  PlayRequest& request = wanted.request;
  if (replaces) wanted.replaces = window_number(fields);
  read_what(fields, wanted);
  if (!replaces) read_where(fields, request);
  request.on = read_node(fields);
  read_film_options(fields, request);
  if (fields.has("start_at")) request.start_at_s = fields.number("start_at", 0, 1e10);
  request.transport = sail::read_fields<sail::TransportOptions>(fields);
  if (auto error = fields.finish()) return *error;
  return wanted;
}

// Puts the medium or command of the source into the request.
sail::Result<void> find_source(const SourceLibrary& library, WantedPlay& wanted) {
  const Source* source = library.find(wanted.source);
  if (source == nullptr && wanted.source.starts_with("window/")) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "a running application is already on the wall: move its window");
  }
  if (source == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("there is no source '{}'", wanted.source));
  }
  if (source->kind == SourceKind::kCommand) {
    wanted.request.command = command_name(*source);
  } else {
    wanted.request.media = {source->media};
  }
  for (const std::string& id : wanted.then) {
    const Source* next = library.find(id);
    if (next == nullptr || next->media.empty() || wanted.request.media.empty() ||
        is_elsewhere(next->media) || is_elsewhere(wanted.request.media.front())) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        fmt::format("'{}' cannot be played in one window with other sources", id));
    }
    wanted.request.media.push_back(next->media);
  }
  return {};
}

// If the caller may change only its own windows, the new window's key name must have room for the
// caller's name.
sail::Result<void> check_known(const Author& author) {
  if (!author.only_own || author.key.size() <= kMostOpener) return {};
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("the name of this presenter's key is longer than {} bytes, the "
                                "maximum: use a key with a shorter name",
                                kMostOpener));
}

// Also refuses to let such a caller join a group that may contain other people's windows.
sail::Result<void> check_own(const Author& author, const PlayRequest& request) {
  if (auto known = check_known(author); !known) return known;
  if (!author.only_own || request.group.empty()) return {};
  return sail::fail(
      sail::ErrorCode::kUnauthorized,
      "a group may contain other users' films: playing in a group needs the right 'operator'");
}

void start_play(const Call& call, WantedPlay wanted, Players& players, SourceLibrary& library) {
  if (auto own = check_own(author_of(call.peer), wanted.request); !own) {
    call.reply(own.error());
    return;
  }
  wanted.request.opener = call.peer.key_name();
  const auto start = [&players, author = author_of(call.peer), former = wanted.replaces,
                      reply = call.reply](const PlayRequest& request) {
    const auto started = [reply](const sail::Result<uint32_t>& window) {
      reply(window.map([](uint32_t number) { return sail::Json{{"window", number}}; }));
    };
    players.play(request, author, started, {.window = former});
  };
  if (wanted.source.empty()) {
    start(wanted.request);
    return;
  }
  // The file may be newer than the list of sources.
  library.refresh([&library, start, wanted = std::move(wanted), reply = call.reply]() mutable {
    if (auto found = find_source(library, wanted); !found) return reply(found.error());
    start(wanted.request);
  });
}

// Languages with a single type of number send 3 as 3.0.
double whole_value(sail::JsonFields& fields, int min, int max) {
  const double value = fields.number("value", min, max);
  if (value != std::floor(value)) {
    fields.mistake("value", fmt::format("must be a whole number from {} to {}", min, max));
  }
  return value;
}

sail::Result<void> check_page(const Window& window, int page) {
  if (window.playback->page == 0) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} has no pages: it shows no document", window.number));
  }
  if (page <= window.playback->pages) return {};
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    fmt::format("window {} has no page {}: its last page is {}", window.number,
                                page, window.playback->pages));
}

sail::Result<void> check_seek(const Window& window, double to_s) {
  const sail::Playback& playback = *window.playback;
  if (playback.live || playback.page != 0) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} shows {}: seeking is not possible", window.number,
                                  playback.live ? "a live source" : "a document"));
  }
  // The films of a group may have different lengths.
  if (playback.duration_s == 0 || to_s <= playback.duration_s || !window.group.empty()) return {};
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    fmt::format("the film in window {} is {:.1f} s long: cannot seek to {:.1f} s",
                                window.number, playback.duration_s, to_s));
}

// Applications may have tracks that they do not report.
sail::Result<void> check_track(const Window& window, std::string_view action, int track) {
  if (window.playback->page != 0) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} shows pages, which have no tracks", window.number));
  }
  const auto& tracks = window.playback->tracks;
  const bool is_sound = action == "sound_track";
  if (is_sound && !window.playback->volume) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} plays no sound: its film has none, or no loudspeakers "
                                  "were found on the wall (\"audio\" in the wall file) and on the "
                                  "player's machine",
                                  window.number));
  }
  if (!tracks) return {};
  const size_t count = is_sound ? tracks->sounds.size() : tracks->subtitles.size();
  if (track > 0 && count == 0) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("the film in window {} has no {}", window.number,
                                  is_sound ? "sound tracks to choose from" : "subtitles"));
  }
  if (track > 0 && static_cast<size_t>(track) > count) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("the film in window {} has no {} track {}: its last one is {}",
                                  window.number, is_sound ? "sound" : "subtitle", track, count));
  }
  if (!is_sound || track != sail::kAllSoundTracks) return {};
  if (std::ranges::all_of(tracks->sounds, [](const auto& one) { return one.channels == 1; })) {
    return {};
  }
  return sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("the sound tracks of the film in window {} cannot be played "
                                "together: not all are mono",
                                window.number));
}

// Refuses actions that the application would ignore. Allows all actions if the application sends no
// playback report.
sail::Result<void> check_possible(const Window& window, std::string_view action, double value) {
  if (!window.playback) return {};
  if (action == "page") return check_page(window, static_cast<int>(value));
  if (action == "seek") return check_seek(window, value);
  if (action == "subtitles" || action == "sound_track") {
    return check_track(window, action, static_cast<int>(value));
  }
  return {};
}

}  // namespace

void play(const Call& call, Players& players, SourceLibrary& library) {
  auto wanted = read_play(call, false);
  if (!wanted) return call.reply(wanted.error());
  start_play(call, *std::move(wanted), players, library);
}

void replace(const Call& call, const Desk& desk, Players& players, SourceLibrary& library) {
  auto wanted = read_play(call, true);
  if (!wanted) return call.reply(wanted.error());
  const auto former = find_placeable(call, desk, wanted->replaces);
  if (!former) return call.reply(former.error());
  PlayRequest& request = wanted->request;
  // A ticker is drawn for the size of its window, and keeps the whole strip.
  if (request.media.size() == 1 && sail::is_ticker(request.media.front())) {
    request.place = (*former)->place;
  }
  start_play(call, *std::move(wanted), players, library);
}

Answer opening_close(const Call& call, Players& players) {
  sail::JsonFields fields = call.fields();
  const auto number =
      static_cast<uint32_t>(fields.integer("opening", 1, std::numeric_limits<uint32_t>::max()));
  if (auto error = fields.finish()) return *error;
  if (auto closed = players.close_opening(number, author_of(call.peer)); !closed) {
    return closed.error();
  }
  return sail::Json{{"opening", number}};
}

Answer control(const Call& call, Desk& desk, Groups& groups) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const std::string action = fields.string("action", sail::kMaxNameLength);
  double value = 0;
  std::string codec;
  if (action == "seek") {
    value = fields.number("value", 0, kMostFilmSeconds);
  } else if (action == "rate") {
    value = fields.number("value", sail::kMinRate, sail::kMaxRate);
  } else if (action == "volume") {
    value = fields.number("value", 0, 1);
  } else if (action == "loop") {
    value = whole_value(fields, 0, 1);
  } else if (action == "page") {
    value = whole_value(fields, 1, sail::kMaxPages);
  } else if (action == "subtitles") {
    value = whole_value(fields, sail::kForcedSubtitleTrack, sail::kMaxSubtitleTrack);
  } else if (action == "sound_track") {
    value = whole_value(fields, sail::kAllSoundTracks, sail::kMostSoundTracks);
  } else if (action == "codec") {
    codec = fields.string("codec", sail::kMaxNameLength);
    if (const auto spec = sail::parse_codec_spec(codec);
        !spec && codec != sail::kCarriedIfPossible) {
      fields.mistake("codec", spec.error().message);
    }
  } else if (action != "pause" && action != "resume") {
    fields.mistake("action",
                   "must be pause, resume, seek, rate, loop, volume, page, subtitles, sound_track "
                   "or codec");
  }
  if (auto error = fields.finish()) return *error;
  const auto window = window_to_change(call, desk, number);
  if (!window) return window.error();
  if (auto here = check_program(**window); !here) return here.error();
  if (auto possible = check_possible(**window, action, value); !possible) return possible.error();
  for (const Window& other : desk.windows().bottom_to_top()) {
    if ((*window)->group.empty() || other.group != (*window)->group) continue;
    if (auto own = window_to_change(call, desk, other.number); !own) return own.error();
  }
  if (!groups.control(**window, action, value)) {
    desk.notify_application(**window, action, value, codec);
  }
  return sail::Json{{"window", number}};
}

Answer group(const Call& call, const Desk& desk, Groups& groups) {
  sail::JsonFields fields = call.fields();
  const std::string name = fields.string("name", sail::kMaxNameLength);
  std::vector<uint32_t> windows;
  const sail::Json& numbers = fields.array("windows", sail::kMaxGroupMembers);
  for (const sail::Json& number : numbers) {
    const auto read = sail::read_window_number(number, "windows");
    if (!read) return read.error();
    const auto window = find_on_wall(call, desk, *read);
    if (!window) return window.error();
    windows.push_back(*read);
  }
  if (windows.empty()) fields.mistake("windows", "must not be empty");
  if (auto error = fields.finish()) return *error;
  if (auto done = groups.put(name, windows); !done) return done.error();
  return sail::Json{{"name", name}, {"windows", windows}};
}

Answer groups(const Call& /*call*/, const Groups& groups) {
  return sail::Json{{"groups", groups.json()}};
}

Answer invite(const Call& call, Guests& guests) {
  sail::JsonFields fields = call.fields();
  const std::string title = fields.string_or("title", sail::kMaxTitleLength, "Guest");
  if (auto error = fields.finish()) return *error;
  const Author author = author_of(call.peer);
  if (auto known = check_known(author); !known) return known.error();
  const auto invitation = guests.invite(author, counted_as(call.peer), title);
  if (!invitation) return invitation.error();
  return sail::Json{
      {"port", invitation->port}, {"secret", invitation->secret}, {"tls", invitation->tls}};
}

Answer master_volume(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  WallSwitches switches = desk.arrangement().switches();
  WindowSound& sound = switches.sound;
  sound.volume = fields.number_or("volume", 0, 1, sound.volume);
  sound.muted = fields.boolean_or("muted", sound.muted);
  if (call.params.empty()) fields.mistake("volume", "or 'muted' must be given, or both");
  if (auto error = fields.finish()) return *error;
  desk.change([&switches](Arrangement& arrangement) { arrangement.set(switches); });
  return to_json(sound);
}

namespace {

// Whether the wall may play the window's sound, as far as the manager knows.
bool may_be_heard(const Desk& desk, const Window& window) {
  return (window.playback && window.playback->volume) || !desk.wall().audio.empty();
}

// Mutes all other windows of the wall that the client may change. Returns the number of those that
// the client may not change and that may be heard.
size_t mute_others(const Call& call, const Desk& desk, uint32_t number, LayoutChange& change) {
  size_t left_alone = 0;
  for (const Window& other : desk.windows().bottom_to_top()) {
    if (other.number == number || !other.arranged() || other.sound.muted) continue;
    if (is_of_others(call.peer, other)) {
      if (may_be_heard(desk, other)) ++left_alone;
      continue;
    }
    WindowPlacement placement = other.placement();
    placement.sound->muted = true;
    change.windows.emplace(other.number, std::move(placement));
  }
  return left_alone;
}

}  // namespace

Answer sound(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const bool sets_volume = fields.has("volume");
  const double volume = sets_volume ? fields.number("volume", 0, 1) : 1;
  const bool mutes = fields.has("muted");
  const bool muted = fields.boolean_or("muted", false);
  const bool alone = fields.boolean_or("solo", false);
  if (!sets_volume && !mutes && !alone) {
    fields.mistake("volume", "or 'muted' or 'solo' must be given");
  }
  if (alone && muted) fields.mistake("muted", "and 'solo' exclude each other");
  const std::string of_gesture = gesture(fields);
  if (auto error = fields.finish()) return *error;
  const auto window = find_on_wall(call, desk, number);
  if (!window) return window.error();
  WindowPlacement placement = (*window)->placement();
  if (sets_volume) placement.sound->volume = volume;
  if (mutes || alone) placement.sound->muted = muted;
  LayoutChange change{.windows = {{number, placement}}};
  const size_t left_alone = alone ? mute_others(call, desk, number, change) : 0;
  const char* const verb = sets_volume ? "set the volume of" : muted ? "muted" : "unmuted";
  UndoLabel label{.verb = verb, .gesture = of_gesture};
  if (alone) {
    label.verb = fmt::format("muted all but '{}'", (*window)->title);
    label.names_windows = false;
  }
  desk.change(change, label, author_of(call.peer));
  sail::Json answer = window_now(desk, number);
  if (left_alone > 0) answer["left_alone"] = left_alone;
  return answer;
}

}  // namespace manager::verbs
