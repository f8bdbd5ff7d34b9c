// SAGE's functions for programs that want one call instead of a sailConfig; names and signatures of
// SAGE 3.x's public libsage.h, without its widgets.
#ifndef VITRAIL_SAGE_LIBSAGE_H
#define VITRAIL_SAGE_LIBSAGE_H

#include "misc.h"
#include "sail.h"

typedef void (*sageQuitFunc)(sail*);
typedef void (*sageWidgetFunc)(sail*);
typedef void (*sageSyncFunc)(sail*);

// Where the window stands, from the wall's upper left corner.
struct application_update_t {
  int updated;
  int app_id;
  int app_x, app_y, app_w, app_h;
};

// A window. NAME.conf, or the file that $SAGE_APP_CONFIG names, is read when there is one. fsIP may
// be NULL. Never NULL: a window that could not be opened gets APP_QUIT.
VITRAIL_SAGE_API sail* createSAIL(const char* appname, int ww, int hh, enum sagePixFmt pixelfmt,
                                  const char* fsIP, int roworder = BOTTOM_TO_TOP, int frate = 60,
                                  sageWidgetFunc wFunc = NULL);
VITRAIL_SAGE_API void deleteSAIL(sail* sageInf);
VITRAIL_SAGE_API unsigned char* nextBuffer(sail* sageInf);
VITRAIL_SAGE_API void swapBuffer(sail* sageInf);
VITRAIL_SAGE_API unsigned char* swapAndNextBuffer(sail* sageInf);
// Copies a picture of the buffer's size, and swaps.
VITRAIL_SAGE_API void swapWithBuffer(sail* sageInf, unsigned char* pixptr);
// Takes one message. After APP_QUIT: qfunc, then the window is closed and the program ends by
// exit(1), as in SAGE.
VITRAIL_SAGE_API void processMessages(sail* sageInf);
VITRAIL_SAGE_API void processMessages(sail* sageInf, sageQuitFunc qfunc, sageSyncFunc sfunc);
VITRAIL_SAGE_API void processMessages(sail* sageInf, application_update_t* up, sageQuitFunc qfunc,
                                      sageSyncFunc sfunc);
// A second wall for the same window: not here; they say so.
VITRAIL_SAGE_API void addNewClient(sail* sageInf, char* fsIP);
VITRAIL_SAGE_API void replicateClient(sail* sageInf);

#endif
