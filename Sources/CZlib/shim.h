#ifndef HELIOGRAPH_CZLIB_H
#define HELIOGRAPH_CZLIB_H
#include <zlib.h>
/// inflateInit2 and deflateInit2 are macros around functions that check the version and the
/// struct's size; Swift does not import them. Negative window bits mean raw deflate.
static inline int czlib_inflate_init_raw(z_stream *stream, int window_bits) {
    return inflateInit2(stream, -window_bits);
}
static inline int czlib_deflate_init_raw(
    z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(
        stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}
#endif
