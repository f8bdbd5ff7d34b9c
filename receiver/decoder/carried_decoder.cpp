#include "receiver/decoder/carried_decoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "sail/core/wire/data/access_units.h"
#include "sail/core/wire/data/codec_name.h"

namespace receiver {
namespace {

using codecs::CodecId;
using codecs::PixelFormat;
using sail::AccessUnit;
using sail::UnitsHead;
using Kind = CarriedFault::Kind;

constexpr int kMostThreads = sail::kMaxUnitsAhead + 1;
// Above all of FFmpeg's log levels; from 256 on, they are colours.
constexpr int kSilent = 64;

AVCodecID av_codec(CodecId codec) {
  switch (codec) {
    case CodecId::kH264:
      return AV_CODEC_ID_H264;
    case CodecId::kH265:
      return AV_CODEC_ID_HEVC;
    case CodecId::kAv1:
      return AV_CODEC_ID_AV1;
    case CodecId::kVp9:
      return AV_CODEC_ID_VP9;
    case CodecId::kMjpeg:
      return AV_CODEC_ID_MJPEG;
    default:
      return AV_CODEC_ID_NONE;
  }
}

void copy_plane(const AVFrame& from, int plane, int width, int height, uint8_t* to) {
  for (int row = 0; row < height; ++row) {
    std::memcpy(to + ptrdiff_t{width} * row,
                from.data[plane] + ptrdiff_t{from.linesize[plane]} * row,
                static_cast<size_t>(width));
  }
}

}  // namespace

class CarriedDecoder::Impl {
 public:
  Impl(CodecId codec, sail::Size frame_size, std::function<void()> on_unit)
      : codec_(codec), frame_size_(frame_size), on_unit_(std::move(on_unit)) {}

  Outcome decode(std::span<const uint8_t> block, PlainBlock& plain);

  CarriedFault fault;

 private:
  struct FreeAv {
    void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
    void operator()(AVFrame* frame) const { av_frame_free(&frame); }
    void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  };
  using AvContextPtr = std::unique_ptr<AVCodecContext, FreeAv>;
  using AvPicturePtr = std::unique_ptr<AVFrame, FreeAv>;
  using AvPacketPtr = std::unique_ptr<AVPacket, FreeAv>;

  bool open();
  void take(const AccessUnit& unit);
  // Begins again, at a key picture.
  void restart();
  void feed(const AVPacket* packet);
  void receive_all();
  void drain();
  // The picture to show, or null.
  AvPicturePtr wanted();
  bool write(const AVFrame& picture, PlainBlock& plain);

