#include "sail/media/subtitles/subtitle_file.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}
#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr int kMemoryBufferBytes = 4 << 10;
constexpr const char* kTextDemuxers = "srt,ass,webvtt,microdvd,mpl2,sami,subviewer,subviewer1";

bool begins_with(std::span<const uint8_t> bytes, std::initializer_list<uint8_t> mark) {
  return bytes.size() >= mark.size() && std::equal(mark.begin(), mark.end(), bytes.begin());
}

enum class OnError : uint8_t { kFail, kReplace };

// Converts the text to UTF-8. Empty optional: the text is not in that character set.
std::optional<std::vector<uint8_t>> converted(std::vector<uint8_t> bytes, const char* from,
                                              OnError on_error) {
  const iconv_t converter = iconv_open("UTF-8", from);
  if (reinterpret_cast<intptr_t>(converter) == -1) return std::nullopt;
  std::vector<uint8_t> text(3 * bytes.size());  // a byte becomes at most three bytes
  char* in = reinterpret_cast<char*>(bytes.data());
  char* out = reinterpret_cast<char*>(text.data());
  size_t in_left = bytes.size();
  size_t out_left = text.size();
  while (in_left > 0) {
    if (iconv(converter, &in, &in_left, &out, &out_left) != static_cast<size_t>(-1)) break;
    if (on_error == OnError::kFail || errno != EILSEQ || out_left == 0) break;
    *out++ = '?';
    --out_left;
    ++in;
    --in_left;
  }
  iconv_close(converter);
  if (in_left > 0) return std::nullopt;
  text.resize(text.size() - out_left);
  return text;
}

// The text as UTF-8; a complaint if its character set was guessed.
Result<std::vector<uint8_t>> decoded_text(const std::string& name, std::vector<uint8_t> bytes,
                                          std::vector<std::string>& complaints) {
  const bool wide = begins_with(bytes, {0xff, 0xfe}) || begins_with(bytes, {0xfe, 0xff});
  if (auto text = converted(bytes, wide ? "UTF-16" : "UTF-8", OnError::kFail)) return *text;
  auto text = wide ? std::nullopt : converted(bytes, "WINDOWS-1252", OnError::kReplace);
  if (!text) return fail(ErrorCode::kBadData, fmt::format("{} is damaged UTF-16", name));
  complaints.push_back(fmt::format(
      "{} is not UTF-8: read as Windows-1252; convert the file if letters are wrong", name));
  return *std::move(text);
}

