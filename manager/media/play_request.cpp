#include "manager/media/play_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/media/media_facts.h"
#include "manager/media/sources.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/ticker_medium.h"

namespace manager {
namespace {

constexpr size_t kMostMediaAtOnce = 256;
constexpr std::string_view kServerScheme = "server://";

// FFmpeg treats a name as a URL if letters like these are followed by a colon ("concat:a|b",
// "data:…"); `subfile,` needs no colon.
bool names_file(std::string_view name) {
  constexpr std::string_view kSchemeLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
  const size_t end = name.find_first_not_of(kSchemeLetters);
  if (name.starts_with("subfile,")) return false;
  return end == std::string_view::npos || name[end] != ':';
}

sail::Result<void> check_ticker(std::string_view name) {
  if (auto read = sail::parse_ticker(name); !read) return read.error();
  if (sail::is_plain_text(name)) return {};
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    "ticker: the text must not contain control characters");
}

// Only kWeb and kVnc show web pages and desktops, and they show nothing else.
bool is_for(std::string_view program, const std::vector<std::string>& media) {
  if (std::ranges::none_of(media, is_elsewhere)) return program == kBplay || program == kShow;
  return media.size() == 1 && program == (sail::names_page(media.front()) ? kWeb : kVnc);
}

}  // namespace

bool is_medium(std::string_view name) {
  return !name.empty() && name.size() <= kLongestMedium &&
         name.find('\0') == std::string_view::npos &&
         (!sail::is_ticker(name) || check_ticker(name)) &&
         (names_file(name) || is_stream_url(name) || sail::is_drawn(name) ||
          sail::is_written(name) || is_server_film(name) || is_elsewhere(name));
}

bool is_server_film(std::string_view medium) {
  return medium.starts_with(kServerScheme);
}

std::string server_host(std::string_view medium) {
  if (!is_server_film(medium)) return "";
  medium.remove_prefix(kServerScheme.size());
  const auto server = sail::parse_address(std::string(medium.substr(0, medium.find('/'))),
                                          {"127.0.0.1", sail::kDefaultFilmServerPort});
  return server ? server->host : "";
}

bool names_subtitle_file(std::string_view subtitles) {
  return subtitles != "auto" && subtitles != "off" &&
         subtitles.find_first_not_of("0123456789") != std::string_view::npos;
}

std::vector<std::string> read_media(sail::JsonFields& fields) {
  std::vector<std::string> media;
  for (const sail::Json& item : fields.array("media", kMostMediaAtOnce)) {
    const auto* name = item.get_ptr<const std::string*>();
    if (name != nullptr && sail::is_ticker(*name)) {
      if (const auto good = check_ticker(*name); !good) {
        fields.mistake("media", "has a mistake: " + good.error().message);
        break;
      }
    }
    if (name == nullptr || !is_medium(*name)) {
      fields.mistake(
          "media",
          "must contain file names of 1 to 4096 bytes each, test:…, note:…, clock:…, "
          "qr:…, ticker:…, server://…, stream URLs (rtsp://…, http://…, srt://…, udp://…), or "
          "web:https://… or vnc://… without passwords");
      break;
    }
    media.push_back(*name);
  }
  if (media.empty()) fields.mistake("media", "must name at least one file");
  if (media.size() > 1 && std::ranges::any_of(media, is_elsewhere)) {
    fields.mistake("media", "must contain nothing else beside web:… or vnc://…");
  }
  if (media.size() > 1 && std::ranges::any_of(media, sail::is_ticker)) {
    fields.mistake("media", "must contain nothing else beside ticker:…");
  }
  return media;
}

const char* at_end_name(AtEnd at_end) {
  switch (at_end) {
    case AtEnd::kHold:
      return "hold";
    case AtEnd::kLoop:
      return "loop";
    case AtEnd::kClose:
      return "close";
  }
  return "";
}

std::optional<AtEnd> parse_at_end(std::string_view name) {
  for (const AtEnd at_end : {AtEnd::kHold, AtEnd::kLoop, AtEnd::kClose}) {
    if (name == at_end_name(at_end)) return at_end;
  }
  return std::nullopt;
}

