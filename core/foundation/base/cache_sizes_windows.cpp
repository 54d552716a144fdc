// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_features.h"

#include <windows.h>

#include <vector>

namespace lapidary {
namespace {

std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> processor_facts() {
    DWORD bytes = 0;
    ::GetLogicalProcessorInformation(nullptr, &bytes);
    std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> facts(
        bytes / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
    if (facts.empty() || !::GetLogicalProcessorInformation(facts.data(), &bytes)) return {};
    return facts;
}

}  // namespace

const CacheSizes& cache_sizes() {
    static const CacheSizes sizes = [] {
        CacheSizes s;
        for (const auto& fact : processor_facts()) {
            if (fact.Relationship != RelationCache || fact.Cache.Size == 0) continue;
            if (fact.Cache.Level == 1 && fact.Cache.Type == CacheData) s.l1 = fact.Cache.Size;
            if (fact.Cache.Level == 2) s.l2 = fact.Cache.Size;
            if (fact.Cache.Level == 3) s.l3 = fact.Cache.Size;
        }
        return s;
    }();
    return sizes;
}

}  // namespace lapidary
