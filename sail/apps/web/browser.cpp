#include "sail/apps/web/browser.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/environment.h"

namespace sail {
namespace {

constexpr size_t kMostMessageBytes = size_t{16} << 20;
constexpr size_t kReadAtOnce = size_t{64} << 10;
constexpr uint64_t kLeastSharedMemory = uint64_t{1} << 30;
constexpr int kLastSignalOfShells = 128;
// Disables printing, which would write files. Replaces window.open by navigation: a page with a
// window in its own process must not be navigated elsewhere in the meantime.
constexpr const char* kInItsFrames = R"({
window.print = () => {};
window.open = (url) => {
  if (url) top.location.assign(new URL(url, document.baseURI));
  return null;
};
const openDocument = Document.prototype.open;
Document.prototype.open = function (...all) {
  return all.length > 2 ? window.open(all[0]) : openDocument.apply(this, all);
};
})";

bool is_program(const std::filesystem::path& file) {
  return access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file);
}

// Returns an empty string if not found.
std::string find_chromium() {
  const std::string told = environment("VITRAIL_CHROMIUM");
  if (!told.empty()) return is_program(told) ? told : "";
  std::istringstream folders(environment("PATH") + ":/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder) / "chromium";
    if (!folder.empty() && is_program(file)) return file.string();
  }
  return "";
}

bool little_shared_memory() {
  std::error_code error;
  const auto space = std::filesystem::space("/dev/shm", error);
  return error || space.capacity < kLeastSharedMemory;
}

std::vector<std::string> command_line(const BrowserOptions& options, const std::string& chromium,
                                      const std::filesystem::path& profile) {
  // Hide the wall's key and the session's D-Bus from the page's processes.
  std::vector<std::string> words{
      "env", "-u", "VITRAIL_KEY", "-u", "VITRAIL_KEY_FILE",
      "DBUS_SESSION_BUS_ADDRESS=disabled:", "prlimit",
      fmt::format("--data={}", int64_t{options.memory_mb} << 20), chromium,
      // Control, mode and geometry.
      "--remote-debugging-pipe", "--kiosk", "--window-position=0,0",
      fmt::format("--window-size={},{}", options.screen.width, options.screen.height),
      fmt::format("--force-device-scale-factor={}", options.scale),
      // WebGL on the CPU, and compositing without GPU emulation: twice as fast as an emulated GPU.
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
      "--disable-gpu-rasterization", "--user-data-dir=" + profile.string(),
      "--disk-cache-size=104857600", "--renderer-process-limit=4",
      "--autoplay-policy=no-user-gesture-required",
      // Play sound to $PULSE_SERVER or not at all: this ALSA device does not exist.
      "--alsa-output-device=none",
      // No questions to the user and no background activity.
      "--no-first-run", "--no-default-browser-check", "--password-store=basic",
      "--deny-permission-prompts", "--disable-notifications", "--disable-extensions",
      "--disable-default-apps", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--no-pings", "--disable-breakpad", "--disable-crash-reporter",
      "--disable-features=Translate,MediaRouter", "--disable-blink-features=FileSystemAccessLocal",
      "--log-level=3",
      // A page restored from the back-forward cache may not respond, because its scripts are paused
      // (Chromium 156 then reports "microtasks_are_paused"). Load pages again instead.
      "--disable-back-forward-cache"};
  if (!options.sandbox) words.emplace_back("--no-sandbox");
  if (little_shared_memory()) words.emplace_back("--disable-dev-shm-usage");
  if (options.gate != 0) {
    const std::vector<std::string> gated{
        fmt::format("--proxy-server=socks5://127.0.0.1:{}", options.gate),
        "--proxy-bypass-list=<-loopback>", "--disable-quic",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"};
    words.insert(words.end(), gated.begin(), gated.end());
  }
  words.emplace_back("about:blank");
  return words;
}

// Returns "" if the object has no such string.
std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json& object_of(const Json& object, const char* name) {
  static const Json kEmpty = Json::object();
  const auto found = object.find(name);
  return found != object.end() && found->is_object() ? *found : kEmpty;
}

}  // namespace

Result<std::unique_ptr<Browser>> Browser::start(const BrowserOptions& options) {
  const std::string chromium = find_chromium();
  if (chromium.empty()) {
    return fail(ErrorCode::kNotFound, "Chromium is not installed: apt install chromium");
  }
  auto profile = ScratchFolder::make("vitrail-web");
  if (!profile) return profile.error();
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot create a socket: {}", std::strerror(errno)));
  }
  std::unique_ptr<Browser> browser(new Browser(std::move(*profile), ends[0]));
  auto process = ChildProcess::start(command_line(options, chromium, browser->profile_.path()),
                                     {ends[1], ends[1]});
  close(ends[1]);
  if (!process) return process.error();
  browser->process_ = std::move(*process);
  browser->send("Browser.setDownloadBehavior", {{"behavior", "deny"}});
  browser->send("Target.setAutoAttach", {{"autoAttach", true},
                                         {"waitForDebuggerOnStart", false},
                                         {"flatten", true},
                                         {"filter", Json::array({Json{{"type", "page"}}})}});
  return browser;
}

