#include "sail/core/http/web_server.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <deque>
#include <optional>

#include "sail/core/http/web_rules.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/socket/listening_socket.h"
#include "tests/unit/sail/core/http/certificate_maker.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr WebAsset kAssets[] = {
    {"/index.html", "text/html", "e1", "<p>hello", "GZIPPED"},
    {"/remote/index.html", "text/html", "e2", "<p>remote", "", "style-src 'self' 'sha256-abc'"}};

// With TLS and without.
class WebServerTest : public testing::TestWithParam<bool> {
 protected:
  void start(WebServer::Handlers handlers, WebServerOptions options = {}) {
    options.listen = kAnyPort;
    if (GetParam()) {
      auto certificate = WebCertificate::load(make_certificate(folder_, "shown"));
      ASSERT_TRUE(certificate) << certificate.error().message;
      options.certificate = std::move(*certificate);
    }
    options.assets = kAssets;
    auto started = WebServer::start(loop_, options, std::move(handlers));
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
  }
  using OnRequest = std::function<void(std::shared_ptr<WebExchange>)>;
  using OnSocket = std::function<void(std::unique_ptr<MessageChannel>)>;
  static WebServer::Handlers requests(OnRequest on_request) { return {std::move(on_request), {}}; }
  static WebServer::Handlers sockets(OnSocket on_socket) { return {{}, std::move(on_socket)}; }
  // Opens a connection and sends `text`.
  std::unique_ptr<TcpConnection> say(std::string_view text, Collector& into) {
    return say(text, into, GetParam() ? TlsUse::kAlways : TlsUse::kNever);
  }
  std::unique_ptr<TcpConnection> say(std::string_view text, Collector& into, TlsUse tls) {
    std::unique_ptr<TcpConnection> connection;
    const auto guard = TcpConnection::connect(loop_, server_->address(),
                                              [&](auto connected) {
                                                EXPECT_TRUE(connected) << connected.error().message;
                                                connection = std::move(*connected);
                                              },
                                              {.tls = tls});
    EXPECT_TRUE(run_until(loop_, [&] { return connection != nullptr; }));
    connection->start_reading(into);
    connection->write_copy(as_bytes(text));
    return connection;
  }
  std::string host() const { return address_text(server_->address()); }
  // Returns the whole answer of a connection that closes after it.
  std::string ask(const std::string& line, const std::string& headers = "",
                  const std::string& body = "") {
    Collector answer;
    const auto connection = say(line + " HTTP/1.1\r\nHost: " + host() +
                                    "\r\nConnection: close\r\n" + headers + "\r\n" + body,
                                answer);
    EXPECT_TRUE(run_until(loop_, [&] { return answer.closed.has_value(); })) << line;
    return answer.text();
  }
  // A WebSocket frame; its mask of zeros changes nothing.
  static std::string frame_of(char kind, const std::string& payload) {
    const auto size = static_cast<uint16_t>(payload.size());
    return std::string{kind, '\xfe', static_cast<char>(size >> 8), static_cast<char>(size)} +
           std::string(4, '\0') + payload;
  }
  std::string upgrade(const std::string& origin) {
    return "GET /control HTTP/1.1\r\nHost: " + host() + "\r\nOrigin: " + origin +
           "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: vitrail\r\n\r\n";
  }

  TempFolder folder_;
  Loop loop_;
  std::unique_ptr<WebServer> server_;
};
INSTANTIATE_TEST_SUITE_P(, WebServerTest, testing::Bool(),
                         [](const auto& with) { return with.param ? "Tls" : "Plain"; });

TEST_P(WebServerTest, ServesAssets) {
  start({});
  const std::string answer = ask("GET /");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n<p>hello"));
  EXPECT_THAT(answer, HasSubstr("\r\nContent-Security-Policy: default-src 'self';"));
  EXPECT_THAT(answer, HasSubstr("; frame-ancestors 'none'\r\n"));
  EXPECT_THAT(ask("GET /index.html", "Accept-Encoding: gzip\r\n"), EndsWith("\r\n\r\nGZIPPED"));
  EXPECT_THAT(ask("GET /index.html", "If-None-Match: \"e1\"\r\n"), StartsWith("HTTP/1.1 304"));
  EXPECT_THAT(ask("HEAD /"), EndsWith("\r\n\r\n"));
  EXPECT_THAT(ask("GET /nothing"), StartsWith("HTTP/1.1 404"));
}

