#include "receiver/recorder/film_writer_pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace receiver {
namespace {

// Seconds between key frames, at most: for seeking, and for viewers that join a live stream.
constexpr double kKeyEveryS = 2;
constexpr const char* kViewerRate = "10M";  // bit/s, at most; of a stream by WHEP
constexpr const char* kViewerBurst = "4M";  // bits

const AVCodec* encoder_for(const AVOutputFormat& format, const std::string& name) {
  if (!name.empty()) return avcodec_find_encoder_by_name(name.c_str());
  // Raw video muxers accept any codec id, so exclude them.
  const bool takes_h264 =
      format.video_codec != AV_CODEC_ID_RAWVIDEO && takes(format, AV_CODEC_ID_H264);
  const AVCodec* x264 = takes_h264 ? avcodec_find_encoder_by_name("libx264") : nullptr;
  return x264 != nullptr ? x264 : avcodec_find_encoder(format.video_codec);
}

// Prefers the input format, which needs no conversion, then the format that all players support.
AVPixelFormat pixel_format_for(const AVCodec& encoder) {
  constexpr AVPixelFormat kLiked[] = {AV_PIX_FMT_BGR0, AV_PIX_FMT_YUV420P};
  const AVPixelFormat* const formats = pixel_formats(encoder);
  if (formats == nullptr) return AV_PIX_FMT_YUV420P;
  for (const AVPixelFormat liked : kLiked) {
    for (const AVPixelFormat* one = formats; *one != AV_PIX_FMT_NONE; ++one) {
      if (*one == liked) return liked;
    }
  }
  return formats[0];
}

bool is_rgb(AVPixelFormat format) {
  return (av_pix_fmt_desc_get(format)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

// Returns the size rounded down to whole chroma samples.
sail::Size coded_size(sail::Size size, AVPixelFormat format) {
  const AVPixFmtDescriptor& pixels = *av_pix_fmt_desc_get(format);
  return {size.width >> pixels.log2_chroma_w << pixels.log2_chroma_w,
          size.height >> pixels.log2_chroma_h << pixels.log2_chroma_h};
}

// Sets encoder options that differ from the encoder's defaults.
void advise(AVDictionary** words, std::string_view encoder, const FilmOptions& options) {
  const bool live = options.live;
  const auto set = [&](const char* name, const char* value) { av_dict_set(words, name, value, 0); };
  if (encoder.starts_with("libx26")) {
    set("preset", live ? "superfast" : "veryfast");
    set("crf", "20");
    if (live) set("tune", "zerolatency");
    // All browsers decode this profile. Bursts of packets would be lost.
    if (options.audience != nullptr) {
      set("profile", "baseline");
      set("maxrate", kViewerRate);
      set("bufsize", kViewerBurst);
    }
  } else if (encoder.starts_with("libvpx")) {
    set("deadline", "realtime");
    set("cpu-used", "8");
  }
}

}  // namespace

std::unique_ptr<PictureTrack> PictureTrack::open(AVFormatContext& film, const FilmOptions& options,
                                                 sail::Size size, std::string& trouble) {
  const AVCodec* encoder = encoder_for(*film.oformat, options.codec);
  if (encoder == nullptr) {
    trouble = options.codec.empty()
                  ? "this FFmpeg has no video encoder for this kind of file"
                  : fmt::format("this FFmpeg has no encoder '{}': `ffmpeg -encoders` lists them",
                                options.codec);
    return nullptr;
  }
  if (options.audience != nullptr && encoder->id != AV_CODEC_ID_H264) {
    trouble = "browsers get H.264 only: use an encoder of H.264, or leave out --codec";
    return nullptr;
  }
  auto track = std::make_unique<PictureTrack>();
  track->live_ = options.live;
  track->size_ = size;
  trouble = track->open_encoder(*encoder, *film.oformat, options);
  if (trouble.empty()) trouble = track->make_picture();
  if (!trouble.empty()) return nullptr;
  track->stream_ = avformat_new_stream(&film, nullptr);
  if (track->stream_ == nullptr) {
    trouble = "out of memory";
    return nullptr;
  }
  avcodec_parameters_from_context(track->stream_->codecpar, track->codec_.get());
  track->stream_->time_base = track->codec_->time_base;
  track->stream_->avg_frame_rate = track->codec_->framerate;
  return track;
}

std::string PictureTrack::open_encoder(const AVCodec& encoder, const AVOutputFormat& container,
                                       const FilmOptions& options) {
  codec_.reset(avcodec_alloc_context3(&encoder));
  const AVPixelFormat pixels = pixel_format_for(encoder);
  const sail::Size size = coded_size(size_, pixels);
  if (size.width <= 0 || size.height <= 0) return "the picture is too small for the encoder";
  codec_->width = size.width;
  codec_->height = size.height;
  codec_->pix_fmt = pixels;
  codec_->framerate = av_d2q(options.fps, 1'001'000);
  codec_->time_base = av_inv_q(codec_->framerate);
  codec_->sample_aspect_ratio = {1, 1};
  codec_->gop_size = std::max(1, static_cast<int>(std::lround(options.fps * kKeyEveryS)));
  if (is_rgb(pixels)) {
    codec_->color_range = AVCOL_RANGE_JPEG;
  } else {
    codec_->color_range = AVCOL_RANGE_MPEG;
    codec_->colorspace = AVCOL_SPC_BT709;
    codec_->color_primaries = AVCOL_PRI_BT709;
    codec_->color_trc = AVCOL_TRC_BT709;
  }
  if (options.live) codec_->max_b_frames = 0;
  if ((container.flags & AVFMT_GLOBALHEADER) != 0) codec_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  AVDictionary* words = nullptr;
  advise(&words, encoder.name, options);
  const int opened = avcodec_open2(codec_.get(), &encoder, &words);
  av_dict_free(&words);
  if (opened >= 0) return {};
  return fmt::format("the encoder '{}' does not accept pictures of {}×{}: {}", encoder.name,
                     size.width, size.height, words_of(opened));
}

std::string PictureTrack::make_picture() {
  picture_.reset(av_frame_alloc());
  picture_->width = codec_->width;
  picture_->height = codec_->height;
  picture_->format = codec_->pix_fmt;
  picture_->color_range = codec_->color_range;
  picture_->colorspace = codec_->colorspace;
  if (av_frame_get_buffer(picture_.get(), 0) < 0) return "out of memory";
  if (codec_->pix_fmt == AV_PIX_FMT_BGR0) return {};
  scale_.reset(sws_getContext(codec_->width, codec_->height, AV_PIX_FMT_BGR0, codec_->width,
                              codec_->height, codec_->pix_fmt,
                              SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, nullptr,
                              nullptr, nullptr));
  if (scale_ == nullptr) return "FFmpeg cannot convert to the encoder's pixel format";
  if (!is_rgb(codec_->pix_fmt)) {
    constexpr int kOne = 1 << 16;
    sws_setColorspaceDetails(scale_.get(), sws_getCoefficients(SWS_CS_ITU709), 1,
                             sws_getCoefficients(SWS_CS_ITU709), 0, 0, kOne, kOne);
  }
  return {};
}

bool PictureTrack::convert(const uint8_t* pixels) {
  // The encoder may still use the previous picture.
  if (av_frame_make_writable(picture_.get()) < 0) return false;
  const std::array<const uint8_t*, 4> from = {pixels};
  const std::array<int, 4> stride = {size_.width * 4};
  if (scale_ == nullptr) {
    av_image_copy_plane(picture_->data[0], picture_->linesize[0], from[0], stride[0],
                        codec_->width * 4, codec_->height);
  } else {
    sws_scale(scale_.get(), from.data(), stride.data(), 0, codec_->height, picture_->data,
              picture_->linesize);
  }
  return true;
}

const AVFrame* PictureTrack::picture_at(int64_t index, bool key_asked) {
  picture_->pts = index;
  // The encoder counts pictures, some of which may have been skipped.
  const bool key = live_ && (key_asked || index >= next_key_);
  if (key) next_key_ = index + codec_->gop_size;
  picture_->pict_type = key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  return picture_.get();
}

}  // namespace receiver
