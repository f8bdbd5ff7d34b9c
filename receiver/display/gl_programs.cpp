#include "receiver/display/gl_programs.h"

#include <fmt/core.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace receiver {
namespace {

using codecs::CodecId;

// One triangle that covers the whole viewport.
constexpr const char* kVertices = R"(#version 330 core
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
})";

// texel(at): returns R, G, B, A as stored, 0 … 255.
constexpr const char* kTexelOfPixels = R"(
uniform sampler2D frame;
ivec4 texel(ivec2 at) { return ivec4(ivec3(texelFetch(frame, at, 0).rgb * 255.0 + 0.5), 255); }
)";
constexpr const char* kTexelOfS3tc = R"(
uniform sampler2D frame;
ivec4 texel(ivec2 at) { return ivec4(texelFetch(frame, at, 0) * 255.0 + 0.5); }
)";

// Each texel of `frame` is a texel block; codecs/dxt/dxt.h describes layout and palettes.
constexpr const char* kTexelOfColours = R"(
uniform usampler2D frame;
ivec3 expand(uint colour) {
  ivec3 bits = ivec3(colour >> 11, colour >> 5 & 63u, colour & 31u);
  return ivec3(bits.r << 3 | bits.r >> 2, bits.g << 2 | bits.g >> 4, bits.b << 3 | bits.b >> 2);
}
ivec3 colour_of(uvec2 block, int place, bool always_four) {
  ivec3 e0 = expand(block.x & 0xffffu), e1 = expand(block.x >> 16);
  uint index = block.y >> 2 * place & 3u;
  if (index == 0u) return e0;
  if (index == 1u) return e1;
  if (always_four || (block.x & 0xffffu) > block.x >> 16) {
    return index == 2u ? (2 * e0 + e1) / 3 : (e0 + 2 * e1) / 3;
  }
  return index == 2u ? (e0 + e1) / 2 : ivec3(0);
}
int place_of(ivec2 at) { return (at.y & 3) * 4 + (at.x & 3); }
)";
constexpr const char* kTexelOfDxt1 = R"(
ivec4 texel(ivec2 at) {
  return ivec4(colour_of(texelFetch(frame, at >> 2, 0).xy, place_of(at), false), 255);
}
)";
constexpr const char* kTexelOfDxt5 = R"(
int alpha_of(uvec2 block, int place) {
  int a0 = int(block.x & 255u), a1 = int(block.x >> 8 & 255u);
  int bit = 16 + 3 * place;
  uint bits = bit >= 32 ? block.y >> bit - 32 : block.x >> bit | block.y << 32 - bit;
  int index = int(bits & 7u);
  if (index == 0) return a0;
  if (index == 1) return a1;
  int steps = a0 > a1 ? 7 : 5;
  if (index > steps) return index == 6 ? 0 : 255;
  return ((steps + 1 - index) * a0 + (index - 1) * a1) / steps;
}
ivec4 texel(ivec2 at) {
  uvec4 block = texelFetch(frame, at >> 2, 0);
  return ivec4(colour_of(block.zw, place_of(at), true), alpha_of(block.xy, place_of(at)));
}
)";

// colour_at(at): returns the frame's pixel.
constexpr const char* kPlainColour = R"(
ivec4 colour_at(ivec2 at) { return texel(at); }
)";
// As in premultiply().
constexpr const char* kPremultipliedColour = R"(
ivec4 colour_at(ivec2 at) {
  ivec4 stored = texel(at);
  ivec3 product = stored.rgb * stored.a + 128;
  return ivec4((product + (product >> 8)) >> 8, stored.a);
}
)";
// As in codecs/dxt/ycocg_fit.h.
constexpr const char* kYCoCgColour = R"(
ivec4 colour_at(ivec2 at) {
  ivec4 stored = texel(at);
  int co = stored.r - 128, cg = stored.g - 128;
  float unscale = 8.0 / float(stored.b + 8);
  ivec3 offset = ivec3(vec3(co - cg, cg, -co - cg) * unscale + 512.5) - 512;
  return ivec4(clamp(stored.a + offset, 0, 255), 255);
}
)";