TEST_P(WebServerTest, AFolderIsServedByItsIndex) {
  start({});
  const std::string folder = ask("GET /remote/");
  EXPECT_THAT(folder, EndsWith("\r\n\r\n<p>remote"));
  EXPECT_THAT(folder, HasSubstr("; frame-ancestors 'none'; style-src 'self' 'sha256-abc'\r\n"));
  const std::string moved = ask("GET /remote");
  EXPECT_THAT(moved, StartsWith("HTTP/1.1 308"));
  EXPECT_THAT(moved, HasSubstr("\r\nLocation: remote/\r\n"));
  EXPECT_THAT(ask("GET /nothing/"), StartsWith("HTTP/1.1 404"));
}

TEST_P(WebServerTest, HandlersReadBodiesPiecewiseAndMayAnswerLater) {
  std::shared_ptr<WebExchange> asked;
  std::string body;
  bool whole = false;
  start(requests([&](const std::shared_ptr<WebExchange>& exchange) {
    asked = exchange;
    EXPECT_EQ(exchange->method(), "PATCH");
    EXPECT_EQ(exchange->path(), "/a b");
    EXPECT_EQ(exchange->query("x"), "1&2");
    EXPECT_EQ(exchange->query("y"), std::nullopt);
    EXPECT_EQ(exchange->header("upload-offset"), "7");
    EXPECT_EQ(exchange->header("upload-length"), std::nullopt);
    EXPECT_EQ(exchange->body_size(), 300'000U);
    exchange->read_body({.on_bytes =
                             [&](std::string_view bytes) {
                               body += bytes;
                               asked->pause_body();
                               loop_.post([&] { asked->resume_body(); });
                             },
                         .on_end = [&] { whole = true; },
                         .on_gone = [] { ADD_FAILURE() << "the client was there"; }});
  }));
  std::string sent;
  for (int i = 0; i < 300'000; ++i) sent += static_cast<char>('a' + i % 23);
  Collector answer;
  const auto connection = say("PATCH /a%20b?x=1%262 HTTP/1.1\r\nHost: " + host() +
                                  "\r\nUpload-Offset: 7\r\nContent-Length: 300000\r\n\r\n" + sent,
                              answer);
  ASSERT_TRUE(run_until(loop_, [&] { return whole; }));
  EXPECT_EQ(body, sent);
  run_some(loop_);
  EXPECT_EQ(answer.text(), "");
  asked->answer({201, {{"Location", "/b\r\nEvil: 1"}}, "made"});
  asked->answer({500, {}, "twice"});
  ASSERT_TRUE(run_until(loop_, [&] { return answer.text().ends_with("made"); }));
  EXPECT_THAT(answer.text(), HasSubstr("\r\nLocation: /bEvil: 1\r\n"));
  // The connection stays usable.
  connection->write_copy(as_bytes("GET / HTTP/1.1\r\nHost: " + host() + "\r\n\r\n"));
  ASSERT_TRUE(run_until(loop_, [&] { return answer.text().ends_with("<p>hello"); }));
}

TEST_P(WebServerTest, AnAnswerMayTakeLongerThanAClient) {
  constexpr int64_t kThinkingMs = 3000;
  WebServerOptions options;
  options.client_timeout_s = 1;
  Timer thinking(loop_);
  start(requests([&](const std::shared_ptr<WebExchange>& exchange) {
          thinking.start(kThinkingMs, 0, [exchange] { exchange->answer({200, {}, "at last"}); });
        }),
        options);
  EXPECT_THAT(ask("GET /x"), EndsWith("at last"));
}

TEST_P(WebServerTest, TellsWhenAClientLeftWhileItWaited) {
  std::shared_ptr<WebExchange> asked;
  bool gone = false;
  start(requests([&](const std::shared_ptr<WebExchange>& exchange) {
    asked = exchange;
    exchange->read_body({.on_bytes = {}, .on_end = {}, .on_gone = [&] { gone = true; }});
  }));
  Collector answer;
  auto connection = say("GET /x HTTP/1.1\r\nHost: " + host() + "\r\n\r\n", answer);
  ASSERT_TRUE(run_until(loop_, [&] { return asked != nullptr; }));
  EXPECT_FALSE(gone);
  connection.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return gone; }));
}

