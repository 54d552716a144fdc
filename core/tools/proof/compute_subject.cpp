// SPDX-License-Identifier: Apache-2.0
// A model on given inputs, judged with weights in other numbers.
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <lapidary/exec/executed_model.h>
#include <lapidary/exec/session.h>
#include <lapidary/proof/choose_compute.h>

#include "cost/node_sizes.h"
#include "exec/plan/large_weights.h"
#include "kernels/kernel.h"

namespace lapidary {
namespace {

SessionOptions with(SessionOptions options, Compute compute) {
    options.config_entries.erase(std::string(compute_key));
    options.resources.config[std::string(compute_key)] = name_of(compute);
    options.enable_profiling = false;
    return options;
}

/// Rows of the left operand, from the product's output. Of a node with bodies: those of a decoder.
std::int64_t rows_of(const Node& node, const NodeTotal& total) {
    if (node.op_type == "If" || node.op_type == "Loop" || node.op_type == "Scan") return 1;
    const auto sizes = recorded_sizes(node, total.shapes);
    const TensorSize* const output = sizes ? sizes->output(0) : nullptr;
    if (!output || output->shape.empty() || output->shape.back() < 1) return 1;
    return static_cast<std::int64_t>(output->elements() / output->dim(-1));
}

/// Products whose weight rounding would take, and nodes that have such products in their bodies.
struct LargeProducts {
    std::set<NodeId> nodes;
    std::uint64_t weight_bytes = 0;  // each weight once

    explicit LargeProducts(const Graph& graph) {
        std::set<const void*> seen;
        for (const NodeId id : graph.nodes())
            for (const Tensor& weight : large_weights(graph, graph.node(id))) {
                nodes.insert(id);
                if (seen.insert(weight.identity()).second) weight_bytes += weight.byte_size();
            }
    }
};

/// Convolutions that a session rounding to a type computes by a kernel that rounds both sides.
struct RoundedConvolutions {
    std::set<NodeId> nodes;
    std::uint64_t weight_bytes = 0;

    RoundedConvolutions(const Graph& graph, DType to) {
        KernelOptions options;
        options.rounds_inputs_to = to;
        WeightStore weights;  // which is never filled
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (node.op_type != "Conv") continue;
            const KernelRequest request{graph, node, options, weights, {}};
            const std::string name = choose_kernel(request).name;
            if (name != "convolution.bf16" && name != "convolution.half_pointwise") continue;
            nodes.insert(id);
            weight_bytes += request.constant(1)->byte_size();
        }
    }
    double ms(const ProfileSummary& summary) const {
        double ms = 0;
        for (const NodeTotal& total : summary.nodes)
            if (total.node && nodes.contains(total.node)) ms += total.ms;
        return ms;
    }
};

class ModelSubject : public ComputeSubject {
public:
    ModelSubject(ModelPtr model, SessionOptions options, NamedValues inputs)
        : model_(std::move(model)), options_(std::move(options)), inputs_(std::move(inputs)) {}

    ExactRun measure_exact(const Progress& progress) override {
        const SessionOptions options = with(options_, Compute::exact);
        // A session lets go of the weights that its kernels have packed.
        const Model executed = executed_model(*model_, options, progress);
        const LargeProducts products(executed.graph);
        ExactRun exact;
        const RoundedConvolutions in_fp16(executed.graph, DType::f16),
            in_bf16(executed.graph, DType::bf16);
        exact.weight_bytes =
            products.weight_bytes + std::max(in_fp16.weight_bytes, in_bf16.weight_bytes);
        if (exact.weight_bytes == 0) return exact;
        exact_ = std::make_shared<Session>(Session::compile(model_, options, progress));
        exact.threads = exact_->threads();
        RunOptions run;
        run.cancel = progress.cancel;
        exact_->run(inputs_, run);
        run.profile = true;
        run.repetitions = 3;
        const ProfileSummary summary = summarize(*exact_->run(inputs_, run).profile);
        exact.ms = summary.wall_ms;
        for (const NodeTotal& total : summary.nodes)
            if (total.node && products.nodes.contains(total.node))
                exact.products.push_back(
                    {rows_of(executed.graph.node(total.node), total), total.ms});
        exact.fp16_convolutions_ms = in_fp16.ms(summary);
        exact.bf16_convolutions_ms = in_bf16.ms(summary);
        return exact;
    }

    std::function<TimedRun()> open(Compute compute, const Progress& progress) override {
        const auto session = compute == Compute::exact && exact_
                                 ? exact_
                                 : std::make_shared<Session>(
                                       Session::compile(model_, with(options_, compute), progress));
        RunOptions run;
        run.cancel = progress.cancel;
        return [session, run, this] {
            const auto start = std::chrono::steady_clock::now();
            TimedRun timed{session->run(inputs_, run).outputs};
            timed.ms =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count();
            return timed;
        };
    }

private:
    ModelPtr model_;
    SessionOptions options_;
    NamedValues inputs_;
    std::shared_ptr<Session> exact_;  // null: it was not needed so far
};

}  // namespace

std::unique_ptr<ComputeSubject> subject_of(ModelPtr model, SessionOptions options,
                                           NamedValues inputs) {
    return std::make_unique<ModelSubject>(std::move(model), std::move(options), std::move(inputs));
}

std::uint64_t large_weight_bytes(const Model& model, const SessionOptions& options,
                                 const Progress& progress) {
    const Model executed = executed_model(model, with(options, Compute::exact), progress);
    return LargeProducts(executed.graph).weight_bytes;
}

}  // namespace lapidary
