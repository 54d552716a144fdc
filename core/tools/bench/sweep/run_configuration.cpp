// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lapidary/bench/bench.h>

namespace lapidary {

std::string name_of(const RunConfiguration& c, const RunConfiguration& usual) {
    std::string name = c.intra == 0
                           ? "a thread per core"
                           : fmt::format("{} {}", c.intra, c.intra == 1 ? "thread" : "threads");
    if (c.mode == ExecutionMode::parallel && (usual.mode != c.mode || usual.inter != c.inter))
        name += c.inter == 0 ? ", parallel" : fmt::format(", parallel with {} at a time", c.inter);
    if (c.mode != usual.mode && c.mode == ExecutionMode::sequential) name += ", sequential";
    if (c.spinning != usual.spinning) name += c.spinning ? ", spinning" : ", no spinning";
    if (c.batch != usual.batch)
        name +=
            c.batch == 0 ? std::string(", batch as it comes") : fmt::format(", batch {}", c.batch);
    if (c.level != usual.level) name += fmt::format(", {}", name_of(c.level));
    if (c.session_passes != usual.session_passes && c.session_passes)
        name += c.session_passes->set == SessionPasses::Set::all ? ", nodes fused"
                                                                 : ", one kernel per node";
    return name;
}

}  // namespace lapidary