TEST_P(WebServerTest, TellsWhenAClientLeftInTheMiddle) {
  std::shared_ptr<WebExchange> asked;
  bool gone = false;
  start(requests([&](const std::shared_ptr<WebExchange>& exchange) {
    asked = exchange;
    exchange->read_body({.on_bytes = [](std::string_view) {},
                         .on_end = [] { ADD_FAILURE() << "it was not whole"; },
                         .on_gone = [&] { gone = true; }});
  }));
  Collector answer;
  auto connection =
      say("POST /x HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 100\r\n\r\nhalf", answer);
  ASSERT_TRUE(run_until(loop_, [&] { return asked != nullptr; }));
  connection.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return gone; }));
  asked->answer({200, {}, "nobody hears"});
}

TEST_P(WebServerTest, ARequestBeforeTheAnswerHarmsNobodyElse) {
  std::vector<std::shared_ptr<WebExchange>> asked;
  start(requests([&](const std::shared_ptr<WebExchange>& exchange) {
    asked.push_back(exchange);
    exchange->read_body({.on_bytes = [](std::string_view) {},
                         .on_end =
                             [exchange = exchange.get()] {
                               exchange->answer({200, {}, "done"});
                             },
                         .on_gone = [] {}});
  }));
  const std::string post =
      "POST /x HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 2\r\n\r\n{}";
  Collector both;
  const auto connection = say(post + post, both);
  ASSERT_TRUE(run_until(loop_, [&] { return both.closed.has_value(); }));
  Collector other;
  const auto next = say(post, other);
  EXPECT_TRUE(run_until(loop_, [&] { return other.text().find("done") != std::string::npos; }));
}

TEST_P(WebServerTest, WhoIsAnsweredEarlyIsHeardOut) {
  const std::string body(5'000'000, 'x');
  start(requests([](const auto& exchange) { exchange->answer({507, {}, "it is full"}); }));
  for (const auto& [header, text] :
       {std::pair("", "it is full"),
        std::pair("Origin: http://evil.example\r\n", "are refused\n")}) {
    Collector answer;
    const auto connection =
        say(fmt::format("POST /x HTTP/1.1\r\nHost: {}\r\n{}Content-Length: {}\r\n\r\n", host(),
                        header, body.size()),
            answer);
    connection->stop_reading();  // until all is sent, as most clients do
    std::optional<bool> said;
    const std::span<const uint8_t> parts[] = {as_bytes(body)};
    connection->write(parts, [&](bool handed) { said = handed; });
    ASSERT_TRUE(run_until(loop_, [&] { return said.has_value(); }));
    EXPECT_TRUE(*said);
    connection->start_reading(answer);
    ASSERT_TRUE(run_until(loop_, [&] { return answer.closed.has_value(); }));
    EXPECT_THAT(answer.text(), EndsWith(text));
    EXPECT_EQ(answer.closed->code, ErrorCode::kUnavailable) << answer.closed->message;
  }
}

TEST_P(WebServerTest, NobodyIsHeardOutForEver) {
  WebServerOptions options;
  options.client_timeout_s = 1;
  start(requests([](const auto& exchange) { exchange->answer({507, {}, "it is full"}); }), options);
  Collector answer;
  const auto connection =
      say("POST /x HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 5000000\r\n\r\n", answer);
  Timer drip(loop_);
  drip.start(50, 50, [&] {
    if (!answer.closed) connection->write_copy(as_bytes("x"));
  });
  EXPECT_TRUE(run_until(loop_, [&] { return answer.closed.has_value(); }));
  EXPECT_THAT(answer.text(), EndsWith("it is full"));
}

TEST_P(WebServerTest, ALargeAnswerToASlowReaderComesWhole) {
  const std::string large(5'000'000, 'x');
  start(requests([&](const auto& exchange) { exchange->answer({200, {}, large}); }));
  EXPECT_THAT(ask("GET /large").size(), testing::Gt(large.size()));
}

