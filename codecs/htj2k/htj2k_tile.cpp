#include "codecs/htj2k/htj2k_tile.h"

#include <algorithm>

#include "codecs/j2k/tag_tree.h"

namespace codecs {
namespace {

int ceil_div_by(int a, int b) {
  return (a + b - 1) / b;
}
int ceil_shifted(int a, int bits) {
  return static_cast<int>(ceil_halved(a, bits));
}

Area tile_area(const J2kMainHeader& header, int tile) {
  const J2kHeader& shape = header.shape;
  const int x = header.tile_left + tile % header.tiles_across * header.tile_width;
  const int y = header.tile_top + tile / header.tiles_across * header.tile_height;
  return common_area({x, y, x + header.tile_width, y + header.tile_height},
                     {shape.left, shape.top, shape.left + shape.width, shape.top + shape.height});
}

}  // namespace

void Htj2kTile::begin(const J2kMainHeader& header, const J2kCoding& coding, int tile) {
  header_ = &header;
  coding_ = &coding;
  area_ = tile_area(header, tile);
  blocks_.clear();
  precincts_.clear();
  nodes_.clear();
  for (int i = 0; i < components(); ++i) {
    TileComponent& component = components_[static_cast<size_t>(i)];
    const int step_x = header.step_x(i), step_y = header.step_y(i);
    component.area = {ceil_div_by(area_.x0, step_x), ceil_div_by(area_.y0, step_y),
                      ceil_div_by(area_.x1, step_x), ceil_div_by(area_.y1, step_y)};
    const size_t resolutions = static_cast<size_t>(levels(i)) + 1;
    component.resolutions.resize(resolutions);
    for (size_t r = 0; r < resolutions; ++r) begin_resolution(i, static_cast<int>(r));
  }
}

void Htj2kTile::begin_resolution(int component, int resolution) {
  TileComponent& whole = components_[static_cast<size_t>(component)];
  TileResolution& here = whole.resolutions[static_cast<size_t>(resolution)];
  const int level = levels(component) - resolution;
  here.area = {ceil_shifted(whole.area.x0, level), ceil_shifted(whole.area.y0, level),
               ceil_shifted(whole.area.x1, level), ceil_shifted(whole.area.y1, level)};
  for (const BandKind kind : {kLowLow, kHighLow, kLowHigh, kHighHigh}) {
    here.bands[kind] = {};
    here.bands[kind].kind = kind;
    if ((kind == kLowLow) == (resolution == 0)) begin_band(component, resolution, kind);
  }
  const auto r = static_cast<size_t>(resolution);
  const ComponentCoding& coding = coding_->component(component);
  begin_precincts(here, coding.precinct_width_log2[r], coding.precinct_height_log2[r],
                  resolution == 0);
}

void Htj2kTile::begin_band(int component, int resolution, BandKind kind) {
  TileComponent& whole = components_[static_cast<size_t>(component)];
  const auto r = static_cast<size_t>(resolution);
  const int level = levels(component) - std::max(resolution - 1, 0);
  const auto edge = [level](int at, bool high) {
    return static_cast<int>(band_edge(at, level, high));
  };
  const bool across_high = (kind & 1) != 0, down_high = (kind & 2) != 0;
  TileBand& band = whole.resolutions[r].bands[kind];
  band.kind = kind;
  band.area = {edge(whole.area.x0, across_high), edge(whole.area.y0, down_high),
               edge(whole.area.x1, across_high), edge(whole.area.y1, down_high)};
  band.planes = coding_->planes(component, resolution, kind);
  // B-17, B-18: code-blocks do not extend beyond precincts.
  const int halved = resolution > 0 ? 1 : 0;
  const ComponentCoding& coding = coding_->component(component);
  band.block_width_log2 = std::min(coding.block_width_log2, coding.precinct_width_log2[r] - halved);
  band.block_height_log2 =
      std::min(coding.block_height_log2, coding.precinct_height_log2[r] - halved);
  if (band.area.is_empty()) return;
  band.across = ceil_shifted(band.area.x1, band.block_width_log2) - band.first_column();
  band.down = ceil_shifted(band.area.y1, band.block_height_log2) - band.first_row();
  band.first_block = blocks_.size();
  blocks_.resize(blocks_.size() +
                 static_cast<size_t>(band.across) * static_cast<size_t>(band.down));
}

void Htj2kTile::begin_precincts(TileResolution& resolution, int width_log2, int height_log2,
                                bool lowest) {
  const Area& area = resolution.area;
  resolution.first_precinct = precincts_.size() / 4;
  resolution.precincts_across = resolution.precincts_down = 0;
  if (area.is_empty()) return;
  const int left = area.x0 >> width_log2, top = area.y0 >> height_log2;
  resolution.precincts_across = ceil_shifted(area.x1, width_log2) - left;
  resolution.precincts_down = ceil_shifted(area.y1, height_log2) - top;
  const int halved = lowest ? 0 : 1;
  const int band_width_log2 = width_log2 - halved, band_height_log2 = height_log2 - halved;
  for (int y = top; y < top + resolution.precincts_down; ++y) {
    for (int x = left; x < left + resolution.precincts_across; ++x) {
      for (const TileBand& band : resolution.bands) {
        const Area within{x << band_width_log2, y << band_height_log2, (x + 1) << band_width_log2,
                          (y + 1) << band_height_log2};
        add_precinct_band(band, within);
      }
    }
  }
}

void Htj2kTile::add_precinct_band(const TileBand& band, const Area& within) {
  PrecinctBand& precinct = precincts_.emplace_back();
  const Area area = common_area(within, band.area);
  if (area.is_empty()) return;
  const int left = area.x0 >> band.block_width_log2, top = area.y0 >> band.block_height_log2;
  precinct.left = left - band.first_column();
  precinct.top = top - band.first_row();
  precinct.across = ceil_shifted(area.x1, band.block_width_log2) - left;
  precinct.down = ceil_shifted(area.y1, band.block_height_log2) - top;
  precinct.first_node = nodes_.size();
  nodes_.resize(nodes_.size() + 2 * TagTreeShape(precinct.across, precinct.down).nodes());
}

}  // namespace codecs
