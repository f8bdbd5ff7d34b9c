#include "manager/media/film_servers.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "sail/core/rpc/hello.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

constexpr std::string_view kScheme = "server://";
// For connecting and receiving the welcome.
constexpr int64_t kReachMs = 3000;
// A server may have to open films first.
constexpr int64_t kAnswerMs = 20'000;
constexpr size_t kMostWaiting = 64;

struct Film {
  std::string server;
  std::string title;
};

std::optional<Film> film_of(std::string_view medium) {
  if (!medium.starts_with(kScheme)) return std::nullopt;
  medium.remove_prefix(kScheme.size());
  const size_t slash = medium.find('/');
  if (slash == std::string_view::npos || slash + 1 == medium.size()) return std::nullopt;
  return Film{std::string(medium.substr(0, slash)), std::string(medium.substr(slash + 1))};
}

}  // namespace

struct FilmServers::Link {
  struct Question {
    std::string verb;
    sail::Json params;
    sail::RpcPeer::AnswerCallback answer;
  };

  Link(sail::Loop& its_loop, sail::Address its_address, sail::WallKey its_key)
      : loop(its_loop), at(std::move(its_address)), key(std::move(its_key)) {}

  void ask(Question question) {
    if (welcome) return pass_on(question);
    if (waiting.size() >= kMostWaiting) {
      return question.answer(sail::fail(
          sail::ErrorCode::kLimit, "too many requests are waiting for the film server: try again"));
    }
    waiting.push_back(std::move(question));
    if (!connecting && !peer) connect();
  }

  void pass_on(const Question& question) const {
    peer->call(question.verb, question.params, question.answer, kAnswerMs);
  }

  void connect() {
    connecting = sail::TcpConnection::connect(
        loop, at,
        [this](sail::Result<std::unique_ptr<sail::TcpConnection>> connection) {
          connecting.reset();
          if (!connection) return lose(no_answer(connection.error()));
          greet(std::move(*connection));
        },
        {.timeout_ms = kReachMs});
  }

  void greet(std::unique_ptr<sail::TcpConnection> connection) {
    peer = std::make_unique<sail::RpcPeer>(
        loop, std::move(connection),
        sail::RpcPeer::Handlers{.on_request = {}, .on_closed = [this](const sail::Error& why) {
                                  lose(no_answer(why));
                                }});
    peer->keep_alive();
    sail::start_handshake(*peer, key, {.role = sail::Role::kUi, .name = "manager"}, kReachMs,
                          [this](const sail::Result<sail::Welcome>& result) {
                            if (!result) return lose(not_welcome(result.error()));
                            welcome = true;
                            for (const Question& question : std::exchange(waiting, {})) {
                              pass_on(question);
                            }
                          });
  }

  sail::Error no_answer(const sail::Error& why) const {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      fmt::format("no answer from the film server at {}: {}",
                                  sail::address_text(at), why.message));
  }

  sail::Error not_welcome(const sail::Error& why) const {
    if (why.code != sail::ErrorCode::kUnauthorized) return no_answer(why);
    return sail::fail(
        sail::ErrorCode::kUnavailable,
        fmt::format("the film server at {} failed to prove the wall's key (another key, or a man "
                    "in the middle): start it with the wall's key ($VITRAIL_KEY_FILE)",
                    sail::address_text(at)));
  }

  void lose(const sail::Error& error) {
    welcome = false;
    peer.reset();
    for (const Question& question : std::exchange(waiting, {})) question.answer(error);
  }

  sail::Loop& loop;
  const sail::Address at;
  const sail::WallKey key;
  std::shared_ptr<void> connecting;
  std::unique_ptr<sail::RpcPeer> peer;
  bool welcome = false;
  std::vector<Question> waiting;
};

FilmServers::FilmServers(sail::Loop& loop, const std::vector<sail::Address>& servers,
                         const sail::WallKey& key) {
  const sail::WallKey viewer = key.secret.empty() ? key : sail::key_named(key, "viewer");
  for (const sail::Address& server : servers) {
    const std::string name = sail::address_text(server);
    if (links_.emplace(name, std::make_unique<Link>(loop, server, viewer)).second) {
      names_.push_back(name);
    }
  }
}

FilmServers::~FilmServers() = default;

bool FilmServers::has(std::string_view medium) const {
  const auto film = film_of(medium);
  return film && links_.contains(film->server);
}

void FilmServers::ask(const std::string& server, std::string_view verb, const sail::Json& params,
                      sail::RpcPeer::AnswerCallback answer) {
  const auto link = links_.find(server);
  if (link == links_.end()) {
    return answer(sail::fail(sail::ErrorCode::kNotFound,
                             fmt::format("'{}' is not a film server of this wall", server)));
  }
  link->second->ask({std::string(verb), params, std::move(answer)});
}

void FilmServers::poster(const std::string& film,
                         std::function<void(sail::Result<std::string>)> answer) {
  const auto wanted = film_of(film);
  if (!wanted) {
    return answer(sail::fail(sail::ErrorCode::kNotFound,
                             "the address of a film must be server://HOST:PORT/TITLE"));
  }
  ask(wanted->server, "poster", {{"title", wanted->title}},
      [answer = std::move(answer)](const sail::Result<sail::Json>& result) {
        if (!result) return answer(result.error());
        sail::JsonFields fields(*result, "poster");
        const auto bytes = sail::base64_bytes(fields.raw_string("jpeg", sail::kMaxControlLine));
        if (fields.finish_open() || !bytes) return answer(std::string());
        answer(std::string(bytes->begin(), bytes->end()));
      });
}

}  // namespace manager
