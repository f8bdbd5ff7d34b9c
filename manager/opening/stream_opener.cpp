#include "manager/opening/stream_opener.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "manager/desk/desk.h"
#include "manager/desk/groups.h"
#include "manager/media/play_request.h"
#include "manager/peers/opener.h"
#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "manager/programs/players.h"
#include "manager/sessions/revival.h"
#include "manager/wall/arrange.h"
#include "sail/core/base/secret.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/data/codec_name.h"

namespace manager {
namespace {

constexpr int64_t kBeforeLayoutNs = 2 * Director::kTickMs * 1'000'000;

// A single unknown region is the rectangle that the other regions leave, if it is one.
void find_missing_region(Window& window) {
  const auto unknown = [](const WindowPart& part) { return part.region.empty(); };
  if (std::ranges::count_if(window.parts, unknown) != 1) return;
  sail::Region left{{0, 0, window.frame_size.width, window.frame_size.height}};
  for (const WindowPart& part : window.parts) left = sail::subtract(left, part.region);
  if (left.size() == 1) std::ranges::find_if(window.parts, unknown)->region = left.front();
}

// Whether the region can belong to the rank, as far as known.
bool may_be(const Window& window, size_t rank, const sail::Rect& region) {
  const sail::Rect& known = window.parts[rank].region;
  if (!known.empty()) return region == known;
  return std::ranges::all_of(window.parts, [&](const WindowPart& other) {
    return sail::intersect(other.region, region).empty();
  });
}

}  // namespace

StreamOpener::StreamOpener(Desk& desk, Peers& peers, Players& players, Revival& revival,
                           Groups& groups, const sail::Log& log)
    : desk_(desk),
      peers_(peers),
      players_(players),
      revival_(revival),
      groups_(groups),
      log_(log) {}

sail::Result<std::string> StreamOpener::agreed_codec(const sail::OpenStream& open) const {
  const std::string codec = peers_.receivers().common_codec(open.codecs);
  if (codec.empty()) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format(
            "open_stream: no common codec: the receivers support {}, the application offers {}",
            quoted_list(peers_.receivers().common_codecs()), quoted_list(open.codecs)));
  }
  const bool scalable =
      sail::scaling_of(sail::parse_codec_name(codec)->id) == sail::Scaling::kBlock;
  if (scalable && (open.block_size.width % sail::kScalableBlockStep != 0 ||
                   open.block_size.height % sail::kScalableBlockStep != 0)) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("open_stream: width and height of {} blocks must be multiples of {}", codec,
                    sail::kScalableBlockStep));
  }
  return codec;
}

// Returns the window without numbers, place and content.
Window StreamOpener::window_for(const sail::ServicePeer& application, const sail::OpenStream& open,
                                const std::string& codec) const {
  const codecs::CodecId id = sail::parse_codec_name(codec)->id;
  Window window;
  // Titles appear to people and in logs. Passwords remain in the content, for restarts.
  window.title = sail::without_passwords(open.title);
  window.owner = application.id();
  window.owner_name = application.name();
  window.opener = opener_of(players_.player_for(application.key_name(), open.content));
  window.codec = codec;
  window.alpha = id == codecs::CodecId::kDxt5;
  window.scaling = sail::scaling_of(id);
  window.max_reduction = open.max_reduction;
  window.frame_size = open.frame_size;
  window.block_size = open.block_size;
  window.transport = open.transport.value_or(desk_.wall().transport);
  window.secret = sail::random_secret();
  window.takes_input = open.takes_input;
  window.group = open.group;
  window.fps = open.fps;
  if (open.timeline) window.starts_ns = open.timeline->at_ns;
  if (open.content) {
    std::ranges::transform(open.content->media, std::back_inserter(window.media),
                           sail::without_passwords);
  }
  return window;
}

