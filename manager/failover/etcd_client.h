// A client of the witness: an etcd cluster, by the JSON form of etcd's interface 3. It keeps two
// keys: PREFIX/ruler, with a lease, and PREFIX/term, for ever; both have a term as their value. Any
// thread, one at a time; calls block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "manager/failover/quorum.h"
#include "manager/failover/witness_access.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/witness.h"

namespace manager {

class EtcdClient {
 public:
  // wall: the wall's name, for the prefix if the witness has none.
  EtcdClient(const sail::Witness& witness, const std::string& wall,
             WitnessAccess access = witness_access());
  ~EtcdClient();
  EtcdClient(const EtcdClient&) = delete;
  EtcdClient& operator=(const EtcdClient&) = delete;

  static constexpr int64_t kTimeoutMs = 500;  // for each call, except for:
  static constexpr int64_t kSignInMs = 2000;  // etcd's check of a password is slow on purpose
  // etcd's tokens live 5 minutes by default. So a token that cannot be renewed at once is tried
  // again before its end.
  static constexpr int64_t kRenewTokenMs = 100'000;
  // After an error, which names the server, the next call goes to the next server.
  //
  // Proves user and password, if there are any, unless the cluster knows them. Call it before the
  // others. It takes up to kSignInMs; kTimeoutMs if only the token is renewed.
  sail::Result<void> sign_in();
  // Returns the new lease's id.
  sail::Result<std::string> grant(int64_t life_s);
  // Returns false if the lease has ended.
  sail::Result<bool> keep_alive(const std::string& lease);
  sail::Result<void> revoke(const std::string& lease);

  struct Stored {
    WitnessTerms terms{};
    std::string lease{};  // the ruler's lease
    // Revisions of the keys' last changes; "0": there is no such key.
    std::string ruler_revision = "0";
    std::string last_revision = "0";
  };
  sail::Result<Stored> read();
  // Stores the term with the lease; returns false if a key has changed since it was `seen`.
  sail::Result<bool> put(uint64_t term, const std::string& lease, const Stored& seen);
  // Prefix of both keys, with "/" at its end.
  const std::string& prefix() const { return prefix_; }
  // Index of the server that the last error is about.
  size_t failed_server() const { return failed_server_; }

 private:
  struct Connection;

  sail::Result<std::string> new_token(int64_t timeout_ms);
  void use_tls() const;
  sail::Result<sail::Json> post(const char* path, const sail::Json& body,
                                int64_t timeout_ms = kTimeoutMs);
  // The server in use gave no answer, or a wrong one.
  sail::Error leave_server(sail::ErrorCode code, const std::string& why);
  sail::Error unknown_answer(const char* what);
  // Reads one of the responses of a transaction.
  struct StoredTerm;
  sail::Result<StoredTerm> stored_term(const sail::Json& response, const char* name);

  const sail::Witness witness_;
  const WitnessAccess access_;
  const std::string prefix_;
  const std::string ruler_key_;  // in Base64
  const std::string term_key_;
  size_t server_ = 0;  // index of the server in use
  size_t failed_server_ = 0;
  std::string token_;     // token that the cluster issued; empty: none
  int64_t renew_ns_ = 0;  // when to renew it
  std::unique_ptr<Connection> connection_;
};

}  // namespace manager
