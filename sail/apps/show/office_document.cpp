#include "sail/apps/show/office_document.h"

#include <fmt/core.h>
#include <glib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sail/apps/show/still_file.h"
#include "sail/core/base/private_file.h"
#include "sail/core/wire/content.h"

namespace sail {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr size_t kMostDocumentBytes = size_t{256} << 20;
constexpr std::string_view kZip = "PK\x03\x04"sv;
constexpr std::string_view kCompoundFile = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv;
// The stream of encrypted OOXML files (MS-OFFCRYPTO), in UTF-16.
constexpr std::string_view kEncrypted = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"sv;
constexpr const char* kEnding = ".pdf";

std::string hash_of(const std::string& bytes) {
  gchar* text = g_compute_checksum_for_data(
      G_CHECKSUM_SHA256, reinterpret_cast<const guchar*>(bytes.data()), bytes.size());
  std::string hash(text);
  g_free(text);
  return hash;
}

}  // namespace

bool is_office_document(const std::string& path) {
  return names_office_document(path) && !is_pdf(path) && !is_svg(path);
}

Result<OfficeDocument> OfficeDocument::read(const std::string& path) {
  auto bytes = read_file(path, kMostDocumentBytes);
  if (!bytes) return bytes.error();
  if (bytes->size() > kMostDocumentBytes) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} is larger than {} MiB: save it as PDF and show that", path,
                            kMostDocumentBytes >> 20));
  }
  if (!bytes->starts_with(kZip) && !bytes->starts_with(kCompoundFile)) {
    return fail(ErrorCode::kBadData, path + " is damaged, or is not an office document");
  }
  if (bytes->starts_with(kCompoundFile) && bytes->find(kEncrypted) != std::string::npos) {
    return fail(ErrorCode::kBadData,
                path + " requires a password: save a copy without a password and show that");
  }
  std::string hash = hash_of(*bytes);
  return OfficeDocument{std::move(*bytes), std::move(hash)};
}

DocumentCache DocumentCache::of_user() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path root = cache != nullptr && fs::path(cache).is_absolute() ? fs::path(cache)
                  : home != nullptr && *home != '\0'
                      ? fs::path(home) / ".cache"
                      : fs::path(fmt::format("/var/tmp/vitrail-{}", getuid()));
  return DocumentCache(root / "vitrail" / "documents");
}

fs::path DocumentCache::place_of(const OfficeDocument& document) const {
  return folder_ / (document.hash + kEnding);
}

std::optional<std::string> DocumentCache::find(const OfficeDocument& document) const {
  const fs::path place = place_of(document);
  std::error_code error;
  if (!fs::is_regular_file(place, error)) return std::nullopt;
  // In a sandbox this fails.
  fs::last_write_time(place, fs::file_time_type::clock::now(), error);
  return place.string();
}

Result<std::string> DocumentCache::add(const OfficeDocument& document, const fs::path& pdf) const {
  if (auto made = make_private_folder(folder_); !made) return made.error();
  const fs::path place = place_of(document);
  // The PDF may be on another file system: a rename of a copy is still all or nothing.
  const fs::path part = place.string() + ".part";
  std::error_code error;
  fs::copy_file(pdf, part, fs::copy_options::overwrite_existing, error);
  if (!error) fs::permissions(part, fs::perms::owner_read | fs::perms::owner_write, error);
  if (!error) fs::rename(part, place, error);
  if (error) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return fail(ErrorCode::kIo,
                fmt::format("cannot write {}: {}", place.string(), error.message()));
  }
  remove_oldest(place);
  return place.string();
}

void DocumentCache::remove_oldest(const fs::path& kept) const {
  struct Entry {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != kEnding) continue;
    std::error_code gone;
    Entry entry{at->last_write_time(gone), at->file_size(gone), at->path()};
    if (gone) continue;
    bytes += entry.bytes;
    if (entry.path != kept) entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (bytes <= most_bytes_) return;
    std::error_code gone;
    if (fs::remove(entry.path, gone)) bytes -= entry.bytes;
  }
}

}  // namespace sail
