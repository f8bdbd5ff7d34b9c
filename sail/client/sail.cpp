// The C functions of sail.h. They check arguments, call the session and stop exceptions. A handle
// is the address of its C++ object.
#include <sail/sail.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "codecs/base/image.h"
#include "sail/client/session/options.h"
#include "sail/client/session/session.h"
#include "sail/client/session/stream.h"
#include "sail/client/sound/sound_sender.h"

namespace {

using sail::ClientSession;
using sail::ClientStream;

ClientSession* from_c(sail_session* session) {
  return reinterpret_cast<ClientSession*>(session);
}
ClientStream* from_c(sail_stream* stream) {
  return reinterpret_cast<ClientStream*>(stream);
}
const ClientStream* from_c(const sail_stream* stream) {
  return reinterpret_cast<const ClientStream*>(stream);
}

void write_error(sail_error* error, std::string_view text) {
  if (error == nullptr) return;
  const size_t length = std::min(text.size(), sizeof error->text - 1);
  std::memcpy(error->text, text.data(), length);
  error->text[length] = '\0';
}

// Returns the function's result, or `failure` if it throws because memory or threads are exhausted.
template <typename Function, typename Value>
Value guarded(Value failure, sail_error* error, const Function& function) {
  try {
    return function();
  } catch (const std::exception& exception) {
    write_error(error, exception.what());
    return failure;
  }
}

// --- frames -------------------------------------------------------------------------------------

// A C caller may store any number in an enum; reading that as a C++ enum is undefined behaviour.
template <typename Enum>
int as_int(const Enum& value) {
  static_assert(sizeof value == sizeof(int));
  int number = 0;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

// Sets the bytes per row of each plane; 0 for planes that the format does not have. Returns false
// if the format is unknown.
bool row_bytes_of(int format, int width, int (&row_bytes)[3]) {
  const int half = (width + 1) / 2;
  switch (format) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      row_bytes[0] = 4 * width;
      return true;
    case SAIL_RGB:
      row_bytes[0] = 3 * width;
      return true;
    case SAIL_NV12:
    case SAIL_NV16:
      row_bytes[0] = width;
      row_bytes[1] = 2 * half;
      return true;
    case SAIL_I420:
    case SAIL_I422:
      row_bytes[0] = width;
      row_bytes[1] = row_bytes[2] = half;
      return true;
    case SAIL_I444:
      row_bytes[0] = row_bytes[1] = row_bytes[2] = width;
      return true;
    case SAIL_I420_DEEP:
    case SAIL_I422_DEEP:
      row_bytes[0] = 2 * width;
      row_bytes[1] = row_bytes[2] = 2 * half;
      return true;
    case SAIL_I444_DEEP:
      row_bytes[0] = row_bytes[1] = row_bytes[2] = 2 * width;
      return true;
    case SAIL_RGB_DEEP:
      row_bytes[0] = 6 * width;
      return true;
    default:
      return false;
  }
}

bool has_color(int matrix, int range) {
  return matrix >= 0 && matrix <= SAIL_XYZ && range >= 0 && range <= SAIL_FULL;
}

// DXT and raw encoders convert only 8-bit BT.601 and BT.709 samples.
bool takes(const sail::StreamSpec& spec, const codecs::ImageView& image) {
  return codecs::is_j2k(spec.codec.codec.id) ||
         (!codecs::is_for_j2k_only(image.format) && image.matrix <= codecs::ColorMatrix::kBt709);
}

bool make_image(const sail_frame& frame, sail::Size size, codecs::ImageView& image) {
  int row_bytes[3] = {};
  const int format = as_int(frame.format);
  const int matrix = as_int(frame.matrix);
  const int range = as_int(frame.range);
  if (!row_bytes_of(format, size.width, row_bytes)) return false;
  image.format = static_cast<codecs::PixelFormat>(format);
  if (!has_color(matrix, range) || (matrix == SAIL_XYZ && format != SAIL_RGB_DEEP)) return false;
  if (codecs::is_deep(image.format)) {
    if (frame.bits < 9 || frame.bits > 16) return false;
    image.bits = frame.bits;
  }
  image.width = size.width;
  image.height = size.height;
  image.matrix =
      matrix == 0 ? codecs::ColorMatrix::kBt709 : static_cast<codecs::ColorMatrix>(matrix);
  image.range = range == SAIL_FULL ? codecs::ColorRange::kFull : codecs::ColorRange::kLimited;
  for (int plane = 0; plane < 3; ++plane) {
    if (row_bytes[plane] == 0) continue;
    if (frame.planes[plane] == nullptr || std::abs(frame.strides[plane]) < row_bytes[plane]) {
      return false;
    }
    image.planes[plane] = frame.planes[plane];
    image.strides[plane] = frame.strides[plane];
  }
  return true;
}

codecs::PictureColor color_of(const sail_encoded_frame& frame, const sail::StreamCodec& codec) {
  const auto matrix = static_cast<codecs::ColorMatrix>(as_int(frame.matrix));
  const bool ycc = matrix != codecs::ColorMatrix::kRgb && matrix != codecs::ColorMatrix::kXyz;
  const bool planar = codecs::is_planar(codec.id, codec.compression, matrix);
  if (!planar && !codecs::has_picture_color(codec.id)) return {};
  if (!ycc) return {matrix, codecs::ColorRange::kFull};
  return {matrix, as_int(frame.range) == SAIL_FULL ? codecs::ColorRange::kFull
                                                   : codecs::ColorRange::kLimited};
}

sail_status status_of(const ClientStream::Submitted& submitted, uint64_t* frame_number) {
  if (submitted.number == 0) return SAIL_INVALID;
  if (frame_number != nullptr) *frame_number = submitted.number;
  return submitted.sent ? SAIL_OK : SAIL_DROPPED;
}

sail_primaries to_c(codecs::Primaries primaries) {
  switch (primaries) {
    case codecs::Primaries::kBt709:
      return SAIL_PRIMARIES_BT709;
    case codecs::Primaries::kP3:
      return SAIL_PRIMARIES_P3;
    case codecs::Primaries::kBt2020:
      return SAIL_PRIMARIES_BT2020;
  }
  return SAIL_PRIMARIES_BT709;
}

sail_rect to_c(const sail::Rect& rect) {
  return {rect.x, rect.y, rect.width, rect.height};
}

}  // namespace

