// A still, or an animated WebP, through libvips: upright, in the display's colours, over black
// unless opacity is kept. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/media/source/source.h"
#include "sail/media/still/still_pixels.h"
#include "sail/media/still/still_wish.h"

namespace sail {

class StillSource : public Source {
 public:
  // file: the file's bytes. Decodes the first picture, so that unusable files fail here; errors
  // begin with the name.
  static Result<std::unique_ptr<Source>> open(const std::string& name, std::vector<uint8_t> file,
                                              const StillOptions& options);

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;

 private:
  StillSource(std::string name, std::vector<uint8_t> file, const StillOptions& options);

  // Reads the header: the times of the pictures.
  Result<void> begin();
  // Opens the pictures of an animation, one below the other.
  Result<void> rewind();
  Result<StillPixels> read_next();

  const std::string name_;
  const std::vector<uint8_t> file_;
  const StillOptions options_;
  SourceInfo info_;
  std::vector<int64_t> ends_ns_;  // end of each picture
  Size size_;                     // size of an animation's pictures
  VipsHandle pictures_;           // pictures of an animation; read from top to bottom only
  size_t read_ = 0;               // pictures read since rewind()
  size_t next_ = 0;
  std::optional<StillPixels> first_;  // read by open()
  std::string complaint_;
};

}  // namespace sail
