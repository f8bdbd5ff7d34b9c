#include "sail/media/codestream/codestream_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

constexpr std::array<std::string_view, 6> kExtensions = {".j2c", ".j2k", ".jhc",
                                                         ".jpc", ".jp2", ".jph"};
constexpr double kRateUnits = 1000;  // rates are stored in 1/1000: 23.976 is 23976/1000

struct FilePicture : StoredPicture {
  std::vector<uint8_t> memory;
};

bool has_codestream_name(const std::string& name) {
  return std::ranges::find(kExtensions, extension_of(name)) != kExtensions.end();
}

// Reads the whole file, including boxes; refuses longer ones.
Result<void> read_file(const std::string& name, FilePicture& picture) {
  auto file = File::open_to_read(name);
  if (!file) return std::move(file.error());
  const auto size = file->size();
  if (!size) return size.error();
  if (*size == 0) return fail(ErrorCode::kBadData, name + " is empty");
  if (*size > kMaxMessageBody) {
    return fail(ErrorCode::kLimit, fmt::format("{} has more than {} bytes", name, kMaxMessageBody));
  }
  if (picture.memory.size() < *size) picture.memory.resize(*size);
  const auto bytes = std::span(picture.memory).first(*size);
  picture.bytes = bytes;
  return file->read(0, bytes);
}

}  // namespace

bool is_codestream_sequence(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) return has_codestream_name(name);
  const bool pattern = parse_pattern(name) && has_codestream_name(name);
  if (!pattern && !std::filesystem::is_directory(name, ignored)) return false;
  return list_sequence(name, kExtensions).has_value();
}

std::string missing_in_sequence(const std::string& name) {
  const auto files = list_sequence(name, kExtensions);
  if (!files) return "";
  const auto is_there = [](const SequenceFile& file) {
    std::error_code failed;
    return std::filesystem::file_size(file.name, failed) > 0 && !failed;
  };
  const int64_t pictures = files->back().number + 1;
  const int64_t missing = pictures - std::ranges::count_if(*files, is_there);
  if (missing == 0) return "";
  return fmt::format("{} of {} pictures {} missing or empty", missing, pictures,
                     missing == 1 ? "is" : "are");
}

Result<std::unique_ptr<CodestreamInput>> CodestreamSequence::open(const std::string& name,
                                                                  double fps,
                                                                  MissingAction missing) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) {
    return std::unique_ptr<CodestreamInput>(new CodestreamSequence({{name, 0}}, fps, missing));
  }
  auto files = list_sequence(name, kExtensions);
  if (!files) return std::move(files.error());
  const auto gaps = closed_gaps(name, *files);
  std::unique_ptr<CodestreamSequence> input(
      new CodestreamSequence(std::move(*files), fps, missing));
  if (gaps) input->missing_.report_closed(*gaps);
  return std::unique_ptr<CodestreamInput>(std::move(input));
}

CodestreamSequence::CodestreamSequence(std::vector<SequenceFile> files, double fps,
                                       MissingAction missing)
    : files_(std::move(files)), fps_(fps), missing_(missing) {}

std::unique_ptr<StoredPicture> CodestreamSequence::make_picture() const {
  return std::make_unique<FilePicture>();
}

bool CodestreamSequence::read(StoredPicture& picture) {
  while (next_ < files_.size()) {
    const SequenceFile& file = files_[next_];
    if (next_ > 0) missing_.report_gap(files_[next_ - 1], file);
    if (!missing_.reaches(file.number)) break;
    ++next_;
    auto read = read_file(file.name, static_cast<FilePicture&>(picture));
    if (!read) {
      missing_.report(file.number, std::move(read.error().message));
      continue;
    }
    // A picture is shown until the next existing one, so missing numbers extend its duration.
    const int64_t follows = next_ < files_.size() ? files_[next_].number : file.number + 1;
    picture.pts_ns = time_ns(file.number);
    picture.duration_ns = time_ns(follows) - picture.pts_ns;
    return true;
  }
  missing_.sum_up(files_.back().number + 1);
  return false;
}

void CodestreamSequence::refuse(const StoredPicture& /*picture*/, const std::string& fault) {
  const SequenceFile& file = files_[next_ - 1];
  missing_.report(file.number, fmt::format("{} {}", file.name, fault));
}

Result<void> CodestreamSequence::seek(int64_t position_ns) {
  const auto after = std::ranges::upper_bound(
      files_, position_ns, {}, [this](const SequenceFile& file) { return time_ns(file.number); });
  missing_.begin_pass();
  next_ = after == files_.begin() ? 0 : static_cast<size_t>(after - files_.begin()) - 1;
  return {};
}

SourceInfo CodestreamSequence::info() const {
  SourceInfo info;
  info.duration_ns = time_ns(files_.back().number + 1);
  const bool is_whole = std::round(fps_) == fps_;
  const double units = is_whole ? 1 : kRateUnits;
  info.rate = {static_cast<uint32_t>(std::lround(fps_ * units)), static_cast<uint32_t>(units)};
  return info;
}

int64_t CodestreamSequence::time_ns(int64_t number) const {
  return std::llround(static_cast<double>(number) * kSecondNs / fps_);
}

}  // namespace sail
