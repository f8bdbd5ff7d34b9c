#include "manager/failover/etcd_client.h"

#include <curl/curl.h>
#include <fmt/core.h>
#include <sys/socket.h>

#include <charconv>
#include <optional>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr const char* kRulerKey = "ruler";
constexpr const char* kTermKey = "term";
constexpr size_t kMostEtcdAnswer = 64 << 10;  // bytes
constexpr long kEtcdSuccess = 200;
constexpr long kEtcdBadRequest = 400;
constexpr long kEtcdForbidden = 403;
constexpr size_t kMostToken = 4096;
constexpr size_t kMostIdDigits = 20;  // digits of a lease or revision, which is a text in JSON

// libcurl brings thirty libraries and 4 MB of memory. Few walls have a witness. So it is loaded for
// the first witness, and stays loaded.
struct CurlLibrary {
  decltype(&curl_easy_init) init = nullptr;
  decltype(&curl_easy_cleanup) cleanup = nullptr;
  decltype(&curl_easy_setopt) setopt = nullptr;
  decltype(&curl_easy_perform) perform = nullptr;
  decltype(&curl_easy_getinfo) getinfo = nullptr;
  decltype(&curl_easy_strerror) strerror = nullptr;
  decltype(&curl_slist_append) append = nullptr;
  decltype(&curl_slist_free_all) free_all = nullptr;
};

std::optional<CurlLibrary> load_curl() {
  const sail::LoadedLibrary loaded("libcurl.so.4");
  CurlLibrary curl;
  const bool whole = loaded.find("curl_easy_init", curl.init) &&
                     loaded.find("curl_easy_cleanup", curl.cleanup) &&
                     loaded.find("curl_easy_setopt", curl.setopt) &&
                     loaded.find("curl_easy_perform", curl.perform) &&
                     loaded.find("curl_easy_getinfo", curl.getinfo) &&
                     loaded.find("curl_easy_strerror", curl.strerror) &&
                     loaded.find("curl_slist_append", curl.append) &&
                     loaded.find("curl_slist_free_all", curl.free_all);
  return whole ? std::optional(curl) : std::nullopt;
}

// Empty: libcurl is not installed.
const std::optional<CurlLibrary>& curl() {
  static const std::optional<CurlLibrary> library = load_curl();
  return library;
}

struct FreeHeaders {
  void operator()(curl_slist* headers) const { curl()->free_all(headers); }
};
using Headers = std::unique_ptr<curl_slist, FreeHeaders>;

size_t take_answer(char* bytes, size_t, size_t count, void* answer) {
  auto& text = *static_cast<std::string*>(answer);
  if (text.size() + count > kMostEtcdAnswer) return 0;
  text.append(bytes, count);
  return count;
}

// Not inherited by the programs that the manager starts.
curl_socket_t open_closed_on_exec(void* /*client*/, curlsocktype, curl_sockaddr* at) {
  return socket(at->family, at->socktype | SOCK_CLOEXEC, at->protocol);
}

// A number that etcd writes as a text; "0": there is none.
std::string id_in(const sail::Json& object, const char* name) {
  const auto found = object.find(name);
  const auto* text =
      found == object.end() ? nullptr : found->get_ptr<const sail::Json::string_t*>();
  const bool good = text != nullptr && !text->empty() && text->size() <= kMostIdDigits &&
                    text->find_first_not_of("-0123456789") == std::string::npos;
  return good ? *text : "0";
}

}  // namespace

struct EtcdClient::Connection {
  struct Free {
    void operator()(CURL* easy) const { curl()->cleanup(easy); }
  };
  std::unique_ptr<CURL, Free> handle{curl() ? curl()->init() : nullptr};
  char words[CURL_ERROR_SIZE] = {};
};

EtcdClient::EtcdClient(const sail::Witness& witness, const std::string& wall, WitnessAccess access)
    : witness_(witness),
      access_(std::move(access)),
      prefix_((witness.prefix.empty() ? "/vitrail/" + wall : witness.prefix) + "/"),
      ruler_key_(sail::base64_text(prefix_ + kRulerKey)),
      term_key_(sail::base64_text(prefix_ + kTermKey)),
      connection_(std::make_unique<Connection>()) {}

EtcdClient::~EtcdClient() = default;

void EtcdClient::use_tls() const {
  CURL* handle = connection_->handle.get();
  const auto set = [handle](CURLoption option, const std::string& file) {
    if (!file.empty()) curl()->setopt(handle, option, file.c_str());
  };
  set(CURLOPT_CAINFO, access_.authorities);
  set(CURLOPT_SSLCERT, access_.certificate);
  set(CURLOPT_SSLKEY, access_.key);
}

