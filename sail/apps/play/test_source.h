// The test card as an endless video: frame n, from 1, is at (n − 1) / fps.
#pragma once

#include <string_view>

#include "sail/apps/play/test_card.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/source/recycler.h"
#include "sail/media/source/source.h"

namespace sail {

// Returns true if the URL begins with "test:".
bool is_test_url(std::string_view url);
// Parses "test:", "test:WxH" or "test:WxH@FPS" (FPS not 0); the default is 1920x1080@30.
std::optional<SizeAtFps> parse_test_url(std::string_view url);

class TestSource : public Source {
 public:
  explicit TestSource(const SizeAtFps& picture);

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;

 private:
  const Size size_;
  const double fps_;
  Recycler<TestCard> cards_;
  SourceInfo info_;
  uint64_t frame_ = 0;  // the last frame painted
};

}  // namespace sail
