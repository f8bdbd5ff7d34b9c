#include "sail/apps/play/film_controls.h"

#include <algorithm>
#include <string_view>

namespace sail {
namespace {

constexpr size_t kMostDragging = 64;
constexpr int kLeastStrip = 24;  // pixels
constexpr int kStripShare = 12;  // fraction of the picture's height

bool is_touch(const sail_input& input) {
  return input.type == SAIL_INPUT_TOUCH_DOWN || input.type == SAIL_INPUT_TOUCH_MOVE ||
         input.type == SAIL_INPUT_TOUCH_UP;
}

FilmControls::SetVolume volume_by(const FilmControls::Film& film, double steps) {
  return {std::clamp(film.volume + steps * FilmControls::kVolumeStep, 0.0, 1.0)};
}

FilmControls::SeekTo seek_along(double x, const FilmControls::Film& film) {
  const double part = std::clamp(x / film.picture.width, 0.0, 1.0);
  return {static_cast<int64_t>(part * static_cast<double>(film.duration_ns))};
}

std::optional<FilmControls::Wish> wish_of_key(std::string_view key,
                                              const FilmControls::Film& film) {
  if (key == " " || key == "k") return FilmControls::TogglePause{};
  if (key == "l") return FilmControls::ToggleLoop{};
  if (key == "Home") return FilmControls::SeekTo{0};
  if (key == "ArrowLeft") return FilmControls::SeekTo{film.position_ns - FilmControls::kStepNs};
  if (key == "ArrowRight") return FilmControls::SeekTo{film.position_ns + FilmControls::kStepNs};
  if (key == "ArrowUp") return volume_by(film, 1);
  if (key == "ArrowDown") return volume_by(film, -1);
  return std::nullopt;
}

}  // namespace

int FilmControls::strip_height(Size picture) {
  return std::min(std::max(picture.height / kStripShare, kLeastStrip), picture.height / 2);
}

std::optional<FilmControls::Wish> FilmControls::press(const sail_input& input, const Film& film) {
  const bool on_strip =
      film.duration_ns > 0 && input.y >= film.picture.height - strip_height(film.picture);
  if (!on_strip) return TogglePause{};
  if (dragging_.size() >= kMostDragging) dragging_.clear();
  dragging_.emplace(input.client, is_touch(input) ? input.touch : -1);
  return seek_along(input.x, film);
}

std::optional<FilmControls::Wish> FilmControls::read(const sail_input& input, const Film& film) {
  const std::pair finger(input.client, is_touch(input) ? input.touch : -1);
  switch (input.type) {
    case SAIL_INPUT_DOWN:
      if (input.button != 0) return std::nullopt;
      return press(input, film);
    case SAIL_INPUT_TOUCH_DOWN:
      return press(input, film);
    case SAIL_INPUT_MOVE:
    case SAIL_INPUT_TOUCH_MOVE:
      if (!dragging_.contains(finger)) return std::nullopt;
      return seek_along(input.x, film);
    case SAIL_INPUT_UP:
    case SAIL_INPUT_TOUCH_UP:
    case SAIL_INPUT_LEAVE:
      dragging_.erase(finger);
      return std::nullopt;
    case SAIL_INPUT_WHEEL:
      return volume_by(film, -input.wheel_y);
    case SAIL_INPUT_KEY_DOWN:
      return wish_of_key(input.key, film);
    case SAIL_INPUT_ENTER:
    case SAIL_INPUT_KEY_UP:
    case SAIL_INPUT_PINCH:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace sail
