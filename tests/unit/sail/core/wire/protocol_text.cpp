#include "tests/unit/sail/core/wire/protocol_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

std::vector<std::string> protocol_lines() {
  std::istringstream text(source_file("sail/PROTOCOL.md"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string example_text(const std::string& kind, const std::string& name) {
  for (const Example& example : protocol_examples()) {
    if (example.kind == kind && example.name == name) return example.text;
  }
  return {};
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" `");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" `") - first + 1);
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> result;
  std::istringstream text(row.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) result.push_back(trimmed(cell));
  return result;
}

std::vector<uint8_t> bytes_of(const std::string& kind, const std::string& name) {
  std::istringstream text(example_text(kind, name));
  std::vector<uint8_t> bytes;
  for (std::string group; text >> group;) {
    for (size_t i = 0; i < group.size(); i += 2) {
      bytes.push_back(static_cast<uint8_t>(std::stoi(group.substr(i, 2), nullptr, 16)));
    }
  }
  return bytes;
}

}  // namespace

std::string source_file(const std::string& path) {
  std::ifstream file(std::string(VITRAIL_SOURCE_DIR "/") + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(VITRAIL_SOURCE_DIR "/" + folder)) {
    paths.push_back(folder + "/" + entry.path().filename().string());
  }
  return paths;
}

std::vector<Example> protocol_examples() {
  std::vector<Example> examples;
  std::string kind;  // of the code block; empty outside code blocks
  for (const std::string& line : protocol_lines()) {
    if (line.starts_with("```")) {
      kind = line.substr(3);
    } else if (kind.empty()) {
      continue;
    } else if (!line.starts_with(' ')) {
      const size_t end = std::min(line.find(' '), line.size());
      examples.push_back({kind, line.substr(0, end), line.substr(end) + '\n'});
    } else if (!examples.empty()) {
      examples.back().text += line + '\n';
    }
  }
  return examples;
}

std::vector<uint8_t> hex_example(const std::string& name) {
  return bytes_of("hex", name);
}

std::vector<uint8_t> packet_example(const std::string& name) {
  return bytes_of("packet", name);
}

std::vector<uint8_t> disk_example(const std::string& name) {
  return bytes_of("disk", name);
}

std::string line_example(const std::string& name) {
  const auto json = parse_json(example_text("json", name), kMaxControlLine);
  return json ? json->dump() : std::string();
}

Json body_example(const std::string& name) {
  const auto json = parse_json(example_text("json", name), kMaxControlLine);
  if (!json || !json->is_object()) return {};
  return json->contains("result") ? json->at("result") : json->value("params", Json());
}

std::vector<std::vector<std::string>> protocol_table(const std::string& first_heading) {
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  bool after_row = false;  // a row of any table
  for (const std::string& line : protocol_lines()) {
    const bool row = line.starts_with('|');
    if (!row) {
      if (inside) break;
    } else if (inside) {
      rows.push_back(cells(line));
    } else if (!after_row) {
      inside = cells(line)[0] == first_heading;
    }
    after_row = row;
  }
  if (!rows.empty()) rows.erase(rows.begin());  // the line below the heading
  return rows;
}

std::vector<std::vector<std::vector<std::string>>> tables_of(const std::string& section) {
  std::vector<std::vector<std::vector<std::string>>> tables;
  bool inside = false;
  int rows = 0;  // rows of the current table
  for (const std::string& line : protocol_lines()) {
    if (line.starts_with("#")) inside = line.ends_with("# " + section);
    rows = line.starts_with('|') ? rows + 1 : 0;
    if (!inside || rows == 0) continue;
    if (rows == 1) tables.emplace_back();
    constexpr int kAboveRows = 2;
    if (rows > kAboveRows) tables.back().push_back(cells(line));
  }
  return tables;
}

}  // namespace sail
