// The HTTP responses of Uploads, by tus 1.0. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/http/web_exchange.h"

namespace manager {

constexpr const char* kTusVersion = "1.0.0";

// text: for people; empty: no body.
sail::WebAnswer tus_answer(int status, std::string_view text = {});
// The response to OPTIONS.
sail::WebAnswer tus_abilities(uint64_t most_bytes);
sail::WebAnswer tus_created(const std::string& location);
sail::WebAnswer tus_progress(int status, uint64_t offset, uint64_t size);
// The upload is complete and has become that source.
sail::WebAnswer tus_finished(int status, uint64_t size, std::string_view source);
sail::WebAnswer tus_failure(const sail::Error& error);
// Too many uploads are in progress.
sail::WebAnswer tus_busy();

}  // namespace manager
