// SPDX-License-Identifier: Apache-2.0
#include "lapgen/device.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <lapidary/device_passes.h>
#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/optimize.h>
#include <lapidary/placement.h>
#include <lapidary/plugins.h>
#include <lapidary/repeated_run.h>
#include <lapidary/session.h>

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
        if (equal == std::string::npos) fail_input("provider " + quote(wish) + ": expected key=value, found " + item);
        options[item.substr(0, equal)] = item.substr(equal + 1);
        colon = comma;
    }
    return options;
}

void count_nodes(const PlacementReport& report, DeviceShare& share) {
    for (const NodePlacement& node : report.nodes) {
        ++share.nodes;
        if (node.reasons.empty()) ++share.on_device;
        else if (!node.is_shape_computation) ++share.reasons[node.op + ": " + node.reasons[0].reason];
    }
}

/// What the reference kernels give on the inputs and on changed ones, and by how much a device may differ.
struct Expected {
    NamedValues inputs, changed, first;
    std::optional<NamedValues> between;
    std::vector<std::optional<Tolerance>> bounds, bounds_between;
    NamedValues odd_masks, of_odd_masks;
    std::vector<std::optional<Tolerance>> bounds_of_odd_masks;  // none where the model refuses them
};

Expected expected_of(const ModelPtr& model, const GeneratedModel& generated, std::uint64_t seed,
                     const DevicePrecision& precision) {
    Expected expected;
    expected.inputs = generate_inputs(*model, {}, {.seed = seed, .dimensions = generated.dimensions});
    if (generated.exact) make_whole(expected.inputs);
    expected.changed = changed_inputs(expected.inputs);
    SessionOptions options;
    options.reference_kernels = true;
    Session reference = Session::compile(model, options);
    const bool is_exact = generated.exact && !has_half(*model) && precision.rounding == 0;  // those round whole numbers
    const auto bounds_at = [&](const NamedValues& inputs, const NamedValues& outputs) {
        const float nudge = std::max(1e-6f, static_cast<float>(precision.rounding));
        auto of_outputs = bounds(outputs, reference.run(nudged(inputs, nudge)).outputs, is_exact,
                                 std::max(1e-4, 64 * precision.rounding));
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!of_outputs[i] || precision.rounding == 0 || !is_float_tensor(outputs[i].second)) continue;
            if (largest(outputs[i].second.tensor()) > precision.largest) of_outputs[i].reset();
            else of_outputs[i]->atol = std::max(of_outputs[i]->atol, 16 * precision.rounding);
        }
        return of_outputs;
    };
    expected.first = reference.run(expected.inputs).outputs;
    expected.bounds = bounds_at(expected.inputs, expected.first);
    try {
        expected.between = reference.run(expected.changed).outputs;
        expected.bounds_between = bounds_at(expected.changed, *expected.between);
    } catch (const Error&) { expected.between.reset(); }  // the model refuses them
    if (has_half(*model)) return expected;
    expected.odd_masks = with_odd_masks(expected.inputs, seed);
    try {
        expected.of_odd_masks = reference.run(expected.odd_masks).outputs;
        expected.bounds_of_odd_masks = bounds_at(expected.odd_masks, expected.of_odd_masks);
    } catch (const Error&) { expected.bounds_of_odd_masks.clear(); }
    return expected;
}

bool has_large_numbers(const NamedValues& outputs) {
    return std::ranges::any_of(outputs, [](const auto& output) {
        return is_float_tensor(output.second) && !(largest(output.second.tensor()) < (1 << 22));
    });
}

/// Runs on the inputs, changed ones where the model takes them, and the inputs again until they are replayed.
std::string compare_runs(Session& session, const Expected& expected) {
    for (int run = 0; run < 5; ++run) {
        const bool is_between = run == 1;
        if (is_between && !expected.between) continue;
        const NamedValues found = session.run(is_between ? expected.changed : expected.inputs).outputs;
        const std::string difference = is_between ? differences_of(found, *expected.between, expected.bounds_between)
                                                  : differences_of(found, expected.first, expected.bounds);
        if (!difference.empty()) return "run " + std::to_string(run + 1) + ": " + difference;
    }
    if (expected.bounds_of_odd_masks.empty()) return {};
    const std::string difference =
        differences_of(session.run(expected.odd_masks).outputs, expected.of_odd_masks, expected.bounds_of_odd_masks);
    return difference.empty() ? difference : "odd masks: " + difference;
}

std::string compare_copies(Session& session, const NamedValues& inputs) {
    RunOptions options;
    options.profile = true;
    const RunResult result = session.run(inputs, options);
    const auto recorded = std::ranges::count(result.profile->kernels, EventKind::copy, &Span::kind);
    const std::size_t planned = session.placement().copies.size();
    if (static_cast<std::size_t>(recorded) == planned) return {};
    return std::to_string(planned) + " copies were planned, the profile has " + std::to_string(recorded);
}

/// Images of 32-bit floats with channels last, as a device that stores 16 bits would have them.
ModelPtr with_channels_last(Model model, DeviceShare& share) {
    const ChannelsLastAtAnyCost at_any_cost;
    const PipelineReport report =
        apply_session_passes_for(device_passes_f16, model, {SessionPasses::Set::preparing, {"store_half_floats"}});
    for (const PassRun& run : report.passes)
        if (run.pass == "move_channels_last") share.moved += run.applied;
    return std::make_shared<const Model>(std::move(model));
}

/// At level all, but for what keeps digits that the model rounds off: results are compared with the model's own.
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
        has_order_ = std::ranges::find(plugin.options, "order", &PluginOptionInfo::key) != plugin.options.end();
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

Verdict judge_on_device(const GeneratedModel& generated, std::uint64_t seed, DeviceUnderTest& device,
                        DeviceShare& share) {
    const auto model = std::make_shared<const Model>(generated.model);
    Expected expected;
    try {
        expected = expected_of(model, generated, seed, device.precision());
        if (generated.exact && has_large_numbers(expected.first))
            return {Verdict::Kind::cannot_run, "numbers grow past 2^22", {}};
    } catch (const Error& error) { return {Verdict::Kind::cannot_run, error.what(), {}}; }
    Verdict verdict;
    try {
        SessionOptions options;
        options.check_writes = true;
        options.providers = {device.provider(seed)};
        options.session_passes.set = seed % 2 == 0 ? SessionPasses::Set::none : SessionPasses::Set::all;
        Model given = device.optimizes ? optimized_for_devices(generated.model) : generated.model;
        Session session = Session::compile(device.moves_channels_last ? with_channels_last(std::move(given), share)
                                                                      : std::make_shared<const Model>(std::move(given)),
                                           options);
        count_nodes(session.placement(), share);
        verdict.symptom = compare_runs(session, expected);
        if (verdict.symptom.empty()) verdict.symptom = compare_copies(session, expected.inputs);
    } catch (const Error& error) { verdict.symptom = device.name() + ": " + error.what(); }
    if (!verdict.symptom.empty()) verdict.kind = Verdict::Kind::differs;
    return verdict;
}

}  // namespace lapidary::lapgen
