#include "manager/peers/peers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "manager/peers/state_json.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/rpc.h"
#include "sail/core/wire/standby.h"

namespace manager {
namespace {

// Distinguishable on dark and light backgrounds, and by most people with colour blindness.
constexpr std::array kPalette = {"#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#0fa3a3",
                                 "#f032e6", "#b8860b", "#d2691e", "#5f9ea0", "#708090", "#c71585"};

constexpr size_t kEntriesPerMs = 200;  // Client entries sent per millisecond, some 10 MB/s.

std::map<std::string, sail::Right, std::less<>> rights_of_groups(const sail::Wall& wall) {
  std::map<std::string, sail::Right, std::less<>> rights;
  if (!wall.proxy) return rights;
  for (const auto& [group, role] : wall.proxy->groups) rights[group] = sail::person_role(role);
  return rights;
}

}  // namespace

Author author_of(const sail::ServicePeer& peer) {
  if (peer.role() != sail::Role::kUi) return {};
  return {peer.id(), peer.name().empty() ? fmt::format("client {}", peer.id()) : peer.name(),
          peer.key_name(), peer.right() == sail::Right::kPresenter};
}

std::string counted_as(sail::ServicePeer& peer) {
  if (peer.right() == sail::Right::kAdmin) return "";
  const std::string& key = peer.key_name();
  const bool is_named = key.find('/') != std::string::npos;
  return is_named ? key : peer.rpc().peer_address().host;
}

sail::Ends ends_of(sail::ServicePeer& peer) {
  return {peer.rpc().local_address().host, peer.rpc().peer_address().host};
}

Peers::Peers(sail::Loop& loop, const sail::Wall& wall, ChangeFeed& changes, const Options& options,
             std::vector<sail::RpcVerb> verbs, Handlers handlers, const sail::Log& log)
    : wall_(wall),
      changes_(changes),
      people_(options.people),
      clock_(options.clock),
      term_(options.term),
      on_all_addresses_(options.on_all_addresses),
      linked_pages_(options.linked_pages),
      handlers_(std::move(handlers)),
      roster_(wall),
      clients_pause_(loop),
      service_(loop,
               {.access = {.server = "manager",
                           .key = options.key,
                           .people = options.people,
                           .people_closed = options.people_closed,
                           .proxied = wall.proxy ? sail::person_role(wall.proxy->role)
                                                 : sail::Right::kNone,
                           .groups = rights_of_groups(wall)},
                .hello_ms = options.hello_ms,
                .max_peers = options.max_peers,
                .max_unauthenticated = options.max_unauthenticated},
               std::move(verbs),
               {.on_hello = [this](sail::ServicePeer& peer) { return welcome(peer); },
                .on_joined = [this](sail::ServicePeer& peer) { joined(peer); },
                .on_left = [this](const sail::ServicePeer& peer) { left(peer); },
                .on_noted = handlers_.on_noted,
                .on_admission = handlers_.on_admission},
               log) {}

// --- admission

sail::Result<sail::Json> Peers::welcome(sail::ServicePeer& peer) {
  if (const uint64_t term = peer.hello().term; term > term_ && is_trusted(peer)) {
    handlers_.on_fenced(term);
    return sail::fail(
        sail::ErrorCode::kUnavailable,
        fmt::format("this manager (term {}) is shutting down: another manager has term {}", term_,
                    term));
  }
  return admit(peer).map([&](sail::Json welcome) {
    sail::write_fields(welcome, clock_);
    sail::write_fields(welcome, sail::WelcomeDisplay{wall_.display});
    sail::write_fields(welcome, sail::WelcomeTerm{term_, standby_for(ends_of(peer)).address});
    if (term_ == sail::WelcomeTerm().term) welcome.erase("term");  // There was no earlier manager.
    return welcome;
  });
}

bool Peers::is_trusted(const sail::ServicePeer& peer) const {
  return peer.hello().role == sail::Role::kReceiver || service_.allows_everybody() ||
         sail::right_of(peer.key_name()) == sail::Right::kAdmin;
}

std::string Peers::shown_name(const sail::ServicePeer& peer) const {
  const std::string& name = peer.name();
  std::string shown = name;
  if (!peer.person().empty()) {
    shown = name.empty() || name == peer.person() ? peer.person()
                                                  : fmt::format("{} ({})", peer.person(), name);
  } else if (peer.right() != sail::Right::kAdmin && people_ != nullptr &&
             people_->all().contains(name)) {
    // The client is not the person whose name it uses.
    shown = fmt::format("{} ({})", name, peer.key_name());
  }
  return sail::make_plain_text(shown, sail::kMaxNameLength);
}

sail::Result<sail::Json> Peers::admit(sail::ServicePeer& peer) {
  const sail::Hello& hello = peer.hello();
  const bool here = on_all_addresses_ && sail::is_loopback(ends_of(peer).there);
  if (hello.role == sail::Role::kReceiver) {
    return admit_receiver(hello).map([&](sail::Json welcome) {
      const bool announced = !roster_.find(hello.name)->announce.empty();
      sail::WelcomeReach reach{here || announced};
      if (const auto test = wall_.multicast ? wall_.multicast->test_group() : std::nullopt) {
        reach.multicast_test = sail::ip_text(*test);
      }
      sail::write_fields(welcome, reach);
      return welcome;
    });
  }
  sail::Json welcome{{"wall", wall_.name}};
  if (hello.role == sail::Role::kRecorder) sail::write_fields(welcome, sail::WelcomeReach{here});
  if (hello.role == sail::Role::kUi) {
    const std::string colour = hello.colour.empty() ? free_colour() : hello.colour;
    peer.set_name(shown_name(peer));
    clients_[peer.id()] = {.name = peer.name(),
                           .person = peer.person(),
                           .right = peer.right(),
                           .key = peer.key_name(),
                           .colour = colour};
    welcome["client"] = peer.id();
    welcome["right"] = right_name(peer.right());
    if (!peer.person().empty()) welcome["user"] = peer.person();
    welcome["colour"] = colour;
    const PagePlace page = handlers_.page(ends_of(peer));
    welcome["page"] = page.url;
    if (!page.elsewhere.empty()) welcome["pages"] = page.elsewhere;
    if (!page.key_pin.empty()) welcome["page_key"] = page.key_pin;
    if (!linked_pages_.empty()) welcome["walls"] = linked_pages_;
    const std::string standby_page = standby_for(ends_of(peer)).page;
    if (!standby_page.empty()) welcome["standby_page"] = standby_page;
  }
  return welcome;
}

std::string Peers::free_colour() const {
  const auto taken = [this](const char* colour) {
    return std::ranges::count_if(clients_,
                                 [&](const auto& one) { return one.second.colour == colour; });
  };
  return *std::ranges::min_element(kPalette, {}, taken);
}

sail::Result<sail::Json> Peers::admit_receiver(const sail::Hello& hello) const {
  const ReceiverEntry* entry = roster_.find(hello.name);
  if (entry == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("the wall '{}' has no receiver '{}'; its receivers are {}",
                                  wall_.name, hello.name, roster_.names()));
  }
  if (entry->connected()) {
    return sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format(
            "a receiver named '{}' is already connected: stop it first, or choose another --name",
            entry->name));
  }
  return to_json(receiver_welcome(wall_, entry->name));
}

