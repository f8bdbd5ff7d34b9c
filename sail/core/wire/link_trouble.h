// Reasons why a stream's frames do not reach a receiver, as reported by senders. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sail/core/text/json_fields.h"

namespace sail {

// While a receiver has trouble, the others go on without it. The trouble ends when the stream is
// accepted (kRefusedPort, kNoAnswer, kOtherCertificate) or a frame is reported (others).
enum class LinkTrouble : uint8_t {
  kNone,
  kRefusedPort,       // the host or the network refuses connections to the data port
  kNoAnswer,          // the data port or the connection does not respond
  kOtherCertificate,  // the data port shows another certificate than the manager announced
  kClosed,            // the receiver closed the connection or violated the protocol
  kNoDatagrams,       // connected, but UDP packets are not answered
  kNotReady,  // connected, but the receiver reads no frames, or reports none as ready or shown
};
constexpr Choice<LinkTrouble, 7> kLinkTroubles{{{LinkTrouble::kNone, "none"},
                                                {LinkTrouble::kRefusedPort, "refused"},
                                                {LinkTrouble::kNoAnswer, "no_answer"},
                                                {LinkTrouble::kOtherCertificate, "certificate"},
                                                {LinkTrouble::kClosed, "closed"},
                                                {LinkTrouble::kNoDatagrams, "no_datagrams"},
                                                {LinkTrouble::kNotReady, "not_ready"}}};

constexpr size_t kMaxTroubleText = 120;  // bytes
constexpr Real kTroubleSeconds{0.001, 1e12};

// Message for people, to follow the receiver's name: the problem and its remedy. `why` is the error
// of the system or the receiver. Empty for kNone.
std::string link_trouble_text(LinkTrouble trouble, const std::string& why);
// Message for a link that fell back to TCP because no packet was answered.
constexpr const char* kTcpInsteadText =
    "does not answer UDP packets, so its frames go over TCP until the stream is reopened: allow "
    "UDP to its data port (`vitrail doctor` tests all ports), then restart the program";

}  // namespace sail