void StreamOpener::open_stream(const sail::ServicePeer& application, const sail::OpenStream& open,
                               const sail::RpcPeer::Reply& reply) {
  const auto codec = agreed_codec(open);
  if (!codec) {
    reply(codec.error());
    return;
  }
  if (open.resume && desk_.is_refused(*open.resume)) {
    reply(sail::fail(sail::ErrorCode::kNotFound,
                     fmt::format("open_stream: cannot resume window {}: it was closed while its "
                                 "application did not answer",
                                 open.resume->window)));
    return;
  }
  if (open.resume && resume(application, open, reply)) return;
  if (open.resume && revival_.is_replaced(application, open.title)) {
    log_.info("{} reconnected too late: another program shows '{}' now", application.text(),
              open.title);
    return reply(
        sail::fail(sail::ErrorCode::kConflict,
                   fmt::format("another program shows '{}' now: this program was considered lost",
                               open.title)));
  }
  if (open.part) return join(application, open, *codec, reply);
  if (auto admitted = groups_.admit(open); !admitted) {
    reply(admitted.error());
    return;
  }
  const Window* former = desk_.windows().find_stream(open.replaces);
  if (former != nullptr && former->owner != application.id()) former = nullptr;
  if (open.replaces != 0 && former == nullptr) {
    reply(sail::fail(
        sail::ErrorCode::kNotFound,
        fmt::format("open_stream: this application has no stream {} to replace", open.replaces)));
    return;
  }
  Window window = window_for(application, open, *codec);
  const std::string player = players_.player_for(application.key_name(), open.content);
  const Window* const of_player = desk_.windows().find(players_.take_former(player));
  if (const Window* lost = of_player; lost != nullptr && lost->lost) {
    window.content = content_of(application, player, open, nullptr);
    window.opener = lost->opener;
    if (open.group.empty() && groups_.keeps(*lost, open.fps)) window.group = lost->group;
    const uint32_t number = lost->number;
    replace_stream(number, std::move(window), reply);
    players_.window_opened(player, number);
    return;
  }
  window.content = content_of(application, player, open, former);
  if (open.resume) go_on(*open.resume, window);
  if (former != nullptr) {
    window.opener = former->opener;
    if (open.group.empty() && groups_.keeps(*former, open.fps)) window.group = former->group;
    if (open.place) window.shape = {open.place->width, open.place->height};
    replace_stream(former->number, std::move(window), reply);
  } else {
    open_window(application, player, open, std::move(window),
                of_player == nullptr ? 0 : of_player->number,
                [this, reply](const sail::Result<const Window*>& opened) {
                  if (!opened) return reply(opened.error());
                  answer_opened(**opened, (*opened)->stream, reply);
                });
  }
}

void StreamOpener::answer_opened(const Window& window, uint32_t stream,
                                 const sail::RpcPeer::Reply& reply) const {
  const WindowPart* part = window.part(stream);
  reply(to_json(sail::StreamOpened{.stream = stream,
                                   .window = window.number,
                                   .secret = part != nullptr ? part->secret : window.secret,
                                   .codec = window.codec,
                                   .transport = window.transport,
                                   .mtu = desk_.wall().mtu,
                                   .sound = !desk_.wall().audio.empty()}));
}

bool StreamOpener::resume(const sail::ServicePeer& application, const sail::OpenStream& open,
                          const sail::RpcPeer::Reply& reply) {
  const Window* window = desk_.resume(*open.resume, application.id());
  if (window == nullptr) return false;
  players_.window_opened(players_.player_for(application.key_name(), open.content), window->number);
  log_.info("window {} '{}' resumed", window->number, window->title);
  answer_opened(*window, open.resume->routes.stream, reply);
  groups_.came_back(*window, open.resume->routes.stream, open.group);
  desk_.resumed(open.resume->routes);
  desk_.go_on();
  return true;
}

void StreamOpener::go_on(const sail::Resume& stream, Window& window) const {
  if (desk_.windows().find(stream.window) != nullptr || !is_free(stream)) return;
  window.number = stream.window;
  window.stream = stream.routes.stream;
  window.secret = stream.secret;
}

bool StreamOpener::is_free(const sail::Resume& stream) const {
  return desk_.windows().find_stream(stream.routes.stream) == nullptr &&
         std::max(stream.window, stream.routes.stream) <= WindowStack::kMostKept &&
         stream.routes.epoch <= Director::kMostKeptEpoch;
}

// In one transaction, so that the tiles switch in one swap.
void StreamOpener::replace_stream(uint32_t number, Window window,
                                  const sail::RpcPeer::Reply& reply) {
  desk_.change([&](Arrangement& arrangement) {
    const Window& now = arrangement.replace(number, std::move(window));
    log_.info("window {} '{}' now shows stream {}", number, now.title, now.stream);
    answer_opened(now, now.stream, reply);
  });
  // The application may not have received the earlier close request.
  if (desk_.closes(number)) desk_.notify_application(*desk_.windows().find(number), "close");
}

