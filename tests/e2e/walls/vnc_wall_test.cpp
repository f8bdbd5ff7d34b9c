// vitrail-vnc and the test's own VNC server (libvncserver): the wall shows the server's desktop,
// and users at the wall control it.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rfb/rfb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sail/apps/vnc/vnc_desktop.h"
#include "tests/support/desktop/child_program.h"
#include "tests/support/desktop/desktop_pictures.h"
#include "tests/support/environment_variable.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "ui/client/answers.h"

namespace test {
namespace {

constexpr sail::Size kVncDesktop{400, 300};

// A listening socket on loopback; port 0: the system chooses.
struct Listening {
  explicit Listening(int wanted_port, int flags) {
    descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    const int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<uint16_t>(wanted_port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    EXPECT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&at), length), 0);
    EXPECT_EQ(listen(descriptor, 8), 0);
    EXPECT_EQ(getsockname(descriptor, reinterpret_cast<sockaddr*>(&at), &length), 0);
    port = ntohs(at.sin_port);
  }
  ~Listening() { close(descriptor); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  int descriptor = -1;
  int port = 0;
};

// A server on loopback with its own thread.
class VncServer {
 public:
  explicit VncServer(int port = 0, const char* password = nullptr)
      : listener_(port, SOCK_NONBLOCK) {
    screen_ = rfbGetScreen(nullptr, nullptr, kVncDesktop.width, kVncDesktop.height, 8, 3, 4);
    screen_->screenData = this;
    // libvncserver would listen at ports of its own choice, so the test passes connections to it.
    screen_->port = 0;
    screen_->ipv6port = 0;
    screen_->alwaysShared = TRUE;
    screen_->desktopName = "Lab 7";
    screen_->cursor = nullptr;
    set_format();
    set_size(kVncDesktop);
    screen_->frameBuffer = pixels_->data();
    if (password != nullptr) {
      passwords_ = {password, nullptr};
      screen_->authPasswdData = const_cast<char**>(passwords_.data());
      screen_->passwordCheck = rfbCheckPasswordByList;
    }
    screen_->ptrAddEvent = [](int buttons, int x, int y, rfbClientPtr client) {
      of(client).note("pointer " + std::to_string(buttons) + " " + std::to_string(x) + "," +
                      std::to_string(y));
      rfbDefaultPtrAddEvent(buttons, x, y, client);
    };
    screen_->kbdAddEvent = [](rfbBool down, rfbKeySym key, rfbClientPtr client) {
      of(client).note((down != FALSE ? "down " : "up ") + std::to_string(key));
    };
    rfbLogEnable(FALSE);
    rfbInitServer(screen_);
    thread_ = std::thread([this] {
      while (!stop_) {
        const std::lock_guard lock(mutex_);
        const int peer = accept4(listener_.descriptor, nullptr, nullptr, SOCK_CLOEXEC);
        if (peer >= 0) rfbNewClient(screen_, peer);
        rfbProcessEvents(screen_, 5000);
      }
    });
  }
  ~VncServer() {
    stop_ = true;
    thread_.join();
    rfbShutdownServer(screen_, TRUE);
    rfbScreenCleanup(screen_);
  }
  VncServer(const VncServer&) = delete;
  VncServer& operator=(const VncServer&) = delete;

  int port() const { return listener_.port; }
  template <typename Colour>
  void draw(const sail::Rect& rect, Colour colour) {
    const std::lock_guard lock(mutex_);
    for (int y = rect.y; y < rect.bottom(); ++y) {
      for (int x = rect.x; x < rect.right(); ++x) {
        const uint32_t pixel = colour(x, y);
        std::memcpy(pixels_->data() + (static_cast<size_t>(y) * static_cast<size_t>(size_.width) +
                                       static_cast<size_t>(x)) *
                                          4,
                    &pixel, 4);
      }
    }
    rfbMarkRectAsModified(screen_, rect.x, rect.y, rect.right(), rect.bottom());
  }
  void resize(sail::Size size) {
    const std::lock_guard lock(mutex_);
    const auto former = std::exchange(pixels_, nullptr);
    set_size(size);
    rfbNewFramebuffer(screen_, pixels_->data(), size.width, size.height, 8, 3, 4);
    set_format();
  }
  std::vector<std::string> noted() {
    const std::lock_guard lock(noted_mutex_);
    return noted_;
  }
  bool came(const std::string& what) {
    const std::lock_guard lock(noted_mutex_);
    return std::ranges::find(noted_, what) != noted_.end();
  }

