#include "sail/core/text/json.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

// Peers choose field names, so error messages quote them shortened and printable.
constexpr size_t kMaxQuotedName = 40;
// Unknown fields that finish() examines: comparing a megabyte of names would take seconds.
constexpr int kMaxUnknownFields = 16;

// Builds the document during parsing: refuses excessive depth and duplicate keys before allocating.
// nlohmann's lexer refuses invalid UTF-8, NaN and out-of-range numbers.
class DocumentBuilder : public nlohmann::json_sax<Json> {
 public:
  DocumentBuilder(Json& document, int max_depth)
      : document_(document), max_depth_(static_cast<size_t>(max_depth)) {}

  // Byte position at which the parser stopped; set after a parse error.
  size_t stopped_at() const { return stopped_at_; }
  const std::string& complaint() const { return complaint_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("is not JSON"); }
  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (open_.back()->contains(value)) {
      return refuse(fmt::format("has the key '{}' twice in one object",
                                make_plain_text(value, kMaxQuotedName)));
    }
    key_ = std::move(value);
    return true;
  }
  bool parse_error(size_t position, const std::string&, const Json::exception&) override {
    stopped_at_ = position;
    return false;
  }

 private:
  bool add(Json value) { return place(std::move(value)) != nullptr; }
  bool open(Json container) {
    if (open_.size() == max_depth_) return refuse("is nested too deeply");
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  bool refuse(std::string complaint) {
    complaint_ = std::move(complaint);
    return false;
  }
  // The pointers in open_ stay valid: a container only moves when its parent grows, and its parent
  // does not grow until the container is closed.
  Json* place(Json value) {
    if (open_.empty()) {
      document_ = std::move(value);
      return &document_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return &open_.back()->back();
    }
    return &((*open_.back())[key_] = std::move(value));
  }

  Json& document_;
  const size_t max_depth_;
  std::vector<Json*> open_;
  std::string key_;
  size_t stopped_at_ = 0;
  std::string complaint_;
};

// Position as an editor shows it.
std::string position_text(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {} (byte {})", line, before.size() - line_start + 1, byte);
}

// Explains typical errors of people who know other languages; empty: no known error.
std::string_view usual_mistake(std::string_view text, size_t byte) {
  constexpr std::string_view kBlanks = " \t\r\n";
  if (text.find_first_not_of(kBlanks) == std::string_view::npos) return ": the text is empty";
  if (byte == 0 || byte > text.size()) return ": the text ends too early";
  const char stopped = text[byte - 1];
  const size_t before = text.substr(0, byte - 1).find_last_not_of(kBlanks);
  const char last = before == std::string_view::npos ? ' ' : text[before];
  if ((stopped == '}' || stopped == ']') && last == ',')
    return ": remove the comma before this bracket";
  if (stopped == '/' || stopped == '#' || last == '/') return ": JSON does not allow comments";
  if (stopped == '\'') return ": quote strings with \"";
  return "";
}

int narrow(int64_t value) {
  return static_cast<int>(value);
}

}  // namespace

std::optional<int64_t> whole_number(const Json& value, int64_t min, int64_t max) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX}) {
    return std::nullopt;
  }
  const auto number = value.get<int64_t>();
  if (number < min || number > max) return std::nullopt;
  return number;
}

Result<Json> parse_json(std::string_view text, size_t max_bytes, int max_depth) {
  if (text.size() > max_bytes) {
    return fail(ErrorCode::kParseError,
                fmt::format("{} bytes of JSON exceed the limit of {}", text.size(), max_bytes));
  }
  // The parser would take it for the end.
  if (const size_t zero = text.find('\0'); zero != text.npos) {
    return fail(ErrorCode::kParseError,
                fmt::format("not valid JSON at {}: a zero byte", position_text(text, zero)));
  }
  Json document;
  DocumentBuilder builder(document, max_depth);
  if (Json::sax_parse(text, &builder)) return document;
  if (!builder.complaint().empty()) {
    return fail(ErrorCode::kParseError, fmt::format("the JSON text {}", builder.complaint()));
  }
  return fail(ErrorCode::kParseError,
              fmt::format("not valid JSON at {}{}", position_text(text, builder.stopped_at()),
                          usual_mistake(text, builder.stopped_at())));
}

JsonFields::JsonFields(const Json& object, std::string where, Report report)
    : object_(object), where_(std::move(where)), report_(report) {
  if (!object_.is_object()) {
    mistake(Error{ErrorCode::kInvalidParams, where_ + ": must be an object"});
  }
}

