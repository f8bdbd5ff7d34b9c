#include "sail/media/subtitles/subtitle_renderer.h"

#include <ass/ass.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <string_view>
#include <utility>

#include "sail/media/subtitles/missing_font.h"
#include "sail/media/subtitles/subtitle_markup.h"

namespace sail {

struct MissingCharacter {
  uint32_t first = 0;
  bool told = false;
};

namespace {

constexpr int kMostAtOnce = 1000;  // subtitles at one time
constexpr size_t kMostCharactersAtOnce = 20'000;
constexpr double kMostInkAtOnce = 48;
constexpr int kCachedGlyphs = 2000;
constexpr int kCachedMegabytes = 64;

void ignore_message(int /*level*/, const char* /*format*/, va_list /*arguments*/, void* /*data*/) {}

// libass only logs the characters that no font has. data: a MissingCharacter.
void note_missing(int /*level*/, const char* format, va_list arguments, void* data) {
  const std::string_view words(format);
  auto& missing = *static_cast<MissingCharacter*>(data);
  if (missing.first != 0 ||
      (!words.starts_with("Glyph 0x%X not found in font") &&
       !words.starts_with("fontselect: failed to find any fallback with glyph 0x%X"))) {
    return;
  }
  const uint32_t character = va_arg(arguments, uint32_t);
  if (!missing_font(character).empty()) missing.first = character;
}

ASS_Library* quiet_library() {
  ASS_Library* library = ass_library_init();
  if (library == nullptr) return nullptr;
  ass_set_message_cb(library, &ignore_message, nullptr);
  ass_set_extract_fonts(library, 0);
  return library;
}

// Returns the offset of an event's text, which is its last field.
size_t place_of_text(std::string_view event) {
  constexpr int kFieldsBefore = 8;
  size_t place = 0;
  for (int i = 0; i < kFieldsBefore; ++i) {
    const size_t comma = event.find(',', place);
    if (comma == std::string_view::npos) return event.size();
    place = comma + 1;
  }
  return place;
}

int scaled(int a, int b) {
  const int product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

Rect rect_of(const ASS_Image& image) {
  return {image.dst_x, image.dst_y, image.w, image.h};
}

// Rectangles that together cover the images and have no rows in common.
std::vector<Rect> bands_of(const ASS_Image* images, Size picture) {
  std::vector<Rect> rects;
  for (const ASS_Image* image = images; image != nullptr; image = image->next) {
    const Rect rect = intersect(rect_of(*image), {0, 0, picture.width, picture.height});
    if (!rect.empty()) rects.push_back(rect);
  }
  std::ranges::sort(rects, {}, &Rect::y);
  std::vector<Rect> bands;
  for (const Rect& rect : rects) {
    if (!bands.empty() && rect.y < bands.back().bottom()) {
      bands.back() = united(bands.back(), rect);
    } else {
      bands.push_back(rect);
    }
  }
  return bands;
}

void lay_over(SubtitlePatch& patch, const ASS_Image& image) {
  const Rect both = intersect(patch.rect, rect_of(image));
  const int opacity = 255 - static_cast<int>(image.color & 0xff);
  const std::array<int, 3> bgr = {static_cast<int>(image.color >> 8 & 0xff),
                                  static_cast<int>(image.color >> 16 & 0xff),
                                  static_cast<int>(image.color >> 24)};
  for (int y = both.y; y < both.bottom(); ++y) {
    const uint8_t* alpha = image.bitmap + static_cast<ptrdiff_t>(y - image.dst_y) * image.stride +
                           (both.x - image.dst_x);
    uint8_t* pixel =
        patch.bgra.data() +
        4 * (static_cast<ptrdiff_t>(y - patch.rect.y) * patch.rect.width + (both.x - patch.rect.x));
    for (int x = 0; x < both.width; ++x, pixel += 4) {
      const int over = scaled(alpha[x], opacity);
      if (over == 0) continue;
      for (size_t i = 0; i < 3; ++i) {
        pixel[i] = static_cast<uint8_t>(scaled(pixel[i], 255 - over) + scaled(bgr[i], over));
      }
      pixel[3] = static_cast<uint8_t>(scaled(pixel[3], 255 - over) + over);
    }
  }
}

std::vector<SubtitlePatch> patches_of(const ASS_Image* images, Size picture) {
  std::vector<SubtitlePatch> patches;
  for (const Rect& band : bands_of(images, picture)) {
    const auto pixels = static_cast<size_t>(band.width) * static_cast<size_t>(band.height);
    patches.push_back({band, std::vector<uint8_t>(4 * pixels)});
  }
  for (const ASS_Image* image = images; image != nullptr; image = image->next) {
    for (SubtitlePatch& patch : patches) lay_over(patch, *image);
  }
  return patches;
}

}  // namespace

struct SubtitleRenderer::Libass {
  MissingCharacter missing;

  struct Free {
    void operator()(ASS_Library* ended) const { ass_library_done(ended); }
    void operator()(ASS_Renderer* ended) const { ass_renderer_done(ended); }
    void operator()(ASS_Track* ended) const { ass_free_track(ended); }
  };

  std::unique_ptr<ASS_Library, Free> library{quiet_library()};
  std::unique_ptr<ASS_Renderer, Free> renderer{library ? ass_renderer_init(library.get())
                                                       : nullptr};
  std::unique_ptr<ASS_Track, Free> track{library ? ass_new_track(library.get()) : nullptr};

