// model_test [--depth N] [--states N] [--faults N] and GoogleTest's options: explores further.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <charconv>
#include <string_view>

#include "tests/model/bounds.h"

namespace model {

AskedBounds& asked_bounds() {
  static AskedBounds asked;
  return asked;
}

}  // namespace model

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  model::AskedBounds& asked = model::asked_bounds();
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::string_view text = i + 1 < argc ? argv[i + 1] : "";
    int number = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = read.ec == std::errc() && read.ptr == text.data() + text.size();
    if (is_number && number >= 0 && option == "--depth") {
      asked.depth = static_cast<size_t>(number);
    } else if (is_number && number >= 0 && option == "--states") {
      asked.states = static_cast<size_t>(number);
    } else if (is_number && number >= 0 && option == "--faults") {
      asked.faults = number;
    } else {
      fmt::print(stderr, "'{} {}' is unknown: use --depth N, --states N or --faults N\n", option,
                 text);
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
