#include "sail/storage/nfs_address.h"

#include <string_view>
#include <utility>

#include "sail/net/tcp.h"
#include "sail/wire/percent_decoded.h"

namespace sail {
namespace {

constexpr std::string_view kScheme = "nfs://";

}  // namespace

Result<NfsAddress> parse_nfs_address(const std::string& uri) {
  const Error wrong =
      fail(ErrorCode::kInvalidParams, uri + " is not nfs://HOST[:PORT]/EXPORT/PATH/FILE");
  const std::string_view rest = std::string_view(uri).substr(kScheme.size());
  const size_t slash = rest.find('/');
  const bool more = rest.find_first_of("?#") != std::string_view::npos;
  if (slash == std::string_view::npos || rest.find('@') < slash || more) return wrong;
  NfsAddress address;
  const auto server = parse_address(std::string(rest.substr(0, slash)), {"", address.port});
  auto path = percent_decoded(rest.substr(slash));
  if (!server || server->host.empty() || !path) return wrong;
  if (path->ends_with('/') || path->find('\0') != std::string::npos) return wrong;
  address.host = server->host;
  address.port = server->port;
  address.path = std::move(*path);
  return address;
}

}  // namespace sail
