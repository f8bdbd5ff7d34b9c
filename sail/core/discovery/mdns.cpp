#include "sail/core/discovery/mdns.h"

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <random>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr const char* kService = "_vitrail._tcp";
constexpr const char* kWallKey = "wall";
constexpr int kTurnMs = 100;  // poll interval of the thread's stop flag
constexpr auto kDaemonPause = std::chrono::seconds(5);
// Limits the work caused by other hosts' announcements.
constexpr size_t kMostResolvers = 64;

using Poll = std::unique_ptr<AvahiSimplePoll, FreedBy<avahi_simple_poll_free>>;
using Client = std::unique_ptr<AvahiClient, FreedBy<avahi_client_free>>;
using AvahiText = std::unique_ptr<char, FreedBy<avahi_free>>;

Error no_daemon(int error) {
  return {
      ErrorCode::kUnavailable,
      fmt::format(
          "the Avahi daemon does not answer ({}): start avahi-daemon, or give the manager's host",
          avahi_strerror(error))};
}

// --- addresses

std::span<const uint8_t> bytes_of(const sockaddr* address) {
  if (address == nullptr) return {};
  if (address->sa_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    return {reinterpret_cast<const uint8_t*>(&v4->sin_addr), sizeof v4->sin_addr};
  }
  if (address->sa_family != AF_INET6) return {};
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
  return {reinterpret_cast<const uint8_t*>(&v6->sin6_addr), sizeof v6->sin6_addr};
}

std::span<const uint8_t> bytes_of(const AvahiAddress& address) {
  const auto* data = reinterpret_cast<const uint8_t*>(&address.data);
  return {data, address.proto == AVAHI_PROTO_INET ? sizeof(in_addr) : sizeof(in6_addr)};
}

bool is_in_network(std::span<const uint8_t> address, const ifaddrs& network) {
  const auto ours = bytes_of(network.ifa_addr);
  const auto mask = bytes_of(network.ifa_netmask);
  if (ours.size() != address.size() || mask.size() != address.size()) return false;
  for (size_t i = 0; i < address.size(); ++i) {
    if (((ours[i] ^ address[i]) & mask[i]) != 0) return false;
  }
  return true;
}

// Calls `takes` for each address of this host until it returns true.
bool any_own_address(const auto& takes) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return false;
  const std::unique_ptr<ifaddrs, FreedBy<freeifaddrs>> keep(all);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (takes(*one)) return true;
  }
  return false;
}

// Multicast names do not reach beyond the local network, so addresses outside it are ignored.
// Link-local addresses are ignored as well, since they would need a scope.
bool is_near(const AvahiAddress& address, AvahiIfIndex interface) {
  const auto bytes = bytes_of(address);
  constexpr uint8_t kLinkLocal = 0xfe;
  if (address.proto == AVAHI_PROTO_INET6 && bytes[0] == kLinkLocal) return false;
  return any_own_address([&](const ifaddrs& own) {
    return if_nametoindex(own.ifa_name) == static_cast<unsigned>(interface) &&
           is_in_network(bytes, own);
  });
}

AvahiIfIndex interface_of(const Address& listen) {
  AvahiAddress address{};
  if (avahi_address_parse(listen.host.c_str(), AVAHI_PROTO_UNSPEC, &address) == nullptr) {
    return AVAHI_IF_UNSPEC;
  }
  AvahiIfIndex interface = AVAHI_IF_UNSPEC;  // also for 0.0.0.0 and ::
  any_own_address([&](const ifaddrs& own) {
    if (!std::ranges::equal(bytes_of(own.ifa_addr), bytes_of(address))) return false;
    interface = static_cast<AvahiIfIndex>(if_nametoindex(own.ifa_name));
    return true;
  });
  return interface;
}

// --- searching

class Search {
 public:
  explicit Search(std::string_view wall) : wall_(wall) {}
  ~Search() { client_.reset(); }  // frees everything that belongs to the client
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  Result<std::vector<Address>> run();

 private:
  void browsed(AvahiBrowserEvent event, AvahiIfIndex interface, AvahiProtocol protocol,
               const char* name, const char* type, const char* domain);
  void resolved(AvahiIfIndex interface, const AvahiAddress& address, uint16_t port,
                AvahiStringList* text, AvahiLookupResultFlags flags);
  bool is_wanted(AvahiStringList* text) const;

  const std::string_view wall_;  // empty: any wall
  Poll poll_;
  Client client_;
  bool all_reported_ = false;
  bool failed_ = false;
  size_t resolvers_ = 0;  // created so far
  size_t waiting_ = 0;    // not answered yet
  std::vector<Address> found_;
};