void Peers::joined(sail::ServicePeer& peer) {
  if (peer.role() != sail::Role::kReceiver) return;
  ReceiverEntry& entry = *roster_.find(peer.name());
  entry.peer = peer.id();
  entry.was_connected = true;
  entry.address = peer.rpc().peer_address().host;
  entry.here = sail::is_loopback(entry.address);
  entry.data_port = peer.hello().data_port;
  entry.certificate = peer.hello().certificate;
  entry.codecs = peer.hello().codecs;
  entry.multicast = peer.hello().multicast;
  entry.shown_epoch = peer.hello().epoch;
  entry.shown_streams = peer.hello().streams;
  changes_.receiver_changed(entry.name);
  handlers_.on_receiver(entry);
}

void Peers::left(const sail::ServicePeer& peer) {
  if (peer.fell_silent()) handlers_.on_silence();
  moved_.erase(peer.id());
  const auto client = clients_.extract(peer.id());
  if (!client.empty() && client.mapped().announced) clients_changed();
  if (peer.role() == sail::Role::kReceiver) {
    ReceiverEntry& entry = *roster_.find(peer.name());
    entry.peer = 0;
    entry.address.clear();
    entry.data_port = 0;
    entry.certificate.clear();
    entry.stats.reset();
    changes_.receiver_changed(entry.name);
    handlers_.on_receiver(entry);
  }
  handlers_.on_left(peer);
}

