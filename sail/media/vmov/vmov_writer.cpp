#include "sail/media/vmov/vmov_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/media/vmov/vmov_format.h"
#include "sail/media/vmov/vmov_reader.h"

namespace sail {
namespace {

Result<void> check_free(const std::string& name, bool overwrite) {
  std::error_code ignored;
  if (overwrite || !std::filesystem::exists(name, ignored)) return {};
  return fail(ErrorCode::kConflict, fmt::format("{} already exists: --force overwrites it", name));
}

}  // namespace

std::string vmov_part_name(const std::string& name) {
  return name + ".part";
}

VmovWriter::VmovWriter(std::string name, File file, const VmovHeader& header, bool overwrite)
    : name_(std::move(name)),
      file_(std::move(file)),
      bounds_(header),
      overwrite_(overwrite),
      head_(bounds_.head_bytes()) {}

Result<VmovWriter> VmovWriter::begin(const std::string& name, const VmovHeader& header,
                                     bool overwrite) {
  auto free = check_free(name, overwrite);
  if (!free) return std::move(free.error());
  auto file = File::open_to_write(vmov_part_name(name));
  if (!file) return std::move(file.error());
  VmovWriter writer(name, std::move(*file), header, overwrite);
  auto taken = writer.take_up(header, overwrite);
  if (!taken) return std::move(taken.error());
  return writer;
}

Result<void> VmovWriter::take_up(const VmovHeader& header, bool overwrite) {
  const std::vector<uint8_t> bytes = encode_vmov_header(header);
  header_bytes_ = bytes.size();
  const auto there = read_vmov_header(file_);
  if (!there && there.error().code == ErrorCode::kIo) return there.error();
  const auto size = file_.size();
  if (!size) return size.error();
  if (*size == 0) return begin_file(bytes);
  if (!there || header.recipe == 0 || encode_vmov_header(there->header) != bytes) {
    if (overwrite) return begin_file(bytes);
    return fail(ErrorCode::kConflict,
                fmt::format("{} belongs to another film or other options: --force discards it",
                            file_.name()));
  }
  auto scan = scan_vmov_frames(file_, header_bytes_, bounds_, VmovScanDepth::kBlocks);
  if (!scan) return std::move(scan.error());
  index_ = std::move(scan->index);
  return file_.cut(index_.end(header_bytes_));
}

Result<void> VmovWriter::begin_file(std::span<const uint8_t> header) {
  auto cut = file_.cut(0);
  if (!cut) return cut;
  return file_.write(0, header);
}

Result<void> VmovWriter::read_last(VmovFrame& frame) const {
  return read_vmov_frame(file_, bounds_, index_.frames.back(), frame);
}

Result<void> VmovWriter::restart() {
  index_ = {};
  return file_.cut(header_bytes_);
}

Result<void> VmovWriter::append(int64_t pts_ns, int64_t duration_ns,
                                std::span<const uint32_t> lengths,
                                std::span<const uint8_t> blocks) {
  const uint64_t sum = std::accumulate(lengths.begin(), lengths.end(), uint64_t{0});
  const int64_t earliest = frame_count() > 0 ? last_pts_ns() + 1 : 0;
  if (!bounds_.allows(lengths) || sum != blocks.size() || pts_ns < earliest || duration_ns < 0 ||
      pts_ns > kMaxTimeNs || duration_ns > kMaxTimeNs) {
    return fail(ErrorCode::kInvalidParams,
                "invalid frame: block lengths or time stamps do not fit the film");
  }
  if (frame_count() >= kMaxVmovFrames) {
    return fail(ErrorCode::kLimit,
                fmt::format("{}: a film can have at most {} frames", name_, kMaxVmovFrames));
  }
  const VmovFrameHead head{.number = frame_count(),
                           .pts_ns = pts_ns,
                           .duration_ns = duration_ns,
                           .data_bytes = blocks.size(),
                           .data_checksum = checksum(blocks)};
  encode_vmov_frame_head(head, lengths, head_);
  const uint64_t offset = bytes();
  auto written = file_.write(offset, head_);
  if (written) written = file_.write(offset + head_.size(), blocks);
  if (!written) return written;
  index_.frames.push_back({offset, pts_ns, head_.size() + blocks.size(), frame_count()});
  index_.duration_ns = pts_ns + duration_ns;
  return {};
}

Result<void> VmovWriter::finish() {
  if (frame_count() == 0)
    return fail(ErrorCode::kBadData, fmt::format("{}: the film has no frames", name_));
  const std::vector<uint8_t> index = encode_vmov_index(index_);
  const uint64_t offset = bytes();
  auto done = file_.write(offset, index);
  if (done) done = file_.write(offset + index.size(), encode_vmov_footer({offset, index.size()}));
  if (done) done = file_.sync();
  if (done) done = check_free(name_, overwrite_);
  if (!done) return done;
  if (std::rename(file_.name().c_str(), name_.c_str()) != 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot rename {} to {}: {}", file_.name(), name_,
                                            std::strerror(errno)));
  }
  return {};
}

}  // namespace sail
