#include "manager/journal/journal_text.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "sail/core/base/descriptor.h"
#include "sail/core/base/private_file.h"

namespace manager {
namespace {

constexpr const char* kPlainSuffix = ".jsonl";
constexpr const char* kCompressedSuffix = ".zst";
constexpr size_t kFrameText = 256 << 10;
constexpr int kLevel = 6;

// The table of frames is a skippable frame: a header of two numbers, for each frame its compressed
// and its whole size, and a footer of the number of frames, flags and a magic number. Source:
// contrib/seekable_format/zstd_seekable_compression_format.md of zstd. Numbers are little-endian.
constexpr uint32_t kSkippableMagic = 0x184d2a5e;
constexpr uint32_t kTableMagic = 0x8f92eab1;
constexpr size_t kNumberBytes = 4;
constexpr size_t kHeaderBytes = 2 * kNumberBytes;
constexpr size_t kRowBytes = 2 * kNumberBytes;
constexpr size_t kFooterBytes = 2 * kNumberBytes + 1;

void append_number(std::string& bytes, size_t number) {
  for (size_t i = 0; i < kNumberBytes; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

uint32_t number_at(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < kNumberBytes; ++i) {
    number |= uint32_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  }
  return number;
}

struct Frame {
  size_t begin = 0;  // bytes in the file
  size_t size = 0;
  size_t text_begin = 0;  // bytes in the text
  size_t text_size = 0;
};

// A file that is read in parts. Of pipes and devices, which could block for ever, nothing is read.
class Parts {
 public:
  explicit Parts(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)), error_(errno) {
    struct stat status {};
    is_regular_ = is_open() && ::fstat(file_.get(), &status) == 0 && S_ISREG(status.st_mode);
    if (is_regular_) size_ = static_cast<size_t>(status.st_size);
  }
  bool is_open() const { return file_.get() >= 0; }
  bool is_regular() const { return is_regular_; }
  int error() const { return error_; }  // errno, if it is not open
  size_t size() const { return size_; }
  // Empty: the file has no such bytes, or no longer.
  std::optional<std::string> read(size_t begin, size_t count) const {
    if (!is_regular_ || begin > size_ || count > size_ - begin) return std::nullopt;
    std::string bytes(count, '\0');
    for (size_t done = 0; done < count;) {
      const ssize_t read =
          ::pread(file_.get(), bytes.data() + done, count - done, static_cast<off_t>(begin + done));
      if (read < 0 && errno == EINTR) continue;
      if (read <= 0) return std::nullopt;
      done += static_cast<size_t>(read);
    }
    return bytes;
  }

 private:
  sail::Descriptor file_;
  int error_;
  bool is_regular_ = false;
  size_t size_ = 0;
};

// Empty: the table is damaged, or the frames have too much text.
std::vector<Frame> frames_of(const Parts& file) {
  if (file.size() < kHeaderBytes + kFooterBytes) return {};
  const auto footer = file.read(file.size() - kFooterBytes, kFooterBytes);
  if (!footer || number_at(*footer, kNumberBytes + 1) != kTableMagic) return {};
  const size_t count = number_at(*footer, 0);
  // No flags: the rows have no checksums, because the frames have.
  if ((*footer)[kNumberBytes] != 0 || count > kMostJournalText / kFrameText) return {};
  const size_t table_bytes = kHeaderBytes + count * kRowBytes + kFooterBytes;
  if (file.size() < table_bytes) return {};
  const size_t table_begin = file.size() - table_bytes;
  const auto table = file.read(table_begin, table_bytes);
  // Without this header, other programs would read the table as text or not at all.
  if (!table || number_at(*table, 0) != kSkippableMagic ||
      number_at(*table, kNumberBytes) != table_bytes - kHeaderBytes) {
    return {};
  }
  std::vector<Frame> frames(count);
  Frame next;
  for (size_t i = 0; i < count; ++i) {
    const size_t row = kHeaderBytes + i * kRowBytes;
    next.size = number_at(*table, row);
    next.text_size = number_at(*table, row + kNumberBytes);
    if (next.text_size == 0 || next.text_size > kFrameText) return {};
    if (next.size > ZSTD_compressBound(kFrameText)) return {};
    frames[i] = next;
    next.begin += next.size;
    next.text_begin += next.text_size;
  }
  return next.begin == table_begin ? frames : std::vector<Frame>();
}

sail::Error unreadable(const JournalFile& file, const Parts& parts) {
  if (!parts.is_open()) {
    // A link that leads nowhere is still there.
    std::error_code ignored;
    const bool is_gone =
        parts.error() == ENOENT && std::filesystem::symlink_status(file.path, ignored).type() ==
                                       std::filesystem::file_type::not_found;
    return sail::fail(
        is_gone ? sail::ErrorCode::kNotFound : sail::ErrorCode::kIo,
        fmt::format("cannot open {}: {}", file.path.string(), std::strerror(parts.error())));
  }
  return sail::fail(sail::ErrorCode::kBadData,
                    fmt::format("{} is {}", file.path.string(),
                                parts.is_regular() ? "damaged" : "not a regular file"));
}

sail::Error too_large(const JournalFile& file) {
  return sail::fail(sail::ErrorCode::kBadData, fmt::format("{} is too large", file.path.string()));
}

// A file that was just compressed by another thread gets its new path.
Parts open_parts(JournalFile& file) {
  Parts parts(file.path);
  if (parts.is_open() || file.compressed()) return parts;
  Parts compressed(file.path.string() + kCompressedSuffix);
  if (compressed.is_open()) file.path += kCompressedSuffix;
  return compressed.is_open() ? std::move(compressed) : std::move(parts);
}

sail::Result<std::string> read_plain(const JournalFile& file, const Parts& parts, size_t begin,
                                     size_t size) {
  auto text = parts.read(begin, size);
  if (!text) return unreadable(file, parts);
  return *std::move(text);
}

// libzstd would also accept several concatenated frames, and legacy formats.
bool is_one_frame(std::string_view bytes) {
  return bytes.size() > kNumberBytes && number_at(bytes, 0) == ZSTD_MAGICNUMBER &&
         ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()) == bytes.size();
}

// Returns the text of successive frames.
sail::Result<std::string> read_frames(const JournalFile& file, const Parts& parts,
                                      std::span<const Frame> frames) {
  const Frame& last = frames.back();
  const auto compressed =
      parts.read(frames.front().begin, last.begin + last.size - frames.front().begin);
  if (!compressed) return unreadable(file, parts);
  const size_t text_begin = frames.front().text_begin;
  std::string text(last.text_begin + last.text_size - text_begin, '\0');
  for (const Frame& frame : frames) {
    const std::string_view bytes =
        std::string_view(*compressed).substr(frame.begin - frames.front().begin, frame.size);
    if (!is_one_frame(bytes)) return unreadable(file, parts);
    const size_t read = ZSTD_decompress(text.data() + (frame.text_begin - text_begin),
                                        frame.text_size, bytes.data(), bytes.size());
    if (ZSTD_isError(read) != 0 || read != frame.text_size) return unreadable(file, parts);
  }
  return text;
}

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

// Empty: no memory.
std::string compressed_text(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context) return {};
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string bytes;
  std::string rows;
  std::string frame(ZSTD_compressBound(kFrameText), '\0');
  size_t count = 0;
  for (; !text.empty(); ++count) {
    const std::string_view part = text.substr(0, kFrameText);
    const size_t size =
        ZSTD_compress2(context.get(), frame.data(), frame.size(), part.data(), part.size());
    if (ZSTD_isError(size) != 0) return {};
    bytes.append(frame, 0, size);
    append_number(rows, size);
    append_number(rows, part.size());
    text.remove_prefix(part.size());
  }
  append_number(bytes, kSkippableMagic);
  append_number(bytes, rows.size() + kFooterBytes);
  bytes += rows;
  append_number(bytes, count);
  bytes += '\0';  // no flags
  append_number(bytes, kTableMagic);
  return bytes;
}

}  // namespace