  // What an event draws.
  struct Cost {
    size_t characters = 0;
    double ink = 0;
  };
  std::vector<Cost> costs{};  // costs of the track's events
  MarkupScript script{};
  bool limited_styles = false;

  void limit_styles();
  Result<void> check_at(int64_t at_ms) const;
};

// Call after the header was read.
void SubtitleRenderer::Libass::limit_styles() {
  constexpr int kUsualHeight = 288;  // of libass
  Size& size = script.size = {track->PlayResX, track->PlayResY};
  if (size.height <= 0)
    size.height = size.width > 0 ? std::max(size.width / 4 * 3, 1) : kUsualHeight;
  if (size.width <= 0) size.width = std::max(size.height / 3 * 4, 1);
  const double side = size.height;
  const auto limit = [this](double& value, double most) {
    if (value <= most) return;
    value = most;
    limited_styles = true;
  };
  for (ASS_Style* style = track->styles; style != track->styles + track->n_styles; ++style) {
    constexpr double kMostScale = 10;
    limit(style->FontSize, side);
    limit(style->ScaleX, kMostScale);
    limit(style->ScaleY, kMostScale);
    limit(style->Outline, side / 4);
    limit(style->Shadow, side / 4);
    script.font_size = std::max(script.font_size, style->FontSize);
    script.scale_x = std::max(script.scale_x, style->ScaleX);
    script.scale_y = std::max(script.scale_y, style->ScaleY);
    script.border = std::max({script.border, style->Outline, style->Shadow});
  }
}

Result<void> SubtitleRenderer::Libass::check_at(int64_t at_ms) const {
  int count = 0;
  Cost sum;
  for (size_t i = 0; i < costs.size(); ++i) {
    const ASS_Event& event = track->events[i];
    if (event.Start > at_ms || at_ms >= event.Start + event.Duration) continue;
    ++count;
    sum.characters += costs[i].characters;
    sum.ink += costs[i].ink;
  }
  if (count > kMostAtOnce) {
    return fail(ErrorCode::kLimit, fmt::format("more than {} subtitles at one time", kMostAtOnce));
  }
  if (sum.characters <= kMostCharactersAtOnce && sum.ink <= kMostInkAtOnce) return {};
  return fail(ErrorCode::kLimit,
              fmt::format("subtitles of more than {} letters, or with the area of more than {} "
                          "pictures, at one time",
                          kMostCharactersAtOnce, kMostInkAtOnce));
}

Result<std::unique_ptr<SubtitleRenderer>> SubtitleRenderer::open(std::string header) {
  auto libass = std::make_unique<Libass>();
  if (!libass->renderer || !libass->track) return fail(ErrorCode::kLimit, "out of memory");
  ass_set_message_cb(libass->library.get(), &note_missing, &libass->missing);
  ass_set_fonts(libass->renderer.get(), nullptr, "sans-serif", ASS_FONTPROVIDER_AUTODETECT, nullptr,
                1);
  ass_set_cache_limits(libass->renderer.get(), kCachedGlyphs, kCachedMegabytes);
  // The caller passes each subtitle once, and FFmpeg may give two of them the same number.
  ass_set_check_readorder(libass->track.get(), 0);
  ass_process_codec_private(libass->track.get(), header.data(), static_cast<int>(header.size()));
  libass->limit_styles();
  return std::unique_ptr<SubtitleRenderer>(new SubtitleRenderer(std::move(libass)));
}

SubtitleRenderer::SubtitleRenderer(std::unique_ptr<Libass> libass) : libass_(std::move(libass)) {}
SubtitleRenderer::~SubtitleRenderer() = default;

bool SubtitleRenderer::add(std::string event, int64_t start_ms, int64_t duration_ms) {
  const size_t text = place_of_text(event);
  SubtitleMarkup markup = read_markup(std::string_view(event).substr(text), libass_->script);
  const bool excessive = markup.excessive;
  if (excessive) {
    event.replace(text, std::string::npos, markup.plain);
    markup = read_markup(markup.plain, libass_->script);
  }
  ass_process_chunk(libass_->track.get(), event.data(), static_cast<int>(event.size()), start_ms,
                    duration_ms);
  if (std::cmp_greater(libass_->track->n_events, libass_->costs.size())) {
    libass_->costs.push_back({markup.characters, markup.ink});
  }
  return !excessive && !libass_->limited_styles;
}

void SubtitleRenderer::remove_all() {
  libass_->costs.clear();
  ass_flush_events(libass_->track.get());
}

Result<std::optional<std::vector<SubtitlePatch>>> SubtitleRenderer::render(const View& view,
                                                                           int64_t at_ms) {
  ASS_Renderer* renderer = libass_->renderer.get();
  if (auto checked = libass_->check_at(at_ms); !checked) return checked.error();
  const bool new_view = view != view_;
  if (new_view) {
    ass_set_frame_size(renderer, view.picture.width, view.picture.height);
    ass_set_storage_size(renderer, view.stored.width, view.stored.height);
    ass_set_pixel_aspect(renderer, view.pixel_aspect);
    view_ = view;
  }
  int changed = 0;
  const ASS_Image* images = ass_render_frame(renderer, libass_->track.get(), at_ms, &changed);
  if (changed == 0 && !new_view) return std::nullopt;
  return std::optional(patches_of(images, view.picture));
}

std::string SubtitleRenderer::take_missing_font() {
  MissingCharacter& missing = libass_->missing;
  if (missing.first == 0 || std::exchange(missing.told, true)) return "";
  return missing_font(missing.first);
}

}  // namespace sail