namespace {

std::string read_fallback(sail::JsonFields& fields) {
  std::string fallback = fields.string_or("fallback", kLongestMedium, "");
  const bool good = fallback.empty() || fallback == kFallbackCard ||
                    (is_medium(fallback) && !is_elsewhere(fallback) && !is_server_film(fallback));
  if (!good) {
    fields.mistake("fallback", "must be a file name, a stream URL or \"card\"");
  }
  return fallback;
}

std::string read_deinterlace(sail::JsonFields& fields) {
  std::string word = fields.string_or("deinterlace", sail::kMaxNameLength, "");
  if (!word.empty() && !sail::kDeinterlacings.find(word)) {
    fields.mistake("deinterlace", "must be auto, off, frame or field");
  }
  return word;
}

std::string read_codec(sail::JsonFields& fields) {
  std::string codec = fields.string_or("codec", sail::kMaxNameLength, "");
  if (codec.empty()) return codec;
  if (const auto checked = sail::check_film_codec(codec); !checked) {
    fields.mistake("codec", checked.error().message);
  }
  return codec;
}

std::string read_missing(sail::JsonFields& fields) {
  std::string word = fields.string_or("missing", sail::kMaxNameLength, "");
  if (!word.empty() && !sail::kMissingActions.find(word)) {
    fields.mistake("missing", "must be hold, black or stop");
  }
  return word;
}

std::string read_sound_track(sail::JsonFields& fields) {
  std::string track = fields.string_or("sound_track", sail::kMaxNameLength, "");
  if (!track.empty() && !sail::parse_sound_track(track)) {
    fields.mistake("sound_track", "must be \"1\" to \"99\" or \"all\"");
  }
  return track;
}

std::string read_subtitles(sail::JsonFields& fields) {
  std::string subtitles = fields.string_or("subtitles", kLongestMedium, "");
  if (names_subtitle_file(subtitles) && !is_medium(subtitles)) {
    fields.mistake("subtitles", "must be auto, off, a track number or a file name");
  }
  return subtitles;
}

std::optional<AtEnd> read_at_end(sail::JsonFields& fields) {
  std::optional<AtEnd> at_end;
  if (fields.boolean_or("loop", false)) at_end = AtEnd::kLoop;
  if (!fields.has("at_end")) return at_end;
  const auto named = parse_at_end(fields.string("at_end", sail::kMaxNameLength));
  if (!named) fields.mistake("at_end", "must be hold, loop or close");
  if (named && at_end && named != at_end) fields.mistake("at_end", "and 'loop' do not agree");
  return named;
}

}  // namespace

void read_film_options(sail::JsonFields& fields, PlayRequest& request) {
  request.at_end = read_at_end(fields);
  if (fields.has("fps")) request.fps = fields.number("fps", 0.01, 1000);
  if (fields.has("start")) request.start_s = fields.number("start", 0, kMostFilmSeconds);
  if (fields.has("rate")) request.rate = fields.number("rate", sail::kMinRate, sail::kMaxRate);
  if (fields.has("volume")) request.volume = fields.number("volume", 0, 1);
  request.deinterlace = read_deinterlace(fields);
  request.codec = read_codec(fields);
  request.missing = read_missing(fields);
  request.sound_track = read_sound_track(fields);
  request.best_effort = fields.boolean_or("best_effort", false);
  request.fallback = read_fallback(fields);
  request.subtitles = read_subtitles(fields);
  request.group = fields.string_or("group", sail::kMaxNameLength, "");
}

std::string medium_name(const std::string& medium) {
  std::string name = sail::without_passwords(medium);
  if (sail::is_drawn(medium)) return name;
  if (name.find("://") != std::string::npos) name = name.substr(0, name.find_first_of("?#"));
  const size_t slash = name.find_last_of('/');
  if (slash != std::string::npos && slash + 1 < name.size()) name.erase(0, slash + 1);
  return name;
}

std::string read_node(sail::JsonFields& fields) {
  return fields.string_or("on", sail::kMaxNameLength, "");
}

