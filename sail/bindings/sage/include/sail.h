// SAGE's class sail: the window of a program, here on a Vitrail wall. Names and signatures are
// those of SAGE 1.x's public sail.h and sageConfig.h.
//
// Threads: only one thread at a time may draw and swap; another may read messages.
#ifndef VITRAIL_SAGE_SAIL_H
#define VITRAIL_SAGE_SAIL_H

#include "misc.h"
#include "sage.h"

// README.md lists the members that are used. The others exist so that programs can set them.
class VITRAIL_SAGE_API streamerConfig {
 public:
  int blockX = 64, blockY = 64, blockSize = 0;
  nwProtocol protocol = SAGE_TCP;  // SAGE_UDP: over UDP; otherwise the wall's default
  // For parallel programs: size of the whole picture; 0: computed from resX, resY and imageMap.
  int totalWidth = 0, totalHeight = 0;
  int rank = 0;
  int resX = 0, resY = 0;  // size of the buffer, in pixels
  sageRect imageMap;       // position of the buffer in the whole picture
  sagePixFmt pixFmt = PIXFMT_888;
  int nodeNum = 1;
  int rowOrd = TOP_TO_BOTTOM;
  bool master = true;
  bool asyncUpdate = true;
  sageCompressType compression = NO_COMP;
  int frameRate = 60;  // limit, enforced by swapBuffer()
  int streamType = SAGE_BLOCK_HARD_SYNC;
  int groupSize = 131072;
  int maxBandwidth = 1000;
  int maxCheckInterval = 1000;
  int flowWindow = 2;
  bool autoBlockSize = false;
  bool frameDrop = true;
  long totalFrames = 0;
  bool bridgeOn = false;
  bool audioOn = false;
  nwProtocol audioProtocol = SAGE_TCP;
  int audioKeyFrame = 100;
  sageAudioMode audioMode = SAGE_AUDIO_CAPTURE;
  int audioPort = 0;
  int audioDeviceNum = 0;
  sageSampleFmt sampleFmt = SAGE_SAMPLE_FLOAT32;
  long samplingRate = 44100;
  int channels = 2;
  int framePerBuffer = 1024;
  sageAudioSyncType syncType = SAGE_SYNC_NONE;
  char audioFileName[SAGE_NAME_LEN] = "";
};

class VITRAIL_SAGE_API sailConfig : public streamerConfig {
 public:
  char appName[SAGE_NAME_LEN] = "";
  char masterIP[SAGE_IP_LEN] = "";
  int nwID = 1;
  // Host of the manager, unless $VITRAIL_MANAGER is set.
  char fsIP[SAGE_IP_LEN] = "";
  int fsPort = 0;  // 0 or SAGE's 20002: Vitrail's default port
  char bridgeIP[SAGE_IP_LEN] = "";
  int bridgePort = 0;
  int syncPort = 0;
  int msgPort = 0;
  int appID = 0;
  char launcherID[SAGE_NAME_LEN] = "none";
  int winX = 100, winY = 100, winWidth = -1, winHeight = -1;
  int syncMode = 0;
  int rcvBufSize = 0;
  bool rendering = true;
  char streamIP[SAGE_IP_LEN] = "127.0.0.1";
  int portForwarding = 0;

  // Reads a SAGE configuration file from the current folder, ~/.sageConfig/applications or
  // $SAGE_DIRECTORY/sageConfig/applications. Returns -1 if there is none.
  int init(const char* name);
  int setAppName(const char* name);
};

class VITRAIL_SAGE_API sail {
 public:
  sail();
  ~sail();  // as shutdown()
  sail(const sail&) = delete;
  sail& operator=(const sail&) = delete;

  // Opens the window. Returns -1 on failure: the reason is printed on standard error, the program
  // receives APP_QUIT, and its pictures are discarded.
  int init(sailConfig& conf);
  // Returns the buffer for the next frame. Draw all of it: it contains the frame before the last.
  // NULL before init(). Valid until the object is destroyed, also after shutdown().
  void* getBuffer();
  int getBufSize();
  // Shows the buffer. SAGE_BLOCKING waits until the previous frame is being sent to the receivers,
  // and enforces the frame rate. SAGE_NON_BLOCKING returns 1 instead of waiting: nothing was
  // swapped, and the program may draw into the same buffer again. Returns -1 if the window is
  // closed.
  int swapBuffer(int mode = SAGE_BLOCKING);
  // Returns 1 if there was a message, else 0. blocking: waits for a message, or shutdown().
  int checkMsg(sageMessage& msg, bool blocking);
  // Closes the window. init() may be called again.
  int shutdown();

  int getRowOrder();
  bool isSailOn();
  int getWinID();  // number shown by `vitrail ls`; 0: no window
  sailConfig& Config();
  // Not in SAGE: the window's position, in wall pixels from the upper left corner.
  void getWindow(int& x, int& y, int& width, int& height);

  // Does nothing: the wall keeps the last frame and shows it again when needed.
  int requestNewFrame() { return 0; }
  // Not supported by Vitrail's manager: prints a message and returns -1.
  int sendMessage(sageMessage& msg);
  int sendMessage(int code);
  int sendMessage(int code, int data);
  int sendMessage(int code, char* data);

 private:
  struct Inside;
  Inside* inside_;
};

#endif