sail::Result<sail::Json> EtcdClient::post(const char* path, const sail::Json& body,
                                          int64_t timeout_ms) {
  CURL* handle = connection_->handle.get();
  if (handle == nullptr)
    return sail::fail(sail::ErrorCode::kUnavailable, "libcurl is not installed");
  const std::string& server = witness_.servers[server_];
  const char* scheme = witness_.tls ? "https" : "http";
  const std::string url = fmt::format("{}://{}{}", scheme, server, path);
  const std::string text = body.dump();
  std::string answer;
  Headers headers(curl()->append(nullptr, "Content-Type: application/json"));
  if (!token_.empty()) {
    headers.reset(curl()->append(headers.release(), ("Authorization: " + token_).c_str()));
  }
  connection_->words[0] = '\0';
  if (witness_.tls) use_tls();
  curl()->setopt(handle, CURLOPT_URL, url.c_str());
  curl()->setopt(handle, CURLOPT_PROTOCOLS_STR, scheme);
  curl()->setopt(handle, CURLOPT_PROXY, "");
  curl()->setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_closed_on_exec);
  curl()->setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl()->setopt(handle, CURLOPT_POSTFIELDS, text.c_str());
  curl()->setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(text.size()));
  curl()->setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_ms));
  curl()->setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl()->setopt(handle, CURLOPT_QUICK_EXIT, 1L);  // do not wait for a DNS lookup that hangs
  curl()->setopt(handle, CURLOPT_ERRORBUFFER, connection_->words);
  curl()->setopt(handle, CURLOPT_WRITEFUNCTION, take_answer);
  curl()->setopt(handle, CURLOPT_WRITEDATA, &answer);
  const CURLcode result = curl()->perform(handle);
  curl()->setopt(handle, CURLOPT_HTTPHEADER, nullptr);
  long status = 0;
  curl()->getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  if (result == CURLE_OK && status == kEtcdSuccess) {
    auto json = sail::parse_json(answer, kMostEtcdAnswer);
    if (json && json->is_object()) return json;
  }
  // Without figures, which would change with each attempt.
  std::string why = curl()->strerror(result);
  if (result == CURLE_OPERATION_TIMEDOUT) {
    why = fmt::format("no answer within {} s", static_cast<double>(timeout_ms) / 1e3);
  }
  if (result == CURLE_WRITE_ERROR) {
    why = fmt::format("the answer is longer than {} KiB", kMostEtcdAnswer >> 10);
  }
  if (result == CURLE_PEER_FAILED_VERIFICATION) {
    why =
        "its certificate does not fit: $SSL_CERT_FILE must name the file of the certificates "
        "that sign the witness's, and the certificate must name the host";
  }
  const bool dropped = result == CURLE_SEND_ERROR || result == CURLE_RECV_ERROR;
  if (dropped && witness_.tls && access_.certificate.empty()) {
    why += "; it may want a certificate ($VITRAIL_WITNESS_CERTIFICATE)";
  }
  if (result == CURLE_OK) {
    token_.clear();  // The token may be the reason. All servers of a cluster accept a new one.
    const std::string said = sail::make_plain_text(answer, sail::kMaxTitleLength);
    why = fmt::format("status {}{}{}", status, said.empty() ? "" : ": ", said);
    if (status == kEtcdForbidden) {
      why += fmt::format("; the user needs the right to read and write all keys {}*", prefix_);
    }
    if (status == kEtcdBadRequest && access_.user.empty()) {
      why += "; it may want a user ($VITRAIL_WITNESS_USER)";
    }
  }
  return leave_server(sail::ErrorCode::kUnavailable, why);
}

sail::Error EtcdClient::leave_server(sail::ErrorCode code, const std::string& why) {
  const std::string& server = witness_.servers[server_];
  failed_server_ = server_;
  server_ = (server_ + 1) % witness_.servers.size();
  return {code, fmt::format("{}: {}", server, why)};
}

sail::Error EtcdClient::unknown_answer(const char* what) {
  return leave_server(sail::ErrorCode::kBadData,
                      fmt::format("{} is not an answer of etcd (version 3.4 or later)", what));
}

struct EtcdClient::StoredTerm {
  uint64_t term = 0;
  std::string lease{};
  std::string revision = "0";
};

sail::Result<EtcdClient::StoredTerm> EtcdClient::stored_term(const sail::Json& response,
                                                             const char* name) {
  const auto range = response.find("response_range");
  if (range == response.end() || !range->is_object()) return unknown_answer("a range");
  const auto kvs = range->find("kvs");
  if (kvs == range->end()) return StoredTerm{};
  if (!kvs->is_array() || kvs->size() != 1 || !kvs->front().is_object()) {
    return unknown_answer("a list of keys");
  }
  const sail::Json& key = kvs->front();
  StoredTerm stored{.lease = id_in(key, "lease"), .revision = id_in(key, "mod_revision")};
  const auto value = key.find("value");
  const auto* encoded =
      value == key.end() ? nullptr : value->get_ptr<const sail::Json::string_t*>();
  const auto bytes = encoded == nullptr ? std::nullopt : sail::base64_bytes(*encoded);
  const std::string digits = bytes ? std::string(bytes->begin(), bytes->end()) : "";
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, stored.term);
  if (error != std::errc() || rest != end || stored.term == 0 || stored.term > sail::kMaxCounter) {
    return leave_server(sail::ErrorCode::kBadData,
                        fmt::format("the key {}{} holds no term: give the wall a prefix of its own",
                                    prefix_, name));
  }
  return stored;
}

