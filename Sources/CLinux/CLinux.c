#define _GNU_SOURCE
#include "CLinux.h"
#ifdef __linux__
int clinux_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(listener, address, length, flags);
}
#endif
