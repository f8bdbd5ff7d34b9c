// The RTSP server with a handwritten player: states, sessions, limits, ends.
#include "sail/apps/server/rtsp/rtsp_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <future>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "sail/apps/server/rtsp/digest.h"
#include "sail/core/text/text.h"
#include "tests/support/loop_test.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace server {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Waits for every answer; a test's requests fit into a socket's buffer.
class Player {
 public:
  explicit Player(const sail::Address& to) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(to.port);
    inet_pton(AF_INET, to.host.c_str(), &address.sin_addr);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const timeval wait_timeout{sail::kTestDeadlineMs / 1000, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait_timeout, sizeof wait_timeout);
    base_ = "rtsp://" + sail::address_text(to) + "/";
  }
  ~Player() { close(socket_); }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  void send(std::string_view text) {
    EXPECT_EQ(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  // Returns false if the connection has ended.
  bool sends(std::string_view text) {
    return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) > 0;
  }
  std::string request(const std::string& method, const std::string& path,
                      const std::string& headers = "") {
    return method + " " + base_ + path + " RTSP/1.0\r\nCSeq: " + std::to_string(++cseq_) + "\r\n" +
           headers + "\r\n";
  }
  std::string ask(const std::string& method, const std::string& path,
                  const std::string& headers = "") {
    send(request(method, path, headers));
    return answer();
  }
  // Returns the next complete answer, and queues packets before it. Empty: the connection has
  // ended.
  std::string answer() {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
      const std::string byte = read(1);
      if (byte.empty()) return "";
      if (head.empty() && byte == "$") {
        packets_.push_back(packet());
        continue;
      }
      head += byte;
    }
    const size_t at = head.find("Content-Length: ");
    size_t body = 0;
    if (at != std::string::npos) std::from_chars(&head[at + 16], head.data() + head.size(), body);
    return head + read(body);
  }
  // Reads packets until one satisfies the condition.
  bool packets_until(const std::function<bool(const std::string&)>& passes) {
    for (;;) {
      if (packets_.empty()) {
        if (read(1) != "$") return false;
        packets_.push_back(packet());
      }
      const std::string next = packets_.front();
      packets_.erase(packets_.begin());
      if (passes(next)) return true;
    }
  }
  bool has_ended() { return read(1).empty(); }
  uint64_t cseq() const { return cseq_; }

 private:
  std::string read(size_t count) {
    std::string bytes(count, '\0');
    size_t got = 0;
    while (got < count) {
      const ssize_t more = recv(socket_, &bytes[got], count - got, 0);
      if (more <= 0) return "";
      got += static_cast<size_t>(more);
    }
    return bytes;
  }
  // Reads a packet's channel and bytes; the '$' has been read.
  std::string packet() {
    const std::string header = read(3);
    if (header.size() < 3) return "";
    const size_t bytes =
        size_t{static_cast<uint8_t>(header[1])} << 8 | static_cast<uint8_t>(header[2]);
    return header.substr(0, 1) + read(bytes);
  }

  const int socket_;
  std::string base_;
  uint64_t cseq_ = 0;
  std::vector<std::string> packets_;
};

std::string header_of(const std::string& answer, const std::string& name) {
  const size_t at = answer.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 4;
  return answer.substr(begin, answer.find("\r\n", begin) - begin);
}

// The film server, with a storage that can be full.
class FilmsForRtsp : public FilmAccess {
 public:
  explicit FilmsForRtsp(FilmFiles files) : files_(std::move(files)) {}

  const FilmFiles& files() const override { return files_; }
  void find(const std::string&, Answer<CatalogueEntry>) override {}
  void poster(const std::string&, Answer<std::string>) override {}
  sail::Result<Promise> reserve(const std::string& title, const FilmNeed& need) override {
    if (need.best_effort || !full) return std::make_shared<FilmNeed>(need);
    return sail::fail(sail::ErrorCode::kBusy,
                      title + (need.mb_per_s > 0 ? " needs more than there is" : " needs nothing"));
  }

  std::atomic<bool> full{false};

 private:
  const FilmFiles files_;
};

class RtspTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new sail::TempFolder();
    sail::make_clip(*folder_, "film.mp4",
                    "-f lavfi -i testsrc2=s=64x48:r=25 -f lavfi -i sine=r=48000 -t 4 "
                    "-c:v mpeg4 -g 25 -c:a aac");
    folder_->write("text.mp4", "no film at all");
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  void start(RtspOptions options = {}) {
    options.listen = {"127.0.0.1", 0};
    std::promise<void> listening;
    thread_ = std::thread([this, options, &listening] {
      server_ = std::move(
          RtspServer::start(loop_, access_, options, sail::Log("test", sail::LogLevel::kOff))
              .value());
      address_ = server_->address();
      listening.set_value();
      loop_.run();
      server_.reset();
    });
    listening.get_future().wait();
  }
  ~RtspTest() override {
    loop_.stop();
    if (thread_.joinable()) thread_.join();
  }

  std::string session_of(const std::string& answer) {
    const std::string id = header_of(answer, "Session");
    return "Session: " + id.substr(0, id.find(';')) + "\r\n";
  }
  // Sets up a session and returns its Session header.
  std::string set_up(Player& player) {
    const std::string answer =
        player.ask("SETUP", "film.mp4/streamid=0", "Transport: RTP/AVP/TCP;interleaved=0-1\r\n");
    EXPECT_THAT(answer, StartsWith("RTSP/1.0 200 "));
    return session_of(answer);
  }

  static sail::TempFolder* folder_;
  FilmsForRtsp access_{{Library::open(folder_->file("")).value(), FilmStorage::create()}};
  sail::Loop loop_;
  std::unique_ptr<RtspServer> server_;
  sail::Address address_;
  std::thread thread_;
};
sail::TempFolder* RtspTest::folder_ = nullptr;

bool is_media(const std::string& packet) {
  return packet.size() > 12 && packet[0] == 0 && (packet[2] & 0x7f) == 96;
}

TEST_F(RtspTest, AFullStorageRefusesAFilmOrGivesItWhatIsLeft) {
  access_.full = true;
  start();
  Player player(address_);
  const std::string transport = "Transport: RTP/AVP/TCP;interleaved=0-1\r\n";
  const std::string refused = player.ask("SETUP", "film.mp4/streamid=0", transport);
  EXPECT_THAT(refused, StartsWith("RTSP/1.0 453 "));
  EXPECT_THAT(refused, HasSubstr("film.mp4 needs more than there is"));
  EXPECT_THAT(player.ask("DESCRIBE", "film.mp4"), StartsWith("RTSP/1.0 200 "));
  EXPECT_THAT(player.ask("SETUP", "film.mp4/streamid=0", transport), StartsWith("RTSP/1.0 453 "));
  const std::string described = player.ask("DESCRIBE", "film.mp4?best_effort");
  EXPECT_THAT(header_of(described, "Content-Base"), testing::EndsWith("/film.mp4/"));
  const std::string answer = player.ask("SETUP", "film.mp4/streamid=0", transport);
  EXPECT_THAT(answer, StartsWith("RTSP/1.0 200 "));
  EXPECT_THAT(player.ask("PLAY", "film.mp4/", session_of(answer)), StartsWith("RTSP/1.0 200 "));
  EXPECT_TRUE(player.packets_until(is_media));
}

TEST_F(RtspTest, AFilmIsDescribedSetUpPlayedPausedAndEnds) {
  start();
  Player player(address_);
  EXPECT_THAT(header_of(player.ask("OPTIONS", ""), "Public"), HasSubstr("DESCRIBE"));
  const std::string described = player.ask("DESCRIBE", "film.mp4");
  EXPECT_THAT(described, HasSubstr("\r\nCSeq: 2\r\n"));
  EXPECT_THAT(header_of(described, "Content-Base"), testing::EndsWith("/film.mp4/"));
  for (const char* line : {"s=film.mp4\r\n", "a=range:npt=0-4.", "m=video 0 RTP/AVP 96\r\n",
                           "a=control:streamid=0\r\n", "m=audio 0 RTP/AVP 97\r\n"}) {
    EXPECT_THAT(described, HasSubstr(line));
  }
  const std::string session = set_up(player);
  const std::string second = player.ask("SETUP", "film.mp4/streamid=1",
                                        "Transport: RTP/AVP/TCP;interleaved=2-3\r\n" + session);
  EXPECT_THAT(header_of(second, "Transport"), HasSubstr("interleaved=2-3"));
  const std::string playing = player.ask("PLAY", "film.mp4/", "Range: npt=2.5-\r\n" + session);
  EXPECT_THAT(header_of(playing, "Range"), StartsWith("npt=2.000000-4."))
      << "from the key picture before";
  EXPECT_THAT(header_of(playing, "RTP-Info"), HasSubstr("streamid=1;seq="));
  EXPECT_TRUE(player.packets_until(is_media));
  EXPECT_THAT(player.ask("PAUSE", "film.mp4/", session), StartsWith("RTSP/1.0 200 "));
  const std::string again = player.ask("PLAY", "film.mp4/", session);
  EXPECT_THAT(header_of(again, "RTP-Info"), HasSubstr(";seq="));
  EXPECT_TRUE(player.packets_until([](const std::string& packet) {
    return packet[0] == 1 && packet[packet.size() - 7] == static_cast<char>(203);
  })) << "it says goodbye at the end";
  EXPECT_THAT(player.ask("TEARDOWN", "film.mp4/", session), StartsWith("RTSP/1.0 200 "));
}

