// A film server on its own thread, with a connected client.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <thread>

#include "sail/apps/server/film_server.h"
#include "sail/core/rpc/rpc_client.h"

namespace test {

class FilmServerThread {
 public:
  // The port is chosen by the system. Returns when the server listens.
  explicit FilmServerThread(server::FilmServerOptions options) {
    options.listen = {"127.0.0.1", 0};
    std::promise<sail::Address> listening;
    auto address = listening.get_future();
    thread_ = std::thread([this, options = std::move(options), &listening]() mutable {
      auto server = server::FilmServer::start(loop_, std::move(options),
                                              sail::Log("test", sail::LogLevel::kOff),
                                              [this] { loop_.stop(); });
      server_ = server->get();
      listening.set_value(server_->address());
      loop_.run();
    });
    address_ = address.get();
    client_ = std::move(sail::RpcClient::connect(address_).value());
  }
  ~FilmServerThread() {
    client_.reset();
    loop_.post([this] { server_->shut_down(); });
    thread_.join();
  }
  FilmServerThread(const FilmServerThread&) = delete;
  FilmServerThread& operator=(const FilmServerThread&) = delete;

  const sail::Address& address() const { return address_; }
  sail::Result<sail::Json> ask(std::string_view verb,
                               const sail::Json& params = sail::Json::object()) {
    return client_->call(verb, params, 20'000);
  }
  // Calls a verb that must succeed, and returns its answer.
  sail::Json call(std::string_view verb, const sail::Json& params = sail::Json::object()) {
    auto answer = ask(verb, params);
    EXPECT_TRUE(answer) << verb << ": " << answer.error().message;
    return answer.value_or(sail::Json::object());
  }
  // Runs `act` on the server's thread.
  template <typename Do>
  auto run(const Do& act) {
    std::promise<decltype(act(*server_))> done;
    auto result = done.get_future();
    loop_.post([&] { done.set_value(act(*server_)); });
    return result.get();
  }

 private:
  sail::Loop loop_;
  server::FilmServer* server_ = nullptr;  // on the thread's stack
  sail::Address address_;
  std::thread thread_;
  std::unique_ptr<sail::RpcClient> client_;
};

}  // namespace test
