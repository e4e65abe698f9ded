#include "app/product.h"

#if defined(ATTN_ONEDNN)

#include <dnnl.h>

/* The heads are shared out to the program's own threads: more of them inside a product would only be in their way. */
#if defined(ATTN_OPENMP)
#include <omp.h>
enum { ONE_THREAD = 1 };
static void stay_on_this_thread(void) { omp_set_num_threads(1); } /* a setting of the calling thread, cheap to repeat */
#else
enum { ONE_THREAD = 0 };
static void stay_on_this_thread(void) {}
#endif

static void product(void *ctx, bool b_transposed, int m, int n, int k, const float *a, int lda, const float *b, int ldb, float *c,
                    int ldc) {
    (void)ctx;
    stay_on_this_thread();
    dnnl_sgemm('N', b_transposed ? 'T' : 'N', m, n, k, 1.0F, a, lda, b, ldb, 0.0F, c, ldc);
}

const char *product_name(void) { return "oneDNN"; }

#elif defined(ATTN_CBLAS)

#include <cblas.h>

enum { ONE_THREAD = 0 };

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
    cx->product_one_thread = ONE_THREAD;
#else
    (void)cx;
#endif
}
