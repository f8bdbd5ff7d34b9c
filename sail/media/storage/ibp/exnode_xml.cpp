// The only file that uses libxml2. An exNode is untrusted input: the parser loads nothing, refuses
// a document type and so never expands entities, and builds no tree.
#include <fmt/format.h>
#include <libxml/parser.h>

#include <array>
#include <charconv>
#include <memory>
#include <string>

#include "sail/core/text/text.h"
#include "sail/media/storage/ibp/exnode.h"

namespace sail {
namespace {

constexpr size_t kDeepest = 16;
constexpr size_t kLongestText = 4096;

enum class Element : uint8_t { kOther, kRoot, kMetadata, kMapping, kFunction, kArgument, kRead };

// The fields of a mapping element.
struct Fields {
  std::optional<uint64_t> begin;
  std::optional<uint64_t> bytes;
  uint64_t at = 0;
  bool checked = false;
  std::optional<uint64_t> block_bytes;
  bool striped = false;
  std::optional<uint64_t> unit_bytes;
  std::optional<uint64_t> units;
  std::string read;
};

class Reader {
 public:
  Result<Exnode> read(std::string_view xml) {
    xmlInitParser();
    xmlSAXHandler handler{};
    handler.initialized = XML_SAX2_MAGIC;
    handler.internalSubset = [](void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
      of(self).refuse("a document type is not allowed");
    };
    handler.startElementNs = &Reader::begin;
    handler.endElementNs = [](void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
      of(self).end();
    };
    handler.characters = &Reader::add;
    handler.cdataBlock = &Reader::add;
    handler.serror = [](void*, auto*) {};  // errors are read by xmlCtxtGetLastError()
    const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxt*)> context(
        xmlCreatePushParserCtxt(&handler, this, nullptr, 0, nullptr), &xmlFreeParserCtxt);
    if (!context) return fail(ErrorCode::kLimit, "out of memory");
    context_ = context.get();
    xmlCtxtUseOptions(context_, XML_PARSE_NONET);
    constexpr size_t kAtATime = 1 << 16;
    for (size_t at = 0; at < xml.size() && !error_; at += kAtATime) {
      const std::string_view part = xml.substr(at, kAtATime);
      if (xmlParseChunk(context_, part.data(), static_cast<int>(part.size()), 0) != 0) break;
    }
    if (!error_) xmlParseChunk(context_, nullptr, 0, 1);
    if (!error_ && context_->wellFormed == 0) refuse(libxml_words());
    if (error_) return *error_;
    return Exnode(std::move(mappings_), size_);
  }

 private:
  static Reader& of(void* self) { return *static_cast<Reader*>(self); }

  static void begin(void* self, const xmlChar* name, const xmlChar*, const xmlChar*, int,
                    const xmlChar**, int attributes, int, const xmlChar** values) {
    // Each attribute has five pointers: name, prefix, namespace, begin and end of the value.
    constexpr int kOfEach = 5;
    std::string_view called;
    for (int i = 0; i < attributes; ++i, values += kOfEach) {
      if (std::string_view(reinterpret_cast<const char*>(values[0])) != "name") continue;
      called = {reinterpret_cast<const char*>(values[3]),
                static_cast<size_t>(values[4] - values[3])};
    }
    of(self).begin(reinterpret_cast<const char*>(name), called);
  }

  static void add(void* self, const xmlChar* text, int count) {
    Reader& reader = of(self);
    if (reader.text_.size() + static_cast<size_t>(count) > kLongestText) {
      return reader.refuse("a text is too long");
    }
    reader.text_.append(reinterpret_cast<const char*>(text), static_cast<size_t>(count));
  }

  void begin(std::string_view name, std::string_view called) {
    if (error_) return;
    text_.clear();
    called_ = called;
    const Element element = element_of(name);
    if (path_.empty() && element != Element::kRoot)
      return refuse("the root element is not 'exnode'");
    if (path_.size() >= kDeepest) return refuse("elements are nested too deeply");
    if (element == Element::kMapping) begin_mapping();
    if (element == Element::kFunction) begin_function();
    path_.push_back(element);
  }

  Element element_of(std::string_view name) const {
    if (path_.empty()) return name == "exnode" ? Element::kRoot : Element::kOther;
    if (name == "metadata") return Element::kMetadata;
    if (name == "mapping") return Element::kMapping;
    if (name == "function") return Element::kFunction;
    if (name == "argument") return Element::kArgument;
    return name == "read" ? Element::kRead : Element::kOther;
  }

  void begin_mapping() {
    if (path_.size() != 1) return refuse("a mapping is not a child of the root element");
    if (++number_ > Exnode::kMostMappings) {
      refuse(fmt::format("more than {} mappings", Exnode::kMostMappings), ErrorCode::kLimit);
    }
    fields_ = {};
  }

