// SPDX-License-Identifier: Apache-2.0
#include "worker/models/quantized_file.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>

namespace lapidary::app {
namespace {

using Json = nlohmann::json;
constexpr const char* metadata_key = "lapidary.quantization";
constexpr std::uint64_t most_origin_bytes = std::uint64_t(1) << 30;

std::filesystem::path origins_file(std::filesystem::path file) { return file += ".origins"; }

/// What a node is called in the file of origins: its first output, which no other node writes.
std::string key_of(const Graph& graph, const Node& node) {
    const auto named = std::ranges::find_if(node.outputs, [](ValueId v) { return bool(v); });
    return named == node.outputs.end() ? std::string() : graph.value(*named).name;
}

}  // namespace

std::filesystem::path quantized_file(const std::filesystem::path& folder,
                                     const Quantization& quantization, const std::string& edits) {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (const char c : quantization_text(quantization) + edits)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return folder / fmt::format("{:016x}.onnx", hash);
}

void stamp_quantization(Model& model, const QuantizeOptions& options) {
    std::erase_if(model.metadata, [](const auto& entry) { return entry.first == metadata_key; });
    model.metadata.emplace_back(metadata_key, quantization_text({options, {}}));  // no paths
}

std::optional<QuantizeOptions> quantization_of(const Model& model) {
    const auto entry = std::ranges::find(model.metadata, metadata_key,
                                         &std::pair<std::string, std::string>::first);
    return entry == model.metadata.end() ? std::nullopt
                                         : std::optional(parse_quantization(entry->second).options);
}

void save_quantized(const Model& model, const Quantization& quantization,
                    const std::filesystem::path& file, const Progress& progress) {
    Model stamped = model;
    stamp_quantization(stamped, quantization.options);
    Json origins = Json::object();
    for (const NodeId id : stamped.graph.nodes()) {
        const Node& node = stamped.graph.node(id);
        Json& list = origins[key_of(stamped.graph, node)] = Json::array();
        for (const NodeId origin : node.origins) list.push_back(origin.index);
    }
    save_text(origins_file(file), origins.dump(-1, ' ', false, Json::error_handler_t::replace));
    save_model(stamped, file, {}, progress);
}

Model load_quantized(const std::filesystem::path& file, const Model& original,
                     const Progress& progress) {
    Model model = load_model(file, {}, progress);
    const Json origins =
        parse_json(load_text(origins_file(file), most_origin_bytes), "origins of nodes");
    GraphEdit edit(model.graph, "load_quantized");
    const std::vector<NodeId> nodes(model.graph.nodes().begin(), model.graph.nodes().end());
    for (const NodeId id : nodes) {
        std::vector<NodeId> known;
        const std::string key = key_of(model.graph, model.graph.node(id));
        if (const auto at = origins.find(key); at != origins.end())
            for (const Json& index : *at) known.emplace_back(index.get<std::uint32_t>());
        if (!known.empty()) edit.set_origins(id, std::move(known));
    }
    edit.finish();
    infer_types(model, {}, progress);
    model.path = original.path;  // the file it was made from, which an export names as its source
    model.file_bytes = original.file_bytes;
    model.external_bytes = original.external_bytes;
    model.external_files = original.external_files;
    return model;
}

Model quantized_model(const ModelPtr& opened, const Quantization& quantization,
                      const Progress& progress) {
    const SampleSplit samples =
        split_samples(samples_of(opened, quantization.samples, progress.cancel));
    return quantize_model(*opened, quantization.options, samples.calibration_samples.get(),
                          progress)
        .model;
}

}  // namespace lapidary::app
