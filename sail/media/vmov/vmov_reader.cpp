#include "sail/media/vmov/vmov_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/media/storage/reading/file.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

Error in_file(const ByteSource& file, const Error& error) {
  if (error.code == ErrorCode::kIo) return error;
  return fail(error.code, fmt::format("{}: {}", file.name(), error.message));
}

}  // namespace

bool is_vmov_file(const std::string& name) {
  if (is_far(name)) {
    const std::string path = name.substr(0, name.find_first_of("?#"));
    return path.ends_with(".vmov") || path.ends_with(".vmov.xnd");
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) return false;
  const auto file = File::open_to_read(name);
  std::vector<uint8_t> start(kVmovHeaderFixedBytes);
  return file && file->read(0, start) && has_vmov_magic(start);
}

Result<VmovFileHeader> read_vmov_header(const ByteSource& file) {
  std::vector<uint8_t> bytes(kVmovHeaderFixedBytes);
  auto read = file.read(0, bytes);
  if (!read) return std::move(read.error());
  const auto size = vmov_header_bytes(bytes);
  if (!size) return in_file(file, size.error());
  bytes.resize(*size);
  read = file.read(0, bytes);
  if (!read) return std::move(read.error());
  auto header = decode_vmov_header(bytes);
  if (!header) return in_file(file, header.error());
  return VmovFileHeader{std::move(*header), *size};
}

VmovReader::VmovReader(std::unique_ptr<const ByteSource> file, VmovHeader header,
                       size_t header_bytes)
    : file_(std::move(file)),
      header_(std::move(header)),
      header_bytes_(header_bytes),
      bounds_(header_) {}

Result<VmovReader> VmovReader::open(const std::string& name) {
  auto file = open_bytes(name);
  if (!file) return std::move(file.error());
  return open(std::move(*file));
}

Result<VmovReader> VmovReader::open(std::unique_ptr<const ByteSource> file) {
  const std::string name = file->name();
  auto header = read_vmov_header(*file);
  if (!header) return std::move(header.error());
  VmovReader reader(std::move(file), std::move(header->header), header->bytes);
  auto index = reader.load_index();
  if (index) {
    reader.index_ = std::move(*index);
  } else if (index.error().code == ErrorCode::kIo) {
    return std::move(index.error());
  } else {
    auto scan = scan_vmov_frames(*reader.file_, reader.header_bytes_, reader.bounds_,
                                 VmovScanDepth::kHeads);
    if (!scan) return std::move(scan.error());
    reader.index_ = std::move(scan->index);
    reader.complaint_ = fmt::format("{}: {}; found {} frames by scanning the file", name,
                                    index.error().message, reader.frame_count());
  }
  if (reader.frame_count() == 0) {
    return fail(ErrorCode::kBadData, fmt::format("{}: no complete frame found", name));
  }
  return reader;
}

Result<VmovIndex> VmovReader::load_index() const {
  const auto file_bytes = file_->size();
  if (!file_bytes) return file_bytes.error();
  if (*file_bytes < header_bytes_ + kVmovFooterBytes) {
    return fail(ErrorCode::kBadData, "no index at the end of the file");
  }
  std::vector<uint8_t> bytes(kVmovFooterBytes);
  auto read = file_->read(*file_bytes - kVmovFooterBytes, bytes);
  if (!read) return std::move(read.error());
  const auto footer = decode_vmov_footer(bytes, header_bytes_, *file_bytes);
  if (!footer) return footer.error();
  bytes.resize(footer->index_bytes);
  read = file_->read(footer->index_offset, bytes);
  if (!read) return std::move(read.error());
  auto index = decode_vmov_index(bytes, header_bytes_, bounds_);
  if (index && index->end(header_bytes_) != footer->index_offset) {
    return fail(ErrorCode::kBadData, "the index does not list all frames");
  }
  return index;
}

size_t VmovReader::frame_at(int64_t pts_ns) const {
  const auto after = std::ranges::upper_bound(index_.frames, pts_ns, {}, &VmovIndexEntry::pts_ns);
  return after == index_.frames.begin() ? 0
                                        : static_cast<size_t>(after - index_.frames.begin()) - 1;
}

}  // namespace sail
