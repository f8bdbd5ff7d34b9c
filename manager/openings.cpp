#include "manager/openings.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "manager/arrange.h"
#include "manager/desk.h"
#include "manager/groups.h"
#include "manager/peers.h"
#include "manager/placing.h"
#include "manager/players.h"
#include "manager/revival.h"
#include "manager/state_json.h"
#include "sail/base/secret.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/url_secret.h"

namespace manager {

Openings::Openings(Desk& desk, Peers& peers, Players& players, Revival& revival, Groups& groups,
                   const sail::Log& log)
    : desk_(desk),
      peers_(peers),
      players_(players),
      revival_(revival),
      groups_(groups),
      log_(log) {}

sail::Result<std::string> Openings::agreed_codec(const sail::OpenStream& open) const {
  const std::string codec = peers_.receivers().common_codec(open.codecs);
  if (codec.empty()) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("open_stream: no codec in common: the receivers know {}, "
                    "offered: {}",
                    quoted_list(peers_.receivers().common_codecs()), quoted_list(open.codecs)));
  }
  const bool scalable =
      sail::scaling_of(sail::parse_codec_name(codec)->id) == sail::Scaling::kBlock;
  if (scalable && (open.block_size.width % sail::kScalableBlockStep != 0 ||
                   open.block_size.height % sail::kScalableBlockStep != 0)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("open_stream: sides of blocks of {} are multiples of {}", codec,
                                  sail::kScalableBlockStep));
  }
  return codec;
}

// All but its numbers, its place and its content.
Window Openings::window_for(const sail::ServicePeer& application, const sail::OpenStream& open,
                            const std::string& codec) const {
  const codecs::CodecId id = sail::parse_codec_name(codec)->id;
  Window window;
  // What people and their logs are told: those who play it again have the content.
  window.title = sail::without_passwords(open.title);
  window.owner = application.id();
  window.owner_name = application.name();
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
  if (open.content) {
    std::ranges::transform(open.content->media, std::back_inserter(window.media),
                           sail::without_passwords);
  }
  return window;
}

void Openings::open_stream(const sail::ServicePeer& application, const sail::OpenStream& open,
                           const sail::RpcPeer::Reply& reply) {
  const auto codec = agreed_codec(open);
  if (!codec) {
    reply(codec.error());
    return;
  }
  if (open.resume && resume(application, open, reply)) return;
  if (auto admitted = groups_.admit(open); !admitted) {
    reply(admitted.error());
    return;
  }
  const Window* former = desk_.windows().find_stream(open.replaces);
  if (former != nullptr && former->owner != application.id()) former = nullptr;
  if (open.replaces != 0 && former == nullptr) {
    reply(sail::fail(sail::ErrorCode::kNotFound,
                     fmt::format("open_stream: this application has no stream {} to be replaced",
                                 open.replaces)));
    return;
  }
  Window window = window_for(application, open, *codec);
  const std::string player = players_.player_for(application.key_name(), open.content);
  if (const Window* lost = desk_.windows().find(players_.take_lost(player)); lost && lost->lost) {
    window.content = content_of(player, open, nullptr);
    window.wall_rect = lost->wall_rect;
    const uint32_t number = lost->number;
    replace_stream(number, std::move(window), reply);
    players_.window_opened(player, number);
    return;
  }
  window.content = content_of(player, open, former);
  if (open.resume) go_on(*open.resume, window);
  if (former != nullptr) {
    if (open.group.empty() && groups_.keeps(*former, open.fps)) window.group = former->group;
    window.wall_rect = open.place.value_or(former->wall_rect);
    // The application knows the shape of its frames, but not of what is shown of them.
    if (window.wall_rect != former->wall_rect && former->look != sail::Look()) {
      const sail::Look look = sail::look_for(former->look, former->frame_size, window.frame_size);
      const sail::Size was = former->shown_size();
      const sail::Size is = sail::shown_size(look, window.frame_size);
      const bool alike = int64_t{was.width} * is.height == int64_t{was.height} * is.width;
      window.wall_rect = alike ? former->wall_rect : fit_into(is, former->wall_rect);
    }
    replace_stream(former->number, std::move(window), reply);
  } else {
    open_window(application, player, open, std::move(window), reply);
  }
}

