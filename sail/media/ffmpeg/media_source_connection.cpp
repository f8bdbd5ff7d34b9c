#include "sail/media/ffmpeg/media_source_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"
#include "sail/media/ffmpeg/media_source_container.h"
#include "sail/media/ffmpeg/media_source_formats.h"
#include "sail/media/storage/http/web_address.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kLongestWait(15);

bool has_drawing(const AVFormatContext& format) {
  const std::span streams(format.streams, format.nb_streams);
  return std::ranges::any_of(streams, [](const AVStream* stream) {
    return stream->codecpar->codec_id == AV_CODEC_ID_SVG;
  });
}

}  // namespace

Result<void> MediaConnection::open(Probe wanted) {
  catch_messages();
  format_.reset();
  gave_up_ = false;
  auto container = container_of(url_, options_);
  if (!container) return std::move(container.error());
  start_waiting();
  auto io = open_io(container->demuxer == nullptr);
  if (!io) return io;
  AVFormatContext* context = avformat_alloc_context();
  if (!context) return fail(ErrorCode::kLimit, "out of memory");
  context->opaque = this;
  context->interrupt_callback = {&MediaConnection::interrupted, this};
  if (live_) context->pb = live_.get();
  if (pipe_) context->pb = pipe_->context();
  if (io_) context->pb = io_->rewound();
  AVDictionary* settings = nullptr;
  for (const auto& [key, value] : container->settings) {
    av_dict_set(&settings, key.c_str(), value.c_str(), 0);
  }
  const int opened =
      avformat_open_input(&context, container->address.c_str(), container->demuxer, &settings);
  av_dict_free(&settings);
  if (opened < 0) {
    const int why = gave_up_ ? AVERROR_EXIT : opened;  // demuxers report an aborted read as damage
    return fail(ErrorCode::kIo,
                fmt::format("cannot open {}: {}{}", url_, error_text(why), advice(why)));
  }
  format_.reset(context);
  pictures_ = std::move(container->pictures);
  // FFmpeg would decode any text as terminal output.
  if (std::strcmp(format_->iformat->name, "tty") == 0) {
    return fail(ErrorCode::kBadData, fmt::format("{} is text, not a film or picture", url_));
  }
  // FFmpeg would render drawings without limits.
  if (has_drawing(*format_)) {
    return fail(ErrorCode::kBadData,
                fmt::format("{} is an SVG drawing, which is read only as a single file; of a URL, "
                            "the name must end in .svg, and the server must send byte ranges",
                            url_));
  }
  if (auto open = check_encryption(*format_, url_); !open) return open;
  return wanted == Probe::kHeader ? Result<void>() : probe(wanted);
}

Result<void> MediaConnection::probe(Probe wanted) {
  if (wanted == Probe::kStreams) probe_without_pictures(*format_);
  ProbeOptions limits(format_->nb_streams);
  const unsigned streams = format_->nb_streams;
  const int probed =
      avformat_find_stream_info(format_.get(), streams > 0 ? limits.data() : nullptr);
  const int failed = gave_up_ && awaits_sender(url_) ? AVERROR_EXIT : probed;
  if (failed < 0) {
    return fail(ErrorCode::kBadData,
                fmt::format("cannot read {}: {}{}", url_, error_text(failed), advice(failed)));
  }
  return {};
}

Result<void> MediaConnection::open_io(bool bytes) {
  if (io_ || !bytes) return {};
  const auto give_up = [this] { return interrupted(this) != 0; };
  if (options_.descriptor) {
    pipe_ = std::make_unique<MediaPipe>(*options_.descriptor, give_up);
    if (pipe_->context() == nullptr) return fail(ErrorCode::kLimit, "out of memory");
    return {};
  }
  if (options_.open) {
    auto source = options_.open();
    if (!source) return std::move(source.error());
    io_ = std::make_unique<MediaIo>(std::move(*source), give_up);
    return {};
  }
  const auto live = open_live();
  if (!live) return live.error();
  if (*live) return {};
  auto io = MediaIo::open(url_, give_up);
  if (!io && io.error().code == ErrorCode::kTimeout) {
    return fail(ErrorCode::kIo, fmt::format("cannot open {}: {}", url_, error_text(AVERROR_EXIT)));
  }
  if (!io) return std::move(io.error());
  io_ = std::move(*io);
  return {};
}

