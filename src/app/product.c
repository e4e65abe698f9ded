#include "app/product.h"

#if defined(ATTN_ONEDNN)

#include <dnnl.h>

static void product(void *ctx, bool b_transposed, int m, int n, int k, const float *a, int lda, const float *b, int ldb, float *c,
                    int ldc) {
    (void)ctx;
    dnnl_sgemm('N', b_transposed ? 'T' : 'N', m, n, k, 1.0F, a, lda, b, ldb, 0.0F, c, ldc);
}

const char *product_name(void) { return "oneDNN"; }

#elif defined(ATTN_CBLAS)

#include <cblas.h>

static void product(void *ctx, bool b_transposed, int m, int n, int k, const float *a, int lda, const float *b, int ldb, float *c,
                    int ldc) {
    (void)ctx;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, b_transposed ? CblasTrans : CblasNoTrans, m, n, k, 1.0F, a, lda, b, ldb, 0.0F, c, ldc);
}

const char *product_name(void) { return "CBLAS"; }

#else

const char *product_name(void) { return "plain loops"; }

#endif

void product_plug(CoreContext *cx) {
#if defined(ATTN_ONEDNN) || defined(ATTN_CBLAS)
    cx->product = product;
#else
    (void)cx;
#endif
}
