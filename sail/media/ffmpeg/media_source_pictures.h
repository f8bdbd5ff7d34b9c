// The files of a numbered film as packets for a decoder of stills. FFmpeg's own reader ends at the
// first gap. One thread at a time. Only for the media_source files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/source/missing_pictures.h"

namespace sail {

class PictureFiles {
 public:
  // At least one file. Pictures are read up to the number `end`; those before the number `first`
  // are only read to be held, so that their faults are not reported.
  PictureFiles(std::vector<SequenceFile> files, MissingAction action, int64_t first, int64_t end)
      : files_(std::move(files)), end_(end), missing_(action, first, end) {}

  // Reads the next readable file. The packet's time stamp is the picture's number; its duration
  // reaches to the next file, so that a picture is held where others are missing. False at the end.
  bool read(AVPacket& packet);
  // read() then returns the picture shown at that number.
  void seek(int64_t number);
  // Pictures come out of the decoder in order: those before this one that have not come out are
  // damaged. False if this one is not to be shown.
  bool decoded(int64_t number, bool damaged);
  // The picture cannot be decoded; `fault` is a sentence.
  void refused(int64_t number, const std::string& fault);
  // No further picture comes out of the decoder.
  void finish();

  const std::vector<SequenceFile>& files() const { return files_; }
  // Pictures, including the missing ones.
  int64_t count() const { return std::min(files_.back().number + 1, end_); }
  MissingPictures& missing() { return missing_; }
  const MissingPictures& missing() const { return missing_; }

 private:
  const std::string& name_of(int64_t number) const;

  const std::vector<SequenceFile> files_;
  const int64_t end_;
  size_t next_ = 0;
  std::deque<int64_t> decoding_;  // numbers of pictures that were read, but did not come out yet
  MissingPictures missing_;
};

}  // namespace sail
