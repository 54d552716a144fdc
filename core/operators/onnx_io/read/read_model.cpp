// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>

#include "base/files/mapped_file.h"
#include "graph/reader_demands.h"
#include "graph/traversal.h"
#include "graph/verify.h"
#include "onnx_io/check/check_functions.h"
#include "onnx_io/read/file_kind.h"
#include "onnx_io/read/load_context.h"
#include "onnx_io/onnx.pb.h"
#include "onnx_io/preserved.h"
#include "onnx_io/read/read_function.h"
#include "onnx_io/read/read_graph.h"
#include "onnx_io/ort/read_ort.h"
#include "onnx_io/read/training_info.h"
#include "ops/channel_block.h"
#include "ops/judge_channel_block.h"
#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

using namespace onnx_io;

constexpr std::int64_t oldest_ir_version = 3;
constexpr std::int64_t newest_ir_version = 14;

/// The ModelProto with graph, functions and training information still on the wire.
struct RawModel {
    onnx::ModelProto light;
    std::vector<WireField> graphs, functions, training;
};

RawModel read_raw_model(std::span<const std::byte> bytes) {
    RawModel raw;
    std::string light;
    WireReader reader(bytes, 0, "ModelProto");
    try {
        for (WireField field; reader.next(field);) {
            if (field.number == 7 || field.number == 25) {
                require_bytes(field, "ModelProto", field.number == 7 ? "graph" : "functions");
                (field.number == 7 ? raw.graphs : raw.functions).push_back(field);
                continue;
            }
            // Training information is checked and kept as it stands.
            if (field.number == 20 && field.type == WireType::bytes) raw.training.push_back(field);
            light.append(reinterpret_cast<const char*>(field.whole.data()), field.whole.size());
        }
        parse_message(raw.light, light, 0, "ModelProto");
    } catch (Error& e) {
        if (e.code() != ErrorCode::invalid_model) throw;
        if (is_plain_text(bytes)) fail_model("this is not an ONNX model but a text file");
        if (raw.graphs.empty())
            fail_model("this is not an ONNX model, or it is damaged: " + e.message());
        throw;
    }
    if (raw.graphs.empty())
        fail_model(raw.light.has_ir_version()
                       ? "the model has no graph"
                       : "this is not an ONNX model: it has neither a graph nor an IR version");
    if (raw.graphs.size() > 1)
        fail_model("the model has " + std::to_string(raw.graphs.size()) +
                   " graphs (the second at byte " + std::to_string(raw.graphs[1].offset) +
                   "), expected one");
    return raw;
}

std::int64_t read_ir_version(const onnx::ModelProto& proto, WarningList& warnings) {
    if (!proto.has_ir_version()) {
        warnings.add(
            "ir_version", "model",
            "the model names no IR version; it is taken as " + std::to_string(Model{}.ir_version));
        return Model{}.ir_version;
    }
    const std::int64_t version = proto.ir_version();
    if (version < oldest_ir_version)
        fail_unsupported("IR version " + std::to_string(version) + " is not supported, expected " +
                         std::to_string(oldest_ir_version) + " to " +
                         std::to_string(newest_ir_version));
    if (version > newest_ir_version)
        warnings.add(
            "ir_version", "model",
            "IR version " + std::to_string(version) + " is newer than " +
                std::to_string(newest_ir_version) +
                ", the newest this program knows: parts it does not know are kept but not used");
    return version;
}

/// Operators without definition can be looked at, but not run.
void warn_of_unknown_operators(const Model& model, WarningList& warnings) {
    std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::string>> unknown;
    std::set<std::pair<std::string, std::string>> functions;
    for (const Function& f : model.functions) functions.emplace(f.domain, f.name);
    for_each_graph(model, [&](const Graph& graph, const std::string& place) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (functions.contains({node.domain, node.op_type}) ||
                is_known_operator(node.domain, node.op_type))
                continue;
            auto& [count, first] = unknown[{node.domain, node.op_type}];
            if (count++ == 0) first = place + "/" + node.describe();
        }
    });
    for (const auto& [op, seen] : unknown)
        warnings.add("unknown operators", seen.second,
                     "operator " +
                         quote(op.first.empty() ? op.second : op.first + "::" + op.second) +
                         " is not known (" + std::to_string(seen.first) +
                         " nodes): the model can be viewed, but these nodes cannot run");
}

/// Warns of parts that run here and that ONNX Runtime refuses.
void warn_of_refusals(const Model& model, WarningList& warnings) {
    constexpr const char* consequence =
        ": ONNX Runtime refuses the file; an export of `optimize` mends it";
    for_each_graph(model.graph, [&](const Graph& graph, const std::string& place) {
        const std::vector<NodeId> doubles = nodes_of_taken_names(graph);
        if (!doubles.empty())
            warnings.add("node names", place,
                         "several nodes have the same name, first " +
                             quote(graph.node(doubles.front()).name) + consequence);
        if (&graph != &model.graph && !outputs_from_outside(graph).empty())
            warnings.add(
                "outer values returned", place,
                "returns " +
                    quote(graph.value(graph.outputs()[outputs_from_outside(graph).front()]).name) +
                    " of the graph around it without an Identity" + consequence);
        for (const NodeId id : graph.nodes())
            if (const std::string forbidden = forbidden_by_version(graph.node(id));
                !forbidden.empty())
                warnings.add("forbidden by the opset", graph.node(id).describe(),
                             forbidden + consequence);
    });
}

