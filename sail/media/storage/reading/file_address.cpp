#include "sail/media/storage/reading/file_address.h"

#include <string_view>
#include <utility>

#include "sail/core/address/address.h"
#include "sail/core/text/encodings.h"

namespace sail {

Result<FileAddress> parse_file_address(const std::string& uri, const FileScheme& scheme) {
  constexpr std::string_view kAfterScheme = "://";
  const Error wrong = fail(ErrorCode::kInvalidParams, uri + " is not " + scheme.form);
  const size_t begin = uri.find(kAfterScheme);
  if (begin == std::string::npos) return wrong;
  const std::string_view rest = std::string_view(uri).substr(begin + kAfterScheme.size());
  const size_t slash = rest.find('/');
  const bool more = rest.find_first_of("?#") != std::string_view::npos;
  if (slash == std::string_view::npos || rest.find('@') < slash || more) return wrong;
  const auto server = parse_address(std::string(rest.substr(0, slash)), {"", scheme.port});
  auto path = percent_decoded(rest.substr(slash));
  if (!server || server->host.empty() || !path) return wrong;
  if (path->ends_with('/') || path->find('\0') != std::string::npos) return wrong;
  return FileAddress{server->host, server->port, std::move(*path)};
}

}  // namespace sail
