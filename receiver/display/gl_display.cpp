#include "receiver/display/gl_display.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "receiver/display/gl_canvas.h"
#include "receiver/display/gl_frame_texture.h"
#include "receiver/display/gl_objects.h"
#include "receiver/display/gl_sprites.h"
#include "receiver/display/gl_tables.h"
#include "receiver/display/tile_corrections.h"
#include "receiver/frame/canvas.h"
#include "receiver/paint/fade.h"

namespace receiver {
namespace {

using sail::Rect;

class GlDisplay final : public Display {
 public:
  GlDisplay(std::unique_ptr<GlScreen> screen, GlPrograms programs, GlDecode decode,
            const sail::Log& log);

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  void paint(const Changes& changes) override;
  bool keep(size_t tile) override;
  void fade(size_t tile, int weight, std::span<const Rect> damage) override;
  void present(size_t tile, std::span<const Rect> damage) override;
  TileImage picture(size_t tile) override;
  std::vector<TileRefresh> refreshes() override { return screen_->refreshes(); }
  sail::DisplayStats stats() override { return corrections_.with_trouble(screen_->stats()); }
  Request pump() override {
    if (screen_->in_swap_group()) show(0);
    return screen_->pump([this](size_t tile) { show(tile); });
  }
  int64_t pump_every_ns() const override {
    return screen_->in_swap_group() ? 0 : SdlWindows::kPumpEveryNs;
  }

 private:
  // A canvas may already contain painted areas of swaps that wait for their time. The panel is a
  // separate picture that contains only the presented areas.
  struct Tile {
    GlCanvas canvas;
    GlCanvas panel;
    GlTurn turn;
    int rotation;
    // Only with a correction: the panel with its sprites, which is drawn corrected on the window.
    std::optional<GlCanvas> composed{};
    std::optional<GlCorrection> correction{};
    // Only during a fade: what the panel showed before, and the weight of the canvas.
    std::optional<GlCanvas> former{};
    int weight = Fade::kWhole;
  };
  struct Window {
    uint64_t secret;
    std::optional<GlFrameTexture> texture;  // empty before the first frame
  };

  void forget_layout(const Changes& changes);
  void draw_part(const Part& part);
  const GlFrameTexture* texture_of(const Part& part);
  void draw_sprites(size_t tile, std::optional<int> rows_from_below);
  void compose(size_t tile, const GlCanvas& to);
  void draw_corrected(const Tile& tile, sail::Size size, int window_height);
  void show(size_t tile);
  void lay_former(const Tile& tile, const Rect& panel_rect) const;

