#include "receiver/recorder/film_writer.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "receiver/recorder/destination.h"
#include "receiver/recorder/film_writer_av.h"
#include "receiver/recorder/film_writer_pictures.h"
#include "receiver/recorder/film_writer_sound.h"
#include "sail/core/base/c_library.h"
#include "sail/core/text/text.h"

namespace receiver {
namespace {

constexpr int64_t kClusterMs = 1000;      // Matroska buffers a cluster of this duration
constexpr int64_t kDatagramBytes = 1316;  // seven packets of MPEG-TS
// HLS: seconds of a piece, and pieces in the list.
constexpr int kPieceS = 2;
constexpr int kPieces = 6;

// libavdevice loads about sixty libraries, so it is loaded only for devices.
void load_devices() {
  sail::call_in_library("libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR),
                        "avdevice_register_all");
}

// Settings of a muxer that differ from its defaults.
AVDictionary* container_words(std::string_view container) {
  AVDictionary* words = nullptr;
  if (container == "mp4" || container == "mov") {
    av_dict_set(&words, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
  }
  if (container == "matroska" || container == "webm") {
    av_dict_set_int(&words, "cluster_time_limit", kClusterMs, 0);
  }
  // Use TCP, because lost UDP packets are not retransmitted.
  if (container == "rtsp") av_dict_set(&words, "rtsp_transport", "tcp", 0);
  if (container == "flv") av_dict_set(&words, "flvflags", "no_duration_filesize", 0);
  if (container == "hls") {
    av_dict_set_int(&words, "hls_time", kPieceS, 0);
    av_dict_set_int(&words, "hls_list_size", kPieces, 0);
    // append_list: pieces of the previous start are in the list, so they are deleted, too.
    av_dict_set(&words, "hls_flags", "delete_segments+append_list+temp_file", 0);
  }
  return words;
}

// True if the server has answered, and does not want the stream.
bool is_refused(std::string_view to, int error) {
  constexpr std::array kAnswers = {AVERROR_HTTP_BAD_REQUEST, AVERROR_HTTP_UNAUTHORIZED,
                                   AVERROR_HTTP_FORBIDDEN, AVERROR_HTTP_NOT_FOUND,
                                   AVERROR_HTTP_OTHER_4XX};
  // What FFmpeg makes of errors that an RTMP server reports.
  const bool rtmp = error == AVERROR_UNKNOWN || error == AVERROR(EPERM);
  return std::ranges::find(kAnswers, error) != kAnswers.end() || (rtmp && to.starts_with("rtmp"));
}

class AvFilm final : public FilmWriter {
 public:
  AvFilm(FilmOptions options, sail::Size size)
      : options_(std::move(options)), destination_(live_destination(options_.to)), size_(size) {}
  ~AvFilm() override {
    if (format_ != nullptr && (format_->oformat->flags & AVFMT_NOFILE) == 0) {
      avio_closep(&format_->pb);
    }
  }

  sail::Result<void> start();
  sail::Result<void> write(const uint8_t* pixels, int64_t index) override;
  sail::Result<void> repeat(int64_t index) override { return encode(index); }
  sail::Result<void> write_sound(std::span<const float> samples, int64_t first) override;
  sail::Result<void> finish() override;

 private:
  sail::Result<void> open_container();
  sail::Result<void> begin();
  sail::Result<void> connect();
  sail::Result<void> encode(int64_t index);
  // frame null: flushes the encoder at the end.
  sail::Result<void> encode(AVCodecContext& codec, const AVFrame* frame, const AVStream& stream);
  sail::Result<void> take_packets(AVCodecContext& codec, const AVStream& stream);
  int put_packet();
  void put_before_audience(const AVStream& stream);
  bool precedes_stream();
  static int close_piece(AVFormatContext* format, AVIOContext* file);
  sail::Error trouble(const std::string& why,
                      sail::ErrorCode code = sail::ErrorCode::kInvalidParams) const {
    return sail::fail(code, fmt::format("{}: {}", sail::without_stream_keys(options_.to), why));
  }
  // For errors of FFmpeg while it connects or writes.
  sail::Error io_trouble(int error) const;

  bool goes_to(LiveKind kind) const {
    return destination_ != nullptr && destination_->kind == kind;
  }

  const FilmOptions options_;
  const LiveDestination* const destination_;  // null: a file
  const sail::Size size_;
  AvPtr<AVFormatContext> format_;
  AvPtr<AVPacket> packet_;
  std::unique_ptr<PictureTrack> pictures_;
  std::unique_ptr<SoundTrack> sound_;
  int piece_error_ = 0;              // first error while a file of HLS was written
  bool begun_ = false;               // the header is written
  std::optional<int64_t> first_us_;  // live: time of the first packet
};

sail::Result<void> AvFilm::start() {
  if (auto opened = open_container(); !opened) return opened;
  std::string why;
  pictures_ = PictureTrack::open(*format_, options_, size_, why);
  if (pictures_ == nullptr) return trouble(why);
  packet_.reset(av_packet_alloc());
  return begin();
}

sail::Result<void> AvFilm::open_container() {
  const bool device = goes_to(LiveKind::kDevice);
  if (device) load_devices();
  const std::string name = device ? options_.to.substr(destination_->mark.size()) : options_.to;
  AVFormatContext* format = nullptr;
  avformat_alloc_output_context2(
      &format, nullptr, destination_ == nullptr ? nullptr : destination_->format, name.c_str());
  if (format == nullptr) {
    return trouble(device
                       ? "FFmpeg's devices (libavdevice) are not installed"
                       : "unknown kind of file: use a name that ends in .mkv or .mp4, for example");
  }
  format_.reset(format);
  format_->interrupt_callback = {[](void* film) {
                                   const auto& options = static_cast<const AvFilm*>(film)->options_;
                                   return options.interrupted && options.interrupted() ? 1 : 0;
                                 },
                                 this};
  format_->flags |= AVFMT_FLAG_FLUSH_PACKETS;
  if (options_.live) format_->max_delay = 0;
  const char* protocols = destination_ == nullptr ? "file" : destination_->protocols;
  av_opt_set(format, "protocol_whitelist", protocols, 0);
  if (goes_to(LiveKind::kPlaylist)) {
    format->opaque = this;
    format->io_close2 = &AvFilm::close_piece;
  }
  return {};
}

sail::Result<void> AvFilm::begin() {
  if (options_.sound) {
    std::string why;
    sound_ = SoundTrack::open(*format_, options_.audience != nullptr ? "libopus" : "", why);
    if (!why.empty()) return trouble(why);
  }
  if (options_.audience != nullptr) {
    options_.audience->begin(sound_ != nullptr);
    return {};
  }
  if (auto connected = connect(); !connected) return connected;
  AVDictionary* words = container_words(format_->oformat->name);
  const int begun = avformat_write_header(format_.get(), &words);
  av_dict_free(&words);
  if (begun < 0) return io_trouble(begun);
  begun_ = true;
  return {};
}

sail::Result<void> AvFilm::connect() {
  if (goes_to(LiveKind::kPlaylist)) {
    // FFmpeg creates the first file seconds later.
    std::error_code ignored;
    const auto folder = std::filesystem::absolute(options_.to, ignored).parent_path();
    if (access(folder.c_str(), W_OK | X_OK) != 0) return trouble(std::strerror(errno));
  }
  if ((format_->oformat->flags & AVFMT_NOFILE) != 0) return {};
  AVDictionary* words = nullptr;
  av_dict_set(&words, "protocol_whitelist", format_->protocol_whitelist, 0);
  // For protocols that support it.
  av_dict_set_int(&words, "pkt_size", kDatagramBytes, 0);
  av_dict_set_int(&words, "tls_verify", 1, 0);
  const int opened = avio_open2(&format_->pb, options_.to.c_str(), AVIO_FLAG_WRITE,
                                &format_->interrupt_callback, &words);
  av_dict_free(&words);
  if (opened < 0) return io_trouble(opened);
  return {};
}

sail::Error AvFilm::io_trouble(int error) const {
  using sail::ErrorCode;
  if (!options_.live) return trouble(words_of(error), ErrorCode::kIo);
  if (is_refused(options_.to, error)) {
    return trouble("the server refuses the stream: check the path, the name and the password",
                   ErrorCode::kUnauthorized);
  }
  if (error == AVERROR_PROTOCOL_NOT_FOUND) return trouble("this FFmpeg has no such protocol");
  if (error == AVERROR(EINVAL) && !begun_) {
    return trouble("invalid argument: check the URL's parameters");
  }
  // FFmpeg's protocols do not report the reason.
  if (error == AVERROR(EIO)) {
    return trouble(options_.to.starts_with("rtmps")
                       ? "no connection, or the server's certificate is not trusted"
                       : "no connection",
                   ErrorCode::kIo);
  }
  if (error == AVERROR_EXIT) return trouble("no answer for too long", ErrorCode::kIo);
  return trouble(words_of(error), ErrorCode::kIo);
}

// FFmpeg's muxer of HLS ignores errors of its files.
int AvFilm::close_piece(AVFormatContext* format, AVIOContext* file) {
  auto& film = *static_cast<AvFilm*>(format->opaque);
  const int closed = avio_close(file);
  if (film.piece_error_ == 0) film.piece_error_ = std::min(closed, 0);
  return closed;
}

sail::Result<void> AvFilm::write(const uint8_t* pixels, int64_t index) {
  if (!pictures_->convert(pixels)) return trouble("out of memory");
  return encode(index);
}

sail::Result<void> AvFilm::encode(int64_t index) {
  const bool key_asked = options_.audience != nullptr && options_.audience->wants_key();
  return encode(pictures_->codec(), pictures_->picture_at(index, key_asked), pictures_->stream());
}

sail::Result<void> AvFilm::write_sound(std::span<const float> samples, int64_t first) {
  if (sound_ == nullptr) return {};
  sound_->add(samples, first);
  while (const AVFrame* frame = sound_->whole_frame()) {
    if (auto encoded = encode(sound_->codec(), frame, sound_->stream()); !encoded) return encoded;
  }
  return {};
}

sail::Result<void> AvFilm::encode(AVCodecContext& codec, const AVFrame* frame,
                                  const AVStream& stream) {
  const int sent = avcodec_send_frame(&codec, frame);
  if (sent < 0) return trouble(words_of(sent));
  return take_packets(codec, stream);
}

sail::Result<void> AvFilm::take_packets(AVCodecContext& codec, const AVStream& stream) {
  for (;;) {
    const int received = avcodec_receive_packet(&codec, packet_.get());
    if (received == AVERROR(EAGAIN) || received == AVERROR_EOF) return {};
    if (received < 0) return trouble(words_of(received));
    if (packet_->duration == 0) packet_->duration = 1;
    av_packet_rescale_ts(packet_.get(), codec.time_base, stream.time_base);
    packet_->stream_index = stream.index;
    if (options_.audience != nullptr) {
      put_before_audience(stream);
      continue;
    }
    if (const int written = put_packet(); written < 0) return io_trouble(written);
    // Otherwise a write error would only be reported with a later packet.
    if (format_->pb != nullptr && format_->pb->error < 0) return io_trouble(format_->pb->error);
    if (piece_error_ < 0) return io_trouble(piece_error_);
  }
}

// The sound encoder's first packet is before the first sound. FFmpeg's muxer of RTMP refuses
// packets before the first one.
bool AvFilm::precedes_stream() {
  const int64_t us = av_rescale_q(packet_->dts, format_->streams[packet_->stream_index]->time_base,
                                  AV_TIME_BASE_Q);
  if (!first_us_) first_us_ = us;
  return us < *first_us_;
}

void AvFilm::put_before_audience(const AVStream& stream) {
  const std::span<const uint8_t> bytes(packet_->data, static_cast<size_t>(packet_->size));
  const int64_t time_ns = av_rescale_q(packet_->pts, stream.time_base, {1, 1'000'000'000});
  if (&stream != &pictures_->stream()) {
    options_.audience->play(bytes, time_ns);
  } else {
    options_.audience->show(bytes, (packet_->flags & AV_PKT_FLAG_KEY) != 0, time_ns);
  }
  av_packet_unref(packet_.get());
}

// Files: interleaves packets by time, whatever the encoders' delay. Live: writes immediately.
int AvFilm::put_packet() {
  if (sound_ != nullptr && !options_.live) {
    return av_interleaved_write_frame(format_.get(), packet_.get());
  }
  const bool leave_out = options_.live && precedes_stream();
  const int written = leave_out ? 0 : av_write_frame(format_.get(), packet_.get());
  av_packet_unref(packet_.get());
  return written;
}

sail::Result<void> AvFilm::finish() {
  sail::Result<void> taken;
  if (sound_ != nullptr) {
    if (const AVFrame* frame = sound_->last_frame()) {
      taken = encode(sound_->codec(), frame, sound_->stream());
    }
    if (taken) taken = encode(sound_->codec(), nullptr, sound_->stream());
  }
  if (taken) taken = encode(pictures_->codec(), nullptr, pictures_->stream());
  if (options_.audience != nullptr) return taken;
  const int ended = av_write_trailer(format_.get());
  if (!taken) return taken;
  if (ended < 0) return io_trouble(ended);
  return {};
}

}  // namespace

sail::Result<std::unique_ptr<FilmWriter>> FilmWriter::open(const FilmOptions& options,
                                                           sail::Size size) {
  av_log_set_level(AV_LOG_QUIET);  // errors are logged by this program, once
  auto film = std::make_unique<AvFilm>(options, size);
  if (auto started = film->start(); !started) return started.error();
  return std::unique_ptr<FilmWriter>(std::move(film));
}

}  // namespace receiver
