/* SHA-256 (FIPS 180-4): what a file is known by. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t state[8];
    uint64_t length;          /* bytes so far */
    unsigned char block[64];  /* the last length % 64 of them */
} Sha256;

enum { SHA256_HEX = 65 };

void sha256_init(Sha256 *sha);
void sha256_add(Sha256 *sha, const void *bytes, size_t size);
/* The digest of all bytes added, in 64 hexadecimal digits. The state is used up. Returns `hex`. */
char *sha256_finish(Sha256 *sha, char hex[SHA256_HEX]);

#endif