// --- lists

sail::ServicePeer* Peers::receiver(std::string_view name) {
  if (const ReceiverEntry* entry = roster_.find(name)) return find(entry->peer);
  const auto recorder = recorders_.find(name);
  return recorder == recorders_.end() ? nullptr : find(recorder->second);
}

sail::Address Peers::data_address(sail::ServicePeer& peer) const {
  const auto moved = moved_.find(peer.id());
  return {peer.rpc().peer_address().host,
          moved == moved_.end() ? peer.hello().data_port : moved->second, peer.hello().certificate};
}

void Peers::move_data(sail::ServicePeer& peer, uint16_t port) {
  moved_[peer.id()] = port;
  ReceiverEntry* entry = roster_.find(peer.name());
  if (peer.role() != sail::Role::kReceiver || entry->data_port == port) return;
  entry->data_port = port;
  entry->shown_epoch = 0;
  entry->shown_streams.clear();  // valid only when it joined
  changes_.receiver_changed(entry->name);
  handlers_.on_receiver(*entry);
}

std::string Peers::host_for(const sail::Ends& peer, const std::string& receiver) {
  if (const ReceiverEntry* entry = roster_.find(receiver)) {
    return sail::host_for(peer, entry->listener());
  }
  sail::ServicePeer* recorder = this->receiver(receiver);
  if (recorder == nullptr) return {};
  const std::string host = ends_of(*recorder).there;
  return sail::host_for(peer, {host, sail::is_loopback(host)});
}

std::string Peers::host_for(uint64_t peer, const std::string& receiver) {
  sail::ServicePeer* to = find(peer);
  return to == nullptr ? "" : host_for(ends_of(*to), receiver);
}

void Peers::record(const sail::ServicePeer& receiver, const sail::ReceiverStats& stats,
                   int64_t now_ns) {
  ReceiverEntry& entry = *roster_.find(receiver.name());
  entry.stats = stats;
  entry.measured_ns = now_ns;
}

void Peers::record(const std::string& name, const ReceiverRun& run) {
  if (ReceiverEntry* receiver = roster_.find(name)) {
    receiver->run = run;
    if (!run.runs) receiver->was_connected = false;
    return changes_.receiver_changed(name);
  }
  standby_run_ = run;
  changes_.part_changed(StatePart::kStandby);
}

bool Peers::record(const std::string& receiver, std::map<std::string, RecordedPower> power) {
  ReceiverEntry& entry = *roster_.find(receiver);
  if (entry.power == power) return false;
  entry.power = std::move(power);
  changes_.receiver_changed(receiver);
  return true;
}

void Peers::name_standby(const std::string& address, const std::string& page, bool is_here) {
  if (standby_ == address && standby_page_ == page) return;
  standby_ = address;
  standby_page_ = page;
  standby_is_here_ = is_here;
  changes_.part_changed(StatePart::kStandby);
  for (const auto& [id, peer] : service_.peers()) {
    if (!peer->role()) continue;
    peer->rpc().notify(sail::StandbyNews::kMethod, to_json(standby_for(ends_of(*peer))));
  }
}

