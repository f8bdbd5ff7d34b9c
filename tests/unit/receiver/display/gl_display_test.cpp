// Properties of the OpenGL display, and comparison with the CPU display.
#include "receiver/display/gl_display.h"

#include <epoxy/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "receiver/display/gl_programs.h"
#include "receiver/display/gl_screen.h"
#include "receiver/display/gl_tables.h"
#include "receiver/display/window_system.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/paint/painted_wall.h"

namespace receiver {
namespace {

// The OpenGL display shared by its tests, because starting one takes longer than most of them.
//
// SDL's and Mesa's environment selects the renderer. VITRAIL_TEST_GL_DECODE, "s3tc" or "shader",
// selects the decoder.
struct GlTestDisplay {
  std::unique_ptr<Display> display;
  std::string renderer;
  GlDecode decode;

  // Maximum difference in levels from codecs::dxt_decode for the same bytes: Mesa's llvmpipe
  // approximates the division by three and by two in its S3TC decoder (lp_bld_format_s3tc.c), its
  // softpipe is exact.
  int tolerance() const;
};

GlTestDisplay start_gl() {
  const char* decode = std::getenv("VITRAIL_TEST_GL_DECODE");
  GlTestDisplay started{.display = nullptr,
                        .renderer = {},
                        .decode = decode != nullptr && std::string_view(decode) == "s3tc"
                                      ? GlDecode::kS3tc
                                      : GlDecode::kShader};
  auto screen = GlScreen::start(SdlWindows::start("node").value()).value();
  started.renderer = screen->renderer();
  started.display = make_gl_display(std::move(screen), started.decode,
                                    sail::Log("test", sail::LogLevel::kWarning))
                        .value();
  return started;
}

int GlTestDisplay::tolerance() const {
  return decode == GlDecode::kS3tc && renderer.find("llvmpipe") != std::string::npos ? 1 : 0;
}

GlTestDisplay& gl_test_display() {
  static GlTestDisplay display = start_gl();
  return display;
}

}  // namespace

Display& test_display(int) {
  return *gl_test_display().display;
}

namespace {

using codecs::CodecId;
using sail::Rect;

constexpr CodecId kCodecs[] = {CodecId::kDxt1, CodecId::kDxt5, CodecId::kDxt5YCoCg,
                               CodecId::kRaw,  CodecId::kJ2k,  CodecId::kHtj2k};

sail::SceneWindow scene_window(uint32_t number, const Rect& wall_rect, const TestFrame& frame) {
  return {.window = number,
          .secret = number,
          .wall_rect = wall_rect,
          .frame_size = frame.grid.frame_size(),
          .block_size = frame.grid.block_size(),
          .alpha = frame.codec == CodecId::kDxt5};
}

// Maximum difference of two pictures in levels; empty optional: different sizes.
std::optional<int> difference(const reference::Picture& a, const reference::Picture& b) {
  if (a.width != b.width || a.height != b.height) return std::nullopt;
  int most = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    most = std::max(most, std::abs(a.pixels[i] - b.pixels[i]));
  }
  return most;
}

// Shows the frame in a window over a whole tile of the same size.
reference::Picture shown_one_to_one(const TestFrame& frame) {
  const sail::Size size = frame.grid.frame_size();
  const Rect rect{0, 0, size.width, size.height};
  PaintedWall wall(*gl_test_display().display, {tile(rect, size)});
  wall.set_scene({scene_window(1, rect, frame)});
  wall.set_frame(received(frame, 1, {1, 1}));
  wall.show();
  return wall.panel(0);
}

// Sizes that are not multiples of a texel block, and some that are.
constexpr sail::Size kSizes[] = {{256, 128}, {203, 151}, {130, 65}, {5, 3}, {1, 1}};

TEST(GlDisplayTest, Dxt1IsTheDecodersBits) {
  std::mt19937 random(1);
  for (const sail::Size size : kSizes) {
    const TestFrame frame = noise_frame({size, {32, 16}}, random);
    EXPECT_LE(difference(shown_one_to_one(frame), frame.picture), gl_test_display().tolerance())
        << size.width << "x" << size.height;
  }
}

TEST(GlDisplayTest, OpaqueDxt5IsTheDecodersBits) {
  std::mt19937 random(2);
  for (const sail::Size size : kSizes) {
    const TestFrame frame = opaque_noise_frame({size, {32, 16}}, random);
    EXPECT_LE(difference(shown_one_to_one(frame), frame.picture), gl_test_display().tolerance())
        << size.width << "x" << size.height;
  }
}

TEST(GlDisplayTest, YCoCgIsWithinTwoLevels) {
  std::mt19937 random(3);
  for (const sail::Size size : kSizes) {
    const TestFrame frame = noise_frame({size, {32, 16}}, random, CodecId::kDxt5YCoCg);
    EXPECT_LE(difference(shown_one_to_one(frame), frame.picture), 2)
        << size.width << "x" << size.height;
  }
}

// Shows the same on both displays.
class TwoDisplays {
 public:
  TwoDisplays(const std::vector<sail::Tile>& tiles)
      : tiles_(tiles.size()), gl_(*gl_test_display().display, tiles), cpu_(*cpu_display_, tiles) {}

