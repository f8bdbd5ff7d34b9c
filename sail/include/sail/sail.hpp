// Thin C++ wrapper of sail.h: handles that close themselves. No exceptions: a failed open returns a
// false handle and a sentence.
#pragma once

#include <sail/sail.h>

#include <memory>
#include <optional>
#include <string>

namespace sail {

class Stream {
 public:
  Stream() = default;
  explicit operator bool() const { return handle_ != nullptr; }
  sail_stream* get() const { return handle_.get(); }

  uint32_t id() const { return sail_stream_id(get()); }
  sail_status submit(const sail_frame& frame, uint64_t* number = nullptr) {
    return sail_submit(get(), &frame, number);
  }
  sail_status submit(const sail_encoded_frame& frame, uint64_t* number = nullptr) {
    return sail_submit_encoded(get(), &frame, number);
  }
  sail_rect window() const {
    sail_rect rect{};
    sail_stream_window(get(), &rect, nullptr);
    return rect;
  }
  bool visible() const {
    int visible = 0;
    sail_stream_window(get(), nullptr, &visible);
    return visible != 0;
  }
  sail_stream_stats stats() const {
    sail_stream_stats stats{};
    sail_stream_get_stats(get(), &stats);
    return stats;
  }
  void skip(uint64_t frames) { sail_skip(get(), frames); }
  sail_status set_playback(const sail_playback& playback) {
    return sail_set_playback(get(), &playback);
  }
  sail_status set_tracks(const sail_tracks& tracks) { return sail_set_tracks(get(), &tracks); }
  sail_status submit(const sail_audio& audio) { return sail_submit_audio(get(), &audio); }
  bool wall_has_audio() const { return sail_wall_has_audio(get()) != 0; }
  void watch_frames() { sail_watch_frames(get()); }
  void watch_links() { sail_watch_links(get()); }
  void close() { handle_.reset(); }

 private:
  friend class Session;
  struct Close {
    void operator()(sail_stream* stream) const { sail_stream_close(stream); }
  };
  std::unique_ptr<sail_stream, Close> handle_;
};

// A session must outlive its streams.
class Session {
 public:
  // On failure the session is false and *error gets the reason.
  explicit Session(const sail_session_options& options, std::string* error = nullptr) {
    sail_error text{};
    handle_.reset(sail_session_open(&options, &text));
    if (!handle_ && error) *error = text.text;
  }
  explicit operator bool() const { return handle_ != nullptr; }
  sail_session* get() const { return handle_.get(); }

  Stream open(const sail_stream_options& options, std::string* error = nullptr) {
    sail_error text{};
    Stream stream;
    stream.handle_.reset(sail_stream_open(get(), &options, &text));
    if (!stream && error) *error = text.text;
    return stream;
  }
  Stream join(const sail_stream_options& options, const sail_part& part,
              std::string* error = nullptr) {
    sail_error text{};
    Stream stream;
    stream.handle_.reset(sail_stream_join(get(), &options, &part, &text));
    if (!stream && error) *error = text.text;
    return stream;
  }
  int64_t wall_time() const { return sail_wall_time(get()); }
  sail_display_colors display_colors() const {
    sail_display_colors colors{SAIL_PRIMARIES_BT709, 203, 2.2};
    sail_wall_display_colors(get(), &colors);
    return colors;
  }
  std::optional<sail_event> poll(int timeout_ms = 0) {
    sail_event event{};
    if (sail_poll_event(get(), &event, timeout_ms) != SAIL_OK) return std::nullopt;
    return event;
  }

 private:
  struct Close {
    void operator()(sail_session* session) const { sail_session_close(session); }
  };
  std::unique_ptr<sail_session, Close> handle_;
};

}  // namespace sail
