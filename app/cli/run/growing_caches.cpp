// SPDX-License-Identifier: Apache-2.0
#include "cli/run/growing_caches.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t least_runs = 3, most_runs = 32;
constexpr double enough_ms = 2000;

/// How caches grow: all along the same axis by the same size.
struct Growth {
    std::size_t axis = 0;
    std::int64_t by = 0;
};

/// The name of that dimension of an input or output; empty: it has none.
std::string dimension_of(const Graph& graph, std::span<const ValueId> among,
                         const std::string& name, std::size_t axis) {
    const auto at =
        std::ranges::find_if(among, [&](ValueId id) { return graph.value(id).name == name; });
    const Type& type = graph.value(*at).type;
    if (!type.shape || axis >= type.shape->size() || !(*type.shape)[axis].is_symbolic()) return {};
    return (*type.shape)[axis].symbol();
}

/// Throws invalid_input with a phrase unless the shapes differ along exactly one axis.
Growth growth_of(const Shape& before, const Shape& after, const CachePair& pair) {
    std::optional<Growth> growth;
    for (std::size_t axis = 0; axis < before.size() && axis < after.size(); ++axis) {
        if (before[axis] == after[axis]) continue;
        if (growth || after[axis] < before[axis])
            fail_input(fmt::format("{} is not {} with one axis that grew", plain(pair.output),
                                   plain(pair.input)));
        growth = {axis, after[axis] - before[axis]};
    }
    if (!growth || before.size() != after.size())
        fail_input(plain(pair.output) + " is as large as " + plain(pair.input));
    return *growth;
}

/// Runs a decoder step by step.
class Decoder {
public:
    Decoder(Session& session, const Model& model, std::span<const CachePair> pairs,
            const InputOptions& options, const GatheredInputs& inputs, const CancelToken& cancel)
        : session_(session), model_(model),
          pairs_(pairs), options_{options.seed, options.dimensions, cancel, true} {
        run_.cancel = cancel;
        for (const CachePair& pair : pairs_) run_.resident_outputs.push_back(pair.output);
        for (const auto& [name, value] : inputs.values) {
            if (std::ranges::find(pairs_, name, &CachePair::input) != pairs_.end())
                run_.device_inputs.push_back({name, session_.to_device(name, value.tensor())});
            else if (inputs.sources.at(name).starts_with("generated"))
                next_.emplace_back(name, value);
            else fixed_.emplace_back(name, value);
        }
        if (run_.device_inputs.size() != pairs_.size())
            fail_input("some caches have no first value");
        std::ranges::sort(run_.device_inputs, {}, [this](const NamedDeviceValue& v) {
            return std::ranges::find(pairs_, v.name, &CachePair::input) - pairs_.begin();
        });
    }

    /// Runs once and returns the milliseconds. The next run starts with the caches of this one.
    double step() {
        NamedValues host = fixed_;
        host.insert(host.end(), next_.begin(), next_.end());
        const auto begin = std::chrono::steady_clock::now();
        session_.run(host, run_, result_);
        const auto took = std::chrono::steady_clock::now() - begin;
        prepare();
        return std::chrono::duration<double, std::milli>(took).count();
    }

    const std::string& dimension() const { return dimension_; }
    // size of the caches before the next run
    std::int64_t size() const { return run_.device_inputs[0].value.shape()[axis_]; }

private:
    void prepare() {
        if (result_.residents.size() != pairs_.size()) fail_input("some caches have no value");
        const std::vector<NamedDeviceValue> before = run_.device_inputs;
        std::optional<Growth> growth;
        for (std::size_t c = 0; c < pairs_.size(); ++c) {
            const Shape& after = result_.residents[c].value.shape();
            const Growth found = growth_of(before[c].value.shape(), after, pairs_[c]);
            if (growth && (growth->axis != found.axis || growth->by != found.by))
                fail_input("caches grow by different sizes");
            growth = found;
            run_.device_inputs[c].value = result_.residents[c].value;
        }
        axis_ = growth->axis;
        dimension_ = dimension_of(model_.graph, model_.graph.inputs(), pairs_[0].input, axis_);
        if (dimension_.empty())
            fail_input(fmt::format("axis {} of {} has no name", axis_, plain(pairs_[0].input)));
        grow(before[0].value.shape()[axis_], growth->by);
        generate();
        result_.residents.clear();
    }

