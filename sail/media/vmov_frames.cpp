#include "sail/media/vmov_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/media/checksum.h"

namespace sail {
namespace {

std::string describe(const File& file, uint64_t number, uint64_t offset,
                     const std::string& mistake) {
  return fmt::format("{}: frame {} at byte {}: {}", file.name(), number, offset, mistake);
}

// Reads frame after frame where no index tells where they stand.
class Scanner {
 public:
  Scanner(const File& file, uint64_t file_bytes, uint64_t offset, const VmovFrameBounds& bounds,
          VmovScanDepth depth)
      : file_(file), file_bytes_(file_bytes), offset_(offset), bounds_(bounds), depth_(depth) {}

  // kBadData: from here on there is none.
  Result<void> next(VmovIndex& index) {
    const uint64_t number = index.frames.size();
    if (number >= kMaxVmovFrames) return bad(number, "too many frames");
    auto entry = find(number);
    if (!entry) return std::move(entry.error());
    if (depth_ == VmovScanDepth::kBlocks) {
      auto read = read_vmov_frame(file_, bounds_, number, *entry, frame_);
      if (!read) return read;
    }
    if (!index.frames.empty() && entry->pts_ns <= index.frames.back().pts_ns) {
      return bad(number, "its time stamp is not later than that of the one before");
    }
    index.frames.push_back(*entry);
    index.duration_ns = entry->pts_ns + frame_.head.duration_ns;
    offset_ += entry->bytes;
    return {};
  }

  bool at_end() const { return offset_ == file_bytes_; }

 private:
  Error bad(uint64_t number, const std::string& mistake) const {
    return fail(ErrorCode::kBadData, describe(file_, number, offset_, mistake));
  }

  // Where the frame's head says that it stands.
  Result<VmovIndexEntry> find(uint64_t number) {
    if (file_bytes_ - offset_ < bounds_.head_bytes()) return bad(number, "it is cut off");
    frame_.record.resize(bounds_.head_bytes());
    auto read = file_.read(offset_, frame_.record);
    if (!read) return std::move(read.error());
    auto head = decode_vmov_frame_head(frame_.record, bounds_, frame_.lengths);
    if (!head) return bad(number, head.error().message);
    if (head->number != number) return bad(number, fmt::format("it is frame {}", head->number));
    const uint64_t bytes = bounds_.head_bytes() + head->data_bytes;
    if (file_bytes_ - offset_ < bytes) return bad(number, "it is cut off");
    frame_.head = *head;
    return VmovIndexEntry{offset_, head->pts_ns, bytes};
  }

  const File& file_;
  const uint64_t file_bytes_;
  uint64_t offset_;
  const VmovFrameBounds& bounds_;
  const VmovScanDepth depth_;
  VmovFrame frame_;
};

}  // namespace

Result<void> read_vmov_frame(const File& file, const VmovFrameBounds& bounds, uint64_t number,
                             const VmovIndexEntry& entry, VmovFrame& frame) {
  const auto bad = [&](const std::string& mistake) {
    return fail(ErrorCode::kBadData, describe(file, number, entry.offset, mistake));
  };
  if (entry.bytes < bounds.head_bytes() ||
      entry.bytes - bounds.head_bytes() > bounds.max_data_bytes()) {
    return bad("its size is impossible");
  }
  frame.record.resize(entry.bytes);
  auto read = file.read(entry.offset, frame.record);
  if (!read) return read;
  const std::span<const uint8_t> record(frame.record);
  const auto head =
      decode_vmov_frame_head(record.first(bounds.head_bytes()), bounds, frame.lengths);
  if (!head) return bad(head.error().message);
  frame.head = *head;
  frame.bytes = record.subspan(bounds.head_bytes());
  if (head->number != number || head->pts_ns != entry.pts_ns ||
      head->data_bytes != frame.bytes.size()) {
    return bad("it is not the one that the index tells of");
  }
  if (head->data_checksum != checksum(frame.bytes)) {
    return bad("the checksum of its pixel blocks is wrong");
  }
  return {};
}

Result<VmovScan> scan_vmov_frames(const File& file, uint64_t header_bytes,
                                  const VmovFrameBounds& bounds, VmovScanDepth depth) {
  const auto file_bytes = file.size();
  if (!file_bytes) return file_bytes.error();
  VmovScan scan;
  if (*file_bytes < header_bytes) return scan;
  Scanner scanner(file, *file_bytes, header_bytes, bounds, depth);
  while (!scanner.at_end()) {
    auto found = scanner.next(scan.index);
    if (found) continue;
    if (found.error().code != ErrorCode::kBadData) {
      return std::move(found.error());
    }
    scan.stopped = std::move(found.error().message);
    break;
  }
  return scan;
}

}  // namespace sail
