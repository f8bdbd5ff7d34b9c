#include <algorithm>

#include "sail/bindings/sage/include/sage.h"

int sageMessage::init(int dest, int code, int app_code, int size, const void* data) {
  dest_ = dest;
  code_ = code;
  app_code_ = app_code;
  client_ = 0;
  text_.clear();
  if (size > 0 && data != nullptr)
    text_.assign(static_cast<const char*>(data), static_cast<size_t>(size));
  return 0;
}

int sageMessage::init(int size) {
  init(0, 0, 0, 0, nullptr);
  text_.reserve(static_cast<size_t>(std::clamp(size, 0, STRBUF_SIZE)));
  return 0;
}

int sageMessage::destroy() {
  return init(0, 0, 0, 0, nullptr);
}

int sageMessage::setData(int size, void* data) {
  return init(dest_, code_, app_code_, size, data);
}
