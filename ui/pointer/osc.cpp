#include "ui/pointer/osc.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "sail/core/text/text.h"

namespace ui {
namespace {

constexpr std::string_view kBundle = "#bundle";
constexpr size_t kMaxArguments = 256;  // limit for one message

// Reads through one element. Keeps the first error; after an error all reads return empty values.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }
  const char* mistake() const { return mistake_; }
  void fail(const char* what) {
    if (mistake_ == nullptr) mistake_ = what;
    bytes_ = {};
  }

  std::span<const uint8_t> take(size_t count) {
    if (count > bytes_.size()) {
      fail("truncated");
      return {};
    }
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }
  uint32_t u32() {
    uint32_t value = 0;
    for (const uint8_t byte : take(4)) value = value << 8 | byte;
    return value;
  }
  uint64_t u64() {
    const uint64_t high = u32();
    return high << 32 | u32();
  }
  // A text ends with a zero byte and is padded with zeros to a multiple of four.
  std::string_view text() {
    const void* end = bytes_.empty() ? nullptr : std::memchr(bytes_.data(), 0, bytes_.size());
    if (end == nullptr) {
      fail("string without a terminating zero byte");
      return {};
    }
    const auto length = static_cast<size_t>(static_cast<const uint8_t*>(end) - bytes_.data());
    const auto taken = take((length / 4 + 1) * 4);
    if (taken.empty()) return {};
    return {reinterpret_cast<const char*>(taken.data()), length};
  }
  void skip_blob() {
    const size_t length = u32();
    if (length > kMaxOscBytes) return fail("blob too long");
    take((length + 3) / 4 * 4);
  }

 private:
  std::span<const uint8_t> bytes_;
  const char* mistake_ = nullptr;
};

OscValue read_value(Reader& reader, char type) {
  switch (type) {
    case 'i':
      return int64_t{static_cast<int32_t>(reader.u32())};
    case 'h':
      return static_cast<int64_t>(reader.u64());
    case 'f':
      return double{std::bit_cast<float>(reader.u32())};
    case 'd':
      return std::bit_cast<double>(reader.u64());
    case 't':
      return OscTime{reader.u64()};
    case 's':
    case 'S':
      return std::string(reader.text());
    case 'T':
      return true;
    case 'F':
      return false;
    case 'N':
    case 'I':
    case '[':
    case ']':
      return std::monostate();
    case 'b':
      reader.skip_blob();
      return std::monostate();
    case 'c':
    case 'r':
    case 'm':
      reader.u32();
      return std::monostate();
    default:
      reader.fail("argument of an unknown type");
      return std::monostate();
  }
}

OscMessage read_message(Reader& reader) {
  OscMessage message;
  message.address = reader.text();
  if (!message.address.starts_with('/')) {
    reader.fail("neither a message nor a bundle");
    return message;
  }
  if (reader.done()) return message;  // old senders omit an empty type string
  const std::string_view types = reader.text();
  if (!types.starts_with(',')) reader.fail("no type tags before the arguments");
  if (types.size() > kMaxArguments + 1) reader.fail("too many arguments");
  if (reader.mistake() != nullptr) return message;
  message.arguments.reserve(types.size() - 1);
  for (const char type : types.substr(1)) message.arguments.push_back(read_value(reader, type));
  if (!reader.done()) reader.fail("trailing data after the arguments");
  return message;
}

// Appends the element's messages. Returns the reason if the element is invalid,
// else null.
const char* read_element(std::span<const uint8_t> bytes, int depth, std::vector<OscMessage>& out) {
  Reader reader(bytes);
  if (bytes.empty() || bytes.front() != '#') {
    out.push_back(read_message(reader));
    return reader.mistake();
  }
  if (depth > kMaxOscDepth) return "bundles nested too deep";
  if (reader.text() != kBundle) reader.fail("neither a message nor a bundle");
  reader.u64();  // time tag, ignored: pointer input takes effect at once
  while (!reader.done()) {
    const auto element = reader.take(reader.u32());
    if (reader.mistake() != nullptr) break;
    if (const char* mistake = read_element(element, depth + 1, out)) return mistake;
  }
  return reader.mistake();
}

sail::Json argument_json(const OscValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sail::make_plain_text(*text, text->size());
  }
  if (const auto* number = std::get_if<double>(&value)) {
    return std::isfinite(*number) ? sail::Json(*number) : sail::Json();
  }
  if (const auto* whole = std::get_if<int64_t>(&value)) return *whole;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  return nullptr;
}

}  // namespace

std::optional<std::string> OscMessage::text(size_t index) const {
  if (index >= arguments.size()) return std::nullopt;
  const auto* value = std::get_if<std::string>(&arguments[index]);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<int64_t> OscMessage::whole(size_t index) const {
  if (index >= arguments.size()) return std::nullopt;
  if (const auto* value = std::get_if<int64_t>(&arguments[index])) return *value;
  const auto value = number(index);
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!value || std::abs(*value) > kExact || *value != std::floor(*value)) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::optional<double> OscMessage::number(size_t index) const {
  if (index >= arguments.size()) return std::nullopt;
  if (const auto* value = std::get_if<int64_t>(&arguments[index])) {
    return static_cast<double>(*value);
  }
  const auto* value = std::get_if<double>(&arguments[index]);
  if (value == nullptr || !std::isfinite(*value)) return std::nullopt;
  return *value;
}

sail::Result<std::vector<OscMessage>> read_osc(std::span<const uint8_t> datagram) {
  const auto refuse = [](const char* what) {
    return sail::fail(sail::ErrorCode::kBadData, fmt::format("invalid OSC packet: {}", what));
  };
  if (datagram.size() > kMaxOscBytes) return refuse("too long");
  std::vector<OscMessage> messages;
  if (const char* mistake = read_element(datagram, 1, messages)) return refuse(mistake);
  return messages;
}

sail::Json event_payload(const OscMessage& message) {
  sail::Json arguments = sail::Json::array();
  for (const OscValue& value : message.arguments) arguments.push_back(argument_json(value));
  return {{"address", sail::make_plain_text(message.address, message.address.size())},
          {"arguments", std::move(arguments)}};
}

}  // namespace ui
