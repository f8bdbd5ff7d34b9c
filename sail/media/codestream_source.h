// Films that are stored as JPEG 2000, delivered as they are: nothing is decoded or encoded. Each
// picture is one pixel block as large as the frame, with the bytes of its codestream.
//
// What is read: sequences of files (.j2c, .j2k, .jhc, .jpc; .jp2, .jph) by a printf pattern, by
// their folder, or a single one as a still; and JPEG 2000 in MJ2, MXF, MOV, MKV or AVI files. What
// the components mean is said by the container, else by the picture's own boxes, else guessed
// (usual_color()). One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/base/log.h"
#include "sail/media/codestream_input.h"
#include "sail/media/recycler.h"
#include "sail/media/source.h"

namespace sail {

struct CodestreamOptions {
  double fps = kUsualFps;  // of sequences
  // Asked while the file is waited for; true makes it give up.
  std::function<bool()> interrupted;
  const Log* log = nullptr;  // gets FFmpeg's own words at debug; outlives the source
};

// By their names, and by what containers say; false for what cannot be read.
bool is_codestream_film(const std::string& name);

class CodestreamSource : public Source {
 public:
  // Reads the first picture's header, so that what cannot be shown fails here. Errors begin with
  // the name.
  static Result<std::unique_ptr<CodestreamSource>> open(const std::string& name,
                                                        const CodestreamOptions& options);

  // The codec of the film's first picture; others may differ.
  const StreamCodec& codec() const { return codec_; }

  const SourceInfo& info() const override { return info_; }
  // Damaged pictures are left out, with a complaint about the first of them.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;

 private:
  // What a picture that has been handed out refers to.
  struct Held {
    explicit Held(const CodestreamInput& input) : stored(input.make_picture()) {}

    std::unique_ptr<StoredPicture> stored;
    uint32_t length = 0;  // of the only block
  };
  using Loan = std::unique_ptr<Recycler<Held>::Loan>;

  CodestreamSource(std::string name, std::unique_ptr<CodestreamInput> input);
  Result<void> start();
  // The next picture that can be shown; nothing at the end.
  std::optional<Picture> read();
  // Nothing, and a complaint, when it cannot be shown.
  std::optional<Picture> describe(Held& held);

  const std::string name_;
  std::unique_ptr<CodestreamInput> input_;
  SourceInfo info_;
  StreamCodec codec_;
  Recycler<Held> memory_;
  // Read and not handed out yet: at most two, after the start or a seek.
  std::optional<Picture> first_;
  std::optional<Picture> second_;
  std::optional<std::string> complaint_;
  bool complained_ = false;
};

}  // namespace sail
