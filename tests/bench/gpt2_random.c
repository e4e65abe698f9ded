/* gpt2_random DIR: writes a folder with the shape of GPT-2 small and random weights, for the benchmark and for
 * torch_gpt2.py. 498 MB. */
#include <stdio.h>

#include "gpt2_folder.h"

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: gpt2_random DIR\n");
        return 2;
    }
    return gpt2_write(argv[1], &gpt2_small) ? 0 : 1;
}
