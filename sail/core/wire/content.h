// Describes a window's content well enough to play it again. The manager starts a program with it
// when a layout, a session or an undone close brings the window back. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json_fields.h"

namespace sail {

struct Content {
  // Absolute file paths, test cards or URLs in playing order. At most kMaxContentMedia entries and
  // kMaxContentBytes in total.
  std::vector<std::string> media;
  // The player: "bplay", "vitrail-show", "vitrail-web" or "vitrail-vnc". The manager starts only
  // programs that it knows.
  std::string program;
  bool loop = false;

  bool operator==(const Content&) const = default;
};
// Schemes of generated media: a test card, a text, the time of day in a time zone, a text as QR
// code; also tickers (ticker_medium.h).
constexpr std::string_view kTestScheme = "test:";
constexpr std::string_view kNoteScheme = "note:";
constexpr std::string_view kClockScheme = "clock:";
constexpr std::string_view kQrScheme = "qr:";
// True for media that need no file and no network, so every user may show them. False for tickers
// that read a file or a URL.
bool is_drawn(std::string_view medium);
// True for texts, clocks, QR codes and tickers, which vitrail-show plays.
bool is_written(std::string_view medium);
// True for the names of presentations, texts and tables that vitrail-show converts to PDF.
bool names_office_document(std::string_view file_name);
// Remote content: a web page ("web:https://…") or a desktop ("vnc://HOST:1"). Each is the only
// medium of its window. It contains no password, because sessions are saved to disk. Only the
// syntax is checked, not whether the address is reachable.
constexpr std::string_view kWebScheme = "web:";
constexpr std::string_view kVncScheme = "vnc://";
bool names_page(std::string_view medium);
bool names_desktop(std::string_view medium);
// True for streams that somebody sends (UDP, RTP, SRT, RIST, RTSP, RTMP, TCP): no data arrives
// before the sender runs.
bool awaits_sender(std::string_view medium);
Result<std::string> read_medium(const Json& value, const std::string& where);
void fields(auto& visit, Of<Content> auto& content) {
  visit("media", values<read_medium>(kMaxContentMedia), content.media);
  visit("program", kName, content.program);
  visit("loop", Flag(), content.loop);
}
void check(JsonFields& in, const Content& content);

// How films whose frames are interlaced become progressive.
enum class Deinterlacing : uint8_t {
  kAuto,   // a picture for each field up to 30 frames a second and 1920x1080, else for each frame
  kOff,    // frames are shown as they are
  kFrame,  // a picture for each frame
  kField   // a picture for each field
};
constexpr Choice<Deinterlacing, 4> kDeinterlacings{{{Deinterlacing::kAuto, "auto"},
                                                    {Deinterlacing::kOff, "off"},
                                                    {Deinterlacing::kFrame, "frame"},
                                                    {Deinterlacing::kField, "field"}}};

// What a film of numbered files shows for each file that is missing, empty or damaged.
enum class MissingAction : uint8_t {
  kHold,   // the picture before
  kBlack,  // a black picture
  kStop    // the film ends there with an error
};
constexpr Choice<MissingAction, 3> kMissingActions{{{MissingAction::kHold, "hold"},
                                                    {MissingAction::kBlack, "black"},
                                                    {MissingAction::kStop, "stop"}}};

// Which of a film's sound tracks is heard: its number from 1, or one of these.
constexpr int kUsualSoundTrack = 0;  // the default, or all mono tracks if they are one programme
constexpr int kAllSoundTracks = -1;  // all mono tracks as one programme
constexpr int kMostSoundTracks = 99;
// "1" to "99", or "all".
std::optional<int> parse_sound_track(std::string_view text);

}  // namespace sail