// Compares a line with the expected one, where '*' matches anything.
bool is_like(std::string_view line, std::string_view page) {
  const size_t star = page.find('*');
  if (star == std::string_view::npos) return line == page;
  if (!line.starts_with(page.substr(0, star))) return false;
  for (size_t at = star; at <= line.size(); ++at) {
    if (is_like(line.substr(at), page.substr(star + 1))) return true;
  }
  return false;
}

bool has_line_like(const std::string& answer, std::string_view page) {
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    if (is_like(sail::trimmed(line), page)) return true;
  }
  return false;
}

// Requests and lines of their answers, in order; '*' stands for values that differ.
constexpr const char* kRtspConversation = R"(> DESCRIBE rtsp://*/film.mp4 RTSP/1.0
> CSeq: 1
< RTSP/1.0 200 OK
< CSeq: 1
< Content-Base: rtsp://*/film.mp4/
< Content-Type: application/sdp
> SETUP rtsp://*/film.mp4/streamid=0 RTSP/1.0
> CSeq: 2
> Transport: RTP/AVP/TCP;unicast;interleaved=0-1
< RTSP/1.0 200 OK
< CSeq: 2
< Transport: RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=*
< Session: *;timeout=60
> PLAY rtsp://*/film.mp4/ RTSP/1.0
> CSeq: 3
> Session: *
> Range: npt=2.5-
< RTSP/1.0 200 OK
< CSeq: 3
< Range: npt=2.000000-4.*
< RTP-Info: url=rtsp://*/film.mp4/streamid=0;seq=*;rtptime=*
> PAUSE rtsp://*/film.mp4/ RTSP/1.0
> CSeq: 4
> Session: *
< RTSP/1.0 200 OK
> SETUP rtsp://*/film.mp4/streamid=1 RTSP/1.0
> CSeq: 5
> Session: *
> Transport: RTP/AVP;multicast
< RTSP/1.0 461 Unsupported Transport
> PLAY rtsp://*/film.mp4/ RTSP/1.0
> CSeq: 6
> Session: another
< RTSP/1.0 454 Session Not Found
> TEARDOWN rtsp://*/film.mp4/ RTSP/1.0
> CSeq: 7
> Session: *
< RTSP/1.0 200 OK
)";

TEST_F(RtspTest, APlayersConversationIsAnsweredLineByLine) {
  start();
  std::istringstream page(kRtspConversation);
  std::string line;
  Player player(address_);
  std::string session;
  std::string sent;
  std::string came;
  int answers = 0;
  while (std::getline(page, line)) {
    std::string text = line.substr(2);
    if (line.starts_with(">")) {
      const size_t star = text.find('*');
      const std::string known =
          text.starts_with("Session") ? session : sail::address_text(address_);
      if (star != std::string::npos) text.replace(star, 1, known);
      sent += text + "\r\n";
      continue;
    }
    if (!sent.empty()) {
      player.send(std::exchange(sent, "") + "\r\n");
      came = player.answer();
      ++answers;
      if (session.empty()) session = header_of(came, "Session").substr(0, 32);
    }
    EXPECT_TRUE(has_line_like(came, text)) << "expected: " << text << "\ncame: " << came;
  }
  EXPECT_EQ(answers, 7);
}

TEST_F(RtspTest, PacketsFollowOneAnotherThroughPausesAndJumps) {
  start();
  Player player(address_);
  const std::string session = set_up(player);
  std::optional<uint16_t> last;
  for (const char* range : {"Range: npt=0-\r\n", "", "Range: npt=3-\r\n", "Range: npt=0-\r\n"}) {
    const std::string reported =
        header_of(player.ask("PLAY", "film.mp4", range + session), "RTP-Info");
    unsigned first = 0;
    std::from_chars(&reported[reported.find(";seq=") + 5], reported.data() + reported.size(),
                    first);
    bool seen = false;
    EXPECT_TRUE(player.packets_until([&](const std::string& packet) {
      if (!is_media(packet)) return false;
      const auto number = static_cast<uint16_t>(static_cast<uint8_t>(packet[3]) << 8 |
                                                static_cast<uint8_t>(packet[4]));
      if (last) {
        EXPECT_EQ(number, static_cast<uint16_t>(*last + 1));
      }
      last = number;
      seen |= number == first;
      return seen;
    })) << "what the answer names comes";
    player.ask("PAUSE", "film.mp4", session);
  }
}