  const CodecId codec_;
  const sail::Size frame_size_;
  const std::function<void()> on_unit_;
  UnitsHead head_;
  int reorder_ = 0;  // as told when the decoder was opened
  AvContextPtr context_;
  AvPacketPtr packet_{av_packet_alloc()};
  std::deque<AvPicturePtr> early_;   // in the order in which they came out
  uint64_t newest_ = 0;              // number of the unit decoded last
  bool ended_ = true;                // the next unit must be a key picture
  std::optional<int64_t> shown_ns_;  // film time of the picture written last
};

bool CarriedDecoder::Impl::open() {
  const AVCodec* decoder = avcodec_find_decoder(av_codec(codec_));
  context_.reset(decoder == nullptr ? nullptr : avcodec_alloc_context3(decoder));
  if (!context_) return false;
  const int cores = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
  // Each further thread that decodes a picture of its own holds one more picture back.
  const bool pictures_at_once = head_.ahead > 0;
  context_->thread_type = pictures_at_once ? FF_THREAD_FRAME : FF_THREAD_SLICE;
  context_->thread_count =
      std::min({pictures_at_once ? head_.ahead + 1 : kMostThreads, kMostThreads, cores});
  if (codec_ == CodecId::kAv1) context_->flags |= AV_CODEC_FLAG_LOW_DELAY;
  context_->has_b_frames = reorder_ = head_.reorder;
  context_->max_pixels =
      int64_t{frame_size_.width + kDecoderAlignment} * (frame_size_.height + kDecoderAlignment);
  context_->log_level_offset = kSilent;
  if (avcodec_open2(context_.get(), decoder, nullptr) == 0) return true;
  context_.reset();
  return false;
}

CarriedDecoder::Outcome CarriedDecoder::Impl::decode(std::span<const uint8_t> block,
                                                     PlainBlock& plain) {
  fault = {};
  const auto read = sail::decode_units(block);
  if (!read) {
    fault.kind = Kind::kInvalidBlock;
    return Outcome::kNone;
  }
  head_ = read->head;
  for (size_t i = 0; i < read->units.size(); ++i) {
    if (i > 0 && on_unit_) on_unit_();
    if (read->units[i].number > newest_) take(read->units[i]);
  }
  if (head_.last && !ended_) drain();
  if (shown_ns_ == head_.shows_ns) return Outcome::kSame;
  const AvPicturePtr picture = wanted();
  if (picture && write(*picture, plain)) {
    shown_ns_ = head_.shows_ns;
    return Outcome::kNew;
  }
  if (fault.kind == Kind::kNone) fault.kind = Kind::kMissingUnits;
  return Outcome::kNone;
}

void CarriedDecoder::Impl::take(const AccessUnit& unit) {
  const bool follows = !ended_ && unit.number == newest_ + 1;
  newest_ = unit.number;
  if (!follows) {
    ended_ = true;
    if (!unit.key) return;
    restart();
  }
  if (!context_ || !packet_) return;
  if (av_new_packet(packet_.get(), static_cast<int>(unit.bytes.size())) < 0) return;
  std::ranges::copy(unit.bytes, packet_->data);
  packet_->pts = packet_->dts = unit.time_ns;
  if (unit.key) packet_->flags |= AV_PKT_FLAG_KEY;
  feed(packet_.get());
  av_packet_unref(packet_.get());
}

void CarriedDecoder::Impl::restart() {
  early_.clear();
  shown_ns_.reset();
  ended_ = false;
  if (context_ && reorder_ == head_.reorder) return avcodec_flush_buffers(context_.get());
  if (!open()) fault.kind = Kind::kNoDecoder;
}

void CarriedDecoder::Impl::feed(const AVPacket* packet) {
  int sent = avcodec_send_packet(context_.get(), packet);
  receive_all();
  if (sent == AVERROR(EAGAIN)) {
    sent = avcodec_send_packet(context_.get(), packet);
    receive_all();
  }
  if (sent < 0) fault.kind = Kind::kDamagedUnit;
}

void CarriedDecoder::Impl::receive_all() {
  for (;;) {
    AvPicturePtr picture(av_frame_alloc());
    if (!picture || avcodec_receive_frame(context_.get(), picture.get()) < 0) return;
    early_.push_back(std::move(picture));
    if (early_.size() > kMostEarlyPictures) early_.pop_front();
  }
}

// No unit follows: all pictures come out.
void CarriedDecoder::Impl::drain() {
  ended_ = true;
  if (!context_) return;
  feed(nullptr);
  avcodec_flush_buffers(context_.get());
}

CarriedDecoder::Impl::AvPicturePtr CarriedDecoder::Impl::wanted() {
  // H.264 does not always state how many pictures are held back. If more are than was assumed, all
  // receivers show the picture before.
  const bool deeper = context_ && context_->has_b_frames > reorder_;
  AvPicturePtr before;
  while (!early_.empty() && early_.front()->pts < head_.shows_ns) {
    before = std::move(early_.front());
    early_.pop_front();
  }
  if (early_.empty() || early_.front()->pts != head_.shows_ns)
    return deeper ? std::move(before) : nullptr;
  AvPicturePtr picture = std::move(early_.front());
  early_.pop_front();
  return picture;
}

bool CarriedDecoder::Impl::write(const AVFrame& picture, PlainBlock& plain) {
  const auto [width, height] = frame_size_;
  if (picture.width != width || picture.height != height) {
    fault = {.kind = Kind::kOtherSize, .picture = {picture.width, picture.height}};
    return false;
  }
  const bool i420 = picture.format == AV_PIX_FMT_YUV420P || picture.format == AV_PIX_FMT_YUVJ420P;
  const bool i422 = picture.format == AV_PIX_FMT_YUV422P || picture.format == AV_PIX_FMT_YUVJ422P;
  if (!i420 && !i422) {
    fault.kind = Kind::kOtherFormat;
    return false;
  }
  plain.format = i420 ? PixelFormat::kI420 : PixelFormat::kI422;
  plain.part = {0, 0, width, height};
  const int chroma_width = (width + 1) / 2;
  const int chroma_height = i420 ? (height + 1) / 2 : height;
  uint8_t* to = plain.data();
  copy_plane(picture, 0, width, height, to);
  to += ptrdiff_t{width} * height;
  copy_plane(picture, 1, chroma_width, chroma_height, to);
  to += ptrdiff_t{chroma_width} * chroma_height;
  copy_plane(picture, 2, chroma_width, chroma_height, to);
  return true;
}

CarriedDecoder::CarriedDecoder(CodecId codec, sail::Size frame_size, std::function<void()> on_unit)
    : impl_(std::make_unique<Impl>(codec, frame_size, std::move(on_unit))) {}
CarriedDecoder::~CarriedDecoder() = default;

CarriedDecoder::Outcome CarriedDecoder::decode(std::span<const uint8_t> block, PlainBlock& plain) {
  return impl_->decode(block, plain);
}

const CarriedFault& CarriedDecoder::fault() const {
  return impl_->fault;
}

std::vector<std::string> decodable_codec_names() {
  std::vector<std::string> names = sail::all_codec_names();
  std::erase_if(names, [](const std::string& name) {
    const AVCodecID id = av_codec(sail::parse_codec_name(name)->id);
    return id == AV_CODEC_ID_NONE || avcodec_find_decoder(id) == nullptr;
  });
  return names;
}

}  // namespace receiver
