// Reads the examples and tables of sail/PROTOCOL.md, for tests that compare them with the code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/text/json.h"

namespace sail {

// An example of a code block "```kind": a line that begins with its name, and the indented lines
// that continue it.
struct Example {
  std::string kind;  // "hex", "packet", "disk" or "json"
  std::string name;
  std::string text;
};
std::vector<Example> protocol_examples();

// Bytes of a hex, packet or disk example; empty if the name is unknown.
std::vector<uint8_t> hex_example(const std::string& name);
std::vector<uint8_t> packet_example(const std::string& name);
std::vector<uint8_t> disk_example(const std::string& name);
// A json example as sent on the wire, without newline; empty if the name is unknown.
std::string line_example(const std::string& name);
// The params or result of a json example.
Json body_example(const std::string& name);

// Rows of the table whose first column has this heading, without the heading rows, cells trimmed.
std::vector<std::vector<std::string>> protocol_table(const std::string& first_heading);

// Tables of the section with this heading, without heading rows, cells trimmed.
std::vector<std::vector<std::vector<std::string>>> tables_of(const std::string& section);

// Content of a file of the source tree.
std::string source_file(const std::string& path);
// Paths of the files in a folder of the source tree, in any order.
std::vector<std::string> files_in(const std::string& folder);

}  // namespace sail
