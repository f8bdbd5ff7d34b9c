// How far the explorer goes; the command line of model_test may go further.
#pragma once

#include <cstddef>
#include <optional>

namespace model {

struct AskedBounds {
  std::optional<size_t> depth{};
  std::optional<size_t> states{};
  std::optional<int> faults{};
};
// Set by main() before the tests run.
AskedBounds& asked_bounds();

}  // namespace model
