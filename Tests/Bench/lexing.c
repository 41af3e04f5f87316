// The floor of preparing an operation: the same bytes, only cut into tokens.
//
//     cc -O2 -o lexing lexing.c && ./lexing DOCUMENT COUNT
//
// One line of JSON: nanoseconds of CPU time for the whole document once.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int is_name(unsigned char byte) {
    return (unsigned char)((byte | 0x20) - 'a') < 26 || (unsigned char)(byte - '0') < 10 ||
           byte == '_';
}

// How many tokens the text has. Strings without escapes only.
static size_t tokens_of(const unsigned char *text, size_t count) {
    size_t tokens = 0, at = 0;
    while (at < count) {
        unsigned char byte = text[at];
        if (byte == ' ' || byte == '\n' || byte == ',' || byte == '\t' || byte == '\r') {
            at++;
            continue;
        }
        tokens++;
        if (is_name(byte)) {
            while (at < count && is_name(text[at])) at++;
        } else if (byte == '"') {
            at++;
            while (at < count && text[at] != '"') at++;
            at++;
        } else if (byte == '.') {
            at += 3;
        } else {
            at++;
        }
    }
    return tokens;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **words) {
    static unsigned char text[65536];
    FILE *file = count == 3 ? fopen(words[1], "r") : NULL;
    if (!file) return fprintf(stderr, "usage: lexing DOCUMENT COUNT\n"), 64;
    size_t bytes = fread(text, 1, sizeof text, file), tokens = 0;
    long rounds = atol(words[2]);
    int64_t start = now();
    for (long round = 0; round < rounds; round++) {
        // The compiler must not take the text for the same each time.
        __asm__ volatile("" : : "r"(text) : "memory");
        tokens += tokens_of(text, bytes);
    }
    printf("{\"tokens\": %zu, \"lexing\": %.1f}\n", tokens / (size_t)rounds,
           (double)(now() - start) / (double)rounds);
    return 0;
}