  void set_scene(const std::vector<sail::SceneWindow>& windows, bool identify = false) {
    gl_.set_scene(windows, identify);
    cpu_.set_scene(windows, identify);
  }
  void set_frame(const TestFrame& frame, uint32_t window) {
    const FrameKey key = gl_.next_key();
    gl_.set_frame(received(frame, window, key));
    cpu_.set_frame(received(frame, window, key));
  }
  void show_and_expect_alike(int levels, const std::string& where) {
    gl_.show();
    cpu_.show();
    for (size_t i = 0; i < tiles_; ++i) {
      ASSERT_LE(difference(gl_.panel(i), cpu_.panel(i)), levels) << where << ", tile " << i;
    }
  }

 private:
  size_t tiles_;
  PaintedWall gl_;
  std::unique_ptr<Display> cpu_display_ = make_cpu_display(make_null_window_system(), 1);
  PaintedWall cpu_;
};

// Blending is done by the renderer: softpipe matches lay_over(), llvmpipe differs by one level.
constexpr int kBlended = 1;

TEST(GlDisplayTest, LayoutsOfAllCodecsAreShownAsByTheCpu) {
  std::mt19937 random(4);
  const auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  for (int round = 0; round < 4; ++round) {
    TwoDisplays displays({tile({0, 0, 120, 90}, {120, 90}), tile({130, 0, 90, 120}, {120, 90}, 90),
                          tile({0, 125, 120, 90}, {pick(20, 150), pick(20, 150)}, 180),
                          tile({130, 125, 90, 120}, {120, 90}, 270)});
    // Several layouts: windows move, change their size and z-order, open and close.
    for (int layout = 0; layout < 4; ++layout) {
      std::vector<TestFrame> frames;
      std::vector<sail::SceneWindow> scene;
      for (int i = pick(0, 5); i > 0; --i) {
        const sail::BlockGrid grid({pick(1, 150), pick(1, 150)}, {32, 16});
        frames.push_back(noise_frame(grid, random, kCodecs[pick(0, 5)]));
        Rect rect{pick(-80, 200), pick(-80, 200), grid.frame_size().width,
                  grid.frame_size().height};
        if (pick(0, 1) == 0) rect = {rect.x, rect.y, pick(1, 300), pick(1, 300)};
        scene.push_back(scene_window(static_cast<uint32_t>(i), rect, frames.back()));
      }
      displays.set_scene(scene, pick(0, 3) == 0);
      for (size_t i = 0; i < scene.size(); ++i) displays.set_frame(frames[i], scene[i].window);
      displays.show_and_expect_alike(kBlended, "round " + std::to_string(round));
      // The same windows elsewhere, with the same frames.
      for (sail::SceneWindow& window : scene) window.wall_rect.x += pick(-20, 20);
      std::shuffle(scene.begin(), scene.end(), random);
      displays.set_scene(scene);
      displays.show_and_expect_alike(kBlended, "moved");
    }
  }
}

TEST(GlDisplayTest, OnlyChangedBlocksAreBrought) {
  std::mt19937 random(5);
  const sail::BlockGrid grid({96, 48}, {32, 16});
  PaintedWall wall(*gl_test_display().display, {tile({0, 0, 96, 48}, {96, 48})});
  const TestFrame first = opaque_noise_frame(grid, random);
  const TestFrame second = opaque_noise_frame(grid, random);
  wall.set_scene({scene_window(1, {0, 0, 96, 48}, first)});
  wall.set_frame(received(first, 1, {1, 1}));
  wall.show();
  // Bytes never differ without a new version; here they do, to show that they are not read. Block
  // (0, 0) is new, block (2, 2) is gone.
  auto next = empty_frame(grid, 1, {1, 2}, {.id = CodecId::kDxt5});
  reference::Picture expected = first.picture;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      if (column == 2 && row == 2) continue;
      put(*next, column, row, second.block(column, row), column == 0 && row == 0 ? 2 : 1);
    }
  }
  const auto take = [&](const reference::Picture& from, const Rect& rect) {
    for (int y = rect.y; y < rect.bottom(); ++y) {
      std::copy_n(from.at(rect.x, y), rect.width * 4, expected.at(rect.x, y));
    }
  };
  take(second.picture, {0, 0, 32, 16});
  take(reference::black_picture(96, 48), {64, 32, 32, 16});
  wall.set_frame(std::move(next));
  wall.show();
  EXPECT_LE(difference(wall.panel(0), expected), gl_test_display().tolerance());
}

