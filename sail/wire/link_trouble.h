// Why a stream's frames do not get through to a receiver, as senders report it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sail/wire/json_fields.h"

namespace sail {

// While there is one, the other receivers go on without this receiver. It ends when the stream is
// accepted (kRefusedPort, kNoAnswer, kOtherCertificate) or a frame is reported (the others).
enum class LinkTrouble : uint8_t {
  kNone,
  kRefusedPort,       // its host or the network refuses connections to its data port
  kNoAnswer,          // nothing comes back from its data port, or nothing more on the connection
  kOtherCertificate,  // its data port shows another certificate than the manager announced
  kClosed,            // it ended the connection, or broke the protocol
  kNoDatagrams,       // it is connected, but answers no packet (UDP)
  kNotReady,          // it is connected, but reads no frames, or reports none ready or shown
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

// For people, to follow the receiver's name: what is wrong and what to do. why: what the system or
// the receiver said. Empty when nothing is wrong.
std::string link_trouble_text(LinkTrouble trouble, const std::string& why);
// The same of a link that uses TCP because no packet was answered.
constexpr const char* kTcpInsteadText =
    "answers no packet, so its frames go over TCP until the stream is opened again: let UDP "
    "through to its data port (`vitrail doctor` tests all ports), then start the program again";

}  // namespace sail