    /// Sets the sizes of dimensions for the next run, which starts with caches of `size`. A mask is
    /// as long as the caches after the run. It is recognized by the name of that dimension in the
    /// model, or by a size of --dim.
    void grow(std::int64_t size, std::int64_t by) {
        const std::string after =
            dimension_of(model_.graph, model_.graph.outputs(), pairs_[0].output, axis_);
        for (auto& [name, length] : options_.dimensions)
            if (length == size + by && (name == after || size > 0)) length += by;
        options_.dimensions.erase(dimension_);
    }

    /// Generates the inputs that are neither caches nor from files. Only the shapes of caches
    /// matter here, so all of them share one tensor's memory.
    void generate() {
        std::size_t most = 0;
        for (const NamedDeviceValue& cache : run_.device_inputs)
            most = std::max(most, cache.value.byte_size());
        const auto memory =
            std::make_shared<Tensor>(DType::u8, Shape{static_cast<std::int64_t>(most)});
        NamedValues given = fixed_;
        for (const NamedDeviceValue& cache : run_.device_inputs)
            given.emplace_back(cache.name, Tensor::borrow(cache.value.dtype(), cache.value.shape(),
                                                          memory->mutable_raw(), memory));
        next_ = generate_inputs(model_, given, options_);
    }

    Session& session_;
    const Model& model_;
    const std::span<const CachePair> pairs_;
    GenerateOptions options_;
    RunOptions run_;
    RunResult result_;
    NamedValues fixed_, next_;  // inputs from files; inputs generated for the next run
    std::string dimension_;
    std::size_t axis_ = 0;
};

}  // namespace

Json GrowingCaches::json() const {
    if (!refusal.empty()) return {{"refusal", refusal}};
    return {{"dimension", dimension},
            {"from", from},
            {"to", to},
            {"runs", runs},
            {"median_ms", json_number(median_ms)}};
}

std::string GrowingCaches::text() const {
    if (!refusal.empty()) return "with caches that grow nothing was measured: " + refusal;
    return fmt::format(
        "with caches that grow ({} from {} to {}) a run took {:.3f} ms (median of {})",
        plain(dimension), from, to, median_ms, runs);
}

GrowingCaches time_growing_caches(Session& session, const Model& model,
                                  std::span<const CachePair> pairs, const InputOptions& options,
                                  const GatheredInputs& inputs, const CancelToken& cancel) {
    GrowingCaches reported;
    std::vector<double> times_ms;
    try {
        Decoder decoder(session, model, pairs, options, inputs, cancel);
        decoder.step();  // with shapes that were run before
        reported.from = decoder.size();
        reported.dimension = decoder.dimension();
        for (double all_ms = 0;
             times_ms.size() < least_runs || (times_ms.size() < most_runs && all_ms < enough_ms);) {
            const std::int64_t size = decoder.size();
            times_ms.push_back(decoder.step());
            all_ms += times_ms.back();
            reported.to = size;
        }
    } catch (const Error&
                 error) {  // also ends the runs when the caches are as large as the model accepts
        if (error.code() == ErrorCode::cancelled) throw;
        if (times_ms.size() < least_runs) reported.refusal = error.message();
    }
    if (!reported.refusal.empty()) return reported;
    const auto middle = times_ms.begin() + static_cast<std::ptrdiff_t>(times_ms.size() / 2);
    std::ranges::nth_element(times_ms, middle);
    reported.median_ms = *middle;
    reported.runs = times_ms.size();
    return reported;
}

}  // namespace lapidary::cli
