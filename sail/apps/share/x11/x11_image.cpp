#include "sail/apps/share/x11/x11_image.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#include <algorithm>

namespace sail {
namespace {

constexpr int kMostBytesAtOnce = 4 << 20;  // bytes per reply over the connection
constexpr uint32_t kAllPlanes = ~0U;

}  // namespace

X11Image::X11Image(X11Connection& x11, Size size) : x11_(x11), size_(size) {
  if (x11_.extensions().shared_memory) share();
  if (shared_ == nullptr)
    own_.resize(static_cast<size_t>(stride()) * static_cast<size_t>(size.height));
}

X11Image::~X11Image() {
  if (shared_ == nullptr) return;
  xcb_shm_detach(x11_.get(), segment_);
  xcb_flush(x11_.get());
  shmdt(shared_);
}

// A server on another machine refuses; then pixels are sent over the connection.
void X11Image::share() {
  const size_t bytes = static_cast<size_t>(stride()) * static_cast<size_t>(size_.height);
  const int memory = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
  if (memory < 0) return;
  void* here = shmat(memory, nullptr, 0);
  const xcb_shm_seg_t segment = xcb_generate_id(x11_.get());
  bool attached = false;
  if (reinterpret_cast<intptr_t>(here) != -1) {
    const X11Reply<xcb_generic_error_t> refused(xcb_request_check(
        x11_.get(), xcb_shm_attach_checked(x11_.get(), segment, static_cast<uint32_t>(memory), 0)));
    attached = !refused && !x11_.lost();
    if (!attached) shmdt(here);
  }
  shmctl(memory, IPC_RMID, nullptr);  // freed when nobody uses it any more
  if (!attached) return;
  segment_ = segment;
  shared_ = static_cast<uint8_t*>(here);
}

bool X11Image::fetch(xcb_drawable_t drawable, int x, int y, const RowBand& rows,
                     const Rect& there) {
  const Rect from = intersect({x, y + rows.top, size_.width, rows.bottom - rows.top}, there);
  if (from.empty()) return true;
  if (shared() && from.width == size_.width) return fetch_shared(drawable, from, from.y - y);
  return fetch_copied(drawable, from, from.x - x, from.y - y);
}

bool X11Image::fetch_shared(xcb_drawable_t drawable, const Rect& from, int row) {
  const X11Reply<xcb_shm_get_image_reply_t> reply(xcb_shm_get_image_reply(
      x11_.get(),
      xcb_shm_get_image(x11_.get(), drawable, static_cast<int16_t>(from.x),
                        static_cast<int16_t>(from.y), static_cast<uint16_t>(from.width),
                        static_cast<uint16_t>(from.height), kAllPlanes, XCB_IMAGE_FORMAT_Z_PIXMAP,
                        segment_, static_cast<uint32_t>(row * stride())),
      nullptr));
  return reply != nullptr;
}

bool X11Image::fetch_copied(xcb_drawable_t drawable, const Rect& from, int column, int row) {
  const int at_once = std::max(1, kMostBytesAtOnce / (from.width * kPixelBytes));
  const ptrdiff_t bytes = ptrdiff_t{from.width} * kPixelBytes;
  for (int done = 0; done < from.height; done += at_once) {
    const int count = std::min(at_once, from.height - done);
    const X11Reply<xcb_get_image_reply_t> reply(xcb_get_image_reply(
        x11_.get(),
        xcb_get_image(x11_.get(), XCB_IMAGE_FORMAT_Z_PIXMAP, drawable, static_cast<int16_t>(from.x),
                      static_cast<int16_t>(from.y + done), static_cast<uint16_t>(from.width),
                      static_cast<uint16_t>(count), kAllPlanes),
        nullptr));
    if (!reply || xcb_get_image_data_length(reply.get()) < bytes * count) return false;
    const uint8_t* data = xcb_get_image_data(reply.get());
    for (int i = 0; i < count; ++i) {
      std::copy_n(data + i * bytes, bytes,
                  pixels() + (row + done + i) * stride() + ptrdiff_t{column} * kPixelBytes);
    }
  }
  return true;
}

}  // namespace sail
