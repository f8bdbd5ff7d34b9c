#include "sail/core/rpc/authenticator.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr std::string_view kBearer = "Bearer ";
constexpr size_t kMostRemembered = 4096;  // users whose groups are remembered

}  // namespace

Authenticator::Authenticator(Options options)
    : options_(std::move(options)), guard_(options_.key) {}

bool Authenticator::takes_password_of(std::string_view key_name) const {
  return is_password_of(key_name) && options_.people_closed.empty();
}

// --- control connections -------------------------------------------------------------------------

Result<ChallengeAnswer> Authenticator::challenge(PeerProofs& peer, const Challenge& asked,
                                                 const std::string& binding) const {
  if (allows_everybody()) {
    return fail(ErrorCode::kUnauthorized,
                fmt::format("this {} has no key, but the client has: check the address, and set "
                            "VITRAIL_KEY_FILE for both",
                            options_.server));
  }
  if (is_password_of(asked.key)) {
    peer.challenge = {{asked.key, ""}, asked.nonce, random_word(), binding};
    return ChallengeAnswer{.nonce = peer.challenge->listener_nonce,
                           .salt = options_.people->salt_of(asked.key)};
  }
  peer.challenge = {key_named(guard_.key(), asked.key), asked.nonce, random_word(), binding};
  return ChallengeAnswer{peer.challenge->listener_nonce, peer.challenge->of_listener()};
}

KeyGuard::Judgement Authenticator::judge(PeerProofs& peer, Hello& hello, const ProxiedUser& proxied,
                                         const std::string& host, int64_t now_ns) {
  auto judged = guard_.judge(check_proof(peer, hello, proxied), host, now_ns);
  if (judged.wrong && judged.wrong->code == ErrorCode::kUnauthorized && is_person(hello.key)) {
    judged.wrong = refusal_of_person(peer.proxied ? proxied.name : "");
  }
  return judged;
}

KeyGuard::Proof Authenticator::check_proof(PeerProofs& peer, Hello& hello,
                                           const ProxiedUser& proxied) {
  if (hello.proof.empty()) return check_proxy(peer, hello, proxied);
  const auto& challenge = peer.challenge;
  if (!challenge || challenge->key.name != hello.key) return KeyGuard::Proof::kWrong;
  if (is_password_of(hello.key)) {
    const auto proof = options_.people->check(*challenge, role_name(hello.role), hello.proof);
    if (!proof) return KeyGuard::Proof::kWrong;
    peer.session = proof->session;
    peer.listener_proof = proof->of_listener;
    peer.person = hello.key.substr(kPersonKey.size());
    return KeyGuard::Proof::kRight;
  }
  if (!same_text(hello.proof, challenge->of_peer(role_name(hello.role)))) {
    return KeyGuard::Proof::kWrong;
  }
  peer.session = challenge->session();
  return KeyGuard::Proof::kRight;
}

KeyGuard::Proof Authenticator::check_proxy(PeerProofs& peer, Hello& hello,
                                           const ProxiedUser& user) {
  if (options_.people == nullptr || !hello.key.empty() || hello.role != Role::kUi ||
      !is_persons_name(user.name)) {
    return KeyGuard::Proof::kNone;
  }
  peer.proxied = true;
  peer.unlisted = right_of_groups(user.groups);
  peer.groups = user.groups;
  hello.key = std::string(kPersonKey) + user.name;
  sign_ins_.erase(hello.key);
  if (right_of(peer, hello.key) == Right::kNone) return KeyGuard::Proof::kNone;
  if (!peer.groups.empty()) {
    if (sign_ins_.size() >= kMostRemembered) sign_ins_.erase(sign_ins_.begin());
    sign_ins_[hello.key] = {peer.unlisted, peer.groups};
  }
  peer.session = random_word();
  peer.person = user.name;
  return KeyGuard::Proof::kRight;
}

std::vector<std::string> groups_in(std::string_view header) {
  std::vector<std::string> groups;
  while (!header.empty()) {
    const size_t end = std::min(header.find_first_of(",|"), header.size());
    const auto group = trimmed(header.substr(0, end));
    if (!group.empty()) groups.emplace_back(group);
    header.remove_prefix(std::min(end + 1, header.size()));
  }
  return groups;
}

Right Authenticator::right_of_groups(std::string_view groups) const {
  Right right = options_.proxied;
  for (const std::string& group : groups_in(groups)) {
    const auto known = options_.groups.find(group);
    if (known != options_.groups.end()) right = std::max(right, known->second);
  }
  return right;
}

Error Authenticator::refusal_of_person(const std::string& proxied) const {
  if (options_.people != nullptr && !options_.people_closed.empty()) {
    return {ErrorCode::kConflict, options_.people_closed};
  }
  if (proxied.empty()) return {ErrorCode::kUnauthorized, "wrong name or password"};
  return {ErrorCode::kUnauthorized,
          fmt::format("the proxy signed you in as '{}', who is not a user of this wall: add the "
                      "name with `vitrail user add`{}",
                      proxied,
                      options_.groups.empty()
                          ? ""
                          : ", or ask for one of the groups in the wall file's 'proxy'")};
}

