// A session that records calls: a wall of 1000×500 with windows placed by the test.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "ui/pointer/pointer_mapper.h"

namespace ui {

struct FakeSession : WallSession {
  struct Placed {
    uint32_t window = 0;
    sail::Rect rect;
    std::string gesture;
    bool last = false;
  };
  struct Asked {
    std::string verb;
    sail::Json params;
  };
  struct Pointer {
    WallPoint at;
    bool pressed = false;
  };

  FakeSession() {
    wall.reset({{"wall", {{"size", {1000, 500}}}}, {"windows", sail::Json::array()}});
  }
  // Opens a window on top of the others.
  void open(uint32_t window, const sail::Rect& rect,
            const sail::Json& more = sail::Json::object()) {
    sail::Json object = {{"window", window}, {"rect", sail::rect_json(rect)}};
    object.update(more);
    wall.apply({{"windows", sail::Json::array({object})}});
  }

  const WallView& view() const override { return wall; }
  void show_pointer(int number, const WallPoint& at, bool pressed) override {
    pointers[number] = {at, pressed};
  }
  void hide_pointer(int number) override { pointers.erase(number); }
  void place(uint32_t window, const sail::Rect& rect, const std::string& gesture,
             bool last) override {
    placed.push_back({window, rect, gesture, last});
    open(window, rect);  // as the manager would
  }
  void input(const sail::Json& params) override { inputs.push_back(params); }
  void ask(std::string_view verb, const sail::Json& params) override {
    asked.push_back({std::string(verb), params});
  }

  WallView wall;
  std::map<int, Pointer> pointers;
  std::vector<Placed> placed;
  std::vector<sail::Json> inputs;
  std::vector<Asked> asked;
};

}  // namespace ui
