#include "sail/media/cinema/xml_events.h"

#include <fmt/format.h>
#include <libxml/parser.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kDeepestElement = 64;  // descriptors in IMF playlists are deeply nested
constexpr size_t kMostText = 4096;      // longer texts are signatures
constexpr size_t kShownError = 100;

std::string xml_text(const xmlChar* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

// `all`: for each attribute its local name, prefix, name space, and the two ends of its value.
std::map<std::string, std::string> xml_attributes(int count, const xmlChar** all) {
  constexpr int kFields = 5, kMostAttributes = 64;
  std::map<std::string, std::string> attributes;
  for (int i = 0; i < std::min(count, kMostAttributes); ++i) {
    const xmlChar** field = all + ptrdiff_t{i} * kFields;
    const auto length = static_cast<size_t>(field[4] - field[3]);
    std::string value(reinterpret_cast<const char*>(field[3]), std::min(length, kMostText));
    std::string name = xml_text(field[0]);
    if (field[1] == nullptr) {
      attributes.insert_or_assign(std::move(name), std::move(value));
    } else {
      attributes.emplace(xml_text(field[1]) + ':' + name, value);
      attributes.emplace(std::move(name), std::move(value));
    }
  }
  return attributes;
}

class EventReader {
 public:
  explicit EventReader(const XmlEvents& events) : events_(events) {}

  Result<void> read(std::string_view xml) {
    xmlInitParser();
    xmlSAXHandler handler{};
    handler.initialized = XML_SAX2_MAGIC;
    handler.internalSubset = [](void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
      reader(self).stop(fail(ErrorCode::kBadData, "has a document type, which is not allowed"));
    };
    handler.startElementNs = [](void* self, const xmlChar* name, const xmlChar*,
                                const xmlChar* name_space, int, const xmlChar**, int count, int,
                                const xmlChar** attributes) {
      reader(self).begin({xml_text(name_space), xml_text(name), xml_attributes(count, attributes)});
    };
    handler.endElementNs = [](void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
      reader(self).end();
    };
    handler.characters = &EventReader::add;
    handler.cdataBlock = &EventReader::add;
    handler.ignorableWhitespace = &EventReader::add;
    handler.serror = [](void*, auto*) {};  // errors are read by xmlCtxtGetLastError()
    const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxt*)> context(
        xmlCreatePushParserCtxt(&handler, this, nullptr, 0, nullptr), &xmlFreeParserCtxt);
    if (!context) return fail(ErrorCode::kLimit, "out of memory");
    context_ = context.get();
    // XML_PARSE_NOENT: "&amp;" is "&" in attributes, too. A document type, without which there are
    // no other entities, stops the parser before.
    xmlCtxtUseOptions(context_, XML_PARSE_NONET | XML_PARSE_NOENT);
    constexpr size_t kAtATime = 1 << 16;
    for (size_t at = 0; at < xml.size() && !error_; at += kAtATime) {
      const std::string_view part = xml.substr(at, kAtATime);
      if (xmlParseChunk(context_, part.data(), static_cast<int>(part.size()), 0) != 0) break;
    }
    if (!error_) xmlParseChunk(context_, nullptr, 0, 1);
    if (!error_ && context_->wellFormed == 0) error_ = fail(ErrorCode::kBadData, words());
    if (error_) return *error_;
    return {};
  }

 private:
  static EventReader& reader(void* self) { return *static_cast<EventReader*>(self); }

  static void add(void* self, const xmlChar* text, int count) {
    EventReader& me = reader(self);
    const std::string_view piece(reinterpret_cast<const char*>(text), static_cast<size_t>(count));
    if (me.events_.text && !me.error_) me.events_.text(me.path_, piece);
    me.text_ += piece.substr(0, kMostText - std::min(kMostText, me.text_.size()));
  }

  void begin(XmlName name) {
    if (error_) return;
    text_.clear();
    if (path_.size() >= kDeepestElement) {
      return stop(fail(ErrorCode::kBadData, "has elements that are nested too deeply"));
    }
    path_.push_back(std::move(name));
    if (auto done = events_.begin(path_); !done) stop(std::move(done.error()));
  }

  void end() {
    if (error_) return;
    auto done = events_.end(path_, trimmed(text_));
    path_.pop_back();
    text_.clear();
    if (!done) stop(std::move(done.error()));
  }

  void stop(Error error) {
    if (error_) return;
    error_ = std::move(error);
    xmlStopParser(context_);
  }

  std::string words() const {
    const xmlError* error = xmlCtxtGetLastError(context_);
    if (!error || !error->message) return "is not valid XML";
    return fmt::format("is not valid XML (line {}: {})", error->line,
                       make_plain_text(trimmed(error->message), kShownError));
  }

  const XmlEvents& events_;
  xmlParserCtxt* context_ = nullptr;
  XmlPath path_;
  std::string text_;
  std::optional<Error> error_;
};

}  // namespace

bool has_name(const XmlPath& path, size_t from_end, std::string_view name) {
  return from_end < path.size() && path[path.size() - 1 - from_end].name == name;
}

std::string attribute(const XmlName& element, const std::string& name) {
  const auto found = element.attributes.find(name);
  return found == element.attributes.end() ? "" : found->second;
}

Result<void> read_xml(std::string_view xml, const XmlEvents& events) {
  return EventReader(events).read(xml);
}

}  // namespace sail