// --- rights --------------------------------------------------------------------------------------

Right Authenticator::right_of_key(const std::string& name) const {
  return is_password_of(name) ? options_.people->right_of(name) : sail::right_of(name);
}

Right Authenticator::right_behind(const std::string& key_name) const {
  if (allows_everybody()) return Right::kAdmin;
  const Right right = right_of_key(key_name);
  if (right != Right::kNone || !is_person(key_name)) return right;
  const auto known = sign_ins_.find(key_name);
  return known == sign_ins_.end() ? options_.proxied : known->second.right;
}

std::vector<std::string> Authenticator::groups_behind(const std::string& key_name) const {
  const auto known = sign_ins_.find(key_name);
  return known == sign_ins_.end() ? std::vector<std::string>() : groups_in(known->second.groups);
}

Right Authenticator::right_of(const PeerProofs& peer, const std::string& key_name) const {
  const Right right = right_of_key(key_name);
  return right == Right::kNone && peer.proxied ? peer.unlisted : right;
}

Result<void> Authenticator::check_role(const PeerProofs& peer, const Hello& hello) const {
  const bool opens =
      allows_everybody() ||
      (hello.role == Role::kReceiver      ? opens_to_receiver(hello.key)
       : hello.role == Role::kApplication ? opens_to_application(hello.key)
                                          : right_of(peer, hello.key) != Right::kNone);
  if (opens) return {};
  if (end_of_key(hello.key)) {
    return fail(ErrorCode::kUnauthorized,
                fmt::format("the key '{}' has ended, or does not allow the role '{}': ask for a "
                            "new one",
                            hello.key, role_name(hello.role)));
  }
  return fail(ErrorCode::kUnauthorized, fmt::format("the key '{}' does not allow the role '{}'",
                                                    hello.key, role_name(hello.role)));
}

// --- HTTP requests -------------------------------------------------------------------------------

KeyGuard::Judgement Authenticator::judge(const WebRequest& request, PeerProofs* peer,
                                         int64_t now_ns) {
  return guard_.judge(check_proof(request, peer), request.host, now_ns);
}

KeyGuard::Proof Authenticator::check_proof(const WebRequest& request, PeerProofs* peer) const {
  if (const auto proof = read_request_proof(request.authorization)) {
    // Unknown or ended session: not counted as a guess.
    if (peer == nullptr || peer->session.empty()) return KeyGuard::Proof::kNone;
    const std::string right =
        request_proof(peer->session, request.method, request.path, proof->number);
    if (!same_text(proof->proof, right)) return KeyGuard::Proof::kWrong;
    return peer->requests.take(proof->number) ? KeyGuard::Proof::kRight : KeyGuard::Proof::kNone;
  }
  if (*request.bearer != '\0' && request.authorization.starts_with(kBearer)) {
    const WallKey key = key_named(guard_.key(), request.bearer);
    const auto token = std::string_view(request.authorization).substr(kBearer.size());
    return same_text(token, key_text(key)) ? KeyGuard::Proof::kRight : KeyGuard::Proof::kWrong;
  }
  return request.authorization.empty() ? KeyGuard::Proof::kNone : KeyGuard::Proof::kWrong;
}

KeyGuard::Proof Authenticator::check_bearer(std::string_view authorization,
                                            std::string& key_name) const {
  if (authorization.empty()) return KeyGuard::Proof::kNone;
  if (!authorization.starts_with(kBearer)) return KeyGuard::Proof::kWrong;
  const std::string_view token = authorization.substr(kBearer.size());
  const auto key = read_key(token);
  if (!key || is_person(key->name) || key->name.empty() ||
      !same_text(token, key_text(key_named(guard_.key(), key->name)))) {
    return KeyGuard::Proof::kWrong;
  }
  const bool opens = sail::right_of(key->name) != Right::kNone;
  if (!opens && !end_of_key(key->name)) return KeyGuard::Proof::kWrong;
  key_name = key->name;
  // A client whose key has ended is not guessing.
  return opens ? KeyGuard::Proof::kRight : KeyGuard::Proof::kNone;
}

Authenticator::BearerJudgement Authenticator::judge_bearer(std::string_view authorization,
                                                           const std::string& host,
                                                           int64_t now_ns) {
  if (allows_everybody()) return {};
  BearerJudgement judgement;
  judgement.judged = guard_.judge(check_bearer(authorization, judgement.key_name), host, now_ns);
  if (!judgement.judged.wrong) return judgement;
  judgement.ended =
      judgement.judged.wrong->code == ErrorCode::kUnauthorized && !judgement.key_name.empty();
  judgement.key_name.clear();
  return judgement;
}

}  // namespace sail
