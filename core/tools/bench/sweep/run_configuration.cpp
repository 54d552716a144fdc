// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lapidary/bench/bench.h>
#include <lapidary/exec/compute.h>

namespace lapidary {

std::string name_of(const RunConfiguration& c, const RunConfiguration& usual) {
    const RunResources &r = c.resources, &usually = usual.resources;
    std::string name = r.threads == 0
                           ? "a thread per core"
                           : fmt::format("{} {}", r.threads, r.threads == 1 ? "thread" : "threads");
    const bool is_parallel = r.mode == ExecutionMode::parallel;
    if (is_parallel && (usually.mode != r.mode || usually.inter_threads != r.inter_threads))
        name += r.inter_threads == 0 ? ", parallel"
                                     : fmt::format(", parallel with {} at a time", r.inter_threads);
    if (!is_parallel && usually.mode != r.mode) name += ", sequential";
    if (r.spinning != usually.spinning) name += r.spinning ? ", spinning" : ", no spinning";
    if (c.batch != usual.batch)
        name +=
            c.batch == 0 ? std::string(", batch as it comes") : fmt::format(", batch {}", c.batch);
    if (compute_entry(r) != compute_entry(usually)) name += ", " + compute_entry(r) + " weights";
    if (c.level != usual.level) name += fmt::format(", {}", name_of(c.level));
    if (c.session_passes != usual.session_passes && c.session_passes)
        name += c.session_passes->set == SessionPasses::Set::all ? ", nodes fused"
                                                                 : ", one kernel per node";
    return name;
}

}  // namespace lapidary
