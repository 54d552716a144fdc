// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/inspect_quantized.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/exec/session.h>

#include "graph/copy_model.h"
#include "quantize/quantize_parts.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/writers/quantized_operators.h"

namespace lapidary {
namespace {

constexpr double reported_share = 1e-3;  // of elements beyond the range that was calibrated
constexpr std::size_t reported = 5;

std::set<std::string> written_floats(const Graph& graph) {
    std::set<std::string> names;
    for (NodeId id : graph.nodes())
        for (ValueId output : graph.node(id).outputs)
            if (output && graph.value(output).type.is_tensor() &&
                is_float(graph.value(output).type.dtype))
                names.insert(graph.value(output).name);
    return names;
}

Session plain_session(const Model& model, int threads, const Progress& progress) {
    SessionOptions options;
    options.resources.threads = threads;
    options.session_passes.set = SessionPasses::Set::none;
    return Session::compile(std::make_shared<const Model>(copy_model(model, progress.cancel)),
                            options, {progress.cancel, {}});
}

RunOptions reading(const std::set<std::string>& names, const Graph& graph,
                   const Progress& progress) {
    RunOptions options;
    options.cancel = progress.cancel;
    std::set<std::string> given;
    for (ValueId id : graph.outputs()) given.insert(graph.value(id).name);
    for (const std::string& name : names)
        if (!given.contains(name)) options.extra_outputs.push_back(name);
    return options;
}

class Inspector {
public:
    Inspector(const Model& reference, const QuantizeResult& made, const Progress& progress)
        : reference_(reference), made_(made), progress_(progress) {
        const std::set<std::string> mine = written_floats(reference.graph),
                                    theirs = written_floats(made.model.graph);
        for (const std::string& name : mine)
            if (theirs.contains(name)) shared_.insert(name);
        for (const QuantizedRange& range : made.ranges) ranges_[range.name] = {&range, 0, 0};
    }

    void look(const SampleSource& samples, int threads) {
        Session first = plain_session(reference_, threads, progress_),
                second = plain_session(made_.model, threads, progress_);
        std::set<std::string> wanted = shared_;
        const std::set<std::string> written = written_floats(reference_.graph);
        for (const auto& [name, seen] : ranges_)
            if (written.contains(name)) wanted.insert(name);
        const RunOptions of_first = reading(wanted, reference_.graph, progress_),
                         of_second = reading(shared_, made_.model.graph, progress_);
        const std::size_t count = std::min(inspected_samples, samples.size());
        for (std::size_t i = 0; i < count; ++i) {
            progress_.step("layers", static_cast<double>(i) / static_cast<double>(count));
            try {
                const NamedValues inputs = samples.at(i, progress_.cancel);
                compare(first.run(inputs, of_first), second.run(inputs, of_second), inputs);
            } catch (const Error& error) {
                // evaluation reports samples that do not run
                if (error.code() == ErrorCode::cancelled) throw;
            }
        }
    }

    std::vector<LayerAccuracy> layers() const {
        std::vector<LayerAccuracy> out;
        for (NodeId id : reference_.graph.nodes()) {
            const Node& node = reference_.graph.node(id);
            for (ValueId output : node.outputs) {
                if (!output) continue;
                const auto sums = sums_.find(reference_.graph.value(output).name);
                if (sums == sums_.end()) continue;
                const auto [signal, noise] = sums->second;
                const double infinite = std::numeric_limits<double>::infinity();
                const double db = noise <= 0   ? infinite
                                  : signal > 0 ? 10 * std::log10(signal / noise)
                                               : -infinite;
                out.push_back(
                    {node.describe(), keep_name(reference_.graph, node), sums->first, db});
            }
        }
        return out;
    }

    void warn_of_ranges(std::vector<std::string>& warnings) const {
        std::vector<std::pair<double, const QuantizedRange*>> beyond;
        for (const auto& [name, seen] : ranges_)
            if (seen.elements > 0 && seen.beyond > reported_share * seen.elements)
                beyond.emplace_back(seen.beyond / seen.elements, seen.range);
        std::ranges::stable_sort(beyond, std::greater<>(),
                                 [](const auto& entry) { return entry.first; });
        for (std::size_t i = 0; i < beyond.size() && i < reported; ++i)
            warnings.push_back(fmt::format(
                "{:.1f} % of value {} are beyond the range [{:.4g}, {:.4g}] of the samples "
                "that gave it: more or other samples are needed",
                beyond[i].first * 100, quote(beyond[i].second->name), beyond[i].second->low,
                beyond[i].second->high));
        if (beyond.size() > reported)
            warnings.push_back(
                fmt::format("so it is with {} more values", beyond.size() - reported));
    }

private:
    struct Seen {
        const QuantizedRange* range = nullptr;
        double elements = 0, beyond = 0;
    };

