#include "tests/bench/ui/crowd_client.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <variant>

#include "sail/core/wire/hello_messages.h"
#include "ui/client/answers.h"

namespace bench {
namespace {

// The manager writes keys in alphabetical order.
constexpr std::string_view kFigures = R"({"jsonrpc":"2.0","method":"figures",)";
constexpr std::string_view kChanged = R"({"jsonrpc":"2.0","method":"changed",)";
constexpr size_t kMostKnown = 64;  // lines by which clients may be apart

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

std::shared_ptr<const sail::Json> CrowdChanges::read(std::string_view line) {
  const auto known = std::ranges::find(known_.rbegin(), known_.rend(), line, &Known::line);
  if (known != known_.rend()) return known->params;
  auto message = sail::parse_rpc(line);
  auto* changed = message ? std::get_if<sail::RpcRequest>(&*message) : nullptr;
  if (changed == nullptr) return nullptr;
  if (known_.size() == kMostKnown) known_.pop_front();
  known_.push_back(
      {std::string(line), std::make_shared<const sail::Json>(std::move(changed->params))});
  return known_.back().params;
}

CrowdClient::CrowdClient(sail::Loop& loop, const sail::Address& manager, CrowdChanges& changes,
                         Handlers handlers)
    : changes_(changes), handlers_(std::move(handlers)) {
  connecting_ = sail::TcpConnection::connect(loop, manager,
                                             [this](auto result) { connected(std::move(result)); });
}

void CrowdClient::connected(sail::Result<std::unique_ptr<sail::TcpConnection>> connection) {
  if (!connection) {
    handlers_.on_error(connection.error());
    return;
  }
  connection_ = std::move(*connection);
  connection_->start_reading(*this);
  sail::Hello hello;
  hello.name = "crowd";
  send("hello", to_json(hello));
  subscribe();
}

void CrowdClient::subscribe() {
  ready_ = false;
  subscribing_ = next_id_;
  send("subscribe", {{"figures", true}});
}

void CrowdClient::send(std::string_view method, const sail::Json& params) {
  if (connection_)
    connection_->write_copy(bytes_of(sail::request_line(next_id_++, method, params)));
}

void CrowdClient::on_read(size_t bytes) {
  framer_.add({reinterpret_cast<const char*>(buffer_.data()), bytes});
  while (const auto line = framer_.next()) hear(*line);
}

void CrowdClient::on_closed(const sail::Error& error) {
  connection_.reset();
  handlers_.on_error(error);
}

void CrowdClient::hear(std::string_view line) {
  if (line.starts_with(kFigures)) return;
  if (line.starts_with(kChanged)) return hear_changed(line);
  if (const std::string start = sail::result_start(subscribing_); line.starts_with(start)) {
    return begin(line.substr(start.size(), line.size() - start.size() - 1));
  }
  const auto message = sail::parse_rpc(line);
  const auto* response = message ? std::get_if<sail::RpcResponse>(&*message) : nullptr;
  if (response != nullptr && !response->result) handlers_.on_error(response->result.error());
}

void CrowdClient::hear_changed(std::string_view line) {
  if (!ready_) return;
  changed_bytes_ += line.size() + 1;
  const auto params = changes_.read(line);
  if (!params) return;
  const auto revision = static_cast<uint64_t>(ui::number_member(*params, "revision"));
  if (revision == revision_ || revision == revision_ + 1) {
    revision_ = revision;
    later_.push_back(params);
    handlers_.on_changed(*params);
  } else {
    ++gaps_;
    subscribe();
  }
}

// Keeps the text: to parse it for each client would cost more than the manager's work.
void CrowdClient::begin(std::string_view state) {
  constexpr std::string_view kRevision = R"("revision":)";
  answer_ = state;
  later_.clear();
  const size_t at = state.find(kRevision);
  revision_ = at == std::string_view::npos
                  ? 0
                  : std::strtoull(answer_.c_str() + at + kRevision.size(), nullptr, 10);
  ready_ = true;
  handlers_.on_ready();
}

const test::WallState& CrowdClient::state() {
  if (!answer_.empty()) {
    if (const auto answer = sail::parse_json(answer_, answer_.size())) state_.begin(*answer);
    std::string().swap(answer_);
  }
  for (const auto& params : later_) state_.apply(*params);
  later_.clear();
  return state_;
}

}  // namespace bench