TEST(GlDisplayTest, MissingBlocksAreBlackOrTransparent) {
  std::mt19937 random(6);
  const sail::BlockGrid grid({64, 32}, {32, 16});
  for (const CodecId codec : kCodecs) {
    TwoDisplays displays({tile({0, 0, 64, 32}, {64, 32})});
    const TestFrame below = noise_frame(grid, random);
    const TestFrame above{.grid = grid, .codec = codec, .blocks = {}, .picture = {}};
    displays.set_scene(
        {scene_window(1, {0, 0, 64, 32}, below), scene_window(2, {8, 8, 64, 32}, above)});
    displays.set_frame(below, 1);
    displays.show_and_expect_alike(gl_test_display().tolerance(), "before the first frame");
    PaintedWall wall(*gl_test_display().display, {tile({0, 0, 64, 32}, {64, 32})});
    wall.set_scene(
        {scene_window(1, {0, 0, 64, 32}, below), scene_window(2, {0, 0, 64, 32}, above)});
    wall.set_frame(received(below, 1, {1, 1}));
    wall.set_frame(empty_frame(grid, 2, {1, 1}, {.id = codec}));
    wall.show();
    EXPECT_LE(difference(wall.panel(0), codec == CodecId::kDxt5 ? below.picture
                                                                : reference::black_picture(64, 32)),
              gl_test_display().tolerance())
        << static_cast<int>(codec);
  }
}

TEST(GlDisplayTest, AnotherCodecAndGridInTheSameWindow) {
  std::mt19937 random(7);
  PaintedWall wall(*gl_test_display().display, {tile({0, 0, 96, 48}, {96, 48})});
  uint64_t number = 0;
  for (const sail::BlockGrid& grid :
       {sail::BlockGrid({96, 48}, {32, 16}), sail::BlockGrid({96, 48}, {48, 16})}) {
    for (const CodecId codec :
         {CodecId::kDxt1, CodecId::kHtj2k, CodecId::kRaw, CodecId::kDxt5YCoCg, CodecId::kDxt1}) {
      const TestFrame frame = noise_frame(grid, random, codec);
      wall.set_scene({scene_window(1, {0, 0, 96, 48}, frame)});
      wall.set_frame(received(frame, 1, {1, ++number}));
      wall.show();
      EXPECT_LE(difference(wall.panel(0), frame.picture), gl_test_display().tolerance()) << number;
    }
  }
}

