// The examples and tables of sail/PROTOCOL.md, for tests that hold code and text together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/text/json.h"

namespace sail {

// A code fence "```kind name".
struct Example {
  std::string kind;  // "hex", "packet", "disk" or "json"
  std::string name;
  std::string text;
};
std::vector<Example> protocol_examples();

// The bytes of a hex, packet or disk example; empty when there is none of that name.
std::vector<uint8_t> hex_example(const std::string& name);
std::vector<uint8_t> packet_example(const std::string& name);
std::vector<uint8_t> disk_example(const std::string& name);
// A json example as it travels, without newline; empty when there is none of that name.
std::string line_example(const std::string& name);
// The params or result of a json example.
Json body_example(const std::string& name);

// Rows of the table whose first column has this heading, without heading and line, cells trimmed.
std::vector<std::vector<std::string>> protocol_table(const std::string& first_heading);

// The tables of the section with that heading, each without heading and line, cells trimmed.
std::vector<std::vector<std::vector<std::string>>> tables_of(const std::string& section);

// A file of the source tree.
std::string source_file(const std::string& path);
// Paths of the files of a folder of the source tree, in any order.
std::vector<std::string> files_in(const std::string& folder);

}  // namespace sail