Result<std::vector<Address>> Search::run() {
  poll_.reset(avahi_simple_poll_new());
  int error = AVAHI_ERR_NO_MEMORY;
  if (poll_) {
    client_.reset(avahi_client_new(
        avahi_simple_poll_get(poll_.get()), {},
        [](AvahiClient*, AvahiClientState state, void* self) {
          if (state == AVAHI_CLIENT_FAILURE) static_cast<Search*>(self)->failed_ = true;
        },
        this, &error));
  }
  if (!client_) return no_daemon(error);
  const auto on_browsed = [](AvahiServiceBrowser*, AvahiIfIndex interface, AvahiProtocol protocol,
                             AvahiBrowserEvent event, const char* name, const char* type,
                             const char* domain, AvahiLookupResultFlags, void* self) {
    static_cast<Search*>(self)->browsed(event, interface, protocol, name, type, domain);
  };
  if (avahi_service_browser_new(client_.get(), AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, kService,
                                nullptr, {}, on_browsed, this) == nullptr) {
    return no_daemon(avahi_client_errno(client_.get()));
  }
  const int64_t until_ns = steady_now_ns() + kMdnsSearchMs * kMillisecondNs;
  while (!failed_ && !(all_reported_ && waiting_ == 0) && steady_now_ns() < until_ns) {
    if (avahi_simple_poll_iterate(poll_.get(), kTurnMs) != 0) break;
  }
  std::shuffle(found_.begin(), found_.end(), std::mt19937(std::random_device()()));
  return std::move(found_);
}

void Search::browsed(AvahiBrowserEvent event, AvahiIfIndex interface, AvahiProtocol protocol,
                     const char* name, const char* type, const char* domain) {
  if (event == AVAHI_BROWSER_ALL_FOR_NOW) all_reported_ = true;
  if (event == AVAHI_BROWSER_FAILURE) failed_ = true;
  if (event != AVAHI_BROWSER_NEW || resolvers_ == kMostResolvers) return;
  const auto on_resolved = [](AvahiServiceResolver* resolver, AvahiIfIndex on, AvahiProtocol,
                              AvahiResolverEvent found, const char*, const char*, const char*,
                              const char*, const AvahiAddress* address, uint16_t port,
                              AvahiStringList* text, AvahiLookupResultFlags flags, void* self) {
    --static_cast<Search*>(self)->waiting_;
    if (found == AVAHI_RESOLVER_FOUND && address != nullptr) {
      static_cast<Search*>(self)->resolved(on, *address, port, text, flags);
    }
    avahi_service_resolver_free(resolver);
  };
  if (avahi_service_resolver_new(client_.get(), interface, protocol, name, type, domain,
                                 AVAHI_PROTO_UNSPEC, {}, on_resolved, this) != nullptr) {
    ++resolvers_;
    ++waiting_;
  }
}

void Search::resolved(AvahiIfIndex interface, const AvahiAddress& address, uint16_t port,
                      AvahiStringList* text, AvahiLookupResultFlags flags) {
  if (port == 0 || !is_wanted(text) || (flags & AVAHI_LOOKUP_RESULT_WIDE_AREA) != 0 ||
      !is_near(address, interface)) {
    return;
  }
  std::array<char, AVAHI_ADDRESS_STR_MAX> host{};
  avahi_address_snprint(host.data(), host.size(), &address);
  const Address at{host.data(), port};
  if (std::ranges::find(found_, at) == found_.end()) found_.push_back(at);
}

bool Search::is_wanted(AvahiStringList* text) const {
  AvahiStringList* entry = avahi_string_list_find(text, kWallKey);
  char* key = nullptr;
  char* value = nullptr;
  size_t size = 0;
  if (entry == nullptr || avahi_string_list_get_pair(entry, &key, &value, &size) != 0) return false;
  const AvahiText keep_key(key);
  const AvahiText keep_value(value);
  if (value == nullptr || size > kMaxNameLength) return false;
  const std::string_view name(value, size);
  return !name_mistake(name) && (wall_.empty() || name == wall_);
}

}  // namespace

Result<void> check_mdns_key(const Address& wanted, const WallKey& key) {
  if (!is_by_mdns(wanted) || !key.secret.empty()) return {};
  return fail(
      ErrorCode::kInvalidRequest,
      fmt::format("any host on the network can announce itself as {}, and without a key the "
                  "manager cannot be verified: set VITRAIL_KEY_FILE, or give the manager's host",
                  wanted.host));
}

Result<std::vector<Address>> find_by_mdns(const Address& wanted) {
  const std::string wall = wanted.host.substr(std::strlen(kByMdns));
  auto found = Search(wall).run();
  if (!found || !found->empty()) return found;
  return fail(ErrorCode::kUnavailable,
              wall.empty()
                  ? "no manager found on this network"
                  : fmt::format("no manager of the wall '{}' found on this network", wall));
}

// --- announcing

