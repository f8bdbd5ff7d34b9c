// Where a film that is stored as JPEG 2000 comes from: files, or the packets of a container. One
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/media/jp2_boxes.h"
#include "sail/media/source.h"

namespace sail {

// A picture as it is stored, with the boxes around it. Used again for another without taking memory
// anew; may outlive its input.
struct StoredPicture {
  virtual ~StoredPicture() = default;

  std::span<const uint8_t> bytes;
  int64_t pts_ns = 0;
  int64_t duration_ns = 0;  // 0: unknown
};

class CodestreamInput {
 public:
  CodestreamInput() = default;
  CodestreamInput(const CodestreamInput&) = delete;
  CodestreamInput& operator=(const CodestreamInput&) = delete;
  virtual ~CodestreamInput() = default;

  virtual std::unique_ptr<StoredPicture> make_picture() const = 0;
  // The next one, into a picture that make_picture() has made; false at the end.
  virtual bool read(StoredPicture& picture) = 0;
  // The next picture is then the one that is to be seen at that time, or one before it.
  virtual Result<void> seek(int64_t position_ns) = 0;

  // Without its description.
  virtual SourceInfo info() const = 0;
  // Width of a pixel over its height.
  virtual double pixel_aspect() const { return 1; }
  // Instead of what the pictures' own boxes say; nothing: the container does not know.
  virtual std::optional<codecs::ColorMatrix> matrix() const { return std::nullopt; }
  virtual std::optional<codecs::ColorRange> range() const { return std::nullopt; }
  // What could not be read: a sentence, once.
  virtual std::optional<std::string> take_complaint() = 0;
};

}  // namespace sail
