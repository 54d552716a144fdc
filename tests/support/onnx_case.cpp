// SPDX-License-Identifier: Apache-2.0
#include "support/onnx_case.h"

#include <algorithm>
#include <cstdlib>
#include <exception>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

namespace lapidary::test {
namespace {

namespace fs = std::filesystem;

fs::path data_file(const fs::path& set, const char* kind, std::size_t number) {
    return set / (std::string(kind) + "_" + std::to_string(number) + ".pb");
}

// The graph inputs that data files are for, in order: those without a default, or all of them when
// there are more files than that.
std::vector<ValueId> fed_inputs(const Graph& graph, const fs::path& set) {
    std::vector<ValueId> free_inputs;
    for (const ValueId id : graph.inputs()) {
        if (!graph.value(id).constant) free_inputs.push_back(id);
    }
    if (fs::exists(data_file(set, "input", free_inputs.size())))
        return {graph.inputs().begin(), graph.inputs().end()};
    return free_inputs;
}

// ONNX before 1.13 wrote bfloat16 test data as the bits in uint16 tensors.
RuntimeValue load_data(const fs::path& path, const Type& type) {
    RuntimeValue value = load_value_proto(path, type).second;
    if (type.is_tensor() && type.dtype == DType::bf16 && value.is_tensor() &&
        value.tensor().dtype() == DType::u16) {
        const Tensor bits = value.tensor();
        return Tensor::borrow(DType::bf16, bits.shape(), const_cast<void*>(bits.raw()),
                              bits.owner());
    }
    return value;
}

std::string run_data_set(Session& session, const Graph& graph, const fs::path& set,
                         const Tolerance& tolerance) {
    NamedValues inputs;
    const std::vector<ValueId> fed = fed_inputs(graph, set);
    for (std::size_t i = 0; i < fed.size() && fs::exists(data_file(set, "input", i)); ++i) {
        const Value& value = graph.value(fed[i]);
        inputs.emplace_back(value.name, load_data(data_file(set, "input", i), value.type));
    }
    const RunResult result = session.run(inputs);
    std::size_t compared = 0;
    for (; compared < graph.outputs().size() && fs::exists(data_file(set, "output", compared));
         ++compared) {
        const Value& value = graph.value(graph.outputs()[compared]);
        const RuntimeValue expected = load_data(data_file(set, "output", compared), value.type);
        const Comparison comparison =
            compare(result.outputs.at(compared).second, expected, tolerance);
        if (!comparison.matches)
            return "output " + std::to_string(compared) + " (" + value.name +
                   "): " + comparison.reason;
    }
    return compared == 0 ? "there is no output to compare" : std::string();
}

ModelPtr model_of(const fs::path& folder, const CaseOptions& options) {
    Model model = load_model(folder / "model.onnx");
    if (options.change) options.change(model);
    if (options.level != Level::disabled) {
        OptimizeOptions optimization;
        optimization.level = options.level;
        model = optimize(model, optimization).model;
    }
    return std::make_shared<const Model>(std::move(model));
}

SessionOptions session_options(const CaseOptions& options) {
    SessionOptions session;
    session.resources.threads = 1;
    session.providers = options.providers;
    return session;
}

std::vector<fs::path> data_sets(const fs::path& folder) {
    std::vector<fs::path> sets;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_directory() && entry.path().filename().string().starts_with("test_data_set_"))
            sets.push_back(entry.path());
    std::ranges::sort(sets);
    return sets;
}

}  // namespace

CaseOutcome run_onnx_case(const fs::path& folder, const CaseOptions& options) {
    CaseOutcome outcome;
    try {
        const auto model = model_of(folder, options);
        Session session = Session::compile(model, session_options(options));
        const std::vector<fs::path> sets = data_sets(folder);
        for (int run = 1; run <= options.runs; ++run)
            for (const fs::path& set : sets) {
                outcome.message = run_data_set(session, model->graph, set, options.tolerance);
                if (outcome.message.empty()) continue;
                outcome.message = set.filename().string() + ", run " + std::to_string(run) + ": " +
                                  outcome.message;
                return outcome;
            }
        outcome.data_sets = static_cast<int>(sets.size());
        outcome.passed = outcome.data_sets > 0;
        if (!outcome.passed) outcome.message = "there is no data set";
    } catch (const std::exception& e) { outcome.message = e.what(); }
    return outcome;
}

std::vector<fs::path> find_onnx_cases(const fs::path& root) {
    std::vector<fs::path> cases;
    const auto collect = [&](const fs::path& folder) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (fs::exists(entry.path() / "model.onnx")) cases.push_back(entry.path());
        }
    };
    if (!fs::is_directory(root)) return cases;
    collect(root);
    for (const auto& entry : fs::directory_iterator(root)) {
        if (entry.is_directory() && !fs::exists(entry.path() / "model.onnx")) collect(entry.path());
    }
    std::ranges::sort(cases);
    return cases;
}

}  // namespace lapidary::test
