// SPDX-License-Identifier: Apache-2.0
#include "interposed.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)

namespace lapidary::test {
bool can_count() { return false; }
void begin_counting(std::vector<std::size_t>*) {}
Counted end_counting() { return {}; }
}  // namespace lapidary::test

#else

#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

thread_local bool is_counting = false;
thread_local lapidary::test::Counted counted;
thread_local std::vector<std::size_t>* aligned_sizes = nullptr;

void count(std::size_t bytes) {
    if (!is_counting) return;
    ++counted.allocations;
    counted.bytes += bytes;
}

void count_aligned(std::size_t bytes) {
    count(bytes);
    if (is_counting && aligned_sizes && aligned_sizes->size() < aligned_sizes->capacity())
        aligned_sizes->push_back(bytes);
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
    count(bytes);
    return __libc_malloc(bytes);
}

void* calloc(std::size_t number, std::size_t bytes) {
    count(number * bytes);
    return __libc_calloc(number, bytes);
}

void* realloc(void* at, std::size_t bytes) {
    count(bytes);
    return __libc_realloc(at, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
    count(bytes);
    return __libc_memalign(alignment, bytes);
}

// As strict as C11 and some systems are.
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    count_aligned(bytes);
    if (bytes % alignment != 0) {
        errno = EINVAL;
        return nullptr;
    }
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** at, std::size_t alignment, std::size_t bytes) {
    count_aligned(bytes);
    *at = __libc_memalign(alignment, bytes);
    return *at ? 0 : ENOMEM;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    using Lock = int (*)(pthread_mutex_t*);
    static const Lock next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    if (is_counting) ++counted.locks;
    return next(mutex);
}

}  // extern "C"

namespace lapidary::test {

bool can_count() { return true; }

void begin_counting(std::vector<std::size_t>* sizes) {
    aligned_sizes = sizes;
    counted = {};
    is_counting = true;
}

Counted end_counting() {
    is_counting = false;
    return counted;
}

}  // namespace lapidary::test

#endif
