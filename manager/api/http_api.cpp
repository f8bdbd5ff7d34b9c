#include "manager/api/http_api.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/api/request_channels.h"
#include "sail/core/auth/proof.h"
#include "sail/core/http/web_server.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/event_request.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

using sail::ErrorCode;

constexpr std::string_view kApiRoot = "/api/";
constexpr std::string_view kEventPath = "event/";  // below kApiRoot: webhooks of other systems

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kParseError:
    case ErrorCode::kInvalidRequest:
    case ErrorCode::kInvalidParams:
    case ErrorCode::kUnsupportedProtocol:
      return 400;
    case ErrorCode::kUnauthorized:  // The key is right, but its role may not do this.
      return 403;
    case ErrorCode::kUnknownMethod:
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kConflict:
      return 409;
    case ErrorCode::kLimit:
      return 429;
    case ErrorCode::kUnavailable:
    case ErrorCode::kBusy:
      return 503;
    case ErrorCode::kTimeout:
      return 504;
    case ErrorCode::kInternal:
    case ErrorCode::kBadData:
    case ErrorCode::kIo:
      break;
  }
  return 500;
}

sail::WebAnswer json_answer(int status, std::string body) {
  return {status,
          {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          std::move(body)};
}

std::string error_text(const sail::Error& error) {
  return sail::compact_text({{"error",
                              {{"code", static_cast<int>(error.code)},
                               {"message", error.message},
                               {"data", {{"name", sail::error_name(error.code)}}}}}});
}

sail::WebAnswer error_answer(int status, const sail::Error& error) {
  return json_answer(status, error_text(error));
}

sail::WebAnswer method_answer(const char* allowed) {
  sail::WebAnswer answer =
      error_answer(405, {ErrorCode::kInvalidRequest, fmt::format("use {}", allowed)});
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

sail::WebAnswer busy_answer(const char* what) {
  sail::WebAnswer answer = error_answer(
      429, {ErrorCode::kLimit, fmt::format("too many {} at a time: try again in a second", what)});
  answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

sail::WebAnswer key_answer(const sail::Error& why, bool ended) {
  if (why.code != ErrorCode::kUnauthorized) return error_answer(429, why);
  sail::WebAnswer answer = error_answer(
      401, {ErrorCode::kUnauthorized,
            ended ? "this key has ended: ask for a new one"
                  : "send the key of a role, as `vitrail key show --role operator` prints it: "
                    "Authorization: Bearer KEY"});
  answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

sail::WebAnswer repeated_answer(RecentAnswers::Refusal why) {
  if (why == RecentAnswers::Refusal::kFull) return busy_answer("requests with an Idempotency-Key");
  if (why == RecentAnswers::Refusal::kRunning) {
    return error_answer(409, {ErrorCode::kConflict,
                              "the first request with this Idempotency-Key is still running"});
  }
  return error_answer(422,
                      {ErrorCode::kInvalidParams,
                       "this Idempotency-Key was used with another body or query: use a new one"});
}

// Returns the name that others see.
std::string client_name(const std::string& key_name) {
  const size_t slash = key_name.find('/');
  return slash == std::string::npos ? "HTTP" : key_name.substr(slash + 1);
}

// Returns the text of an Idempotency-Key, which may be quoted.
std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// A forgotten or mistyped parameter would change what the request does.
std::optional<std::string> query_mistake(const sail::WebExchange& exchange, bool is_event) {
  for (const std::string& name : exchange.query_names()) {
    if (is_event && (name == "id" || name == "clear")) continue;
    return fmt::format("'?{}' is unknown: {}", sail::make_plain_text(name, sail::kMaxNameLength),
                       is_event ? "the query of an event has 'id' and 'clear'"
                                : "the parameters belong in the body, as a JSON object");
  }
  return std::nullopt;
}

}  // namespace

// One call: its verb runs once the request's body has arrived.
struct HttpApi::Call {
  Exchange exchange;
  RequestEnds ends;
  std::string verb;
  std::string key_name;
  std::string body{};
  std::string idempotency_key{};  // "": none
  std::shared_ptr<char> place;
  std::optional<sail::EventRequest> event{};  // another system's webhook instead of `verb`

  // What a request with the same Idempotency-Key must have in common: the body, and what the query
  // says about it.
  std::string content() const {
    return event
               ? fmt::format("{}\n{}\n{}", event->id.value_or(""), event->clear.value_or(""), body)
               : body;
  }
};

void HttpApi::handle(const Exchange& exchange) {
  const std::string verb =
      exchange->path().substr(std::min(kApiRoot.size(), exchange->path().size()));
  const bool streams = verb == "events";
  const char* method = streams ? "GET" : "POST";
  const std::string host = exchange->peer().host;
  if (exchange->method() != method) return exchange->answer(method_answer(method));
  if (!service_.allows_everybody() && !encrypted_ && !sail::is_loopback(host)) {
    return exchange->answer(error_answer(
        403, {ErrorCode::kInvalidRequest,
              "keys are accepted only over HTTPS or from the manager's host: start the manager "
              "with --page-certificate and --page-key"}));
  }
  const auto bearer = service_.judge_bearer(exchange->header("authorization").value_or(""), host);
  if (bearer.judged.wrong) {
    sail::answer_after(loop_, bearer.judged.delay_ms, exchange,
                       key_answer(*bearer.judged.wrong, bearer.ended));
  } else if (streams) {
    stream(exchange, bearer.key_name);
  } else {
    call(exchange, verb, bearer.key_name);
  }
}

std::optional<sail::Error> HttpApi::refusal_of(const std::string& verb) const {
  const sail::RpcVerb* known = service_.find_verb(verb);
  if (known == nullptr || !known->lasting) return std::nullopt;
  return sail::Error{ErrorCode::kInvalidRequest,
                     fmt::format("'{}' needs a lasting connection: use TCP, WebSocket, or for "
                                 "changes GET /api/events",
                                 verb)};
}

void HttpApi::call(const Exchange& exchange, const std::string& verb, const std::string& key_name) {
  const auto key = exchange->header("idempotency-key");
  const std::string_view bare = key ? without_quotes(*key) : std::string_view();
  if (const auto refusal = refusal_of(verb)) {
    return exchange->answer(error_answer(status_of(refusal->code), *refusal));
  }
  if (key && (bare.empty() || bare.size() > RecentAnswers::kMostKeyBytes)) {
    return exchange->answer(error_answer(
        400, {ErrorCode::kInvalidRequest, fmt::format("the Idempotency-Key must have 1 to {} bytes",
                                                      RecentAnswers::kMostKeyBytes)}));
  }
  const bool is_event = verb.starts_with(kEventPath);
  if (const auto mistake = query_mistake(*exchange, is_event)) {
    return exchange->answer(error_answer(400, {ErrorCode::kInvalidParams, *mistake}));
  }
  if (exchange->body_size() > sail::kMaxControlLine) {
    return exchange->answer(error_answer(
        413, {ErrorCode::kLimit,
              fmt::format("the body is too large: at most {} bytes", sail::kMaxControlLine)}));
  }
  if (calls_.use_count() > static_cast<long>(kMostCalls)) {
    return exchange->answer(busy_answer("requests"));
  }
  const auto call = std::make_shared<Call>(Call{.exchange = exchange,
                                                .ends = {exchange->local(), exchange->peer()},
                                                .verb = verb,
                                                .key_name = key_name,
                                                .idempotency_key = std::string(bare),
                                                .place = calls_});
  if (is_event) {
    call->event = {.name = verb.substr(kEventPath.size()),
                   .id = exchange->query("id"),
                   .clear = exchange->query("clear")};
  }
  if (exchange->body_size() == 0) return run(call);
  exchange->read_body({.on_bytes = [call](std::string_view bytes) { call->body += bytes; },
                       .on_end = [this, call] { run(call); },
                       .on_gone = [] {}});
}

void HttpApi::run(const std::shared_ptr<Call>& call) {
  const std::string_view text = call->body.empty() ? "{}" : std::string_view(call->body);
  // As deep as in the line of a request, and so in the journal's entry, too.
  const int outside = call->event ? 2 : 1;
  auto parameters = sail::parse_json(text, sail::kMaxControlLine, sail::kMaxJsonDepth - outside);
  if (!parameters || !parameters->is_object()) {
    const std::string why = parameters ? "it is not an object" : parameters.error().message;
    return call->exchange->answer(error_answer(
        400, {parameters ? ErrorCode::kInvalidParams : ErrorCode::kParseError,
              fmt::format("the body must be a JSON object with {}: {}",
                          call->event ? "the event's payload" : "the verb's parameters", why)}));
  }
  const auto give = [call](int status, std::string body) {
    call->exchange->answer(json_answer(status, std::move(body)));
  };
  if (call->idempotency_key.empty()) return run(call, *std::move(parameters), give);
  const std::string& caller = call->key_name.empty() ? call->ends.peer.host : call->key_name;
  const std::string name = fmt::format("{}\n{}\n{}", caller, call->verb, call->idempotency_key);
  const auto known = recent_.begin(name, sail::sha256_text(call->content()), sail::steady_now_ns());
  if (const auto* answer = std::get_if<RecentAnswers::Answer>(&known)) {
    give(answer->status, answer->body);
  } else if (const auto* refusal = std::get_if<RecentAnswers::Refusal>(&known)) {
    call->exchange->answer(repeated_answer(*refusal));
  } else {
    run(call, *std::move(parameters), [this, give, name](int status, const std::string& body) {
      recent_.finish(name, {status, body});
      give(status, body);
    });
  }
}

void HttpApi::run(const std::shared_ptr<Call>& call, sail::Json body, Take take) {
  if (!call->event) return run(call, call->verb, std::move(body), std::move(take));
  auto event = sail::event_verb(*call->event, body);
  if (!event) return take(status_of(event.error().code), error_text(event.error()));
  // Other systems repeat that something is over, and take errors for failures.
  run(call, event->verb, std::move(event->parameters),
      [clears = event->clears(), take = std::move(take)](int status, std::string answer) {
        const bool over = clears && status == status_of(ErrorCode::kNotFound);
        if (over) return take(200, R"({"outcome":"ignored","why":"this event is not active"})");
        take(status, std::move(answer));
      });
}

void HttpApi::run(const std::shared_ptr<Call>& call, const std::string& verb, sail::Json parameters,
                  Take take) {
  sessions_.call(
      {.ends = call->ends, .key_name = call->key_name, .name = client_name(call->key_name)}, verb,
      std::move(parameters), [call, take = std::move(take)](std::string_view line) {
        if (const auto result = sail::result_in(line, CallSessions::kRequest)) {
          return take(200, std::string(*result));
        }
        const auto message = sail::parse_json(line, sail::kMaxControlQueue);
        const sail::Json error =
            message ? message->value("error", sail::Json::object()) : sail::Json::object();
        take(status_of(ErrorCode{error.value("code", 0)}), sail::Json{{"error", error}}.dump());
      });
}

void HttpApi::stream(const Exchange& exchange, const std::string& key_name) {
  if (streams_.use_count() > static_cast<long>(kMostStreams)) {
    return exchange->answer(busy_answer("event streams"));
  }
  auto channel = std::make_unique<EventChannel>(
      loop_, RequestEnds{exchange->local(), exchange->peer()},
      sail::RpcRequest{CallSessions::kRequest, "subscribe"}, exchange, streams_);
  EventChannel& events = *channel;
  service_.accept_proven(
      std::move(channel), key_name, client_name(key_name),
      [&events, exchange](const sail::Result<sail::Json>& welcome) {
        if (welcome) return events.begin();
        exchange->answer(error_answer(status_of(welcome.error().code), welcome.error()));
      });
}

}  // namespace manager
