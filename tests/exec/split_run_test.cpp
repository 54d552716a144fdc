// SPDX-License-Identifier: Apache-2.0
// Sessions split over the CPU and a second provider give what the CPU gives alone, bit for bit,
// with the copies that were planned and no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>
#include <lapidary/profile/trace_file.h>

#include "second_provider.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

using ProviderPtr = std::shared_ptr<SecondProvider>;

struct NamedRule {
    std::string name;
    std::function<bool(const Node&)> takes;
};

bool falls_by_seed(const Node& node, std::uint64_t seed) {
    return ((node.id.index + 1) * 0x9e3779b97f4a7c15ull ^ seed * 0xd1b54a32d192ed03ull) >> 7 & 1;
}

std::vector<NamedRule> rules() {
    return {{"all", [](const Node&) { return true; }},
            {"every second", [](const Node& n) { return n.id.index % 2 == 0; }},
            {"by operator", [](const Node& n) { return n.op_type.size() % 2 == 0; }},
            {"by seed 1", [](const Node& n) { return falls_by_seed(n, 1); }},
            {"by seed 2", [](const Node& n) { return falls_by_seed(n, 2); }}};
}

bool same_value(const RuntimeValue& a, const RuntimeValue& b) {
    if (a.is_tensor() && b.is_tensor()) return same_contents(a.tensor(), b.tensor());
    if (a.is_sequence() && b.is_sequence())
        return std::ranges::equal(a.sequence().items, b.sequence().items, same_value);
    if (a.is_map() && b.is_map()) return same_contents(a.map().values, b.map().values);
    return a.is_empty() && b.is_empty();
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

/// Checks that the copies in the profile of a run equal the planned ones and those that the
/// provider made.
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

void expect_split_runs(const ModelPtr& model, const NamedRule& rule, SessionOptions options = {}) {
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

class SplitSample : public testing::TestWithParam<std::string> {};

std::uint64_t weight_bytes(const Model& model) {
    std::uint64_t bytes = 0;
    for (ValueId v : model.graph.initializers())
        bytes += model.graph.value(v).constant->byte_size();
    return bytes;
}

/// Protecting the pages of large models takes long, so they are tested with one rule.
TEST_P(SplitSample, GivesWhatTheCpuGivesAlone) {
    const auto model = std::make_shared<const Model>(build_sample(GetParam()));
    // The CPU alone computes 16-bit floats in float32, which a session over another device need
    // not: other last bits.
    SessionOptions options;
    options.session_passes.disabled = {"widen_half_floats"};
    if (weight_bytes(*model) > (20u << 20)) expect_split_runs(model, rules()[3], options);
    else
        for (const NamedRule& rule : rules()) expect_split_runs(model, rule, options);
}

class SplitBranches : public testing::TestWithParam<std::string> {};

TEST_P(SplitBranches, GivesTheSameWithBranchesAtATime) {
    const auto model = std::make_shared<const Model>(build_sample(GetParam()));
    SessionOptions options;
    options.resources.mode = ExecutionMode::parallel;
    options.resources.inter_threads = 3;
    expect_split_runs(model, rules()[3], options);
}

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const SampleInfo& info : list_samples())
        // half a gigabyte, and operators of bert-base; 4.4 gigabytes, and operators of llama-160m
        if (info.name != "gpt2-small" && info.name != "llama-1b") names.emplace_back(info.name);
    return names;
}

