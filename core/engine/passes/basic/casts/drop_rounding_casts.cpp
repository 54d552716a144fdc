// SPDX-License-Identifier: Apache-2.0
//   before:  y = Cast(Conv(Cast(x), Cast(w)))   f32 to f16, f16 to f32; any operators that follow
//            their operands steadily
//   after:   y = Conv(x, w)
// Operators that compute in float16 or bfloat16 only because of Casts around them compute in
// float32, if that needs fewer Casts: those in front and behind are dropped, and results that are
// read as halves elsewhere are rounded once, at the end. ONNX Runtime does so for the CPU at every
// level (its InsertCastTransformer), XLA unless xla_allow_excess_precision is off.
//
// Each dropped rounding changes a value by at most half a unit in the last place: 2^-11 of it in
// float16 (2^-25 below its normal numbers), 2^-8 in bfloat16. Values beyond 65504 stay finite where
// float16 would have made them infinite.
//
// These roundings are kept: graph outputs, and values that a subgraph reads; roundings followed
// only by a Cast back or a movement of elements, which are on purpose (ONNX Runtime keeps them
// too); roundings before a selection or a step function; values combined with real half values;
// Casts from float64 or integers, which round differently.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

#include "passes/basic/casts/half_regions.h"
#include "rewrite/constant_math.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

/// Computes the region in float32 and rounds the values that are kept as halves.
class Widening {
public:
    explicit Widening(PassContext& context) : context_(context) {}

    void apply(const HalfRegion& region) {
        for (NodeId id : region.members) widen(id);
        for (NodeId id : region.dropped) {  // those behind; those in front go at the end
            const Node& cast = context_.graph().node(id);
            if (const auto wide = widened_.find(cast.inputs[0]); wide != widened_.end())
                context_.bypass(id, wide->second);
        }
        for (auto id = region.members.rbegin(); id != region.members.rend(); ++id)
            round_or_erase(*id);
        context_.erase_unused(region.dropped);
    }

private:
    void widen(NodeId id) {
        std::vector<ValueId> inputs = context_.graph().node(id).inputs;
        for (ValueId& in : inputs) in = wide(in);
        const ValueId half = context_.graph().node(id).outputs[0];
        widened_[half] = context_.node_like(id, std::move(inputs));
    }

    ValueId wide(ValueId value) {
        if (const auto known = widened_.find(value); known != widened_.end()) return known->second;
        const Scope& scope = context_.scope();
        if (const ValueId source = before_rounding(scope, value)) return source;
        const Tensor* constant = scope.constant(value);
        // indices, shapes, omitted
        if (!constant || (constant->dtype() != DType::f16 && constant->dtype() != DType::bf16))
            return value;
        return widened_[value] = context_.constant(
                   scope.value(value).name,
                   tensor_of_doubles(DType::f32, constant->shape(), to_doubles(*constant)));
    }

    void round_or_erase(NodeId id) {
        const ValueId half = context_.graph().node(id).outputs[0];
        if (context_.graph().value(half).is_unused()) {
            context_.edit().erase(id);
            return;
        }
        context_.replace_several({half}, "Cast", {widened_.at(half)},
                                 {attr("to", static_cast<int>(context_.scope().dtype(half)))});
    }

    PassContext& context_;
    std::unordered_map<ValueId, ValueId> widened_;  // half value -> the same in float32
};

void run(PassContext& context) {
    const std::vector<NodeId> nodes = context.nodes();
    const HalfRegions found = half_regions(context.scope(), nodes, context.cancel());
    for (const HalfRegion& region : found.regions) {
        if (!context.may_rewrite()) return;
        if (!region.computes) {
            context.miss(region.members[0],
                         "what is rounded is only moved, nothing is computed from it: the rounding "
                         "is wanted",
                         1, region.members);
            continue;
        }
        if (region.dropped.size() <= region.kept.size()) {
            context.miss(region.members[0],
                         fmt::format("computing it in f32 drops {} and needs {}",
                                     count_text(std::ssize(region.dropped), "Cast"),
                                     count_text(std::ssize(region.kept), "Cast")),
                         1, region.members);
            continue;
        }
        const std::string type(
            name_of(context.scope().dtype(context.graph().node(region.members[0]).outputs[0])));
        Widening(context).apply(region);
        context.record(
            fmt::format("{} computed in f32 instead of {}, {} fewer",
                        count_text(std::ssize(region.members), "operator"), type,
                        count_text(std::ssize(region.dropped) - std::ssize(region.kept), "Cast")));
    }
    for (const HalfRegions::Kept& k : found.kept)
        if (context.graph().is_alive(k.cast) && (!k.reader || context.graph().is_alive(k.reader)))
            context.miss(k.reader ? k.reader : k.cast, k.reason, 1,
                         k.reader ? std::vector{k.reader, k.cast} : std::vector{k.cast});
}

}  // namespace

PassBody drop_rounding_casts() { return {.run = run}; }

}  // namespace lapidary::passes
