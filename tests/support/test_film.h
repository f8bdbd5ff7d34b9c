// Films made of test cards, and detection of the cards that a wall's tiles show.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sail/core/base/geometry.h"
#include "tests/support/headless_wall.h"

namespace test {

struct TestFilm {
  sail::Size size{650, 366};
  std::string codec = "dxt1";
  int fps = 25;
  uint64_t frames = 100;
};

// Writes a .vmov file: test card n, from 1, at (n − 1) / fps.
void write_test_film(const std::string& name, const TestFilm& film);

// Encodes the same cards with the ffmpeg program. encoder: its encoder options.
void write_test_cards(const std::string& name, const TestFilm& film, const std::string& encoder);

// A test card as a picture for the reference compositor.
reference::Picture test_card(sail::Size size, uint64_t number);

// Numbers of the test cards whose patches a tile shows.
std::set<uint32_t> cards_on(const sail::TilePicture& tile);
// The same for all tiles, by tile name.
std::map<std::string, std::set<uint32_t>> shown_cards(HeadlessWall& wall);
// Numbers shown by any tile; empty unless every tile shows a card.
std::set<uint32_t> cards_on_all_tiles(HeadlessWall& wall);

}  // namespace test
