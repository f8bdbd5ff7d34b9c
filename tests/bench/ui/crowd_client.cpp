#include "tests/bench/ui/crowd_client.h"

#include <cstdlib>
#include <utility>

#include "sail/core/wire/hello_messages.h"

namespace bench {
namespace {

// The manager writes keys in alphabetical order.
constexpr std::string_view kFigures = R"({"jsonrpc":"2.0","method":"figures",)";

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

CrowdClient::CrowdClient(sail::Loop& loop, const sail::Address& manager, Handlers handlers)
    : handlers_(std::move(handlers)) {
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
  auto message = sail::parse_rpc(line);
  if (!message) return;
  if (const auto* response = std::get_if<sail::RpcResponse>(&*message)) {
    hear(*response);
    return;
  }
  const auto& reported = std::get<sail::RpcRequest>(*message);
  if (reported.method != "changed" || !ready_) return;
  changed_bytes_ += line.size() + 1;
  if (state_.apply(reported.params)) {
    handlers_.on_changed(reported.params);
  } else {
    ++gaps_;
    subscribe();
  }
}

void CrowdClient::hear(const sail::RpcResponse& response) {
  if (!response.result) {
    handlers_.on_error(response.result.error());
  } else if (response.id == subscribing_) {
    state_.begin(*response.result);
    ready_ = true;
    handlers_.on_ready();
  }
}

}  // namespace bench
