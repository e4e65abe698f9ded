/* The colour tables behind the named ramps, as 0xRRGGBB. Their origins and terms are in assets/NOTICES.md. */
#ifndef DRAW_RAMP_TABLES_H
#define DRAW_RAMP_TABLES_H

#include <stdint.h>

extern const uint32_t ramp_viridis[256];
extern const uint32_t ramp_cividis[256];
extern const uint32_t ramp_ylorrd[9];

#endif
