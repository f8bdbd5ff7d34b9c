// A page's message to its guest: parsed or refused; a chunk lies within its message.
#include "sail/core/wire/guest.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(guest_message) {
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  const auto read = sail::read_guest_message(message);
  if (!read) {
    fuzz::require(!read.error().message.empty(), "a refusal says why");
    return 0;
  }
  if (const auto* chunk = std::get_if<sail::GuestChunk>(&*read)) {
    fuzz::require(chunk->bytes.data() == data + sail::kGuestHeaderBytes &&
                      chunk->bytes.size() == size - sail::kGuestHeaderBytes,
                  "a chunk is all behind its header");
    fuzz::require(chunk->timestamp_us >= 0, "a time is no less than nothing");
  }
  if (const auto* sound = std::get_if<sail::GuestSound>(&*read)) {
    fuzz::require(sound->bytes.data() == data + sail::kGuestHeaderBytes &&
                      sound->bytes.size() == size - sail::kGuestHeaderBytes,
                  "sound is all behind its header");
    fuzz::require(size <= sail::kMaxGuestSound, "sound is short");
  }
  return 0;
}