 private:
  static VncServer& of(rfbClientPtr client) {
    return *static_cast<VncServer*>(client->screen->screenData);
  }
  void set_format() {
    screen_->serverFormat.redShift = 16;
    screen_->serverFormat.greenShift = 8;
    screen_->serverFormat.blueShift = 0;
  }
  void set_size(sail::Size size) {
    size_ = size;
    pixels_ = std::make_unique<std::vector<char>>(static_cast<size_t>(size.width) *
                                                  static_cast<size_t>(size.height) * 4);
  }
  void note(std::string what) {
    const std::lock_guard lock(noted_mutex_);
    noted_.push_back(std::move(what));
  }

  const Listening listener_;
  rfbScreenInfoPtr screen_ = nullptr;
  sail::Size size_;
  std::unique_ptr<std::vector<char>> pixels_;
  std::array<const char*, 2> passwords_{};
  std::mutex mutex_;  // protects all data that the server's thread uses
  std::mutex noted_mutex_;
  std::vector<std::string> noted_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

class VncWall : public testing::Test {
 protected:
  ChildProgram& show(std::vector<std::string> more) {
    std::vector<std::string> words{VNC_PROGRAM, "--codec=raw", "--place=0,0", "--manager",
                                   wall_.manager_address()};
    words.insert(words.end(), more.begin(), more.end());
    program_.emplace(words);
    return *program_;
  }
  static std::string address(int port) { return "127.0.0.1:" + std::to_string(port); }
  bool says(const std::string& text) {
    return eventually([&] { return program_->output().find(text) != std::string::npos; });
  }
  void input(sail::Json fields) {
    fields["window"] = wall_.window()["window"];
    wall_.call("input", fields);
  }
  const EnvironmentVariable path_{"PATH", VNC_FOLDER ":" + std::string(getenv("PATH"))};
  HeadlessWall wall_{one_tile_wall()};
  std::optional<ChildProgram> program_;
};

TEST_F(VncWall, ShowsTheDesktopAndFollowsIt) {
  VncServer server;
  server.draw({0, 0, 400, 300}, waves);
  show({address(server.port())});
  wall_.expect_shown({0, 0, 400, 300}, waves, "as it was");
  EXPECT_EQ(ui::text_member(wall_.window(), "title"), "Lab 7");
  server.draw({130, 70, 64, 64}, stripes);
  const auto changed = [](int x, int y) {
    return sail::Rect{130, 70, 64, 64}.contains(x, y) ? stripes(x, y) : waves(x, y);
  };
  wall_.expect_shown({0, 0, 400, 300}, changed, "after a change");

  server.resize({320, 200});
  server.draw({0, 0, 320, 200}, stripes);
  ASSERT_TRUE(eventually([&] { return wall_.window()["frame_size"] == sail::Json{320, 200}; }));
  wall_.call("place",
             {{"windows", {{{"window", wall_.window()["window"]}, {"rect", {0, 0, 320, 200}}}}}});
  wall_.expect_shown({0, 0, 320, 200}, stripes, "smaller");
  EXPECT_EQ(program_->end(), 0);
}

TEST_F(VncWall, PeopleAtTheWallReachTheDesktop) {
  VncServer server;
  server.draw({0, 0, 400, 300}, waves);
  show({address(server.port())});
  wall_.expect_shown({0, 0, 400, 300}, waves, "as it was");
  input({{"type", "down"}, {"at", {50, 60}}, {"button", 0}, {"buttons", 1}});
  input({{"type", "up"}, {"at", {51, 60}}, {"button", 0}, {"buttons", 0}});
  input({{"type", "wheel"}, {"at", {51, 60}}, {"wheel", {0, 1}}});
  input({{"type", "key_down"}, {"key", "a"}});
  input({{"type", "key_up"}, {"key", "a"}});
  ASSERT_TRUE(eventually([&] { return server.came("up 97"); }));
  // The client sends Shift around a capital letter, unless Shift is held.
  const size_t before = server.noted().size();
  const std::vector<std::pair<const char*, const char*>> keys{
      {"key_down", "Ж"},        {"key_up", "Ж"},          {"key_down", "Shift"},
      {"key_down", "A"},        {"key_up", "A"},          {"key_up", "Shift"},
      {"key_down", "Control"},  {"key_down", "AltGraph"}, {"key_down", "@"},
      {"key_up", "@"},          {"key_up", "AltGraph"},   {"key_up", "Control"},
      {"key_down", "CapsLock"}, {"key_up", "CapsLock"},   {"key_down", "B"},
      {"key_up", "B"}};
  for (const auto& [type, key] : keys) input({{"type", type}, {"key", key}});
  ASSERT_TRUE(eventually([&] { return server.came("up 66"); }));
  auto noted = server.noted();
  noted.erase(noted.begin(), noted.begin() + static_cast<ptrdiff_t>(before));
  EXPECT_THAT(noted,
              testing::ElementsAre("down 65505", "down 16778262", "up 65505", "up 16778262",  // Ж
                                   "down 65505", "down 65", "up 65", "up 65505",              // A
                                   "down 65507", "up 65507", "down 65027", "down 64", "up 64",
                                   "up 65027", "down 65509", "up 65509", "down 66", "up 66"));
  for (const char* what : {"pointer 1 50,60", "pointer 0 51,60", "pointer 16 51,60", "down 97"}) {
    EXPECT_TRUE(server.came(what)) << what;
  }
}

TEST_F(VncWall, AServerThatIsGoneIsTriedUntilItIsBack) {
  auto server = std::make_unique<VncServer>();
  const int port = server->port();
  server->draw({0, 0, 400, 300}, waves);
  show({address(port)});
  wall_.expect_shown({0, 0, 400, 300}, waves, "as it was");
  server.reset();
  EXPECT_TRUE(says("reconnecting"));
  wall_.expect_shown({0, 0, 400, 300}, waves, "its last picture stays");
  server = std::make_unique<VncServer>(port);
  server->draw({0, 0, 400, 300}, stripes);
  wall_.expect_shown({0, 0, 400, 300}, stripes, "it is back");
  EXPECT_EQ(program_->end(), 0);
}

TEST_F(VncWall, PasswordsFromAFile) {
  sail::TempFolder folder;
  VncServer server(0, "open me");
  server.draw({0, 0, 400, 300}, waves);
  show({address(server.port())});
  EXPECT_TRUE(says("the server requires a password (--password-file)")) << program_->output();
  show({address(server.port()), "--password-file", folder.write("wrong", "nothing\n")});
  EXPECT_TRUE(says("the server rejected the password")) << program_->output();
  show({address(server.port()), "--password-file", folder.file("none")});
  EXPECT_TRUE(says("cannot read a password")) << program_->output();
  EXPECT_TRUE(eventually([&] { return program_->exit_code() == 1; }));
  show({address(server.port()), "--password-file", folder.write("right", "open me\n")});
  wall_.expect_shown({0, 0, 400, 300}, waves, "let in");
}

TEST_F(VncWall, UndoAndASessionBringTheDesktopBack) {
  VncServer server;
  // The manager starts it with its own codec, so colours are nearly those.
  const auto blue = [](int, int) { return 0x3060a0U; };
  const auto green = [](int, int) { return 0x20a040U; };
  server.draw({0, 0, 400, 300}, blue);
  show({address(server.port())});
  wall_.expect_shown({0, 0, 400, 300}, blue, "as it was", 12);
  wall_.call("session_save", {{"name", "lab"}});
  wall_.call("close", {{"window", wall_.window()["window"]}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code() == 0; }));
  EXPECT_FALSE(wall_.call("undo").contains("failed"));
  wall_.expect_shown({0, 0, 400, 300}, blue, "started by the manager", 12);
  EXPECT_EQ(wall_.window()["owner"], "vitrail-vnc");
  wall_.call("close", {{"window", wall_.window()["window"]}});
  EXPECT_EQ(wall_.call("session_restore", {{"name", "lab"}})["failed"], sail::Json::array());
  wall_.expect_shown({0, 0, 400, 300}, blue, "with its session", 12);
  server.draw({0, 0, 400, 300}, green);
  wall_.expect_shown({0, 0, 400, 300}, green, "and it follows the desktop", 12);
  wall_.call("close", {{"window", wall_.window()["window"]}});
}

TEST_F(VncWall, ADesktopWithAPasswordIsNotKept) {
  sail::TempFolder folder;
  VncServer server(0, "open me");
  server.draw({0, 0, 400, 300}, waves);
  show({address(server.port()), "--password-file", folder.write("right", "open me\n")});
  wall_.expect_shown({0, 0, 400, 300}, waves, "let in");
  wall_.call("session_save", {{"name", "lab"}});
  const sail::Json kept = wall_.call("session_get", {{"name", "lab"}});
  EXPECT_FALSE(kept["windows"][0].contains("content")) << kept;
  EXPECT_EQ(wall_.call("session_restore", {{"name", "lab"}})["failed"], sail::Json::array());
  EXPECT_FALSE(program_->exit_code()) << "its window stays";
}

TEST(VncAddress, HostsDisplaysAndPorts) {
  using sail::parse_vnc_address;
  EXPECT_EQ(parse_vnc_address("lab7"), (sail::VncAddress{"lab7", 5900}));
  EXPECT_EQ(parse_vnc_address("lab7:1"), (sail::VncAddress{"lab7", 5901}));
  EXPECT_EQ(parse_vnc_address("lab7:6001"), (sail::VncAddress{"lab7", 6001}));
  EXPECT_EQ(parse_vnc_address("lab7::5901"), (sail::VncAddress{"lab7", 5901}));
  EXPECT_EQ(parse_vnc_address("lab7::80"), (sail::VncAddress{"lab7", 80}));
  EXPECT_EQ(parse_vnc_address("[::1]::80"), (sail::VncAddress{"::1", 80}));
  EXPECT_EQ(parse_vnc_address("[::1]:2"), (sail::VncAddress{"::1", 5902}));
  EXPECT_EQ(parse_vnc_address("[::1]"), (sail::VncAddress{"::1", 5900}));
  for (const char* wrong : {"", ":1", "lab7:", "lab7:x", "lab7:70000", "lab7:-1",
                            "lab7::", "lab7::0", "lab7:::1", "[::1", "[::1]x:1"}) {
    EXPECT_FALSE(parse_vnc_address(wrong)) << wrong;
  }
}

// --- invalid and hostile servers

// Answers each connection with these bytes, whatever the client sends.
class Babbler {
 public:
  explicit Babbler(std::string bytes)
      : bytes_(std::move(bytes)), listener_(0, 0), thread_([this] { answer(); }) {}
  ~Babbler() {
    shutdown(listener_.descriptor, SHUT_RDWR);
    thread_.join();
  }
  int port() const { return listener_.port; }

