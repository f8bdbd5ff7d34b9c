#include "ui/pointer/pointer_client.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace ui {
namespace {

// Each device type has its own range of hand ids.
constexpr uint64_t kFirstPadHand = uint64_t{1} << 56;
constexpr uint64_t kFirstDisplayHand = uint64_t{2} << 56;
constexpr uint64_t kFirstTuioHand = uint64_t{3} << 56;
constexpr uint64_t kFirstWandHand = uint64_t{4} << 56;

constexpr int64_t kExpireEveryMs = 250;
constexpr int64_t kPollMs = 8;            // 125 Hz, the report rate of controllers
constexpr int64_t kPollIntervalMs = 250;  // poll interval for newly plugged devices

int64_t now_ms() {
  return sail::steady_now_ns() / 1'000'000;
}

}  // namespace

void PointerClient::Port::refuse(const sail::Log& log, const sail::Datagram& datagram,
                                 const sail::Error& error) {
  if (refused++ > 0) return;
  log.warning("{}: refused a datagram from {} (later ones are only counted): {}", what,
              sail::address_text(sail::address_of(datagram.from)), error.message);
}

PointerClient::PointerClient(sail::Loop& loop, const PointerOptions& options,
                             std::function<void(const sail::Error&)> on_refused,
                             const sail::Log& log)
    : loop_(loop),
      options_(options),
      log_(log),
      session_(loop, options.session,
               {.on_view = [this] { pointer_mapper_.view_changed(); },
                .on_lost = [this] { lost(); },
                .on_refused = std::move(on_refused)},
               log),
      pointer_mapper_(session_),
      tuio_touches_(pointer_mapper_, session_, kFirstTuioHand),
      display_touches_(pointer_mapper_, session_, kFirstDisplayHand),
      wands_(pointer_mapper_, options.smooth, kFirstWandHand),
      expire_(loop),
      poll_(loop) {
  tuio_port_.what = "TUIO";
  tuio_port_.take = [this](const sail::Datagram& datagram) { take_tuio(datagram); };
  wand_port_.what = "6-DoF";
  wand_port_.take = [this](const sail::Datagram& datagram) { take_wands(datagram); };
  osc_port_.what = "OSC";
  osc_port_.take = [this](const sail::Datagram& datagram) { take_osc(datagram); };
}

PointerClient::~PointerClient() {
  pointer_mapper_.leave_all();
}

sail::Result<std::unique_ptr<PointerClient>> PointerClient::start(
    sail::Loop& loop, const PointerOptions& options,
    std::function<void(const sail::Error&)> on_refused, const sail::Log& log) {
  std::unique_ptr<PointerClient> client(
      new PointerClient(loop, options, std::move(on_refused), log));
  if (auto listening = client->listen(client->tuio_port_, options.tuio); !listening) {
    return listening.error();
  }
  if (auto listening = client->listen(client->wand_port_, options.six_dof); !listening) {
    return listening.error();
  }
  if (auto listening = client->listen(client->osc_port_, options.osc); !listening) {
    return listening.error();
  }
  if (auto found = client->find_devices(); !found) return found.error();
  return client;
}

sail::Result<void> PointerClient::listen(Port& port, const std::optional<sail::Address>& at) {
  if (!at) return {};
  auto socket = sail::UdpSocket::bind(loop_, *at);
  if (!socket) return socket.error();
  port.socket = std::move(*socket);
  port.socket->start_reading(port);
  expire_.start(kExpireEveryMs, kExpireEveryMs, [this] { expire(); });
  return {};
}

sail::Result<void> PointerClient::find_devices() {
  if (!options_.controllers && !options_.touch) return {};
  auto devices = SdlDevices::start(
      options_.controllers, options_.touch,
      {.on_pad =
           [this](int pad, const char* name) {
             log_.info("game controller '{}' connected", name);
             pads_[pad] = {
                 std::make_unique<StickPointer>(pointer_mapper_, session_,
                                                kFirstPadHand + static_cast<uint64_t>(pad)),
                 sail::steady_now_ns()};
           },
       .on_pad_gone =
           [this](int pad) {
             log_.info("a game controller was disconnected");
             pads_.erase(pad);
           },
       .on_touch =
           [this](const TouchChange& change) {
             display_touches_.take(change, options_.area, now_ms());
           }});
  if (!devices) return devices.error();
  devices_ = std::move(*devices);
  poll_.start(0, kPollIntervalMs, [this] { poll_devices(); });
  return {};
}

