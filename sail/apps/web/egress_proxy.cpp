#include "sail/apps/web/egress_proxy.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <string_view>
#include <utility>

#include "sail/apps/web/socks_request.h"
#include "sail/core/base/environment.h"

namespace sail {
namespace {

constexpr int64_t kLastBytesMs = 5000;
// Maximum unsent bytes to one side; then reading from the other side pauses.
constexpr size_t kMostUnsent = size_t{1} << 20;

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses look_up(const std::string& host, int flags) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &wanted, &found) != 0) found = nullptr;
  return {found, &freeaddrinfo};
}

bool is_of_link(const addrinfo& address) {
  if (address.ai_family == AF_INET) {
    constexpr uint32_t kLink = 0xa9fe;  // 169.254/16
    const auto& ipv4 = *reinterpret_cast<const sockaddr_in*>(address.ai_addr);
    return ntohl(ipv4.sin_addr.s_addr) >> 16 == kLink;
  }
  const auto& ipv6 = *reinterpret_cast<const sockaddr_in6*>(address.ai_addr);
  return IN6_IS_ADDR_LINKLOCAL(&ipv6.sin6_addr) != 0;
}

// Converts an IPv4-mapped IPv6 address to IPv4.
std::string as_ipv4(const addrinfo& address, const std::string& text) {
  constexpr std::string_view kMapped = "::ffff:";
  return address.ai_family == AF_INET6 && text.starts_with(kMapped) ? text.substr(kMapped.size())
                                                                    : text;
}

std::string text_of(const addrinfo& address) {
  std::array<char, NI_MAXHOST> text{};
  const int failed = getnameinfo(address.ai_addr, address.ai_addrlen, text.data(), text.size(),
                                 nullptr, 0, NI_NUMERICHOST);
  return failed == 0 ? as_ipv4(address, text.data()) : std::string();
}

}  // namespace

std::vector<std::string> addresses_of(const std::string& host) {
  const Addresses found = look_up(host, 0);
  std::vector<std::string> addresses;
  for (const addrinfo* each = found.get(); each != nullptr; each = each->ai_next) {
    addresses.push_back(text_of(*each));
  }
  return addresses;
}

// This machine's addresses are those to which a socket can be bound.
bool is_near(const std::string& address) {
  const Addresses found = look_up(address, AI_NUMERICHOST);
  if (!found || is_of_link(*found)) return true;
  const std::string ipv4 = text_of(*found);
  if (ipv4 != address && ipv4.find(':') == std::string::npos) return is_near(ipv4);
  const int probe = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return errno != EAFNOSUPPORT;
  const bool bound = bind(probe, found->ai_addr, found->ai_addrlen) == 0;
  close(probe);
  return bound;
}

// One connection of the browser and the connection to its destination.
class EgressProxy::Connection {
 public:
  Connection(EgressProxy& proxy, uint32_t number, std::unique_ptr<TcpConnection> browser)
      : proxy_(proxy),
        number_(number),
        browser_(std::move(browser)),
        forth_(*this, &Connection::browser_, &Connection::site_),
        back_(*this, &Connection::site_, &Connection::browser_) {
    browser_->start_reading(forth_);
  }

  bool asked() const { return state_ > State::kRequest; }

 private:
  enum class State : uint8_t { kGreeting, kRequest, kConnecting, kOpen };
  using Side = std::unique_ptr<TcpConnection> Connection::*;

  struct Way final : TcpReader {
    Way(Connection& its_connection, Side its_from, Side its_to)
        : client(its_connection), from(its_from), to(its_to) {}
    std::span<uint8_t> read_buffer() override { return (client.*from)->shared_read_buffer(); }
    void on_read(size_t bytes) override {
      client.take(*this, (client.*from)->shared_read_buffer().first(bytes));
    }
    void on_closed(const Error& /*error*/) override { client.end(*this); }

    Connection& client;
    const Side from;
    const Side to;
    bool paused = false;
  };

  void take(Way& way, std::span<const uint8_t> bytes) {
    if (state_ == State::kOpen) return pass(way, bytes);
    asked_.insert(asked_.end(), bytes.begin(), bytes.end());
    if (state_ == State::kGreeting && !read_greeting()) return;
    if (state_ == State::kRequest && !read_request()) return;
    // The client sends more than a request before it got an answer: drop it.
    if (asked_.size() > kMostSocksBytes) proxy_.forget(number_);
  }

  // Returns false if this object was destroyed.
  bool read_greeting() {
    const auto greeting = read_socks_greeting(asked_);
    if (!greeting) return leave();
    if (!*greeting) return true;
    asked_.erase(asked_.begin(), asked_.begin() + static_cast<ptrdiff_t>(**greeting));
    browser_->write_copy(kSocksWelcome);
    state_ = State::kRequest;
    return true;
  }