 private:
  void answer() {
    for (;;) {
      const int peer = accept(listener_.descriptor, nullptr, nullptr);
      if (peer < 0) return;
      (void)!::send(peer, bytes_.data(), bytes_.size(), MSG_NOSIGNAL);
      std::array<char, 256> heard{};
      shutdown(peer, SHUT_WR);
      while (recv(peer, heard.data(), heard.size(), 0) > 0) {
      }
      close(peer);
    }
  }
  const std::string bytes_;
  const Listening listener_;
  std::thread thread_;
};

std::string words(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text += static_cast<char>(byte);
  return text;
}

// Version, security "none" and its result, then a desktop of that size with a name.
std::string greeting(int width, int height, const std::string& security = words({1, 1})) {
  return "RFB 003.008\n" + security + words({0, 0, 0, 0}) +
         words({width >> 8, width & 0xff, height >> 8, height & 0xff}) +
         words({32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0, 0, 0, 0, 3}) + "bad";
}

sail::Error error_of(const std::string& bytes) {
  const Babbler server(bytes);
  auto desktop = sail::VncDesktop::connect({"127.0.0.1", server.port()}, "");
  if (!desktop) return desktop.error();
  for (;;) {
    const auto more = (*desktop)->attend(100);
    if (!more) return more.error();
  }
}

TEST(VncDesktop, NoServerAndNoVnc) {
  const int nobody = [] {
    const Babbler gone("");
    return gone.port();
  }();
  const auto refused = sail::VncDesktop::connect({"127.0.0.1", nobody}, "");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sail::ErrorCode::kUnavailable);
  EXPECT_EQ(error_of("HTTP/1.1 400 Bad Request\r\n\r\n").code, sail::ErrorCode::kBadData);
}

