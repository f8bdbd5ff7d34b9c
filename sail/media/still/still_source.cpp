#include "sail/media/still/still_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/still/vips_library.h"

namespace sail {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kStillNs = 40 * kNsPerMs;  // as FFmpeg gives to stills
constexpr int kMostPictures = 100'000;       // of an animation
constexpr int kMostThreads = 4;

int threads_for(int wanted) {
  if (wanted > 0) return wanted;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
}

// As browsers do: pictures that would last 10 ms or less last 100 ms.
int64_t shown_ns(int delay_ms) {
  constexpr int kTooShortMs = 10, kInsteadMs = 100;
  return (delay_ms <= kTooShortMs ? kInsteadMs : delay_ms) * kNsPerMs;
}

// Empty: not an animation.
std::vector<int64_t> ends_of(const VipsHandle& header) {
  const int count = vips_number(header, VIPS_META_N_PAGES, 1);
  int* delays_ms = nullptr;
  int delays = 0;
  std::vector<int64_t> ends_ns;
  if (count < 2 || vips_image_get_typeof(header.get(), "delay") == 0 ||
      vips_image_get_array_int(header.get(), "delay", &delays_ms, &delays) != 0) {
    return ends_ns;
  }
  int64_t end_ns = 0;
  for (int i = 0; i < count; ++i) {
    end_ns += shown_ns(i < delays ? delays_ms[i] : 0);
    ends_ns.push_back(end_ns);
  }
  return ends_ns;
}

// The first picture in the file of a slide may be its label.
bool is_slide_file(const std::string& name) {
  const std::string path = name.starts_with("file:") ? name.substr(5) : name;
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && is_slide({.name = path});
}

sail_frame describe_still(const StillPixels& pixels) {
  constexpr int kRgba = 4, kByteBits = 8;
  sail_frame frame{};
  frame.format = pixels.bits > kByteBits ? SAIL_RGB_DEEP
                 : pixels.bands == kRgba ? SAIL_RGBA
                                         : SAIL_RGB;
  frame.bits = pixels.bits;
  frame.planes[0] = pixels.samples.get();
  frame.strides[0] = static_cast<ptrdiff_t>(pixels.row_bytes());
  frame.matrix = SAIL_BT709;
  frame.range = SAIL_FULL;
  return frame;
}

Picture picture_of(StillPixels pixels) {
  Picture picture;
  picture.size = picture.display_size = pixels.size;
  picture.pixels = describe_still(pixels);
  picture.pixels.release = pixels.samples.get_deleter();
  picture.pixels.opaque = pixels.samples.release();
  return picture;
}

}  // namespace

Result<std::unique_ptr<Source>> StillSource::open(const std::string& name,
                                                  std::vector<uint8_t> file,
                                                  const StillOptions& options) {
  if (!start_vips(threads_for(options.threads))) {
    return fail(ErrorCode::kInternal, "cannot start libvips");
  }
  if (is_slide_file(name)) {
    return fail(ErrorCode::kBadData, name + " is a whole slide: show it with: vitrail show");
  }
  std::unique_ptr<StillSource> source(new StillSource(name, std::move(file), options));
  auto begun = source->begin();
  if (begun) {
    auto first = source->read_next();
    if (first) {
      source->complaint_ = first->notice;
      source->first_ = std::move(*first);
    } else {
      begun = first.error();
    }
  }
  const std::string words = take_vips_words();
  if (options.log != nullptr && !words.empty()) options.log->debug("libvips: {}", words);
  if (!begun) return begun.error();
  return std::unique_ptr<Source>(std::move(source));
}

StillSource::StillSource(std::string name, std::vector<uint8_t> file, const StillOptions& options)
    : name_(std::move(name)), file_(std::move(file)), options_(options) {}

Result<void> StillSource::begin() {
  if (still_kind(file_) == StillKind::kSvg) {
    if (auto checked = check_svg_tags(file_, name_); !checked) return checked;
  }
  const auto header = open_vips({.name = name_, .bytes = file_}, {}, VIPS_ACCESS_SEQUENTIAL);
  if (!header) return header.error();
  size_ = size_of(*header);
  const int pictures = vips_number(*header, VIPS_META_N_PAGES, 1);
  if (pictures > kMostPictures && vips_image_get_typeof(header->get(), "delay") != 0) {
    return fail(ErrorCode::kLimit, fmt::format("{} has {} pictures: an animation can have {}",
                                               name_, pictures, kMostPictures));
  }
  ends_ns_ = ends_of(*header);
  info_.description = fmt::format("picture, {}x{}", size_.width, size_.height);
  info_.duration_ns = ends_ns_.empty() ? kStillNs : ends_ns_.back();
  if (ends_ns_.empty()) {
    ends_ns_ = {kStillNs};
    info_.rate = {25, 1};
    return {};
  }
  if (size_.width > kMaxFrameSide || size_.height > kMaxFrameSide) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} is {}x{}: at most {} pixels per side can be played", name_,
                            size_.width, size_.height, kMaxFrameSide));
  }
  constexpr uint32_t kPerMs = 1000;
  const auto count = static_cast<uint32_t>(ends_ns_.size());
  info_.rate = {count * kPerMs, static_cast<uint32_t>(info_.duration_ns / kNsPerMs)};
  return rewind();
}

Result<void> StillSource::rewind() {
  auto pictures = open_vips({.name = name_, .bytes = file_},
                            {.count = static_cast<int>(ends_ns_.size())}, VIPS_ACCESS_SEQUENTIAL);
  if (!pictures) return pictures.error();
  pictures_ = std::move(*pictures);
  read_ = 0;
  return {};
}

Result<StillPixels> StillSource::read_next() {
  if (!pictures_) return read_still({.name = name_, .bytes = file_}, options_.wish);
  if (next_ < read_) {
    if (auto again = rewind(); !again) return again.error();
  }
  StillWish wish = options_.wish;
  wish.deep = false;
  read_ = next_ + 1;
  const int top = static_cast<int>(next_) * size_.height;
  auto picture = crop(pictures_, {0, top, size_.width, size_.height}, name_);
  if (picture) {
    picture = to_display_colors(std::move(*picture),
                                {.keep_alpha = wish.keep_alpha, .display = wish.display}, name_);
  }
  return picture ? take_pixels(std::move(*picture), wish, name_) : picture.error();
}

Result<std::optional<Picture>> StillSource::next() {
  if (next_ >= ends_ns_.size()) return std::nullopt;
  const bool have = first_ && next_ == 0;
  auto pixels = have ? Result<StillPixels>(std::move(*first_)) : read_next();
  if (have) first_.reset();
  if (!pixels) return pixels.error();
  Picture picture = picture_of(std::move(*pixels));
  picture.pts_ns = next_ == 0 ? 0 : ends_ns_[next_ - 1];
  picture.duration_ns = ends_ns_[next_] - picture.pts_ns;
  ++next_;
  return std::optional<Picture>(std::move(picture));
}

Result<void> StillSource::seek(int64_t position_ns) {
  const auto end = std::ranges::upper_bound(ends_ns_, position_ns);
  next_ = std::min(static_cast<size_t>(end - ends_ns_.begin()), ends_ns_.size() - 1);
  return {};
}

std::optional<std::string> StillSource::take_complaint() {
  if (complaint_.empty()) return std::nullopt;
  return std::exchange(complaint_, std::string());
}

}  // namespace sail