// --- session ------------------------------------------------------------------------------------

sail_session* sail_session_open(const sail_session_options* options, sail_error* error) {
  return guarded(static_cast<sail_session*>(nullptr), error, [&]() -> sail_session* {
    const auto checked =
        sail::session_options(options != nullptr ? *options : sail_session_options{});
    if (!checked) {
      write_error(error, checked.error().message);
      return nullptr;
    }
    auto session = ClientSession::open(*checked);
    if (!session) {
      write_error(error, session.error().message);
      return nullptr;
    }
    return reinterpret_cast<sail_session*>(session->release());
  });
}

int64_t sail_wall_time(const sail_session* session) {
  return session == nullptr ? 0 : reinterpret_cast<const ClientSession*>(session)->wall_now_ns();
}

sail_status sail_wall_display_colors(const sail_session* session, sail_display_colors* colors) {
  if (session == nullptr || colors == nullptr) return SAIL_INVALID;
  const auto display = reinterpret_cast<const ClientSession*>(session)->display();
  *colors = {
      .primaries = to_c(display.primaries), .peak_nits = display.peak_nits, .gamma = display.gamma};
  return SAIL_OK;
}

void sail_session_close(sail_session* session) {
  delete from_c(session);
}

// --- stream -------------------------------------------------------------------------------------

namespace {

// part: null if the stream submits whole frames.
sail_stream* open_stream(sail_session* session, const sail_stream_options* options,
                         const sail_part* part, sail_error* error) {
  return guarded(static_cast<sail_stream*>(nullptr), error, [&]() -> sail_stream* {
    if (session == nullptr || options == nullptr) {
      write_error(error, "session and options must not be null");
      return nullptr;
    }
    auto spec = part != nullptr ? sail::part_spec(*options, *part) : sail::stream_spec(*options);
    if (!spec) {
      write_error(error, spec.error().message);
      return nullptr;
    }
    spec->replaces = from_c(options->replaces);
    const auto stream = from_c(session)->open_stream(*spec);
    if (!stream) {
      write_error(error, stream.error().message);
      return nullptr;
    }
    return reinterpret_cast<sail_stream*>(*stream);
  });
}

}  // namespace

