// What benchmarks of walls read from their options, and how they print figures.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>

#include "sail/core/text/json.h"

namespace bench {

// Reads "3840x2160". Returns false unless both numbers are positive.
inline bool read_pair(const std::string& text, int& first, int& second) {
  int used = 0;
  return std::sscanf(text.c_str(), "%dx%d%n", &first, &second, &used) == 2 &&
         used == static_cast<int>(text.size()) && first > 0 && second > 0;
}

// Prints the numbers among the figures, one a line.
inline void print_figures(const sail::Json& figures) {
  for (const auto& [name, value] : figures.items()) {
    if (value.is_number()) fmt::print("  {:<30} {:>12.2f}\n", name, value.get<double>());
  }
}

}  // namespace bench
