#ifndef HELIOGRAPH_COPENSSL_H
#define HELIOGRAPH_COPENSSL_H
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Swift imports neither macros with parameters nor those with casts; these are the ones we use.

static inline int copenssl_set_min_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline void copenssl_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

static inline void copenssl_disable_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// What all our connections are told not to do; those bits do not fit the type Swift would give.
static inline void copenssl_set_strict_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION
        | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

static inline void copenssl_set_server_name_callback(
    SSL_CTX *context, int (*callback)(SSL *, int *, void *)
) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
}

static inline int copenssl_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

static inline int copenssl_error_reason(unsigned long error) {
    return ERR_GET_REASON(error);
}
#endif
