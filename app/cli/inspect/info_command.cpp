// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>
#include <lapidary/export/passport.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/export/release.h>
#include <lapidary/export/requirement.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct InfoOptions {
    std::filesystem::path model;
    std::int64_t channel_block = 0;  // LoadOptions' own
};

std::string domain_name(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

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

void print_passport(std::ostream& out, const Model& model) {
    const auto passport = passport_of(model);
    if (!passport) return;
    out << "passport\n";
    TextTable table({"what", "says"}, {0, 1});
    for (const auto& [key, value] : passport->entries())
        table.add({key.substr(key.find('.') + 1), plain(value)});
    table.print(out);
    if (const std::string foreign = foreign_layout(model); !foreign.empty())
        out << "  " << plain(foreign) << ": a run re-blocks it\n";
}

/// "ONNX Runtime 1.24 and newer; older ones refuse IR version 13": by the file's format, without
/// regard to operators of libraries.
std::string readers_text(const std::vector<ReleaseNeed>& needs) {
    const std::optional<int> first = first_release(needs);
    if (!first) return fmt::format("ONNX Runtime 1.{} and newer", runtime_releases().front().minor);
    std::string reasons;
    for (const ReleaseNeed& need : needs) {
        if (*first == 0 ? need.minor != 0 : need.minor != *first) continue;
        reasons += (reasons.empty() ? "" : "; ") + need.reason;
    }
    if (*first == 0) return "no ONNX Runtime known here: " + reasons;
    return fmt::format("ONNX Runtime 1.{} and newer; older ones refuse {}", *first, reasons);
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

void print_ports(std::ostream& out, const char* title,
                 const std::vector<std::pair<std::string, Type>>& ports) {
    out << title << '\n';
    TextTable table({"name", "type"}, {0, 1});
    for (const auto& [name, type] : ports) table.add({plain(name), plain(to_string(type))});
    table.print(out);
}

void print_info(std::ostream& out, const Model& model, const ModelSummary& summary) {
    out << "model       " << plain(model.path.string()) << '\n';
    out << "size        " << byte_text(static_cast<double>(summary.file_bytes));
    if (summary.external_bytes)
        out << " and " << byte_text(static_cast<double>(summary.external_bytes))
            << " of external data";
    out << '\n';
    if (is_ort_format(model.path)) out << "format      ONNX Runtime's own (.ort), read as ONNX\n";
    out << "producer    " << plain(model.producer_name);
    if (!model.producer_version.empty()) out << ' ' << plain(model.producer_version);
    out << '\n';
    out << "ir version  " << model.ir_version << '\n';
    out << "opsets     ";
    for (const auto& [domain, version] : model.opset_imports)
        out << ' ' << plain(domain_name(domain)) << ' ' << version;
    out << '\n';
    out << "needs       " << plain(requirement_of(model).sentence) << '\n';
    out << "read by     " << plain(readers_text(release_needs(model))) << '\n';
    out << "parameters  " << summary.parameters << " ("
        << byte_text(static_cast<double>(summary.weight_bytes)) << ')';
    for (const auto& [dtype, count] : summary.parameters_by_dtype)
        out << "  " << dtype << ' ' << count;
    out << '\n';
    if (summary.constant_elements)
        out << "            " << summary.constant_elements << " of them in Constant nodes\n";
    if (!model.functions.empty()) out << "functions   " << model.functions.size() << '\n';
    print_ports(out, "inputs", summary.inputs);
    print_ports(out, "outputs", summary.outputs);
    out << "operators   " << count_text(static_cast<std::int64_t>(summary.nodes), "node") << '\n';
    TextTable operators({"operator", "nodes"});
    std::vector<std::pair<std::string, std::int64_t>> sorted(summary.operators.begin(),
                                                             summary.operators.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [op, count] : sorted) operators.add({plain(op), std::to_string(count)});
    operators.print(out);
    print_passport(out, model);
    if (std::ranges::any_of(model.metadata,
                            [](const auto& entry) { return !is_passport_key(entry.first); })) {
        out << "metadata\n";
        for (const auto& [key, value] : model.metadata)
            if (!is_passport_key(key)) out << "  " << plain(key) << " = " << plain(value) << '\n';
    }
    if (!summary.unsupported.empty()) {
        out << "not supported\n";
        for (const UnsupportedNode& node : summary.unsupported)
            out << "  " << plain(node.node) << ": " << plain(node.reason) << '\n';
    }
    if (!summary.warnings.empty()) {
        out << "warnings\n";
        for (const Warning& warning : summary.warnings)
            out << "  " << (warning.where.empty() ? "" : plain(warning.where) + ": ")
                << plain(warning.message) << '\n';
    }
}

class InfoCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Show inputs, outputs, operators, size, metadata and what is odd about a model",
                .examples = {"lapidary-cli info net.onnx", "lapidary-cli info net.onnx --json"},
                .program_example = "lapidary-cli info model.onnx"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        add_channel_block(options, options_.channel_block);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const Model model = load_model_argument(options_.model.string(), options_.channel_block,
                                                terminal.progress());
        const ModelSummary summary = summarize(model);
        if (terminal.json) write_json(terminal.out, info_json(model, summary));
        else print_info(terminal.out, model, summary);
        return exit_fine;
    }

private:
    InfoOptions options_;
};

}  // namespace

std::unique_ptr<Command> info_command() { return std::make_unique<InfoCommand>(); }

}  // namespace lapidary::cli
