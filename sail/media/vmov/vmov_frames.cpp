#include "sail/media/vmov/vmov_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/media/vmov/vmov_format.h"

namespace sail {
namespace {

// Block size of a search for the next frame, and how far it searches.
constexpr size_t kSearchBytes = size_t{1} << 20;
constexpr uint64_t kMostLostFrames = 16;

std::string describe(const ByteSource& file, uint64_t number, uint64_t offset,
                     const std::string& mistake) {
  return fmt::format("{}: frame {} at byte {}: {}", file.name(), number, offset, mistake);
}

// Reads frames in sequence, without an index.
class Scanner {
 public:
  Scanner(const ByteSource& file, uint64_t file_bytes, uint64_t offset,
          const VmovFrameBounds& bounds, VmovScanDepth depth)
      : file_(file), file_bytes_(file_bytes), offset_(offset), bounds_(bounds), depth_(depth) {}

  // kBadData: no more frames.
  Result<void> next(VmovIndex& index) {
    auto entry = find(index, offset_);
    if (!entry && entry.error().code == ErrorCode::kBadData && depth_ == VmovScanDepth::kHeads) {
      auto found = search(index);
      if (!found) return std::move(found.error());
      if (*found) entry = **found;
    }
    if (!entry) return std::move(entry.error());
    if (depth_ == VmovScanDepth::kBlocks) {
      auto read = read_vmov_frame(file_, bounds_, *entry, frame_);
      if (!read) return read;
    }
    index.frames.push_back(*entry);
    index.duration_ns = entry->pts_ns + frame_.head.duration_ns;
    offset_ = entry->offset + entry->bytes;
    return {};
  }

  bool at_end() const { return offset_ == file_bytes_; }

 private:
  // Reads the frame's head at the offset.
  Result<VmovIndexEntry> find(const VmovIndex& index, uint64_t offset) {
    const uint64_t number = index.frames.empty() ? 0 : index.frames.back().number + 1;
    const auto bad = [&](const std::string& mistake) {
      return fail(ErrorCode::kBadData, describe(file_, number, offset, mistake));
    };
    if (number >= kMaxVmovFrames) return bad("too many frames");
    if (file_bytes_ - offset < bounds_.head_bytes()) return bad("cut off");
    frame_.record.resize(bounds_.head_bytes());
    auto read = file_.read(offset, frame_.record);
    if (!read) return std::move(read.error());
    auto head = decode_vmov_frame_head(frame_.record, bounds_, frame_.lengths);
    if (!head) return bad(head.error().message);
    const bool follows = offset == offset_ ? head->number == number : head->number > number;
    if (!follows) return bad(fmt::format("found frame {} instead", head->number));
    const uint64_t bytes = bounds_.head_bytes() + head->data_bytes;
    if (file_bytes_ - offset < bytes) return bad("cut off");
    if (!index.frames.empty() && head->pts_ns <= index.frames.back().pts_ns) {
      return bad("the time stamp is not later than the previous frame's");
    }
    frame_.head = *head;
    return VmovIndexEntry{offset, head->pts_ns, bytes, head->number};
  }

  // Finds the next valid head after a damaged one; empty: none nearby.
  Result<std::optional<VmovIndexEntry>> search(const VmovIndex& index) {
    const uint64_t most = kMostLostFrames * (bounds_.head_bytes() + bounds_.max_data_bytes());
    const uint64_t end = file_bytes_ - offset_ > most ? offset_ + most : file_bytes_;
    std::vector<uint8_t> bytes;
    for (uint64_t from = offset_ + 1; from < end; from += kSearchBytes) {
      // Overlap with the next piece, because a mark may cross the boundary.
      const uint64_t wanted = kSearchBytes + kVmovFrameMark.size() - 1;
      bytes.resize(std::min<uint64_t>(wanted, file_bytes_ - from));
      auto read = file_.read(from, bytes);
      if (!read) return std::move(read.error());
      for (auto at = bytes.begin();; ++at) {
        at = std::search(at, bytes.end(), kVmovFrameMark.begin(), kVmovFrameMark.end());
        if (at == bytes.end()) break;
        auto entry = find(index, from + static_cast<uint64_t>(at - bytes.begin()));
        if (entry) return std::optional(*entry);
        if (entry.error().code != ErrorCode::kBadData) return std::move(entry.error());
      }
    }
    return std::nullopt;
  }

  const ByteSource& file_;
  const uint64_t file_bytes_;
  uint64_t offset_;
  const VmovFrameBounds& bounds_;
  const VmovScanDepth depth_;
  VmovFrame frame_;
};

}  // namespace

Result<void> read_vmov_frame(const ByteSource& file, const VmovFrameBounds& bounds,
                             const VmovIndexEntry& entry, VmovFrame& frame) {
  frame.record.resize(entry.bytes);
  auto read = file.read(entry.offset, frame.record);
  return read ? check_vmov_frame(file, bounds, entry, frame) : read;
}

Result<void> check_vmov_frame(const ByteSource& file, const VmovFrameBounds& bounds,
                              const VmovIndexEntry& entry, VmovFrame& frame) {
  const auto bad = [&](const std::string& mistake) {
    return fail(ErrorCode::kBadData, describe(file, entry.number, entry.offset, mistake));
  };
  const std::span<const uint8_t> record(frame.record);
  const auto head =
      decode_vmov_frame_head(record.first(bounds.head_bytes()), bounds, frame.lengths);
  if (!head) return bad(head.error().message);
  frame.head = *head;
  frame.bytes = record.subspan(bounds.head_bytes());
  if (head->number != entry.number || head->pts_ns != entry.pts_ns ||
      head->data_bytes != frame.bytes.size()) {
    return bad("does not match its entry in the index");
  }
  if (head->data_checksum != checksum(frame.bytes)) {
    return bad("wrong checksum of the pixel blocks");
  }
  return {};
}

Result<VmovScan> scan_vmov_frames(const ByteSource& file, uint64_t header_bytes,
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