TEST_P(WebServerTest, ForeignPagesAndChunkedBodiesAreRefused) {
  start(requests([](const auto&) { ADD_FAILURE() << "it was refused"; }));
  EXPECT_THAT(ask("GET /", "Origin: http://evil.example\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(ask("POST /x", "Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\n\r\n"),
              StartsWith("HTTP/1.1 411"));
}

TEST_P(WebServerTest, ForeignPagesMayAskAServerThatIsForAllSites) {
  WebServerOptions options;
  options.pages_of_all_sites = true;
  start(requests([](const auto& exchange) { exchange->answer(text_answer(200, "yes")); }), options);
  EXPECT_THAT(ask("OPTIONS /x", "Origin: http://evil.example\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_P(WebServerTest, LengthsThatCanBeReadTwoWaysAreRefused) {
  start(requests([](const auto& exchange) {
    ADD_FAILURE() << exchange->method() << " " << exchange->path() << " was taken";
    exchange->answer({200, {}, ""});
  }));
  for (const char* headers :
       {"Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5, 5\r\n", "Content-Length: -5\r\n", "Content-Length: +5\r\n",
        "Content-Length: 5x\r\n", "Content-Length: 0x5\r\n", "Content-Length: 5 5\r\n",
        "Content-Length: 99999999999999999999\r\n", "Content-Length: 18446744073709551621\r\n",
        "Content-Length: 4294967301\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "Content-Length : 5\r\n",
        "Content-Length\t: 5\r\n", "Transfer-Encoding : chunked\r\n"}) {
    const std::string answer = ask("POST /x", headers, "GET /smuggled HTTP/1.1\r\n\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400")) << headers;
    EXPECT_THAT(answer, Not(HasSubstr("HTTP/1.1 2"))) << headers;
  }
}

TEST_P(WebServerTest, ConnectionsThatAskForNothingMakeRoom) {
  WebServerOptions options;
  options.max_connections = 4;
  std::shared_ptr<WebExchange> asked;
  start(requests([&](const auto& exchange) { asked = exchange; }), options);
  Collector waiting;
  const auto busy = say("GET /slow HTTP/1.1\r\nHost: " + host() + "\r\n\r\n", waiting);
  ASSERT_TRUE(run_until(loop_, [&] { return asked != nullptr; }));
  std::vector<std::unique_ptr<TcpConnection>> idle;
  std::deque<Collector> heard;
  for (int i = 0; i < 20; ++i)
    idle.push_back(say(i % 2 == 0 ? "" : "GET /x", heard.emplace_back()));
  EXPECT_THAT(ask("GET /"), EndsWith("<p>hello"));
  EXPECT_TRUE(run_until(loop_, [&] { return heard[0].closed && heard[16].closed; }));
  EXPECT_FALSE(heard[19].closed) << "the newest stay";
  asked->answer({200, {}, "at last"});
  EXPECT_TRUE(run_until(loop_, [&] { return waiting.text().ends_with("at last"); }));
  // It has no pending request any more.
  for (int i = 0; i < 4; ++i) idle.push_back(say("", heard.emplace_back()));
  EXPECT_TRUE(run_until(loop_, [&] { return waiting.closed.has_value(); }));
}

TEST_P(WebServerTest, ConnectionsThatAreAllBusyAreEnough) {
  WebServerOptions options;
  options.max_connections = 2;
  std::vector<std::shared_ptr<WebExchange>> asked;
  start(requests([&](const auto& exchange) { asked.push_back(exchange); }), options);
  const std::string request = "GET /slow HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
  Collector one;
  Collector two;
  const auto first = say(request, one);
  const auto second = say(request, two);
  ASSERT_TRUE(run_until(loop_, [&] { return asked.size() == 2; }));
  Collector three;
  const auto third = say(request, three, TlsUse::kAsItComes);
  EXPECT_TRUE(run_until(loop_, [&] { return three.closed.has_value(); }));
  EXPECT_EQ(three.text(), "");
  for (const auto& exchange : asked) exchange->answer({200, {}, "done"});
  EXPECT_TRUE(run_until(
      loop_, [&] { return one.text().ends_with("done") && two.text().ends_with("done"); }));
}

// Collects the messages of a channel.
struct Taken : MessageChannel::Reader {
  void on_received() override {
    for (;;) {
      auto next = channel->next();
      if (!next) mistake = next.error();
      if (!next || !*next) return;
      messages.emplace_back(**next);
    }
  }
  void on_closed(const Error&) override {}
  std::unique_ptr<MessageChannel> channel;
  std::vector<std::string> messages;
  std::optional<Error> mistake;
};

// Sends a binary message of the maximum size, a text, and a binary message that is too long.
class WebMessagesTest : public WebServerTest {
 protected:
  void take(bool binary) {
    WebServerOptions options;
    options.messages = {.binary = binary, .most_bytes = 1000};
    start(sockets([&](std::unique_ptr<MessageChannel> channel) {
            taken.channel = std::move(channel);
            taken.channel->start_reading(taken);
          }),
          options);
    Collector answer;
    const auto connection = say(upgrade("http://" + host()), answer);
    ASSERT_TRUE(run_until(loop_, [&] { return taken.channel != nullptr; }));
    connection->write_copy(as_bytes(frame_of('\x82', longest) + frame_of('\x81', "text") +
                                    frame_of('\x82', longest + "x")));
    ASSERT_TRUE(run_until(loop_, [&] { return taken.mistake.has_value(); }));
    taken.channel.reset();
  }

  const std::string longest = std::string("\0\xff\x80", 3) + std::string(997, 'x');
  Taken taken;
};
INSTANTIATE_TEST_SUITE_P(, WebMessagesTest, testing::Bool(),
                         [](const auto& with) { return with.param ? "Tls" : "Plain"; });

TEST_P(WebMessagesTest, BinaryOnesComeWhereTheyMay) {
  take(true);
  EXPECT_EQ(taken.messages, (std::vector<std::string>{longest, "text"}));
  EXPECT_EQ(taken.mistake->code, ErrorCode::kLimit);
}

TEST_P(WebMessagesTest, BinaryOnesComeNowhereElse) {
  take(false);
  EXPECT_EQ(taken.messages, std::vector<std::string>{});
  EXPECT_EQ(taken.mistake->code, ErrorCode::kInvalidRequest);
}

TEST_P(WebServerTest, APageMayComeFromAnotherPort) {
  WebServerOptions options;
  options.page_of_other_port = true;
  start(sockets([](const auto&) {}), options);
  for (const char* origin : {"http://127.0.0.1:7441", "https://127.0.0.1"}) {
    Collector answer;
    const auto connection = say(upgrade(origin), answer);
    EXPECT_TRUE(run_until(loop_, [&] { return answer.text().starts_with("HTTP/1.1 101"); }));
  }
  for (const char* origin : {"http://127.0.0.2:7441", "http://evil.example", "null", "://"}) {
    Collector answer;
    const auto connection = say(upgrade(origin), answer);
    EXPECT_TRUE(run_until(loop_, [&] { return answer.text().starts_with("HTTP/1.1 403"); }))
        << origin;
  }
}

TEST_P(WebServerTest, ListensWhereASocketDoesAlready) {
  auto socket = listening_socket(kAnyPort);
  ASSERT_TRUE(socket) << socket.error().message;
  const auto at = listening_address(socket->get());
  ASSERT_TRUE(at);
  WebServerOptions options;
  options.listening = socket->take();
  start({}, options);
  EXPECT_EQ(server_->address(), *at);
  EXPECT_THAT(ask("GET /"), EndsWith("<p>hello"));
  EXPECT_EQ(listening_address(STDERR_FILENO), std::nullopt);
}

TEST_P(WebServerTest, AWebSocketIsAChannelForAPeer) {
  std::unique_ptr<RpcPeer> peer;
  std::optional<Error> ended;
  start(sockets([&](std::unique_ptr<MessageChannel> channel) {
    peer = std::make_unique<RpcPeer>(
        loop_, std::move(channel),
        RpcPeer::Handlers{[](const std::string&, const Json& params, const RpcPeer::Reply& reply) {
                            reply(params);
                          },
                          [&](const Error& error) { ended = error; }});
  }));
  Collector answer;
  auto connection = say(upgrade("http://" + host()), answer);
  ASSERT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
  EXPECT_EQ(peer->local_address(), server_->address());
  const std::string message = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}})";
  std::string frame{'\x81', static_cast<char>(0x80 | message.size())};
  connection->write_copy(as_bytes(frame + std::string(4, '\0') + message));
  ASSERT_TRUE(run_until(loop_, [&] { return answer.text().ends_with(R"("result":{"a":1}})"); }))
      << answer.text();
  connection.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return ended.has_value(); }));
}