bool JsonFields::has(const char* name) {
  asked_.emplace_back(name);
  return object_.is_object() && object_.find(name) != object_.end();
}

const Json* JsonFields::take(const char* name, bool required) {
  read_.emplace_back(name);
  asked_.emplace_back(name);
  const bool over = report_ == Report::kFirst && !mistakes_.empty();
  if (over || !object_.is_object()) return nullptr;
  const auto found = object_.find(name);
  if (found != object_.end()) return &*found;
  if (!required) return nullptr;
  Mistake missing = mistake_of(name, "is missing");
  missing.missing = true;
  add(std::move(missing));
  return nullptr;
}

void JsonFields::add(Mistake mistake) {
  const bool alone = report_ == Report::kFirst || !object_.is_object();
  const bool over = alone && !mistakes_.empty();
  const bool known =
      !mistake.field.empty() &&
      std::ranges::find(mistakes_, mistake.field, &Mistake::field) != mistakes_.end();
  if (!over && !known) mistakes_.push_back(std::move(mistake));
}

JsonFields::Mistake JsonFields::mistake_of(const char* name, std::string_view what) const {
  return {name, fail(ErrorCode::kInvalidParams, fmt::format("{}: '{}' {}", where_, name, what))};
}

void JsonFields::mistake(const char* name, std::string_view what) {
  add(mistake_of(name, what));
}

void JsonFields::mistake(Error error) {
  add({"", std::move(error)});
}

std::optional<Error> JsonFields::error() const {
  if (mistakes_.empty()) return std::nullopt;
  Error all = mistakes_.front().error;
  for (size_t i = 1; i < mistakes_.size(); ++i) all.message += "\n" + mistakes_[i].error.message;
  return all;
}

int64_t JsonFields::integer(const char* name, int64_t min, int64_t max) {
  const int64_t fallback = std::clamp<int64_t>(0, min, max);
  const Json* value = take(name, true);
  if (value == nullptr) return fallback;
  const auto number = whole_number(*value, min, max);
  if (!number) mistake(name, fmt::format("must be a whole number between {} and {}", min, max));
  return number.value_or(fallback);
}

int64_t JsonFields::integer_or(const char* name, int64_t min, int64_t max, int64_t fallback) {
  return has(name) ? integer(name, min, max) : fallback;
}

double JsonFields::number(const char* name, double min, double max) {
  const double fallback = std::clamp(0.0, min, max);
  const Json* value = take(name, true);
  if (value == nullptr) return fallback;
  const double number = value->is_number() ? value->get<double>() : min - 1;
  if (value->is_number() && number >= min && number <= max) return number;
  mistake(name, fmt::format("must be a number between {} and {}", min, max));
  return fallback;
}

double JsonFields::number_or(const char* name, double min, double max, double fallback) {
  return has(name) ? number(name, min, max) : fallback;
}

bool JsonFields::boolean_or(const char* name, bool fallback) {
  const Json* value = take(name, false);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  mistake(name, "must be true or false");
  return fallback;
}

std::string JsonFields::string(const char* name, size_t max_bytes) {
  std::string text = raw_string(name, max_bytes);
  if (const auto wrong = name_mistake(text)) mistake(name, *wrong);
  return text;
}

std::string JsonFields::raw_string(const char* name, size_t max_bytes) {
  const Json* value = take(name, true);
  if (value == nullptr) return {};
  const auto* text = value->get_ptr<const std::string*>();
  if (text == nullptr || text->size() > max_bytes) {
    mistake(name, fmt::format("must be a string of at most {} bytes", max_bytes));
    return {};
  }
  if (!is_plain_text(*text)) {
    mistake(name, "must be UTF-8 text without control characters");
    return {};
  }
  return *text;
}

std::string JsonFields::string_or(const char* name, size_t max_bytes, std::string fallback) {
  return has(name) ? string(name, max_bytes) : std::move(fallback);
}

std::pair<int, int> JsonFields::pair(const char* name, int64_t min, int64_t max) {
  const int fallback = narrow(std::clamp<int64_t>(0, min, max));
  const Json* value = take(name, true);
  if (value == nullptr) return {fallback, fallback};
  if (value->is_array() && value->size() == 2) {
    const auto first = whole_number((*value)[0], min, max);
    const auto second = whole_number((*value)[1], min, max);
    if (first && second) return {narrow(*first), narrow(*second)};
  }
  mistake(name, fmt::format("must be two whole numbers between {} and {}{}", min, max,
                            min == 1 && max > 1920 ? ", such as [1920, 1080]" : ""));
  return {fallback, fallback};
}

