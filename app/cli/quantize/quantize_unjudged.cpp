// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize/quantize_unjudged.h"

#include <filesystem>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>
#include <lapidary/export/release.h>

#include "cli/exit_code.h"
#include "cli/output/value_text.h"
#include "cli/quantize/quantize_steps.h"
#include "worker/models/quantized_file.h"

namespace lapidary::cli {

void check_unjudged(const QuantizeCommandOptions& options, bool is_json) {
    if (options.output.empty()) throw UsageError("--unjudged: needs -o, the file to write");
    const std::pair<bool, const char*> judging[] = {{options.search, "--search"},
                                                    {options.pareto, "--pareto"},
                                                    {options.automatic, "--mode auto"},
                                                    {options.diagnose, "--diagnose"},
                                                    {options.sensitivity, "--sensitivity"},
                                                    {options.layers, "--layers"},
                                                    {!options.report.empty(), "--report"},
                                                    {!options.labels.empty(), "--labels"},
                                                    {options.floor.has_value(), "--floor"},
                                                    {options.in_onnxruntime, "--in-onnxruntime"},
                                                    {is_json, "--json"}};
    for (const auto& [is_given, option] : judging)
        if (is_given)
            throw UsageError(
                std::string("--unjudged: nothing is run, so that there are no figures for ") +
                option);
    if (!options.data.empty()) return;
    // samples that are generated are for running the model
    const QuantizeOptions& quantize = options.quantize;
    const std::pair<bool, const char*> looking[] = {
        {quantize.mode == QuantizeMode::static_qdq, "--mode static"},
        {quantize.smoothing > 0 || quantize.smoothing_by_input, "--smooth"},
        {quantize.compensated_rounding, "--compensate"}};
    for (const auto& [is_given, option] : looking)
        if (is_given)
            throw UsageError(
                fmt::format("--unjudged: {} looks at samples, and none are generated "
                            "here: name them with --data",
                            option));
}

QuantizeOutcome quantize_unjudged(const QuantizeCommandOptions& options, const Model& model,
                                  const SampleSource* samples, const Progress& progress) {
    QuantizeOutcome outcome;
    outcome.bytes_before = constant_bytes(model);
    outcome.result = quantized_for(options, model, samples, progress);
    if (const std::optional<int> release = options.release.minor())
        for (const std::string& note : fit_release(outcome.result.model, *release, progress))
            add_note(outcome.result.notes, note);
    outcome.bytes_after = constant_bytes(outcome.result.model);
    app::stamp_quantization(outcome.result.model, options.quantize);
    return outcome;
}

void print_unjudged(std::ostream& out, const QuantizeCommandOptions& options,
                    const QuantizeOutcome& outcome) {
    if (options.explain) print_decisions(out, outcome);
    out << fmt::format("{} of {} quantized, constants {} -> {}, not judged\n",
                       outcome.result.quantized,
                       count_text(std::ssize(outcome.result.nodes), "node"),
                       byte_text(static_cast<double>(outcome.bytes_before)),
                       byte_text(static_cast<double>(outcome.bytes_after)));
    for (const std::string& note : outcome.result.notes) out << "note  " << plain(note) << '\n';
    for (const std::filesystem::path& file : {options.output, options.snippet})
        if (!file.empty()) out << "wrote " << plain(file.string()) << '\n';
}

}  // namespace lapidary::cli
