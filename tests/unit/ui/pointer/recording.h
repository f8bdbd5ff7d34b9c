// Recorded datagrams of other programs: a line "MILLISECONDS HEXADECIMAL" each.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ui {

struct RecordedDatagram {
  int64_t at_ms = 0;
  std::vector<uint8_t> bytes;
};

inline std::vector<RecordedDatagram> recording(const std::string& name) {
  std::ifstream file(std::string(RECORDINGS) + "/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<RecordedDatagram> datagrams;
  RecordedDatagram datagram;
  for (std::string hex; file >> datagram.at_ms >> hex;) {
    datagram.bytes.clear();
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
      datagram.bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    datagrams.push_back(datagram);
  }
  return datagrams;
}

}  // namespace ui
