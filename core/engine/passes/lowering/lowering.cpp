// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/lowering.h"

#include <optional>

#include "rewrite/pipeline.h"

namespace lapidary {

namespace passes {
PassBody eliminate_dead_nodes();
}

namespace lowering {
#define LAPIDARY_LOWERING(domain, op, function, summary) \
    Outcome function(const Node& node, PassContext& context);
#include "passes/lowering/lowering.inc"
#undef LAPIDARY_LOWERING
}  // namespace lowering

namespace {

PassBody lowering_body(std::string domain, std::string op, LowerNode lower,
                       LoweringChoice is_meant) {
    return {.run = [domain = std::move(domain), op = std::move(op), lower,
                    is_meant = std::move(is_meant)](PassContext& context) {
        for (NodeId id : context.nodes()) {
            if (!context.graph().is_alive(id)) continue;
            const Node node = context.graph().node(id);
            if (node.op_type != op || node.domain != domain) continue;
            if (is_meant && !is_meant(context.graph(), node)) continue;
            const Outcome outcome = lower(node, context);
            if (outcome.done) context.record(outcome.text);
            else if (!outcome.text.empty()) context.miss(id, outcome.text);
        }
    }};
}

struct LoweringEntry {
    std::string_view domain;
    PassEntry pass;
};

/// The lowerings of every domain, or of `domain` alone, and the sweep after them. No choice: all
/// nodes are meant.
std::vector<PassEntry> lowering_entries(std::optional<std::string_view> domain,
                                        const LoweringChoice& is_meant = {}) {
    const LoweringEntry known[] = {
#define LAPIDARY_LOWERING(domain, op, function, summary)                                   \
    {domain, {PassInfo{#function, Level::basic, 0, "all", true, "", summary}, [is_meant] { \
                  return lowering_body(domain, op, &lowering::function, is_meant);         \
              }}},
#include "passes/lowering/lowering.inc"
#undef LAPIDARY_LOWERING
    };
    std::vector<PassEntry> entries;
    for (const LoweringEntry& entry : known)
        if (!domain || entry.domain == *domain) entries.push_back(entry.pass);
    entries.push_back({PassInfo{"eliminate_dead_nodes", Level::basic, 1, "all", true, "",
                                "Removes what lowering left unread."},
                       &passes::eliminate_dead_nodes});
    return entries;
}

LoweringResult lower(Model& model, std::span<const PassEntry> entries, const Progress& progress) {
    const OptimizeOptions options;
    Pipeline pipeline(model, options, progress, entries);
    pipeline.run();
    PipelineReport report = pipeline.take_report();
    return {std::move(report.rewrites), std::move(report.near_misses)};
}

}  // namespace

LoweringResult lower_contrib(Model& model, const Progress& progress) {
    static const std::vector<PassEntry> entries = lowering_entries({});
    return lower(model, entries, progress);
}

LoweringResult lower_contrib(Model& model, const LoweringChoice& is_meant,
                             const Progress& progress) {
    return lower(model, lowering_entries({}, is_meant), progress);
}

LoweringResult lower_unofficial(Model& model, const Progress& progress) {
    static const std::vector<PassEntry> entries = lowering_entries("");
    return lower(model, entries, progress);
}

std::vector<std::string> lowered_operators() {
    return {
#define LAPIDARY_LOWERING(domain, op, function, summary) \
    std::string(domain).empty() ? std::string(op) : std::string(domain) + "::" + op,
#include "passes/lowering/lowering.inc"
#undef LAPIDARY_LOWERING
    };
}

}  // namespace lapidary