Browser::Browser(ScratchFolder profile, int socket)
    : profile_(std::move(profile)), socket_(socket) {}

Browser::~Browser() {
  close(socket_);  // the browser ends when this is closed
  process_.reset();
}

void Browser::go(const std::string& address) {
  if (session_.empty()) {
    first_ = address;
  } else {
    send("Page.navigate", {{"url", address}}, session_);
  }
}

// In an isolated world, where the page's scripts have changed nothing.
void Browser::ask_address() {
  if (session_.empty() || asked_ != 0) return;
  asked_ =
      send("Page.createIsolatedWorld", {{"frameId", page_}, {"worldName", "vitrail"}}, session_);
}

std::optional<std::string> Browser::ended() {
  if (!lost_.empty()) return lost_;
  const auto code = process_->exit_code();
  if (!code) return std::nullopt;
  if (*code > kLastSignalOfShells) {
    return fmt::format("The browser was terminated by signal {}.", *code - kLastSignalOfShells);
  }
  return fmt::format("The browser exited with code {}.", *code);
}

int64_t Browser::send(const char* method, Json params, const std::string& session) {
  Json message{{"id", ++last_id_}, {"method", method}, {"params", std::move(params)}};
  if (!session.empty()) message["sessionId"] = session;
  // The terminator cannot occur in a message: JSON escapes it.
  std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  text += '\0';
  const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != static_cast<ssize_t>(text.size())) lose("The browser no longer accepts commands.");
  return last_id_;
}

void Browser::pump() {
  read_socket();
  size_t begin = 0;
  for (size_t end; (end = bytes_.find('\0', begin)) != std::string::npos; begin = end + 1) {
    const auto message =
        parse_json(std::string_view(bytes_).substr(begin, end - begin), kMostMessageBytes);
    // Pages can make the browser send invalid JSON. Ignore it.
    if (message && message->is_object()) obey(*message);
  }
  bytes_.erase(0, begin);
  if (bytes_.size() > kMostMessageBytes) lose("The browser sent an invalid message.");
}

void Browser::read_socket() {
  std::array<char, kReadAtOnce> bytes{};
  while (lost_.empty() && bytes_.size() <= kMostMessageBytes) {
    const ssize_t got = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got <= 0) return;  // whether the browser has ended is known from its process
    bytes_.append(bytes.data(), static_cast<size_t>(got));
  }
}

void Browser::obey(const Json& message) {
  const std::string method = text_of(message, "method");
  const Json& params = object_of(message, "params");
  if (method == "Target.attachedToTarget") return attached(params);
  if (method == "Target.detachedFromTarget") return detached(text_of(params, "sessionId"));
  if (!method.empty()) {
    if (text_of(message, "sessionId") == session_) obey_event(method, params);
    return;
  }
  const auto id = message.find("id");
  if (asked_ == 0 || id == message.end() || whole_number(*id, 1, last_id_) != asked_) return;
  asked_ = 0;
  const Json& result = object_of(message, "result");
  if (const auto world = result.find("executionContextId"); world != result.end()) {
    asked_ =
        send("Runtime.evaluate",
             {{"expression", "prompt('Address', location.href)"}, {"contextId", *world}}, session_);
  } else if (const std::string answer = text_of(object_of(result, "result"), "value");
             !answer.empty()) {
    wish_ = answer;
    by_people_ = true;
  }
}

void Browser::obey_event(const std::string& method, const Json& params) {
  if (method == "Page.windowOpen" || (method == "Page.frameRequestedNavigation" &&
                                      text_of(params, "disposition").starts_with("new"))) {
    const std::string address = text_of(params, "url");
    if (!address.starts_with("http")) return;  // windows without address, filled by scripts
    opening_ = address;
  } else if (method == "Page.frameNavigated") {
    const Json& frame = object_of(params, "frame");
    if (!frame.contains("parentId")) address_ = text_of(frame, "url");
  } else if (method == "Inspector.targetCrashed") {
    crashed_ = true;
    asked_ = 0;
  }
}

// The first target is the page; later ones are windows that the page opens.
void Browser::attached(const Json& params) {
  const std::string target = text_of(object_of(params, "targetInfo"), "targetId");
  if (!session_.empty()) {
    send("Target.closeTarget", {{"targetId", target}});
    return;
  }
  session_ = text_of(params, "sessionId");
  page_ = target;
  send("Page.enable", Json::object(), session_);
  send("Page.setInterceptFileChooserDialog", {{"enabled", true}, {"cancel", true}}, session_);
  send("Page.addScriptToEvaluateOnNewDocument", {{"source", kInItsFrames}}, session_);
  send("Inspector.enable", Json::object(), session_);
  if (!first_.empty()) go(std::exchange(first_, {}));
}

void Browser::detached(const std::string& session) {
  if (session == session_) return lose("The page closed itself.");
  if (opening_.empty()) return;
  wish_ = std::exchange(opening_, {});
  by_people_ = false;
}

void Browser::lose(const char* why) {
  if (lost_.empty()) lost_ = why;
}

}  // namespace sail
