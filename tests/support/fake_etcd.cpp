#include "tests/support/fake_etcd.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "sail/core/text/encodings.h"

namespace test {
namespace {

constexpr size_t kMostRequest = 64 << 10;

std::string ok(const std::string& body) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                     body.size(), body);
}

// Reads a request with its body; shorter if the client closes the connection.
std::string request_from(int connection) {
  std::string text;
  std::array<char, 4096> part{};
  for (size_t whole = kMostRequest; text.size() < whole;) {
    const ssize_t count = recv(connection, part.data(), part.size(), 0);
    if (count <= 0) break;
    text.append(part.data(), static_cast<size_t>(count));
    const size_t end = text.find("\r\n\r\n");
    const size_t length = text.find("Content-Length: ");
    if (end == std::string::npos || length > end) continue;
    whole = end + 4 + std::strtoul(text.c_str() + length + 16, nullptr, 10);
  }
  return text;
}

}  // namespace

FakeEtcd::FakeEtcd() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&at), size) != 0 || listen(listener_, 8) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    std::abort();
  }
  port_ = ntohs(at.sin_port);
  thread_ = std::thread([this] { serve(); });
}

FakeEtcd::~FakeEtcd() {
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  close(listener_);
}

sail::Witness FakeEtcd::witness() const {
  return {.servers = {fmt::format("127.0.0.1:{}", port_)}, .prefix = "/test"};
}

void FakeEtcd::answer_always(const std::string& response) {
  const std::lock_guard lock(mutex_);
  always_ = response;
}

void FakeEtcd::be_away(bool away) {
  const std::lock_guard lock(mutex_);
  away_ = away;
}

void FakeEtcd::end_leases() {
  const std::lock_guard lock(mutex_);
  while (!leases_.empty()) end_lease(std::string(*leases_.begin()));
}

void FakeEtcd::put(const std::string& key, const std::string& value) {
  const std::lock_guard lock(mutex_);
  keys_[sail::base64_text(key)] = {sail::base64_text(value), "", ++revision_};
}

std::string FakeEtcd::value(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = keys_.find(sail::base64_text(key));
  if (found == keys_.end()) return "";
  const auto bytes = sail::base64_bytes(found->second.value);
  return bytes ? std::string(bytes->begin(), bytes->end()) : "";
}

void FakeEtcd::serve() {
  for (int connection; (connection = accept(listener_, nullptr, nullptr)) >= 0;) {
    const std::string response = response_to(connection);
    (void)send(connection, response.data(), response.size(), MSG_NOSIGNAL);
    close(connection);
  }
}

std::string FakeEtcd::response_to(int connection) {
  const std::string request = request_from(connection);
  const std::lock_guard lock(mutex_);
  if (away_ || !always_.empty()) return always_;
  const size_t path = request.find(' ') + 1;
  const size_t body = request.find("\r\n\r\n") + 4;
  const auto json = sail::parse_json(request.substr(body), kMostRequest);
  return json ? ok(obey(request.substr(path, request.find(' ', path) - path), *json).dump()) : "";
}

sail::Json FakeEtcd::obey(const std::string& path, const sail::Json& body) {
  if (path == "/v3/lease/grant") {
    const std::string lease = std::to_string(next_lease_++);
    leases_.insert(lease);
    return {{"ID", lease}, {"TTL", body["TTL"]}};
  }
  if (path == "/v3/kv/txn") return transaction(body);
  const std::string lease = body["ID"];
  if (path == "/v3/lease/revoke") {
    end_lease(lease);
    return sail::Json::object();
  }
  sail::Json kept = {{"ID", lease}};
  if (leases_.contains(lease)) kept["TTL"] = "3";
  return {{"result", kept}};
}

sail::Json FakeEtcd::transaction(const sail::Json& body) {
  for (const sail::Json& compare : body.value("compare", sail::Json::array())) {
    const auto found = keys_.find(compare["key"].get<std::string>());
    const int revision = found == keys_.end() ? 0 : found->second.revision;
    if (compare["mod_revision"] != std::to_string(revision)) return sail::Json::object();
  }
  ++revision_;
  sail::Json responses = sail::Json::array();
  for (const sail::Json& asked : body["success"]) {
    if (asked.contains("request_put")) {
      const sail::Json& put = asked["request_put"];
      keys_[put["key"].get<std::string>()] = {put["value"], put.value("lease", ""), revision_};
      responses.push_back({{"response_put", sail::Json::object()}});
      continue;
    }
    sail::Json range = sail::Json::object();
    const std::string key = asked["request_range"]["key"];
    if (const auto found = keys_.find(key); found != keys_.end()) {
      const Entry& entry = found->second;
      sail::Json kv = {
          {"key", key}, {"value", entry.value}, {"mod_revision", std::to_string(entry.revision)}};
      if (!entry.lease.empty()) kv["lease"] = entry.lease;
      range["kvs"] = sail::Json::array({kv});
    }
    responses.push_back({{"response_range", range}});
  }
  return {{"succeeded", true}, {"responses", responses}};
}

void FakeEtcd::end_lease(const std::string& lease) {
  leases_.erase(lease);
  std::erase_if(keys_, [&](const auto& key) { return key.second.lease == lease; });
}

}  // namespace test
