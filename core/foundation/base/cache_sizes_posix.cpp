// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_features.h"

#include <unistd.h>

namespace lapidary {
namespace {

#ifdef _SC_LEVEL1_DCACHE_SIZE
std::size_t cache_size(int name, std::size_t otherwise) {
    const long size = ::sysconf(name);
    return size > 0 ? static_cast<std::size_t>(size) : otherwise;
}
#endif

}  // namespace

const CacheSizes& cache_sizes() {
    static const CacheSizes sizes = [] {
        CacheSizes s;
#ifdef _SC_LEVEL1_DCACHE_SIZE
        s.l1 = cache_size(_SC_LEVEL1_DCACHE_SIZE, s.l1);
        s.l2 = cache_size(_SC_LEVEL2_CACHE_SIZE, s.l2);
        s.l3 = cache_size(_SC_LEVEL3_CACHE_SIZE, s.l3);
#endif
        return s;
    }();
    return sizes;
}

}  // namespace lapidary
