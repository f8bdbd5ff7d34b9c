#include "sail/bindings/sage/config_file.h"

#include <cstdlib>
#include <fstream>

namespace vitrail {
namespace {

constexpr size_t kMaxFileBytes = 64 * 1024;

std::optional<std::string> read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxFileBytes + 1, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size())) && file.gcount() == 0) {
    return std::nullopt;
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMaxFileBytes) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> find_sage_file(const std::string& name, const std::string& folder) {
  std::vector<std::string> places = {"./"};  // prefixes of the name
  if (const char* home = std::getenv("HOME")) {
    places.push_back(std::string(home) + "/.sageConfig/" + folder + "/");
  }
  if (const char* sage = std::getenv("SAGE_DIRECTORY")) {
    places.push_back(std::string(sage) + "/sageConfig/" + folder + "/");
  }
  if (name.starts_with('/')) places = {""};
  for (const std::string& place : places) {
    if (auto text = read_whole(place + name)) return text;
  }
  return std::nullopt;
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kBetween = " ,\t\r\n{}()";
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(kBetween, at)) != std::string_view::npos) {
    if (text[at] == '#') {
      at = text.find('\n', at);
      continue;
    }
    const size_t end = text.find_first_of(kBetween, at);
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace vitrail
