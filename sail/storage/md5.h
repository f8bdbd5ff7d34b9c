// MD5, by which LoRS tells that blocks came as they were stored: against accidents, not enemies.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sail {

// 32 hexadecimal digits, small letters.
std::string md5_digits(std::span<const uint8_t> bytes);

}  // namespace sail
