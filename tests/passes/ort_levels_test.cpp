// SPDX-License-Identifier: Apache-2.0
// Node counts of the files written at each level against ONNX Runtime's (ort_levels.json of the
// test data: the operators it was left with), and outputs that must not move: against the model as
// written, or, where drop_rounding_casts applied, against the model held in float32 throughout,
// which is how ONNX Runtime computes it. What keeps more nodes than ONNX Runtime is listed with the
// reason in more_nodes_than_ort.inc; an unlisted one fails, and so does a listed one that is no
// longer needed.
//
// LAPIDARY_ONLY=text in the environment restricts the models to paths that contain the text and
// prints both histograms.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>
#include <lapidary/tensor/tensor_file.h>

#include "graph/traversal.h"
#include "proof/held_in_float32.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using Histogram = std::map<std::string, int>;

struct Listed {
    const char* path;
    const char* level;
    const char* reason;
};

constexpr Listed more_nodes[] = {
#define LAPIDARY_MORE_NODES(path, level, reason) {path, level, reason},
#include "more_nodes_than_ort.inc"
#undef LAPIDARY_MORE_NODES
    {nullptr, nullptr, nullptr}};

const char* listed_reason(const std::string& path, std::string_view level) {
    for (const Listed& l : more_nodes)
        if (l.path && path == l.path && level == l.level) return l.reason;
    return nullptr;
}

std::string only() {
    const char* text = std::getenv("LAPIDARY_ONLY");
    return text ? text : "";
}

Histogram histogram(const Model& model) {
    Histogram h;
    for_each_graph(model.graph, [&](const Graph& g, const std::string&) {
        for (NodeId id : g.nodes()) ++h[g.node(id).qualified_op()];
    });
    return h;
}

int total(const Histogram& h) {
    int sum = 0;
    for (const auto& [op, count] : h) sum += count;
    return sum;
}

std::string differences_text(const Histogram& ours, const Histogram& theirs) {
    std::string text;
    Histogram all = ours;
    all.insert(theirs.begin(), theirs.end());
    for (const auto& [op, ignored] : all) {
        const int a = ours.contains(op) ? ours.at(op) : 0,
                  b = theirs.contains(op) ? theirs.at(op) : 0;
        if (a != b) text += fmt::format(" {} {}:{}", op, a, b);
    }
    return text;
}

nlohmann::json ort_levels() {
    std::ifstream in(test_data() / "ort_levels.json");
    return in ? nlohmann::json::parse(in)["models"] : nlohmann::json();
}

OptimizeOptions options_of(Level level) {
    OptimizeOptions options;
    options.level = level;
    options.near_misses = false;
    return options;
}

OptimizeResult optimized(const Model& model, Level level) {
    return optimize(model, options_of(level));
}

/// What "lapidary-cli optimize" writes: optimized, and mended for other readers.
Model written(const Model& model, Level level) {
    ExportOptions options;
    options.optimize = options_of(level);
    return export_model(model, options).model;
}

constexpr Level levels[] = {Level::disabled, Level::basic, Level::extended, Level::all};

/// Pairs of a model and a level.
struct Pairs {
    int compared = 0, within = 0;
    void count(bool is_within) {
        ++compared;
        within += is_within;
    }
    double share() const { return static_cast<double>(within) / compared; }
};

/// One model at one level; true when the file has no more nodes than ONNX Runtime was left with.
bool has_no_more_nodes(const Model& model, const std::string& path, Level level,
                       const Histogram& ort) {
    const Histogram ours = histogram(written(model, level));
    const bool is_within = total(ours) <= total(ort);
    const char* listed = listed_reason(path, name_of(level));
    if (is_within) {
        EXPECT_FALSE(listed && only().empty())
            << path << " " << name_of(level)
            << " no longer needs its line in more_nodes_than_ort.inc";
    } else {
        EXPECT_TRUE(listed) << path << " " << name_of(level) << ": " << total(ours)
                            << " nodes, ONNX Runtime " << total(ort) << "; ours:theirs"
                            << differences_text(ours, ort);
    }
    if (!only().empty())
        std::cout << path << " " << name_of(level) << ": ours " << total(ours) << ", ONNX Runtime "
                  << total(ort) << ";" << differences_text(ours, ort) << "\n";
    return is_within;
}

