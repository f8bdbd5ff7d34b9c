#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "sail/core/wire/rpc.h"

// The JSON library checks and copies each byte of a text apart, and writes through a virtual
// function. Messages are mostly short plain texts and whole numbers: these are written here, all
// other values by the library.
namespace sail {
namespace {

constexpr double kMostWhole = 1e15;  // below it, the library writes whole numbers with all digits

constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t letter = ' '; letter <= '~'; ++letter) plain[letter] = true;
  plain['"'] = plain['\\'] = false;
  return plain;
}();

std::string library_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class CompactText {
 public:
  void add(const Json& value);
  void add_string(std::string_view value);
  std::string take() {
    text_.resize(used_);
    return std::move(text_);
  }

 private:
  // Returns where the next `size` bytes are to be written.
  char* room(size_t size) {
    const size_t begin = used_;
    used_ += size;
    if (used_ > text_.size()) text_.resize(2 * used_);
    return text_.data() + begin;
  }
  void add_bytes(std::string_view bytes) {
    std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
  }
  void add_object(const Json::object_t& object);
  void add_array(const Json::array_t& array);
  template <typename Number>
  void add_whole(Number value) {
    constexpr size_t kMost = 20;  // digits of 64 bits, and the sign
    char* begin = room(kMost);
    used_ -= static_cast<size_t>(begin + kMost - std::to_chars(begin, begin + kMost, value).ptr);
  }
  void add_double(const Json& value);

  std::string text_ = std::string(512, '\0');
  size_t used_ = 0;
};

void CompactText::add_string(std::string_view value) {
  for (const char letter : value) {
    if (!kPlain[static_cast<unsigned char>(letter)]) return add_bytes(library_text(value));
  }
  char* begin = room(value.size() + 2);
  begin[0] = '"';
  std::memcpy(begin + 1, value.data(), value.size());
  begin[value.size() + 1] = '"';
}

void CompactText::add_object(const Json::object_t& object) {
  *room(1) = '{';
  for (const auto& [name, value] : object) {
    add_string(name);
    *room(1) = ':';
    add(value);
    *room(1) = ',';
  }
  if (!object.empty()) --used_;  // the last comma
  *room(1) = '}';
}

void CompactText::add_array(const Json::array_t& array) {
  *room(1) = '[';
  for (const Json& value : array) {
    add(value);
    *room(1) = ',';
  }
  if (!array.empty()) --used_;
  *room(1) = ']';
}

void CompactText::add_double(const Json& value) {
  const double number = value.get_ref<const double&>();
  const bool whole = std::abs(number) < kMostWhole && std::trunc(number) == number;
  if (!whole || (number == 0 && std::signbit(number))) return add_bytes(library_text(value));
  add_whole(static_cast<int64_t>(number));
  add_bytes(".0");
}

void CompactText::add(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return add_object(value.get_ref<const Json::object_t&>());
    case Json::value_t::array:
      return add_array(value.get_ref<const Json::array_t&>());
    case Json::value_t::string:
      return add_string(value.get_ref<const std::string&>());
    case Json::value_t::number_integer:
      return add_whole(value.get_ref<const int64_t&>());
    case Json::value_t::number_unsigned:
      return add_whole(value.get_ref<const uint64_t&>());
    case Json::value_t::number_float:
      return add_double(value);
    case Json::value_t::boolean:
      return add_bytes(value.get_ref<const bool&>() ? "true" : "false");
    default:
      return add_bytes(library_text(value));
  }
}

}  // namespace

std::string compact_text(const Json& value) {
  CompactText text;
  text.add(value);
  return text.take();
}

std::string quoted_text(std::string_view value) {
  CompactText text;
  text.add_string(value);
  return text.take();
}

}  // namespace sail