void PointerClient::poll_devices() {
  devices_->poll();
  for (auto& [number, pad] : pads_) {
    const int64_t now_ns = sail::steady_now_ns();
    pad.pointer->step(devices_->state(number), static_cast<double>(now_ns - pad.stepped_ns) / 1e9);
    pad.stepped_ns = now_ns;
  }
  if (polls_fast_ == devices_->busy()) return;
  polls_fast_ = devices_->busy();
  const int64_t every_ms = polls_fast_ ? kPollMs : kPollIntervalMs;
  poll_.start(every_ms, every_ms, [this] { poll_devices(); });
}

void PointerClient::take_tuio(const sail::Datagram& datagram) {
  const auto messages = read_osc(datagram.bytes);
  if (!messages) return tuio_port_.refuse(log_, datagram, messages.error());
  const std::string from = sail::address_text(sail::address_of(datagram.from));
  for (const TouchChange& change : tuio_.take(from, *messages, now_ms())) {
    tuio_touches_.take(change, options_.area, now_ms());
  }
}

void PointerClient::take_wands(const sail::Datagram& datagram) {
  const auto poses = read_wand_poses(datagram.bytes);
  if (!poses) return wand_port_.refuse(log_, datagram, poses.error());
  if (session_.view().size().width <= 0) return;  // no wall yet
  const auto at = plane();
  if (!at) return;
  for (const WandPose& pose : *poses) {
    if (!wands_.take(pose, *at, session_.view().size(), now_ms())) {
      wand_port_.refuse(
          log_, datagram,
          {sail::ErrorCode::kLimit, fmt::format("limit of {} wands reached", Wands::kMaxWands)});
    }
  }
}

void PointerClient::take_osc(const sail::Datagram& datagram) {
  const auto messages = read_osc(datagram.bytes);
  if (!messages) return osc_port_.refuse(log_, datagram, messages.error());
  for (const OscMessage& message : *messages) {
    const auto request =
        std::ranges::find(options_.events, message.address, &sail::EventRequest::name);
    if (request == options_.events.end()) {
      osc_port_.refuse(log_, datagram,
                       {sail::ErrorCode::kNotFound,
                        fmt::format("no --event names the address {}",
                                    sail::make_plain_text(message.address, sail::kMaxNameLength))});
      continue;
    }
    const auto event = sail::event_verb(*request, event_payload(message));
    if (!event) {
      osc_port_.refuse(log_, datagram, event.error());
      continue;
    }
    session_.run(*event);
  }
}

std::optional<WallPlane> PointerClient::plane() {
  if (options_.plane) return options_.plane;
  const double pitch_m = session_.view().pixel_pitch_mm() / 1000;
  const sail::Size size = session_.view().size();
  if (pitch_m > 0) return centred_plane(size.width * pitch_m, size.height * pitch_m);
  if (!std::exchange(plane_missed_, true)) {
    log_.warning(
        "6-DoF messages are ignored because the wall's size in metres is unknown: give --plane, or "
        "set pixel_pitch_mm in the wall file");
  }
  return std::nullopt;
}

void PointerClient::expire() {
  for (const TouchChange& change : tuio_.expire(now_ms())) {
    tuio_touches_.take(change, options_.area, now_ms());
  }
  wands_.expire(now_ms());
}

void PointerClient::lost() {
  tuio_touches_.forget_all();
  display_touches_.forget_all();
  pointer_mapper_.leave_all();
}

std::optional<sail::Address> PointerClient::tuio_address() const {
  if (!tuio_port_.socket) return std::nullopt;
  return tuio_port_.socket->address();
}

std::optional<sail::Address> PointerClient::six_dof_address() const {
  if (!wand_port_.socket) return std::nullopt;
  return wand_port_.socket->address();
}

std::optional<sail::Address> PointerClient::osc_address() const {
  if (!osc_port_.socket) return std::nullopt;
  return osc_port_.socket->address();
}

PointerCounters PointerClient::counters() const {
  return {tuio_.counters(), wands_.late(), tuio_port_.refused, wand_port_.refused,
          osc_port_.refused};
}

}  // namespace ui
