#include "sail/core/loop/folder_watch.h"

#include <fmt/core.h>

#include <filesystem>
#include <utility>

#include "sail/core/loop/handle.h"

namespace sail {

struct FolderWatch::Impl : HandleBlock {
  uv_fs_event_t event{};
  std::string name;
  Callback callback;  // kept until the handle is closed, because it may be running

  void drop_callbacks() override { std::exchange(callback, nullptr); }
};

Result<std::unique_ptr<FolderWatch>> FolderWatch::start(Loop& loop, const std::string& folder,
                                                        Callback callback) {
  auto impl = std::make_shared<Impl>();
  impl->name = std::filesystem::path(folder).filename().string();
  impl->callback = std::move(callback);
  require(uv_fs_event_init(&loop.impl().uv, &impl->event), "cannot watch folders");
  own_until_closed(impl, reinterpret_cast<uv_handle_t*>(&impl->event));
  std::unique_ptr<FolderWatch> started(new FolderWatch(impl));
  // Events of the folder itself carry the folder's own name, as if it were an entry.
  const auto on_event = [](uv_fs_event_t* event, const char* name, int events, int) {
    const Impl& watch = block_of<Impl>(event);
    watch.callback((events & UV_RENAME) != 0 && name != nullptr && watch.name == name);
  };
  const int status = uv_fs_event_start(&impl->event, on_event, folder.c_str(), 0);
  if (status == 0) return started;
  const bool too_many = status == UV_ENOSPC || status == UV_EMFILE || status == UV_ENOMEM;
  return fail(too_many ? ErrorCode::kLimit : ErrorCode::kIo,
              fmt::format("cannot watch {}: {}", folder, uv_strerror(status)));
}

FolderWatch::~FolderWatch() {
  close_handle(reinterpret_cast<uv_handle_t*>(&impl_->event));
}

}  // namespace sail
