// Owning handles of OpenGL objects. Create and destroy them only while the context is current.
#pragma once

#include <epoxy/gl.h>

#include <utility>

namespace receiver {

struct GlTextureKind {
  static void make(GLuint* name) { glGenTextures(1, name); }
  static void end(GLuint name) { glDeleteTextures(1, &name); }
};
struct GlFramebufferKind {
  static void make(GLuint* name) { glGenFramebuffers(1, name); }
  static void end(GLuint name) { glDeleteFramebuffers(1, &name); }
};
struct GlBufferKind {
  static void make(GLuint* name) { glGenBuffers(1, name); }
  static void end(GLuint name) { glDeleteBuffers(1, &name); }
};
struct GlVertexArrayKind {
  static void make(GLuint* name) { glGenVertexArrays(1, name); }
  static void end(GLuint name) { glDeleteVertexArrays(1, &name); }
};
struct GlProgramKind {
  static void make(GLuint* name) { *name = glCreateProgram(); }
  static void end(GLuint name) { glDeleteProgram(name); }
};

template <class Kind>
class GlName {
 public:
  GlName() { Kind::make(&name_); }
  ~GlName() {
    if (name_ != 0) Kind::end(name_);
  }
  GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  GLuint operator*() const { return name_; }

 private:
  GLuint name_ = 0;
};

using GlTexture = GlName<GlTextureKind>;
using GlFramebuffer = GlName<GlFramebufferKind>;
using GlBuffer = GlName<GlBufferKind>;
using GlVertexArray = GlName<GlVertexArrayKind>;
using GlProgram = GlName<GlProgramKind>;

}  // namespace receiver
