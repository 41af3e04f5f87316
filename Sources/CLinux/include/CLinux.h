// Linux calls that Swift's Glibc module does not have. Never define _GNU_SOURCE in this header:
// it changes fd_set and clang then refuses every other C module beside it.
#ifndef HELIOGRAPH_CLINUX_H
#define HELIOGRAPH_CLINUX_H
#ifdef __linux__
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

/// accept4(2), which needs _GNU_SOURCE and therefore lives in CLinux.c.
int clinux_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

// Edge-triggered is a bit too high for the signed constant that Swift would import.
static inline uint32_t clinux_epollet(void) { return (uint32_t)EPOLLET; }

// Bytes that the kernel has taken and the peer has not (SIOCOUTQ, tcp(7)); ioctl is variadic and
// Swift imports no such function.
static inline int clinux_unacknowledged(int socket) {
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : 0;
}

// The thread sanitizer sees the atomics of code that it was built with; Swift's Mutex is in the
// toolchain's own library. These tell it what a lock orders, and are nothing in other builds: the
// symbols are then not there.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));
static inline void clinux_lock_acquired(void *lock) { if (__tsan_acquire) __tsan_acquire(lock); }
static inline void clinux_lock_releases(void *lock) { if (__tsan_release) __tsan_release(lock); }
#endif
#endif