// A web server may serve a live stream to the first connection only, so FFmpeg connects first. If
// the answer is an HTTP error, it may be due to credentials that only our client has (~/.netrc).
// For EIO (for example endless redirects), our client has the better error message.
Result<bool> MediaConnection::open_live() {
  live_.reset();
  if (!is_web(url_)) return false;
  const AVIOInterruptCB give_up{&MediaConnection::interrupted, this};
  AVIOContext* io = nullptr;
  const std::string address = as_web_address(url_);
  const int opened = avio_open2(&io, address.c_str(), AVIO_FLAG_READ, &give_up, nullptr);
  constexpr std::array kAnswers = {AVERROR_HTTP_BAD_REQUEST,
                                   AVERROR_HTTP_UNAUTHORIZED,
                                   AVERROR_HTTP_FORBIDDEN,
                                   AVERROR_HTTP_NOT_FOUND,
                                   AVERROR_HTTP_OTHER_4XX,
                                   AVERROR_HTTP_SERVER_ERROR,
                                   AVERROR(EIO)};
  if (std::ranges::find(kAnswers, opened) != kAnswers.end()) return false;
  if (opened < 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot open {}: {}", url_, error_text(opened)));
  }
  live_.reset(io);
  if ((io->seekable & AVIO_SEEKABLE_NORMAL) != 0) live_.reset();
  return live_ != nullptr;
}

std::string MediaConnection::sent_once() const {
  return is_sent_once() ? "; the server does not support byte ranges, which this kind of film needs"
                        : "";
}

std::string MediaConnection::advice(int error) const {
  const bool unanswered = error == AVERROR_EXIT || error == AVERROR(EIO) ||
                          error == AVERROR(ECONNREFUSED) || error == AVERROR(ETIMEDOUT) ||
                          error == AVERROR(EHOSTUNREACH) || error == AVERROR(ENETUNREACH);
  if (!unanswered || !awaits_sender(url_)) return sent_once();
  return "; start its sender, or check the address and the firewalls on the way";
}

std::string MediaConnection::error_text(int error) const {
  if (error == AVERROR_EXIT && gave_up_) {
    return fmt::format("no data received for {} s", kLongestWait.count());
  }
  if (error == AVERROR(EIO) && io_ && io_->failure()) return *io_->failure();
  if (error == AVERROR_EOF) return "empty or cut short";
  if (error == AVERROR_INVALIDDATA) return "damaged, or not a film or picture that FFmpeg can read";
  // FFmpeg's protocol libraries do not report the reason.
  if (error == AVERROR(EIO) && awaits_sender(url_)) return "no connection";
  return words_of(error);
}

void MediaConnection::start_waiting() {
  asked_at_ = std::chrono::steady_clock::now();
}

std::chrono::steady_clock::duration MediaConnection::waited() const {
  return std::chrono::steady_clock::now() - asked_at_;
}

int MediaConnection::interrupted(void* self) {
  auto& connection = *static_cast<MediaConnection*>(self);
  const MediaOptions& options = connection.options_;
  if (options.interrupted && options.interrupted()) return 1;
  // A program that writes to our descriptor may be silent for any time.
  if (options.descriptor) return 0;
  connection.gave_up_ |= connection.waited() >= kLongestWait;
  return connection.gave_up_ ? 1 : 0;
}

void MediaConnection::catch_messages() {
  av_log_set_callback(&MediaConnection::write_log);
}

// FFmpeg has one log callback per process; the message's root context identifies the film.
void MediaConnection::write_log(void* context, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_WARNING || !context) return;
  const AVClass* type = *static_cast<const AVClass**>(context);
  while (type && type->parent_log_context_offset != 0) {
    void* parent =
        *reinterpret_cast<void**>(static_cast<uint8_t*>(context) + type->parent_log_context_offset);
    if (!parent) break;
    context = parent;
    type = *static_cast<const AVClass**>(context);
  }
  const MediaConnection* film = nullptr;
  if (type == avformat_get_class()) {
    film = static_cast<MediaConnection*>(static_cast<AVFormatContext*>(context)->opaque);
  } else if (type == avcodec_get_class()) {
    film = static_cast<MediaConnection*>(static_cast<AVCodecContext*>(context)->opaque);
  }
  if (!film || !film->options_.log) return;
  char text[512];
  std::vsnprintf(text, sizeof(text), format, arguments);
  const std::string line = without_passwords(text);
  film->options_.log->debug("ffmpeg: {}",
                            std::string_view(line).substr(0, line.find_last_not_of('\n') + 1));
}

}  // namespace sail
