// SPDX-License-Identifier: Apache-2.0
// 300 random models at every level. LAPIDARY_LAPGEN_MODELS=20000 in the environment for more; the
// program lapgen reduces failures.
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>

#include "lapgen/oracle.h"
#include "lapgen/twins.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(Lapgen, RandomModelsAgreeAtEveryLevel) {
    const char* wanted = std::getenv("LAPIDARY_LAPGEN_MODELS");
    const std::uint64_t models = wanted ? std::strtoull(wanted, nullptr, 10) : 300;
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    std::uint64_t exact = 0, skipped = 0;
    for (std::uint64_t seed = 1; seed <= models; ++seed) {
        const lapgen::GeneratedModel generated = lapgen::generate_model(seed, book, seed % 3 == 0);
        const lapgen::Verdict verdict =
            lapgen::judge(generated.model, generated.exact, generated.dimensions);
        skipped += verdict.kind == lapgen::Verdict::Kind::cannot_run;
        exact += generated.exact && verdict.kind == lapgen::Verdict::Kind::agrees;
        EXPECT_NE(verdict.kind, lapgen::Verdict::Kind::differs)
            << "seed " << seed << ": " << verdict.symptom << "; moved by " << verdict.pass;
    }
    std::cout << models << " models, " << exact << " of them equal to the last bit, " << skipped
              << " could not run as they were\n";
    EXPECT_LE(skipped, models / 5) << "the generator makes too many models that cannot run";
    EXPECT_GE(exact, models / 6);
}

/// Files hold nodes of one opset, and so do random models with a case that names an older one.
TEST(Lapgen, RandomModelsHaveOneOpset) {
    std::vector<test::PassCase> cases =
        test::read_pass_cases(fixtures_folder() / "passes" / "layout");
    std::erase_if(cases, [](const test::PassCase& c) {
        return c.before.find("Resize@10(") == std::string::npos;
    });
    ASSERT_EQ(cases.size(), 1u);
    const lapgen::PatternBook book(std::move(cases));
    std::size_t resizing = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Model model = lapgen::generate_model(seed, book, false).model;
        for (const NodeId id : model.graph.nodes()) {
            const Node& node = model.graph.node(id);
            if (!node.domain.empty()) continue;
            EXPECT_EQ(node.version, model.opset()) << "seed " << seed << ": " << node.describe();
            resizing += node.op_type == "Resize";
        }
    }
    EXPECT_GT(resizing, 0u) << "no model has the case";
}

/// Random models that the quantizer could quantize: each mode in turn, float16, and both together.
TEST(Lapgen, QuantizedModelsAgreeAtEveryLevel) {
    const char* wanted = std::getenv("LAPIDARY_LAPGEN_QUANTIZED");
    const std::uint64_t models = wanted ? std::strtoull(wanted, nullptr, 10) : 45;
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    std::uint64_t tried = 0, quantized = 0, skipped = 0;
    for (std::uint64_t seed = 1; tried < models; ++seed) {
        const lapgen::GeneratedModel generated = lapgen::generate_model(seed, book, false);
        if (!generated.dimensions.empty()) continue;
        const std::optional<lapgen::Twin> twin = lapgen::twin_of(generated, tried++);
        if (!twin) {
            ++skipped;
            continue;
        }
        quantized += twin->quantized > 0;
        const lapgen::Verdict verdict = lapgen::judge(twin->model, false, {});
        EXPECT_NE(verdict.kind, lapgen::Verdict::Kind::differs)
            << "seed " << seed << ", " << twin->made << ": " << verdict.symptom << "; moved by "
            << verdict.pass;
    }
    std::cout << tried << " models, " << quantized << " with quantized nodes, " << skipped
              << " not taken\n";
    EXPECT_GE(quantized, models / 4) << "the generator makes too little that can be quantized";
}

/// What a file declares of results, at random: other names, numbers and ranks.
Model with_lies(Model model, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    GraphEdit edit(model.graph);
    for (ValueId id : model.graph.values()) {
        const Value& value = model.graph.value(id);
        if (value.kind != ValueKind::node_output || !value.type.is_tensor() || random() % 3 == 0)
            continue;
        SymbolicShape shape(random() % 2 == 0 && value.type.shape ? value.type.shape->size()
                                                                  : random() % 5);
        for (Dim& dim : shape)
            dim = random() % 2 == 0 ? Dim(static_cast<std::int64_t>(random() % 4))
                                    : Dim::symbolic(random() % 2 == 0 ? "batch" : "other");
        edit.set_type(id, Type::tensor(value.type.dtype, std::move(shape)));
        edit.set_declared(id, true);
    }
    edit.finish();
    infer_types(model);
    return model;
}

TEST(Lapgen, DeclaredShapesOfResultsChangeNothing) {
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Model model = lapgen::generate_model(seed, book, false).model;
        for (const Level level : {Level::basic, Level::all}) {
            OptimizeOptions options;
            options.level = level;
            options.verify = true;
            EXPECT_EQ(test::structure_of(optimize(with_lies(model, seed), options).model.graph),
                      test::structure_of(optimize(model, options).model.graph))
                << "seed " << seed;
        }
    }
}

/// Each pass must find something: without its pattern the models would not test it.
TEST(Lapgen, ReducesAFailureToItsCause) {
    const lapgen::PatternBook book(test::read_pass_cases(fixtures_folder() / "passes"));
    const auto has_conv = [](const Model& m) {
        for (NodeId id : m.graph.nodes())
            if (m.graph.node(id).op_type == "Conv") return true;
        return false;
    };
    for (std::uint64_t seed = 1; seed < 100; ++seed) {
        const Model model = lapgen::generate_model(seed, book, false).model;
        if (!has_conv(model) || model.graph.node_count() < 8) continue;
        const Model small = lapgen::reduce(model, has_conv);
        EXPECT_TRUE(has_conv(small));
        EXPECT_LE(small.graph.node_count(), 2u);
        return;
    }
    FAIL() << "no model with a Conv among 100";
}

}  // namespace
}  // namespace lapidary