/// What share of the models must have no more nodes than in ONNX Runtime at a level. At level
/// disabled ONNX Runtime drops Casts that round, in graphs of float16 alone; here a pass of level
/// basic does, for disabled leaves the model's results alone. more_nodes_than_ort.inc names each.
double least_share(Level level) { return level == Level::disabled ? 0.95 : 0.97; }

/// Holds every model below `prefix` to its list and bounds; the shares at each level, and of all
/// pairs, to least ones.
void check_counts(const std::string& prefix) {
    const nlohmann::json theirs = ort_levels();
    if (theirs.is_null()) GTEST_SKIP() << "no ort_levels.json in the test data";
    std::map<Level, Pairs> at_level;
    Pairs all;
    for (const auto& [path, by_level] : theirs.items()) {
        if (!path.starts_with(prefix) || path.find(only()) == std::string::npos) continue;
        std::optional<Model> model;
        try {
            model = load_model(test_data() / path);
        } catch (const Error& error) {
            if (!only().empty()) std::cout << path << ": " << error.what() << "\n";
            continue;
        }
        for (const auto& [name, ops] : by_level.items()) {
            const auto level = level_from_name(name);
            if (!level || !ops.is_object()) continue;
            try {
                const bool is_within =
                    has_no_more_nodes(*model, path, *level, ops.get<Histogram>());
                at_level[*level].count(is_within);
                all.count(is_within);
            } catch (const Error& error) {
                ADD_FAILURE() << path << " " << name << ": " << error.what();
            }
        }
    }
    for (const auto& [level, pairs] : at_level) {
        std::cout << fmt::format("{}* at {}: {} of {} with no more nodes than ONNX Runtime\n",
                                 prefix, name_of(level), pairs.within, pairs.compared);
        if (only().empty()) { EXPECT_GE(pairs.share(), least_share(level)) << name_of(level); }
    }
    if (all.compared == 0) return;
    std::cout << fmt::format("{}* at all levels: {} of {}, {:.1f} %\n", prefix, all.within,
                             all.compared, 100 * all.share());
    if (only().empty()) { EXPECT_GE(all.share(), 0.97); }
}

TEST(OrtLevels, FusionGraphsKeepNoMoreNodes) { check_counts("fusion/"); }
TEST(OrtLevels, RealModelsKeepNoMoreNodes) { check_counts("models/"); }

/// Random operators and float16 sums in another order: compared loosely or not at all, by name.
bool is_random(const Model& model) {
    for (const auto& [op, count] : histogram(model))
        if (op.starts_with("Random") || op == "Multinomial" || op == "Bernoulli") return true;
    return false;
}

double largest(const Tensor& tensor) {
    double most = 0;
    const auto take = [&](double v) {
        if (std::isfinite(v)) most = std::max(most, std::abs(v));
    };
    if (tensor.dtype() == DType::f32)  // which may have gigabytes
        for (const float v : tensor.data<float>()) take(double(v));
    else
        for (const double v : to_doubles(tensor)) take(v);
    return most;
}

Tolerance tolerance_for(const RuntimeValue& expected) {
    if (!expected.is_tensor()) return {1e-3, 1e-4};
    const DType type = expected.tensor().dtype();
    if (type == DType::f16 || type == DType::bf16)
        return {0, (type == DType::f16 ? 8e-3 : 6e-2) * largest(expected.tensor()) + 1e-6};
    if (type == DType::f32 || type == DType::f64)
        return {0, 1e-4 * largest(expected.tensor()) + 1e-6};
    // quantized: one step of rounding
    return {0, type == DType::u8 || type == DType::i8 ? 1.0 : 0.0};
}

NamedValues run(const Model& model, const NamedValues& inputs, int threads) {
    SessionOptions options;
    options.resources.threads = threads;
    return Session::compile(std::make_shared<const Model>(model), options).run(inputs).outputs;
}

