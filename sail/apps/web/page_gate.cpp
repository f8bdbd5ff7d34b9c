#include "sail/apps/web/page_gate.h"

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
#include "sail/core/base/thread_name.h"

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
class PageGate::Visitor {
 public:
  Visitor(PageGate& gate, uint32_t number, std::unique_ptr<TcpConnection> browser)
      : gate_(gate),
        number_(number),
        browser_(std::move(browser)),
        forth_(*this, &Visitor::browser_, &Visitor::site_),
        back_(*this, &Visitor::site_, &Visitor::browser_) {
    browser_->start_reading(forth_);
  }

  bool asked() const { return state_ > State::kRequest; }

 private:
  enum class State : uint8_t { kGreeting, kRequest, kConnecting, kOpen };
  using Side = std::unique_ptr<TcpConnection> Visitor::*;

  struct Way final : TcpReader {
    Way(Visitor& its_visitor, Side its_from, Side its_to)
        : visitor(its_visitor), from(its_from), to(its_to) {}
    std::span<uint8_t> read_buffer() override { return (visitor.*from)->shared_read_buffer(); }
    void on_read(size_t bytes) override {
      visitor.take(*this, (visitor.*from)->shared_read_buffer().first(bytes));
    }
    void on_closed(const Error& /*error*/) override { visitor.end(*this); }

    Visitor& visitor;
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
    if (asked_.size() > kMostSocksBytes) gate_.forget(number_);
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
    if (is_numeric(host) && gate_.is_closed_(host)) return refuse(host);
    connecting_ = TcpConnection::connect(
        gate_.loop_, {host, wanted.port},
        [this, host](auto site) { connected(host, std::move(site)); }, {.tls = TlsUse::kAsItComes});
    return true;
  }

  static bool is_numeric(const std::string& host) {
    return look_up(host, AI_NUMERICHOST) != nullptr;
  }

  void connected(const std::string& host, Result<std::unique_ptr<TcpConnection>> site) {
    if (site && gate_.is_closed_((*site)->peer_address().host)) {
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
    (this->*way.to)->write({&part, 1}, [copy, &gate = gate_, number = number_, &way](bool written) {
      if (written && gate.visitors_.contains(number)) way.visitor.go_on(way);
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
    if (gate_.on_refused_) gate_.on_refused_(host);
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
    gate_.forget(number_);
    return false;
  }

  PageGate& gate_;
  const uint32_t number_;
  State state_ = State::kGreeting;
  std::vector<uint8_t> asked_;
  std::unique_ptr<TcpConnection> browser_;
  std::unique_ptr<TcpConnection> site_;
  Way forth_;
  Way back_;
  std::shared_ptr<void> connecting_;
};

Result<std::unique_ptr<PageGate>> PageGate::start(IsClosed is_closed, OnRefused on_refused) {
  std::unique_ptr<PageGate> gate(new PageGate(std::move(is_closed), std::move(on_refused)));
  auto listener = TcpListener::listen(
      gate->loop_, {"127.0.0.1", 0},
      [self = gate.get()](auto connection) { self->accept(std::move(connection)); }, {},
      {.tls = TlsUse::kAsItComes});
  if (!listener) return listener.error();
  gate->listener_ = std::move(*listener);
  gate->port_ = gate->listener_->address().port;
  gate->thread_ = std::thread([self = gate.get()] {
    name_this_thread("page-gate");
    self->loop_.run();
  });
  return gate;
}

PageGate::PageGate(IsClosed is_closed, OnRefused on_refused)
    : is_closed_(std::move(is_closed)), on_refused_(std::move(on_refused)) {}

PageGate::~PageGate() {
  if (!thread_.joinable()) return;
  loop_.post([this] {
    visitors_.clear();
    listener_.reset();
  });
  loop_.stop();
  thread_.join();
}

void PageGate::forget(uint32_t number) {
  visitors_.erase(number);
}

void PageGate::accept(std::unique_ptr<TcpConnection> connection) {
  if (visitors_.size() >= kMostVisitors) {
    const auto idle = std::ranges::find_if(
        visitors_, [](const auto& visitor) { return !visitor.second->asked(); });
    if (idle == visitors_.end()) return;
    visitors_.erase(idle);
  }
  const uint32_t number = next_++;
  visitors_.emplace(number, std::make_unique<Visitor>(*this, number, std::move(connection)));
}

}  // namespace sail