struct MdnsAnnouncement::Impl {
  Impl(std::string its_wall, const Address& its_listen, Log its_log)
      : wall(std::move(its_wall)),
        listen(its_listen),
        log(std::move(its_log)),
        name(avahi_strdup(make_plain_text(wall, AVAHI_LABEL_MAX - 1).c_str())),
        thread([this] { run(); }) {}
  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      ends = true;
    }
    ended.notify_one();
    thread.join();
  }

  void run();
  void serve();
  void client_changed(AvahiClient* changed, AvahiClientState state);
  void group_changed(AvahiEntryGroup* changed, AvahiEntryGroupState state);
  void publish();
  void log_once(const std::string& trouble);

  const std::string wall;
  const Address listen;
  const Log log;
  std::atomic<bool> ends = false;
  // Only for the pause between attempts, so that the destructor can interrupt it.
  std::mutex mutex;
  std::condition_variable ended;
  // --- accessed only by the thread
  AvahiText name;  // service name: the wall's, or an alternative if that is taken
  Poll poll;
  AvahiEntryGroup* group = nullptr;  // owned by the client
  bool lost = false;                 // the connection to the daemon is lost
  std::string logged;
  std::thread thread;
};

void MdnsAnnouncement::Impl::log_once(const std::string& trouble) {
  if (std::exchange(logged, trouble) == trouble) return;
  log.info("cannot announce the manager on the network: {}", trouble);
}

void MdnsAnnouncement::Impl::run() {
  while (!ends) {
    serve();
    std::unique_lock lock(mutex);
    ended.wait_for(lock, kDaemonPause, [this] { return ends.load(); });
  }
}

// Announces until the connection to the daemon is lost.
void MdnsAnnouncement::Impl::serve() {
  poll.reset(avahi_simple_poll_new());
  if (!poll) return;
  lost = false;
  group = nullptr;
  int error = 0;
  const Client client(avahi_client_new(
      avahi_simple_poll_get(poll.get()), {},
      [](AvahiClient* changed, AvahiClientState state, void* self) {
        static_cast<Impl*>(self)->client_changed(changed, state);
      },
      this, &error));
  if (!client) return log_once(no_daemon(error).message);
  while (!ends && !lost) {
    if (avahi_simple_poll_iterate(poll.get(), kTurnMs) != 0) break;
  }
}

void MdnsAnnouncement::Impl::client_changed(AvahiClient* changed, AvahiClientState state) {
  if (state == AVAHI_CLIENT_FAILURE) {
    lost = true;
    log_once(no_daemon(avahi_client_errno(changed)).message);
  } else if (state != AVAHI_CLIENT_S_RUNNING) {
    if (group != nullptr) avahi_entry_group_reset(group);
  } else {
    if (group == nullptr) {
      group = avahi_entry_group_new(
          changed,
          [](AvahiEntryGroup* of, AvahiEntryGroupState now, void* self) {
            static_cast<Impl*>(self)->group_changed(of, now);
          },
          this);
    }
    publish();
  }
}

void MdnsAnnouncement::Impl::group_changed(AvahiEntryGroup* changed, AvahiEntryGroupState state) {
  group = changed;
  if (state == AVAHI_ENTRY_GROUP_ESTABLISHED) {
    logged.clear();
    log.info("announced on the network as '{}': mdns:{}", name.get(), wall);
  } else if (state == AVAHI_ENTRY_GROUP_COLLISION) {
    name.reset(avahi_alternative_service_name(name.get()));
    avahi_entry_group_reset(group);
    publish();
  } else if (state == AVAHI_ENTRY_GROUP_FAILURE) {
    log_once(avahi_strerror(avahi_client_errno(avahi_entry_group_get_client(group))));
  }
}

void MdnsAnnouncement::Impl::publish() {
  if (group == nullptr) return;
  const std::string text = fmt::format("{}={}", kWallKey, wall);
  int error = AVAHI_ERR_COLLISION;
  // The daemon reports collisions with this host's own services at once.
  for (int i = 0; i < 8 && error == AVAHI_ERR_COLLISION; ++i) {
    if (i > 0) name.reset(avahi_alternative_service_name(name.get()));
    error = avahi_entry_group_add_service(group, interface_of(listen), AVAHI_PROTO_UNSPEC, {},
                                          name.get(), kService, nullptr, nullptr, listen.port,
                                          text.c_str(), nullptr);
  }
  if (error == AVAHI_OK) error = avahi_entry_group_commit(group);
  if (error != AVAHI_OK) log_once(avahi_strerror(error));
}

MdnsAnnouncement::MdnsAnnouncement(std::string wall, const Address& listen, const Log& log)
    : impl_(std::make_unique<Impl>(std::move(wall), listen, log)) {}

MdnsAnnouncement::~MdnsAnnouncement() = default;

}  // namespace sail