TEST(GlDisplayTest, ABrokenBlockIsToldAndBlack) {
  std::mt19937 random(8);
  const sail::BlockGrid grid({32, 16}, {32, 16});
  Display& display = *gl_test_display().display;
  Composition composition;
  composition.set_tiles({info_of(tile({0, 0, 32, 16}, {32, 16}))});
  ASSERT_TRUE(display.open({info_of(tile({0, 0, 32, 16}, {32, 16}))}));
  std::vector<std::unique_ptr<Frame>> released;
  const TestFrame frame = noise_frame(grid, random);
  composition.set_scene({.epoch = 1, .windows = {scene_window(1, {0, 0, 32, 16}, frame)}},
                        released);
  auto broken = empty_frame(grid, 1, {1, 1}, {.compression = codecs::Compression::kLz4});
  put(*broken, 0, 0, std::vector<uint8_t>(5, 0xee));
  decode(*broken);
  composition.set_frame(std::move(broken), released);
  const Changes& changes = composition.take_changes();
  display.paint(changes);
  display.present(0, changes.tiles[0].damage);
  const TileImage shown = display.picture(0);
  EXPECT_EQ(shown.pixels, reference::black_picture(32, 16).pixels);
}

// Painted areas are visible only after they were presented.
TEST(GlDisplayTest, PresentsOnlyWhatItIsTold) {
  std::mt19937 random(9);
  const TestFrame frame = noise_frame({{64, 32}, {32, 16}}, random);
  Display& display = *gl_test_display().display;
  const auto info = info_of(tile({0, 0, 64, 32}, {32, 64}, 90));
  ASSERT_TRUE(display.open({info}));
  Composition composition;
  composition.set_tiles({info});
  std::vector<std::unique_ptr<Frame>> released;
  composition.set_scene({.epoch = 1, .windows = {scene_window(1, {0, 0, 64, 32}, frame)}},
                        released);
  composition.set_frame(received(frame, 1, {1, 1}), released);
  display.paint(composition.take_changes());
  const std::vector<Rect> part{{10, 5, 20, 7}};
  display.present(0, part);
  const TileImage shown = display.picture(0);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 32; ++x) {
      // Rotated by 90: the panel's (x, y) is the upright picture's (y, 31 − x).
      const uint8_t* pixel = &shown.pixels[static_cast<size_t>(y * 32 + x) * 4];
      const uint8_t* source = frame.picture.at(y, 31 - x);
      for (int c = 0; c < 3; ++c) {
        ASSERT_NEAR(pixel[c], part[0].contains(y, 31 - x) ? source[c] : 0,
                    gl_test_display().tolerance());
      }
    }
  }
}

// Reads the window's pixels; GL counts rows from the bottom. A window has the swapped picture in
// front; an EGL surface without a window has it in the back buffer.
reference::Picture window_picture(int width, int height) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(std::getenv("SDL_VIDEODRIVER") == nullptr ? GL_FRONT : GL_BACK);
  reference::Picture turned = reference::black_picture(width, height);
  glReadPixels(0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE, turned.pixels.data());
  reference::Picture window = reference::black_picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::copy_n(turned.at(x, height - 1 - y), 3, window.at(x, y));
    }
  }
  return window;
}

// Under GLX, glReadPixels on Mesa's llvmpipe does not return the window's content. The same drawing
// code is tested with EGL.
TEST(GlDisplayTest, TheWindowShowsThePanel) {
  if (std::getenv("SDL_VIDEODRIVER") == nullptr &&
      gl_test_display().renderer.find("llvmpipe") != std::string::npos) {
    GTEST_SKIP() << "llvmpipe reads something else than what its window shows";
  }
  std::mt19937 random(10);
  const TestFrame frame = noise_frame({{64, 32}, {32, 16}}, random);
  const reference::Picture panel = shown_one_to_one(frame);
  EXPECT_EQ(window_picture(64, 32), panel);
}

// The table's pixels, which the CPU computes.
reference::Picture corrected(reference::Picture picture, const codecs::PanelTable& table) {
  const codecs::BgraTarget pixels{picture.pixels.data(), ptrdiff_t{4} * picture.width};
  table.apply(pixels, pixels, picture.width, picture.height, codecs::detect_cpu());
  return picture;
}

