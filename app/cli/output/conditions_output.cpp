// SPDX-License-Identifier: Apache-2.0
#include "cli/output/conditions_output.h"

#include <ostream>
#include <sstream>
#include <utility>

#include <lapidary/bench/bench.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {

Json conditions_json(const RunConditions& conditions) {
    Json json = Json::object();
    if (conditions.level) json["level"] = name_of(*conditions.level);
    if (conditions.threads > 0) json["threads"] = conditions.threads;
    if (conditions.inter_threads > 1) json["inter_threads"] = conditions.inter_threads;
    json["sizes"] = named_sizes(conditions.sizes);
    json["default_sizes"] = Json::object();
    for (const ChosenSize& chosen : conditions.sizes.chosen)
        json["default_sizes"][chosen.dimension] = words_for(chosen.reason);
    return json;
}

void print_conditions(std::ostream& out, const RunConditions& conditions) {
    if (const std::string text = text_of(conditions); !text.empty())
        out << "conditions  " << plain(text) << '\n';
    print_chosen_sizes(out, conditions.sizes);
}

void print_chosen_sizes(std::ostream& out, const UsualSizes& sizes) {
    std::istringstream lines(text_of_chosen(sizes));
    for (std::string line; std::getline(lines, line);) out << "  " << plain(line) << '\n';
}

RunConditions conditions_of(Level level, const SessionOptions& options, int threads,
                            UsualSizes sizes) {
    const SessionOptions resolved = resolve_config(options);
    return {level, threads, threads_of(resolved.resources.nodes_at_a_time()), std::move(sizes)};
}

int threads_of(int asked) { return asked > 0 ? asked : machine_info().cores; }

}  // namespace lapidary::cli
