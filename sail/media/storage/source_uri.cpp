#include "sail/media/storage/source_uri.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/media/storage/http/far_bytes.h"
#include "sail/media/storage/http/web_address.h"
#include "sail/media/storage/ibp/depot_bytes.h"
#include "sail/media/storage/nfs/nfs_bytes.h"
#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

Result<std::unique_ptr<const ByteSource>> open_local(const std::string& uri) {
  constexpr std::string_view kScheme = "file:";
  std::error_code ignored;
  const bool plain = !uri.starts_with(kScheme) || std::filesystem::exists(uri, ignored);
  auto file = File::open_to_read(plain ? uri : uri.substr(kScheme.size()));
  if (!file) return std::move(file.error());
  return std::make_unique<const File>(std::move(*file));
}

std::string scheme_of(const std::string& uri) {
  return lower(uri.substr(0, uri.find("://")));
}

}  // namespace

bool is_far(const std::string& uri) {
  std::error_code ignored;
  if (std::filesystem::exists(uri, ignored)) return false;  // a local file named like "a://b.mp4"
  const size_t end = uri.find("://");
  return end != std::string::npos && uri.compare(0, end, "file") != 0;
}

bool is_ours_alone(const std::string& uri) {
  if (!is_far(uri)) return false;
  const std::string scheme = scheme_of(uri);
  return scheme == "s3" || scheme == "nfs" || scheme == "gluster" || DepotBytes::names_one(scheme);
}

bool is_web(const std::string& uri) {
  return is_far(uri) && (scheme_of(uri) == "http" || scheme_of(uri) == "https");
}

Result<std::unique_ptr<const ByteSource>> open_bytes(const std::string& uri,
                                                     const GiveUp& give_up) {
  if (!is_far(uri)) return open_local(uri);
  const std::string name = without_passwords(uri);
  const std::string scheme = scheme_of(uri);
  if (is_web(uri) || scheme == "sftp") return FarBytes::open(name, {uri, {}}, give_up);
  if (scheme == "s3") {
    auto address = s3_address(uri);
    if (!address) return std::move(address.error());
    return FarBytes::open(name, std::move(*address), give_up);
  }
  if (scheme == "nfs") return open_nfs(uri, give_up);
  if (scheme == "gluster") {
    return fail(
        ErrorCode::kInvalidParams,
        name + ": GlusterFS is supported only through a mount: mount the volume and give the path");
  }
  if (DepotBytes::names_one(scheme)) return DepotBytes::open(uri, give_up);
  return fail(ErrorCode::kUnavailable, name + " is not a file or a supported address");
}

}  // namespace sail
