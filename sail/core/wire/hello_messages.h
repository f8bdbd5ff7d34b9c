// Control-plane messages by which every peer joins a service, and the clock that it follows from
// then on. sail/PROTOCOL.md is the normative text. Each message is a plain struct with a
// declaration of its fields (fields.h), used by to_json() and message_from_json<Message>(). Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/display_color.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/group.h"
#include "sail/core/wire/stats.h"

namespace sail {

enum class Role { kUi, kApplication, kReceiver, kRecorder };
constexpr Choice<Role, 4> kRoles{{{Role::kUi, "ui"},
                                  {Role::kApplication, "application"},
                                  {Role::kReceiver, "receiver"},
                                  {Role::kRecorder, "recorder"}}};
// The role's name in a hello.
constexpr const char* role_name(Role role) {
  return kRoles.word(role);
}

// "challenge": request that a peer with a key sends before its hello.
struct Challenge {
  static constexpr const char* kMethod = "challenge";

  std::string key{};    // key name; empty: the wall's own key
  std::string nonce{};  // chosen by the peer
};
void fields(auto& visit, Of<Challenge> auto& challenge) {
  visit("key", sparse(Text{kMaxKeyName}), challenge.key);
  visit("nonce", HexDigits{kNonceDigits}, challenge.nonce);
}
struct ChallengeAnswer {
  static constexpr const char* kMethod = "challenge";

  std::string nonce{};  // chosen by the listener
  std::string proof{};  // proves the listener's key; empty: a password is proved later
  std::string salt{};   // salt of the user's password; empty when the challenge named a key
};
void fields(auto& visit, Of<ChallengeAnswer> auto& answer) {
  visit("nonce", HexDigits{kNonceDigits}, answer.nonce);
  visit("proof", sparse(HexDigits{kProofDigits}), answer.proof);
  visit("salt", sparse(HexDigits{kNonceDigits}), answer.salt);
}

// "hello": request. The first message of a peer, or the second after a challenge.
struct Hello {
  static constexpr const char* kMethod = "hello";

  Role role = Role::kUi;
  int protocol = kControlProtocol;
  std::string key{};     // name of the proved key; empty: the wall's own key
  std::string proof{};   // empty: no key
  std::string name{};    // receiver: its name in the wall file; others: a display name
  std::string colour{};  // ui: "#rrggbb", shown with the name; empty: the manager chooses one
  uint64_t term = 0;     // highest manager term that the peer has seen (standby.h); 0: none
  // ui, of a starting manager: the term for which it asks the listener's vote (standby.h); 0: none
  uint64_t vote = 0;
  uint16_t data_port = 0;     // receiver, recorder: port of its data plane
  std::string certificate{};  // receiver, recorder: fingerprint of its data plane's certificate
  std::vector<std::string> codecs{};  // receiver: names of the codecs that it decodes
  // Receiver: highest epoch of its previous session if it still shows a layout; 0: no layout.
  uint64_t epoch = 0;
  std::vector<uint32_t> streams{};  // receiver: streams of that layout; empty if too many
  bool multicast = false;           // receiver: it can be in multicast groups
};
void fields(auto& visit, Of<Hello> auto& hello) {
  visit("role", kRoles, hello.role);
  visit("protocol", Whole{1, 1'000'000}, hello.protocol);
  visit("key", sparse(Text{kMaxKeyName}), hello.key);
  visit("proof", sparse(HexDigits{kProofDigits}), hello.proof);
  visit("term", sparse(kCount), hello.term);
  if (hello.role == Role::kReceiver) {
    constexpr List<ValueItem<read_window_number>, std::identity> kStreams{kMaxHelloStreams};
    visit("name", kName, hello.name);
    visit("data_port", kPort, hello.data_port);
    visit("certificate", kCertificate, hello.certificate);
    visit("codecs", kCodecNames, hello.codecs);
    visit("epoch", sparse(kCount), hello.epoch);
    visit("streams", sparse(kStreams), hello.streams);
    visit("multicast", sparse(Flag()), hello.multicast);
  } else {
    visit("name", optional(Text{kMaxNameLength}), hello.name);
    if (hello.role == Role::kRecorder) {
      visit("data_port", kPort, hello.data_port);
      visit("certificate", kCertificate, hello.certificate);
    } else {
      visit("colour", sparse(Colour()), hello.colour);
      visit("vote", sparse(kCount), hello.vote);
    }
  }
}

// The wall clock, in the result of every peer's "hello".
struct WelcomeClock {
  static constexpr const char* kMethod = "hello";

  ClockSource clock = ClockSource::kManager;
  std::string clock_name;  // managers with the same name share a clock; empty: unknown
};
void fields(auto& visit, Of<WelcomeClock> auto& welcome) {
  visit("clock", sparse(kClockSources), welcome.clock);
  visit("clock_name", sparse(Text{kMaxNameLength}), welcome.clock_name);
}

// What the wall's displays show, in the result of every peer's "hello".
struct WelcomeDisplay {
  static constexpr const char* kMethod = "hello";

  codecs::DisplayColor display{};
};
void fields(auto& visit, Of<WelcomeDisplay> auto& welcome) {
  visit("display", sparse(Object()), welcome.display);
}

// Result of "clock", a request without parameters that applications and receivers send.
struct ClockReading {
  static constexpr const char* kMethod = "clock";

  int64_t wall_ns = 0;
};
void fields(auto& visit, Of<ClockReading> auto& reading) {
  visit("wall_ns", kTimeNs, reading.wall_ns);
}

}  // namespace sail
