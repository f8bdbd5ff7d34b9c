// Reads XML of packages, DeepZoom pictures and feeds event by event. Untrusted input: loads
// nothing, refuses a document type and so never expands entities, and builds no tree. Pure.
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
  std::map<std::string, std::string> attributes;  // by their local names; long values are cut
};

// The elements from the root to the current one.
using XmlPath = std::vector<XmlName>;

// True for the n-th element from the end, from 0.
bool has_name(const XmlPath& path, size_t from_end, std::string_view name);

// An error ends the reading. Errors are phrases: "has …", "is …".
struct XmlEvents {
  std::function<Result<void>(const XmlPath& path)> begin;
  // `text`: of an element without children, without blanks around it; cut if it is very long.
  std::function<Result<void>(const XmlPath& path, std::string_view text)> end;
};

// kBadData: not valid XML, or nested too deeply.
Result<void> read_xml(std::string_view xml, const XmlEvents& events);

}  // namespace sail
