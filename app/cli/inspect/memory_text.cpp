// SPDX-License-Identifier: Apache-2.0
#include "cli/inspect/memory_text.h"

#include <cmath>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

std::string size_text(std::uint64_t count) { return byte_text(static_cast<double>(count)); }

}  // namespace

std::string byte_difference_text(std::uint64_t before, std::uint64_t after) {
    const double difference = static_cast<double>(after) - static_cast<double>(before);
    return difference == 0 ? "-" : (difference > 0 ? "+" : "-") + byte_text(std::abs(difference));
}

void print_process(std::ostream& out, const MemoryReport& report, const std::string& conditions,
                   const std::optional<MeasuredProcess>& measured) {
    const ProcessMemory& process = report.process;
    out << "process " << size_text(process.total()) << " while it runs (" << conditions << ")\n";
    TextTable table({"made of", "", ""}, {0, 2});
    table.add({"program", size_text(process.program), "with a session of a model of one node"});
    table.add({"graph and plan", size_text(process.graph), "nodes, values, kernels"});
    table.add({"weights", size_text(process.weights),
               "of " + size_text(report.weight_bytes) + " as stored in the file; after packing " +
                   size_text(process.unneeded_weights) + " are not needed any more"});
    table.add({"packed copies", size_text(process.packed),
               "weights in the order that kernels read them"});
    table.add({"activations", size_text(process.activations),
               "written; planned " + size_text(report.needed_bytes) + ", held by the arena " +
                   size_text(report.block_bytes)});
    table.add({"inputs", size_text(process.inputs), "the caller's"});
    table.print(out);
    if (process.mapped_weights != 0)
        out << "beside it " << size_text(process.mapped_weights)
            << " of weights that are read in the file's own pages, which the system may take "
               "back\n";
    if (!measured) return;
    const std::uint64_t counted = measured->peak.own;
    out << "measured " << size_text(counted) << " while it ran, "
        << size_text(measured->loading.own) << " at most before; the figure above is "
        << byte_difference_text(counted, process.total())
        << fmt::format(
               " ({:+.1f} %)",
               100 * (static_cast<double>(process.total()) / static_cast<double>(counted) - 1))
        << " away\n";
}

std::optional<ProcessMemory> process_of(const ModelPtr& model, const SessionOptions& options,
                                        const NamedValues& inputs, const Progress& progress) {
    if (!options.providers.empty()) return std::nullopt;
    try {
        return memory_report(model, assumptions_of(*model, options, inputs), progress).process;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return std::nullopt;
    }
}

Json process_json(const ProcessMemory& process) {
    return {{"total_bytes", process.total()},
            {"program_bytes", process.program},
            {"graph_bytes", process.graph},
            {"weight_bytes", process.weights},
            {"packed_bytes", process.packed},
            {"activation_bytes", process.activations},
            {"input_bytes", process.inputs},
            {"mapped_weight_bytes", process.mapped_weights},
            {"unneeded_weight_bytes", process.unneeded_weights}};
}

Json measured_json(const MeasuredProcess& measured) {
    return {{"running_bytes", measured.peak.own},
            {"loading_bytes", measured.loading.own},
            {"file_bytes", measured.peak.files}};
}

}  // namespace lapidary::cli
