#include "sail/core/rpc/manager_link.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/host_load.h"
#include "sail/core/discovery/mdns.h"
#include "sail/core/rpc/hello.h"
#include "sail/core/rpc/link_clock.h"
#include "sail/core/socket/reconnect.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/standby.h"
#include "sail/core/wire/stats.h"

namespace sail {
namespace {

// Clock exchanges right after connecting: several find a small round trip sooner.
constexpr int kClockBurst = 8;

// With a second manager address, timeouts are short. The timeout for the hello doubles after each
// unanswered one, because the machine may be slow.
constexpr int64_t kQuickHeartbeatMs = 500;
constexpr int64_t kQuickTimeoutMs = 1500;
constexpr int64_t kQuickPauseMs = 100;
constexpr int64_t kQuickAnswerMs = 400;

// Kinds of failed hellos: no refusal (the connection counts as lost), temporary, permanent.
enum class Refusal { kNo, kForNow, kForGood };

// may_be_another: the next attempt may reach another manager.
Refusal refusal(ErrorCode code, bool may_be_another) {
  switch (code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
      return Refusal::kNo;
    case ErrorCode::kConflict:
    case ErrorCode::kUnauthorized:  // an impostor may be gone next time
    case ErrorCode::kIo:            // no descriptor was left to read the key
      return may_be_another ? Refusal::kForNow : Refusal::kForGood;
    case ErrorCode::kLimit:
    case ErrorCode::kInternal:
      return Refusal::kForNow;
    default:
      return Refusal::kForGood;
  }
}

}  // namespace

// Outlives its ManagerLink while one of its own callbacks runs; no handlers are called then.
struct ManagerLink::Impl : std::enable_shared_from_this<Impl> {
  // Trouble logged so far: each kind once, until the link is up again.
  enum class Trouble { kNone, kNoSession, kNotTaken };

  Impl(Loop& its_loop, Address its_manager, std::function<Hello(const Address&)> its_hello,
       Handlers its_handlers, Log its_log, const ManagerLinkTimes& its_times)
      : loop(its_loop),
        first(std::move(its_manager)),
        at(first),
        hello(std::move(its_hello)),
        handlers(std::move(its_handlers)),
        log(std::move(its_log)),
        times(its_times),
        pause_ms(its_times.first_pause_ms),
        answer_ms(its_times.hello_timeout_ms),
        pause(its_loop),
        heartbeat(its_loop),
        clock(log),
        system_beat(its_loop) {}

  void connect();
  void start_handshake(std::unique_ptr<TcpConnection> connection);
  void handle_hello_answer(const Result<Json>& answer);
  bool take_term(const Json& welcome);
  void compare_release(const Json& welcome);
  void name_standby(const std::string& address);
  void try_next(const Address& address);
  bool keeps_time() const { return role != Role::kUi || times.between_managers; }
  void handle_request(const std::string& method, const Json& params, RpcPeer::Reply reply);
  void beat();
  void ask_clock();
  void handle_clock(int64_t sent_ns, const Result<Json>& answer);
  void begin_clock(const Json& welcome);
  void read_system();
  void send_clock();
  void lose(const Error& error);
  void try_again();
  void log_once(Trouble trouble, std::string_view what, const Error& error);
  void abandon();

  Loop& loop;
  const Address first;  // the configured address
  Address at;           // the current address, or the next one to try
  // Alternative addresses in the order of the next attempts, at most two. The configured address is
  // `at` or one of them.
  std::vector<Address> others;
  std::optional<Address> known;  // first address reached; its key is used for all addresses
  uint64_t term = 0;             // highest term seen; 0: none
  const std::function<Hello(const Address&)> hello;
  const Handlers handlers;
  const Log log;
  const ManagerLinkTimes times;

