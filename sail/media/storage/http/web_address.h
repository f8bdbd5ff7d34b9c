// The web addresses of URLs and of objects in S3 stores. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/media/storage/http/curl_transfers.h"

namespace sail {

// A URL as HTTP requires it. Percent-encodes characters that a URL's path and query may not contain
// (blanks, non-ASCII); leaves the rest as it is.
std::string as_web_address(std::string_view url);

// The web address of s3://bucket/key. Reads the usual environment of S3 programs:
// AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL (the bucket becomes the first part of the path; default:
// Amazon's servers), AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
// AWS_SESSION_TOKEN. Without a key requests are unsigned, which works for public buckets. The
// object's key is not percent-decoded: a '%' stands for itself. kInvalidParams: malformed.
Result<FarAddress> s3_address(const std::string& uri);

}  // namespace sail
