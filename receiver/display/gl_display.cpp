#include "receiver/display/gl_display.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "receiver/display/gl_correction.h"
#include "receiver/display/gl_frame_texture.h"
#include "receiver/display/gl_objects.h"
#include "receiver/display/tile_corrections.h"
#include "receiver/frame/canvas.h"
#include "receiver/paint/fade.h"

namespace receiver {
namespace {

using sail::Rect;

// A texture with a framebuffer, row 0 at the top. Only the framebuffers of windows have row 0 at
// the bottom.
struct GlCanvas {
  sail::Size size;
  GlTexture texture;
  GlFramebuffer framebuffer;

  explicit GlCanvas(sail::Size pixels);
  // Returns false if the GPU has no memory for it.
  bool made() const {
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  }
  void draw_on() const { glBindFramebuffer(GL_DRAW_FRAMEBUFFER, *framebuffer); }
};

void clear(const Rect& rect) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(rect.x, rect.y, rect.width, rect.height);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
}

// Limits drawing to these channels. Canvases are opaque, so alpha is never written.
void mask(Channels channels) {
  const GLboolean red = channels == Channels::kGreenBlue ? GL_FALSE : GL_TRUE;
  const GLboolean others = channels == Channels::kRed ? GL_FALSE : GL_TRUE;
  glColorMask(red, others, others, GL_FALSE);
}

void draw(const Rect& rect) {
  glViewport(rect.x, rect.y, rect.width, rect.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

// pixels: B, G, R, A; null: leaves the texture undefined.
void fill_texture(GLuint texture, sail::Size size, const uint8_t* pixels) {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.width, size.height, 0, GL_BGRA, GL_UNSIGNED_BYTE,
               pixels);
}

GlCanvas::GlCanvas(sail::Size pixels) : size(pixels) {
  fill_texture(*texture, size, nullptr);
  glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
  clear({0, 0, size.width, size.height});
}

// Maps pixels of a panel to its canvas: first pixel, and steps to the right and downwards.
struct Turn {
  GLint start[2];
  GLint across[2];
  GLint down[2];
};
Turn turn_of(sail::Size upright, int rotation) {
  const int right = upright.width - 1;
  const int bottom = upright.height - 1;
  switch (rotation) {
    case 90:
      return {{0, bottom}, {0, -1}, {1, 0}};
    case 180:
      return {{right, bottom}, {-1, 0}, {0, -1}};
    case 270:
      return {{right, 0}, {0, 1}, {-1, 0}};
    default:
      return {{0, 0}, {1, 0}, {0, 1}};
  }
}

void set_turn(const GlTurnProgram& program, const Turn& turn) {
  glUniform2iv(program.start, 1, turn.start);
  glUniform2iv(program.across, 1, turn.across);
  glUniform2iv(program.down, 1, turn.down);
}

// The taps of a scaled piece, as a buffer texture.
struct GlTaps {
  GlBuffer buffer;
  GlTexture texture;

  explicit GlTaps(const Piece& piece);
};

GlTaps::GlTaps(const Piece& piece) {
  std::vector<int16_t> taps;
  const auto add = [&](const codecs::Tap& tap, int origin) {
    taps.push_back(static_cast<int16_t>(tap.first + origin));
    taps.push_back(static_cast<int16_t>(tap.second + origin));
    taps.push_back(static_cast<int16_t>(tap.weight));
    taps.push_back(0);
  };
  const auto left = [&](const Rect& source) { return piece.turned ? source.y : source.x; };
  const auto top = [&](const Rect& source) { return piece.turned ? source.x : source.y; };
  for (const codecs::Tap& tap : piece.columns) add(tap, left(piece.bands[0].source_rect));
  for (const Band& band : piece.bands) {
    for (const codecs::Tap& tap : band.rows) add(tap, top(band.source_rect));
  }
  glBindBuffer(GL_TEXTURE_BUFFER, *buffer);
  glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(taps.size() * sizeof(int16_t)),
               taps.data(), GL_STATIC_DRAW);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_BUFFER, *texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA16I, *buffer);
}

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
    Turn turn;
    int rotation;
    std::vector<Sprite> sprites{};  // drawn over the shown panel, but not part of it
    // Only with a correction: the panel with its sprites, which is drawn corrected on the window.
    std::optional<GlCanvas> composed{};
    std::optional<GlCorrection> correction{};
    // Only during a fade: what the panel showed before, and the weight of the canvas.
    std::optional<GlCanvas> former{};
    int weight = Fade::kWhole;
  };
  using SpriteTextures = std::map<std::shared_ptr<const Bitmap>, GlTexture>;
  struct Window {
    uint64_t secret;
    std::optional<GlFrameTexture> texture;  // empty before the first frame
  };

  void forget_layout(const Changes& changes);
  void draw_part(const Part& part);
  const GlFrameTexture* texture_of(const Part& part);
  void take_sprites(const Changes& changes);
  void draw_sprites(const Tile& tile, std::optional<int> rows_from_below);
  void compose(const Tile& tile, const GlCanvas& to);
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
  SpriteTextures sprite_textures_;  // of the visible sprites
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
  mask(Channels::kAll);
  for (size_t i = 0; i < tiles_.size(); ++i) {
    const TileChanges& tile = changes.tiles[i];
    if (tile.parts.empty()) continue;
    tiles_[i].canvas.draw_on();
    for (const Part& part : tile.parts) draw_part(part);
  }
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  take_sprites(changes);
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
    if (!blended) clear(part.tile_rect);
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
  mask(part.piece->channels);
  draw(part.tile_rect);
  mask(Channels::kAll);
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