// A client's text frame with mask 0.
std::string frame(const std::string& message) {
  std::string head{'\x81'};
  if (message.size() < 126) {
    head += static_cast<char>(0x80 | message.size());
  } else {
    head +=
        {'\xfe', static_cast<char>(message.size() >> 8), static_cast<char>(message.size() & 0xff)};
  }
  return head + std::string(4, '\0') + message;
}

TEST_P(WebServerTest, MessagesOfAGuestWaitForTheirTurns) {
  PeerGroup group(loop_);
  std::unique_ptr<RpcPeer> peer;
  start(sockets([&](std::unique_ptr<MessageChannel> channel) {
    peer = std::make_unique<RpcPeer>(
        group, std::move(channel),
        RpcPeer::Handlers{[&](const std::string&, const Json&, const RpcPeer::Reply& reply) {
                            peer->admit(PeerRank::kOther);
                            reply(Json::object());
                          },
                          {}});
  }));
  Collector answer;
  const auto connection = say(upgrade("http://" + host()), answer);
  ASSERT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
  constexpr int kMessages = 3000;
  std::string text;
  for (int i = 1; i <= kMessages; ++i) {
    text +=
        frame(request_line(i, "echo", {{"text", std::string(static_cast<size_t>(i % 300), 'x')}}));
  }
  connection->write_copy(as_bytes(text));
  const std::string last = fmt::format("\"id\":{},\"result\":{{}}}}", kMessages);
  ASSERT_TRUE(run_until(loop_, [&] { return answer.text().ends_with(last); }));
  size_t at = 0;
  for (int i = 1; i <= kMessages; ++i) {
    at = answer.text().find(fmt::format("\"id\":{},", i), at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

TEST_P(WebServerTest, AStrangersMessagesAreShort) {
  PeerGroup group(loop_);
  std::unique_ptr<RpcPeer> peer;
  std::optional<Error> ended;
  start(sockets([&](std::unique_ptr<MessageChannel> channel) {
    peer = std::make_unique<RpcPeer>(
        group, std::move(channel),
        RpcPeer::Handlers{[](const auto&...) { ADD_FAILURE() << "it was too long"; },
                          [&](const Error& error) { ended = error; }});
  }));
  Collector answer;
  const auto connection = say(upgrade("http://" + host()), answer);
  ASSERT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
  connection->write_copy(
      as_bytes(frame(R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{"a":")" +
                     std::string(kMaxUnauthenticatedBytes, 'x') + "\"}}")));
  ASSERT_TRUE(run_until(loop_, [&] { return ended && answer.closed; }));
  EXPECT_EQ(ended->code, ErrorCode::kLimit);
}

TEST_P(WebServerTest, APeerMayEndItsSocketInItsOwnCallback) {
  std::unique_ptr<RpcPeer> peer;
  start(sockets([&](std::unique_ptr<MessageChannel> channel) {
    peer = std::make_unique<RpcPeer>(
        loop_, std::move(channel),
        RpcPeer::Handlers{[&](const std::string&, const Json&, const RpcPeer::Reply& reply) {
                            reply(Json("last words"));
                            peer.reset();
                          },
                          {}});
  }));
  Collector answer;
  const auto connection = say(upgrade("http://" + host()), answer);
  ASSERT_TRUE(run_until(loop_, [&] { return peer != nullptr; }));
  const std::string message = R"({"jsonrpc":"2.0","id":1,"method":"x"})";
  connection->write_copy(as_bytes(std::string{'\x81', static_cast<char>(0x80 | message.size())} +
                                  std::string(4, '\0') + message));
  ASSERT_TRUE(run_until(loop_, [&] { return answer.closed.has_value(); }));
  EXPECT_THAT(answer.text(), HasSubstr("last words"));
}

TEST_P(WebServerTest, ForeignSocketsAreRefused) {
  start(sockets([](const auto&) { ADD_FAILURE() << "it was refused"; }));
  Collector answer;
  const auto connection = say(upgrade("http://evil.example"), answer);
  ASSERT_TRUE(run_until(loop_, [&] { return answer.closed.has_value(); }));
  EXPECT_THAT(answer.text(), StartsWith("HTTP/1.1 403"));
}

TEST_P(WebServerTest, MayGoWhileAllIsUnderWay) {
  std::shared_ptr<WebExchange> asked;
  std::unique_ptr<MessageChannel> channel;
  start({.on_request =
             [&](const auto& exchange) {
               asked = exchange;
               exchange->read_body({.on_bytes = [](std::string_view) {},
                                    .on_end = [] {},
                                    .on_gone = [] { ADD_FAILURE() << "nobody hears of it"; }});
             },
         .on_socket = [&](auto came) { channel = std::move(came); }});
  Collector first;
  Collector second;
  const auto request =
      say("POST /x HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 9\r\n\r\nx", first);
  const auto socket = say(upgrade("http://" + host()), second);
  ASSERT_TRUE(run_until(loop_, [&] { return asked && channel; }));
  server_.reset();
  asked->answer({200, {}, "too late"});
  channel->send("too late\n");
  ASSERT_TRUE(run_until(loop_, [&] { return first.closed && second.closed; }));
  EXPECT_EQ(channel->unsent_bytes(), 0U);
}

using WebServerTlsTest = WebServerTest;
INSTANTIATE_TEST_SUITE_P(, WebServerTlsTest, testing::Values(true),
                         [](const auto&) { return "Tls"; });

TEST_P(WebServerTlsTest, WhoSpeaksWithoutIsSentThere) {
  start({.on_request = [](const auto&) { ADD_FAILURE() << "it came without TLS"; },
         .on_socket = [](auto) { ADD_FAILURE() << "it came without TLS"; }});
  const auto answer_to = [this](const std::string& text) {
    Collector answer;
    const auto connection = say(text, answer, TlsUse::kNever);
    EXPECT_TRUE(run_until(loop_, [&] { return answer.closed.has_value(); })) << text;
    return answer.text();
  };
  const std::string headers = " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
  EXPECT_THAT(answer_to("GET /healthz" + headers), StartsWith("HTTP/1.1 307"));
  EXPECT_THAT(answer_to("GET /healthz" + headers),
              HasSubstr("\r\nLocation: https://" + host() + "/healthz\r\n"));
  EXPECT_THAT(answer_to("POST /uploads" + headers), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(answer_to(upgrade("https://" + host())), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(answer_to("\x01 no TLS and no HTTP"), Not(HasSubstr("HTTP")));
  EXPECT_THAT(ask("GET /"), EndsWith("<p>hello"));
}

TEST_P(WebServerTlsTest, HalfHandshakesKeepNobodyOut) {
  WebServerOptions options;
  options.max_connections = 4;
  start({}, options);
  // An incomplete record of a handshake.
  const std::string half("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  std::vector<std::unique_ptr<TcpConnection>> held;
  std::deque<Collector> heard;
  for (int i = 0; i < 40; ++i) {
    held.push_back(say(i % 4 == 0 ? "" : half, heard.emplace_back(), TlsUse::kAsItComes));
  }
  EXPECT_THAT(ask("GET /"), EndsWith("<p>hello"));
  EXPECT_TRUE(run_until(loop_, [&] { return heard[0].closed && heard[35].closed; }));
  EXPECT_FALSE(heard[39].closed) << "the newest stay";
}

TEST_P(WebServerTlsTest, AHalfHandshakeEndsInTime) {
  WebServerOptions options;
  options.client_timeout_s = 1;
  start({}, options);
  Collector heard;
  const auto half = say("\x16\x03\x01", heard, TlsUse::kAsItComes);
  EXPECT_TRUE(run_until(loop_, [&] { return heard.closed.has_value(); }));
}

TEST_P(WebServerTlsTest, ARenewedCertificateIsShownToWhoComesThen) {
  start({});
  const auto renewed = WebCertificate::load(make_certificate(folder_, "renewed"));
  ASSERT_TRUE(renewed);
  std::string digits;
  for (const char letter : renewed->fingerprint()) {
    if (letter != ':') digits += static_cast<char>(std::tolower(letter));
  }
  const auto is_shown = [&] {
    std::optional<bool> shown;
    const auto guard = TcpConnection::connect(
        loop_, server_->address(), [&](auto connected) { shown = connected.has_value(); },
        {.tls = TlsUse::kAlways, .certificate = digits});
    EXPECT_TRUE(run_until(loop_, [&] { return shown.has_value(); }));
    return shown == true;
  };
  EXPECT_FALSE(is_shown());
  ASSERT_TRUE(server_->show(*renewed));
  EXPECT_TRUE(is_shown());
}

TEST_P(WebServerTest, AnOccupiedPortIsAConflict) {
  start({});
  WebServerOptions options;
  options.listen = server_->address();
  const auto second = WebServer::start(loop_, options, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
}

TEST(WebRules, AnOriginIsForeignUnlessItIsTheHost) {
  EXPECT_FALSE(is_foreign_origin("", "a:1"));
  EXPECT_FALSE(is_foreign_origin("http://a:1", "A:1"));
  EXPECT_FALSE(is_foreign_origin("https://wall.example", "wall.example"));
  for (const char* origin : {"null", "http://a", "http://a:2", "http://a:1.evil", "http://evil/a:1",
                             "http://", "file://a:1", "a:1", "http://user@a:1"}) {
    EXPECT_TRUE(is_foreign_origin(origin, "a:1")) << origin;
  }
  EXPECT_TRUE(is_foreign_origin("http://", ""));
}

TEST(WebRules, ALengthIsOneNumber) {
  EXPECT_EQ(body_length("0"), 0U);
  EXPECT_EQ(body_length("4294967301"), 4'294'967'301U);
  for (const char* length : {"", " 5", "5 ", "-5", "+5", "5,5", "5.0", "0x5", "1e3", "५",
                             "1000000000000000000", "99999999999999999999"}) {
    EXPECT_EQ(body_length(length), std::nullopt) << length;
  }
}

TEST(WebRules, AnAssetMayAskOneOriginMore) {
  const AssetRequest alone{"GET", "", "\"e1\""};
  const AssetRequest more{"GET", "", "\"e1\"", "", "http://b:1"};
  EXPECT_EQ(asset_answer(kAssets[0], alone).status, 304);
  WebAnswer answer = asset_answer(kAssets[0], more);
  EXPECT_EQ(answer.status, 200) << "what the browser has may not";
  EXPECT_THAT(answer_head(answer, true), HasSubstr("connect-src 'self' http://b:1; object-src"));
  EXPECT_THAT(answer_head({}, true), HasSubstr("connect-src 'self'; object-src"));
  answer.length = WebAnswer::kEndless;
  EXPECT_THAT(answer_head(answer, false), Not(HasSubstr("Content-Length")));
}

TEST(WebRules, OnlyHostsAndPathsOfOursLeadToHttps) {
  const auto location = [](std::string_view host, std::string_view path) {
    const WebAnswer answer = to_https(true, host, path);
    for (const auto& [name, value] : answer.headers) {
      if (name == "Location") return value;
    }
    return std::string("none");
  };
  EXPECT_EQ(location("wall:7480", "/healthz"), "https://wall:7480/healthz");
  EXPECT_EQ(location("[::1]:7480", "/"), "https://[::1]:7480/");
  EXPECT_EQ(location("wall", "/a b"), "https://wall/");
  EXPECT_EQ(location("wall", "\\x"), "https://wall/");
  for (const char* host : {"", "evil/x", "a@b", "a b", "a\r\nX: 1"}) {
    EXPECT_EQ(location(host, "/"), "none") << host;
  }
  EXPECT_EQ(to_https(false, "wall", "/").status, 403);
}

TEST(WebRules, LoopbackHasFewNames) {
  for (const char* host :
       {"localhost", "localhost:80", "127.0.0.1:7480", "127.1.2.3", "[::1]:80"}) {
    EXPECT_TRUE(is_loopback_host(host)) << host;
  }
  for (const char* host :
       {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil", "10.0.0.1"}) {
    EXPECT_FALSE(is_loopback_host(host)) << host;
  }
}

TEST(WebRules, PagesMayConnectToOtherPortsOfTheirHost) {
  EXPECT_EQ(page_sockets("wall.example:7441"), " ws://wall.example:* wss://wall.example:*");
  EXPECT_EQ(page_sockets("127.0.0.1"), " ws://127.0.0.1:* wss://127.0.0.1:*");
  for (const char* host : {"", "[::1]:7441", "a;b", "a b", "*", "a'b:80"}) {
    EXPECT_EQ(page_sockets(host), "") << host;
  }
  EXPECT_THAT(answer_head(asset_answer(kAssets[0], {"GET", "", "", "a:1"}), true),
              HasSubstr("; connect-src 'self' ws://a:* wss://a:*; object-src"));
}

TEST(WebRules, GzipIsSentToThoseWhoTakeIt) {
  const auto encoded = [](const std::string& accepts) {
    return asset_answer(kAssets[0], {"GET", accepts, ""}).body == "GZIPPED";
  };
  for (const char* accepts : {"gzip", "br, GZIP;q=0.5", "deflate,gzip"})
    EXPECT_TRUE(encoded(accepts));
  for (const char* accepts : {"", "br", "gzip;q=0", "xgzip"}) EXPECT_FALSE(encoded(accepts));
}

TEST(WebRules, SubprotocolsAreWholeNames) {
  EXPECT_TRUE(names_protocol("a, vitrail", "vitrail"));
  EXPECT_FALSE(names_protocol("vitrail2", "vitrail"));
  EXPECT_FALSE(names_protocol("", "vitrail"));
}

}  // namespace
}  // namespace sail
