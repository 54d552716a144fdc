// SPDX-License-Identifier: Apache-2.0
#include "engines/resident_bytes.h"

#include <unistd.h>

#include <fstream>

namespace lapidary {

std::int64_t resident_bytes() {
    std::ifstream in("/proc/self/statm");
    std::int64_t size = 0, resident = 0;
    in >> size >> resident;
    return in ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

}  // namespace lapidary
