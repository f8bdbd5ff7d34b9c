// Matches saved windows with open ones. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "manager/wall/window_stack.h"

namespace manager {

// Matches by number and title, then by title, then in order of opening. Returns an open window's
// number for each saved window; 0: no match.
std::vector<uint32_t> match_windows(const std::vector<SavedWindow>& saved,
                                    const WindowStack& windows);

// Matches by content. Returns an open window's number for each saved window; 0: none shows its
// content. Each open window is used at most once, windows at the saved place first. The content is
// the media, the program and the options that nobody can change while it plays; without content, it
// is the title and the application.
std::vector<uint32_t> match_content(const std::vector<SavedWindow>& saved,
                                    const std::vector<const Window*>& open);

}  // namespace manager
