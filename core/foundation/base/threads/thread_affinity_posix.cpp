// SPDX-License-Identifier: Apache-2.0
#include "base/threads/thread_affinity.h"

#include <sched.h>

#include <cstring>

namespace lapidary {

#ifdef __linux__

static_assert(ProcessorSet::most == CPU_SETSIZE && sizeof(cpu_set_t) == ProcessorSet::most / 8 &&
              sizeof(unsigned long) == sizeof(std::uint64_t));

std::optional<ProcessorSet> thread_processors() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return std::nullopt;
    ProcessorSet processors;
    std::memcpy(processors.words().data(), &set, sizeof set);
    return processors;
}

bool set_thread_processors(const ProcessorSet& processors) {
    cpu_set_t set;
    std::memcpy(&set, processors.words().data(), sizeof set);
    return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

#else

std::optional<ProcessorSet> thread_processors() { return std::nullopt; }
bool set_thread_processors(const ProcessorSet&) { return false; }

#endif

}  // namespace lapidary