std::vector<JournalFile> journal_files(const std::filesystem::path& folder) {
  std::map<uint64_t, std::filesystem::path> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::filesystem::path& path = it->path();
    const bool compressed = path.extension() == kCompressedSuffix;
    const std::filesystem::path plain = compressed ? path.stem() : path.filename();
    const std::string stem = plain.stem().string();
    uint64_t first = 0;
    const char* const last = stem.data() + stem.size();
    const auto [read, wrong] = std::from_chars(stem.data(), last, first);
    const bool numbered = wrong == std::errc() && read == last && first > 0;
    if (!numbered || plain.extension() != kPlainSuffix) continue;
    // Of both, the plain one counts: the manager was killed before it was removed.
    if (!compressed || !paths.contains(first)) paths[first] = path;
  }
  std::vector<JournalFile> files;
  for (auto& [first, path] : paths) files.push_back({std::move(path), first});
  return files;
}

sail::Result<std::string> read_journal_text(JournalFile file, size_t most) {
  const Parts parts = open_parts(file);
  if (!file.compressed())
    return parts.size() <= most ? read_plain(file, parts, 0, parts.size()) : too_large(file);
  const std::vector<Frame> frames = frames_of(parts);
  if (frames.empty()) return unreadable(file, parts);
  const Frame& last = frames.back();
  return last.text_begin + last.text_size <= most ? read_frames(file, parts, frames)
                                                  : too_large(file);
}

