// The files of a numbered film as packets for a decoder of stills. FFmpeg's own reader ends at the
// first gap. Knows which pictures are missing or damaged. One thread at a time. Only for the
// media_source files.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/source/file_sequence.h"

namespace sail {

class PictureFiles {
 public:
  // Receives the number of missing or damaged pictures, and a sentence about them, which is empty
  // after the first few. Each picture is reported once, even if the film is read again.
  using OnFault = std::function<void(uint64_t pictures, const std::string& sentence)>;
  // At least one file.
  PictureFiles(std::vector<SequenceFile> files, OnFault on_fault);

  // Reads the next readable file. The packet's time stamp is the picture's number; its duration
  // reaches to the next file, so that a picture is held where others are missing. False at the end.
  bool read(AVPacket& packet);
  // The next picture is then the one shown at that number.
  void seek(int64_t number);
  // Pictures come out of the decoder in order: those before this one that have not come out are
  // damaged.
  void decoded(int64_t number, bool damaged);
  // The picture cannot be decoded; `fault` is a sentence.
  void refused(int64_t number, const std::string& fault);
  // No further picture comes out of the decoder.
  void finish();

  // Pictures, including the missing ones.
  int64_t count() const { return files_.back().number + 1; }

 private:
  void report_gap();
  // The last of these pictures has this number.
  void report(uint64_t pictures, int64_t number, const std::string& sentence);
  const std::string& name_of(int64_t number) const;

  const std::vector<SequenceFile> files_;
  OnFault on_fault_;
  size_t next_ = 0;
  std::deque<int64_t> decoding_;  // numbers of pictures that were read, but did not come out yet
  int64_t reported_ = -1;         // number of the last reported picture
  uint64_t faults_ = 0;           // reported pictures
  int named_ = 0;                 // sentences
  bool summed_up_ = false;
};

}  // namespace sail