sail_stream* sail_stream_open(sail_session* session, const sail_stream_options* options,
                              sail_error* error) {
  return open_stream(session, options, nullptr, error);
}

sail_stream* sail_stream_join(sail_session* session, const sail_stream_options* options,
                              const sail_part* part, sail_error* error) {
  if (part != nullptr) return open_stream(session, options, part, error);
  write_error(error, "part must not be null: a rank submits a part of each frame");
  return nullptr;
}

sail_status sail_band(int32_t width, int32_t height, int32_t rank, int32_t ranks,
                      sail_rect* region) {
  const bool makes_sense = width >= 1 && width <= sail::kMaxFrameSide && height >= 1 &&
                           height <= sail::kMaxFrameSide && ranks >= 1 &&
                           ranks <= sail::kMaxRanks && rank >= 0 && rank < ranks;
  if (!makes_sense || region == nullptr) return SAIL_INVALID;
  const sail::Rect band = sail::band_of({width, height}, rank, ranks);
  if (band.empty()) return SAIL_INVALID;
  *region = to_c(band);
  return SAIL_OK;
}

void sail_stream_close(sail_stream* handle) {
  if (handle == nullptr) return;
  ClientStream& stream = *from_c(handle);
  stream.session().close_stream(stream);
}

uint32_t sail_stream_id(const sail_stream* stream) {
  return stream == nullptr ? 0 : from_c(stream)->window_number();
}

sail_status sail_submit(sail_stream* handle, const sail_frame* frame, uint64_t* frame_number) {
  if (handle == nullptr || frame == nullptr) return SAIL_INVALID;
  ClientStream& stream = *from_c(handle);
  codecs::ImageView image;
  if (stream.spec().encoded || !make_image(*frame, stream.spec().frame_size, image) ||
      !takes(stream.spec(), image)) {
    return SAIL_INVALID;
  }
  const sail_status status = guarded(SAIL_UNAVAILABLE, nullptr, [&] {
    const ClientStream::Submitted submitted =
        stream.submit(image, {frame->present_ns, frame->again != 0});
    return status_of(submitted, frame_number);
  });
  if (status >= 0 && frame->release != nullptr) frame->release(frame->opaque);
  return status;
}

sail_status sail_block_size(const char* codec, int32_t* width, int32_t* height) {
  if (codec == nullptr || width == nullptr || height == nullptr) return SAIL_INVALID;
  return guarded(SAIL_INVALID, nullptr, [&] {
    const auto spec = sail::parse_codec_spec(codec);
    if (!spec) return SAIL_INVALID;
    const sail::Size size = sail::default_block_size(spec->codec.id);
    *width = size.width;
    *height = size.height;
    return SAIL_OK;
  });
}

sail_status sail_submit_encoded(sail_stream* handle, const sail_encoded_frame* frame,
                                uint64_t* frame_number) {
  if (handle == nullptr || frame == nullptr || frame->bytes == nullptr ||
      frame->lengths == nullptr) {
    return SAIL_INVALID;
  }
  ClientStream& stream = *from_c(handle);
  const sail::EncodedBlocks blocks{.bytes = {frame->bytes, frame->byte_count},
                                   .lengths = {frame->lengths, frame->block_count},
                                   .color = color_of(*frame, stream.spec().codec.codec)};
  if (!has_color(as_int(frame->matrix), as_int(frame->range)) || !stream.spec().encoded ||
      !stream.fits(blocks)) {
    return SAIL_INVALID;
  }
  return guarded(SAIL_UNAVAILABLE, nullptr, [&] {
    const ClientStream::Submitted submitted =
        stream.submit(blocks, {frame->present_ns, frame->again != 0});
    return status_of(submitted, frame_number);
  });
}

sail_status sail_stream_window(const sail_stream* stream, sail_rect* wall_rect, int* visible) {
  if (stream == nullptr) return SAIL_INVALID;
  const sail::SubmitQueue::Status status = from_c(stream)->submit_queue().status();
  if (wall_rect != nullptr) *wall_rect = to_c(status.wall_rect);
  if (visible != nullptr) *visible = status.visible ? 1 : 0;
  return SAIL_OK;
}

