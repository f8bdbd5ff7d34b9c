// The declarations that programs for SAGE 1.x use. Names, numbers and signatures are those of
// SAGE's public sources (sageBase.h, sage.h, sageRect.h of 1.x and 3.x), so that the programs
// compile unchanged. The implementation is Vitrail's own. README.md lists what is supported.
#ifndef VITRAIL_SAGE_SAGE_H
#define VITRAIL_SAGE_SAGE_H

// SAGE's headers included these, and programs rely on it.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif

#define VITRAIL_SAGE_API __attribute__((visibility("default")))

#define SAGE_IP_LEN 128
#define SAGE_NAME_LEN 256
#define SAGE_CMD_LEN 1024
#define TOKEN_LEN 1024
#define STRBUF_SIZE 1024

#define TOP_TO_BOTTOM 0
#define BOTTOM_TO_TOP 1

#define SAGE_BLOCKING 1
#define SAGE_NON_BLOCKING 2

#define SAGE_BLOCK_NO_SYNC 100
#define SAGE_BLOCK_CONST_SYNC 101
#define SAGE_BLOCK_SOFT_SYNC 102
#define SAGE_BLOCK_HARD_SYNC 103

enum nwProtocol { SAGE_TCP, SAGE_UDP, LAMBDA_STREAM };
enum sagePixFmt {
  PIXFMT_NULL,
  PIXFMT_555,
  PIXFMT_555_INV,
  PIXFMT_565,
  PIXFMT_565_INV,
  PIXFMT_888,
  PIXFMT_888_INV,
  PIXFMT_8888,
  PIXFMT_8888_INV,
  PIXFMT_RLE,
  PIXFMT_LUV,
  PIXFMT_DXT,
  PIXFMT_YUV,
  PIXFMT_RGBS3D,
  PIXFMT_DXT5,
  PIXFMT_DXT5YCOCG
};
enum sageCompressType { NO_COMP, RLE_COMP, LUV_COMP, DXT_COMP };
enum sageSampleFmt { SAGE_SAMPLE_FLOAT32, SAGE_SAMPLE_INT16, SAGE_SAMPLE_INT8, SAGE_SAMPLE_UINT8 };
enum sageAudioMode {
  SAGE_AUDIO_CAPTURE = 1,
  SAGE_AUDIO_PLAY = 2,
  SAGE_AUDIO_READ = 4,
  SAGE_AUDIO_WRITE = 8,
  SAGE_AUDIO_APP = 16,
  SAGE_AUDIO_FWCAPTURE = 32
};
enum sageAudioSyncType { SAGE_SYNC_NONE, SAGE_SYNC_AUDIO_DRIVEN, SAGE_SYNC_GRAPHIC_DRIVEN };

// Messages to programs, with the format of their text. Floats are fractions of the window, from its
// lower left corner.
//   CLICK  "user x y button down begins"     button 1 left, 2 right, 3 middle; begins: EVT_PAN …
//   MOVE   "user x y dx dy"                  no button is held
//   PAN, ROTATE, ZOOM "user x y dx dy dz"  dragged with button 1, 2, 3; x, y: start of the drag.
//                                          ZOOM is also sent for wheel and pinch (dx)
//   ARROW  "user arrow"                      1 up, 2 down, 3 left, 4 right
//   KEY    "key"                             typed text, or the name of the key ("Enter")
#define APP_MESSAGE 31000
#define SAGE_EVT_CLICK (APP_MESSAGE)
#define SAGE_EVT_DOUBLE_CLICK (APP_MESSAGE + 1)
#define SAGE_EVT_MOVE (APP_MESSAGE + 2)
#define SAGE_EVT_ANALOG1 (APP_MESSAGE + 3)
#define SAGE_EVT_PAN (APP_MESSAGE + 3)
#define SAGE_EVT_ANALOG2 (APP_MESSAGE + 4)
#define SAGE_EVT_ROTATE (APP_MESSAGE + 4)
#define SAGE_EVT_ANALOG3 (APP_MESSAGE + 5)
#define SAGE_EVT_ZOOM (APP_MESSAGE + 5)
#define SAGE_EVT_ARROW (APP_MESSAGE + 6)
#define SAGE_EVT_KEY (APP_MESSAGE + 7)
#define EVT_CLICK SAGE_EVT_CLICK
#define EVT_DOUBLE_CLICK SAGE_EVT_DOUBLE_CLICK
#define EVT_MOVE SAGE_EVT_MOVE
#define EVT_ANALOG1 SAGE_EVT_ANALOG1
#define EVT_PAN SAGE_EVT_PAN
#define EVT_ANALOG2 SAGE_EVT_ANALOG2
#define EVT_ROTATE SAGE_EVT_ROTATE
#define EVT_ANALOG3 SAGE_EVT_ANALOG3
#define EVT_ZOOM SAGE_EVT_ZOOM
#define EVT_ARROW SAGE_EVT_ARROW
#define EVT_KEY SAGE_EVT_KEY
#define EVT_APP_SHARE (APP_MESSAGE + 11)
#define EVT_APP_SYNC (APP_MESSAGE + 12)
#define EVT_APP_WIDGET (APP_MESSAGE + 100)
#define APP_MINIMIZED (APP_MESSAGE + 101)
#define APP_QUIT (APP_MESSAGE + 2000)
#define APP_REFRESH_FRAME (APP_MESSAGE + 2001)

// A part of a picture. left, right, bottom and top are fractions from its lower left corner.
class sageRect {
 public:
  int x = 0, y = 0, width = 0, height = 0;
  float left = 0, right = 1, bottom = 0, top = 1;

  sageRect() = default;
  sageRect(float l, float r, float b, float t) : left(l), right(r), bottom(b), top(t) {}
  sageRect(int rx, int ry, int rw, int rh) : x(rx), y(ry), width(rw), height(rh) {}
};

// A message with a code and a text. Owns its text; copyable.
class VITRAIL_SAGE_API sageMessage {
 public:
  int init(int dest, int code, int app_code, int size, const void* data);
  int init(int size);
  int set(int dest, int code, int app_code, int size, const void* data) {
    return init(dest, code, app_code, size, data);
  }
  int destroy();

  int getDest() const { return dest_; }
  int getCode() const { return code_; }
  int getAppCode() const { return app_code_; }
  int getSize() const { return static_cast<int>(text_.size()); }
  int getBufSize() const { return static_cast<int>(text_.size()) + 1; }
  // Returns the zero-terminated text; NULL if there is none.
  void* getData() { return text_.empty() ? NULL : &text_[0]; }
  // Returns the zero-terminated text; never NULL.
  char* getBuffer() { return &text_[0]; }
  int getClientID() const { return client_; }

  int setDest(int dest) { return dest_ = dest; }
  int setCode(int code) { return code_ = code; }
  int setAppCode(int app_code) { return app_code_ = app_code; }
  int setData(int size, void* data);
  void setClientID(int client) { client_ = client; }

 private:
  int dest_ = 0;
  int code_ = 0;
  int app_code_ = 0;
  int client_ = 0;
  std::string text_;
};

#endif
