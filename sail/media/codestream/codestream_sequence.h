// JPEG 2000 codestreams in one file per picture. One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/media/source/codestream_input.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/source/missing_pictures.h"

namespace sail {

// True for a printf pattern, a folder of such files, or a single file.
bool is_codestream_sequence(const std::string& name);

// Tells how many pictures between the first and the last file are missing or empty, without reading
// them; an empty text: none.
std::string missing_in_sequence(const std::string& name);

class CodestreamSequence : public CodestreamInput {
 public:
  static Result<std::unique_ptr<CodestreamInput>> open(const std::string& name, double fps,
                                                       MissingAction missing);

  std::unique_ptr<StoredPicture> make_picture() const override;
  // Skips unreadable files.
  bool read(StoredPicture& picture) override;
  void refuse(const StoredPicture& picture, const std::string& fault) override;
  Result<void> seek(int64_t position_ns) override;
  SourceInfo info() const override;
  std::optional<std::string> stopped() const override { return missing_.stopped(); }
  std::optional<std::string> take_complaint() override { return missing_.take_complaint(); }
  uint64_t take_left_out() override { return missing_.take_left_out(); }

 private:
  CodestreamSequence(std::vector<SequenceFile> files, double fps, MissingAction missing);
  int64_t time_ns(int64_t number) const;

  const std::vector<SequenceFile> files_;
  const double fps_;
  size_t next_ = 0;
  MissingPictures missing_;
};

}  // namespace sail
