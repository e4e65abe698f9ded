#include "backend/window_input.h"

#include <stdio.h>

#include "base/utf8.h"

typedef struct { SDL_Keycode code; const char *name; } KeyName;

static const KeyName names[] = {
    {SDLK_SPACE, "Space"},       {SDLK_RETURN, "Enter"},     {SDLK_KP_ENTER, "Enter"},   {SDLK_ESCAPE, "Esc"},
    {SDLK_BACKSPACE, "Backspace"}, {SDLK_TAB, "Tab"},        {SDLK_DELETE, "Delete"},    {SDLK_INSERT, "Insert"},
    {SDLK_LEFT, "Left"},         {SDLK_RIGHT, "Right"},      {SDLK_UP, "Up"},            {SDLK_DOWN, "Down"},
    {SDLK_HOME, "Home"},         {SDLK_END, "End"},          {SDLK_PAGEUP, "PageUp"},    {SDLK_PAGEDOWN, "PageDown"},
    {SDLK_MENU, "Menu"},         {SDLK_APPLICATION, "Menu"}, {SDLK_KP_PLUS, "+"},        {SDLK_KP_MINUS, "-"},
    {SDLK_KP_MULTIPLY, "*"},     {SDLK_KP_DIVIDE, "/"},      {SDLK_KP_EQUALS, "="},      {SDLK_AC_BACK, "Back"},
    {SDLK_AC_FORWARD, "Forward"},
};

/* The number pad: a digit with Num Lock, else what is printed below it. */
typedef struct { SDL_Keycode code; const char *with, *without; } PadName;

static const PadName pad[] = {
    {SDLK_KP_0, "0", "Insert"}, {SDLK_KP_1, "1", "End"},   {SDLK_KP_2, "2", "Down"},   {SDLK_KP_3, "3", "PageDown"},
    {SDLK_KP_4, "4", "Left"},   {SDLK_KP_5, "5", ""},      {SDLK_KP_6, "6", "Right"},  {SDLK_KP_7, "7", "Home"},
    {SDLK_KP_8, "8", "Up"},     {SDLK_KP_9, "9", "PageUp"}, {SDLK_KP_PERIOD, ".", "Delete"},
};

/* Signs that are typed with Shift. SDL tells the unshifted one only; where layouts differ, the place of the key decides. */
typedef struct { SDL_Keycode code; SDL_Scancode at; const char *shifted; } Shifted; /* at UNKNOWN: anywhere */

static const Shifted shifted[] = {
    {SDLK_SLASH, SDL_SCANCODE_SLASH, "?"},         {0xdf, SDL_SCANCODE_UNKNOWN, "?"},            /* US; German sharp s */
    {SDLK_COMMA, SDL_SCANCODE_M, "?"},             {SDLK_QUOTE, SDL_SCANCODE_MINUS, "?"},        /* French; Italian, Spanish */
    {SDLK_PLUS, SDL_SCANCODE_MINUS, "?"},          {SDLK_EQUALS, SDL_SCANCODE_UNKNOWN, "+"},     /* Nordic; US, French */
    {SDLK_MINUS, SDL_SCANCODE_MINUS, "_"},         {SDLK_SEMICOLON, SDL_SCANCODE_COMMA, "."},    /* US; French */
    {SDLK_SEMICOLON, SDL_SCANCODE_SEMICOLON, ":"}, {SDLK_PERIOD, SDL_SCANCODE_PERIOD, ">"},
    {SDLK_COMMA, SDL_SCANCODE_COMMA, "<"},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

unsigned input_mods(unsigned sdl_mods) {
    unsigned mods = 0;
    if (sdl_mods & KMOD_SHIFT) mods |= MOD_SHIFT;
    if (sdl_mods & (KMOD_CTRL | KMOD_GUI)) mods |= MOD_CTRL;
    if (sdl_mods & KMOD_ALT) mods |= MOD_ALT;
    return mods;
}

static const char *named(const SDL_Keysym *key) {
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].code == key->sym) return names[i].name;
    for (size_t i = 0; i < COUNT(pad); i++)
        if (pad[i].code == key->sym) return key->mod & KMOD_NUM ? pad[i].with : pad[i].without;
    return NULL;
}

static const char *shifted_sign(const SDL_Keysym *key) {
    for (size_t i = 0; i < COUNT(shifted); i++)
        if (shifted[i].code == key->sym && (shifted[i].at == SDL_SCANCODE_UNKNOWN || shifted[i].at == key->scancode))
            return shifted[i].shifted;
    return NULL;
}

/* The digit printed on a key of the upper row where the layout has digits behind Shift (French), else -1. */
static int digit_behind_shift(const SDL_Keysym *key) {
    if (key->sym >= '0' && key->sym <= '9') return -1;
    if (key->scancode == SDL_SCANCODE_0) return 0;
    if (key->scancode >= SDL_SCANCODE_1 && key->scancode <= SDL_SCANCODE_9) return (int)(key->scancode - SDL_SCANCODE_1) + 1;
    return -1;
}

static bool is_letter_key(SDL_Scancode code) { return code >= SDL_SCANCODE_A && code <= SDL_SCANCODE_Z; }

/* A printable key without a name of its own. */
static bool name_printable(const SDL_Keysym *key, Input *out) {
    int digit = digit_behind_shift(key);
    const char *sign = out->mods & MOD_SHIFT ? shifted_sign(key) : NULL;
    if (digit >= 0) {
        snprintf(out->key, sizeof out->key, "%d", digit);
        out->mods &= ~(unsigned)MOD_SHIFT;
    } else if (sign != NULL) {
        snprintf(out->key, sizeof out->key, "%s", sign);
        out->mods &= ~(unsigned)MOD_SHIFT;
    } else if (key->sym > 0x7f && is_letter_key(key->scancode)) { /* other scripts: shortcuts go by the place of the key */
        snprintf(out->key, sizeof out->key, "%c", 'a' + (int)(key->scancode - SDL_SCANCODE_A));
    } else {
        char bytes[4];
        int n = utf8_put(bytes, (uint32_t)key->sym);
        snprintf(out->key, sizeof out->key, "%.*s", n, bytes);
    }
    return true;
}

bool input_key(const SDL_Keysym *key, Input *out) {
    out->mods = input_mods(key->mod);
    const char *name = named(key);
    if (name != NULL) {
        snprintf(out->key, sizeof out->key, "%s", name);
        return name[0] != '\0';
    }
    if (key->sym >= SDLK_F1 && key->sym <= SDLK_F12) {
        snprintf(out->key, sizeof out->key, "F%d", (int)(key->sym - SDLK_F1) + 1);
        return true;
    }
    if (key->sym <= 0x20 || (key->sym & SDLK_SCANCODE_MASK) != 0) return false;
    return name_printable(key, out);
}
