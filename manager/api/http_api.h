// The manager's verbs and changes over HTTP (API.md): POST /api/VERB, webhooks of other systems
// (POST /api/event/NAME) and GET /api/events. Runs on the loop thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "manager/api/call_sessions.h"
#include "manager/api/recent_answers.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"

namespace manager {

class HttpApi {
 public:
  static constexpr size_t kMostCalls = 64;  // at a time
  static constexpr size_t kMostStreams = 64;

  // encrypted: requests arrive by TLS. service must outlive this object.
  HttpApi(sail::Loop& loop, sail::RpcService& service, bool encrypted)
      : loop_(loop), service_(service), encrypted_(encrypted), sessions_(loop, service) {}

  // Handles a request for a path below /api.
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);

 private:
  using Exchange = std::shared_ptr<sail::WebExchange>;
  using Take = std::function<void(int status, std::string body)>;
  struct Call;
  void call(const Exchange& exchange, const std::string& verb, const std::string& key_name);
  void run(const std::shared_ptr<Call>& call);
  // body: the verb's parameters, or the payload of an event.
  void run(const std::shared_ptr<Call>& call, sail::Json body, Take take);
  void run(const std::shared_ptr<Call>& call, const std::string& verb, sail::Json parameters,
           Take take);
  void stream(const Exchange& exchange, const std::string& key_name);
  // Returns the error for a verb that needs a lasting connection; empty: a request can call the
  // verb.
  std::optional<sail::Error> refusal_of(const std::string& verb) const;

  sail::Loop& loop_;
  sail::RpcService& service_;
  const bool encrypted_;
  CallSessions sessions_;
  RecentAnswers recent_;
  // Their reference counts, minus 1, are the numbers of calls and of streams in progress.
  const std::shared_ptr<char> calls_ = std::make_shared<char>();
  const std::shared_ptr<char> streams_ = std::make_shared<char>();
};

}  // namespace manager