sail::Json to_json(const PlayRequest& request) {
  sail::Json json = sail::Json::object();
  if (!request.on.empty()) json["on"] = request.on;
  if (!request.opener.empty()) json["opener"] = request.opener;
  if (request.decoration) json["decoration"] = sail::to_json(*request.decoration);
  if (!request.command.empty()) {
    json["command"] = request.command;
    return json;
  }
  json["media"] = request.media;
  if (!request.title.empty()) json["title"] = request.title;
  if (request.at_end) json["at_end"] = at_end_name(*request.at_end);
  if (!request.program.empty()) json["program"] = request.program;
  if (request.fps) json["fps"] = *request.fps;
  if (request.start_s) json["start"] = *request.start_s;
  if (request.rate) json["rate"] = *request.rate;
  if (request.volume) json["volume"] = *request.volume;
  if (!request.deinterlace.empty()) json["deinterlace"] = request.deinterlace;
  if (!request.codec.empty()) json["codec"] = request.codec;
  if (!request.missing.empty()) json["missing"] = request.missing;
  if (!request.sound_track.empty()) json["sound_track"] = request.sound_track;
  if (request.best_effort) json["best_effort"] = true;
  if (!request.fallback.empty()) json["fallback"] = request.fallback;
  if (!request.subtitles.empty()) json["subtitles"] = request.subtitles;
  if (!request.group.empty()) json["group"] = request.group;
  write_fields(json, request.transport);
  return json;
}

sail::Result<PlayRequest> play_request_from_json(const sail::Json& value, std::string where) {
  sail::JsonFields fields(value, std::move(where));
  PlayRequest request;
  request.command = fields.string_or("command", sail::kMaxNameLength, "");
  if (request.command.empty()) request.media = read_media(fields);
  request.on = read_node(fields);
  request.title = fields.string_or("title", sail::kMaxTitleLength, "");
  request.program = fields.string_or("program", 64, "");
  if (!request.program.empty() && !is_for(request.program, request.media))
    fields.mistake("program", "must be a program that plays these media");
  read_film_options(fields, request);
  request.transport = sail::read_fields<sail::TransportOptions>(fields);
  request.opener = fields.string_or("opener", sail::kMaxKeyName, "");
  if (fields.has("decoration")) {
    sail::Object::read(fields, "decoration", request.decoration.emplace());
  }
  if (auto error = fields.finish_open()) return *error;
  return request;
}

namespace {

bool is_decorating_picture(const PlayRequest& request) {
  return request.decoration && request.media.size() == 1 && is_picture(request.media.front());
}

bool is_stretched_picture(const PlayRequest& request) {
  return is_decorating_picture(request) && request.decoration->fit == WallpaperFit::kStretch;
}

}  // namespace

bool is_pictured_logo(const PlayRequest& request) {
  return is_decorating_picture(request) && request.decoration->kind == DecorationKind::kLogo;
}

const char* player_for(const PlayRequest& request) {
  if (!request.media.empty() && is_elsewhere(request.media.front())) {
    return sail::names_page(request.media.front()) ? kWeb : kVnc;
  }
  if (request.fps || request.start_s || request.rate || request.volume) return kBplay;
  if (!request.fallback.empty() || !request.subtitles.empty()) return kBplay;
  if (!request.deinterlace.empty() || !request.sound_track.empty()) return kBplay;
  if (!request.missing.empty() || !request.codec.empty()) return kBplay;
  if (!request.group.empty() || request.start_at_s) return kBplay;
  // vitrail-show has no transparent pixels, and keeps the shape of the picture.
  if (is_pictured_logo(request) || is_stretched_picture(request)) return kBplay;
  const bool stills = !request.media.empty() && std::ranges::all_of(request.media, is_still);
  return stills ? kShow : kBplay;
}

namespace {

// The title that a person gave to bplay; empty: bplay used the name of a film.
std::string chosen_title(const sail::Content& content, const std::string& window_title) {
  const std::string title = sail::without_passwords(window_title);
  const auto is_its = [&](const std::string& medium) {
    return sail::make_plain_text(medium_name(medium), sail::kMaxTitleLength) == title ||
           sail::without_passwords(medium) == title;
  };
  const bool usual = content.program != kBplay || std::ranges::any_of(content.media, is_its);
  return usual ? "" : title;
}

}  // namespace

std::optional<PlayRequest> play_request_for(const sail::Content& content,
                                            const std::string& window_title) {
  if (content.media.empty() || !std::ranges::all_of(content.media, is_medium) ||
      !is_for(content.program, content.media)) {
    return std::nullopt;
  }
  PlayRequest request;
  request.media = content.media;
  request.program = content.program;
  request.title = chosen_title(content, window_title);
  if (content.loop) request.at_end = AtEnd::kLoop;
  return request;
}

}  // namespace manager