void StreamOpener::open_window(const sail::ServicePeer& application, const std::string& player,
                               const sail::OpenStream& open, Window window, uint32_t former,
                               const Opened& opened) {
  Placing placing = first_place(player, open);
  window.wall_rect = placing.rects.front();
  window.place = placing.areas.front();
  const std::optional<SavedWindow> awaited = revival_.take_expected(application, open.title);
  if (awaited) {
    window.place = window.wall_rect = awaited->placement.wall_rect;
    // If an earlier manager started the program, that manager knew more about the content than the
    // program does: group, transport, delay, volume.
    if (!window.content || is_program_key(application.key_name())) {
      window.content = awaited->content;
    }
  }
  // Take the place from the stream's routes, which are newer than the saved session.
  const bool goes_on = window.number != 0;
  if (goes_on) {
    window.place = window.wall_rect = open.resume->routes.wall_rect;
    window.look = open.resume->routes.look;
    desk_.resumed(open.resume->routes);
  }
  desk_.change([&](Arrangement& arrangement) {
    const auto stands = arrangement.open(std::move(window));
    if (!stands) {
      opened(stands.error());
      return;
    }
    const Window& added = **stands;
    const uint32_t number = added.number;
    log_.info("window {} '{}' {} by {}", number, added.title, goes_on ? "resumed" : "opened",
              application.text());
    opened(&added);
    if (awaited) revival_.came_back(*awaited, number);
    if (const auto author = players_.asked_by(player); author && former != 0) {
      revival_.replace(former, number, *author);
    } else if (author) {
      revival_.record_opened(number, *author, placing.others);
    }
    players_.window_opened(player, number);
  });
}

// Returns the request that can restart what the application shows.
std::optional<PlayRequest> StreamOpener::content_of(const sail::ServicePeer& application,
                                                    const std::string& player,
                                                    const sail::OpenStream& open,
                                                    const Window* former) const {
  if (const PlayRequest* request = players_.request(player)) return *request;
  if (former != nullptr && former->content && !former->content->command.empty()) {
    return former->content;
  }
  if (players_.started(player) || !open.content) return std::nullopt;
  auto request = play_request_for(*open.content);
  // MediaRights checks other media when they are opened again.
  const bool may_reach = application.right() == sail::Right::kAdmin;
  if (!request || (is_elsewhere(request->media.front()) && !may_reach)) return std::nullopt;
  request->opener = is_program_key(player) ? opener_of(player) : player;
  return request;
}

Placing StreamOpener::first_place(const std::string& player, const sail::OpenStream& open) {
  const Players::Wish wish = players_.take_wish(player);
  const auto fitted = [&](const sail::Rect& area) {
    return Placing{.areas = {area}, .rects = {fit_into(open.frame_size, area)}};
  };
  if (wish.place) return fitted(*wish.place);
  if (wish.within) {
    return {.areas = {*wish.within},
            .rects = {fit_clear(open.frame_size, *wish.within, desk_.tile_gaps())}};
  }
  if (open.place && !wish.centre) return fitted(*open.place);
  // Moves of other windows belong to the undo step of the person who requested this window. Nobody
  // requests windows that applications open themselves.
  const auto author = players_.asked_by(player);
  const bool may_move = players_.request(player) != nullptr && !(author && author->only_own);
  const bool is_note = open.content && !open.content->media.empty() &&
                       std::ranges::all_of(open.content->media, sail::is_written);
  const auto others = is_note ? Others::kBehind : may_move ? Others::kMakeRoom : Others::kStay;
  return place_windows(desk_.arrangement(), desk_.tile_gaps(), {&open.frame_size, 1}, wish.centre,
                       others);
}

// --- one stream from several senders ------------------------------------------------------------

void StreamOpener::tick() {
  const int64_t now_ns = sail::steady_now_ns();
  rank_rendezvous_.tick(now_ns);
  // Before the first layout, which would lack their window.
  if (desk_.director().waits_for_peers(now_ns + kBeforeLayoutNs)) return;
  for (std::vector<JoiningRank>& ranks : rank_rendezvous_.take_going_on())
    open_ranks(std::move(ranks));
}

void StreamOpener::join(const sail::ServicePeer& application, const sail::OpenStream& open,
                        const std::string& codec, const sail::RpcPeer::Reply& reply) {
  JoiningRank rank{application.id(), application.name(), open, codec, reply};
  if (sail::Size{open.part->region.width, open.part->region.height} != open.frame_size) {
    return reply(sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("open_stream: frame size and region size of rank {} differ", open.part->rank)));
  }
  if (open.resume && is_free(*open.resume)) desk_.resumed(open.resume->routes);
  admit_rank(std::move(rank));
}

void StreamOpener::admit_rank(JoiningRank rank) {
  const auto& windows = desk_.windows().bottom_to_top();
  const auto known = std::ranges::find(windows, rank.part().name, &Window::parts_name);
  if (known != windows.end()) {
    if (auto back = rejoin(*known, rank); !back) rank.reply(back.error());
    return;
  }
  auto all = rank_rendezvous_.join(std::move(rank), sail::steady_now_ns());
  if (all) open_ranks(*std::move(all));
}

