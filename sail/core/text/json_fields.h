// Converts messages to and from JSON using the declarations of their fields (fields.h). Pure.
#pragma once

#include <fmt/core.h>

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sail/core/text/fields.h"
#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"

namespace sail {

// --- reading and writing ------------------------------------------------------------------------

class ReadFields {
 public:
  explicit ReadFields(JsonFields& in) : in_(in) {}

  template <typename Kind, typename T>
  void operator()(const char* name, const Kind& kind, T& value) const {
    kind.read(in_, name, value);
  }
  template <typename Kind, typename T>
  void operator()(const char* name, const Kind& kind, std::optional<T>& value) const {
    if (in_.has(name)) kind.read(in_, name, value.emplace());
  }
  template <typename Kind, typename T>
  void operator()(const char* name, const Optional<Kind>& optional, T& value) const {
    if (optional.needed || in_.has(name)) optional.kind.read(in_, name, value);
  }
  template <typename Kind, typename T>
  void operator()(const char* name, const Optional<Kind>& optional, std::optional<T>& value) const {
    if (optional.needed || in_.has(name)) optional.kind.read(in_, name, value.emplace());
  }

 private:
  JsonFields& in_;
};

class WriteFields {
 public:
  explicit WriteFields(Json& object) : object_(object) {}

  template <typename Kind, typename T>
  void operator()(const char* name, const Kind& kind, const T& value) const {
    if constexpr (requires { kind.json(value); }) {
      object_[name] = kind.json(value);
    } else {
      object_[name] = value;
    }
  }
  template <typename Kind, typename T>
  void operator()(const char* name, const Kind& kind, const std::optional<T>& value) const {
    if (value) (*this)(name, kind, *value);
  }
  template <typename Kind, typename T>
  void operator()(const char* name, const Optional<Kind>& optional, const T& value) const {
    if (!optional.written) return;
    if constexpr (std::is_default_constructible_v<T>) {
      if (!optional.default_written && value == T()) return;
    }
    (*this)(name, optional.kind, value);
  }
  template <typename Kind, typename T>
  void operator()(const char* name, const Optional<Kind>& optional,
                  const std::optional<T>& value) const {
    (*this)(name, optional.kind, value);
  }

 private:
  Json& object_;
};

struct AnyVisitor {
  void operator()(const char* name, const auto& kind, const auto& value) const;
};
template <typename Message>
concept Declared = requires(AnyVisitor& visit, const Message& message) {
  fields(visit, message);
};

// Reads a message whose fields are part of another message's object. Errors are recorded in `in`.
// If check(in, message) exists beside fields(visit, message), it checks constraints between fields.
template <Declared Message>
Message read_fields(JsonFields& in) {
  Message message{};
  const ReadFields visit(in);
  fields(visit, message);
  if constexpr (requires { check(in, message); }) check(in, message);
  return message;
}

template <Declared Message>
void write_fields(Json& object, const Message& message) {
  const WriteFields visit(object);
  fields(visit, message);
}

template <Declared Message>
Json to_json(const Message& message) {
  Json object = Json::object();
  write_fields(object, message);
  return object;
}

// `where` is the prefix of error messages. Unknown fields are accepted, so versions may add some.
// (The name is not from_json, because nlohmann's would be found by ADL.)
template <Declared Message>
Result<Message> message_from_json(const Json& value, std::string where = Message::kMethod) {
  JsonFields in(value, std::move(where));
  Message message = read_fields<Message>(in);
  if (auto error = in.finish_open()) return *std::move(error);
  return message;
}

// --- kinds --------------------------------------------------------------------------------------

constexpr size_t kMaxWordLength = 32;  // bytes of a role, type or colour

// Text that is valid as a name, as in JsonFields::string().
struct Text {
  size_t max_bytes = 0;

  void read(JsonFields& in, const char* name, std::string& text) const {
    text = in.string(name, max_bytes);
  }
};

struct FilledText {
  size_t max_bytes = 0;

  void read(JsonFields& in, const char* name, std::string& text) const;
};
constexpr FilledText kName{kMaxNameLength};

// "#rrggbb"; as a string it may be empty, as a number it is 0xRRGGBB.
struct Colour {
  static void read(JsonFields& in, const char* name, std::string& text);
  static void read(JsonFields& in, const char* name, uint32_t& colour);
  static Json json(const std::string& text) { return text; }
  static Json json(uint32_t colour);
};

// Exactly `digits` lower-case hexadecimal digits: proofs and fingerprints.
struct HexDigits {
  size_t digits = 0;

  void read(JsonFields& in, const char* name, std::string& text) const;
};
// SHA-256 fingerprint of a receiver's certificate. Peers that connect to the data port check it.
// Empty: the receiver reported none.
constexpr auto kCertificate = sparse(HexDigits{64});

// An unsigned 64-bit number in hexadecimal digits.
struct Hex64 {
  static void read(JsonFields& in, const char* name, uint64_t& value) { value = in.hex64(name); }
  static Json json(uint64_t value) { return hex64_text(value); }
};

struct Sides {
  int max = 0;