TEST(VncDesktop, AServersOwnReasonIsTold) {
  const sail::Error busy = error_of("RFB 003.008\n" + words({0, 0, 0, 0, 4}) + "busy");
  EXPECT_EQ(busy.code, sail::ErrorCode::kBadData);
  EXPECT_THAT(busy.message, testing::EndsWith(": busy"));
  const std::string challenge(16, 'x');
  const Babbler server("RFB 003.008\n" + words({1, 2}) + challenge +
                       words({0, 0, 0, 1, 0, 0, 0, 6}) + "unset\n");
  const auto refused = sail::VncDesktop::connect({"127.0.0.1", server.port()}, "secret");
  ASSERT_FALSE(refused);
  const sail::Error& unset = refused.error();
  EXPECT_EQ(unset.code, sail::ErrorCode::kUnauthorized);
  EXPECT_THAT(unset.message, testing::EndsWith(": unset"));
}

TEST(VncDesktop, OfTheKindsOfSecurityOneThatWorksIsTaken) {
  constexpr int kWithAName = 113;  // MSLogonII
  const Babbler server(greeting(64, 48, words({2, kWithAName, 1})));
  const auto desktop = sail::VncDesktop::connect({"127.0.0.1", server.port()}, "");
  ASSERT_TRUE(desktop) << desktop.error().message;
  EXPECT_EQ((*desktop)->size(), (sail::Size{64, 48}));
  const sail::Error error = error_of(greeting(64, 48, words({1, kWithAName})));
  EXPECT_EQ(error.code, sail::ErrorCode::kUnauthorized);
  EXPECT_THAT(error.message, testing::HasSubstr("name"));
}