// As in lay_over().
constexpr const char* kFaded = R"(
uniform int opacity;
vec4 faded(ivec4 value) {
  if (opacity < 255) {
    value = value * opacity + 128;
    value = (value + (value >> 8)) >> 8;
  }
  return vec4(value) / 255.0;
}
)";
constexpr const char* kOneToOne = R"(
uniform ivec2 origin;
out vec4 colour;
void main() { colour = faded(colour_at(ivec2(gl_FragCoord.xy) + origin)); }
)";
// As in codecs::resample_bilinear().
constexpr const char* kScaled = R"(
uniform isamplerBuffer taps;
uniform ivec2 origin;
uniform int columns;
uniform bool turned;
out vec4 colour;
ivec4 mix_of(ivec4 a, ivec4 b, int weight) { return (a * (256 - weight) + b * weight + 128) >> 8; }
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - origin;
  ivec4 x = texelFetch(taps, at.x), y = texelFetch(taps, columns + at.y);
  if (turned) { ivec4 columns_tap = x; x = y; y = columns_tap; }
  ivec4 upper = mix_of(colour_at(ivec2(x.r, y.r)), colour_at(ivec2(x.g, y.r)), x.b);
  ivec4 lower = mix_of(colour_at(ivec2(x.r, y.g)), colour_at(ivec2(x.g, y.g)), x.b);
  colour = faded(mix_of(upper, lower, y.b));
}
)";

constexpr const char* kTurn = R"(
uniform sampler2D canvas;
uniform ivec2 start, across, down;
out vec4 colour;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  colour = texelFetch(canvas, start + at.x * across + at.y * down, 0);
}
)";

// As in codecs::PanelTable and reference::map_colors(). Positions have 14 bits below one step,
// nodes 7 bits below one level.
constexpr const char* kCorrect = R"(
uniform sampler2D canvas;
uniform isamplerBuffer curves;
uniform isampler3D nodes;
uniform ivec2 start, across, down;
uniform int side;
out vec4 colour;
ivec3 node(ivec3 at) { return texelFetch(nodes, at.bgr, 0).rgb; }
ivec3 level_in_cube(ivec3 position) {
  ivec3 at = position >> 14, f = position & 16383;
  ivec3 first = f.r >= f.g && f.r >= f.b ? ivec3(1, 0, 0)
                : f.g >= f.b             ? ivec3(0, 1, 0)
                                         : ivec3(0, 0, 1);
  ivec3 last = f.b <= f.r && f.b <= f.g ? ivec3(0, 0, 1)
               : f.g <= f.r             ? ivec3(0, 1, 0)
                                        : ivec3(1, 0, 0);
  int greatest = max(max(f.r, f.g), f.b), least = min(min(f.r, f.g), f.b);
  int middle = f.r + f.g + f.b - greatest - least;
  ivec3 sums = node(at) * (16384 - greatest) + node(at + first) * (greatest - middle) +
               node(at + 1 - last) * (middle - least) + node(at + 1) * least;
  return clamp(((sums + 8192 >> 14) + 64) >> 7, 0, 255);
}
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 stored = texelFetch(canvas, start + at.x * across + at.y * down, 0);
  ivec3 level = ivec3(stored.rgb * 255.0 + 0.5);
  ivec3 value = ivec3(texelFetch(curves, level.r).r, texelFetch(curves, 256 + level.g).r,
                      texelFetch(curves, 512 + level.b).r);
  colour = vec4(vec3(side == 0 ? value : level_in_cube(value)) / 255.0, 1.0);
}
)";

auto refused(GLuint object, void (*log)(GLuint, std::string&)) {
  std::string text(1000, '\0');
  log(object, text);
  return sail::fail(sail::ErrorCode::kUnavailable,
                    fmt::format("the OpenGL driver rejected a shader: {}", text.c_str()));
}

sail::Result<void> attach(GLuint program, GLenum kind, const std::string& source) {
  const GLuint shader = glCreateShader(kind);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glDeleteShader(shader);  // the program keeps it alive
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return {};
  return refused(shader, [](GLuint name, std::string& log) {
    glGetShaderInfoLog(name, static_cast<GLsizei>(log.size()), nullptr, log.data());
  });
}

