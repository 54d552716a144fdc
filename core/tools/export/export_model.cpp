// SPDX-License-Identifier: Apache-2.0
#include <lapidary/export/export_model.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/export/passport.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/export/release.h>

#include "graph/copy_model.h"
#include "graph/traversal.h"
#include "ops/channel_block.h"
#include "ops/schemas/schema.h"
#include "passes/layout/unblock_layout.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/mend_for_readers.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/convert_opset.h"

namespace lapidary {
namespace {

constexpr std::size_t listed_problems = 5;

/// Operators that ONNX Runtime has in the domain of ONNX although no opset has them.
bool is_runtime_operator(const Node& node) {
    return node.domain.empty() && (node.op_type == "SimplifiedLayerNormalization" ||
                                   (node.op_type == "LayerNormalization" && node.version < 17));
}

bool has_runtime_operator(const Model& model) {
    bool found = false;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes()) found = found || is_runtime_operator(graph.node(id));
    });
    return found;
}

constexpr std::int64_t opset_of_layer_normalization = 17;

/// True if LayerNormalization from before opset 17 equals that of opset 17: all inputs are of one
/// type, and it has no attribute that ONNX Runtime ignores.
bool becomes_official(const Model& model) {
    const OpSchema* official = find_schema("", "LayerNormalization", opset_of_layer_normalization);
    bool found = false, all_fit = official != nullptr;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (!is_runtime_operator(node) || node.op_type != "LayerNormalization") continue;
            found = true;
            for (const Attribute& a : node.attributes)
                all_fit = all_fit && official->attribute(a.name);
            const DType type = graph.value(node.inputs.at(0)).type.dtype;
            for (ValueId input : node.inputs)
                all_fit = all_fit && type != DType::undefined &&
                          (!input || graph.value(input).type.dtype == type);
        }
    });
    return found && all_fit;
}

/// Converts the model to the first opset that has LayerNormalization. Returns why that is not
/// possible, or empty.
std::string raise_to_layer_normalization(ExportResult& result, const Progress& progress) {
    const std::int64_t from = result.model.opset();
    if (from >= opset_of_layer_normalization || !becomes_official(result.model)) return {};
    Model raised = result.model;
    try {
        auto upgraded = convert_opset(raised, opset_of_layer_normalization, progress);
        result.model = std::move(raised);
        std::ranges::move(upgraded, std::back_inserter(result.upgraded));
        result.notes.push_back("converted from opset " + std::to_string(from) + " to " +
                               std::to_string(opset_of_layer_normalization) +
                               ", the first with LayerNormalization");
        return {};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_supported) throw;
        return error.message();
    }
}

/// The checker of ONNX refuses operators that only ONNX Runtime has in the domain of ONNX. In a
/// later opset, where it may be raised, they are operators of ONNX. Else they are expanded, and
/// ONNX Runtime fuses them again when it loads the file.
void make_official(ExportResult& result, bool may_raise, const Progress& progress) {
    if (!has_runtime_operator(result.model)) return;
    if (may_raise)
        if (const std::string problem = raise_to_layer_normalization(result, progress);
            !problem.empty())
            result.notes.push_back("LayerNormalization is written out: " + problem);
    if (!has_runtime_operator(result.model)) return;
    LoweringResult lowered = lower_unofficial(result.model, progress);
    for (const NearMiss& miss : lowered.refused)
        result.notes.push_back(
            miss.node_text +
            " is no operator of ONNX, as its checker reports, and stays: " + miss.reason);
    if (!lowered.rewrites.empty())
        result.notes.push_back(std::to_string(lowered.rewrites.size()) +
                               " normalizations that ONNX does not have at opset " +
                               std::to_string(result.model.opset()) + " were written out");
    std::ranges::move(lowered.rewrites, std::back_inserter(result.lowered));
}

std::string problem_of(const Model& model, const Node& node, ExportTarget target) {
    if (node.domain.empty() || node.domain == "ai.onnx.ml") {
        if (target == ExportTarget::plain && is_runtime_operator(node))
            return "only ONNX Runtime has this operator";
        return {};
    }
    if (model.find_function(node.domain, node.op_type, node.overload)) return {};
    if (target == ExportTarget::portable && node.domain == "com.microsoft") return {};
    if (target == ExportTarget::cpu &&
        (node.domain == "com.microsoft" || node.domain == "com.microsoft.nchwc"))
        return {};
    if (target == ExportTarget::plain) return "there is no way to write it in ONNX operators";
    return "operators of " + node.domain + " are not part of the target " +
           std::string(info_of(target).name);
}

