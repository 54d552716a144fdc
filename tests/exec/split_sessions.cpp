// SPDX-License-Identifier: Apache-2.0
#include "split_sessions.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/generate_inputs.h>

namespace lapidary::test {

namespace {

bool falls_by_seed(const Node& node, std::uint64_t seed) {
    return ((node.id.index + 1) * 0x9e3779b97f4a7c15ull ^ seed * 0xd1b54a32d192ed03ull) >> 7 & 1;
}

bool same_value(const RuntimeValue& a, const RuntimeValue& b) {
    if (a.is_tensor() && b.is_tensor()) return same_contents(a.tensor(), b.tensor());
    if (a.is_sequence() && b.is_sequence())
        return std::ranges::equal(a.sequence().items, b.sequence().items, same_value);
    if (a.is_map() && b.is_map()) return same_contents(a.map().values, b.map().values);
    return a.is_empty() && b.is_empty();
}

}  // namespace

std::vector<NamedRule> rules() {
    return {{"all", [](const Node&) { return true; }},
            {"every second", [](const Node& n) { return n.id.index % 2 == 0; }},
            {"by operator", [](const Node& n) { return n.op_type.size() % 2 == 0; }},
            {"by seed 1", [](const Node& n) { return falls_by_seed(n, 1); }},
            {"by seed 2", [](const Node& n) { return falls_by_seed(n, 2); }}};
}

void expect_same(const RunResult& split, const RunResult& alone) {
    ASSERT_EQ(split.outputs.size(), alone.outputs.size());
    for (std::size_t i = 0; i < alone.outputs.size(); ++i) {
        EXPECT_EQ(split.outputs[i].first, alone.outputs[i].first);
        EXPECT_TRUE(same_value(split.outputs[i].second, alone.outputs[i].second))
            << alone.outputs[i].first;
    }
}

NamedValues inputs_of(const Model& model, std::uint64_t seed) {
    GenerateOptions options;
    options.seed = seed;
    return generate_inputs(model, {}, options);
}

void expect_planned_copies(Session& session, const SecondProvider& provider,
                           const NamedValues& inputs) {
    const std::vector<PlannedCopy>& planned = session.placement().copies;
    auto& counts = provider.counts();
    const std::int64_t done = counts.to_device + counts.to_host, bytes = counts.bytes;
    RunOptions options;
    options.profile = true;
    const RunResult result = session.run(inputs, options);
    std::vector<const Span*> copied;
    std::int64_t copied_bytes = 0, empty = 0;
    for (const Span& span : result.profile->kernels) {
        EXPECT_LE(span.begin_ns, span.end_ns);
        if (span.kind != EventKind::copy) continue;
        copied.push_back(&span);
        copied_bytes += span.bytes;
        empty += span.bytes == 0 ? 1 : 0;
        EXPECT_EQ(result.profile->provider(span), provider.name());
    }
    ASSERT_EQ(copied.size(), planned.size());
    for (const PlannedCopy& copy : planned) {
        const auto at = std::ranges::find(copied, copy.node, &Span::node);
        ASSERT_NE(at, copied.end()) << copy.value;
        EXPECT_TRUE(copy.bytes < 0 || copy.bytes == (*at)->bytes) << copy.value;
        EXPECT_FALSE(copy.cause.empty());
    }
    EXPECT_EQ(counts.to_device + counts.to_host - done,
              static_cast<std::int64_t>(planned.size()) - empty);
    EXPECT_EQ(counts.bytes - bytes, copied_bytes);
}

namespace {

/// Checks that from the second run of a set of shapes on the device holds only constants and one
/// block, as planned. In the first run, from which the block is planned, each value has its own
/// memory.
void expect_planned_memory(const ModelPtr& model, const SessionOptions& options,
                           const SecondProvider& provider) {
    auto& counts = provider.counts();
    ASSERT_EQ(counts.held, 0);
    Session split = Session::compile(model, options);
    const NamedValues inputs = inputs_of(*model, 0);
    split.run(inputs);
    split.run(inputs);
    counts.peak = counts.held.load();
    split.run(inputs);
    std::int64_t planned = 0;
    for (const ProviderMemory& memory : split.plan().providers) {
        EXPECT_EQ(memory.provider, provider.name());
        planned += static_cast<std::int64_t>(memory.planned_bytes + memory.weight_bytes);
        if (options.resources.mode == ExecutionMode::parallel) EXPECT_EQ(memory.planned_bytes, 0u);
    }
    // the set of values that are alive at once is not known
    if (options.resources.mode == ExecutionMode::parallel) return;
    EXPECT_EQ(counts.peak, planned);
    EXPECT_EQ(counts.held, planned);
}

}  // namespace

void expect_split_runs(const ModelPtr& model, const NamedRule& rule, SessionOptions options) {
    SCOPED_TRACE(rule.name);
    options.check_writes = true;
    const auto provider = std::make_shared<SecondProvider>(rule_of(rule.takes));
    {
        Session alone = Session::compile(model, options);
        options.providers = {provider};
        Session split = Session::compile(model, options);
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            const NamedValues inputs = inputs_of(*model, seed);
            expect_same(split.run(inputs), alone.run(inputs));
        }
        expect_planned_copies(split, *provider, inputs_of(*model, 0));
        const PlacementReport& report = split.placement();
        EXPECT_EQ(report.nodes.size() + report.copies.size(), split.plan().steps.size());
        for (const NodePlacement& node : report.nodes)
            EXPECT_EQ(node.reasons.empty(), node.provider == provider->name()) << node.name;
    }
    expect_planned_memory(model, options, *provider);
    EXPECT_EQ(provider->counts().blocks, 0);  // nothing is left behind
}

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

ProviderPtr taking(std::vector<std::string> operators) {
    return std::make_shared<SecondProvider>(rule_of(
        [=](const Node& n) { return std::ranges::find(operators, n.op_type) != operators.end(); },
        "it is not wanted"));
}

SessionOptions one_kernel_per_node(ProviderPtr provider) {
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    options.providers = {std::move(provider)};
    return options;
}

}  // namespace lapidary::test
