// SPDX-License-Identifier: Apache-2.0
#include "cli/inspect/info_json.h"

#include <fmt/format.h>

#include <lapidary/export/passport.h>
#include <lapidary/export/release.h>
#include <lapidary/export/requirement.h>
#include <lapidary/onnx_io/model_io.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {
namespace {

Json ports_json(const std::vector<std::pair<std::string, Type>>& ports) {
    Json list = Json::array();
    for (const auto& [name, type] : ports) {
        Json port = {{"name", name}};
        port.update(json_type(type));
        list.push_back(std::move(port));
    }
    return list;
}

/// The passport without the prefix of its keys; null if the file has none.
Json passport_json(const Model& model) {
    const auto passport = passport_of(model);
    if (!passport) return nullptr;
    Json json = Json::object();
    for (const auto& [key, value] : passport->entries())
        json[key.substr(key.find('.') + 1)] = value;
    const std::string foreign = foreign_layout(model);
    json["fits_this_cpu"] = foreign.empty();
    if (!foreign.empty()) json["layout_note"] = foreign;
    return json;
}

Json readers_json(const std::vector<ReleaseNeed>& needs) {
    const int oldest_known = runtime_releases().front().minor,
              first = first_release(needs).value_or(oldest_known);
    Json json = {{"from", first == 0 ? Json(nullptr) : Json(fmt::format("1.{}", first))},
                 {"refused", Json::array()}};
    for (const ReleaseNeed& need : needs)
        json["refused"].push_back(
            {{"below", need.minor == 0 ? Json(nullptr) : Json(fmt::format("1.{}", need.minor))},
             {"reason", need.reason}});
    return json;
}

}  // namespace

std::string domain_name(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

Json info_json(const Model& model, const ModelSummary& summary) {
    Json json = {{"file", model.path.string()},
                 {"file_bytes", summary.file_bytes},
                 {"external_bytes", summary.external_bytes},
                 {"format", is_ort_format(model.path) ? "ort" : "onnx"},
                 {"ir_version", model.ir_version},
                 {"producer", model.producer_name},
                 {"producer_version", model.producer_version},
                 {"model_version", model.model_version},
                 {"domain", model.domain},
                 {"graph", model.graph.name()},
                 {"inputs", ports_json(summary.inputs)},
                 {"outputs", ports_json(summary.outputs)}};
    json["opsets"] = Json::object();
    for (const auto& [domain, version] : model.opset_imports)
        json["opsets"][domain_name(domain)] = version;
    json["nodes"] = summary.nodes;
    json["operators"] = Json::object();
    for (const auto& [op, count] : summary.operators) json["operators"][op] = count;
    json["functions"] = model.functions.size();
    json["parameters"] = summary.parameters;
    json["parameters_by_type"] = Json::object();
    for (const auto& [dtype, count] : summary.parameters_by_dtype)
        json["parameters_by_type"][dtype] = count;
    json["constant_elements"] = summary.constant_elements;
    json["weight_bytes"] = summary.weight_bytes;
    json["metadata"] = Json::object();
    for (const auto& [key, value] : model.metadata) json["metadata"][key] = value;
    json["needs"] = requirement_of(model).sentence;
    json["onnxruntime"] = readers_json(release_needs(model));
    json["passport"] = passport_json(model);
    json["unsupported"] = Json::array();
    for (const UnsupportedNode& node : summary.unsupported)
        json["unsupported"].push_back(
            {{"node", node.node}, {"operator", node.op}, {"reason", node.reason}});
    json["warnings"] = Json::array();
    for (const Warning& warning : summary.warnings)
        json["warnings"].push_back({{"where", warning.where}, {"message", warning.message}});
    return json;
}

}  // namespace lapidary::cli
