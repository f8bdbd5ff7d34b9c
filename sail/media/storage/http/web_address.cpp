#include "sail/media/storage/http/web_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/text/encodings.h"

namespace sail {
namespace {

bool may_stand(char letter) {
  return letter > ' ' && letter < 0x7f &&
         std::string_view("\"<>\\^`{|}").find(letter) == std::string_view::npos;
}

constexpr std::string_view kS3Scheme = "s3://";
constexpr const char* kUsualRegion = "us-east-1";

std::string first_of(std::initializer_list<const char*> names, const char* otherwise) {
  for (const char* name : names) {
    std::string value = environment(name);
    if (!value.empty()) return value;
  }
  return otherwise;
}

// Percent-encodes the key as the signature requires.
std::string encoded(std::string_view key) {
  return percent_encoded(key, [](char letter) { return is_unreserved(letter) || letter == '/'; });
}

// The bucket becomes part of a host name or a path, so only characters valid in both are accepted.
bool is_bucket(std::string_view name) {
  return !name.empty() && name.front() != '.' && std::ranges::all_of(name, [](char letter) {
    return is_unreserved(letter) && letter != '~';
  });
}

}  // namespace

std::string as_web_address(std::string_view url) {
  constexpr std::string_view kBehindScheme = "://";
  const size_t scheme_end = url.find(kBehindScheme);
  const size_t host = scheme_end == std::string_view::npos ? 0 : scheme_end + kBehindScheme.size();
  const size_t path = url.find_first_of("/?#", host);
  if (path == std::string_view::npos) return std::string(url);
  return std::string(url.substr(0, path)).append(percent_encoded(url.substr(path), may_stand));
}

Result<FarAddress> s3_address(const std::string& uri) {
  const std::string_view rest = std::string_view(uri).substr(kS3Scheme.size());
  const size_t slash = rest.find('/');
  const std::string_view bucket = rest.substr(0, slash);
  const std::string_view key = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  if (!is_bucket(bucket) || key.empty()) {
    return fail(ErrorCode::kInvalidParams, uri + " is not s3://bucket/key");
  }
  const std::string region = first_of({"AWS_REGION", "AWS_DEFAULT_REGION"}, kUsualRegion);
  std::string endpoint = first_of({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}, "");
  while (endpoint.ends_with('/')) endpoint.pop_back();
  FarAddress address;
  if (!endpoint.empty()) {
    address.url = fmt::format("{}/{}/{}", endpoint, bucket, encoded(key));
  } else if (bucket.find('.') !=
             std::string_view::npos) {  // Amazon's certificates do not match such host names
    address.url = fmt::format("https://s3.{}.amazonaws.com/{}/{}", region, bucket, encoded(key));
  } else {
    address.url = fmt::format("https://{}.s3.{}.amazonaws.com/{}", bucket, region, encoded(key));
  }
  AwsSigning signing{.region = region,
                     .key_id = environment("AWS_ACCESS_KEY_ID"),
                     .secret = environment("AWS_SECRET_ACCESS_KEY"),
                     .session = environment("AWS_SESSION_TOKEN")};
  if (!signing.key_id.empty() && !signing.secret.empty()) address.signing = std::move(signing);
  return address;
}

}  // namespace sail
