#include "manager/peers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "manager/state_json.h"
#include "sail/base/clock.h"
#include "sail/base/token.h"
#include "sail/wire/limits.h"

namespace manager {
namespace {

constexpr int64_t kSettleMs = 1000;

// Told apart on dark and light grounds, and by most people who do not see all colours.
constexpr std::array kPalette = {"#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#0fa3a3",
                                 "#f032e6", "#b8860b", "#d2691e", "#5f9ea0", "#708090", "#c71585"};

}  // namespace

Peers::Peers(sail::Loop& loop, const sail::Wall& wall, ChangeFeed& changes, const Options& options,
             Handlers handlers, const sail::Log& log)
    : wall_(wall),
      changes_(changes),
      options_(options),
      handlers_(std::move(handlers)),
      peer_handlers_(
          {.on_hello = [this](Peer& peer, const sail::Hello& hello,
                              const sail::RpcPeer::Reply& reply) { admit(peer, hello, reply); },
           .on_verb = handlers_.on_verb,
           .on_closed = [this](const Peer& peer,
                               const sail::Error& why) { end(peer.id(), why.message); }}),
      log_(log),
      rare_log_(log),
      settle_(loop),
      tokens_(options.token),
      roster_(wall),
      group_(loop, {.hello_ms = options.hello_ms, .max_strangers = options.max_strangers}) {
  settle_.start(kSettleMs, kSettleMs, [this] { rare_log_.settle(sail::steady_now_ns()); });
}

void Peers::accept(std::unique_ptr<sail::MessageChannel> channel) {
  const uint64_t id = next_id_++;
  peers_.emplace(id, std::make_unique<Peer>(group_, peer_handlers_, id, std::move(channel), log_));
}

void Peers::make_room(const sail::Error& why) {
  rare_log_.warning("descriptors", "", sail::steady_now_ns(), "{}", why.message);
  group_.make_room();
}

// --- who is let in

sail::Result<void> Peers::check_hello(const sail::Hello& hello) const {
  if (hello.protocol != sail::kControlProtocol) {
    return sail::fail(sail::ErrorCode::kUnsupportedProtocol,
                      fmt::format("this manager speaks control protocol {}, not {}",
                                  sail::kControlProtocol, hello.protocol));
  }
  // Receivers are as many as the wall has, however many others come.
  const auto others = std::ranges::count_if(
      peers_, [&](const auto& one) { return one.second->role() == hello.role; });
  if (hello.role != sail::Role::kReceiver && static_cast<size_t>(others) >= options_.max_peers) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{} peers with the role '{}' are connected, no more are let in",
                                  others, role_name(hello.role)));
  }
  return {};
}

void Peers::admit(Peer& peer, const sail::Hello& hello, const sail::RpcPeer::Reply& reply) {
  const auto token =
      tokens_.judge(hello.token, peer.rpc().peer_address().host, sail::steady_now_ns());
  if (token.wrong) {
    peer.rpc().refuse(reply, *token.wrong, token.delay_ms);
  } else if (auto checked = check_hello(hello); !checked) {
    peer.rpc().refuse(reply, checked.error());
  } else if (hello.role == sail::Role::kReceiver) {
    admit_receiver(peer, hello, reply);
  } else if (hello.role == sail::Role::kUi) {  // a person with a bare connection sends no pings
    peer.client().colour = hello.colour.empty() ? free_colour() : hello.colour;
    sail::Json welcome = welcome_json(wall_);
    welcome["client"] = peer.id();
    welcome["colour"] = peer.client().colour;
    welcome["page"] = handlers_.page_url(peer.rpc().local_address().host);
    peer.welcome(reply, std::move(welcome));
  } else {
    peer.welcome(reply, welcome_json(wall_));
    peer.rpc().keep_alive();
    log_.info("{} connected", peer.text());
  }
}

std::string Peers::free_colour() const {
  const auto taken = [this](const char* colour) {
    return std::ranges::count_if(
        peers_, [&](const auto& one) { return one.second->client().colour == colour; });
  };
  return *std::ranges::min_element(kPalette, {}, taken);
}

