#include "sail/bindings/sage/config_file.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

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

namespace {

struct NumberKey {
  std::string_view name;
  int sailConfig::*number;
};
constexpr NumberKey kNumbers[] = {
    {"fsport", &sailConfig::fsPort},       {"winx", &sailConfig::winX},
    {"winy", &sailConfig::winY},           {"winwidth", &sailConfig::winWidth},
    {"winheight", &sailConfig::winHeight}, {"framerate", &sailConfig::frameRate},
    {"renderbufx", &sailConfig::resX},     {"renderbufy", &sailConfig::resY},
    {"nodenum", &sailConfig::nodeNum},     {"appid", &sailConfig::appID}};

struct IgnoredKey {
  std::string_view name;
  size_t words;  // number of words that follow it
};
constexpr IgnoredKey kIgnored[] = {{"asyncupdate", 1},
                                   {"audio", 1},
                                   {"audiofile", 1},
                                   {"audiokeyframe", 1},
                                   {"audionwprotocol", 1},
                                   {"audioon", 1},
                                   {"audioport", 1},
                                   {"audiotype", 1},
                                   {"autoblocksize", 1},
                                   {"blockthreshold", 1},
                                   {"bridgeip", 1},
                                   {"bridgeon", 1},
                                   {"bridgeport", 1},
                                   {"channels", 1},
                                   {"compression", 1},
                                   {"devicenum", 1},
                                   {"flowcontrol", 1},
                                   {"frameperbuffer", 1},
                                   {"groupsize", 1},
                                   {"launcherid", 1},
                                   {"masterip", 1},
                                   {"maxbandwidth", 1},
                                   {"maxcheckinterval", 1},
                                   {"msgport", 1},
                                   {"nwid", 1},
                                   {"pixelblocksize", 2},
                                   {"portforwarding", 1},
                                   {"sampleformat", 1},
                                   {"samplingrate", 1},
                                   {"streamip", 1},
                                   {"streamtype", 1},
                                   {"swexp", 1},
                                   {"syncmode", 1},
                                   {"syncport", 1},
                                   {"synctype", 1}};

std::string lower(std::string word) {
  sage::tolower(word.data());
  return word;
}

template <size_t kSize>
bool copy(const std::string& word, char (&text)[kSize]) {
  if (word.size() >= kSize) return false;
  std::copy_n(word.c_str(), word.size() + 1, text);
  return true;
}

// Parses an integer. Returns false if the whole word is not one.
bool read_number(const std::string& word, int& number) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return false;
  number = value;
  return true;
}

bool read_protocol(const std::string& word, nwProtocol& protocol) {
  const std::string name = lower(word);
  if (name != "tcp" && name != "udp") return false;
  protocol = name == "udp" ? SAGE_UDP : SAGE_TCP;
  return true;
}

class Reader {
 public:
  Reader(sailConfig& config, std::string file) : config_(config), file_(std::move(file)) {}

  void read(std::span<const std::string> words) {
    while (!words.empty()) words = words.subspan(std::min(words.size(), take(words)));
    if (!ignored_.empty()) {
      sage::printLog("%s: ignored, because these settings have no effect on this wall:%s",
                     file_.c_str(), ignored_.c_str());
    }
    if (!placing_.empty()) {
      sage::printLog("%s: ignored, because the wall's manager places windows:%s", file_.c_str(),
                     placing_.c_str());
    }
  }

 private:
  // Reads the setting at the beginning and returns the number of words used.
  size_t take(std::span<const std::string> words) {
    const std::string key = lower(words[0]);
    const auto* ignored = std::ranges::find(kIgnored, key, &IgnoredKey::name);
    if (ignored != std::end(kIgnored)) {
      ignored_ += " " + words[0];
      return 1 + ignored->words;
    }
    const auto* number = std::ranges::find(kNumbers, key, &NumberKey::name);
    const bool is_number = number != std::end(kNumbers);
    if (!is_number && key != "appname" && key != "fsip" && key != "nwprotocol") return 1;
    if (words.size() < 2) {
      sage::printLog("%s: %s has no value", file_.c_str(), words[0].c_str());
      return 1;
    }
    const std::string& value = words[1];
    if (key.starts_with("win")) placing_ += " " + words[0];
    const bool good = is_number          ? read_number(value, config_.*number->number)
                      : key == "appname" ? copy(value, config_.appName)
                      : key == "fsip"    ? copy(value, config_.fsIP)
                                         : read_protocol(value, config_.protocol);
    if (!good) {
      sage::printLog("%s: invalid value '%.80s' for %s", file_.c_str(), value.c_str(),
                     words[0].c_str());
    }
    return 2;
  }

  sailConfig& config_;
  const std::string file_;
  std::string ignored_;
  std::string placing_;
};

}  // namespace

void vitrail::read_settings(sailConfig& config, const std::string& file, std::string_view text) {
  Reader(config, file).read(words_of(text));
}

int sailConfig::init(const char* name) {
  const auto text = vitrail::find_sage_file(name, "applications");
  if (!text) {
    sage::printLog(
        "%s: no such file in the current folder, ~/.sageConfig/applications or SAGE's folder",
        name);
    return -1;
  }
  vitrail::read_settings(*this, name, *text);
  return 0;
}

int sailConfig::setAppName(const char* name) {
  if (copy(name, appName)) return 0;
  sage::printLog("setAppName: the name has more than %d bytes", SAGE_NAME_LEN - 1);
  return -1;
}