// The application must know the stream's number when its routes come.
void Openings::answer_opened(const Window& window, const sail::RpcPeer::Reply& reply) const {
  reply(to_json(sail::StreamOpened{.stream = window.stream,
                                   .window = window.number,
                                   .secret = window.secret,
                                   .codec = window.codec,
                                   .transport = window.transport,
                                   .mtu = desk_.wall().mtu,
                                   .sound = !desk_.wall().audio.empty()}));
}

bool Openings::resume(const sail::ServicePeer& application, const sail::OpenStream& open,
                      const sail::RpcPeer::Reply& reply) {
  const Window* window = desk_.resume(*open.resume, application.id());
  if (window == nullptr) return false;
  log_.info("window {} '{}' goes on", window->number, window->title);
  answer_opened(*window, reply);
  groups_.came_back(*window, open.group);
  desk_.resumed(open.resume->routes);
  desk_.go_on();
  return true;
}

void Openings::go_on(const sail::Resume& stream, Window& window) const {
  const bool taken = desk_.windows().find(stream.window) != nullptr ||
                     desk_.windows().find_stream(stream.routes.stream) != nullptr;
  const bool strange = std::max(stream.window, stream.routes.stream) > WindowStack::kMostKept ||
                       stream.routes.epoch > Director::kMostKeptEpoch;
  if (taken || strange) return;
  window.number = stream.window;
  window.stream = stream.routes.stream;
  window.secret = stream.secret;
}

// In one transaction: the tiles go from one to the other in one swap.
void Openings::replace_stream(uint32_t number, Window window, const sail::RpcPeer::Reply& reply) {
  desk_.change([&](Arrangement& arrangement) {
    const Window& now = arrangement.replace(number, std::move(window));
    log_.info("window {} '{}' shows another stream, {}", number, now.title, now.stream);
    answer_opened(now, reply);
  });
  // The application may not have heard yet that it is to close.
  if (desk_.closes(number)) desk_.tell_application(*desk_.windows().find(number), "close");
}

void Openings::open_window(const sail::ServicePeer& application, const std::string& player,
                           const sail::OpenStream& open, Window window,
                           const sail::RpcPeer::Reply& reply) {
  LayoutChange room;
  std::tie(window.wall_rect, room) = first_place(player, open);
  const std::optional<SavedWindow> awaited = revival_.take_expected(application, open.title);
  if (awaited) {
    window.wall_rect = awaited->standing.wall_rect;
    if (!window.content) window.content = awaited->content;
  }
  // What it was told last is newer than what was saved.
  const bool goes_on = window.number != 0;
  if (goes_on) {
    window.wall_rect = open.resume->routes.wall_rect;
    window.look = open.resume->routes.look;
    desk_.resumed(open.resume->routes);
  }
  desk_.change([&](Arrangement& arrangement) {
    const auto opened = arrangement.open(std::move(window));
    if (!opened) {
      reply(opened.error());
      return;
    }
    const Window& added = **opened;
    const uint32_t number = added.number;
    log_.info("window {} '{}' {} by {}", number, added.title, goes_on ? "goes on" : "opened",
              application.text());
    answer_opened(added, reply);
    if (awaited) revival_.came_back(*awaited, number);
    if (const auto author = players_.asked_by(player)) {
      revival_.record_opened(number, *author, room);
    }
    players_.window_opened(player, number);
  });
}

// How what the application shows there can be started again.
std::optional<PlayRequest> Openings::content_of(const std::string& player,
                                                const sail::OpenStream& open,
                                                const Window* former) const {
  if (const PlayRequest* request = players_.request(player)) return *request;
  if (former != nullptr && former->content && !former->content->command.empty()) {
    return former->content;
  }
  if (players_.started(player) || !open.content) return std::nullopt;
  return play_request_for(*open.content);
}

std::pair<sail::Rect, LayoutChange> Openings::first_place(const std::string& player,
                                                          const sail::OpenStream& open) {
  const Players::Wish wish = players_.take_wish(player);
  if (wish.place) return {*wish.place, {}};
  if (wish.within) return {fit_clear(open.frame_size, *wish.within, desk_.tile_gaps()), {}};
  if (open.place && !wish.centre) return {*open.place, {}};
  // What moves is a step of who asked for this window; nobody asked for an application's own.
  const bool asked_for = players_.request(player) != nullptr;
  const auto others = asked_for ? Others::kMakeRoom : Others::kStay;
  Placing placing = place_windows(desk_.arrangement(), desk_.tile_gaps(), {&open.frame_size, 1},
                                  wish.centre, others);
  return {placing.rects.front(), std::move(placing.others)};
}

}  // namespace manager
