#include "manager/opening/window_opener.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/media/source_objects.h"
#include "manager/peers/opener.h"
#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "manager/programs/players.h"
#include "manager/rights/object_rights.h"
#include "manager/sessions/session_restore.h"
#include "manager/sessions/undo_steps.h"
#include "manager/wall/arrange.h"
#include "sail/core/base/secret.h"
#include "sail/core/text/ip_address.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/codec_name.h"

namespace manager {

WindowOpener::WindowOpener(Desk& desk, const Peers& peers, Players& players,
                           SessionRestore& restore, UndoSteps& steps, const ObjectRights& rights,
                           const SourceLibrary& library, const sail::Log& log)
    : desk_(desk),
      peers_(peers),
      players_(players),
      restore_(restore),
      steps_(steps),
      rights_(rights),
      library_(library),
      log_(log) {}

sail::Result<std::string> WindowOpener::agreed_codec(const sail::OpenStream& open) const {
  const std::string codec = peers_.receivers().common_codec(open.codecs);
  if (codec.empty()) {
    std::string why = fmt::format(
        "open_stream: no common codec: the receivers support {}, the application offers {}",
        quoted_list(peers_.receivers().common_codecs()), quoted_list(open.codecs));
    for (const std::string& offered : open.codecs) {
      const auto without = peers_.receivers().without_codec(offered);
      if (!sail::parse_codec_name(offered) || without.empty()) continue;
      why += fmt::format("; {} cannot decode {}", quoted_list(without), offered);
    }
    return sail::fail(sail::ErrorCode::kInvalidParams, why);
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

std::string WindowOpener::player_of(const sail::ServicePeer& application,
                                    const sail::OpenStream& open) const {
  return players_.player_for(application.key_name(), open.content);
}

Window WindowOpener::window_for(const sail::ServicePeer& application, const sail::OpenStream& open,
                                const std::string& codec) const {
  const codecs::CodecId id = sail::parse_codec_name(codec)->id;
  Window window;
  // Titles appear to people and in logs. Passwords remain in the content, for restarts.
  window.title = sail::without_passwords(open.title);
  window.owner = application.id();
  window.owner_name = application.name();
  window.opener = opener_of(player_of(application, open));
  window.codec = codec;
  window.codec_reason = sail::without_passwords(open.codec_reason);
  window.alpha = id == codecs::CodecId::kDxt5;
  window.scaling = sail::scaling_of(id);
  window.max_reduction = open.max_reduction;
  window.frame_size = open.frame_size;
  window.block_size = open.block_size;
  window.transport = open.transport.value_or(desk_.wall().transport);
  // All receivers of a carried stream need the same bytes.
  if (desk_.wall().multicast && codecs::is_carried(id) &&
      window.transport == sail::Transport::kUdp) {
    window.multicast = desk_.windows().free_multicast_group(*desk_.wall().multicast);
  }
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

void WindowOpener::keep_numbers(const sail::Resume& stream, Window& window) const {
  if (desk_.windows().find(stream.window) != nullptr || !is_free(stream)) return;
  window.number = stream.window;
  window.stream = stream.routes.stream;
  window.secret = stream.secret;
}

void WindowOpener::forget_numbers(Window& window) const {
  if (window.number == 0) return;
  window.number = window.stream = 0;
  window.secret = sail::random_secret();
  for (WindowPart& part : window.parts) {
    part.stream = 0;
    if (part.owner != 0) part.secret = sail::random_secret();
  }
  if (!window.parts.empty()) window.secret = window.parts.front().secret;
}

bool WindowOpener::is_free(const sail::Resume& stream) const {
  return desk_.windows().find_stream(stream.routes.stream) == nullptr &&
         std::max(stream.window, stream.routes.stream) <= WindowStack::kMostKept &&
         stream.routes.epoch <= Director::kMostKeptEpoch;
}

void WindowOpener::add_window(const sail::ServicePeer& application, const std::string& player,
                              const sail::OpenStream& open, Window window, uint32_t former,
                              const Opened& opened) {
  const Partitions& partitions = desk_.arrangement().partitions();
  const auto asker = asker_for(application, player);
  const auto may_show_at = [&](const sail::Rect& rect) {
    return asker ? rights_.check(*asker, Act::kDisplay, partitions, rect) : sail::Result<void>();
  };
  Placing placing = first_place(player, open, asker);
  window.wall_rect = placing.rects.front();
  window.place = placing.areas.front();
  const std::optional<SavedWindow> awaited = restore_.take_expected(application, open.title);
  if (awaited) {
    window.place = window.wall_rect = awaited->placement.wall_rect;
    window.label = awaited->placement.label.value_or(WindowLabel());
    // If an earlier manager started the program, that manager knew more about the content than the
    // program does: group, transport, delay, volume.
    if (!window.content || is_program_key(application.key_name())) {
      window.content = awaited->content;
    }
  }
  const PlayerPurpose purpose =
      awaited ? PlayerPurpose() : former_purpose(application, player, open);
  if (auto may = may_return(application, purpose, open); !may) return opened(may.error());
  if (purpose.decoration && window.content) {
    window.content->decoration = purpose.decoration;
    window.place = purpose.place.value_or(window.place);
  }
  if (!awaited) {
    if (auto may = may_show(application, player, window); !may) return opened(may.error());
    if (window.decorates()) place_decoration(window, window.place);
  }
  // The saved session may be older than a player that an earlier manager started.
  const bool is_former = is_program_key(application.key_name()) && !players_.started(player);
  const bool continues =
      window.number != 0 && (awaited || is_former || may_show_at(open.resume->routes.wall_rect));
  if (continues) {
    if (awaited) window.cover = awaited->cover;
    // The stream's routes are newer than the saved session.
    window.place = window.wall_rect = open.resume->routes.wall_rect;
    window.look = open.resume->routes.look;
    desk_.resumed(open.resume->routes);
  } else {
    forget_numbers(window);
    auto may = awaited ? sail::Result<void>() : may_show_at(window.wall_rect);
    if (!may) return opened(may.error());
  }
  desk_.change([&](Arrangement& arrangement) {
    const auto added_window = arrangement.open(std::move(window));
    if (!added_window) {
      opened(added_window.error());
      return;
    }
    const Window& added = **added_window;
    const uint32_t number = added.number;
    log_.info("window {} '{}' {} by {}", number, added.title, continues ? "resumed" : "opened",
              application.text());
    opened(&added);
    if (awaited) restore_.window_returned(*awaited, number);
    if (purpose.decoration) keep_newest(number);
    if (const auto author = players_.asked_by(player); author && former != 0) {
      steps_.replace(former, number, *author);
    } else if (author) {
      steps_.record_opened(number, *author, placing.others);
    }
    players_.window_opened(player, number);
  });
}

PlayerPurpose WindowOpener::former_purpose(const sail::ServicePeer& application,
                                           const std::string& player,
                                           const sail::OpenStream& open) const {
  const bool former = is_program_key(application.key_name()) && !players_.started(player);
  return former ? read_purpose(open.purpose) : PlayerPurpose();
}

sail::Result<void> WindowOpener::may_return(const sail::ServicePeer& application,
                                            const PlayerPurpose& purpose,
                                            const sail::OpenStream& open) const {
  // Without that session, only their routes tell which windows had their turn.
  const bool shown = open.resume && !open.resume->routes.routes.empty();
  if (!purpose.prepared || (shown && !restore_.has_autosave())) return {};
  if (restore_.has_returned(application)) return {};
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("open_stream: '{}' was opened before its turn, for an earlier "
                                "manager",
                                open.title));
}

bool WindowOpener::is_of_own_player(uint32_t window) const {
  const auto& peers = peers_.service().peers();
  const auto owner = peers.find(desk_.windows().find(window)->owner);
  return owner != peers.end() && players_.started(owner->second->key_name());
}

// Numbers grow, but a window of an earlier manager's player may keep the number that it had there.
void WindowOpener::keep_newest(uint32_t number) {
  const Window* newest = desk_.windows().find(number);
  if (!newest->decorates()) return;
  const Decoration place = *newest->content->decoration;
  restore_.forget_decoration(place);
  std::vector<uint32_t> there;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    const bool same = window.decorates() && window.content->decoration->shares_place(place);
    if (same && !window.hidden) there.push_back(window.number);
  }
  std::erase(there, std::ranges::max(there, {}, [this](uint32_t one) {
               return std::pair(is_of_own_player(one), one);
             }));
  desk_.close(there, [](const auto& /*forced*/) {});
}

void WindowOpener::answer_opened(const Window& window, uint32_t stream,
                                 const sail::RpcPeer::Reply& reply) const {
  const WindowPart* part = window.part(stream);
  const bool by_group = part == nullptr && window.multicast != sail::IpAddress{};
  reply(to_json(sail::StreamOpened{.stream = stream,
                                   .window = window.number,
                                   .secret = part != nullptr ? part->secret : window.secret,
                                   .codec = window.codec,
                                   .transport = window.transport,
                                   .mtu = desk_.wall().mtu,
                                   .sound = !desk_.wall().audio.empty(),
                                   .multicast = by_group ? sail::ip_text(window.multicast) : "",
                                   .multicast_hops = desk_.wall().multicast_hops}));
}

std::optional<PlayRequest> WindowOpener::content_of(const sail::ServicePeer& application,
                                                    const std::string& player,
                                                    const sail::OpenStream& open,
                                                    const Window* former) const {
  if (const PlayRequest* request = players_.request(player)) return *request;
  if (former != nullptr && former->content && !former->content->command.empty()) {
    return former->content;
  }
  if (players_.started(player) || !open.content) return std::nullopt;
  auto request = play_request_for(*open.content, open.title);
  // MediaRights checks other media when they are opened again.
  const bool may_reach = application.right() == sail::Right::kAdmin;
  if (!request || (is_elsewhere(request->media.front()) && !may_reach)) return std::nullopt;
  request->opener = opener_of(player);
  return request;
}

std::optional<Asker> WindowOpener::asker_for(const sail::ServicePeer& application,
                                             const std::string& player) const {
  const auto author = players_.asked_by(player);
  if (!author && players_.started(player)) return std::nullopt;
  const std::string key = author ? author->key : opener_of(application.key_name());
  const sail::RpcService& service = peers_.service();
  return Asker{.key = key,
               .admin = service.right_behind(key) == sail::Right::kAdmin,
               .groups = service.groups_behind(key)};
}

sail::Result<void> WindowOpener::check_sources(const Asker& asker, Act act,
                                               const Window& window) const {
  if (!rights_.concern_sources()) return {};
  for (const WallObject& source : source_objects(library_, window)) {
    if (auto may = rights_.check(asker, act, source); !may) return may;
  }
  return {};
}

sail::Result<void> WindowOpener::may_show(const sail::ServicePeer& application,
                                          const std::string& player, const Window& window) const {
  // The manager that started a player has checked the request.
  if (players_.started(player) || is_program_key(application.key_name())) return {};
  const auto asker = asker_for(application, player);
  return asker ? check_sources(*asker, Act::kDisplay, window) : sail::Result<void>();
}

bool WindowOpener::may_arrange(const Asker& asker, const LayoutChange& others) const {
  const Partitions& partitions = desk_.arrangement().partitions();
  return std::ranges::all_of(others.windows, [&](const auto& moved) {
    const Window* window = desk_.windows().find(moved.first);
    return window == nullptr ||
           (rights_.check(asker, Act::kArrange, partitions, window->wall_rect) &&
            rights_.check(asker, Act::kArrange, partitions, moved.second.wall_rect) &&
            check_sources(asker, Act::kArrange, *window));
  });
}

Placing WindowOpener::first_place(const std::string& player, const sail::OpenStream& open,
                                  const std::optional<Asker>& asker) {
  const Players::RequestedPlace requested = players_.take_requested_place(player);
  const auto fitted = [&](const sail::Rect& area) {
    return Placing{.areas = {area}, .rects = {fit_into(open.frame_size, area)}};
  };
  if (requested.place) return fitted(*requested.place);
  if (requested.within) {
    return {.areas = {*requested.within},
            .rects = {fit_clear(open.frame_size, *requested.within, desk_.tile_gaps())}};
  }
  if (open.place && !requested.centre) return fitted(*open.place);
  // Moves of other windows belong to the undo step of the person who requested this window. Nobody
  // requests windows that applications open themselves.
  const auto author = players_.asked_by(player);
  const bool may_move = players_.request(player) != nullptr && !(author && author->only_own);
  const bool is_note = open.content && !open.content->media.empty() &&
                       std::ranges::all_of(open.content->media, sail::is_written);
  const auto others = is_note ? Others::kBehind : may_move ? Others::kMakeRoom : Others::kStay;
  const auto closed = asker ? rights_.closed_to(*asker, desk_.arrangement().partitions())
                            : std::vector<sail::Rect>();
  const auto placed = [&](Others wanted) {
    return place_outside(desk_.arrangement(), desk_.tile_gaps(), {&open.frame_size, 1},
                         requested.centre, wanted, closed);
  };
  Placing placing = placed(others);
  return !asker || may_arrange(*asker, placing.others) ? placing : placed(Others::kStay);
}

}  // namespace manager
