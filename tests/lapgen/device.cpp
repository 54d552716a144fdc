// SPDX-License-Identifier: Apache-2.0
#include "lapgen/device.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <lapidary/passes/device_passes.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/placement.h>
#include <lapidary/engines/plugins.h>
#include <lapidary/bench/repeated_run.h>
#include <lapidary/exec/session.h>

#include "lapgen/bounds.h"
#include "lapgen/odd_inputs.h"
#include "passes/session/channels_last_regions.h"

namespace lapidary::lapgen {
namespace {

std::map<std::string, std::string> options_of(const std::string& wish, std::size_t colon) {
    std::map<std::string, std::string> options;
    while (colon < wish.size()) {
        const std::size_t comma = std::min(wish.find(',', colon + 1), wish.size());
        const std::string item = wish.substr(colon + 1, comma - colon - 1);
        const std::size_t equal = item.find('=');
        if (equal == std::string::npos)
            fail_input("provider " + quote(wish) + ": expected key=value, found " + item);
        options[item.substr(0, equal)] = item.substr(equal + 1);
        colon = comma;
    }
    return options;
}

void count_nodes(const PlacementReport& report, DeviceShare& share) {
    for (const NodePlacement& node : report.nodes) {
        ++share.nodes;
        if (node.reasons.empty()) ++share.on_device;
        else if (!node.is_shape_computation)
            ++share.reasons[node.op + ": " + node.reasons[0].reason];
    }
}

/// Inputs, what the reference kernels give on them, and by how much a device may differ.
struct Trial {
    std::string_view what;
    NamedValues inputs, outputs;
    std::vector<std::optional<Tolerance>> bounds;
};

class Trials {
public:
    Trials(const ModelPtr& model, bool exact, const DevicePrecision& precision)
        : reference_(Session::compile(model, reference_options())), precision_(precision),
          // those round whole numbers
          is_exact_(exact && !has_half(*model) && precision.rounding == 0),
          rounding_of_halves_(rounding_of_halves(*model)) {}

    /// Throws Error where the model refuses the inputs.
    void add(std::string_view what, NamedValues inputs) {
        NamedValues outputs = reference_.run(inputs).outputs;
        auto bounds = bounds_of(inputs, outputs);
        all_.push_back({what, std::move(inputs), std::move(outputs), std::move(bounds)});
    }
    /// Where there are such inputs and the model takes them.
    template <typename Make>
    void add_if_taken(std::string_view what, const Make& make) {
        try {
            add(what, make());
        } catch (const Error&) {}
    }
    const std::vector<Trial>& all() const { return all_; }

private:
    static SessionOptions reference_options() {
        SessionOptions options;
        options.reference_kernels = true;
        return options;
    }
    std::vector<std::optional<Tolerance>> bounds_of(const NamedValues& inputs,
                                                    const NamedValues& outputs) {
        // Sums in another order are rounded to another number of 16 bits: what that moves counts.
        const auto nudge =
            static_cast<float>(std::max({1e-6, precision_.rounding, rounding_of_halves_}));
        auto of_outputs = bounds(outputs, reference_.run(nudged(inputs, nudge)).outputs, is_exact_,
                                 std::max(1e-4, 64 * precision_.rounding));
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!of_outputs[i] || precision_.rounding == 0 || !is_float_tensor(outputs[i].second))
                continue;
            if (largest(outputs[i].second.tensor()) > precision_.largest) of_outputs[i].reset();
            else of_outputs[i]->atol = std::max(of_outputs[i]->atol, 16 * precision_.rounding);
        }
        return of_outputs;
    }

    Session reference_;
    const DevicePrecision precision_;
    const bool is_exact_;
    const double rounding_of_halves_;
    std::vector<Trial> all_;
};

/// The inputs first, which the model takes.
std::vector<Trial> trials_of(const ModelPtr& model, const GeneratedModel& generated,
                             std::uint64_t seed, const DevicePrecision& precision) {
    Trials trials(model, generated.exact, precision);
    const auto inputs_of = [&](const std::map<std::string, std::int64_t>& dimensions) {
        NamedValues inputs = generate_inputs(*model, {}, {.seed = seed, .dimensions = dimensions});
        if (generated.exact) make_whole(inputs);
        return inputs;
    };
    const NamedValues inputs = inputs_of(generated.dimensions);
    trials.add("inputs", inputs);
    trials.add_if_taken("changed inputs", [&] { return changed_inputs(inputs); });
    if (!has_half(*model))
        trials.add_if_taken("odd masks", [&] { return with_odd_masks(inputs, seed); });
    if (generated.dimensions.empty()) return trials.all();
    auto others = generated.dimensions;
    for (auto& [name, size] : others) size = size % 3 + 1;
    trials.add_if_taken("inputs of another size", [&] { return inputs_of(others); });
    return trials.all();
}

