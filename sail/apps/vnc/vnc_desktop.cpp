#include "sail/apps/vnc/vnc_desktop.h"

#include <fmt/core.h>
#include <rfb/rfbclient.h>

#include <array>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr int kFirstPort = 5900;
constexpr int kMostDisplay = 99;
constexpr int kMostPort = 65535;
constexpr size_t kMostReason = 200;
constexpr int kBitsPerSample = 8;
constexpr int kSamples = 3;
constexpr int kBytesPerPixel = 4;

// libvncclient reports errors by a global function, called on the thread that uses it.
thread_local std::string last_reason;

void keep_reason(const char* format, ...) {
  std::array<char, kMostReason> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  last_reason = make_plain_text(trimmed(text.data()), kMostReason);
}

// The server's reason for a refusal, which libvncclient only logs.
thread_local std::string server_reason;

void keep_server_reason(const char* format, ...) {
  constexpr std::string_view kRefusal = "VNC connection failed: ";
  std::array<char, kMostReason> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  const std::string_view line = text.data();
  if (!line.starts_with(kRefusal)) return;
  server_reason = make_plain_text(trimmed(line.substr(kRefusal.size())), kMostReason);
}

// Security types that need at most a password. libvncclient chooses a type in the server's order;
// restricting it to these allows a second attempt.
constexpr std::array<uint32_t, 2> kPlainSecurity{rfbNoAuth, rfbVncAuth};

}  // namespace

std::optional<VncAddress> parse_vnc_address(const std::string& text) {
  const size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == std::string::npos) return std::nullopt;
  const size_t colon = text.find(':', bracket);
  VncAddress address{.host = text.substr(0, colon), .port = kFirstPort};
  if (bracket > 0) address.host = text.substr(1, bracket - 1);
  if (address.host.empty() || (bracket > 0 && std::min(colon, text.size()) != bracket + 1)) {
    return std::nullopt;
  }
  if (colon == std::string::npos) return address;
  int number = 0;
  const bool is_port = text.substr(colon).starts_with("::");  // as in VNC viewers
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + (is_port ? 2 : 1), end, number);
  if (error != std::errc{} || stop != end || number < (is_port ? 1 : 0) || number > kMostPort) {
    return std::nullopt;
  }
  address.port = !is_port && number <= kMostDisplay ? kFirstPort + number : number;
  return address;
}

std::string vnc_address_text(const VncAddress& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", address.host, address.port)
            : fmt::format("{}:{}", address.host, address.port);
}

struct VncDesktop::Impl {
  std::string place;  // address for messages
  std::string password;
  rfbClient* client = nullptr;
  std::vector<uint8_t> pixels;
  Size size;
  bool changed = false;
  bool asked_for_password = false;
  bool asked_for_more = false;
  std::optional<Error> refused;

