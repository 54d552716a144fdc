// SPDX-License-Identifier: Apache-2.0
// The adviser: what it finds in a model, how it ranks, and that each of its sentences is there in
// all languages.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include <lapidary/advice/advice.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/inputs/samples.h>

namespace lapidary {
namespace {

/// What an adviser is asked about a model.
struct Question {
    explicit Question(Model made) {
        in.model = std::make_shared<const Model>(std::move(made));
        in.name = "Original";
        in.is_original = true;
        in.facts = std::make_shared<const ModelFacts>(facts_of(*in.model));
        in.cores = 4;
    }
    /// The model optimized, in force.
    Question& at(Level level) {
        OptimizeOptions options;
        options.level = level;
        OptimizeResult result = optimize(*in.model, options);
        in.model = std::make_shared<const Model>(std::move(result.model));
        in.report = std::make_shared<const PipelineReport>(std::move(result.report));
        in.facts = std::make_shared<const ModelFacts>(facts_of(*in.model));
        in.name = std::string(name_of(level));
        in.is_original = false;
        return *this;
    }
    void took(const char* name, double ms, bool is_original, bool is_in_force) {
        in.times.push_back({name, is_original, is_in_force, ms, ms * 0.99, ms * 1.01});
    }
    Advice operator[](const char* id) const {
        for (Advice& advice : advise(in))
            if (advice.id == id) return advice;
        ADD_FAILURE() << "no check " << id;
        return {};
    }
    AdviceInput in;
};

Question about(const char* sample) { return Question(build_sample(sample)); }

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Two inputs, one unread; an output that is a constant; a sum in 64 bits at an old opset.
Model odd_model() {
    Model model;
    model.opset_imports[""] = 9;
    GraphEdit edit(model.graph);
    edit.set_default_version(9);
    const ValueId x = edit.add_input("x", Type::tensor(DType::f64, {2, 2}));
    edit.add_input("nobody", Type::tensor(DType::f32, {1}));
    const ValueId y = edit.node("Add", {x, x}, {}, "sum", "y");
    const ValueId constant = edit.add_initializer("always", Tensor::of<float>({1}, {1}));
    edit.add_output(y);
    edit.add_output(constant);
    edit.finish();
    infer_types(model);
    return model;
}

TEST(Advice, BeginsWithARunAndTheLevels) {
    Question q = about("mlp");
    EXPECT_EQ(q["runs"].state, AdviceState::worth_doing);
    EXPECT_TRUE(q["runs"].is_urgent);
    EXPECT_EQ(advise(q.in).front().id, "runs");
    EXPECT_EQ(q["levels"].state, AdviceState::worth_doing) << "the original is in force";
    q.at(Level::extended);
    EXPECT_EQ(q["levels"].state, AdviceState::worth_doing);
    EXPECT_EQ(q["levels"].page, "compare");
    q.took("Original", 10, true, false);
    q.took("Extended", 5, false, true);
    EXPECT_EQ(q["runs"].state, AdviceState::done);
    EXPECT_EQ(q["levels"].state, AdviceState::done);
    EXPECT_EQ(q["levels"].gain.text, "2.00 × (measured)");
    q.in.times.back() = {"Extended", false, true, 10.05, 9.9, 10.2};
    EXPECT_EQ(q["levels"].gain.kind, AdviceGain::Kind::none) << "within noise there is no gain";
}

TEST(Advice, BeginsASentenceWithACapital) {
    Question q = about("mlp").at(Level::all);
    q.in.name = "level all";
    EXPECT_EQ(q["runs"].finding, "Level all was not run yet.");
    q.in.name = "int8 dynamic";
    EXPECT_EQ(q["runs"].finding, "int8 dynamic was not run yet.") << "a name stays as it is";
}

TEST(Advice, JudgesTheVariantInForce) {
    Question q = about("mlp").at(Level::extended);
    q.took("Original", 10, true, false);
    q.took("Extended", 5, false, true);
    q.took("All", 4, false, false);
    const Advice levels = q["levels"];
    EXPECT_EQ(levels.state, AdviceState::worth_doing);
    EXPECT_TRUE(has(levels.finding, "All takes 4.00 ms")) << levels.finding;
    EXPECT_EQ(levels.gain.text, "1.25 × (measured)");
    EXPECT_NEAR(levels.gain.share, 0.2, 1e-9);
    EXPECT_EQ(Question(build_sample("bert-tiny"))["portability"].state, AdviceState::done);
    EXPECT_EQ(about("bert-tiny").at(Level::extended)["portability"].state, AdviceState::worth_doing)
        << "com.microsoft operators came with the level";
}

TEST(Advice, SaysThatQuantizedIsSlowerThanFloat) {
    Question q = about("mlp");
    q.in.quantized_variant = "int8 dynamic";
    EXPECT_EQ(q["quantize"].state, AdviceState::done) << "nothing was measured";
    q.took("level all", 4, false, true);
    q.took("int8 dynamic", 9, false, false);
    q.in.times.back().is_quantized = true;
    EXPECT_EQ(q["quantize"].state, AdviceState::no_gain);
    EXPECT_TRUE(has(q["quantize"].finding, "slower than float")) << q["quantize"].finding;
    q.in.times.front().is_in_force = false;
    q.in.times.back().is_in_force = true;
    EXPECT_EQ(q["quantize"].state, AdviceState::worth_doing);
    EXPECT_TRUE(has(q["quantize"].finding, "int8 dynamic is slower than float"))
        << q["quantize"].finding;
    EXPECT_NEAR(q["quantize"].gain.share, 5.0 / 9, 1e-9);
    EXPECT_TRUE(q["quantize"].gain.is_measured);
    q.in.times.back().median_ms = 3;
    q.in.times.back().low_ms = 2.9;
    EXPECT_EQ(q["quantize"].state, AdviceState::done) << "it is faster";
}

TEST(Advice, KnowsWhetherTheGuardRan) {
    Question q = about("mlp");
    EXPECT_EQ(q["guard"].state, AdviceState::no_gain);
    q.at(Level::extended);
    EXPECT_EQ(q["guard"].action, AdviceAction::guard);
    q.in.outputs_agree = true;
    EXPECT_EQ(q["guard"].state, AdviceState::done);
    q.in.outputs_agree = false;
    EXPECT_EQ(q["guard"].state, AdviceState::worth_doing);
    EXPECT_TRUE(q["guard"].is_urgent);
}

TEST(Advice, LooksAtThreadsAndSweeps) {
    Question q = about("mlp");
    EXPECT_EQ(q["threads"].state, AdviceState::unknown)
        << "all cores are used; fewer may be as fast";
    q.in.threads = 2;
    EXPECT_EQ(q["threads"].state, AdviceState::worth_doing);
    EXPECT_EQ(q["threads"].gain.text, "at most 2.00 × (estimated)");
    q.in.cores = 1;
    EXPECT_EQ(q["threads"].state, AdviceState::no_gain);
    q.in.cores = 4;
    auto sweep = std::make_shared<SweepResult>();
    for (const int threads : {1, 2}) {
        SweepCell cell;
        cell.configuration.resources.threads = threads;
        sweep->cells.push_back(cell);
    }
    sweep->recommendation.sentence = "2 threads.";
    q.in.sweep = sweep;
    EXPECT_EQ(q["threads"].state, AdviceState::worth_doing) << "nothing is measured yet";
    for (SweepCell& cell : sweep->cells) cell.state = CellState::done;
    EXPECT_EQ(q["threads"].state, AdviceState::done);
    EXPECT_EQ(q["threads"].finding, "2 threads.");
}

TEST(Advice, LooksIntoTheGraph) {
    Question odd(odd_model());
    EXPECT_EQ(odd["endings"].state, AdviceState::worth_doing);
    EXPECT_TRUE(has(odd["endings"].finding, "nobody"));
    EXPECT_TRUE(has(odd["endings"].finding, "always"));
    EXPECT_EQ(odd["opset"].state, AdviceState::worth_doing);
    EXPECT_EQ(odd["precision"].state, AdviceState::worth_doing);
    EXPECT_EQ(odd["quantize"].state, AdviceState::no_gain);
    EXPECT_EQ(odd["portability"].state, AdviceState::done);
    EXPECT_EQ(odd["batch"].state, AdviceState::no_gain);
    EXPECT_EQ(odd["dimensions"].state, AdviceState::no_gain);
    EXPECT_EQ(odd["external_data"].state, AdviceState::no_gain);

    Question bert = about("bert-tiny");
    EXPECT_EQ(bert["quantize"].state, AdviceState::worth_doing);
    EXPECT_EQ(bert["quantize"].gain.kind, AdviceGain::Kind::size);
    EXPECT_FALSE(bert["quantize"].gain.is_measured);
    EXPECT_EQ(bert["endings"].state, AdviceState::no_gain);
    EXPECT_EQ(bert["precision"].state, AdviceState::no_gain);
    bert.in.target_opset = 12;
    EXPECT_TRUE(has(bert["opset"].finding, "reads up to 12")) << bert["opset"].finding;
    EXPECT_TRUE(has(bert["opset"].how, "opset_version=12")) << bert["opset"].how;
    EXPECT_TRUE(bert["opset"].command.empty()) << "no command lowers an opset";
    odd.in.target_opset = 15;
    EXPECT_TRUE(has(odd["opset"].command, "--opset 15")) << odd["opset"].command;
    odd.in.target_opset = 11;
    EXPECT_EQ(odd["opset"].state, AdviceState::done) << "the target reads no newer one";
}

/// Two products with one weight of 1 kB, which is an input with a default or a constant of the
/// type.
Model shared_weight(DType type, bool is_input) {
    Model model;
    model.opset_imports[""] = 17;
    GraphEdit edit(model.graph);
    edit.set_default_version(17);
    const ValueId x = edit.add_input("x", Type::tensor(type, {2, 16}));
    const Tensor weight(type, {16, 16});
    const ValueId w = is_input ? edit.add_input("w", Type::tensor(type, {16, 16}))
                               : edit.add_initializer("w", weight);
    if (is_input) edit.set_constant(w, weight);
    const ValueId turned = edit.node("Transpose", {w}, {}, "turn", "t");
    const ValueId h = edit.node("MatMul", {x, turned}, {}, "first", "h");
    edit.add_output(edit.node("MatMul", {h, w}, {}, "second", "y"));
    edit.finish();
    infer_types(model);
    return model;
}

TEST(Advice, CountsEachWeightOfTheFileOnce) {
    for (const bool is_input : {false, true}) {
        const Question q(shared_weight(DType::f32, is_input));
        EXPECT_EQ(q.in.facts->quantizable_nodes, 2u);
        EXPECT_EQ(q.in.facts->quantizable_bytes, 1024u);
        EXPECT_EQ(q["quantize"].state, AdviceState::worth_doing);
        EXPECT_EQ(q["quantize"].gain.bytes, 768u);
        EXPECT_LT(q["quantize"].gain.share, 1);
    }
    const Question half(shared_weight(DType::f16, false));
    EXPECT_EQ(half.in.facts->quantizable_bytes, 0u);
    EXPECT_EQ(half["quantize"].state, AdviceState::no_gain) << "quantize leaves float16 alone";

    const Model opened = build_sample("lenet");
    OptimizeOptions options;
    options.level = Level::all;
    const OptimizeResult result = optimize(opened, options);
    EXPECT_EQ(facts_of(result.model, opened).quantizable_bytes, facts_of(opened).quantizable_bytes);
    EXPECT_EQ(facts_of(result.model, opened).weight_bytes, facts_of(opened).weight_bytes);
    EXPECT_EQ(facts_of(result.model, opened).nodes, facts_of(result.model).nodes);
}

TEST(Advice, LooksAtMemory) {
    Question q = about("mlp");
    EXPECT_EQ(q["memory"].state, AdviceState::unknown);
    EXPECT_EQ(q["arena_pattern"].state, AdviceState::unknown);
    MemoryFindings found;
    found.peak = {"large", "f32[20]", "writer", 80};
    found.needed_bytes = 100;
    found.held_bytes = 200;
    found.held_with_pattern_turned = 120;
    found.held_with_arena_turned = 200;
    q.in.memory = std::make_shared<const MemoryFindings>(found);
    EXPECT_EQ(q["memory"].state, AdviceState::worth_doing);
    EXPECT_TRUE(has(q["memory"].finding, "large"));
    EXPECT_EQ(q["arena_pattern"].state, AdviceState::worth_doing);
    EXPECT_EQ(q["arena_pattern"].gain.bytes, 80u);
    found.peak.bytes = 30;
    found.held_with_pattern_turned = 200;
    q.in.memory = std::make_shared<const MemoryFindings>(found);
    EXPECT_EQ(q["memory"].state, AdviceState::done);
    EXPECT_EQ(q["arena_pattern"].state, AdviceState::no_gain);
}

TEST(Advice, DistinguishesFallbacksFromPlainSteps) {
    Question q = about("mlp");
    EXPECT_EQ(q["fallbacks"].state, AdviceState::unknown);
    StepInfo fast, slow;
    fast.name = "fast", fast.kernel = "product.gemm", fast.passed_over = {{"better", "not here"}};
    slow.name = "slow", slow.op = "Resize", slow.kernel = "reference.resize";
    q.in.steps = {fast, slow};
    EXPECT_EQ(q["fallbacks"].state, AdviceState::no_gain) << "there is no faster kernel at all";
    q.in.steps[1].passed_over = {{"fast.resize", "cubic"}};
    EXPECT_EQ(q["fallbacks"].state, AdviceState::no_gain) << "it takes no time";
    NodeTotal total;
    total.name = "slow", total.share = 0.25;
    q.in.nodes = {total};
    EXPECT_EQ(q["fallbacks"].state, AdviceState::worth_doing);
    EXPECT_TRUE(has(q["fallbacks"].finding, "cubic"));
    EXPECT_NEAR(q["fallbacks"].gain.share, 0.25, 1e-9);
}

TEST(Advice, KnowsDevicesAndBranches) {
    Question q = about("mlp");
    EXPECT_EQ(q["provider"].state, AdviceState::no_gain);
    q.in.providers = {{"cuda", "no NVIDIA driver"}};
    EXPECT_TRUE(has(q["provider"].finding, "no NVIDIA driver"));
    q.in.providers = {{"cuda", {}}};
    EXPECT_EQ(q["provider"].state, AdviceState::worth_doing);
    q.in.runs_on = "cuda";
    EXPECT_EQ(q["provider"].state, AdviceState::done);
    q.in.shares = std::make_shared<const TimeShares>(estimated_shares(*q.in.model));
    EXPECT_EQ(q["inter_op"].state, AdviceState::no_gain) << "a chain";
}

TEST(Advice, IsRankedByGainAndDropsWhatGainsNothing) {
    Question q = about("bert-tiny").at(Level::extended);
    q.took("Original", 10, true, false);
    q.took("extended", 5, false, true);
    q.in.outputs_agree = true;
    q.in.threads = 1;
    const std::vector<Advice> advice = advise(q.in);
    for (std::size_t i = 1; i < advice.size(); ++i) {
        EXPECT_LE(advice[i - 1].state, advice[i].state);
        const auto time_share = [](const Advice& a) {
            return a.gain.kind == AdviceGain::Kind::time ? a.gain.share : 0;
        };
        if (advice[i].state == AdviceState::worth_doing)
            EXPECT_GE(time_share(advice[i - 1]), time_share(advice[i])) << advice[i].id;
    }
    EXPECT_EQ(advice.front().id, "threads") << "three quarters of the time, at most";
    for (const Advice& one : advice)
        EXPECT_FALSE(one.finding.empty()) << one.id << ": nothing says no without a reason";
}

/// The number of values that a pattern takes: one more than the largest placeholder.
std::set<std::string> placeholders(const std::string& pattern) {
    std::set<std::string> found;
    static const std::regex placeholder(R"(\{(\d+))");
    for (std::sregex_iterator at(pattern.begin(), pattern.end(), placeholder), end; at != end; ++at)
        found.insert((*at)[1]);
    return found;
}

TEST(AdviceTexts, AreThereInEveryLanguageForEveryCheck) {
    const auto file = nlohmann::json::parse(advice_texts_json());
    std::set<std::string> written, given;
    const auto expect_languages = [](const nlohmann::json& text, const std::string& what) {
        for (const char* language : {"en", "de", "zh_CN"}) {
            ASSERT_TRUE(text.contains(language)) << what << ' ' << language;
            EXPECT_FALSE(text[language].get<std::string>().empty()) << what << ' ' << language;
            EXPECT_EQ(placeholders(text[language]), placeholders(text["en"]))
                << what << ' ' << language;
        }
    };
    for (const auto& check : file["checks"]) {
        const std::string id = check["id"];
        written.insert(id);
        for (const char* member : {"title", "why", "how", "button"})
            expect_languages(check[member], id + ' ' + member);
        for (const auto& [key, text] : check["findings"].items())
            expect_languages(text, id + ' ' + key);
        EXPECT_TRUE(check["command"].get<std::string>().starts_with("lapidary-cli ")) << id;
    }
    for (const auto& [key, text] : file["shared"].items()) expect_languages(text, key);
    for (const Advice& advice : advise(about("mlp").in)) given.insert(advice.id);
    EXPECT_EQ(written, given);
}

TEST(AdviceTexts, AreInTheRequestedLanguage) {
    Question q = about("mlp");
    q.took("Original", 1.25, true, true);
    const auto in_language = [&](const char* locale, const char* point, const char* groups = "") {
        for (const Advice& advice : advise(q.in, {locale, point, groups, {}}))
            if (advice.id == "runs") return advice.title + ": " + advice.finding;
        return std::string();
    };
    EXPECT_EQ(in_language("de_AT", ","), "Einmal ausführen: Original braucht 1,250 ms ± 0,012.");
    EXPECT_TRUE(in_language("fr_FR", ",").starts_with("Run it once: "));
    q.in.times.back() = {"Original", true, true, 0.730, 0.701, 1.238};
    EXPECT_EQ(in_language("en", "."), "Run it once: Original takes 730 µs (701 – 1238).");
    EXPECT_EQ(in_language("en", ".", ","), "Run it once: Original takes 730 µs (701 – 1,238).");
    q.in.times.back() = {"Original", true, true, 1234567.8, 1234500, 1234599.5};
    EXPECT_TRUE(
        in_language("de", ",", ".").starts_with("Einmal ausführen: Original braucht 1.234,57 s"))
        << in_language("de", ",", ".");
    q.in.times.back() = {"Original", true, true, 1234.5678, 1234.5653, 1234.5703};
    EXPECT_EQ(in_language("de", ",", "."),
              "Einmal ausführen: Original braucht 1,234568 s ± 0,000003.")
        << "no groups behind the point";
}

TEST(AdviceTexts, HaveTheDecimalSignInSmallDifferences) {
    Question q = about("mlp");
    q.at(Level::extended);
    q.in.outputs_agree = true;
    q.in.largest_difference = 2.0936e-7;
    std::string guard;
    for (const Advice& advice : advise(q.in, {"de", ",", ".", {}}))
        if (advice.id == "guard") guard = advice.finding;
    EXPECT_TRUE(guard.ends_with("der größte Unterschied ist 2,09e-07.")) << guard;
}

}  // namespace
}  // namespace lapidary
