// Films made of test cards, and which of their pictures the tiles of a wall show.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sail/base/geometry.h"
#include "tests/support/headless_wall.h"

namespace test {

struct TestFilm {
  sail::Size size{650, 366};
  std::string codec = "dxt1";
  int fps = 25;
  uint64_t frames = 100;
};

// A .vmov file: test card n, from 1, at (n − 1) / fps.
void write_test_film(const std::string& name, const TestFilm& film);

// The same cards in a film that the ffmpeg program makes with these options for its encoder.
void write_test_cards(const std::string& name, const TestFilm& film, const std::string& encoder);

// A test card as the reference compositor takes it.
reference::Picture test_card(sail::Size size, uint64_t number);

// The numbers of the test cards whose patches a tile shows.
std::set<uint32_t> cards_on(const sail::TilePicture& tile);
// By the tiles' names: the numbers of the test cards whose patches they show.
std::map<std::string, std::set<uint32_t>> shown_cards(HeadlessWall& wall);
// When each tile shows some: those of all.
std::set<uint32_t> cards_on_all_tiles(HeadlessWall& wall);

}  // namespace test
