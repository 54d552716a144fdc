// SPDX-License-Identifier: Apache-2.0
#include "cli/run/compute_choice.h"

#include <ostream>

#include "cli/exit_code.h"
#include "cli/options/session_options.h"
#include "cli/output/comparison_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

Json rates_json(const ProductRoofs& roofs) {
    Json rates = Json::array();
    if (roofs.gflops[0][0] == 0) return rates;
    for (std::size_t i = 0; i < ProductRoofs::rows.size(); ++i) {
        Json rate = {{"rows", ProductRoofs::rows[i]}};
        for (const Compute compute : all_computes)
            rate[std::string(name_of(compute)) + "_gflops"] =
                json_number(roofs.gflops[static_cast<std::size_t>(compute)][i]);
        rates.push_back(std::move(rate));
    }
    return rates;
}

}  // namespace

bool wants_choice(const std::map<std::string, std::string>& entries) {
    const auto found = entries.find(std::string(compute_key));
    return found != entries.end() && found->second == auto_compute;
}

std::optional<ComputeChoice> settle_compute(const ModelPtr& model, SessionOptions& options,
                                            const NamedValues& inputs, const Progress& progress) {
    if (!wants_choice(options.resources.config)) return std::nullopt;
    if (!options.providers.empty())
        throw UsageError(
            "--compute auto chooses for the CPU; a provider takes the option precision where it "
            "computes in fewer bits");
    options.resources.config.erase(std::string(compute_key));
    const auto subject = subject_of(model, options, inputs);
    ComputeChoice choice = choose_compute(*subject, {}, progress);
    options.resources.config[std::string(compute_key)] = name_of(choice.compute);
    return choice;
}

Json compute_json(const ComputeChoice& choice) {
    Json json = {{"chosen", name_of(choice.compute)},
                 {"threads", choice.roofs.threads},
                 {"weight_bytes", choice.roofs.weight_bytes},
                 {"rates", rates_json(choice.roofs)},
                 {"trials", Json::array()}};
    if (!choice.reason.empty()) json["reason"] = choice.reason;
    for (const ComputeTrial& trial : choice.trials) {
        Json one = {{"compute", name_of(trial.compute)}, {"promised", json_number(trial.promised)}};
        if (trial.speedup) one["speedup"] = json_number(*trial.speedup);
        if (trial.loss) one["loss"] = lowered_json(*trial.loss);
        if (!trial.refusal.empty()) one["refusal"] = trial.refusal;
        json["trials"].push_back(std::move(one));
    }
    return json;
}

void print_compute(std::ostream& out, const ComputeChoice& choice) {
    const char* head = "compute  ";
    for (const std::string& line : lines_of(choice)) {
        out << head << plain(line) << '\n';
        head = "         ";
    }
}

}  // namespace lapidary::cli
