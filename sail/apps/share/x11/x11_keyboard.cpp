#include "sail/apps/share/x11/x11_keyboard.h"

#include <algorithm>
#include <array>

#include "sail/core/wire/input.h"

namespace sail {
namespace {

// Index of a key's symbols in the core protocol: plain, with Shift, with AltGr, with both.
constexpr size_t kLevels = 4;
constexpr std::array<size_t, kLevels> kFirstLayout{0, 1, 4, 5};
constexpr std::array<size_t, 2> kSecondLayout{2, 3};

// Returns true if Caps Lock exchanges the two symbols.
bool is_pair(uint32_t small, uint32_t capital) {
  return is_capital(capital) && capital + 0x20 == small;
}

}  // namespace

X11Keyboard::X11Keyboard(X11Connection& x11) : x11_(x11) {
  read();
}

X11Keyboard::~X11Keyboard() {
  if (x11_.lost()) return;
  const uint32_t none = 0;
  for (const Lent& lent : lent_) {
    if (lent.symbol != 0) xcb_change_keyboard_mapping(x11_.get(), 1, lent.code, 1, &none);
  }
}

void X11Keyboard::read() {
  const int count = x11_.last_keycode() - x11_.first_keycode() + 1;
  const X11Reply<xcb_get_keyboard_mapping_reply_t> mapping(xcb_get_keyboard_mapping_reply(
      x11_.get(),
      xcb_get_keyboard_mapping(x11_.get(), x11_.first_keycode(), static_cast<uint8_t>(count)),
      nullptr));
  if (!mapping || mapping->keysyms_per_keycode == 0) return;
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(mapping.get());
  symbols_.assign(keysyms, keysyms + xcb_get_keyboard_mapping_keysyms_length(mapping.get()));
  each_ = mapping->keysyms_per_keycode;
  std::vector<Lent> lent;
  for (size_t key = 0; key * each_ < symbols_.size(); ++key) {
    const auto code = static_cast<xcb_keycode_t>(x11_.first_keycode() + key);
    const auto ours = std::ranges::find(lent_, code, &Lent::code);
    // Another program or the user may have given the key a symbol.
    const bool still_ours =
        ours != lent_.end() && ours->symbol != 0 && symbol(key, 0) == ours->symbol;
    if (still_ours) lent.push_back(*ours);
    if (!still_ours && is_free(key)) lent.push_back({.code = code});
  }
  lent_ = std::move(lent);
}

uint32_t X11Keyboard::symbol(size_t key, size_t place) const {
  return place < each_ ? symbols_[key * each_ + place] : 0;
}

bool X11Keyboard::is_free(size_t key) const {
  const auto first = symbols_.begin() + static_cast<ptrdiff_t>(key * each_);
  return std::all_of(first, first + static_cast<ptrdiff_t>(each_),
                     [](uint32_t symbol) { return symbol == 0; });
}

bool X11Keyboard::is_borrowed(size_t key) const {
  const auto code = static_cast<xcb_keycode_t>(x11_.first_keycode() + key);
  return std::ranges::find(lent_, code, &Lent::code) != lent_.end();
}

X11Keyboard::Key X11Keyboard::find(uint32_t keysym, unsigned group) const {
  // Keys that type no character are the same in every layout.
  const bool second = group == 1 && is_character(keysym);
  if (group > 1 && is_character(keysym)) return {};
  const size_t levels = second ? kSecondLayout.size() : kLevels;
  const auto place = [second](size_t level) {
    return second ? kSecondLayout.at(level) : kFirstLayout.at(level);
  };
  for (size_t level = 0; level < levels; ++level) {
    for (size_t key = 0; key * each_ < symbols_.size(); ++key) {
      if (symbol(key, place(level)) != keysym || is_borrowed(key)) continue;
      const uint32_t other = symbol(key, place(level ^ 1));
      const uint32_t small = symbol(key, place(level & ~size_t{1}));
      const uint32_t capital = symbol(key, place(level | 1));
      return {.code = static_cast<xcb_keycode_t>(x11_.first_keycode() + key),
              .shift = level % 2 == 1,
              .any_shift = other == 0 || other == keysym,
              .level3 = level >= 2,
              .has_level3 = levels == kLevels && level < 2 && symbol(key, place(2)) != 0,
              .capitalised = is_pair(small, capital)};
    }
  }
  return {};
}

X11Keyboard::Key X11Keyboard::lend(uint32_t keysym,
                                   const std::function<bool(xcb_keycode_t)>& is_held,
                                   const std::function<void()>& await_reader) {
  auto lent = std::ranges::find(lent_, keysym, &Lent::symbol);
  if (lent == lent_.end()) {
    for (auto one = lent_.begin(); one != lent_.end(); ++one) {
      const bool sooner = lent == lent_.end() || one->used < lent->used;
      if (sooner && !is_held(one->code)) lent = one;
    }
    if (lent == lent_.end()) return {};
    if (lent->used > read_) await_reader();
    // Set both levels: given a single letter, the server would derive the lower and upper case.
    const std::array<uint32_t, 2> both{keysym, keysym};
    xcb_change_keyboard_mapping(x11_.get(), 1, lent->code, both.size(), both.data());
    lent->symbol = keysym;
    await_reader();
    read_ = uses_;
  }
  lent->used = ++uses_;
  return {.code = lent->code, .any_shift = true};
}

}  // namespace sail
