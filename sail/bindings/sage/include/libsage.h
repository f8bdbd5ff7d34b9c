// SAGE's functions for programs that use one call instead of a sailConfig. Names and signatures are
// those of SAGE 3.x's public libsage.h, without its widgets.
#ifndef VITRAIL_SAGE_LIBSAGE_H
#define VITRAIL_SAGE_LIBSAGE_H

#include "misc.h"
#include "sail.h"

typedef void (*sageQuitFunc)(sail*);
typedef void (*sageWidgetFunc)(sail*);
typedef void (*sageSyncFunc)(sail*);

// Position of the window, from the wall's upper left corner.
struct application_update_t {
  int updated;
  int app_id;
  int app_x, app_y, app_w, app_h;
};

// Opens a window. Reads NAME.conf, or the file in $SAGE_APP_CONFIG, if it exists. fsIP may be NULL.
// Never returns NULL: if opening failed, the program receives APP_QUIT.
VITRAIL_SAGE_API sail* createSAIL(const char* appname, int ww, int hh, enum sagePixFmt pixelfmt,
                                  const char* fsIP, int roworder = BOTTOM_TO_TOP, int frate = 60,
                                  sageWidgetFunc wFunc = NULL);
VITRAIL_SAGE_API void deleteSAIL(sail* sageInf);
VITRAIL_SAGE_API unsigned char* nextBuffer(sail* sageInf);
VITRAIL_SAGE_API void swapBuffer(sail* sageInf);
VITRAIL_SAGE_API unsigned char* swapAndNextBuffer(sail* sageInf);
// Copies a picture as large as the buffer, and swaps.
VITRAIL_SAGE_API void swapWithBuffer(sail* sageInf, unsigned char* pixptr);
// Processes one message. On APP_QUIT: calls qfunc, closes the window, calls exit(1), as in SAGE.
VITRAIL_SAGE_API void processMessages(sail* sageInf);
VITRAIL_SAGE_API void processMessages(sail* sageInf, sageQuitFunc qfunc, sageSyncFunc sfunc);
VITRAIL_SAGE_API void processMessages(sail* sageInf, application_update_t* up, sageQuitFunc qfunc,
                                      sageSyncFunc sfunc);
// Not supported (a second wall for the same window): prints a message.
VITRAIL_SAGE_API void addNewClient(sail* sageInf, char* fsIP);
VITRAIL_SAGE_API void replicateClient(sail* sageInf);

#endif
