// The helper functions of SAGE that programs use.
#ifndef VITRAIL_SAGE_MISC_H
#define VITRAIL_SAGE_MISC_H

#include "sage.h"

#ifndef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif

// Returns the bytes of a pixel; 8 for PIXFMT_DXT, as in SAGE.
VITRAIL_SAGE_API int getPixelSize(sagePixFmt format);

// Only for configure scripts that look for SAGE.
extern "C" VITRAIL_SAGE_API int findsage(char* name);

namespace sage {
VITRAIL_SAGE_API void initUtil();
// Prints a line on standard error.
VITRAIL_SAGE_API void printLog(const char* format, ...) __attribute__((format(printf, 1, 2)));
// Returns microseconds since an arbitrary time.
VITRAIL_SAGE_API double getTime();
VITRAIL_SAGE_API void usleep(unsigned long microseconds);
VITRAIL_SAGE_API unsigned int sleep(unsigned int seconds);
VITRAIL_SAGE_API void switchThread();
VITRAIL_SAGE_API int toupper(char* text);
VITRAIL_SAGE_API int tolower(char* text);
}  // namespace sage

#define SAGE_PRINTLOG sage::printLog

#endif
