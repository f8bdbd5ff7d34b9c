#include "manager/saved_window.h"

namespace manager {

SavedWindow saved_window(const Window& window) {
  return {.number = window.number,
          .title = window.title,
          .owner = window.owner_name,
          .frame_size = window.frame_size,
          .standing = window.standing(),
          .content = window.content};
}

}  // namespace manager
