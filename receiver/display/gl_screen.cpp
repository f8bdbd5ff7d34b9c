#include "receiver/display/gl_screen.h"

#include <SDL.h>
#include <epoxy/gl.h>
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "receiver/display/gl_sync.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

constexpr int kVersion = 33;

auto no_gl(std::string_view why) {
  return sail::fail(sail::ErrorCode::kUnavailable,
                    fmt::format("no OpenGL 3.3 with S3TC textures: {}", why));
}

bool by_x11() {
  return std::string_view(SDL_GetCurrentVideoDriver()) == "x11";
}

}  // namespace

// Mesa's llvmpipe (also under zink, as lavapipe), softpipe and swrast ("Software Rasterizer"),
// Chromium's SwiftShader, and Windows' GDI Generic and Basic Render Driver through d3d12.
bool is_software_renderer(std::string_view renderer) {
  const std::string name = sail::lower(renderer);
  static constexpr std::string_view kNames[] = {"llvmpipe",    "softpipe", "swrast",
                                                "software",    "swr ",     "swiftshader",
                                                "gdi generic", "lavapipe", "basic render"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view software) {
    return name.find(software) != std::string::npos;
  });
}

void GlScreen::EndContext::operator()(void* context) const {
  SDL_GL_DeleteContext(context);
}

sail::Result<std::unique_ptr<GlScreen>> GlScreen::start(std::shared_ptr<SdlWindows> windows) {
  std::unique_ptr<GlScreen> screen(new GlScreen(std::move(windows)));
  if (auto made = screen->make_context(); !made) {
    return std::move(made.error());
  }
  return screen;
}

sail::Result<void> GlScreen::make_context() {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, kVersion / 10);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, kVersion % 10);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
  root_.reset(SDL_CreateWindow("Vitrail", 0, 0, 16, 16, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN));
  if (!root_) return no_gl(SDL_GetError());
  context_.reset(SDL_GL_CreateContext(root_.get()));
  if (!context_) return no_gl(SDL_GetError());
  const char* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  renderer_ = name == nullptr ? "unknown" : name;
  if (epoxy_gl_version() < kVersion || !epoxy_is_desktop_gl()) {
    return no_gl(fmt::format("{} has version {}", renderer_, epoxy_gl_version() / 10.0));
  }
  if (!epoxy_has_gl_extension("GL_EXT_texture_compression_s3tc")) {
    return no_gl(fmt::format("{} lacks GL_EXT_texture_compression_s3tc", renderer_));
  }
  return {};
}

GlScreen::~GlScreen() {
  if (context_) SDL_GL_MakeCurrent(root_.get(), context_.get());
}

sail::Result<void> GlScreen::open(const std::vector<sail::TileInfo>& tiles) {
  SDL_GL_MakeCurrent(root_.get(), context_.get());
  if (auto opened = windows_->open(tiles, SDL_WINDOW_OPENGL); !opened) return opened;
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (!has_window(i)) continue;
    if (SDL_GL_MakeCurrent(windows_->window(i), context_.get()) != 0) {
      return sail::fail(sail::ErrorCode::kIo,
                        fmt::format("cannot use OpenGL in the window of tile {}: {}", tiles[i].name,
                                    SDL_GetError()));
    }
    // The swap barrier decides when to swap. With several windows, the waits for the refresh would
    // add up: each window would be shown one refresh after the previous window. A driver without
    // swap intervals does not wait either.
    const bool alone = tiles.size() == 1 && !is_software_renderer(renderer_);
    awaits_refresh_ = SDL_GL_SetSwapInterval(alone ? 1 : 0) == 0 && alone;
  }
  keep_step(tiles.size());
  return {};
}

void GlScreen::keep_step(size_t tiles) {
  meters_.clear();
  for (size_t i = 0; i < tiles; ++i) meters_.emplace_back(windows_->reported_hz(i));
  in_swap_group_ = false;
  if (!swap_group_log_ || tiles == 0) return;
  const SwapGroups offered = by_x11() ? swap_groups_offered() : SwapGroups();
  in_swap_group_ = joins_swap_group(offered, tiles) && join_swap_group();
  if (in_swap_group_) {
    swap_group_log_->info("the window joined the driver's swap group 1");
  } else {
    swap_group_log_->warning(
        "cannot join a swap group: the driver has {} groups and {} barriers, the node has {} "
        "windows, and one of each is required",
        offered.groups, offered.barriers, tiles);
  }
}

void GlScreen::draw_on(size_t tile) {
  SDL_GL_MakeCurrent(windows_->window(tile), context_.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

sail::Size GlScreen::size(size_t tile) const {
  sail::Size size;
  SDL_GL_GetDrawableSize(windows_->window(tile), &size.width, &size.height);
  return size;
}

void GlScreen::swap(size_t tile) {
  SDL_GL_SwapWindow(windows_->window(tile));
  // Without a timestamp from the driver, the end of the swap is taken as the refresh.
  RefreshMeter& meter = meters_[tile];
  if (!awaits_refresh_ || !meter.due(sail::steady_now_ns())) return;
  auto begun_ns = by_x11() ? last_refresh_ns() : std::nullopt;
  if (!begun_ns) {
    glFinish();
    begun_ns = sail::steady_now_ns();
  }
  meter.add(*begun_ns);
}

std::vector<TileRefresh> GlScreen::refreshes() {
  std::vector<TileRefresh> refreshes;
  for (const RefreshMeter& meter : meters_) refreshes.push_back(meter.refresh());
  return refreshes;
}

sail::DisplayStats GlScreen::stats() const {
  sail::DisplayStats stats = windows_->stats();
  stats.renderer = sail::make_plain_text(renderer_, sail::kMaxTitleLength);
  return stats;
}

Display::Request GlScreen::pump(const std::function<void(size_t)>& on_lost) {
  return windows_->pump([&](size_t tile, SdlWindows::Loss) {
    on_lost(tile);
    return Display::Request::kNothing;
  });
}

}  // namespace receiver
