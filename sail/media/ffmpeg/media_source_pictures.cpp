#include "sail/media/ffmpeg/media_source_pictures.h"

#include <fmt/format.h>

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

PictureFiles::PictureFiles(std::vector<SequenceFile> files, OnFault on_fault)
    : files_(std::move(files)), on_fault_(std::move(on_fault)) {}

bool PictureFiles::read(AVPacket& packet) {
  while (next_ < files_.size()) {
    report_gap();
    const SequenceFile& file = files_[next_++];
    const auto read = read_whole(file.name, packet);
    if (!read) {
      av_packet_unref(&packet);
      report(1, file.number, read.error().message);
      continue;
    }
    packet.pts = packet.dts = file.number;
    packet.duration = next_ < files_.size() ? files_[next_].number - file.number : 1;
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
}

void PictureFiles::decoded(int64_t number, bool damaged) {
  while (!decoding_.empty() && decoding_.front() <= number) {
    const int64_t first = decoding_.front();
    decoding_.pop_front();
    if (first < number || damaged) report(1, first, name_of(first) + " is damaged");
  }
}

void PictureFiles::refused(int64_t number, const std::string& fault) {
  std::erase(decoding_, number);
  report(1, number, name_of(number) + ": " + fault);
}

void PictureFiles::finish() {
  if (!decoding_.empty()) decoded(decoding_.back(), true);
  if (faults_ == 0 || std::exchange(summed_up_, true)) return;
  on_fault_(0,
            fmt::format("{} of {} pictures are missing or damaged: the ones before them are held",
                        faults_, count()));
}

void PictureFiles::report_gap() {
  if (next_ == 0) return;
  const SequenceFile& before = files_[next_ - 1];
  const SequenceFile& after = files_[next_];
  const int64_t missing = after.number - before.number - 1;
  if (missing == 0) return;
  report(static_cast<uint64_t>(missing), after.number - 1,
         fmt::format("{} {} missing between {} and {}", missing,
                     missing == 1 ? "picture is" : "pictures are", before.name, after.name));
}

void PictureFiles::report(uint64_t pictures, int64_t number, const std::string& sentence) {
  constexpr int kMostNamed = 20;
  if (number <= reported_) return;
  reported_ = number;
  faults_ += pictures;
  on_fault_(pictures, named_++ < kMostNamed ? sentence : std::string());
}

const std::string& PictureFiles::name_of(int64_t number) const {
  return std::ranges::lower_bound(files_, number, {}, &SequenceFile::number)->name;
}

}  // namespace sail