std::pair<double, double> JsonFields::numbers(const char* name, double min, double max) {
  const double fallback = std::clamp(0.0, min, max);
  const Json* value = take(name, true);
  if (value == nullptr) return {fallback, fallback};
  if (value->is_array() && value->size() == 2 && (*value)[0].is_number() &&
      (*value)[1].is_number()) {
    const std::pair both{(*value)[0].get<double>(), (*value)[1].get<double>()};
    if (both.first >= min && both.first <= max && both.second >= min && both.second <= max) {
      return both;
    }
  }
  mistake(name, fmt::format("must be two numbers between {} and {}", min, max));
  return {fallback, fallback};
}

Rect JsonFields::rect(const char* name, int max_offset, int max_side) {
  const Json* value = take(name, true);
  if (value == nullptr) return {};
  if (value->is_array() && value->size() == 4) {
    const auto x = whole_number((*value)[0], -max_offset, max_offset);
    const auto y = whole_number((*value)[1], -max_offset, max_offset);
    const auto width = whole_number((*value)[2], 1, max_side);
    const auto height = whole_number((*value)[3], 1, max_side);
    if (x && y && width && height) return {narrow(*x), narrow(*y), narrow(*width), narrow(*height)};
  }
  mistake(name, fmt::format("must be [x, y, width, height]: whole numbers, x and y between {} and "
                            "{}, width and height between 1 and {}",
                            -max_offset, max_offset, max_side));
  return {};
}

uint64_t JsonFields::hex64(const char* name) {
  const Json* value = take(name, true);
  if (value == nullptr) return 0;
  if (const auto* text = value->get_ptr<const std::string*>();
      text != nullptr && !text->empty() && text->size() <= 16) {
    uint64_t number = 0;
    const char* end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, number, 16);
    if (parsed.ec == std::errc() && parsed.ptr == end) return number;
  }
  mistake(name, "must be a string of 1 to 16 hexadecimal digits");
  return 0;
}

const Json& JsonFields::value(const char* name) {
  static const Json kNull;
  const Json* value = take(name, true);
  return value == nullptr ? kNull : *value;
}

const Json& JsonFields::array(const char* name, size_t max_items) {
  static const Json kEmpty = Json::array();
  const Json* value = take(name, true);
  if (value == nullptr) return kEmpty;
  if (value->is_array() && value->size() <= max_items) return *value;
  mistake(name, fmt::format("must be a list of at most {} items", max_items));
  return kEmpty;
}

const Json& JsonFields::object(const char* name) {
  static const Json kEmpty = Json::object();
  const Json* value = take(name, true);
  if (value == nullptr) return kEmpty;
  if (value->is_object()) return *value;
  mistake(name, "must be an object");
  return kEmpty;
}

std::optional<Error> JsonFields::finish() {
  // A missing field may be present but misspelled.
  const bool missing = !mistakes_.empty() && mistakes_.front().missing;
  const bool first_alone = report_ == Report::kFirst;
  if (!object_.is_object() || (first_alone && !mistakes_.empty() && !missing)) return error();
  int unknown = 0;
  for (const auto& item : object_.items()) {
    if (std::find(read_.begin(), read_.end(), item.key()) != read_.end()) continue;
    if (++unknown > kMaxUnknownFields) break;
    const std::string_view meant = nearest_word(item.key(), asked_);
    if (first_alone && missing && meant.empty()) continue;
    std::erase_if(mistakes_, [&](const Mistake& known) {
      return known.missing && (first_alone || known.field == meant);
    });
    mistake(make_plain_text(item.key(), kMaxQuotedName).c_str(),
            meant.empty() ? "is not a known field"
                          : fmt::format("is not a known field: did you mean '{}'?", meant));
    if (first_alone) break;
  }
  return error();
}

Json rect_json(const Rect& rect) {
  return Json::array({rect.x, rect.y, rect.width, rect.height});
}

Json size_json(const Size& size) {
  return Json::array({size.width, size.height});
}

std::string hex64_text(uint64_t value) {
  return fmt::format("{:016x}", value);
}

}  // namespace sail
