// MD5, with which LoRS checks blocks: against accidental damage, not attacks.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sail {

// 32 hexadecimal digits, lower case.
std::string md5_digits(std::span<const uint8_t> bytes);

}  // namespace sail
