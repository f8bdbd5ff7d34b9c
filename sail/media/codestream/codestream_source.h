// Films stored as JPEG 2000, delivered without decoding or encoding. Each picture is one pixel
// block as large as the frame, which contains its codestream.
//
// Reads sequences of files (.j2c, .j2k, .jhc, .jpc; .jp2, .jph) by printf pattern or folder, a
// single file as a still, and JPEG 2000 in MJ2, MXF, MOV, MKV or AVI. The colour comes from the
// container, else from the picture's boxes, else from usual_color(). One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/base/log.h"
#include "sail/core/wire/content.h"
#include "sail/media/source/codestream_input.h"
#include "sail/media/source/recycler.h"
#include "sail/media/source/source.h"

namespace sail {

struct CodestreamOptions {
  double fps = kUsualFps;  // frame rate of sequences
  // As in MediaOptions.
  MissingAction missing = MissingAction::kHold;
  // The display's colours, to which receivers convert X'Y'Z'. Other films are refused if their
  // colours must be converted.
  codecs::DisplayColor display = {};
  // Polled while waiting for the file; returning true aborts.
  std::function<bool()> interrupted;
  const Log* log = nullptr;  // receives FFmpeg's messages at debug level; must outlive the source
};

// Decides by names and by the containers' headers; false for unreadable files.
bool is_codestream_film(const std::string& name);

class CodestreamSource : public Source {
 public:
  // Reads the first picture's header, so that unusable films fail here. Errors begin with the name.
  static Result<std::unique_ptr<CodestreamSource>> open(const std::string& name,
                                                        const CodestreamOptions& options);

  const SourceInfo& info() const override { return info_; }
  // Skips damaged pictures; take_complaint() reports them.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;
  uint64_t take_left_out() override { return input_->take_left_out(); }

 private:
  // The memory that a returned picture refers to.
  struct Held {
    explicit Held(const CodestreamInput& input) : stored(input.make_picture()) {}

    std::unique_ptr<StoredPicture> stored;
    uint32_t length = 0;  // length of the only block
  };
  using Loan = std::unique_ptr<Recycler<Held>::Loan>;

  CodestreamSource(std::string name, std::unique_ptr<CodestreamInput> input);
  Result<void> start(const codecs::DisplayColor& display);
  // The next picture that can be shown; empty at the end.
  std::optional<Picture> read();
  // Empty, with a complaint, if the picture cannot be shown.
  std::optional<Picture> describe(Held& held);

  const std::string name_;
  std::unique_ptr<CodestreamInput> input_;
  SourceInfo info_;
  Recycler<Held> memory_;
  std::string notice_;  // notice of the first picture that has one
  bool noticed_ = false;
  // Read but not returned yet: at most two, after open() or seek().
  std::optional<Picture> first_;
  std::optional<Picture> second_;
};

}  // namespace sail