void Peers::admit_receiver(Peer& peer, const sail::Hello& hello,
                           const sail::RpcPeer::Reply& reply) {
  ReceiverEntry* entry = roster_.find(hello.name);
  if (entry == nullptr) {
    peer.rpc().refuse(reply, {sail::ErrorCode::kNotFound,
                              fmt::format("the wall '{}' has no receiver '{}': it has {}",
                                          wall_.name, hello.name, roster_.names())});
  } else if (hello.data_port == 0) {
    peer.rpc().refuse(
        reply, {sail::ErrorCode::kInvalidParams, "hello: 'data_port' of a receiver is 1 to 65535"});
  } else if (!entry->connected()) {
    welcome_receiver(peer, *entry, hello, reply);
  } else {
    peer.rpc().refuse(
        reply, {sail::ErrorCode::kConflict,
                fmt::format("a receiver named '{}' is connected already: end that one first, or "
                            "start this one with another --name",
                            entry->name)});
  }
}

void Peers::welcome_receiver(Peer& peer, ReceiverEntry& entry, const sail::Hello& hello,
                             const sail::RpcPeer::Reply& reply) {
  entry.peer = peer.id();
  entry.address = peer.rpc().peer_address().host;
  entry.data_port = hello.data_port;
  entry.codecs = hello.codecs;
  sail::Json welcome = welcome_json(wall_);
  welcome.update(to_json(receiver_welcome(wall_, entry.name)));
  peer.welcome(reply, std::move(welcome));
  peer.rpc().keep_alive();
  log_.info("{} connected", peer.text());
  changes_.receiver_changed(entry.name);
  handlers_.on_receiver(entry);
}

// --- who is there

Peer* Peers::find(uint64_t id) {
  const auto it = peers_.find(id);
  return it == peers_.end() ? nullptr : it->second.get();
}

Peer* Peers::receiver(std::string_view name) {
  return find(roster_.find(name)->peer);
}

void Peers::record(const Peer& receiver, const sail::ReceiverStats& stats) {
  roster_.find(receiver.name())->stats = stats;
}

std::string Peers::mark_of(uint64_t id) {
  const Peer* peer = find(id);
  return peer == nullptr ? "" : sail::mark_of(peer->token(), options_.token);
}

void Peers::end(uint64_t id, std::string_view why) {
  const auto ended = peers_.extract(id);
  if (ended.empty()) return;
  Peer& peer = *ended.mapped();
  if (!peer.role()) {
    rare_log_.warning("not let in", sail::network_of(peer.rpc().peer_address().host),
                      sail::steady_now_ns(), "{} was not let in: {}", peer.text(), why);
    return;
  }
  if (peer.role() != sail::Role::kUi) log_.info("{} left: {}", peer.text(), why);
  if (peer.client().announced) changes_.part_changed(StatePart::kClients);
  if (peer.role() == sail::Role::kReceiver) receiver_gone(*roster_.find(peer.name()));
  handlers_.on_left(peer);
}

void Peers::receiver_gone(ReceiverEntry& entry) {
  entry.peer = 0;
  entry.address.clear();
  entry.data_port = 0;
  entry.stats.reset();
  changes_.receiver_changed(entry.name);
  handlers_.on_receiver(entry);
}

// --- what is sent to them

void Peers::notify(uint64_t id, std::string_view method, const sail::Json& params) {
  if (Peer* peer = find(id)) peer->rpc().notify(method, params);
}

void Peers::send_line(const std::vector<std::string>& receivers, std::string_view line) {
  for (const std::string& name : receivers) {
    if (Peer* peer = receiver(name)) peer->rpc().send_line(line);
  }
}

void Peers::announce(Peer& ui) {
  if (!std::exchange(ui.client().announced, true)) changes_.part_changed(StatePart::kClients);
}

std::vector<const Peer*> Peers::announced() const {
  std::vector<const Peer*> clients;
  for (const auto& [id, peer] : peers_) {
    if (peer->client().announced) clients.push_back(peer.get());
  }
  return clients;
}

bool Peers::anybody_follows() const {
  return std::ranges::any_of(
      peers_, [](const auto& one) { return one.second->client().wants.has_value(); });
}

void Peers::tell(std::string_view line) {
  for (const auto& [id, peer] : peers_) {
    if (peer->client().wants) peer->rpc().send_line(line);
  }
}

void Peers::offer(bool Wants::*what, std::string_view line) {
  for (const auto& [id, peer] : peers_) {
    const auto& wants = peer->client().wants;
    if (wants && (*wants).*what) peer->rpc().offer_line(line);
  }
}

bool Peers::anybody_wants(bool Wants::*what) const {
  return std::ranges::any_of(peers_, [what](const auto& one) {
    const auto& wants = one.second->client().wants;
    return wants && (*wants).*what;
  });
}

}  // namespace manager