[[noreturn]] void refuse(const std::vector<std::string>& problems, const std::string& what) {
    std::string list;
    for (std::size_t i = 0; i < std::min(problems.size(), listed_problems); ++i)
        list += (i ? "; " : "") + problems[i];
    if (problems.size() > listed_problems)
        list += "; and " + std::to_string(problems.size() - listed_problems) + " more";
    fail_unsupported(what + ": " + list);
}

/// Why nodes stayed: the reasons of the lowering, or that there is no lowering for the operator.
std::vector<std::string> plain_problems(const Model& model, const std::vector<NearMiss>& refused) {
    std::vector<std::string> problems;
    for (const NearMiss& miss : refused)
        problems.push_back(miss.node_text + in_graph(miss.place) + ": " + miss.reason);
    for (std::string& problem : target_problems(model, ExportTarget::plain)) {
        const bool reported = std::ranges::any_of(
            refused, [&](const NearMiss& m) { return problem.starts_with(m.node_text); });
        if (!reported) problems.push_back(std::move(problem));
    }
    return problems;
}

/// First undoes a memory layout that the target does not allow, or that is for another CPU.
void undo_foreign_layout(Model& model, const ExportOptions& options,
                         std::vector<std::string>& notes) {
    const std::int64_t block = channel_block_of(model);
    if (block == 0) return;
    const std::int64_t wanted =
        options.optimize.channel_block > 0 ? options.optimize.channel_block : cpu_channel_block();
    const bool for_others =
        options.target == ExportTarget::portable || options.target == ExportTarget::plain;
    if (!for_others && block == wanted) return;
    const auto passport = passport_of(model);
    const std::string made_for = passport && !passport->layout.empty()
                                     ? "laid out for " + passport->layout
                                     : "laid out for another CPU";
    const std::string done = unblock_layout(model);
    if (done.empty()) return;
    if (for_others) notes.push_back("the layout of one CPU was undone: " + done);
    else
        notes.push_back(made_for + " (blocks of " + std::to_string(block) +
                        " channels), re-blocked for " +
                        (wanted == cpu_channel_block() ? cpu_vector_instructions() : "others") +
                        " (blocks of " + std::to_string(wanted) + "): " + done);
}

void count_embedded_ids(ExportResult& result, const Model& source, const Progress& progress) {
    auto counted = count_ids_from_front(result.model, source, progress);
    if (counted.empty()) return;
    result.notes.push_back(count_text(std::ssize(counted), "input") +
                           " with ids of embeddings counted from the front, for ONNX Runtime's "
                           "EmbedLayerNormalization refuses those below zero");
    std::ranges::move(counted, std::back_inserter(result.mended));
}

/// Makes changes that other programs require of a file.
void fit_readers(ExportResult& result, const ExportOptions& options, const Progress& progress) {
    MendingResult mended = mend_for_readers(result.model, progress);
    std::ranges::move(mended.rewrites, std::back_inserter(result.mended));
    std::ranges::move(mended.notes, std::back_inserter(result.notes));
    if (options.release)
        for (std::string& note : fit_release(result.model, *options.release, progress))
            result.notes.push_back(std::move(note));
    if (!options.target) return;
    if (std::string note = write_least_ir_version(result.model); !note.empty())
        result.notes.push_back(std::move(note));
}

void drop_unused_imports(Model& model) {
    std::set<std::string> used{""};
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes()) used.insert(graph.node(id).domain);
    });
    for (const Function& function : model.functions) used.insert(function.domain);
    if (std::ranges::none_of(model.opset_imports,
                             [&](const auto& import) { return used.contains(import.first); }))
        return;  // a file needs one
    std::erase_if(model.opset_imports,
                  [&](const auto& import) { return !used.contains(import.first); });
}

constexpr std::array<ExportTargetInfo, 3> targets{{
    {ExportTarget::portable, "portable", Level::extended,
     "Fused operators of ONNX Runtime, no layout of one CPU.", "ONNX Runtime, any platform"},
    {ExportTarget::plain, "plain", Level::extended,
     "ONNX operators only: what only ONNX Runtime knows is written out.",
     "any ONNX implementation of the model's opset"},
    {ExportTarget::cpu, "cpu", Level::all,
     "Everything, the memory layout of this CPU included; says so in its metadata.",
     "ONNX Runtime on a CPU with the same vector width"},
}};

}  // namespace