  int64_t pause_ms;   // before the next attempt
  int64_t answer_ms;  // timeout for the hello while there is another address
  Timer pause;
  std::shared_ptr<void> connecting;
  std::unique_ptr<RpcPeer> peer;
  HostLoadMeter host_load;
  Role role = Role::kUi;   // from the last hello
  std::string key_name;    // proved by the last hello
  bool connected = false;  // the hello was answered
  bool was_connected = false;
  Trouble logged = Trouble::kNone;
  std::string release = VITRAIL_VERSION;  // the manager's last reported release
  Timer heartbeat;                        // runs while connected
  LinkClock clock;
  int clock_burst = 0;  // remaining exchanges of the burst
  Timer system_beat;    // reads the system clock while that is wall time, connected or not
};

void ManagerLink::Impl::connect() {
  connecting = TcpConnection::connect(
      loop, at,
      [this](Result<std::unique_ptr<TcpConnection>> connection) {
        const auto keep = shared_from_this();
        connecting.reset();
        if (connection) {
          start_handshake(std::move(*connection));
        } else {
          lose(connection.error());
        }
      },
      {.timeout_ms = others.empty() ? TcpConnection::kConnectTimeoutMs : answer_ms,
       .reach_ms = kReachMs});
}

void ManagerLink::Impl::start_handshake(std::unique_ptr<TcpConnection> connection) {
  peer = std::make_unique<RpcPeer>(
      loop, std::move(connection),
      RpcPeer::Handlers{
          [this](const std::string& method, const Json& params, RpcPeer::Reply reply) {
            handle_request(method, params, std::move(reply));
          },
          [this](const Error& error) { lose(error); }});
  peer->keep_alive(times.heartbeat_ms, times.heartbeat_timeout_ms);
  Hello params = hello(peer->local_address());
  if (!peer) return;  // hello() destroyed the link
  role = params.role;
  params.term = std::max(params.term, term);
  const auto key =
      times.key ? Result<WallKey>(*times.key) : key_for(known.value_or(peer->peer_address()));
  if (!key) return handle_hello_answer(key.error());
  key_name = key->name;
  if (auto safe = check_mdns_key(at, *key); !safe) return handle_hello_answer(safe.error());
  sail::start_handshake(
      *peer, *key, params, others.empty() ? times.hello_timeout_ms : answer_ms,
      [this](const Result<Welcome>& welcome) {
        handle_hello_answer(welcome.map([](const Welcome& accepted) { return accepted.answer; }));
      });
}

void ManagerLink::Impl::handle_hello_answer(const Result<Json>& answer) {
  const auto keep = shared_from_this();
  if (answer) {
    if (!take_term(*answer)) return;
    connected = true;
    was_connected = true;
    pause_ms = times.first_pause_ms;
    if (std::exchange(logged, Trouble::kNone) != Trouble::kNone) {
      log.info("connected to the manager at {}", address_text(at));
    }
    compare_release(*answer);
    if (keeps_time()) begin_clock(*answer);
    heartbeat.start(times.heartbeat_ms, times.heartbeat_ms, [this] { beat(); });
    if (handlers.on_connected) handlers.on_connected(*answer);
    return;
  }
  if (const auto referred = peer->referred_to();
      referred && *referred != at && !times.between_managers) {
    try_next(*referred);
    answer_ms = std::min(kQuickAnswerMs, times.hello_timeout_ms);
  }
  const bool key_ended = end_of_key(key_name) && right_of(key_name) == Right::kNone;
  switch (refusal(answer.error().code, (was_connected || is_by_mdns(at)) && !key_ended)) {
    case Refusal::kNo:
      lose(answer.error());
      break;
    case Refusal::kForNow:
      log_once(Trouble::kNotTaken, "rejected by", answer.error());
      try_again();
      break;
    case Refusal::kForGood:
      abandon();
      if (handlers.on_refused) handlers.on_refused(answer.error());
      break;
  }
}

// Another release may behave differently with the same protocol version.
void ManagerLink::Impl::compare_release(const Json& welcome) {
  JsonFields fields(welcome, "hello");
  const std::string theirs = fields.string_or("version", kMaxNameLength, VITRAIL_VERSION);
  if (theirs != VITRAIL_VERSION && theirs != release) {
    log.warning(
        "the manager at {} runs release {}, this program release {}: install the same release on "
        "all hosts",
        address_text(at), theirs, VITRAIL_VERSION);
  }
  release = theirs;
}

// Returns false if the link leaves this manager.
bool ManagerLink::Impl::take_term(const Json& welcome) {
  const auto reported = message_from_json<WelcomeTerm>(welcome);
  if (!reported) {
    lose(reported.error());
    return false;
  }
  if (reported->term < term) {
    lose({ErrorCode::kUnavailable,
          fmt::format("this manager is outdated (term {}): another one has taken over (term {})",
                      reported->term, term)});
    return false;
  }
  term = reported->term;
  if (!known) known = peer->peer_address();
  name_standby(reported->standby);
  return true;
}

void ManagerLink::Impl::name_standby(const std::string& address) {
  if (times.between_managers) return;
  const auto standby = parse_address(address, {});
  if (standby && !standby->host.empty() && standby->port != 0 && *standby != at) {
    try_next(*standby);
  } else if (at != first) {
    try_next(first);
  }
  // A standby that the manager has lost may be running, and may have taken over.
  const bool quick = !others.empty() && (!address.empty() || at != first);
  answer_ms = std::min(kQuickAnswerMs, times.hello_timeout_ms);
  peer->keep_alive(
      quick ? std::min(kQuickHeartbeatMs, times.heartbeat_ms) : times.heartbeat_ms,
      quick ? std::min(kQuickTimeoutMs, times.heartbeat_timeout_ms) : times.heartbeat_timeout_ms);
}

void ManagerLink::Impl::try_next(const Address& address) {
  std::erase(others, address);
  others.insert(others.begin(), address);
  if (others.size() > 2) others.erase(others.begin() + (others[2] == first ? 1 : 2));
}

void ManagerLink::Impl::handle_request(const std::string& method, const Json& params,
                                       RpcPeer::Reply reply) {
  const auto keep = shared_from_this();
  if (connected && !reply && method == StandbyNews::kMethod) {
    const auto news = message_from_json<StandbyNews>(params);
    if (news) name_standby(news->address);
    return;
  }
  if (connected && handlers.on_request) {
    handlers.on_request(method, params, std::move(reply));
  } else if (reply) {
    reply(fail(ErrorCode::kUnavailable, "requests are not accepted before the answer to hello"));
  }
}

void ManagerLink::Impl::beat() {
  const auto keep = shared_from_this();
  if (keeps_time()) {
    ask_clock();
    if (clock.line().known && role != Role::kUi)
      peer->notify("clock_stats", to_json(clock.stats(steady_now_ns())));
  }
  if (role != Role::kUi) {
    peer->notify(HostStats::kMethod, to_json(host_stats(host_load.sample(steady_now_ns()))));
  }
  if (handlers.on_heartbeat) handlers.on_heartbeat();
}

void ManagerLink::Impl::begin_clock(const Json& welcome) {
  const auto reported = message_from_json<WelcomeClock>(welcome);
  if (!reported) log.warning("{}: using the manager's clock", reported.error().message);
  const ClockSource source = reported ? reported->clock : ClockSource::kManager;
  clock.begin_session(source, reported ? reported->clock_name : "", steady_now_ns());
  system_beat.stop();
  if (source == ClockSource::kSystem) {
    system_beat.start(0, times.heartbeat_ms, [this] { read_system(); });
  }
  clock_burst = kClockBurst;
  ask_clock();
}

void ManagerLink::Impl::read_system() {
  const auto keep = shared_from_this();
  clock.add(read_system_clock());
  send_clock();
}

void ManagerLink::Impl::ask_clock() {
  peer->call("clock", Json::object(),
             [this, sent_ns = steady_now_ns()](const Result<Json>& answer) {
               handle_clock(sent_ns, answer);
             });
}

void ManagerLink::Impl::handle_clock(int64_t sent_ns, const Result<Json>& answer) {
  const auto keep = shared_from_this();
  const int64_t received_ns = steady_now_ns();
  const auto reading =
      answer.and_then([](const Json& result) { return message_from_json<ClockReading>(result); });
  if (!reading) {
    log.debug("cannot read the manager's clock: {}", reading.error().message);
    return;  // retried with the next heartbeat
  }
  clock.add(sent_ns, reading->wall_ns, received_ns);
  if (clock_burst > 0 && --clock_burst > 0) ask_clock();
  send_clock();
}

void ManagerLink::Impl::send_clock() {
  if (handlers.on_clock) handlers.on_clock(clock.line(), clock_burst < kClockBurst);
}

void ManagerLink::Impl::lose(const Error& error) {
  const auto keep = shared_from_this();
  if (error.code == ErrorCode::kTimeout && !connected) {
    answer_ms = std::min(2 * answer_ms, times.hello_timeout_ms);
  }
  log_once(Trouble::kNoSession, connected ? "lost" : "cannot reach", error);
  try_again();
  if (std::exchange(connected, false) && handlers.on_lost) handlers.on_lost(error);
}

void ManagerLink::Impl::try_again() {
  peer.reset();
  heartbeat.stop();
  pause.start(pause_ms, 0, [this] { connect(); });
  pause_ms = std::min(pause_ms * 2, times.longest_pause_ms);
  if (others.empty()) return;
  others.push_back(std::exchange(at, others.front()));
  others.erase(others.begin());
  pause_ms = std::min(pause_ms, kQuickPauseMs);
}

void ManagerLink::Impl::log_once(Trouble trouble, std::string_view what, const Error& error) {
  if (std::exchange(logged, trouble) == trouble) return;
  log.warning("{} the manager at {}: {}; reconnecting", what, address_text(at), error.message);
}

void ManagerLink::Impl::abandon() {
  pause.stop();
  heartbeat.stop();
  system_beat.stop();
  connecting.reset();
  connected = false;
  peer.reset();
}

// ---- ManagerLink ----

ManagerLink::ManagerLink(Loop& loop, const Address& manager,
                         std::function<Hello(const Address& local)> hello, Handlers handlers,
                         const Log& log, const ManagerLinkTimes& times)
    : impl_(std::make_shared<Impl>(loop, manager, std::move(hello), std::move(handlers), log,
                                   times)) {
  impl_->connect();
}

ManagerLink::~ManagerLink() {
  impl_->abandon();
}

RpcPeer* ManagerLink::peer() {
  return impl_->connected ? impl_->peer.get() : nullptr;
}

}  // namespace sail