// A demuxer that reads memory.
class TextDemuxer {
 public:
  explicit TextDemuxer(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  ~TextDemuxer() {
    avformat_close_input(&format_);
    if (io_ != nullptr) av_freep(&io_->buffer);
    avio_context_free(&io_);
  }
  TextDemuxer(const TextDemuxer&) = delete;
  TextDemuxer& operator=(const TextDemuxer&) = delete;

  bool open(const std::string& name);
  AVFormatContext& format() { return *format_; }
  // Null: none.
  AVStream* track() const {
    const bool one = format_->nb_streams > 0 &&
                     format_->streams[0]->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE;
    return one ? format_->streams[0] : nullptr;
  }

 private:
  static int read(void* self, uint8_t* to, int count) {
    auto& demuxer = *static_cast<TextDemuxer*>(self);
    const auto left = demuxer.bytes_.subspan(demuxer.place_);
    const size_t got = std::min(left.size(), static_cast<size_t>(count));
    if (got == 0) return AVERROR_EOF;
    std::memcpy(to, left.data(), got);
    demuxer.place_ += got;
    return static_cast<int>(got);
  }

  const std::span<const uint8_t> bytes_;
  size_t place_ = 0;
  AVIOContext* io_ = nullptr;
  AVFormatContext* format_ = nullptr;
};

bool TextDemuxer::open(const std::string& name) {
  auto* buffer = static_cast<uint8_t*>(av_malloc(kMemoryBufferBytes));
  if (buffer == nullptr) return false;
  io_ =
      avio_alloc_context(buffer, kMemoryBufferBytes, 0, this, &TextDemuxer::read, nullptr, nullptr);
  if (io_ == nullptr) {
    av_free(buffer);
    return false;
  }
  format_ = avformat_alloc_context();
  if (format_ == nullptr) return false;
  format_->pb = io_;
  AVDictionary* settings = nullptr;
  av_dict_set(&settings, "format_whitelist", kTextDemuxers, 0);
  const int opened = avformat_open_input(&format_, name.c_str(), nullptr, &settings);
  av_dict_free(&settings);
  return opened >= 0;  // on failure FFmpeg has freed the context
}

size_t bytes_of(const SubtitleCue& cue) {
  size_t bytes = 0;
  for (const std::string& event : cue.events) bytes += event.size();
  return bytes;
}

void read_cues(TextDemuxer& demuxer, SubtitleDecoder& decoder, const std::string& name,
               SubtitleFile& file) {
  AVPacket* packet = av_packet_alloc();
  size_t left_out = 0;
  size_t bytes = 0;
  while (packet != nullptr && av_read_frame(&demuxer.format(), packet) >= 0) {
    const AVRational nanoseconds{1, 1'000'000'000};
    const AVStream& track = *demuxer.format().streams[packet->stream_index];
    const int64_t start_ns =
        packet->pts == AV_NOPTS_VALUE ? 0 : av_rescale_q(packet->pts, track.time_base, nanoseconds);
    auto cue = decoder.decode(*packet, start_ns);
    av_packet_unref(packet);
    if (cue) bytes += bytes_of(*cue);
    if (!cue || file.cues.size() >= kMaxSubtitles || bytes > kMaxSubtitleBytes) {
      ++left_out;
    } else if (!cue->events.empty()) {
      file.cues.push_back(std::move(*cue));
    }
  }
  av_packet_free(&packet);
  if (left_out > 0) {
    file.complaints.push_back(fmt::format(
        "{}: {} subtitles are left out: damaged, longer than {} KB, or more than {} or {} MB", name,
        left_out, SubtitleDecoder::kMaxEvent >> 10, kMaxSubtitles, kMaxSubtitleBytes >> 20));
  }
}

}  // namespace

Result<SubtitleFile> parse_subtitle_file(const std::string& name, std::vector<uint8_t> bytes) {
  SubtitleFile file;
  const auto text = decoded_text(name, std::move(bytes), file.complaints);
  if (!text) return text.error();
  TextDemuxer demuxer(*text);
  if (!demuxer.open(name) || demuxer.track() == nullptr) {
    return fail(ErrorCode::kBadData,
                fmt::format("{} has no subtitles that can be read: only text is read from files "
                            "(SubRip, ASS, WebVTT)",
                            name));
  }
  auto decoder = SubtitleDecoder::open(*demuxer.track()->codecpar, demuxer.track()->time_base);
  if (!decoder) {
    return fail(decoder.error().code, fmt::format("{}: {}", name, decoder.error().message));
  }
  file.header = (*decoder)->header();
  read_cues(demuxer, **decoder, name, file);
  return file;
}

Result<SubtitleFile> read_subtitle_file(const std::string& name, const GiveUp& give_up) {
  const auto source = open_bytes(name, give_up);
  if (!source) return source.error();
  const auto size = (*source)->size();
  if (!size) return size.error();
  if (*size > kMaxSubtitleBytes) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} has {} MB: subtitle files of at most {} MB are read",
                            without_passwords(name), *size >> 20, kMaxSubtitleBytes >> 20));
  }
  std::vector<uint8_t> bytes(*size);
  if (auto read = (*source)->read(0, bytes); !read) return read.error();
  return parse_subtitle_file(without_passwords(name), std::move(bytes));
}

}  // namespace sail