sail_status sail_stream_picture(const sail_stream* stream, int32_t* width, int32_t* height) {
  if (stream == nullptr) return SAIL_INVALID;
  const sail::Size size = from_c(stream)->submit_queue().status().picture;
  if (width != nullptr) *width = size.width;
  if (height != nullptr) *height = size.height;
  return SAIL_OK;
}

sail_status sail_stream_get_stats(const sail_stream* stream, sail_stream_stats* stats) {
  if (stream == nullptr || stats == nullptr) return SAIL_INVALID;
  const sail::SubmitQueue::Status status = from_c(stream)->submit_queue().status();
  *stats = {.frames_submitted = status.frames_submitted,
            .frames_sent = status.frames_sent,
            .frames_shown = status.frames_shown,
            .frames_dropped = status.frames_dropped,
            .frames_in_flight = status.frames_in_flight,
            .bytes_sent = status.bytes_sent,
            .frames_superseded = status.dropped.superseded,
            .frames_old_epoch = status.dropped.old_epoch,
            .frames_incomplete = status.dropped.incomplete,
            .frames_hidden = status.dropped.hidden,
            .frames_lost = status.dropped.lost,
            .frames_unsent = status.dropped.unsent};
  return SAIL_OK;
}

sail_status sail_skip(sail_stream* handle, uint64_t frames) {
  if (handle == nullptr) return SAIL_INVALID;
  from_c(handle)->skip(frames);
  return SAIL_OK;
}

sail_status sail_set_playback(sail_stream* handle, const sail_playback* playback) {
  if (handle == nullptr || playback == nullptr) return SAIL_INVALID;
  ClientStream& stream = *from_c(handle);
  const auto checked = sail::playback(*playback);
  if (!checked) return SAIL_INVALID;
  return guarded(SAIL_UNAVAILABLE, nullptr, [&] {
    stream.session().set_playback(stream, *checked);
    return SAIL_OK;
  });
}

sail_status sail_set_tracks(sail_stream* handle, const sail_tracks* tracks) {
  if (handle == nullptr || tracks == nullptr) return SAIL_INVALID;
  ClientStream& stream = *from_c(handle);
  return guarded(SAIL_UNAVAILABLE, nullptr, [&] {
    auto checked = sail::film_tracks(*tracks);
    if (!checked) return SAIL_INVALID;
    stream.session().set_tracks(stream, *std::move(checked));
    return SAIL_OK;
  });
}

// --- sound --------------------------------------------------------------------------------------

sail_status sail_submit_audio(sail_stream* handle, const sail_audio* audio) {
  if (handle == nullptr || audio == nullptr) return SAIL_INVALID;
  ClientStream& stream = *from_c(handle);
  return guarded(SAIL_UNAVAILABLE, nullptr, [&] {
    auto pieces = sail::sound_pieces(*audio, stream.session().wall_now_ns());
    if (!pieces) {
      return pieces.error().code == sail::ErrorCode::kTimeout ? SAIL_DROPPED : SAIL_INVALID;
    }
    bool all = stream.sound().wanted();
    // With `restart`, submit anyway: sound sent earlier may still be playing.
    if (!all && audio->restart == 0) return SAIL_DROPPED;
    for (sail::SoundPiece& piece : *pieces) all &= stream.sound().submit(std::move(piece));
    return all ? SAIL_OK : SAIL_DROPPED;
  });
}

int sail_wall_has_audio(const sail_stream* stream) {
  return stream != nullptr && from_c(stream)->sound().wall_has_audio() ? 1 : 0;
}

// --- events -------------------------------------------------------------------------------------

sail_status sail_poll_event(sail_session* session, sail_event* event, int timeout_ms) {
  if (session == nullptr || event == nullptr || timeout_ms < 0) return SAIL_INVALID;
  const auto polled = from_c(session)->poll(std::chrono::milliseconds(timeout_ms));
  if (!polled) return SAIL_TIMEOUT;
  *event = polled->event;
  event->stream = reinterpret_cast<sail_stream*>(polled->stream);
  return SAIL_OK;
}

sail_status sail_watch_frames(sail_stream* stream) {
  if (stream == nullptr) return SAIL_INVALID;
  from_c(stream)->watch_frames();
  return SAIL_OK;
}

sail_status sail_watch_links(sail_stream* stream) {
  if (stream == nullptr) return SAIL_INVALID;
  from_c(stream)->watch_links();
  return SAIL_OK;
}
