#include "sail/bindings/sage/include/libsage.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int count_windows() {
  static std::atomic<int> windows{0};
  return ++windows;
}

}  // namespace

sail* createSAIL(const char* appname, int ww, int hh, enum sagePixFmt pixelfmt, const char* fsIP,
                 int roworder, int frate, sageWidgetFunc wFunc) {
  sailConfig config;
  const char* named = getenv("SAGE_APP_CONFIG");
  config.init(named != nullptr ? named : (std::string(appname) + ".conf").c_str());
  config.setAppName(appname);
  config.resX = ww;
  config.resY = hh;
  config.rowOrd = roworder;
  config.pixFmt = pixelfmt;
  config.frameRate = frate;
  config.appID = count_windows();
  if (fsIP != nullptr) snprintf(config.fsIP, sizeof config.fsIP, "%s", fsIP);
  auto* made = new sail;
  if (wFunc != nullptr) wFunc(made);
  made->init(config);
  return made;
}

void deleteSAIL(sail* sageInf) {
  delete sageInf;
}

unsigned char* nextBuffer(sail* sageInf) {
  return static_cast<unsigned char*>(sageInf->getBuffer());
}

void swapBuffer(sail* sageInf) {
  sageInf->swapBuffer();
}

unsigned char* swapAndNextBuffer(sail* sageInf) {
  sageInf->swapBuffer();
  return nextBuffer(sageInf);
}

void swapWithBuffer(sail* sageInf, unsigned char* pixptr) {
  if (sageInf->getBuffer() == nullptr) return;
  memcpy(sageInf->getBuffer(), pixptr, static_cast<size_t>(sageInf->getBufSize()));
  sageInf->swapBuffer();
}

void processMessages(sail* sageInf) {
  processMessages(sageInf, nullptr, nullptr);
}

void processMessages(sail* sageInf, sageQuitFunc qfunc, sageSyncFunc sfunc) {
  processMessages(sageInf, nullptr, qfunc, sfunc);
}

void processMessages(sail* sageInf, application_update_t* up, sageQuitFunc qfunc,
                     sageSyncFunc /*sfunc*/) {
  sageMessage message;
  if (sageInf->checkMsg(message, false) > 0 && message.getCode() == APP_QUIT) {
    if (qfunc != nullptr) qfunc(sageInf);
    deleteSAIL(sageInf);
    exit(1);
  }
  if (up == nullptr) return;
  up->updated = 1;
  up->app_id = sageInf->getWinID();
  sageInf->getWindow(up->app_x, up->app_y, up->app_w, up->app_h);
}

void addNewClient(sail* /*sageInf*/, char* fsIP) {
  sage::printLog("addNewClient: a window cannot be shown on a second wall (%s)", fsIP);
}

void replicateClient(sail* /*sageInf*/) {
  sage::printLog("replicateClient: a window cannot be shown twice on its wall");
}
