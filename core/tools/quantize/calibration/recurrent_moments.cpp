// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/recurrent_moments.h"

#include <algorithm>

#include "quantize/weights/recurrent_products.h"
#include "quantize/calibration/visit_values.h"

namespace lapidary {
namespace {

// as for products: the work grows with its cube
constexpr std::int64_t most_recurrent_inputs = 2304;
constexpr std::int64_t steps_of_sample = 512, steps_in_all = 4096;

InputMoments empty_moments(std::int64_t size) {
    InputMoments moments;
    if (size > most_recurrent_inputs) return moments;
    moments.size = size;
    moments.sums.assign(static_cast<std::size_t>(size * size), 0);
    return moments;
}

std::vector<RecurrentMoments> nodes_of(const Graph& graph, const QuantizeOptions& options) {
    std::vector<RecurrentMoments> found;
    for (const WeightedProduct& product : recurrent_products(graph, options)) {
        const Node& node = graph.node(product.node);
        const Tensor& w = *graph.value(product.weight).constant;
        const Tensor* r = own_recurrent_weight(graph, node.inputs.at(2));
        if (!r || w.dim(0) != r->dim(0)) continue;
        RecurrentMoments moments{
            product.node, product.weight, node.inputs[2], {empty_moments(w.dim(2))}, {}};
        for (std::int64_t d = 0; d < r->dim(0); ++d)
            moments.hidden.push_back(empty_moments(r->dim(2)));
        found.push_back(std::move(moments));
    }
    return found;
}

void add_every(InputMoments& moments, std::span<const float> values, std::int64_t most_rows,
               const CancelToken& cancel) {
    const std::int64_t rows = static_cast<std::int64_t>(values.size()) / moments.size,
                       step = std::max<std::int64_t>(1, rows / most_rows);
    const auto width = static_cast<std::size_t>(moments.size);
    MomentRows to(moments);
    for (std::int64_t r = 0; r < rows; r += step) {
        cancel.throw_if_cancelled();
        to.add(0, values.subspan(static_cast<std::size_t>(r) * width, width));
        ++moments.rows;
    }
}

/// `states`: f32 [steps, directions, batch, units]. No step follows the last state of a direction.
void add_states(std::vector<InputMoments>& hidden, const Tensor& states,
                const CancelToken& cancel) {
    const auto steps = states.dim(0);
    const auto directions = static_cast<std::size_t>(states.dim(1)),
               each = static_cast<std::size_t>(states.dim(2) * states.dim(3));
    const std::int64_t most_rows =
        std::max<std::int64_t>(1, steps_of_sample / std::max<std::int64_t>(1, steps));
    for (std::int64_t step = 0; step < steps; ++step)
        for (std::size_t d = 0; d < directions; ++d) {
            // The second direction goes from the end to the beginning.
            const bool is_last = d == 0 ? step + 1 == steps : step == 0;
            if (!is_last && hidden[d].size > 0)
                add_every(hidden[d],
                          states.data<float>().subspan(
                              (static_cast<std::size_t>(step) * directions + d) * each, each),
                          most_rows, cancel);
        }
}

bool lacks_rows(const RecurrentMoments& found) {
    return found.input[0].size > 0 && found.input[0].rows < steps_in_all;
}

}  // namespace

bool is_known(const std::vector<InputMoments>& moments) {
    return !moments.empty() && std::ranges::all_of(moments, [](const InputMoments& m) {
        return m.size > 0 && m.rows > 0;
    });
}

std::vector<RecurrentMoments> collect_recurrent_moments(const Model& model,
                                                        const QuantizeOptions& options,
                                                        const SampleSource& samples,
                                                        const Progress& progress) {
    const Graph& graph = model.graph;
    std::vector<RecurrentMoments> nodes = nodes_of(graph, options);
    if (nodes.empty()) return nodes;
    std::vector<std::string> names;
    const auto states_of = [&](const RecurrentMoments& found) {
        const Node& node = graph.node(found.node);
        const bool has = !node.outputs.empty() && node.outputs[0];
        return has ? graph.value(node.outputs[0]).name : std::string();
    };
    const auto input_of = [&](const RecurrentMoments& found) {
        return graph.value(graph.node(found.node).inputs[0]).name;
    };
    for (const RecurrentMoments& found : nodes) {
        names.push_back(input_of(found));
        if (const std::string states = states_of(found); !states.empty()) names.push_back(states);
    }
    visit_values(
        model, samples, names, options.calibration.threads, progress,
        [&] { return std::ranges::any_of(nodes, lacks_rows); },
        [&](const SeenValues& seen) {
            for (RecurrentMoments& found : nodes) {
                if (!lacks_rows(found)) continue;
                const Tensor* const data = seen.find(input_of(found));
                const Tensor* const states = seen.find(states_of(found));
                if (data && data->dtype() == DType::f32 && data->rank() == 3 &&
                    data->dim(2) == found.input[0].size)
                    add_every(found.input[0], data->data<float>(), steps_of_sample,
                              progress.cancel);
                const bool fits =
                    states && states->dtype() == DType::f32 && states->rank() == 4 &&
                    states->dim(1) == static_cast<std::int64_t>(found.hidden.size()) &&
                    states->dim(3) == found.hidden[0].size;
                if (fits) add_states(found.hidden, *states, progress.cancel);
            }
        });
    return nodes;
}

}  // namespace lapidary