    void compare(const RunResult& expected, const RunResult& found, const NamedValues& inputs) {
        for (const std::string& name : shared_) {
            const RuntimeValue *a = find(expected.outputs, name), *b = find(found.outputs, name);
            if (a && b && a->is_tensor() && b->is_tensor()) add(name, a->tensor(), b->tensor());
        }
        for (auto& [name, seen] : ranges_) {
            const RuntimeValue* value = find(expected.outputs, name);
            if (!value) value = find(inputs, name);
            if (!value || !value->is_tensor() || value->tensor().dtype() != DType::f32) continue;
            for (float v : value->tensor().data<float>()) {
                seen.elements += 1;
                seen.beyond += v < seen.range->low || v > seen.range->high;
            }
        }
    }

    void add(const std::string& name, const Tensor& a, const Tensor& b) {
        if (!is_float(a.dtype()) || !is_float(b.dtype()) || a.shape() != b.shape()) return;
        auto& [signal, noise] = sums_[name];
        const std::vector<double> x = to_doubles(a), y = to_doubles(b);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!std::isfinite(x[i])) continue;
            const double off = x[i] - (std::isfinite(y[i]) ? y[i] : 0);
            signal += x[i] * x[i];
            noise += off * off;
        }
    }

    const Model& reference_;
    const QuantizeResult& made_;
    const Progress& progress_;
    std::set<std::string> shared_;  // values that both write
    std::map<std::string, Seen> ranges_;
    std::map<std::string, std::pair<double, double>> sums_;  // signal, noise
};

/// u8 x s8 products are added in pairs in 16 bits there: 255 * (a + b) must stay within them.
bool may_saturate(const Tensor& weight) {
    constexpr int most = 128;
    if (weight.dtype() != DType::i8 || weight.rank() < 2) return false;
    const auto values = weight.data<std::int8_t>();
    // Along the inputs of an output: the first axis of matrices [K, N], else the rest of a filter.
    const std::size_t step = weight.rank() == 2 ? static_cast<std::size_t>(weight.dim(1)) : 1;
    for (std::size_t i = 0; i + step < values.size(); ++i)
        if (std::abs(int{values[i]} + int{values[i + step]}) > most) return true;
    return false;
}

void warn_of_kernels(const Model& model, const Progress& progress,
                     std::vector<std::string>& warnings) {
    std::size_t saturating = 0;
    for (ValueId id : model.graph.initializers()) {
        const Value& value = model.graph.value(id);
        saturating +=
            value.constant && value.constant->dtype() == DType::i8 && may_saturate(*value.constant);
    }
    if (saturating > 0)
        warnings.push_back(fmt::format(
            "{} neighbours whose 8-bit products saturate in ONNX Runtime on x86 CPUs without VNNI: "
            "weights "
            "of 7 bits are safe there",
            count_text(static_cast<std::int64_t>(saturating), "weight holds", "weights hold")));
    OptimizeOptions options;
    options.near_misses = false;
    if (const std::size_t idle = idle_pairs(optimize(model, options, {progress.cancel, {}}).model);
        idle > 0)
        warnings.push_back(
            fmt::format("no integer kernel takes up {} of QuantizeLinear and DequantizeLinear: {} "
                        "and {} nothing up",
                        count_text(static_cast<std::int64_t>(idle), "pair"),
                        idle == 1 ? "it rounds" : "they round", idle == 1 ? "speeds" : "speed"));
}

}  // namespace

QuantizedInspection inspect_quantized(const Model& model, const QuantizeOptions& options,
                                      const QuantizeResult& made,
                                      const SampleSource& calibration_samples,
                                      const SampleSource& evaluation_samples,
                                      const Progress& progress) {
    const QuantizeResult reference = quantize_parts(model, options, QuantizedParts::none,
                                                    &calibration_samples, {progress.cancel, {}});
    Inspector inspector(reference.model, made, progress);
    inspector.look(evaluation_samples, options.calibration.threads);
    QuantizedInspection out;
    out.layers = inspector.layers();
    inspector.warn_of_ranges(out.warnings);
    warn_of_kernels(made.model, progress, out.warnings);
    return out;
}

}  // namespace lapidary
