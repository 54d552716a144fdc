// SPDX-License-Identifier: Apache-2.0
#include "memory_report/memory_verdict.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "graph/node_text.h"

namespace lapidary {
namespace {

constexpr std::size_t long_kept = 4;  // steps that make a tensor's wait worth reporting

std::string readable(std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

/// Without domain, and without brackets of its own: it comes between some.
std::string plain_op(std::string op) {
    constexpr std::string_view fused = " (fused)";
    if (op.ends_with(fused)) return op.replace(op.size() - fused.size(), fused.size(), ", fused");
    return without_domain(op);
}

/// The kind of most bytes at the peak: tensors of one type, or working memory.
struct Group {
    std::string type;  // empty: working memory
    std::size_t count = 0;
    std::uint64_t bytes = 0;
};

Group largest_group(const MemoryReport& report) {
    std::map<std::string, Group> groups;
    for (std::size_t i : report.at_peak) {
        const TensorLifetime& t = report.tensors[i];
        Group& g = groups[t.role == TensorRole::workspace ? std::string() : t.type];
        g.type = t.role == TensorRole::workspace ? std::string() : t.type;
        ++g.count;
        g.bytes += t.bytes;
    }
    Group most;
    for (const auto& [type, g] : groups)
        if (g.bytes > most.bytes) most = g;
    return most;
}

/// ", one only for "Concat_118" (Concat) 40 steps later": the tensor that waits longest among those
/// with a tenth of the peak or more.
std::string longest_wait(const MemoryReport& report, const Group& group) {
    const TensorLifetime* longest = nullptr;
    for (std::size_t i : report.at_peak) {
        const TensorLifetime& t = report.tensors[i];
        if (t.role != TensorRole::activation || t.bytes * 10 < report.needed_bytes ||
            t.last_step < report.peak_step + long_kept)
            continue;
        if (!longest || t.last_step > longest->last_step) longest = &t;
    }
    if (!longest) return {};
    const std::string reader = "only for " + quote(longest->kept_by) + " (" +
                               plain_op(report.step_ops[longest->last_step]) + ") " +
                               std::to_string(longest->last_step - report.peak_step) +
                               " steps later";
    if (longest->type == group.type)
        return group.count == 1 ? ", alive " + reader : ", one " + reader;
    return ", one of " + longest->type + " " + reader;
}

}  // namespace

std::string memory_verdict(const MemoryReport& report) {
    if (report.steps.empty()) return "Nothing runs: the model has no nodes.";
    if (report.needed_bytes == 0) return "No activation has a size that is known before it runs.";
    const Group group = largest_group(report);
    const std::size_t others = report.at_peak.size() - group.count;
    std::string text = "Activations planned: " + readable(report.needed_bytes) + " at node " +
                       quote(report.steps[report.peak_step]) + " (" +
                       plain_op(report.step_ops[report.peak_step]) + "): ";
    if (group.type.empty()) text += "its working memory of " + readable(group.bytes);
    else if (group.count == 1 && others > 0)
        return text + std::to_string(others + 1) + " tensors alive, the largest " + group.type +
               " (" + readable(group.bytes) + ")" + longest_wait(report, group) + ".";
    else
        text += std::to_string(group.count) + (group.count == 1 ? " tensor" : " tensors") + " of " +
                group.type + " alive";
    if (group.bytes * 10 < report.needed_bytes * 9 && others > 0)
        text += (group.type.empty() ? "" : " (" + readable(group.bytes) + ")") + " beside " +
                std::to_string(others) + (others == 1 ? " other" : " others");
    return text + longest_wait(report, group) + ".";
}

}  // namespace lapidary
