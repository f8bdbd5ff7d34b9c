// Input of films stored as JPEG 2000: files, or packets of a container. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/media/source/jp2_boxes.h"
#include "sail/media/source/source.h"

namespace sail {

// A picture as it is stored, including boxes around the codestream. Reused for other pictures to
// save allocations; may outlive its input.
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
  // Reads the next picture into one that make_picture() created; false at the end.
  virtual bool read(StoredPicture& picture) = 0;
  // The picture, which was read last, cannot be shown. `fault` is a phrase: "has no codestream".
  virtual void refuse(const StoredPicture& picture, const std::string& fault) = 0;
  // The next picture is then the one shown at that time, or an earlier one.
  virtual Result<void> seek(int64_t position_ns) = 0;

  // Returns the facts about the film; their description is empty.
  virtual SourceInfo info() const = 0;
  // Width of a pixel divided by its height.
  virtual double pixel_aspect() const { return 1; }
  // Override the pictures' own colour boxes. Empty: the container does not specify them.
  virtual std::optional<codecs::ColorMatrix> matrix() const { return std::nullopt; }
  virtual std::optional<codecs::ColorRange> range() const { return std::nullopt; }
  // Returns why the film ends early, after read() has returned false; empty: it does not.
  virtual std::optional<std::string> stopped() const { return std::nullopt; }
  // Returns a sentence about pictures that could not be read, once. There may be several.
  virtual std::optional<std::string> take_complaint() = 0;
  // Pictures that could not be read or shown since the last call.
  virtual uint64_t take_left_out() = 0;
};

}  // namespace sail
