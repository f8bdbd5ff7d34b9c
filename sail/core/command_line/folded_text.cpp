#include "sail/core/command_line/folded_text.h"

#include <algorithm>
#include <vector>

namespace sail {
namespace {

constexpr size_t kLastTextColumn = 40;  // text that starts later has too little room

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// Returns the byte offset after `characters` characters; npos if the line is not longer.
size_t byte_at(std::string_view line, size_t characters) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (begins_character(line[i]) && characters-- == 0) return i;
  }
  return std::string_view::npos;
}

// Returns the column where the line's text begins, which may be after a name.
size_t text_column(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.find("  ", begin);
  if (gap == std::string_view::npos) return begin;
  const size_t text = line.find_first_not_of(' ', gap);
  const auto columns = static_cast<size_t>(std::count_if(
      line.begin(), line.begin() + static_cast<ptrdiff_t>(std::min(text, line.size())),
      begins_character));
  return columns <= kLastTextColumn ? columns : begin;
}

// Returns the blank at which to fold the line; npos: the line fits. Too long words get a line.
size_t fold_at(std::string_view line, size_t column) {
  const size_t end = byte_at(line, kHelpColumns);
  if (end == std::string_view::npos) return end;
  const size_t space = line.rfind(' ', end);
  if (space != std::string_view::npos && space > byte_at(line, column)) return space;
  return line.find(' ', byte_at(line, column));
}

bool flows_on(std::string_view line, size_t column) {
  return line.find_first_not_of(' ') == column && line.find("  ", column) == std::string_view::npos;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string folded(std::string_view text) {
  std::string result;
  const auto lines = lines_of(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string line(lines[i]);
    const size_t column = text_column(line);
    for (size_t space = fold_at(line, column); space != std::string::npos;
         space = fold_at(line, column)) {
      result += line.substr(0, space) + "\n";
      line = std::string(column, ' ') + line.substr(space + 1);
      if (i + 1 < lines.size() && flows_on(lines[i + 1], column)) {
        line += " " + std::string(lines[++i].substr(column));
      }
    }
    result += line + (i + 1 < lines.size() ? "\n" : "");
  }
  return result;
}

}  // namespace sail