TEST(GlDisplayTest, OnlyTheWindowIsCorrected) {
  if (std::getenv("SDL_VIDEODRIVER") == nullptr &&
      gl_test_display().renderer.find("llvmpipe") != std::string::npos) {
    GTEST_SKIP() << "llvmpipe reads something else than what its window shows";
  }
  std::mt19937 random(11);
  const TestFrame frame = noise_frame({{64, 32}, {32, 16}}, random);
  sail::Tile bent = tile({0, 0, 64, 32}, {64, 32});
  bent.correction = sail::Correction{.gain = {1, 0.5, 2}, .gamma = 1.5};
  PaintedWall wall(*gl_test_display().display, {bent});
  wall.set_scene({scene_window(1, {0, 0, 64, 32}, frame)});
  wall.set_overlay(
      {.labels = {}, .pointers = {{{.x = 20, .y = 20, .name = "Ada", .colour = 0xff0000}}}});
  wall.set_frame(received(frame, 1, {1, 1}));
  wall.show();
  const codecs::PanelTable table({1, 0.5, 2}, 1.5, nullptr);
  EXPECT_EQ(window_picture(64, 32), corrected(wall.panel(0), table));
}

// Draws the picture by the shader into a texture.
reference::Picture drawn_corrected(const GlCorrectProgram& program, const GlCorrection& correction,
                                   const reference::Picture& picture) {
  const GlTexture textures[2];
  glActiveTexture(GL_TEXTURE0);
  for (const GlTexture& texture : textures) {
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_BGRA,
                 GL_UNSIGNED_BYTE, picture.pixels.data());
  }
  const GlFramebuffer target;
  glBindFramebuffer(GL_FRAMEBUFFER, *target);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *textures[1], 0);
  correction.use(program);
  glUniform2i(program.turn.start, 0, 0);
  glUniform2i(program.turn.across, 1, 0);
  glUniform2i(program.turn.down, 0, 1);
  glBindTexture(GL_TEXTURE_2D, *textures[0]);
  glViewport(0, 0, picture.width, picture.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  reference::Picture drawn = reference::black_picture(picture.width, picture.height);
  glReadPixels(0, 0, picture.width, picture.height, GL_BGRA, GL_UNSIGNED_BYTE, drawn.pixels.data());
  return drawn;
}

TEST(GlDisplayTest, TheShaderHasTheTablesBits) {
  const PaintedWall wall(*gl_test_display().display, {tile({0, 0, 8, 8}, {8, 8})});
  const auto programs = GlPrograms::make(GlDecode::kShader);
  ASSERT_TRUE(programs) << programs.error().message;
  std::mt19937 random(12);
  reference::Picture noise = reference::black_picture(128, 64);
  for (size_t i = 0; i < noise.pixels.size(); ++i) {
    if (i % 4 != 3) noise.pixels[i] = static_cast<uint8_t>(random());
  }
  std::uniform_real_distribution<float> any(0, 1);
  for (const int side : {2, 17, 65}) {
    codecs::ColorLut lut{.is_cube = true, .side = side, .entries = {}};
    lut.entries.resize(static_cast<size_t>(side * side * side));
    for (auto& entry : lut.entries) entry = {any(random), any(random), any(random)};
    const codecs::PanelTable table({1, 0.7, 1.3}, 0.9, &lut);
    EXPECT_EQ(drawn_corrected(programs->correct(), GlCorrection(table), noise),
              corrected(noise, table))
        << "side " << side;
  }
  const codecs::PanelTable curves({1, 0.7, 1.3}, 0.9, nullptr);
  EXPECT_EQ(drawn_corrected(programs->correct(), GlCorrection(curves), noise),
            corrected(noise, curves));
}

TEST(GlScreenTest, KnowsSoftwareRenderersByName) {
  for (const char* name :
       {"llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe", "Software Rasterizer",
        "zink (llvmpipe (LLVM 15.0.6, 256 bits))", "SWR (LLVM 11.0, 256 bits)",
        "Google SwiftShader", "D3D12 (Microsoft Basic Render Driver)", "GDI Generic"}) {
    EXPECT_TRUE(is_software_renderer(name)) << name;
  }
  for (const char* name :
       {"NVIDIA GeForce RTX 3080/PCIe/SSE2", "AMD Radeon RX 6800 (navi21, LLVM 15.0.6)",
        "Mesa Intel(R) UHD Graphics 620 (KBL GT2)", "SVGA3D; build: RELEASE;  LLVM;"}) {
    EXPECT_FALSE(is_software_renderer(name)) << name;
  }
}

}  // namespace
}  // namespace receiver