/// Judges ONNX Runtime's layout by the weights if neither the file nor its shapes give the block.
void judge_layout(Model& model, WarningList& warnings) {
    if (channel_block_problem(model).empty()) return;
    const BlockJudgement judged = judge_channel_block(model);
    if (judged.block == 0) return;  // the caller must state it
    state_channel_block(model, judged.block);
    warnings.add(
        "channel block", "model",
        "channels are laid out in blocks of 8 or of 16, the file does not say which: taken as " +
            std::to_string(judged.block) + ", for " + judged.reason +
            "; --channel-block says another");
}

Model read_model(std::span<const std::byte> bytes, const std::shared_ptr<const MappedFile>& file,
                 const std::filesystem::path& folder, const LoadOptions& options,
                 const Progress& progress) {
    if (bytes.empty()) fail_model("the file is empty, expected an ONNX model");
    if (bytes.size() > options.limits.model_bytes)
        fail_limit("the model has " + std::to_string(bytes.size()) + " bytes, the limit is " +
                   std::to_string(options.limits.model_bytes));
    if (const std::string kind = other_file_kind(bytes); !kind.empty())
        fail_model("this is not an ONNX model but " + kind);
    progress.step("reading", 0.0);
    WarningList warnings;
    ExternalData external(folder, file, options.limits, warnings);
    LoadContext context{options.limits, progress, external, warnings, file};
    context.faults = options.faults;

    std::string translated;
    if (is_ort_file(bytes)) {
        translated = translate_ort(bytes, options.limits, warnings, progress.cancel);
        external.lie_within(bytes, file);
        context.owner = nullptr;
        context.is_any_order = true;
    }
    const RawModel raw =
        read_raw_model(translated.empty() ? bytes : std::as_bytes(std::span<char>(translated)));
    Model model;
    model.ir_version = read_ir_version(raw.light, warnings);
    model.opset_imports = read_opset_imports(raw.light.opset_import(), context);
    model.producer_name = raw.light.producer_name();
    model.producer_version = raw.light.producer_version();
    model.domain = raw.light.domain();
    model.doc = raw.light.doc_string();
    model.model_version = raw.light.model_version();
    model.metadata = pairs_of(raw.light.metadata_props());
    model.preserved = raw.light.unknown_fields();
    for (const WireField& field : raw.training) check_training_info(field, context);
    for (const WireField& field : raw.functions)
        model.functions.push_back(read_function(field, context));
    GraphReader reader(context, model.opset_imports, nullptr, nullptr, "main");
    model.graph = reader.read(WireReader(raw.graphs.front(), "GraphProto"));
    for (const ValueId id : model.graph.outputs())
        if (const Value& output = model.graph.value(id);
            output.type.is_tensor() && output.type.shape)
            model.declared_output_ranks[output.name] = output.type.shape->size();
    model.opset_imports.merge(context.assumed_imports);
    if (model.opset_imports.empty())
        fail_model("the model imports no operator set (opset_import is missing)");
    check_functions(model, options.limits, progress.cancel);
    warn_of_unknown_operators(model, warnings);
    warn_of_refusals(model, warnings);

    model.file_bytes = bytes.size();
    model.external_bytes = external.total_bytes();
    model.external_files = external.paths();
    verify(model, progress.cancel);
    if (options.channel_block != 0) state_channel_block(model, options.channel_block);
    else judge_layout(model, warnings);
    model.warnings = warnings.take();
    external.require_unchanged();
    if (file && !file->is_unchanged())
        fail(ErrorCode::io_failure, "the file changed while it was read");
    return model;
}

/// Calls infer_types(); an invalid node becomes a fault where faults are collected.
void infer_or_note(Model& model, std::vector<ModelFault>* faults, const Progress& progress) {
    try {
        infer_types(model, {}, progress);
    } catch (const Error& error) {
        if (!faults || error.code() != ErrorCode::invalid_model || error.where().empty()) throw;
        const std::string& place = error.where().front();
        const auto at = std::ranges::find_if(model.graph.nodes(), [&](NodeId id) {
            return model.graph.node(id).describe() == place;
        });
        if (at == model.graph.nodes().end()) throw;
        const std::string prefix = place + ": ", reported = error.what();
        faults->push_back(
            {*at, reported.starts_with(prefix) ? reported.substr(prefix.size()) : reported});
    }
}

}  // namespace

Model load_model(const std::filesystem::path& path, const LoadOptions& options,
                 const Progress& progress) {
    if (path.empty()) fail(ErrorCode::io_failure, "the name of the model file is empty");
    const std::filesystem::path absolute = std::filesystem::absolute(path);
    try {
        const auto file = MappedFile::open(path);
        Model model = read_model(file->bytes(), file, absolute.parent_path(), options, progress);
        model.path = absolute;
        if (options.infer_types) infer_or_note(model, options.faults, progress);
        return model;
    } catch (Error& e) {
        e.at(path.string());
        throw;
    }
}

Model load_model_from_memory(std::span<const std::byte> bytes, const LoadOptions& options,
                             const std::filesystem::path& folder) {
    Model model = read_model(bytes, nullptr, folder, options, {});
    if (options.infer_types) infer_or_note(model, options.faults, {});
    return model;
}

}  // namespace lapidary