TEST_F(RtspTest, WhatCannotBeIsRefused) {
  start();
  Player player(address_);
  const auto status = [](const std::string& answer) { return answer.substr(9, 3); };
  EXPECT_EQ(status(player.ask("DESCRIBE", "nothing.mp4")), "404");
  EXPECT_EQ(status(player.ask("DESCRIBE", "../film.mp4")), "404");
  EXPECT_EQ(status(player.ask("DESCRIBE", "text.mp4")), "415");
  EXPECT_EQ(status(player.ask("RECORD", "film.mp4")), "501");
  EXPECT_EQ(status(player.ask("PLAY", "film.mp4")), "455");
  EXPECT_EQ(status(player.ask("PLAY", "film.mp4", "Session: 123\r\n")), "454");
  const std::string refused = player.ask("OPTIONS", "", "Require: funky-feature\r\n");
  EXPECT_EQ(status(refused), "551");
  EXPECT_EQ(header_of(refused, "Unsupported"), "funky-feature");
  const std::string tcp = "Transport: RTP/AVP/TCP;interleaved=0-1\r\n";
  EXPECT_EQ(status(player.ask("SETUP", "film.mp4/streamid=0")), "461");
  EXPECT_EQ(status(player.ask("SETUP", "film.mp4", tcp)), "459");
  EXPECT_EQ(status(player.ask("SETUP", "film.mp4/streamid=2", tcp)), "404");
  EXPECT_EQ(status(player.ask("PLAY", "film.mp4")), "455") << "what was refused is no session";
  const std::string session = set_up(player);
  EXPECT_EQ(status(player.ask("PLAY", "film.mp4")), "454") << "which session";
  EXPECT_EQ(status(player.ask("PLAY", "film.mp4", "Range: npt=99-\r\n" + session)), "457");
  EXPECT_EQ(status(player.ask("PLAY", "film.mp4", "Range: smpte=0-\r\n" + session)), "457");
  EXPECT_EQ(status(player.ask("PLAY", "other.mp4", session)), "404");
  EXPECT_EQ(status(player.ask("SETUP", "film.mp4/streamid=1", tcp)), "459") << "one session";
  EXPECT_EQ(status(player.ask("GET_PARAMETER", "film.mp4", session)), "200");
  player.send(player.request("GET_PARAMETER", "film.mp4", "Content-Length: 6\r\n") + "speed\n");
  EXPECT_EQ(status(player.answer()), "451");
  player.send("OPTIONS * RTSP/2.0\r\nCSeq: 1\r\n\r\n");
  EXPECT_EQ(status(player.answer()), "505");
  player.send("OPTIONS * RTSP/1.0\r\n\r\n");
  EXPECT_EQ(status(player.answer()), "400") << "no CSeq";
}

TEST_F(RtspTest, ASessionIsOfItsConnectionAlone) {
  start();
  Player owner(address_);
  const std::string session = set_up(owner);
  Player stranger(address_);
  for (const char* method : {"PLAY", "PAUSE", "TEARDOWN", "OPTIONS", "SETUP"}) {
    EXPECT_THAT(stranger.ask(method, "film.mp4", session), StartsWith("RTSP/1.0 454 ")) << method;
  }
  EXPECT_THAT(owner.ask("PLAY", "film.mp4", session), StartsWith("RTSP/1.0 200 "));
}

TEST_F(RtspTest, RequestsThatComeTogetherAreAnsweredInTheirOrder) {
  start();
  Player player(address_);
  std::string all;
  for (const char* method : {"DESCRIBE", "OPTIONS", "DESCRIBE", "GET_PARAMETER"}) {
    all += player.request(method, "film.mp4") + std::string("$\0\0\2ab", 6);
  }
  player.send(all);
  for (int number = 1; number <= 4; ++number) {
    EXPECT_EQ(header_of(player.answer(), "CSeq"), std::to_string(number));
  }
}