std::span<const ExportTargetInfo> export_targets() { return targets; }

const ExportTargetInfo& info_of(ExportTarget target) {
    return targets[static_cast<std::size_t>(target)];
}

std::optional<ExportTarget> target_from_name(std::string_view name) {
    for (const ExportTargetInfo& info : targets)
        if (info.name == name) return info.target;
    return std::nullopt;
}

std::map<std::string, std::int64_t> static_batch_dimensions(
    const Model& model, std::int64_t batch, std::map<std::string, std::int64_t> dimensions) {
    if (batch < 1)
        fail_input("the static batch has to be at least 1, found " + std::to_string(batch));
    bool found = false;
    for (ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (input.constant || !input.type.shape || input.type.shape->empty()) continue;
        const Dim& dim = input.type.shape->front();
        if (dim.is_known()) continue;
        if (dim.is_unknown())
            fail_input("input " + quote(input.name) +
                       " has a first dimension without a name; infer types first");
        dimensions.emplace(dim.symbol(), batch);
        found = true;
    }
    if (!found) fail_input("no input has a first dimension that is not a number already");
    return dimensions;
}

std::vector<std::string> target_problems(const Model& model, ExportTarget target) {
    std::vector<std::string> problems;
    for_each_graph(model, [&](const Graph& graph, const std::string& place) {
        for (NodeId id : graph.nodes()) {
            const std::string problem = problem_of(model, graph.node(id), target);
            if (!problem.empty())
                problems.push_back(graph.node(id).describe() +
                                   (&graph == &model.graph ? "" : " in " + place) + ": " + problem);
        }
    });
    return problems;
}

ExportResult export_model(const Model& model, const ExportOptions& options,
                          const Progress& progress) {
    if (options.opset && *options.opset < std::min(oldest_opset, model.opset()))
        fail_input("opset " + std::to_string(*options.opset) + " is not written, the oldest is " +
                   std::to_string(oldest_opset));
    OptimizeOptions optimizing = options.optimize;
    if (options.static_batch)
        optimizing.free_dimensions = static_batch_dimensions(model, *options.static_batch,
                                                             std::move(optimizing.free_dimensions));
    Model source = copy_model(model, progress.cancel);
    if (options.target) import_onnx(source);
    std::vector<std::string> notes;
    undo_foreign_layout(source, options, notes);
    OptimizeResult optimized = optimize(source, optimizing, progress);
    // level all changed the layout, which the target does not allow
    undo_foreign_layout(optimized.model, options, notes);
    ExportResult result{
        std::move(optimized.model), std::move(optimized.report), {}, {}, {}, std::move(notes)};
    if (const std::int64_t block = channel_block_of(result.model); block > 0)
        result.notes.push_back("laid out for blocks of " + std::to_string(block) +
                               " channels: only ONNX Runtime on such a CPU computes the same");
    if (options.opset && *options.opset != result.model.opset()) {
        const std::int64_t from = result.model.opset();
        result.upgraded = convert_opset(result.model, *options.opset, progress);
        result.notes.push_back("converted from opset " + std::to_string(from) + " to " +
                               std::to_string(*options.opset));
    }
    if (options.target != ExportTarget::plain) count_embedded_ids(result, source, progress);
    if (options.target == ExportTarget::plain) {
        LoweringResult lowered = lower_contrib(result.model, progress);
        const auto problems = plain_problems(result.model, lowered.refused);
        if (!problems.empty())
            refuse(problems, "the model cannot be written in ONNX operators only");
        result.lowered = std::move(lowered.rewrites);
    } else if (options.target) {
        // An opset below the model's was asked for by who needs it.
        const bool may_raise = !options.opset || *options.opset >= model.opset();
        if (options.target == ExportTarget::portable) make_official(result, may_raise, progress);
        // Nodes that cannot be raised stay in the form of ONNX Runtime.
        if (options.target == ExportTarget::cpu && may_raise)
            raise_to_layer_normalization(result, progress);
        const auto problems = target_problems(result.model, *options.target);
        if (!problems.empty())
            refuse(problems, "the model does not fit the target " +
                                 std::string(info_of(*options.target).name));
    }
    drop_unused_imports(result.model);
    fit_readers(result, options, progress);
    drop_unused_imports(result.model);  // operators may have been written out
    stamp_passport(result, model, options, progress);
    return result;
}

}  // namespace lapidary