// A new program counts its frames from the start, unlike the ranks that continued. It can match
// them only by presentation time, that is in a group. A rank that has continued itself still has
// matching numbers.
sail::Result<void> StreamOpener::rejoin(const Window& window, const JoiningRank& rank) {
  const sail::JoinParts& join = rank.part();
  const auto place = static_cast<size_t>(join.rank);
  const auto late = [&](const std::string& why) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("rank {} cannot rejoin '{}': {}", join.rank, join.name, why));
  };
  if (place >= window.parts.size() || window.parts[place].owner != 0) {
    return late(fmt::format("window {} already has all of its {} ranks", window.number,
                            window.parts.size()));
  }
  if (window.group.empty() && !rank.open.resume) {
    return late("the other ranks have continued, and only a group tells a rank which frame is due");
  }
  if (join.ranks != static_cast<int>(window.parts.size()) || join.frame_size != window.frame_size ||
      !may_be(window, place, join.region) || rank.codec != window.codec ||
      rank.open.block_size != window.block_size || rank.open.group != window.group) {
    return late("its region, codec or group differs from the lost rank's");
  }
  desk_.change([&](Arrangement& arrangement) {
    arrangement.replace_part(window.number, place, part_of(rank, window));
    log_.info("rank {} of window {} '{}' is back", join.rank, window.number, window.title);
    answer_opened(window, window.parts[place].stream, rank.reply);
  });
  return {};
}

WindowPart StreamOpener::part_of(const JoiningRank& rank, const Window& window) const {
  WindowPart part{.secret = sail::random_secret(),
                  .owner = rank.application,
                  .owner_name = rank.name,
                  .region = rank.part().region};
  const std::optional<sail::Resume>& resume = rank.open.resume;
  if (resume && resume->window == window.number && is_free(*resume) &&
      window.part(resume->routes.stream) == nullptr) {
    part.stream = resume->routes.stream;
    part.secret = resume->secret;
  }
  return part;
}

void StreamOpener::open_ranks(std::vector<JoiningRank> ranks) {
  const auto goes_on = [](const JoiningRank& one) { return one.open.resume.has_value(); };
  std::vector<JoiningRank> anew;
  if (std::ranges::any_of(ranks, goes_on)) {
    const auto rest = std::stable_partition(ranks.begin(), ranks.end(), goes_on);
    std::move(rest, ranks.end(), std::back_inserter(anew));
    ranks.erase(rest, ranks.end());
  }
  open_parts(std::move(ranks));
  for (JoiningRank& rank : anew) admit_rank(std::move(rank));
}

void StreamOpener::open_parts(std::vector<JoiningRank> ranks) {
  const auto refuse = [&ranks](const sail::Error& why) {
    for (const JoiningRank& rank : ranks) rank.reply(why);
  };
  const JoiningRank& first = ranks.front();
  const sail::ServicePeer& application = *peers_.find(first.application);
  sail::OpenStream whole = first.open;
  whole.frame_size = first.part().frame_size;
  for (const JoiningRank& rank : ranks) {
    if (auto admitted = groups_.admit(rank.open); !admitted) return refuse(admitted.error());
    whole.max_reduction = std::min(whole.max_reduction, rank.open.max_reduction);
  }
  Window window = window_for(application, whole, first.codec);
  const std::string player = players_.player_for(application.key_name(), whole.content);
  whole.content.reset();  // A single player would show only a part of it.
  window.content = content_of(application, player, whole, nullptr);
  window.parts_name = first.part().name;
  window.absent = first.part().absent;
  if (whole.resume) go_on(*whole.resume, window);
  WindowPart missing;
  missing.since_s = std::time(nullptr);
  window.parts.assign(static_cast<size_t>(first.part().ranks), missing);
  for (const JoiningRank& rank : ranks) {
    window.parts[static_cast<size_t>(rank.part().rank)] = part_of(rank, window);
  }
  find_missing_region(window);
  window.stream = window.parts.front().stream;
  window.secret = window.parts.front().secret;
  open_window(application, player, whole, std::move(window), 0,
              [&](const sail::Result<const Window*>& opened) {
                if (!opened) return refuse(opened.error());
                for (const JoiningRank& rank : ranks) {
                  const auto place = static_cast<size_t>(rank.part().rank);
                  answer_opened(**opened, (*opened)->parts[place].stream, rank.reply);
                }
              });
}

}  // namespace manager
