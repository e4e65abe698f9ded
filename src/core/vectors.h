/* Loops that are compiled for several widths of vectors, one of which is taken at start. Lanes are fixed and nothing is
 * contracted, so that all of them give the same bits. The core's own. */
#ifndef CORE_VECTORS_H
#define CORE_VECTORS_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDE_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE_VECTORS
#endif

#endif