  void read(JsonFields& in, const char* name, Size& size) const {
    std::tie(size.width, size.height) = in.pair(name, 1, max);
  }
  static Json json(const Size& size) { return size_json(size); }
};

struct BlockSides {
  static void read(JsonFields& in, const char* name, Size& size);
  static Json json(const Size& size) { return size_json(size); }
};

struct RectWithin {
  int max_offset = 0;
  int max_side = 0;

  void read(JsonFields& in, const char* name, Rect& rect) const {
    rect = in.rect(name, max_offset, max_side);
  }
  static Json json(const Rect& rect) { return rect_json(rect); }
};
constexpr RectWithin kWindowRect{kMaxWindowOffset, kMaxWindowSide};

// [x, y], whole numbers, for a std::tie(x, y) or a pair.
struct PointWithin {
  int max_offset = 0;

  template <typename Point>
  void read(JsonFields& in, const char* name, Point& point) const {
    point = in.pair(name, -max_offset, max_offset);
  }
  template <typename Point>
  static Json json(const Point& point) {
    return Json::array({std::get<0>(point), std::get<1>(point)});
  }
};
constexpr PointWithin kWallPoint{kMaxWindowOffset};

struct Numbers32 {
  static void read(JsonFields& in, const char* name, std::span<uint32_t> numbers);
};

// An enumeration written as one of a few words.
template <typename Value, size_t kWords>
struct Choice {
  struct Word {
    Value value;
    const char* word;
  };
  Word words[kWords];

  constexpr const char* word(Value value) const {
    for (const Word& known : words) {
      if (known.value == value) return known.word;
    }
    return "";
  }
  std::optional<Value> find(std::string_view text) const {
    for (const Word& known : words) {
      if (known.word == text) return known.value;
    }
    return std::nullopt;
  }
  void read(JsonFields& in, const char* name, Value& value) const {
    const auto found = find(in.string(name, kMaxWordLength));
    value = found.value_or(value);
    if (!found) in.mistake(name, complaint());
  }
  Json json(Value value) const { return word(value); }

 private:
  std::string complaint() const {
    std::string text = "must be ";
    for (size_t i = 0; i < kWords; ++i) {
      const char* before = i == 0 ? "" : i + 1 < kWords ? ", " : " or ";
      text += fmt::format("{}\"{}\"", before, words[i].word);
    }
    return text;
  }
};

// A message nested as an object.
struct Object {
  template <Declared Message>
  static void read(JsonFields& in, const char* name, Message& message) {
    auto read =
        message_from_json<Message>(in.object(name), fmt::format("{}: {}", in.where(), name));
    if (!read) return in.mistake(std::move(read).error());
    message = *std::move(read);
  }
  template <Declared Message>
  static Json json(const Message& message) {
    return to_json(message);
  }
};

// Items of lists. Each reads one value; error messages begin with `where`.
struct ObjectItem {
  template <typename Message>
  static Result<Message> read(const Json& value, const std::string& where) {
    return message_from_json<Message>(value, where);
  }
};
template <auto kRead>
struct ValueItem {
  template <typename T>
  static Result<T> read(const Json& value, const std::string& where) {
    return kRead(value, where);
  }
};

template <typename Item, typename Key = std::nullptr_t>
struct List {
  size_t max_items = 0;
  bool may_be_empty = true;
  Key key{};  // projection that must be unique among the items

  template <typename T>
  void read(JsonFields& in, const char* name, std::vector<T>& items) const {
    const Json& values = in.array(name, max_items);
    items.reserve(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      auto item = Item::template read<T>(values[i], fmt::format("{}: {}[{}]", in.where(), name, i));
      if (!item) return in.mistake(std::move(item).error());
      items.push_back(*std::move(item));
    }
    if (items.empty() && !may_be_empty) in.mistake(name, "must not be empty");
    if constexpr (!std::is_same_v<Key, std::nullptr_t>) check_distinct(in, name, items);
  }

  template <typename T>
  static Json json(const std::vector<T>& items) {
    if constexpr (std::is_same_v<Item, ObjectItem>) {
      Json list = Json::array();
      for (const T& item : items) list.push_back(to_json(item));
      return list;
    } else {
      return items;
    }
  }

 private:
  template <typename T>
  void check_distinct(JsonFields& in, const char* name, const std::vector<T>& items) const {
    std::set<std::decay_t<std::invoke_result_t<Key, const T&>>> seen;
    for (const T& item : items) {
      const auto& value = std::invoke(key, item);
      if (!seen.insert(value).second) {
        return in.mistake(name, fmt::format("contains {} twice", value));
      }
    }
  }
};

template <typename Key = std::nullptr_t>
constexpr List<ObjectItem, Key> objects(size_t max_items, Key distinct = {}) {
  return {.max_items = max_items, .key = distinct};
}
template <auto kRead>
constexpr List<ValueItem<kRead>> values(size_t max_items) {
  return {.max_items = max_items};
}
template <auto kRead>
constexpr List<ValueItem<kRead>> some_values(size_t max_items) {
  return {.max_items = max_items, .may_be_empty = false};
}

}  // namespace sail