std::string letters_of(const testing::TestParamInfo<std::string>& info) {
    std::string text = info.param;
    std::ranges::replace_if(
        text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return text;
}

INSTANTIATE_TEST_SUITE_P(Samples, SplitSample, testing::ValuesIn(sample_names()), letters_of);
INSTANTIATE_TEST_SUITE_P(Samples, SplitBranches, testing::Values("squeezenet", "lstm", "bert-tiny"),
                         letters_of);

class SplitModel : public testing::TestWithParam<std::string> {};

TEST_P(SplitModel, GivesWhatTheCpuGivesAlone) {
    const auto model = std::make_shared<const Model>(
        load_model(test_data() / "models" / "real" / (GetParam() + ".onnx")));
    // The CPU alone computes 16-bit floats in float32, which a session over another device need
    // not: other last bits.
    SessionOptions options;
    options.session_passes.disabled = {"widen_half_floats"};
    if (weight_bytes(*model) > (20u << 20)) expect_split_runs(model, rules()[3], options);
    else
        for (const NamedRule& rule : rules()) expect_split_runs(model, rule, options);
}

/// Models whose outputs were recorded, of at most so many bytes; all of them with
/// LAPIDARY_SPLIT_ALL in the environment.
std::vector<std::string> small_models() {
    std::vector<std::string> names;
    std::error_code absent;
    for (const auto& entry :
         std::filesystem::directory_iterator(test_data() / "models" / "ref", absent)) {
        const std::string name = entry.path().filename().string();
        const auto bytes =
            std::filesystem::file_size(test_data() / "models" / "real" / (name + ".onnx"), absent);
        if (!absent && (bytes < 400'000 || std::getenv("LAPIDARY_SPLIT_ALL")))
            names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SplitModel);
INSTANTIATE_TEST_SUITE_P(Recorded, SplitModel, testing::ValuesIn(small_models()), letters_of);

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

constexpr const char* two_paths = R"((x: f32[4,n]) -> (y, z)
    a = Relu(x)
    b = Exp(a)
    z = Neg(a)
    y = Add(a, b))";

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

TEST(SplitRun, TellsCopiesWithTheirCauses) {
    const Session session =
        Session::compile(model_of(two_paths), one_kernel_per_node(taking({"Relu", "Add"})));
    std::map<std::string, std::string> causes;
    for (const PlannedCopy& copy : session.placement().copies) {
        causes[copy.value + " " + copy.from + " " + copy.to] = copy.cause;
        EXPECT_EQ(copy.bytes, -1);  // n is known when it runs
    }
    ASSERT_EQ(causes.size(), 4u);  // x and b to it, a and y back
    EXPECT_EQ(causes.at("y second CPU"), "graph output \"y\"");
    EXPECT_TRUE(causes.at("x CPU second").find("Relu") != std::string::npos);
    EXPECT_TRUE(causes.at("b CPU second").find("Add") != std::string::npos);
    EXPECT_TRUE(causes.at("a second CPU").find("and 1 more") != std::string::npos);  // Exp and Neg
}

TEST(SplitRun, ForbiddenFallbackNamesTheFirstNodeAndWhy) {
    SessionOptions options = one_kernel_per_node(taking({"Relu", "Add"}));
    options.fallback = Fallback::forbid;
    try {
        Session::compile(model_of(two_paths), options);
        FAIL() << "compiled";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::not_supported);
        const std::string text = e.what();
        EXPECT_TRUE(text.find("Exp") != std::string::npos &&
                    text.find("second: it is not wanted; and 1 more") != std::string::npos)
            << text;
    }
    options.providers = {taking({"Relu", "Add", "Exp", "Neg"})};
    EXPECT_NO_THROW(Session::compile(model_of(two_paths), options));
    options.providers.clear();
    EXPECT_THROW(Session::compile(model_of(two_paths), options), Error);
}

TEST(SplitRun, InnerValuesOfTheDeviceCanBeReturned) {
    const ModelPtr model = model_of(two_paths);
    RunOptions run;
    run.extra_outputs = {"a", "b"};
    SessionOptions options = one_kernel_per_node(taking({"Relu", "Exp", "Add"}));
    Session split = Session::compile(model, options);
    options.providers.clear();
    Session alone = Session::compile(model, options);
    const NamedValues inputs = inputs_of(*model, 1);
    expect_same(split.run(inputs, run), alone.run(inputs, run));
}

TEST(SplitRun, ShapesThatChangeKeepOneBlock) {
    const ModelPtr model = model_of(two_paths);
    const auto provider = taking({"Relu", "Exp", "Add"});
    Session split = Session::compile(model, one_kernel_per_node(provider));
    SessionOptions options;
    Session alone = Session::compile(model, options);
    for (const std::int64_t n : {5, 700, 3, 5000, 5, 700}) {
        GenerateOptions generate;
        generate.dimensions["n"] = n;
        const NamedValues inputs = generate_inputs(*model, {}, generate);
        for (int repeat = 0; repeat < 2; ++repeat)
            expect_same(split.run(inputs), alone.run(inputs));
    }
    EXPECT_EQ(provider->counts().blocks, 1);
    const PlanInfo plan = split.plan();
    ASSERT_EQ(plan.providers.size(), 1u);
    EXPECT_GE(plan.providers[0].planned_bytes, 3u * 4 * 700 * 4);  // a, x and b at once
    RunOptions shrink;
    shrink.shrink_arena = true;
    split.run(inputs_of(*model, 0), shrink);
    EXPECT_EQ(provider->counts().blocks, 0);
}

/// If the CPU reads only the shape of a device's value, no copy is needed.
TEST(SplitRun, ShapesOfValuesOfTheDeviceNeedNoCopy) {
    const ModelPtr model = model_of(R"((x: f32[4,n]) -> (y, s, c)
        a = Relu(x)
        h = Shape(a)
        s = Size(a)
        c = EyeLike(a)
        e = Exp(a)
        y = Reshape(e, h))");
    const auto provider = taking({"Relu", "Exp", "Reshape"});
    SessionOptions options = one_kernel_per_node(provider);
    for (const ExecutionMode mode : {ExecutionMode::sequential, ExecutionMode::parallel}) {
        options.resources.mode = mode;
        options.providers = {provider};
        Session split = Session::compile(model, options);
        std::vector<std::string> copies;
        for (const PlannedCopy& copy : split.placement().copies)
            copies.push_back(copy.value + " to " + copy.to);
        EXPECT_EQ(copies, (std::vector<std::string>{"x to second", "y to CPU"}));
        options.providers.clear();
        Session alone = Session::compile(model, options);
        for (const std::int64_t n : {5, 700, 5}) {
            GenerateOptions generate;
            generate.dimensions["n"] = n;
            const NamedValues inputs = generate_inputs(*model, {}, generate);
            for (int repeat = 0; repeat < 3; ++repeat) {
                const std::int64_t before = provider->counts().to_host;
                expect_same(split.run(inputs), alone.run(inputs));
                EXPECT_EQ(provider->counts().to_host - before, 1) << "y alone";
            }
        }
        expect_planned_copies(split, *provider, inputs_of(*model, 0));
    }
}

/// The shape is read from a copy on the host if another node needs that copy anyway.
TEST(SplitRun, ShapesAreReadFromACopyThatIsThereAnyway) {
    const ModelPtr model = model_of(R"((x: f32[4,n]) -> (y, h)
        a = Relu(x)
        h = Shape(a)
        y = Exp(a))");
    const auto provider = taking({"Relu"});
    SessionOptions options = one_kernel_per_node(provider);
    Session split = Session::compile(model, options);
    EXPECT_EQ(split.placement().copies.size(), 2u);
    options.providers.clear();
    Session alone = Session::compile(model, options);
    const NamedValues inputs = inputs_of(*model, 2);
    expect_same(split.run(inputs), alone.run(inputs));
}

TEST(SplitRun, TwoDevicesCopyByTheHost) {
    const ModelPtr model = model_of(R"((x: f32[4,n]) -> (y)
        a = Relu(x)
        b = Exp(a)
        y = Neg(b))");
    const auto third = std::make_shared<SecondProvider>(
        rule_of([](const Node& n) { return n.op_type == "Exp"; }), "third");
    SessionOptions options = one_kernel_per_node(taking({"Relu", "Neg"}));
    options.providers.push_back(third);
    Session split = Session::compile(model, options);
    std::vector<std::string> ways;
    for (const PlannedCopy& copy : split.placement().copies)
        ways.push_back(copy.value + " " + copy.from + " " + copy.to);
    EXPECT_EQ(ways, (std::vector<std::string>{"x CPU second", "a second CPU", "a CPU third",
                                              "b third CPU", "b CPU second", "y second CPU"}));
    options.providers.clear();
    Session alone = Session::compile(model, options);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const NamedValues inputs = inputs_of(*model, seed);
        expect_same(split.run(inputs), alone.run(inputs));
    }
}

TEST(SplitRun, NamesOfProvidersAreApart) {
    SessionOptions options = one_kernel_per_node(taking({"Relu"}));
    options.providers.push_back(taking({"Exp"}));
    EXPECT_THROW(Session::compile(model_of(two_paths), options), Error);
    options.providers.back() = nullptr;
    EXPECT_THROW(Session::compile(model_of(two_paths), options), Error);
}

TEST(SplitRun, SummariesAndTracesTellProvidersApart) {
    const ModelPtr model = model_of(two_paths);
    Session split = Session::compile(model, one_kernel_per_node(taking({"Relu", "Add"})));
    GenerateOptions generate;
    generate.dimensions["n"] = 16;
    RunOptions run;
    run.profile = true;
    run.repetitions = 3;
    const auto profile = split.run(generate_inputs(*model, {}, generate), run).profile;
    const ProfileSummary summary = summarize(*profile);
    ASSERT_EQ(summary.providers.size(), 2u);
    const auto of = [&](std::string_view name) {
        return *std::ranges::find(summary.providers, name, &ProviderTotal::provider);
    };
    EXPECT_EQ(of("CPU").nodes, 2);
    EXPECT_EQ(of("CPU").copies, 0);
    EXPECT_EQ(of("second").nodes, 2);
    EXPECT_EQ(of("second").copies, 4);
    EXPECT_EQ(of("second").copied_bytes, 4 * 4 * 16 * 4);
    EXPECT_GT(of("second").copy_ms, 0);

    const TemporaryFolder folder;
    save_chrome_trace(*profile, folder / "trace.json");
    const Profile back = load_chrome_trace(folder / "trace.json");
    ASSERT_EQ(back.kernels.size(), profile->kernels.size());
    for (std::size_t i = 0; i < back.kernels.size(); ++i) {
        const Span &was = profile->kernels[i], &is = back.kernels[i];
        EXPECT_EQ(back.provider(is), profile->provider(was));
        EXPECT_EQ(is.kind, was.kind);
        EXPECT_EQ(is.bytes, was.bytes);
        EXPECT_EQ(is.thread != 0, profile->provider(was) == "second");  // a lane of its own
    }
}

TEST(SplitRun, ProfilesOfTheCpuAloneTellNoProviders) {
    const ModelPtr model = model_of(two_paths);
    Session alone = Session::compile(model);
    RunOptions run;
    run.profile = true;
    const auto profile = alone.run(inputs_of(*model, 0), run).profile;
    EXPECT_TRUE(summarize(*profile).providers.empty());
    EXPECT_TRUE(alone.placement().uses_cpu_alone());
    EXPECT_TRUE(alone.placement().nodes.empty());
    for (const StepInfo& step : alone.plan().steps) EXPECT_EQ(step.provider, "CPU");
}

TEST(SplitRun, AProviderThatTakesNothingLeavesItsReasons) {
    const Session session = Session::compile(model_of(two_paths), one_kernel_per_node(taking({})));
    EXPECT_TRUE(session.placement().uses_cpu_alone());
    EXPECT_TRUE(session.placement().copies.empty());
    ASSERT_EQ(session.placement().nodes.size(), 4u);
    for (const NodePlacement& node : session.placement().nodes) {
        ASSERT_EQ(node.reasons.size(), 1u);
        EXPECT_EQ(node.reasons[0].provider + ": " + node.reasons[0].reason,
                  "second: it is not wanted");
    }
    for (const StepInfo& step : session.plan().steps)
        EXPECT_EQ(step.passed_over.back(),
                  (std::pair<std::string, std::string>("second", "it is not wanted")));
}

TEST(SplitRun, RunsOfSeveralCallers) {
    const ModelPtr model = model_of(two_paths);
    Session split = Session::compile(model, one_kernel_per_node(taking({"Relu", "Add"})));
    Session alone = Session::compile(model);
    const NamedValues inputs = inputs_of(*model, 3);
    const RunResult expected = alone.run(inputs);
    std::vector<std::thread> callers;
    for (int c = 0; c < 3; ++c)
        callers.emplace_back([&] {
            for (int i = 0; i < 10; ++i) expect_same(split.run(inputs), expected);
        });
    for (std::thread& t : callers) t.join();
}

TEST(SplitRun, FailingKernelsNameTheirNode) {
    const ModelPtr model = model_of(R"((x: f32[n], s: i64[1]) -> (y)
        a = Relu(x)
        y = Reshape(a, s))");
    Session split = Session::compile(model, one_kernel_per_node(taking({"Relu", "Reshape"})));
    const auto run = [&](std::int64_t size) {
        Tensor x(DType::f32, {4}), s(DType::i64, {1});
        std::ranges::fill(x.mutable_data<float>(), 1.f);
        s.mutable_data<std::int64_t>()[0] = size;
        return split.run({{"x", x}, {"s", s}});
    };
    EXPECT_NO_THROW(run(4));
    try {
        run(3);
        FAIL() << "reshaped";
    } catch (const Error& e) {
        EXPECT_TRUE(std::string(e.what()).find("Reshape") != std::string::npos) << e.what();
    }
    EXPECT_NO_THROW(run(-1));
}

}  // namespace
}  // namespace lapidary::test
