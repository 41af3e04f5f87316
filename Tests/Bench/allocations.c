// Counts the memory allocations of a process that is started with this library preloaded.
//
//     cc -O2 -shared -fPIC -o allocations.so allocations.c
//     LD_PRELOAD=./allocations.so BENCH_ALLOCATIONS=file program
//
// The count is the first eight bytes of the file, kept there by a shared mapping.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own names behind the ones that are replaced here.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t before_start, *counter = &before_start;

static void count_one(void) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("BENCH_ALLOCATIONS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof *counter)) return;
    void *shared = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) counter = shared;
    close(file);
}

void *malloc(size_t size) {
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_one();
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    count_one();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    *result = memalign(alignment, size);
    return *result ? 0 : 12; // ENOMEM
}
