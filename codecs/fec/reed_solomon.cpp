#include "codecs/fec/reed_solomon.h"

#include <isa-l/erasure_code.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <climits>
#include <vector>

namespace codecs {
namespace {

constexpr size_t kMaxSymbols = kMaxErasureSymbols;
// Upper bound of ISA-L's table bytes per coefficient. Since 2.31 it packs tables more densely for
// processors with GFNI, so the position of one coefficient's table is unknown.
constexpr size_t kTableBytes = 32;
// Maximum of rows times columns, given the limit of their sum.
constexpr size_t kMaxCoefficients = (kMaxSymbols / 2) * (kMaxSymbols - kMaxSymbols / 2);

// Every symbol has an element of the field: sources from 0 up, parities from 255 down. They are
// distinct, because there are fewer symbols than elements.
uint8_t source_point(size_t source) {
  return static_cast<uint8_t>(source);
}
uint8_t parity_point(size_t parity) {
  return static_cast<uint8_t>(kMaxSymbols - parity);
}

// ISA-L's pointer arrays are not const.
using Pointers = std::array<uint8_t*, kMaxSymbols>;

}  // namespace

// A matrix, and ISA-L's tables for it.
struct ErasureMatrix {
  std::vector<uint8_t> coefficients = std::vector<uint8_t>(kMaxCoefficients);
  std::vector<uint8_t> tables = std::vector<uint8_t>(kMaxCoefficients * kTableBytes);

  void make_tables(size_t columns, size_t rows) {
    ec_init_tables(static_cast<int>(columns), static_cast<int>(rows), coefficients.data(),
                   tables.data());
  }
  void multiply(size_t symbol_bytes, std::span<uint8_t*> in, std::span<uint8_t*> out) {
    ec_encode_data(static_cast<int>(symbol_bytes), static_cast<int>(in.size()),
                   static_cast<int>(out.size()), tables.data(), in.data(), out.data());
  }
};

// --- encoding -----------------------------------------------------------------------------------

struct ErasureEncoder::Impl {
  ErasureMatrix matrix;
  size_t sources = 0;  // shape of the present matrix
  size_t parities = 0;
  Pointers in{};
  Pointers out{};

  void prepare(size_t source_count, size_t parity_count);
};

ErasureEncoder::ErasureEncoder() : impl_(std::make_unique<Impl>()) {}
ErasureEncoder::~ErasureEncoder() = default;

// Rows do not depend on the number of parities, so existing rows are kept.
void ErasureEncoder::Impl::prepare(size_t source_count, size_t parity_count) {
  if (source_count != sources) parities = 0;
  sources = source_count;
  if (parity_count <= parities) return;
  for (size_t row = parities; row < parity_count; ++row) {
    for (size_t column = 0; column < sources; ++column) {
      matrix.coefficients[row * sources + column] =
          gf_inv(static_cast<uint8_t>(parity_point(row) ^ source_point(column)));
    }
  }
  matrix.make_tables(sources, parity_count);
  parities = parity_count;
}

void ErasureEncoder::encode(size_t symbol_bytes, std::span<const uint8_t* const> sources,
                            std::span<uint8_t* const> parities) {
  impl_->prepare(sources.size(), parities.size());
  std::ranges::transform(sources, impl_->in.begin(),
                         [](const uint8_t* symbol) { return const_cast<uint8_t*>(symbol); });
  std::ranges::copy(parities, impl_->out.begin());
  impl_->matrix.multiply(symbol_bytes, std::span(impl_->in).first(sources.size()),
                         std::span(impl_->out).first(parities.size()));
}

// --- decoding -----------------------------------------------------------------------------------

struct ErasureDecoder::Impl {
  ErasureMatrix matrix;
  Pointers in{};
  Pointers out{};
  // Field elements of the missing sources, and of all known symbols: the present sources, then the
  // parities that replace the missing ones.
  std::array<uint8_t, kMaxSymbols> lost{};
  std::array<uint8_t, kMaxSymbols> known{};

  void solve(size_t lost_count, size_t known_count);
};

ErasureDecoder::ErasureDecoder() : impl_(std::make_unique<Impl>()) {}
ErasureDecoder::~ErasureDecoder() = default;

namespace {

// The product of the differences between the point and all other points.
uint8_t distances(uint8_t point, std::span<const uint8_t> others) {
  uint8_t product = 1;
  for (const uint8_t other : others) {
    if (other != point) product = gf_mul(product, static_cast<uint8_t>(point ^ other));
  }
  return product;
}

}  // namespace

// Computes a row per lost source and a column per known symbol. A Cauchy matrix is inverted by
// partial fractions (S. Schechter, "On the inversion of certain matrices", 1959). After
// multiplication with the columns of the present sources, each coefficient is the product of a row
// factor, a column factor, and the inverse of the difference of their points.
void ErasureDecoder::Impl::solve(size_t lost_count, size_t known_count) {
  const auto lost_points = std::span(lost).first(lost_count);
  const auto parity_points = std::span(known).first(known_count).last(lost_count);
  std::array<uint8_t, kMaxSymbols> column_factors{};
  for (size_t column = 0; column < known_count; ++column) {
    column_factors[column] = gf_mul(distances(known[column], lost_points),
                                    gf_inv(distances(known[column], parity_points)));
  }
  uint8_t* coefficient = matrix.coefficients.data();
  for (const uint8_t point : lost_points) {
    const uint8_t row_factor =
        gf_mul(distances(point, parity_points), gf_inv(distances(point, lost_points)));
    for (size_t column = 0; column < known_count; ++column) {
      const uint8_t inverse = gf_inv(static_cast<uint8_t>(point ^ known[column]));
      *coefficient++ = gf_mul(gf_mul(row_factor, column_factors[column]), inverse);
    }
  }
  matrix.make_tables(known_count, lost_count);
}

bool ErasureDecoder::decode(size_t symbol_bytes, std::span<const uint8_t* const> sources,
                            std::span<const Parity> parities, std::span<uint8_t* const> missing) {
  if (symbol_bytes == 0 || symbol_bytes > INT_MAX) return false;
  if (sources.empty() || sources.size() > kMaxSymbols) return false;
  if (missing.size() > parities.size()) return false;

  size_t lost_count = 0;
  size_t known_count = 0;
  for (size_t source = 0; source < sources.size(); ++source) {
    if (sources[source] == nullptr) {
      impl_->lost[lost_count++] = source_point(source);
    } else {
      impl_->in[known_count] = const_cast<uint8_t*>(sources[source]);
      impl_->known[known_count++] = source_point(source);
    }
  }
  if (lost_count != missing.size()) return false;
  if (lost_count == 0) return true;

  std::bitset<kMaxSymbols> seen;
  for (const Parity& parity : parities.first(lost_count)) {
    if (parity.index < 0 || parity.bytes == nullptr) return false;
    const auto index = static_cast<size_t>(parity.index);
    if (index >= kMaxSymbols - sources.size() || seen[index]) return false;
    seen.set(index);
    impl_->in[known_count] = const_cast<uint8_t*>(parity.bytes);
    impl_->known[known_count++] = parity_point(index);
  }
  for (size_t i = 0; i < lost_count; ++i) {
    if (missing[i] == nullptr) return false;
    impl_->out[i] = missing[i];
  }
  impl_->solve(lost_count, known_count);
  impl_->matrix.multiply(symbol_bytes, std::span(impl_->in).first(known_count),
                         std::span(impl_->out).first(lost_count));
  return true;
}

}  // namespace codecs