sail::Result<void> EtcdClient::sign_in() {
  const int64_t now_ns = sail::steady_now_ns();
  if (access_.user.empty() || (!token_.empty() && now_ns < renew_ns_)) return {};
  renew_ns_ = now_ns + kRenewTokenMs * sail::kMillisecondNs;
  const std::string former = std::exchange(token_, {});
  auto token = new_token(former.empty() ? kSignInMs : kTimeoutMs);
  if (!token && former.empty()) return token.error();
  token_ = token ? *std::move(token) : former;  // the former token is still valid
  return {};
}

sail::Result<std::string> EtcdClient::new_token(int64_t timeout_ms) {
  const auto password = witness_password(witness_, access_);
  if (!password) return password.error();
  const auto answer =
      post("/v3/auth/authenticate", {{"name", access_.user}, {"password", *password}}, timeout_ms);
  if (!answer) return answer.error();
  const auto token = answer->find("token");
  const auto* text =
      token == answer->end() ? nullptr : token->get_ptr<const sail::Json::string_t*>();
  // The token becomes a line of HTTP.
  if (text == nullptr || text->empty() || text->size() > kMostToken ||
      !sail::is_plain_text(*text)) {
    return unknown_answer("a token");
  }
  return *text;
}

sail::Result<std::string> EtcdClient::grant(int64_t life_s) {
  const auto answer = post("/v3/lease/grant", {{"TTL", std::to_string(life_s)}});
  if (!answer) return answer.error();
  // etcd may give a longer life than asked, never a shorter one.
  std::string lease = id_in(*answer, "ID");
  if (lease == "0") return unknown_answer("a lease without ID");
  return lease;
}

sail::Result<bool> EtcdClient::keep_alive(const std::string& lease) {
  const auto answer = post("/v3/lease/keepalive", {{"ID", lease}});
  if (!answer) return answer.error();
  const auto result = answer->find("result");
  if (result == answer->end() || !result->is_object()) return unknown_answer("a kept lease");
  return id_in(*result, "TTL") != "0";
}

sail::Result<void> EtcdClient::revoke(const std::string& lease) {
  return post("/v3/lease/revoke", {{"ID", lease}}).map([](const sail::Json& /*answer*/) {});
}

sail::Result<EtcdClient::Stored> EtcdClient::read() {
  sail::Json asked = sail::Json::array();
  for (const std::string& key : {ruler_key_, term_key_}) {
    asked.push_back({{"request_range", {{"key", key}}}});
  }
  const auto answer = post("/v3/kv/txn", {{"success", std::move(asked)}});
  if (!answer) return answer.error();
  const auto responses = answer->find("responses");
  if (responses == answer->end() || !responses->is_array() || responses->size() != 2) {
    return unknown_answer("a transaction");
  }
  const auto ruler = stored_term((*responses)[0], kRulerKey);
  if (!ruler) return ruler.error();
  const auto last = stored_term((*responses)[1], kTermKey);
  if (!last) return last.error();
  return Stored{.terms = {.ruler = ruler->term, .last = last->term},
                .lease = ruler->lease,
                .ruler_revision = ruler->revision,
                .last_revision = last->revision};
}

sail::Result<bool> EtcdClient::put(uint64_t term, const std::string& lease, const Stored& seen) {
  const auto is_at = [](const std::string& key, const std::string& revision) {
    return sail::Json{
        {"target", "MOD"}, {"result", "EQUAL"}, {"key", key}, {"mod_revision", revision}};
  };
  const std::string value = sail::base64_text(std::to_string(term));
  const sail::Json ruler = {{"key", ruler_key_}, {"value", value}, {"lease", lease}};
  const sail::Json last = {{"key", term_key_}, {"value", value}};
  const auto answer = post(
      "/v3/kv/txn",
      {{"compare", {is_at(ruler_key_, seen.ruler_revision), is_at(term_key_, seen.last_revision)}},
       {"success", {{{"request_put", ruler}}, {{"request_put", last}}}}});
  if (!answer) return answer.error();
  const auto succeeded = answer->find("succeeded");
  return succeeded != answer->end() && succeeded->is_boolean() && succeeded->get<bool>();
}

}  // namespace manager
