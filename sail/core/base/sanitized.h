// Whether this program is built with a sanitizer. Sanitizers reserve terabytes of address space
// that they never touch, and inspect the process from another process at its end, so such a program
// can have neither a limit of memory nor a sandbox.
#pragma once

namespace sail {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VITRAIL_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VITRAIL_SANITIZED
#endif
#ifdef VITRAIL_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace sail