sail::StandbyNews Peers::standby_for(const sail::Ends& peer) const {
  const auto reached = [&](const std::string& text) {
    auto address = sail::parse_address(text, {});
    if (!address || text.empty()) return text;
    address->host = sail::host_for(peer, {address->host, standby_is_here_});
    return sail::address_text(*address);
  };
  sail::StandbyNews news{reached(standby_), standby_page_};
  const size_t host = standby_page_.find("://");  // http://HOST:PORT/
  if (host != std::string::npos) {
    const std::string scheme = standby_page_.substr(0, host + 3);
    news.page =
        scheme + reached(standby_page_.substr(host + 3, standby_page_.size() - host - 4)) + '/';
  }
  return news;
}

std::string Peers::mark_of(uint64_t id) {
  const sail::ServicePeer* peer = find(id);
  const size_t slash = peer == nullptr ? std::string::npos : peer->key_name().find('/');
  return slash == std::string::npos ? "" : peer->key_name().substr(slash + 1);
}

// --- messages

void Peers::notify(uint64_t id, std::string_view method, const sail::Json& params) {
  if (sail::ServicePeer* peer = find(id)) peer->rpc().notify(method, params);
}

void Peers::end_receivers() {
  const std::string line = sail::notification_line("end", sail::Json::object());
  for (const auto& [id, peer] : service_.peers()) {
    const auto role = peer->role();
    if (role == sail::Role::kReceiver || role == sail::Role::kRecorder) peer->rpc().send_line(line);
  }
}

void Peers::send_line(const std::vector<std::string>& receivers, std::string_view line) {
  for (const std::string& name : receivers) {
    if (sail::ServicePeer* peer = receiver(name)) peer->rpc().send_line(line);
  }
}

void Peers::announce(uint64_t ui) {
  Client& client = clients_.at(ui);
  if (std::exchange(client.announced, true)) return;
  client.entry = sail::compact_text(client_json(ui, client));
  clients_changed();
}

void Peers::clients_changed() {
  clients_news_ = true;
  if (clients_rest_) return;
  clients_news_ = false;
  changes_.part_changed(StatePart::kClients);
  // Each client gets the list of all clients. With a thousand clients, one list for each new client
  // would keep the manager busy, so lists are sent less often.
  const auto pause_ms = static_cast<int64_t>(clients_.size() * clients_.size() / kEntriesPerMs);
  if (pause_ms == 0) return;
  clients_rest_ = true;
  clients_pause_.start(pause_ms, 0, [this] {
    clients_rest_ = false;
    if (clients_news_) clients_changed();
  });
}

bool Peers::has_followers() const {
  return std::ranges::any_of(clients_,
                             [](const auto& one) { return one.second.wants.has_value(); });
}

void Peers::broadcast(const sail::SharedText& line) {
  for (const auto& [id, client] : clients_) {
    if (client.wants) find(id)->rpc().send_line(line);
  }
}

void Peers::broadcast(bool Wants::*what, const sail::SharedText& line) {
  for (const auto& [id, client] : clients_) {
    if (client.wants && (*client.wants).*what) find(id)->rpc().send_line(line);
  }
}

void Peers::broadcast(const std::function<std::string(const sail::Ends&)>& line_for) {
  std::vector<std::pair<sail::Ends, sail::SharedText>> lines;
  for (const auto& [id, client] : clients_) {
    if (!client.wants) continue;
    sail::ServicePeer& peer = *find(id);
    const sail::Ends to = ends_of(peer);
    auto line = std::ranges::find_if(
        lines, [&](const auto& made) { return sail::reach_alike(made.first, to); });
    if (line == lines.end()) line = lines.insert(line, {to, sail::share(line_for(to))});
    peer.rpc().send_line(line->second);
  }
}

void Peers::offer(bool Wants::*what, const sail::SharedText& line) {
  for (const auto& [id, client] : clients_) {
    if (client.wants && (*client.wants).*what) find(id)->rpc().offer_line(line);
  }
}

bool Peers::any_wants(bool Wants::*what) const {
  return std::ranges::any_of(
      clients_, [what](const auto& one) { return one.second.wants && (*one.second.wants).*what; });
}

}  // namespace manager