sail::Result<GlProgram> link(std::initializer_list<const char*> fragment) {
  std::string source = "#version 330 core";
  for (const char* piece : fragment) source += piece;
  GlProgram program;
  if (auto made = attach(*program, GL_VERTEX_SHADER, kVertices); !made) {
    return std::move(made.error());
  }
  if (auto made = attach(*program, GL_FRAGMENT_SHADER, source); !made) {
    return std::move(made.error());
  }
  glLinkProgram(*program);
  GLint linked = GL_FALSE;
  glGetProgramiv(*program, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  return refused(*program, [](GLuint name, std::string& log) {
    glGetProgramInfoLog(name, static_cast<GLsizei>(log.size()), nullptr, log.data());
  });
}

sail::Result<GlProgram> linked_part(GlDecode decode, CodecId codec, const char* place) {
  if (!codecs::is_dxt(codec)) return link({kTexelOfPixels, kPlainColour, kFaded, place});
  const char* colour = codec == CodecId::kDxt1   ? kPlainColour
                       : codec == CodecId::kDxt5 ? kPremultipliedColour
                                                 : kYCoCgColour;
  const char* texel = codec == CodecId::kDxt1 ? kTexelOfDxt1 : kTexelOfDxt5;
  return decode == GlDecode::kS3tc ? link({kTexelOfS3tc, colour, kFaded, place})
                                   : link({kTexelOfColours, texel, colour, kFaded, place});
}

sail::Result<GlPartProgram> part_program(GlDecode decode, CodecId codec, const char* place) {
  auto program = linked_part(decode, codec, place);
  if (!program) return std::move(program.error());
  GlPartProgram part{.program = *std::move(program)};
  part.origin = glGetUniformLocation(*part.program, "origin");
  part.columns = glGetUniformLocation(*part.program, "columns");
  part.turned = glGetUniformLocation(*part.program, "turned");
  part.opacity = glGetUniformLocation(*part.program, "opacity");
  glUseProgram(*part.program);
  glUniform1i(glGetUniformLocation(*part.program, "frame"), 0);
  glUniform1i(glGetUniformLocation(*part.program, "taps"), 1);
  return part;
}

sail::Result<GlTurnProgram> turn_program(const char* source) {
  auto program = link({source});
  if (!program) return std::move(program.error());
  GlTurnProgram turn{.program = *std::move(program)};
  turn.start = glGetUniformLocation(*turn.program, "start");
  turn.across = glGetUniformLocation(*turn.program, "across");
  turn.down = glGetUniformLocation(*turn.program, "down");
  return turn;
}

sail::Result<GlCorrectProgram> correct_program() {
  auto turn = turn_program(kCorrect);
  if (!turn) return std::move(turn.error());
  GlCorrectProgram correct{.turn = *std::move(turn)};
  const GLuint name = *correct.turn.program;
  correct.side = glGetUniformLocation(name, "side");
  glUseProgram(name);
  glUniform1i(glGetUniformLocation(name, "canvas"), 0);
  glUniform1i(glGetUniformLocation(name, "curves"), 1);
  glUniform1i(glGetUniformLocation(name, "nodes"), 2);
  return correct;
}

}  // namespace

sail::Result<GlPrograms> GlPrograms::make(GlDecode decode) {
  GlPrograms programs;
  for (const CodecId codec : {CodecId::kDxt1, CodecId::kDxt5, CodecId::kDxt5YCoCg, CodecId::kRaw}) {
    auto one_to_one = part_program(decode, codec, kOneToOne);
    if (!one_to_one) return std::move(one_to_one.error());
    auto scaled = part_program(decode, codec, kScaled);
    if (!scaled) return std::move(scaled.error());
    programs.parts_[index(codec)] = {*std::move(one_to_one), *std::move(scaled)};
  }
  auto turn = turn_program(kTurn);
  if (!turn) return std::move(turn.error());
  programs.turn_ = *std::move(turn);
  auto correct = correct_program();
  if (!correct) return std::move(correct.error());
  programs.correct_ = *std::move(correct);
  return programs;
}

}  // namespace receiver
