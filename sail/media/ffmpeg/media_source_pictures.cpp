#include "sail/media/ffmpeg/media_source_pictures.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

Result<void> read_whole(const std::string& name, AVPacket& packet) {
  auto file = File::open_to_read(name);
  if (!file) return std::move(file.error());
  const auto size = file->size();
  if (!size) return size.error();
  if (*size == 0) return fail(ErrorCode::kBadData, name + " is empty");
  if (*size > INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE) {
    return fail(ErrorCode::kLimit, name + " is too large for a picture");
  }
  if (av_new_packet(&packet, static_cast<int>(*size)) < 0) {
    return fail(ErrorCode::kLimit, "out of memory");
  }
  return file->read(0, {packet.data, static_cast<size_t>(packet.size)});
}

}  // namespace

bool PictureFiles::read(AVPacket& packet) {
  while (next_ < files_.size()) {
    const SequenceFile& file = files_[next_];
    if (next_ > 0) missing_.report_gap(files_[next_ - 1], file);
    if (file.number >= end_ || !missing_.reaches(file.number)) break;
    ++next_;
    auto read = read_whole(file.name, packet);
    if (!read) {
      av_packet_unref(&packet);
      missing_.report(file.number, std::move(read.error().message));
      continue;
    }
    packet.pts = packet.dts = file.number;
    const int64_t follows = next_ < files_.size() ? files_[next_].number : file.number + 1;
    packet.duration = std::min(follows, end_) - file.number;
    packet.flags |= AV_PKT_FLAG_KEY;
    decoding_.push_back(file.number);
    return true;
  }
  return false;
}

void PictureFiles::seek(int64_t number) {
  const auto after = std::ranges::upper_bound(files_, number, {}, &SequenceFile::number);
  next_ = after == files_.begin() ? 0 : static_cast<size_t>(after - files_.begin()) - 1;
  decoding_.clear();
  missing_.begin_pass();
}

bool PictureFiles::decoded(int64_t number, bool damaged) {
  while (!decoding_.empty() && decoding_.front() <= number) {
    const int64_t first = decoding_.front();
    decoding_.pop_front();
    if (first < number || damaged) missing_.report(first, name_of(first) + " is damaged");
  }
  return missing_.reaches(number) && (!damaged || missing_.shows_damaged());
}

void PictureFiles::refused(int64_t number, const std::string& fault) {
  std::erase(decoding_, number);
  missing_.report(number, name_of(number) + ": " + fault);
}

void PictureFiles::finish() {
  if (!decoding_.empty()) decoded(decoding_.back(), true);
  missing_.sum_up(count());
}

const std::string& PictureFiles::name_of(int64_t number) const {
  return std::ranges::lower_bound(files_, number, {}, &SequenceFile::number)->name;
}

}  // namespace sail