  std::unique_ptr<GlScreen> screen_;  // first, because the other members need its GL context
  GlPrograms programs_;
  GlDecode decode_;
  sail::Log log_;
  GlVertexArray nothing_;  // empty: the shader makes vertices, but an array must be bound
  std::vector<Tile> tiles_;
  TileCorrections corrections_;
  std::map<uint32_t, Window> windows_;  // only windows that are on a tile
  std::map<const Piece*, GlTaps> taps_;
  GlSprites sprites_;
};

GlDisplay::GlDisplay(std::unique_ptr<GlScreen> screen, GlPrograms programs, GlDecode decode,
                     const sail::Log& log)
    : screen_(std::move(screen)), programs_(std::move(programs)), decode_(decode), log_(log) {
  glBindVertexArray(*nothing_);
  glDisable(GL_DITHER);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glClearColor(0, 0, 0, 1);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // as in lay_over()
}

sail::Result<void> GlDisplay::open(const std::vector<sail::TileInfo>& tiles) {
  tiles_.clear();
  sprites_.open(tiles.size());
  if (auto opened = screen_->open(tiles); !opened) return opened;
  corrections_.load(tiles);
  for (size_t i = 0; i < tiles.size(); ++i) {
    const sail::Size upright = upright_size(tiles[i]);
    Tile& tile = tiles_.emplace_back(Tile{GlCanvas(upright), GlCanvas(tiles[i].resolution),
                                          turn_of(upright, tiles[i].rotation), tiles[i].rotation});
    if (const codecs::PanelTable* table = corrections_.of(i)) {
      tile.composed.emplace(tiles[i].resolution);
      tile.correction.emplace(*table);
    }
    if (!tile.canvas.made() || !tile.panel.made() || (tile.composed && !tile.composed->made())) {
      return sail::fail(sail::ErrorCode::kIo,
                        fmt::format("not enough GPU memory for the {}×{} pixels of tile {}",
                                    upright.width, upright.height, tiles[i].name));
    }
    show(i);
  }
  return {};
}

void GlDisplay::paint(const Changes& changes) {
  if (changes.new_layout) forget_layout(changes);
  draw_only(Channels::kAll);
  for (size_t i = 0; i < tiles_.size(); ++i) {
    const TileChanges& tile = changes.tiles[i];
    if (tile.parts.empty()) continue;
    tiles_[i].canvas.draw_on();
    for (const Part& part : tile.parts) draw_part(part);
  }
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  sprites_.take(changes.tiles);
  // Wait for the GPU, because the measured painting time is used to plan swaps.
  glFinish();
}

void GlDisplay::forget_layout(const Changes& changes) {
  taps_.clear();
  std::map<uint32_t, Window> before = std::exchange(windows_, {});
  for (const TileChanges& tile : changes.tiles) {
    for (const WindowPart& part : tile.layout->windows) {
      const auto known = before.find(part.window().window);
      if (known != before.end() && known->second.secret == part.window().secret) {
        windows_.insert(before.extract(known));
      }
    }
  }
}

void GlDisplay::draw_part(const Part& part) {
  const bool blended = part.window != nullptr && part.window->blended();
  const GlFrameTexture* texture = part.frame == nullptr ? nullptr : texture_of(part);
  if (texture == nullptr) {
    if (!blended) clear_rect(part.tile_rect);
    return;
  }
  const bool one_to_one = part.piece->one_to_one();
  const GlPartProgram& program =
      one_to_one ? programs_.one_to_one(texture->codec()) : programs_.scaled(texture->codec());
  glUseProgram(*program.program);
  if (one_to_one) {
    const Rect& source = part.piece->bands[0].source_rect;
    glUniform2i(program.origin, source.x - part.tile_rect.x, source.y - part.tile_rect.y);
  } else {
    const GlTaps& taps = taps_.try_emplace(part.piece, *part.piece).first->second;
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_BUFFER, *taps.texture);
    glUniform2i(program.origin, part.tile_rect.x, part.tile_rect.y);
    glUniform1i(program.columns, part.tile_rect.width);
    glUniform1i(program.turned, part.piece->turned ? 1 : 0);
  }
  glUniform1i(program.opacity, part.window->look.opacity_255());
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture->name());
  if (blended) glEnable(GL_BLEND);
  draw_only(part.piece->channels);
  draw_rect(part.tile_rect);
  draw_only(Channels::kAll);
  glDisable(GL_BLEND);
}

// Returns the window's texture, updated with its frame; null, after logging, if the GPU has no
// memory.
const GlFrameTexture* GlDisplay::texture_of(const Part& part) {
  Window& window =
      windows_.try_emplace(part.window->window, Window{part.window->secret, {}}).first->second;
  if (!window.texture || !window.texture->fits(*part.frame)) {
    const sail::BlockGrid& grid = part.frame->grid();
    window.texture.emplace(grid, part.frame->codec().id, decode_);
    if (!window.texture->made()) {
      log_.error("not enough GPU memory for the {}×{} pixels of window {}: the window is not shown",
                 grid.frame_size().width, grid.frame_size().height, part.window->window);
    }
  }
  if (!window.texture->made()) return nullptr;
  window.texture->update(*part.frame);
  return &*window.texture;
}

void GlDisplay::present(size_t index, std::span<const Rect> damage) {
  const Tile& tile = tiles_[index];
  const GlTurnProgram& program = programs_.turn();
  tile.panel.draw_on();
  glUseProgram(*program.program);
  glActiveTexture(GL_TEXTURE0);
  for (const Rect& rect : damage) {
    const Rect panel_rect = turned_rect(rect, tile.canvas.size, tile.rotation);
    set_turn(program, tile.turn);
    glBindTexture(GL_TEXTURE_2D, *tile.canvas.texture);
    draw_rect(panel_rect);
    if (tile.former) lay_former(tile, panel_rect);
  }
  if (!screen_->in_swap_group()) show(index);
}

