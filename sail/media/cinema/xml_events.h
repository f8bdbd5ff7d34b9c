// Reads XML of packages, DeepZoom pictures, feeds and presentations event by event. Untrusted
// input: loads nothing, refuses a document type and so never expands entities, and builds no tree.
// Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

struct XmlName {
  std::string name_space;
  std::string name;
  // By their local names, and those with a prefix also as in "r:id". An attribute without a prefix
  // has its local name for itself. Long values are cut.
  std::map<std::string, std::string> attributes;
};

// The elements from the root to the current one.
using XmlPath = std::vector<XmlName>;

// True for the n-th element from the end, from 0.
bool has_name(const XmlPath& path, size_t from_end, std::string_view name);
// Returns the value of the attribute; empty: there is none.
std::string attribute(const XmlName& element, const std::string& name);

// An error ends the reading. Errors are phrases: "has …", "is …".
struct XmlEvents {
  std::function<Result<void>(const XmlPath& path)> begin;
  // `text`: of an element without children, without blanks around it; cut if it is very long.
  std::function<Result<void>(const XmlPath& path, std::string_view text)> end;
  // A piece of the text of an element that may have children, in order, with its blanks. Optional.
  std::function<void(const XmlPath& path, std::string_view piece)> text{};
};

// kBadData: not valid XML, or nested too deeply.
Result<void> read_xml(std::string_view xml, const XmlEvents& events);

}  // namespace sail