/// Inputs recorded for a model, and how far ONNX Runtime itself moves each output when it
/// optimizes: in quantized models a last bit becomes a whole step.
struct RecordedCase {
    NamedValues inputs;
    std::map<std::string, double> moves;
};

RecordedCase recorded_case(const fs::path& folder) {
    std::vector<fs::path> candidates{folder};
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent))
        if (entry.is_directory()) candidates.push_back(entry.path());
    std::ranges::sort(candidates);
    RecordedCase found;
    for (const fs::path& candidate : candidates) {
        if (!fs::exists(candidate / "inputs.npz")) continue;
        found.inputs = load_npz(candidate / "inputs.npz");
        std::ifstream note(candidate / "note.json");
        const nlohmann::json json =
            note ? nlohmann::json::parse(note, nullptr, false) : nlohmann::json();
        if (json.is_object() && json.contains("all_optimizations_max_abs_diff") &&
            json["all_optimizations_max_abs_diff"].is_object())
            for (const auto& [name, value] : json["all_optimizations_max_abs_diff"].items())
                if (value.is_number()) found.moves[name] = value.get<double>();
        break;
    }
    return found;
}

std::string compare_outputs(const NamedValues& found, const NamedValues& expected,
                            const std::map<std::string, double>& moves) {
    if (found.size() != expected.size())
        return fmt::format("{} outputs became {}", expected.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].first != expected[i].first)
            return "output " + expected[i].first + " became " + found[i].first;
        Tolerance tolerance = tolerance_for(expected[i].second);
        if (const auto moved = moves.find(expected[i].first); moved != moves.end())
            tolerance.atol = std::max(tolerance.atol, 2 * moved->second);
        const Comparison c = compare(found[i].second, expected[i].second, tolerance);
        if (!c.matches) return "output " + quote(expected[i].first) + ": " + c.reason;
    }
    return {};
}

/// The step of a dequantized value, or of a sum of such; 0 for others.
double quantization_step(const Graph& graph, ValueId id) {
    const Value& v = graph.value(id);
    if (v.kind != ValueKind::node_output) return 0;
    const Node& node = graph.node(v.producer);
    if (node.op_type == "Add")
        return quantization_step(graph, node.inputs[0]) + quantization_step(graph, node.inputs[1]);
    if (node.op_type != "DequantizeLinear") return 0;
    const Value& scale = graph.value(node.inputs[1]);
    return scale.constant && scale.constant->size() == 1 ? to_doubles(*scale.constant)[0] : 0;
}

/// Outputs that are dequantized may differ by one step: integer products round once, the float ones
/// they stand for at every sum.
void allow_a_step(const Model& model, std::map<std::string, double>& moves) {
    for (ValueId id : model.graph.outputs())
        if (const double step = quantization_step(model.graph, id); step > 0) {
            double& moved = moves[model.graph.value(id).name];
            moved = std::max(moved, step * 1.001 / 2);
        }
}

// Elements of an input. Gigabytes are filled, quantized and compared with all instruction sets
// alone: it takes a minute there, and a quarter of an hour in scalar code or under a sanitizer.
constexpr std::int64_t largest_elsewhere = 100'000'000;
const bool is_left_out_if_large = under_sanitizer || std::getenv("LAPIDARY_ISA") != nullptr;

/// Elements of the largest input whose shape the file has.
std::int64_t largest_input(const Graph& graph) {
    std::int64_t most = 0;
    for (const ValueId id : graph.inputs())
        if (const Type& type = graph.value(id).type; type.is_tensor() && type.is_static())
            most = std::max(most, element_count(type.static_shape()));
    return most;
}

/// What was rewritten, in order. Levels with the same rewrites leave the same graph.
std::string rewrites_text(const PipelineReport& report) {
    std::string text;
    for (const AppliedRewrite& applied : report.rewrites) {
        text += applied.place.key() + applied.rewrite.pass + ": " + applied.rewrite.remark;
        for (const NodeId id : applied.rewrite.removed) text += fmt::format(" -{}", id.index);
        for (const NodeId id : applied.rewrite.added) text += fmt::format(" +{}", id.index);
        for (const NodeId id : applied.rewrite.changed) text += fmt::format(" ~{}", id.index);
        text += '\n';
    }
    return text;
}

