#include "sail/desk/vnc_desktop.h"

#include <fmt/core.h>
#include <rfb/rfbclient.h>

#include <array>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "sail/wire/text.h"

namespace sail {
namespace {

constexpr int kFirstPort = 5900;
constexpr int kMostDisplay = 99;
constexpr int kMostPort = 65535;
constexpr size_t kMostReason = 200;
constexpr int kBitsPerSample = 8;
constexpr int kSamples = 3;
constexpr int kBytesPerPixel = 4;

// libvncclient tells why by a function for the whole program, on the thread that it works on.
thread_local std::string last_reason;

void keep_reason(const char* format, ...) {
  std::array<char, kMostReason> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  last_reason = make_plain_text(trimmed(text.data()), kMostReason);
}

void say_nothing(const char* /*format*/, ...) {}

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
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc{} || stop != end || number < 0 || number > kMostPort) return std::nullopt;
  address.port = number <= kMostDisplay ? kFirstPort + number : number;
  return address;
}

std::string vnc_address_text(const VncAddress& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", address.host, address.port)
            : fmt::format("{}:{}", address.host, address.port);
}

struct VncDesktop::Impl {
  std::string place;  // for people
  std::string password;
  rfbClient* client = nullptr;
  std::vector<uint8_t> pixels;
  Size size;
  bool changed = false;
  bool asked_for_password = false;
  bool asked_for_more = false;
  std::optional<Error> refused;

  ~Impl() {
    if (client != nullptr) rfbClientCleanup(client);
  }

  static Impl& of(rfbClient* client) {
    return *static_cast<Impl*>(rfbClientGetClientData(client, nullptr));
  }
  void make_client(const VncAddress& at);
  rfbBool make_room();
  Error why(ErrorCode code, const char* what) const;
};

void VncDesktop::Impl::make_client(const VncAddress& at) {
  client = rfbGetClient(kBitsPerSample, kSamples, kBytesPerPixel);
  rfbClientSetClientData(client, nullptr, this);
  client->format.redShift = 16;
  client->format.greenShift = 8;
  client->format.blueShift = 0;
  client->canHandleNewFBSize = TRUE;
  client->appData.useRemoteCursor = FALSE;  // it is in the picture
  client->appData.enableJPEG = FALSE;       // texts are to stay as they are
  client->connectTimeout = kStallS;
  client->readTimeout = kStallS;
  free(client->serverHost);  // an empty text
  client->serverHost = strdup(at.host.c_str());
  client->serverPort = at.port;
  client->MallocFrameBuffer = [](rfbClient* of_client) { return of(of_client).make_room(); };
  client->FinishedFrameBufferUpdate = [](rfbClient* of_client) { of(of_client).changed = true; };
  client->GetPassword = [](rfbClient* of_client) {
    Impl& self = of(of_client);
    self.asked_for_password = true;
    return strdup(self.password.c_str());
  };
  client->GetCredential = [](rfbClient* of_client, int /*type*/) -> rfbCredential* {
    of(of_client).asked_for_more = true;
    return nullptr;
  };
}

rfbBool VncDesktop::Impl::make_room() {
  const Size wanted{client->width, client->height};
  if (wanted.width < 1 || wanted.height < 1 || wanted.width > kMostSide ||
      wanted.height > kMostSide || int64_t{wanted.width} * wanted.height > kMostPixels) {
    refused = Error{ErrorCode::kLimit,
                    fmt::format("the desktop of {} has {}x{} pixels, and at most {}x{} are shown, "
                                "{} million together",
                                place, wanted.width, wanted.height, kMostSide, kMostSide,
                                kMostPixels / 1'000'000)};
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

Result<std::unique_ptr<VncDesktop>> VncDesktop::connect(const VncAddress& at,
                                                        const std::string& password) {
  rfbClientLog = say_nothing;
  rfbClientErr = keep_reason;
  last_reason.clear();
  auto impl = std::make_unique<Impl>();
  impl->place = vnc_address_text(at);
  impl->password = password;
  impl->make_client(at);
  if (ConnectToRFBServer(impl->client, impl->client->serverHost, at.port) == FALSE) {
    return impl->why(ErrorCode::kUnavailable, "no VNC server answers");
  }
  if (InitialiseRFBConnection(impl->client) == FALSE) {
    if (impl->asked_for_more) {
      return impl->why(ErrorCode::kUnauthorized, "it wants a name or a certificate, too");
    }
    if (impl->asked_for_password) {
      return impl->why(ErrorCode::kUnauthorized, password.empty()
                                                     ? "it wants a password (--password-file)"
                                                     : "it does not take the password");
    }
    return impl->why(ErrorCode::kBadData, "it lets nobody in, or is no VNC server");
  }
  rfbClient& client = *impl->client;
  client.width = client.si.framebufferWidth;
  client.height = client.si.framebufferHeight;
  if (impl->make_room() == FALSE) return *impl->refused;
  client.updateRect = {0, 0, client.width, client.height};
  if (SetFormatAndEncodings(&client) == FALSE ||
      SendFramebufferUpdateRequest(&client, 0, 0, client.width, client.height, FALSE) == FALSE) {
    return impl->why(ErrorCode::kUnavailable, "it has gone");
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
  if (came < 0) return impl_->why(ErrorCode::kUnavailable, "the connection has ended");
  return impl_->changed;
}

void VncDesktop::point(int x, int y, uint8_t buttons) {
  SendPointerEvent(impl_->client, x, y, buttons);
}

void VncDesktop::press(uint32_t keysym, bool down) {
  SendKeyEvent(impl_->client, keysym, down ? TRUE : FALSE);
}

}  // namespace sail