sail::Result<std::string> read_journal_part(JournalFile file, size_t begin, size_t size) {
  const Parts parts = open_parts(file);
  if (!file.compressed()) {
    return read_plain(file, parts, begin,
                      std::min(size, parts.size() - std::min(begin, parts.size())));
  }
  const std::vector<Frame> frames = frames_of(parts);
  const auto from = std::ranges::find_if(
      frames, [=](const Frame& frame) { return frame.text_begin + frame.text_size > begin; });
  const auto to = std::ranges::find_if(
      from, frames.end(), [=](const Frame& frame) { return frame.text_begin >= begin + size; });
  if (from == to) return unreadable(file, parts);
  auto text = read_frames(file, parts, std::span(from, to));
  if (!text) return text;
  return text->substr(begin - from->text_begin, size);
}

sail::Result<void> compress_journal_file(const JournalFile& file) {
  const auto text = read_journal_text(file);
  if (!text) return text.error();
  if (text->empty()) return {};
  const std::string bytes = compressed_text(*text);
  if (bytes.empty()) return sail::fail(sail::ErrorCode::kLimit, "there is no memory");
  std::filesystem::path path = file.path;
  path += kCompressedSuffix;
  if (auto written = sail::write_private_file(path, bytes); !written) return written;
  std::error_code error;
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(file.path, error), error);
  std::filesystem::remove(file.path, error);
  if (!error) return {};
  return sail::fail(sail::ErrorCode::kIo,
                    fmt::format("cannot remove {}: {}", file.path.string(), error.message()));
}

void remove_unfinished_files(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    // As write_private_file() names it. The names of files that were set aside are longer.
    constexpr std::string_view kRandom = ".XXXXXX";
    const std::string unfinished = std::string(kPlainSuffix) + kCompressedSuffix;
    if (name.size() < kRandom.size()) continue;
    const std::string_view stem = std::string_view(name).substr(0, name.size() - kRandom.size());
    if (!stem.ends_with(unfinished) || name[stem.size()] != '.') continue;
    // A person's copy may have such a name, too (.backup). The plain file is removed only after the
    // compressed one has its name.
    const std::string_view plain = stem.substr(0, stem.size() - std::strlen(kCompressedSuffix));
    std::error_code ignored;
    if (std::filesystem::exists(folder / plain, ignored)) {
      std::filesystem::remove(it->path(), ignored);
    }
  }
}

}  // namespace manager
