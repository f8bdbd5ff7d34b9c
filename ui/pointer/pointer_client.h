// The program vitrail-pointer without its command line: connects devices to a session at the
// manager, and OSC messages to events. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/udp.h"
#include "ui/pointer/manager_session.h"
#include "ui/pointer/pointer_mapper.h"
#include "ui/pointer/sdl_devices.h"
#include "ui/pointer/stick_pointer.h"
#include "ui/pointer/touches.h"
#include "ui/pointer/tuio.h"
#include "ui/pointer/wands.h"

namespace ui {

struct PointerOptions {
  SessionOptions session;
  bool controllers = false;
  bool touch = false;
  std::optional<sail::Address> tuio;  // address to listen on; port 0: chosen by the system
  sail::Rect area;                    // wall area under the touch surface; empty: the whole wall
  std::optional<sail::Address> six_dof;
  std::optional<WallPlane> plane;  // empty optional: from the wall file's pixel_pitch_mm
  bool smooth = false;             // filters wand positions
  std::optional<sail::Address> osc;
  std::vector<sail::EventRequest> events{};  // The name of each is an OSC address.
};

struct PointerCounters {
  TuioCounters tuio;
  uint64_t wands_late = 0;
  uint64_t tuio_refused = 0;   // datagrams
  uint64_t wands_refused = 0;  // datagrams
  uint64_t osc_refused = 0;    // datagrams
};

class PointerClient {
 public:
  // on_refused: the manager rejects this client permanently. Fails with kConflict if a port is in
  // use, kUnavailable if SDL fails to start.
  static sail::Result<std::unique_ptr<PointerClient>> start(
      sail::Loop& loop, const PointerOptions& options,
      std::function<void(const sail::Error&)> on_refused, const sail::Log& log);
  ~PointerClient();
  PointerClient(const PointerClient&) = delete;
  PointerClient& operator=(const PointerClient&) = delete;

  // Bound addresses of the sockets that the options requested.
  std::optional<sail::Address> tuio_address() const;
  std::optional<sail::Address> six_dof_address() const;
  std::optional<sail::Address> osc_address() const;
  PointerCounters counters() const;
  const WallView& view() const { return session_.view(); }

 private:
  // Passes a socket's datagrams to one function.
  struct Port : sail::UdpReader {
    void on_datagrams(std::span<const sail::Datagram> datagrams) override {
      for (const sail::Datagram& datagram : datagrams) take(datagram);
    }
    // Logs the first rejected datagram and counts the others.
    void refuse(const sail::Log& log, const sail::Datagram& datagram, const sail::Error& error);

    const char* what = "";
    std::function<void(const sail::Datagram&)> take;
    uint64_t refused = 0;
    std::unique_ptr<sail::UdpSocket> socket;  // closed before the reader
  };
  struct Pad {
    std::unique_ptr<StickPointer> pointer;
    int64_t stepped_ns = 0;
  };

  PointerClient(sail::Loop& loop, const PointerOptions& options,
                std::function<void(const sail::Error&)> on_refused, const sail::Log& log);
  sail::Result<void> listen(Port& port, const std::optional<sail::Address>& at);
  sail::Result<void> find_devices();
  void take_tuio(const sail::Datagram& datagram);
  void take_wands(const sail::Datagram& datagram);
  void take_osc(const sail::Datagram& datagram);
  std::optional<WallPlane> plane();
  void poll_devices();
  void expire();
  void lost();

  sail::Loop& loop_;
  PointerOptions options_;
  sail::Log log_;
  ManagerSession session_;
  PointerMapper pointer_mapper_;

  TuioReader tuio_;
  Touches tuio_touches_;
  Touches display_touches_;
  Wands wands_;
  bool plane_missed_ = false;  // the missing plane was logged
  Port tuio_port_;
  Port wand_port_;
  Port osc_port_;
  sail::Timer expire_;

  std::unique_ptr<SdlDevices> devices_;
  std::map<int, Pad> pads_;
  sail::Timer poll_;
  bool polls_fast_ = false;
};

}  // namespace ui
