// Where s3://bucket/key lies, by the environment that other S3 programs go by: AWS_ENDPOINT_URL_S3,
// AWS_ENDPOINT_URL (with the bucket as the path's first part; otherwise Amazon's servers),
// AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
// Without a key it is asked for unsigned, as public buckets are. Any thread.
#pragma once

#include <string>

#include "sail/base/result.h"
#include "sail/storage/curl_transfers.h"

namespace sail {

// A key is taken as it is written: a '%' in it is a '%'. kInvalidParams.
Result<FarAddress> s3_address(const std::string& uri);

}  // namespace sail
