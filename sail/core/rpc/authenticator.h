// Decides who is let in at a service, and with which right: holders of the wall's key, users with
// passwords, users whom a trusted proxy has signed in, and HTTP requests of any of them. Wrong
// proofs are limited by a KeyGuard. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/auth/key_guard.h"
#include "sail/core/auth/people.h"
#include "sail/core/auth/proof.h"
#include "sail/core/socket/message_channel.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

// An HTTP request as needed for its authentication.
struct WebRequest {
  std::string method;
  std::string path;
  std::string authorization;     // the header, or ""
  std::string host;              // address of the client
  const char* bearer = "";       // name of a key accepted as bearer token; "": none
  Right least = Right::kViewer;  // right needed for session proofs
};

// The proofs of one peer so far.
struct PeerProofs {
  std::optional<ControlProof> challenge;  // the challenge that it requested
  std::string session;                    // secret of its HTTP requests; empty: it has none
  std::string person;             // user name, if it proved a password or a proxy signed it in
  std::string listener_proof;     // sent in a user's welcome; else empty
  bool proxied = false;           // authenticated by a proxy
  std::string groups;             // of a proxied user, as in the proxy's header
  Right unlisted = Right::kNone;  // right of this proxied user if `people` do not list the name
  RequestNumbers requests;
};

// Returns the names in a proxy's header of groups, which "," or "|" separates.
std::vector<std::string> groups_in(std::string_view header);

class Authenticator {
 public:
  struct Options {
    std::string server;              // server type in messages to peers: "manager"
    WallKey key = {};                // without a secret: everybody is let in
    const People* people = nullptr;  // must outlive this; null: no passwords
    std::string people_closed = {};  // why no password is accepted at present; "": accepted
    // Right of users that a trusted proxy has signed in and that are not in `people`. kNone: they
    // are refused.
    Right proxied = Right::kNone;
    // Rights of such users by groups that the proxy reports; the highest counts.
    std::map<std::string, Right, std::less<>> groups = {};
  };
  explicit Authenticator(Options options);

  bool allows_everybody() const { return guard_.allows_everybody(); }
  // Returns true if this key is a user's name and passwords are accepted at present.
  bool takes_password_of(std::string_view key_name) const;

  // Answers a peer's challenge. binding: its TLS session. The error states why there is no answer.
  Result<ChallengeAnswer> challenge(PeerProofs& peer, const Challenge& asked,
                                    const std::string& binding) const;
  // Judges a hello's proof. proxied: the user from a trusted proxy, who replaces a missing proof
  // and then is the hello's key. host: numeric address of the peer.
  KeyGuard::Judgement judge(PeerProofs& peer, Hello& hello, const ProxiedUser& proxied,
                            const std::string& host, int64_t now_ns);
  // Returns an error if the key does not let in peers of the hello's role.
  Result<void> check_role(const PeerProofs& peer, const Hello& hello) const;

  // Right of a peer with this key.
  Right right_of(const PeerProofs& peer, const std::string& key_name) const;
  // Current right of the holder of this key, connected or not. Groups of a proxied user are those
  // of the last sign-in since the start; before it, the user has none.
  Right right_behind(const std::string& key_name) const;
  // Groups of the proxied user with this key, as of the last sign-in since the start.
  std::vector<std::string> groups_behind(const std::string& key_name) const;

  // Judges an HTTP request: it must prove that it belongs to the session of `peer`, or present the
  // key named by `bearer`. peer: the peer named in its proof, or null.
  KeyGuard::Judgement judge(const WebRequest& request, PeerProofs* peer, int64_t now_ns);

  struct BearerJudgement {
    KeyGuard::Judgement judged;
    std::string key_name{};  // name of the accepted key
    bool ended = false;      // the key is one of the wall's, but has expired
  };
  // Judges an HTTP request that must present the key of a UI client's role itself. The wall's own
  // key and passwords are refused, because they must not be sent.
  BearerJudgement judge_bearer(std::string_view authorization, const std::string& host,
                               int64_t now_ns);

 private:
  KeyGuard::Proof check_proof(PeerProofs& peer, Hello& hello, const ProxiedUser& proxied);
  KeyGuard::Proof check_proxy(PeerProofs& peer, Hello& hello, const ProxiedUser& user);
  Right right_of_groups(std::string_view groups) const;
  KeyGuard::Proof check_proof(const WebRequest& request, PeerProofs* peer) const;
  KeyGuard::Proof check_bearer(std::string_view authorization, std::string& key_name) const;
  Right right_of_key(const std::string& name) const;
  // The error for a user who is not let in. proxied: the name that a proxy reports; or "".
  Error refusal_of_person(const std::string& proxied) const;
  bool is_password_of(std::string_view key_name) const {
    return options_.people != nullptr && is_person(key_name);
  }

  const Options options_;
  KeyGuard guard_;
  struct SignIn {
    Right right = Right::kNone;
    std::string groups;  // as in the proxy's header
  };
  // The last sign-ins of proxied users with groups, by key name; bounded.
  std::map<std::string, SignIn> sign_ins_;
};

}  // namespace sail