void GlDisplay::take_sprites(const Changes& changes) {
  bool changed = false;
  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (tiles_[i].sprites == *changes.tiles[i].sprites) continue;
    tiles_[i].sprites = *changes.tiles[i].sprites;
    changed = true;
  }
  if (!changed) return;
  SpriteTextures before = std::exchange(sprite_textures_, {});
  for (const Tile& tile : tiles_) {
    for (const Sprite& sprite : tile.sprites) {
      const auto known = before.find(sprite.bitmap);
      if (known != before.end()) sprite_textures_.insert(before.extract(known));
      const auto [place, missing] = sprite_textures_.try_emplace(sprite.bitmap);
      if (missing) fill_texture(*place->second, sprite.bitmap->size, sprite.bitmap->pixels.data());
    }
  }
}

// Draws on the current framebuffer. rows_from_below: height of a window, whose row 0 is at the
// bottom.
void GlDisplay::draw_sprites(const Tile& tile, std::optional<int> rows_from_below) {
  if (tile.sprites.empty()) return;
  const GlTurnProgram& program = programs_.turn();
  glUseProgram(*program.program);
  glActiveTexture(GL_TEXTURE0);
  glEnable(GL_BLEND);
  for (const Sprite& sprite : tile.sprites) {
    const sail::Size upright = tile.canvas.size;
    const Rect visible = sail::intersect(sprite.rect, {0, 0, upright.width, upright.height});
    if (visible.empty()) continue;
    Rect place = turned_rect(visible, upright, tile.rotation);
    Turn turn = tile.turn;
    turn.start[0] -= sprite.rect.x;
    turn.start[1] -= sprite.rect.y;
    if (rows_from_below) {
      place.y = *rows_from_below - place.bottom();
      for (size_t axis = 0; axis < 2; ++axis) {
        turn.start[axis] += (*rows_from_below - 1) * turn.down[axis];
        turn.down[axis] = -turn.down[axis];
      }
    }
    set_turn(program, turn);
    glBindTexture(GL_TEXTURE_2D, *sprite_textures_.at(sprite.bitmap));
    draw(place);
  }
  glDisable(GL_BLEND);
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
    draw(panel_rect);
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
  mask(Channels::kAll);
  draw(panel_rect);
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
  former.draw_on();
  glBindFramebuffer(GL_READ_FRAMEBUFFER, *tile.panel.framebuffer);
  glBlitFramebuffer(0, 0, size.width, size.height, 0, 0, size.width, size.height,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
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
void GlDisplay::compose(const Tile& tile, const GlCanvas& to) {
  const sail::Size size = tile.panel.size;
  to.draw_on();
  glBindFramebuffer(GL_READ_FRAMEBUFFER, *tile.panel.framebuffer);
  glBlitFramebuffer(0, 0, size.width, size.height, 0, 0, size.width, size.height,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
  draw_sprites(tile, std::nullopt);
}

// Draws the composed picture on the current window, whose row 0 is at the bottom.
void GlDisplay::draw_corrected(const Tile& tile, sail::Size size, int window_height) {
  tile.correction->use(programs_.correct());
  set_turn(programs_.correct().turn, {{0, window_height - 1}, {1, 0}, {0, -1}});
  glBindTexture(GL_TEXTURE_2D, *tile.composed->texture);
  draw({0, window_height - size.height, size.width, size.height});
}

void GlDisplay::show(size_t index) {
  if (!screen_->has_window(index)) return;
  const Tile& tile = tiles_[index];
  if (tile.correction) compose(tile, *tile.composed);
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
    draw_sprites(tile, window.height);
  }
  screen_->swap(index);
}

TileImage GlDisplay::picture(size_t index) {
  const Tile& tile = tiles_[index];
  const sail::Size size = tile.panel.size;
  // Sprites are drawn on the window only, and windows cannot be read back reliably.
  std::optional<GlCanvas> with_sprites;
  if (!tile.sprites.empty()) {
    with_sprites.emplace(size);
    compose(tile, *with_sprites);
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