// Rectangles of the damage may overlap, so each is drawn and mixed before the next.
void GlDisplay::lay_former(const Tile& tile, const Rect& panel_rect) const {
  set_turn(programs_.turn(), {{0, 0}, {1, 0}, {0, 1}});
  glBindTexture(GL_TEXTURE_2D, *tile.former->texture);
  const float rest = static_cast<float>(Fade::kWhole - tile.weight) / Fade::kWhole;
  glBlendColor(rest, rest, rest, rest);
  glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  glEnable(GL_BLEND);
  draw_only(Channels::kAll);
  draw_rect(panel_rect);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

// Without sprites, which are drawn over the mixture.
bool GlDisplay::keep(size_t index) {
  Tile& tile = tiles_[index];
  const sail::Size size = tile.panel.size;
  GlCanvas former(size);
  if (!former.made()) {
    log_.warning(
        "not enough GPU memory for a fade of {}×{} pixels: the new layout is shown at once",
        size.width, size.height);
    tile.former.reset();
    return false;
  }
  former.copy(tile.panel);
  tile.former.emplace(std::move(former));
  return true;
}

// present() mixes.
void GlDisplay::fade(size_t index, int weight, std::span<const Rect> /*damage*/) {
  Tile& tile = tiles_[index];
  tile.weight = weight;
  if (weight == Fade::kWhole) tile.former.reset();
}

// Draws the panel and its sprites.
void GlDisplay::compose(size_t index, const GlCanvas& to) {
  to.copy(tiles_[index].panel);
  draw_sprites(index, std::nullopt);
}

void GlDisplay::draw_sprites(size_t index, std::optional<int> rows_from_below) {
  const Tile& tile = tiles_[index];
  sprites_.draw(index, {tile.canvas.size, tile.rotation, rows_from_below, *tile.panel.framebuffer},
                programs_.turn());
}

// Draws the composed picture on the current window, whose row 0 is at the bottom.
void GlDisplay::draw_corrected(const Tile& tile, sail::Size size, int window_height) {
  tile.correction->use(programs_.correct());
  set_turn(programs_.correct().turn, {{0, window_height - 1}, {1, 0}, {0, -1}});
  glBindTexture(GL_TEXTURE_2D, *tile.composed->texture);
  draw_rect({0, window_height - size.height, size.width, size.height});
}

void GlDisplay::show(size_t index) {
  if (!screen_->has_window(index)) return;
  const Tile& tile = tiles_[index];
  if (tile.correction) compose(index, *tile.composed);
  screen_->draw_on(index);
  glClear(GL_COLOR_BUFFER_BIT);
  const sail::Size window = screen_->size(index);
  const int width = std::min(window.width, tile.panel.size.width);
  const int height = std::min(window.height, tile.panel.size.height);
  if (tile.correction) {
    draw_corrected(tile, {width, height}, window.height);
  } else {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, *tile.panel.framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, window.height, width, window.height - height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    draw_sprites(index, window.height);
  }
  screen_->swap(index);
}

TileImage GlDisplay::picture(size_t index) {
  const Tile& tile = tiles_[index];
  const sail::Size size = tile.panel.size;
  // Sprites are drawn on the window only, and windows cannot be read back reliably.
  std::optional<GlCanvas> with_sprites;
  if (sprites_.any(index)) {
    with_sprites.emplace(size);
    compose(index, *with_sprites);
  }
  TileImage picture;
  picture.begin.size = size;
  picture.pixels.resize(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) *
                        kBytesPerPixel);
  const GlCanvas& shown = with_sprites ? *with_sprites : tile.panel;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, *shown.framebuffer);
  glReadPixels(0, 0, size.width, size.height, GL_BGRA, GL_UNSIGNED_BYTE, picture.pixels.data());
  return picture;
}

}  // namespace

sail::Result<std::unique_ptr<Display>> make_gl_display(std::unique_ptr<GlScreen> screen,
                                                       GlDecode decode, const sail::Log& log) {
  auto programs = GlPrograms::make(decode);
  if (!programs) return std::move(programs.error());
  return std::make_unique<GlDisplay>(std::move(screen), *std::move(programs), decode, log);
}

}  // namespace receiver
