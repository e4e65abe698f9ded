/* Bytes as letters that can be seen, as byte-level vocabularies write them (Radford et al. 2019): printable Latin-1
 * stands for itself, the other 68 bytes, in order, are U+0100, U+0101 … */
#include "model/encoder_internal.h"

enum { FIRST_LETTER = 0x100, HIDDEN = 68 };

static bool stands_for_itself(unsigned byte) {
    return (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
}

uint32_t enc_byte_letter(unsigned char byte) {
    if (stands_for_itself(byte)) return byte;
    if (byte <= 0x20) return FIRST_LETTER + byte;                /* 33 of them: 0 … 32 */
    if (byte <= 0xA0) return FIRST_LETTER + 33u + (byte - 0x7Fu); /* 34: 127 … 160 */
    return FIRST_LETTER + 67;                                     /* 173 */
}

int enc_letter_byte(uint32_t letter) {
    if (letter < FIRST_LETTER) return stands_for_itself(letter) ? (int)letter : -1;
    if (letter >= FIRST_LETTER + HIDDEN) return -1;
    int index = (int)(letter - FIRST_LETTER);
    return index <= 32 ? index : index < 67 ? index - 33 + 0x7F : 0xAD;
}

bool enc_bytes_run(EncWork *work, EncText *text) {
    EncMaker maker;
    enc_maker_init(&maker, work->arena, text->n * 2);
    for (int at = 0; at < text->n; at++) enc_put(&maker, enc_byte_letter((unsigned char)text->bytes[at]), text->spans[at]);
    return enc_maker_end(&maker, text->origin, text, work->err);
}
