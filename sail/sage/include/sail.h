// SAGE's class sail: a program's window on the wall, here a Vitrail wall's. Names and signatures
// are those of SAGE 1.x's public sail.h and sageConfig.h.
//
// Threads: one thread at a time draws and swaps; messages may be taken by another.
#ifndef VITRAIL_SAGE_SAIL_H
#define VITRAIL_SAGE_SAIL_H

#include "misc.h"
#include "sage.h"

// What of it is read: see README.md. All else is there so that programs can set it.
class VITRAIL_SAGE_API streamerConfig {
 public:
  int blockX = 64, blockY = 64, blockSize = 0;
  nwProtocol protocol = SAGE_TCP;  // SAGE_UDP: over UDP; else as the wall has it
  // Of parallel programs: the whole picture; 0: by resX, resY and imageMap.
  int totalWidth = 0, totalHeight = 0;
  int rank = 0;
  int resX = 0, resY = 0;  // the buffer, pixels
  sageRect imageMap;       // where in the whole picture it is
  sagePixFmt pixFmt = PIXFMT_888;
  int nodeNum = 1;
  int rowOrd = TOP_TO_BOTTOM;
  bool master = true;
  bool asyncUpdate = true;
  sageCompressType compression = NO_COMP;
  int frameRate = 60;  // swapBuffer() lets no more frames through
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
  // The manager, unless $VITRAIL_MANAGER names one.
  char fsIP[SAGE_IP_LEN] = "";
  int fsPort = 0;  // 0 and SAGE's 20002: Vitrail's own
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

  // Reads such a file of SAGE's: looked for here, in ~/.sageConfig/applications and
  // in $SAGE_DIRECTORY/sageConfig/applications. -1: there is none.
  int init(const char* name);
  int setAppName(const char* name);
};

class VITRAIL_SAGE_API sail {
 public:
  sail();
  ~sail();  // as shutdown()
  sail(const sail&) = delete;
  sail& operator=(const sail&) = delete;

  // Opens the window. -1: it could not be; a line on standard error says why, APP_QUIT comes, and
  // what is drawn goes nowhere.
  int init(sailConfig& conf);
  // The buffer to draw the next frame into: all of it, it holds the frame before the last. NULL
  // before init(). Valid, also after shutdown(), until the object ends.
  void* getBuffer();
  int getBufSize();
  // The buffer is to be shown. SAGE_BLOCKING waits until the frame before is on its way to the
  // receivers, and keeps the frame rate; SAGE_NON_BLOCKING returns 1 instead: nothing was swapped,
  // and the program may draw over it. -1: the window has been closed.
  int swapBuffer(int mode = SAGE_BLOCKING);
  // 1: there was a message (APP_QUIT, EVT_…). blocking: waits for one; 0 after shutdown().
  int checkMsg(sageMessage& msg, bool blocking);
  // Closes the window. The object may be used for init() again.
  int shutdown();

  int getRowOrder();
  bool isSailOn();
  int getWinID();  // as `vitrail ls` shows it; 0: there is no window
  sailConfig& Config();
  // Not SAGE's: where the window stands, wall pixels from the upper left corner.
  void getWindow(int& x, int& y, int& width, int& height);

  // The wall never asks for what it has (it shows the last frame again by itself), so there is
  // nothing to request.
  int requestNewFrame() { return 0; }
  // Vitrail's manager takes none of SAGE's messages: says so, and returns -1.
  int sendMessage(sageMessage& msg);
  int sendMessage(int code);
  int sendMessage(int code, int data);
  int sendMessage(int code, char* data);

 private:
  struct Inside;
  Inside* inside_;
};

#endif