TEST(VncDesktop, SizesThatNoDesktopHasAreRefused) {
  const sail::Error error = error_of(greeting(65535, 65535));
  EXPECT_EQ(error.code, sail::ErrorCode::kLimit) << error.message;
  EXPECT_NE(error.message.find("65535x65535"), std::string::npos) << error.message;
  EXPECT_EQ(error_of(greeting(0, 10)).code, sail::ErrorCode::kLimit);
}

TEST(VncDesktop, ARectangleOutsideAndHalfAMessageEndTheConnection) {
  // FramebufferUpdate of one rectangle, raw, at (60, 60) of 64x64 in a desktop of 64x64.
  const std::string outside =
      words({0, 0, 0, 1, 0, 60, 0, 60, 0, 64, 0, 64, 0, 0, 0, 0}) + std::string(64 * 64 * 4, 'x');
  EXPECT_EQ(error_of(greeting(64, 64) + outside).code, sail::ErrorCode::kUnavailable);
  const std::string half = words({0, 0, 0, 1, 0, 0, 0, 0, 0, 64, 0, 64, 0, 0, 0, 0}) + "x";
  EXPECT_EQ(error_of(greeting(64, 64) + half).code, sail::ErrorCode::kUnavailable);
  EXPECT_EQ(error_of(greeting(64, 64) + words({77})).code, sail::ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace test
