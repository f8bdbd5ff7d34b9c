// Runs the examples of a document: blocks "```rpc" with lines "name> request" and "name< answer",
// continued by indented lines. "<number>", "<text>" and "<any>" match any such value.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/rpc.h"
#include "tests/support/loop_test.h"

namespace test {

using sail::Json;

struct Line {
  int number = 0;  // line number in the document
  std::string peer;
  bool sent = false;  // sent by the peer; else received
  Json message;
};

struct Document {
  std::vector<Line> lines;
  std::set<std::string> headings;  // verbs that have a heading
};

Document read_document(const std::string& file_name);

// Returns true if the value matches the document's text.
bool matches(const Json& expected, const Json& value);

// A peer that sends and receives lines, as a user would see them.
class LinePeer : private sail::TcpReader {
 public:
  LinePeer(sail::Loop& loop, const sail::Address& manager) : loop_(loop) {
    const auto guard = sail::TcpConnection::connect(
        loop, manager, [this](auto result) { connection_ = std::move(*result); });
    EXPECT_TRUE(sail::run_until(loop, [&] { return connection_ != nullptr; }));
    connection_->start_reading(*this);
  }
  void send(Json message) {
    message["jsonrpc"] = "2.0";
    send_bytes(message.dump() + "\n");
  }
  // The bytes need not be JSON.
  void send_bytes(std::string_view bytes) {
    connection_->write_copy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  }
  bool closed() const { return closed_; }
  // Returns the next message with this id, or with this method and at least these parameters (a
  // state may be saved, and announced, at any time). It may be behind other messages. Meanwhile it
  // answers pings and the manager's requests, as every receiver does.
  Json next(const Json& like) {
    Json found;
    const bool came = sail::run_until(loop_, [&] {
      while (const auto line = framer_.next()) messages_.push_back(Json::parse(*line));
      const char* key = like.contains("method") ? "method" : "id";
      for (auto it = messages_.begin(); it != messages_.end(); ++it) {
        if (!it->contains(key) || (*it)[key] != like[key] || !has_parameters(*it, like)) continue;
        found = *it;
        messages_.erase(it);
        return true;
      }
      return false;
    });
    EXPECT_TRUE(came) << "nothing like " << like;
    if (found.contains("method") && found.contains("id")) {
      send({{"id", found["id"]}, {"result", Json::object()}});
      found.erase("id");
    }
    found.erase("jsonrpc");
    return found;
  }

 private:
  static bool has_parameters(const Json& message, const Json& like) {
    if (!like.contains("method") || !like.contains("params") || !like["params"].is_object()) {
      return true;
    }
    const Json& params = message.contains("params") ? message["params"] : Json::object();
    return std::ranges::all_of(like["params"].items(),
                               [&](const auto& item) { return params.contains(item.key()); });
  }
  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override {
    framer_.add({reinterpret_cast<const char*>(buffer_.data()), bytes});
  }
  void on_closed(const sail::Error&) override { closed_ = true; }

  sail::Loop& loop_;
  std::unique_ptr<sail::TcpConnection> connection_;
  std::array<uint8_t, 65536> buffer_{};
  bool closed_ = false;
  sail::LineFramer framer_;
  std::deque<Json> messages_;
};

}  // namespace test