TEST_F(RtspTest, WithAKeyItIsAskedFor) {
  const sail::WallKey wall{"", "a secret of sixteen"};
  start({.key = wall});
  Player player(address_);
  EXPECT_THAT(player.ask("OPTIONS", ""), StartsWith("RTSP/1.0 200 "));
  const std::string asked = header_of(player.ask("DESCRIBE", "film.mp4"), "WWW-Authenticate");
  const auto challenge = parse_digest(asked + ", username=x, response=x");
  ASSERT_TRUE(challenge) << asked;
  const auto authorization = [&](const char* user, const std::string& secret) {
    DigestAnswer digest = *challenge;
    digest.user = user;
    digest.uri = "rtsp://any/film.mp4";
    digest.response = digest_response(digest, secret, "DESCRIBE");
    return "Authorization: Digest username=\"" + digest.user + "\", realm=\"" + digest.realm +
           "\", nonce=\"" + digest.nonce + "\", uri=\"" + digest.uri + "\", response=\"" +
           digest.response + "\"\r\n";
  };
  const std::string viewer = sail::key_named(wall, "viewer").secret;
  const std::string right = authorization("viewer", viewer);
  EXPECT_THAT(player.ask("DESCRIBE", "film.mp4", right), StartsWith("RTSP/1.0 200 "));
  for (const std::string& wrong :
       {authorization("viewer", "another"), authorization("admin", viewer),
        authorization("receiver", sail::key_named(wall, "receiver").secret),
        std::string("Authorization: Basic dmlld2VyOng=\r\n")}) {
    EXPECT_THAT(player.ask("DESCRIBE", "film.mp4", wrong), StartsWith("RTSP/1.0 401 ")) << wrong;
  }
  EXPECT_THAT(player.ask("SETUP", "film.mp4/streamid=0", right), StartsWith("RTSP/1.0 401 "))
      << "what was proved is one method";
  EXPECT_THAT(player.ask("DESCRIBE", "other.mp4", right), StartsWith("RTSP/1.0 401 "))
      << "of one film";
  Player other(address_);
  EXPECT_THAT(other.ask("DESCRIBE", "film.mp4", right), StartsWith("RTSP/1.0 401 "))
      << "and on one connection";
}

TEST_F(RtspTest, NonsenseEndsTheConnection) {
  start();
  for (const std::string& nonsense :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(9000, 'x'),
        std::string("SET_PARAMETER * RTSP/1.0\r\nContent-Length: 5000\r\n\r\n")}) {
    Player player(address_);
    player.send(nonsense);
    EXPECT_THAT(player.answer(), StartsWith("RTSP/1.0 4"));
    EXPECT_TRUE(player.has_ended());
  }
}

TEST_F(RtspTest, WhoIsNotHeardIsGone) {
  start({.timeout_ms = 50});
  Player player(address_);
  EXPECT_TRUE(player.has_ended());
}

TEST_F(RtspTest, FilmsAreAsManyAsMayBe) {
  start({.max_films = 2, .max_films_each = 2});
  std::optional<Player> first(address_);
  Player second(address_);
  Player third(address_);
  set_up(*first);
  EXPECT_THAT(second.ask("DESCRIBE", "film.mp4"), StartsWith("RTSP/1.0 200 "));
  EXPECT_THAT(third.ask("DESCRIBE", "film.mp4"), StartsWith("RTSP/1.0 453 "));
  first.reset();
  std::string answer;
  do {
    answer = third.ask("DESCRIBE", "film.mp4");
  } while (answer.starts_with("RTSP/1.0 453 "));
  EXPECT_THAT(answer, StartsWith("RTSP/1.0 200 "));
}

TEST_F(RtspTest, ThoseWhoPlayNothingMakeRoomAndOthersDoNot) {
  start({.max_unauthenticated = 2});
  Player playing(address_);
  const std::string session = set_up(playing);
  Player oldest(address_);
  EXPECT_THAT(oldest.ask("OPTIONS", ""), StartsWith("RTSP/1.0 200 "));
  Player second(address_);
  EXPECT_THAT(second.ask("OPTIONS", ""), StartsWith("RTSP/1.0 200 "));
  Player third(address_);
  EXPECT_THAT(third.ask("OPTIONS", ""), StartsWith("RTSP/1.0 200 "));
  EXPECT_TRUE(oldest.has_ended());
  EXPECT_THAT(playing.ask("PLAY", "film.mp4", session), StartsWith("RTSP/1.0 200 "));
}

TEST_F(RtspTest, WhoAsksAndDoesNotReadIsDisconnected) {
  start();
  Player player(address_);
  const std::string request = "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n";
  std::string many;
  while (many.size() < 60'000) many += request;
  // Far more data comes back than the sockets' buffers hold: sending fails when the server closes.
  while (player.sends(many)) {
  }
}

}  // namespace
}  // namespace server
