#include "manager/clients.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace manager {
namespace {

// Told apart on dark and light grounds, and by most people who do not see all colours.
constexpr std::array kPalette = {"#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#0fa3a3",
                                 "#f032e6", "#b8860b", "#d2691e", "#5f9ea0", "#708090", "#c71585"};

}  // namespace

const Client& Clients::add(uint64_t number, std::string name, std::string colour) {
  if (colour.empty()) {
    const auto taken = [this](const char* candidate) {
      return std::count_if(all_.begin(), all_.end(),
                           [&](const auto& client) { return client.second.colour == candidate; });
    };
    colour = *std::min_element(kPalette.begin(), kPalette.end(),
                               [&](const char* a, const char* b) { return taken(a) < taken(b); });
  }
  return all_[number] = {std::move(name), std::move(colour), false};
}

bool Clients::subscribe(uint64_t number) {
  const auto it = all_.find(number);
  return it != all_.end() && !std::exchange(it->second.subscribed, true);
}

bool Clients::remove(uint64_t number) {
  const auto gone = all_.extract(number);
  return !gone.empty() && gone.mapped().subscribed;
}

Author Clients::author(uint64_t number) const {
  const auto it = all_.find(number);
  if (it == all_.end()) return {};
  if (it->second.name.empty()) return {number, fmt::format("client {}", number)};
  return {number, it->second.name};
}

}  // namespace manager