  bool read_request() {
    const auto request = read_socks_request(asked_);
    if (!request) return leave();
    if (!*request) return true;
    const SocksRequest& wanted = **request;
    if (wanted.bytes != asked_.size()) return leave();  // data before the answer is not allowed
    asked_.clear();
    state_ = State::kConnecting;
    browser_->stop_reading();
    const std::string& host = wanted.host;
    if (is_numeric(host) && proxy_.is_closed_(host)) return refuse(host);
    connecting_ = TcpConnection::connect(
        proxy_.loop_, {host, wanted.port},
        [this, host](auto site) { connected(host, std::move(site)); }, {.tls = TlsUse::kAsItComes});
    return true;
  }

  static bool is_numeric(const std::string& host) {
    return look_up(host, AI_NUMERICHOST) != nullptr;
  }

  void connected(const std::string& host, Result<std::unique_ptr<TcpConnection>> site) {
    if (site && proxy_.is_closed_((*site)->peer_address().host)) {
      refuse(host);
      return;
    }
    if (!site) {
      answer_and_leave();
      return;
    }
    site_ = std::move(*site);
    state_ = State::kOpen;
    browser_->write_copy(socks_answer(SocksAnswer::kConnected));
    browser_->start_reading(forth_);
    site_->start_reading(back_);
  }

  void pass(Way& way, std::span<const uint8_t> bytes) {
    auto copy = std::make_shared<std::vector<uint8_t>>(bytes.begin(), bytes.end());
    const std::span<const uint8_t> part(*copy);
    (this->*way.to)
        ->write({&part, 1}, [copy, &proxy = proxy_, number = number_, &way](bool written) {
          if (written && proxy.connections_.contains(number)) way.client.go_on(way);
        });
    if ((this->*way.to)->unsent_bytes() <= kMostUnsent) return;
    way.paused = true;
    (this->*way.from)->stop_reading();
  }

  void go_on(Way& way) {
    if (!way.paused || (this->*way.to)->unsent_bytes() > kMostUnsent / 2) return;
    way.paused = false;
    (this->*way.from)->start_reading(way);
  }

  bool refuse(const std::string& host) {
    if (proxy_.on_refused_) proxy_.on_refused_(host);
    return answer_and_leave();
  }

  bool answer_and_leave() {
    browser_->write_copy(socks_answer(SocksAnswer::kRefused));
    TcpConnection::close_after_writes(std::move(browser_), kLastBytesMs);
    return leave();
  }

  // The other side still gets the data in flight.
  void end(Way& way) {
    if (this->*way.to) TcpConnection::close_after_writes(std::move(this->*way.to), kLastBytesMs);
    leave();
  }

  // Destroys this object. Returns false.
  bool leave() {
    proxy_.forget(number_);
    return false;
  }

  EgressProxy& proxy_;
  const uint32_t number_;
  State state_ = State::kGreeting;
  std::vector<uint8_t> asked_;
  std::unique_ptr<TcpConnection> browser_;
  std::unique_ptr<TcpConnection> site_;
  Way forth_;
  Way back_;
  std::shared_ptr<void> connecting_;
};

Result<std::unique_ptr<EgressProxy>> EgressProxy::start(IsClosed is_closed, OnRefused on_refused) {
  std::unique_ptr<EgressProxy> proxy(new EgressProxy(std::move(is_closed), std::move(on_refused)));
  auto listener = TcpListener::listen(
      proxy->loop_, {"127.0.0.1", 0},
      [self = proxy.get()](auto connection) { self->accept(std::move(connection)); }, {},
      {.tls = TlsUse::kAsItComes});
  if (!listener) return listener.error();
  proxy->listener_ = std::move(*listener);
  proxy->port_ = proxy->listener_->address().port;
  proxy->thread_ = std::thread([self = proxy.get()] {
    name_this_thread("page-gate");
    self->loop_.run();
  });
  return proxy;
}

EgressProxy::EgressProxy(IsClosed is_closed, OnRefused on_refused)
    : is_closed_(std::move(is_closed)), on_refused_(std::move(on_refused)) {}

EgressProxy::~EgressProxy() {
  if (!thread_.joinable()) return;
  loop_.post([this] {
    connections_.clear();
    listener_.reset();
  });
  loop_.stop();
  thread_.join();
}

void EgressProxy::forget(uint32_t number) {
  connections_.erase(number);
}

void EgressProxy::accept(std::unique_ptr<TcpConnection> connection) {
  if (connections_.size() >= kMaxBrowserConnections) {
    const auto idle = std::ranges::find_if(
        connections_, [](const auto& client) { return !client.second->asked(); });
    if (idle == connections_.end()) return;
    connections_.erase(idle);
  }
  const uint32_t number = next_++;
  connections_.emplace(number, std::make_unique<Connection>(*this, number, std::move(connection)));
}

}  // namespace sail
