#include "sail/bindings/sage/include/misc.h"

#include <sched.h>

#include <cctype>
#include <chrono>
#include <cstdarg>
#include <thread>

int getPixelSize(sagePixFmt format) {
  switch (format) {
    case PIXFMT_555:
    case PIXFMT_555_INV:
    case PIXFMT_565:
    case PIXFMT_565_INV:
    case PIXFMT_YUV:
      return 2;
    case PIXFMT_8888:
    case PIXFMT_8888_INV:
      return 4;
    case PIXFMT_DXT:
      return 8;
    default:
      return 3;
  }
}

int findsage(char* /*name*/) {
  return 1;
}

void sage::initUtil() {}

void sage::printLog(const char* format, ...) {
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s\n", line);
}

double sage::getTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

void sage::usleep(unsigned long microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

unsigned int sage::sleep(unsigned int seconds) {
  return ::sleep(seconds);
}

void sage::switchThread() {
  sched_yield();
}

int sage::toupper(char* text) {
  for (; *text != '\0'; ++text)
    *text = static_cast<char>(std::toupper(static_cast<unsigned char>(*text)));
  return 0;
}

int sage::tolower(char* text) {
  for (; *text != '\0'; ++text)
    *text = static_cast<char>(std::tolower(static_cast<unsigned char>(*text)));
  return 0;
}
