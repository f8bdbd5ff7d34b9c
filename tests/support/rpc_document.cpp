#include "tests/support/rpc_document.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace test {
namespace {

void add_line(Document& document, int number, const std::string& text) {
  const size_t mark = text.find_first_of("<>");
  ASSERT_NE(mark, std::string::npos) << "line " << number;
  const Json message = Json::parse(text.substr(mark + 1), nullptr, false);
  ASSERT_FALSE(message.is_discarded()) << "line " << number << ": " << text;
  document.lines.push_back({number, text.substr(0, mark), text[mark] == '>', message});
}

}  // namespace

Document read_document(const std::string& file_name) {
  Document document;
  std::ifstream file(file_name);
  EXPECT_TRUE(file) << file_name;
  std::string line;
  std::string open;  // an example line that may continue on the next
  int open_number = 0;
  bool inside = false;
  for (int number = 1; std::getline(file, line); ++number) {
    const bool goes_on = inside && line.starts_with(' ');
    if (!goes_on && !open.empty()) {
      add_line(document, open_number, open);
      open.clear();
    }
    if (line == "```rpc") {
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (goes_on) {  // keeps one leading space, so that long texts may be split at a space
      open += line.substr(line.find_first_not_of(' ') - 1);
    } else if (inside) {
      open = line;
      open_number = number;
    } else if (line.starts_with("## ") || line.starts_with("### ")) {
      std::stringstream names(line.substr(line.find(' ')));
      for (std::string name; std::getline(names, name, ',');) {
        document.headings.insert(name.substr(name.find_first_not_of(' ')));
      }
    }
  }
  return document;
}

bool matches(const Json& expected, const Json& value) {
  if (expected == "<any>") return true;
  if (expected == "<number>") return value.is_number();
  if (expected == "<text>") return value.is_string();
  if (expected.is_object() && value.is_object()) {
    if (expected.size() != value.size()) return false;
    return std::all_of(expected.items().begin(), expected.items().end(), [&](const auto& item) {
      return value.contains(item.key()) && matches(item.value(), value[item.key()]);
    });
  }
  if (expected.is_array() && value.is_array()) {
    return std::equal(expected.begin(), expected.end(), value.begin(), value.end(), matches);
  }
  return expected == value;
}

}  // namespace test