  Impl(const VncAddress& at, std::string given)
      : place(vnc_address_text(at)), password(std::move(given)) {
    make_client(at);
  }
  ~Impl() { rfbClientCleanup(client); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static Impl& of(rfbClient* client) {
    return *static_cast<Impl*>(rfbClientGetClientData(client, nullptr));
  }
  void make_client(const VncAddress& at);
  rfbBool make_room();
  // Connects and authenticates.
  Result<void> enter(const VncAddress& at);
  Error why(ErrorCode code, const char* what) const;
};

void VncDesktop::Impl::make_client(const VncAddress& at) {
  client = rfbGetClient(kBitsPerSample, kSamples, kBytesPerPixel);
  rfbClientSetClientData(client, nullptr, this);
  client->format.redShift = 16;
  client->format.greenShift = 8;
  client->format.blueShift = 0;
  client->canHandleNewFBSize = TRUE;
  client->appData.useRemoteCursor = FALSE;  // the server draws the cursor into the picture
  client->appData.enableJPEG = FALSE;       // keep text sharp
  client->connectTimeout = kStallS;
  client->readTimeout = kStallS;
  free(client->serverHost);  // libvncclient allocated an empty string
  client->serverHost = strdup(at.host.c_str());
  client->serverPort = at.port;
  client->MallocFrameBuffer = [](rfbClient* of_client) { return of(of_client).make_room(); };
  client->FinishedFrameBufferUpdate = [](rfbClient* of_client) { of(of_client).changed = true; };
  client->GetPassword = [](rfbClient* of_client) {
    Impl& self = of(of_client);
    self.asked_for_password = true;
    return strdup(self.password.c_str());
  };
  client->GetCredential = [](rfbClient* of_client, int type) -> rfbCredential* {
    of(of_client).asked_for_more = true;
    if (type != rfbCredentialTypeX509) return nullptr;
    // All empty: this machine must trust the server's certificate. The library frees the result.
    return static_cast<rfbCredential*>(std::calloc(1, sizeof(rfbCredential)));
  };
}

rfbBool VncDesktop::Impl::make_room() {
  const Size wanted{client->width, client->height};
  if (wanted.width < 1 || wanted.height < 1 || wanted.width > kMostSide ||
      wanted.height > kMostSide || int64_t{wanted.width} * wanted.height > kMostPixels) {
    refused = Error{ErrorCode::kLimit, fmt::format("the desktop of {} is too large: {}x{} pixels; "
                                                   "supported are at most {}x{} and {} megapixels",
                                                   place, wanted.width, wanted.height, kMostSide,
                                                   kMostSide, kMostPixels / 1'000'000)};
    return FALSE;
  }
  const size_t pixel_count = static_cast<size_t>(wanted.width) * static_cast<size_t>(wanted.height);
  pixels.assign(pixel_count * kBytesPerPixel, 0);
  client->frameBuffer = pixels.data();
  size = wanted;
  changed = true;
  return TRUE;
}

Error VncDesktop::Impl::why(ErrorCode code, const char* what) const {
  if (refused) return *refused;
  return {code, last_reason.empty() ? fmt::format("{}: {}", place, what)
                                    : fmt::format("{}: {}: {}", place, what, last_reason)};
}

Result<void> VncDesktop::Impl::enter(const VncAddress& at) {
  last_reason.clear();
  server_reason.clear();
  if (ConnectToRFBServer(client, client->serverHost, at.port) == FALSE) {
    return why(ErrorCode::kUnavailable, "no VNC server answers");
  }
  if (InitialiseRFBConnection(client) != FALSE) return {};
  if (!server_reason.empty()) last_reason = server_reason;
  if (asked_for_password) {
    return why(ErrorCode::kUnauthorized, password.empty()
                                             ? "the server requires a password (--password-file)"
                                             : "the server rejected the password");
  }
  if (asked_for_more) {
    return why(ErrorCode::kUnauthorized,
               "the server requires a user name, or this machine does not trust its certificate");
  }
  return why(ErrorCode::kBadData, server_reason.empty()
                                      ? "not a VNC server, or no security type is supported"
                                      : "the server refused the connection");
}

Result<std::unique_ptr<VncDesktop>> VncDesktop::connect(const VncAddress& at,
                                                        const std::string& password) {
  rfbClientLog = keep_server_reason;
  rfbClientErr = keep_reason;
  auto impl = std::make_unique<Impl>(at, password);
  if (auto entered = impl->enter(at); !entered) {
    if (!impl->asked_for_more) return entered.error();
    // The server's preferred security type is not supported, but it may accept another. Close the
    // first connection before, because it may accept only one client.
    impl.reset();
    impl = std::make_unique<Impl>(at, password);
    SetClientAuthSchemes(impl->client, kPlainSecurity.data(), kPlainSecurity.size());
    const auto let_in = impl->enter(at);
    if (!let_in) return impl->asked_for_password ? let_in.error() : entered.error();
  }
  rfbClient& client = *impl->client;
  client.width = client.si.framebufferWidth;
  client.height = client.si.framebufferHeight;
  if (impl->make_room() == FALSE) return *impl->refused;
  client.updateRect = {0, 0, client.width, client.height};
  if (SetFormatAndEncodings(&client) == FALSE ||
      SendFramebufferUpdateRequest(&client, 0, 0, client.width, client.height, FALSE) == FALSE) {
    return impl->why(ErrorCode::kUnavailable, "the server closed the connection");
  }
  return std::unique_ptr<VncDesktop>(new VncDesktop(std::move(impl)));
}

VncDesktop::VncDesktop(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

VncDesktop::~VncDesktop() = default;

std::string VncDesktop::name() const {
  const char* name = impl_->client->desktopName;
  return name == nullptr ? "" : make_plain_text(name, kMostReason);
}

Size VncDesktop::size() const {
  return impl_->size;
}

const uint8_t* VncDesktop::pixels() const {
  return impl_->pixels.data();
}

Result<bool> VncDesktop::attend(int wait_ms) {
  rfbClient* client = impl_->client;
  impl_->changed = false;
  last_reason.clear();
  int came = WaitForMessage(client, static_cast<unsigned>(wait_ms) * 1000);
  while (came > 0) {
    if (HandleRFBServerMessage(client) == FALSE) came = -1;
    if (came > 0 && client->buffered == 0) break;
  }
  if (came < 0) return impl_->why(ErrorCode::kUnavailable, "lost the connection");
  return impl_->changed;
}

void VncDesktop::point(int x, int y, uint8_t buttons) {
  SendPointerEvent(impl_->client, x, y, buttons);
}

void VncDesktop::press(uint32_t keysym, bool down) {
  SendKeyEvent(impl_->client, keysym, down ? TRUE : FALSE);
}

}  // namespace sail