void check_outputs(const fs::path& model_path, RecordedCase recorded, int& compared,
                   int& held_ones) {
    const NamedValues& given = recorded.inputs;
    const std::string label = fs::relative(model_path, test_data()).string();
    if (label.find(only()) == std::string::npos) return;
    Model model;
    NamedValues inputs, expected;
    bool slow = false;
    try {
        model = load_model(model_path);
        if (is_random(model)) return;
        allow_a_step(model, recorded.moves);
        const std::int64_t most = largest_input(model.graph);
        if (is_left_out_if_large && most > largest_elsewhere) {
            std::cout << label << " left out: an input has " << most << " elements\n";
            return;
        }
        inputs = generate_inputs(model, given);
        inputs.insert(inputs.end(), given.begin(), given.end());
        const auto start = std::chrono::steady_clock::now();
        expected = run(model, inputs, 1);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        slow = took.count() > 3;  // then once, at the highest level
        if (!only().empty())
            std::cout << label << fmt::format(" runs in {:.2f} s\n", took.count()) << std::flush;
    } catch (const Error& error) {
        if (!only().empty())
            std::cout << label << " does not run as it is: " << error.what() << "\n";
        return;
    }
    std::set<std::string> seen;  // rewrites of the levels before
    for (Level level : levels) {
        if (slow && level != Level::all) continue;
        try {
            const OptimizeResult optimizing = optimized(model, level);
            if (!seen.insert(rewrites_text(optimizing.report)).second) continue;
            const Model& result = optimizing.model;
            const std::optional<Model> held =
                keeps_excess_precision(result) ? held_in_float32(model) : std::nullopt;
            const NamedValues reference = held ? run(*held, inputs, 1) : expected;
            held_ones += held.has_value();
            for (int threads : slow ? std::vector{2} : std::vector{1, 2}) {
                const std::string difference =
                    compare_outputs(run(result, inputs, threads), reference, recorded.moves);
                EXPECT_TRUE(difference.empty()) << label << " at " << name_of(level) << ", "
                                                << threads << " threads: " << difference;
            }
            ++compared;
        } catch (const Error& error) {
            ADD_FAILURE() << label << " at " << name_of(level) << ": " << error.what();
        }
    }
}

std::vector<fs::path> models_beneath(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code absent;
    for (const auto& entry : fs::recursive_directory_iterator(folder, absent))
        if (entry.path().extension() == ".onnx") out.push_back(entry.path());
    std::ranges::sort(out);
    return out;
}

constexpr int parts = 4;

/// One of several equal parts of the models, so that they run beside each other.
class OrtLevelsOutputs : public testing::TestWithParam<int> {
protected:
    template <typename CaseOf>
    void check(const fs::path& folder, const CaseOf& case_of) {
        const auto models = models_beneath(folder);
        if (models.empty()) GTEST_SKIP() << "no models in " << folder;
        int compared = 0, held = 0;
        for (std::size_t i = static_cast<std::size_t>(GetParam()); i < models.size(); i += parts)
            check_outputs(models[i], case_of(models[i]), compared, held);
        std::cout << compared << " runs of a graph at a level compared, " << held
                  << " of them with the graph held in float32\n";
    }
};

TEST_P(OrtLevelsOutputs, FusionGraphsKeepThem) {
    const fs::path folder = test_data() / "fusion";
    check(folder, [&](const fs::path& path) {
        return recorded_case(
            (test_data() / "fusion_ref" / fs::relative(path, folder)).replace_extension());
    });
}

TEST_P(OrtLevelsOutputs, RealModelsKeepThem) {
    check(test_data() / "models" / "real", [](const fs::path& path) {
        return recorded_case(test_data() / "models" / "ref" / path.stem());
    });
}

INSTANTIATE_TEST_SUITE_P(Part, OrtLevelsOutputs, testing::Range(0, parts));

}  // namespace
}  // namespace lapidary
