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
#include "cli/inspect/info_json.h"
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

void print_ports(std::ostream& out, const char* title,
                 const std::vector<std::pair<std::string, Type>>& ports) {
    out << title << '\n';
    TextTable table({"name", "type"}, {0, 1});
    for (const auto& [name, type] : ports) table.add({plain(name), plain(to_string(type))});
    table.print(out);
}

/// A sample has no file, and so no size of one.
void print_size(std::ostream& out, const Model& model, const ModelSummary& summary) {
    if (model.path.empty()) return;
    out << "size        " << byte_text(static_cast<double>(summary.file_bytes));
    if (summary.external_bytes)
        out << " and " << byte_text(static_cast<double>(summary.external_bytes))
            << " of external data";
    out << '\n';
}

/// `argument`: how the user named the model.
void print_info(std::ostream& out, const std::string& argument, const Model& model,
                const ModelSummary& summary) {
    out << "model       " << plain(model.path.empty() ? argument : model.path.string()) << '\n';
    print_size(out, model, summary);
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
        else print_info(terminal.out, options_.model.string(), model, summary);
        return exit_fine;
    }

private:
    InfoOptions options_;
};

}  // namespace

std::unique_ptr<Command> info_command() { return std::make_unique<InfoCommand>(); }

}  // namespace lapidary::cli
