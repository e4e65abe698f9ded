/* The fast matrix product of the machine the program was built on: oneDNN where CMake found it, CBLAS
 * elsewhere, none where there is neither (the core then uses its plain loops). */
#ifndef APP_PRODUCT_H
#define APP_PRODUCT_H

#include "core/trace.h"

/* Sets the context's product, and whether it stays on the calling thread. */
void product_plug(CoreContext *cx);
/* "oneDNN", "CBLAS" or "plain loops". */
const char *product_name(void);

#endif