bool has_large_numbers(const NamedValues& outputs) {
    return std::ranges::any_of(outputs, [](const auto& output) {
        return is_float_tensor(output.second) && !(largest(output.second.tensor()) < (1 << 22));
    });
}

/// Runs on all in turn until those of each size are replayed.
std::string compare_runs(Session& session, const std::vector<Trial>& trials) {
    for (int round = 0; round < 3; ++round)
        for (const Trial& trial : trials) {
            const std::string difference =
                differences_of(session.run(trial.inputs).outputs, trial.outputs, trial.bounds);
            if (!difference.empty())
                return fmt::format("{}, round {}: {}", trial.what, round + 1, difference);
        }
    return {};
}

std::string compare_copies(Session& session, const NamedValues& inputs) {
    RunOptions options;
    options.profile = true;
    const RunResult result = session.run(inputs, options);
    const auto recorded = std::ranges::count(result.profile->kernels, EventKind::copy, &Span::kind);
    const std::size_t planned = session.placement().copies.size();
    if (static_cast<std::size_t>(recorded) == planned) return {};
    return std::to_string(planned) + " copies were planned, the profile has " +
           std::to_string(recorded);
}

/// Images of 32-bit floats with channels last, as a device that stores 16 bits would have them.
ModelPtr with_channels_last(Model model, DeviceShare& share) {
    const ChannelsLastAtAnyCost at_any_cost;
    const PipelineReport report = apply_session_passes_for(
        device_passes_f16, model, {SessionPasses::Set::preparing, {"store_half_floats"}});
    for (const PassRun& run : report.passes)
        if (run.pass == "move_channels_last") share.moved += run.applied;
    return std::make_shared<const Model>(std::move(model));
}

/// At level all, but for what keeps digits that the model rounds off: results are compared with the
/// model's own.
Model optimized_for_devices(const Model& model) {
    OptimizeOptions options;
    options.level = Level::all;
    options.provider = device_passes;
    options.disabled_passes = {"drop_rounding_casts"};
    return optimize(model, options).model;
}

}  // namespace

DeviceUnderTest::DeviceUnderTest(const std::string& wish)
    : DeviceUnderTest(wish.substr(0, wish.find(':')), options_of(wish, wish.find(':'))) {}

DeviceUnderTest::DeviceUnderTest(std::string name, std::map<std::string, std::string> options)
    : name_(std::move(name)), options_(std::move(options)) {
    for (const auto& file : find_plugins(plugin_places())) {
        const PluginInfo& plugin = open_plugin(file);
        if (plugin.provider != name_) continue;
        has_order_ = std::ranges::find(plugin.options, "order", &PluginOptionInfo::key) !=
                     plugin.options.end();
    }
    provider(0);
}

DevicePrecision DeviceUnderTest::precision() const {
    const auto given = options_.find("precision");
    const std::string name = given == options_.end() ? "exact" : given->second;
    if (name == "bf16") return {.rounding = 0x1p-9};
    if (name == "fp16") return {.rounding = 0x1p-12, .largest = 6e4};
    return {.rounding = name == "tf32" ? 0x1p-12 : 0};
}

std::shared_ptr<const Provider> DeviceUnderTest::provider(std::uint64_t seed) {
    const std::string order = std::to_string(seed % 4);
    auto& provider = opened_[has_order_ ? order : ""];
    if (provider) return provider;
    std::map<std::string, std::string> options = options_;
    if (has_order_) options.emplace("order", order);
    return provider = open_provider(name_, options);
}

Verdict judge_on_device(const GeneratedModel& generated, std::uint64_t seed,
                        DeviceUnderTest& device, DeviceShare& share) {
    const auto model = std::make_shared<const Model>(generated.model);
    std::vector<Trial> trials;
    try {
        trials = trials_of(model, generated, seed, device.precision());
        if (generated.exact && has_large_numbers(trials[0].outputs))
            return {Verdict::Kind::cannot_run, "numbers grow past 2^22", {}};
    } catch (const Error& error) { return {Verdict::Kind::cannot_run, error.what(), {}}; }
    Verdict verdict;
    try {
        SessionOptions options;
        options.check_writes = true;
        options.providers = {device.provider(seed)};
        options.session_passes.set =
            seed % 2 == 0 ? SessionPasses::Set::none : SessionPasses::Set::all;
        Model given = device.optimizes ? optimized_for_devices(generated.model) : generated.model;
        Session session = Session::compile(device.moves_channels_last
                                               ? with_channels_last(std::move(given), share)
                                               : std::make_shared<const Model>(std::move(given)),
                                           options);
        count_nodes(session.placement(), share);
        verdict.symptom = compare_runs(session, trials);
        if (verdict.symptom.empty()) verdict.symptom = compare_copies(session, trials[0].inputs);
    } catch (const Error& error) { verdict.symptom = device.name() + ": " + error.what(); }
    if (!verdict.symptom.empty()) verdict.kind = Verdict::Kind::differs;
    return verdict;
}

}  // namespace lapidary::lapgen
