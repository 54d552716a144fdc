// SPDX-License-Identifier: Apache-2.0
#include "worker/farm/farm_plan.h"

#include <lapidary/internal/parse_json.h>

#include "worker/farm/farm_members.h"
#include "worker/protocol/described_json.h"

namespace lapidary::app {

std::string_view name_of(FarmSplit split) {
    switch (split) {
    case FarmSplit::models: return "models";
    case FarmSplit::samples: return "samples";
    case FarmSplit::candidates: break;
    }
    return "candidates";
}

std::vector<std::uint64_t> FarmPlan::tasks_of(std::uint64_t shard) const {
    std::vector<std::uint64_t> found;
    for (std::uint64_t i = 0; i < tasks.size(); ++i)
        if (tasks[i].shard == shard) found.push_back(i);
    return found;
}

std::string farm_plan_text(const FarmPlan& plan) {
    return json_of(plan).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

FarmPlan parse_farm_plan(std::string_view text) {
    return read_json<FarmPlan>(parse_json(text, "plan of a farm"), "plan of a farm");
}

std::string farm_plan_hash(const FarmPlan& plan) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a of 64 bits
    for (const char byte : line_of(json_of(plan))) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3;
    }
    constexpr int digits = 16;
    std::string text(digits, '0');
    for (int i = digits - 1; i >= 0; --i, hash >>= 4)
        text[static_cast<std::size_t>(i)] = "0123456789abcdef"[hash & 15];
    return text;
}

}  // namespace lapidary::app