  void begin_function() {
    if (called_ == "identity") return;
    if (called_ == "stripe") {
      if (std::exchange(fields_.striped, true)) refuse_mapping("two stripe functions");
      return;
    }
    if (called_ != "checksum") {
      return refuse_mapping(
          fmt::format("function '{}' is not supported", make_plain_text(called_, kShownBytes)));
    }
    if (fields_.checked) return refuse_mapping("two checksum functions");
    fields_.checked = true;
  }

  void end() {
    if (error_) return;
    const Element element = path_.back();
    path_.pop_back();
    end(element, path_.empty() ? Element::kOther : path_.back());
    text_.clear();
    called_.clear();
  }

  void end(Element element, Element parent) {
    if (element == Element::kMapping) return end_mapping();
    if (element == Element::kRead && parent == Element::kMapping) fields_.read = trimmed(text_);
    if (element == Element::kMetadata && parent == Element::kMapping) return set_field();
    if (element == Element::kMetadata && parent == Element::kRoot && called_ == "size") {
      return set(size_);
    }
    if (element == Element::kArgument && parent == Element::kFunction) {
      if (called_ == "blocksize") set(fields_.block_bytes);
      if (called_ == "unit") set(fields_.unit_bytes);
      if (called_ == "count") set(fields_.units);
    }
  }

  void set_field() {
    std::optional<uint64_t> at;
    if (called_ == "exnode_offset") set(fields_.begin);
    if (called_ == "logical_length") set(fields_.bytes);
    if (called_ == "alloc_offset") set(at);
    if (at) fields_.at = *at;
  }

  void set(std::optional<uint64_t>& field) {
    const std::string_view text = trimmed(text_);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > Exnode::kLongestFile) {
      return refuse_mapping(fmt::format("'{}' is not a valid number of bytes", called_));
    }
    field = value;
  }

  void end_mapping() {
    if (!fields_.begin) return refuse_mapping("'exnode_offset' is missing");
    if (!fields_.bytes) return refuse_mapping("'logical_length' is missing");
    if (names_disk_part(fields_.read)) return end_disk_mapping();
    if (fields_.striped) return refuse_mapping("stripes are supported only on disk servers");
    auto read = parse_read_capability(fields_.read);
    if (!read) return refuse_mapping(read.error().message);
    uint64_t checked_bytes = 0;
    if (fields_.checked) {
      const uint64_t whole = fields_.block_bytes.value_or(0);
      if (whole <= ExnodeMapping::kHeadBytes ||
          whole > Exnode::kMostCheckedBytes + ExnodeMapping::kHeadBytes) {
        return refuse_mapping(fmt::format("checksum blocks of {} bytes are not supported", whole));
      }
      checked_bytes = whole - ExnodeMapping::kHeadBytes;
    }
    mappings_.push_back(
        {*fields_.begin, *fields_.bytes, fields_.at, checked_bytes, std::move(*read)});
  }

  void end_disk_mapping() {
    auto part = parse_disk_part(fields_.read);
    if (!part) return refuse_mapping(part.error().message);
    if (fields_.checked) return refuse_mapping("checksums are not supported on disk servers");
    ExnodeMapping mapping{.begin = *fields_.begin,
                          .bytes = *fields_.bytes,
                          .at = fields_.at,
                          .read = {},
                          .part = std::move(*part)};
    if (fields_.striped) {
      mapping.unit_bytes = fields_.unit_bytes.value_or(0);
      mapping.units = fields_.units.value_or(0);
      if (mapping.unit_bytes < Exnode::kLeastUnit || mapping.unit_bytes > Exnode::kMostUnit ||
          mapping.units < 1 || mapping.units > Exnode::kMostUnits) {
        return refuse_mapping(fmt::format("stripes of {} units of {} bytes are not supported",
                                          mapping.units, mapping.unit_bytes));
      }
    }
    mappings_.push_back(std::move(mapping));
  }

  void refuse_mapping(const std::string& words) {
    refuse(number_ == 0 ? words : fmt::format("mapping {}: {}", number_, words));
  }

  void refuse(const std::string& words, ErrorCode code = ErrorCode::kBadData) {
    if (error_) return;
    error_ = fail(code, words);
    xmlStopParser(context_);
  }

  std::string libxml_words() const {
    const xmlError* error = xmlCtxtGetLastError(context_);
    if (!error || !error->message) return "not valid XML";
    return fmt::format("line {}: {}", error->line,
                       make_plain_text(trimmed(error->message), kShownBytes));
  }

  static constexpr size_t kShownBytes = 100;

  xmlParserCtxt* context_ = nullptr;
  std::vector<Element> path_;
  std::string called_;  // attribute `name` of the last element
  std::string text_;
  Fields fields_;
  size_t number_ = 0;  // number of the mapping, from 1
  std::optional<uint64_t> size_;
  std::vector<ExnodeMapping> mappings_;
  std::optional<Error> error_;
};

}  // namespace

Result<Exnode> Exnode::parse(std::string_view xml) {
  if (xml.size() > kMostBytes) {
    return fail(ErrorCode::kLimit, fmt::format("more than {} bytes", kMostBytes));
  }
  return Reader().read(xml);
}

}  // namespace sail
