// scripts/bench erasure: speed of FEC encoding and of repairing lost packets.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <vector>

#include "codecs/fec/reed_solomon.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/wire/data/packets.h"

namespace {

using Symbol = std::vector<uint8_t>;

constexpr size_t kSymbolBytes = sail::symbol_bytes_for(sail::kDefaultMtu);

// An FEC block; repairs as many of its first source symbols as it has repair symbols.
class Group {
 public:
  explicit Group(size_t parities)
      : sources_(sail::kGroupSymbols, Symbol(kSymbolBytes)),
        parities_(parities, Symbol(kSymbolBytes)),
        mended_(parities, Symbol(kSymbolBytes)) {
    std::mt19937 random(1);
    for (Symbol& symbol : sources_) {
      std::ranges::generate(symbol, [&] { return static_cast<uint8_t>(random()); });
      source_places_.push_back(symbol.data());
    }
    left_places_ = source_places_;
    for (size_t i = 0; i < parities; ++i) {
      left_places_[i] = nullptr;
      parity_places_.push_back(parities_[i].data());
      taken_.push_back({static_cast<int>(i), parities_[i].data()});
      mended_places_.push_back(mended_[i].data());
    }
  }

  void encode() { encoder_.encode(kSymbolBytes, source_places_, parity_places_); }
  // Call after encode().
  bool mend() {
    return decoder_.decode(kSymbolBytes, left_places_, taken_, mended_places_) &&
           std::ranges::equal(mended_[0], sources_[0]);
  }

 private:
  std::vector<Symbol> sources_;
  std::vector<Symbol> parities_;
  std::vector<Symbol> mended_;
  std::vector<const uint8_t*> source_places_;
  std::vector<const uint8_t*> left_places_;
  std::vector<uint8_t*> parity_places_;
  std::vector<codecs::ErasureDecoder::Parity> taken_;
  std::vector<uint8_t*> mended_places_;
  codecs::ErasureEncoder encoder_;
  codecs::ErasureDecoder decoder_;
};

// Gigabytes of an FEC block's symbols a second.
double measure(double seconds, const std::function<void()>& once) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  size_t rounds = 0;
  double passed = 0;
  do {
    once();
    ++rounds;
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (passed < seconds);
  return static_cast<double>(rounds * sail::kGroupSymbols * kSymbolBytes) / passed / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 1;
  sail::CommandLine line(
      "scripts/bench erasure",
      "Measures the erasure code of streams over UDP on one thread: groups of 96 packets.");
  line.option("--seconds", seconds, "How long to measure each").positive();
  if (const auto answer = line.read(argc, argv)) return answer->say();

  fmt::print("{:<10} {:>14} {:>18}\n", "parity", "encode, GB/s", "mend as many, GB/s");
  bool right = true;
  for (const size_t parities : {1, 4, 12, 27}) {
    Group group(parities);
    const double encoded = measure(seconds, [&] { group.encode(); });
    const double mended = measure(seconds, [&] { right = group.mend() && right; });
    fmt::print("{:<10} {:>14.1f} {:>18.1f}\n", fmt::format("96 + {}", parities), encoded, mended);
  }
  return right ? 0 : 1;
}
