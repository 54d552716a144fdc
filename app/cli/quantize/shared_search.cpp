// SPDX-License-Identifier: Apache-2.0
#include "cli/quantize/shared_search.h"

#include <iterator>
#include <ostream>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/text_file.h>

#include "worker/farm/known_trials_text.h"

#include "cli/exit_code.h"
#include "cli/options/shard_option.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {

namespace {

constexpr std::uint64_t most_trials_bytes = 64 << 20;

}  // namespace

void declare_shared_search(OptionList& options, SharedSearch& shared) {
    options.take(
        "--shard", "I/N",
        [&shared](const std::string& text) {
            std::tie(shared.shard, shared.shards) = shard_of(text);
        },
        "With --trials: try every Nth recipe of --search alone, from the Ith on");
    options
        .value("--trials", "F.json", shared.trials,
               "Write what recipes of --search reach on all splits of the samples, for "
               "--known-trials, and no model")
        .suggest_files({"json"});
    options
        .value("--known-trials", "F.json", shared.known,
               "Take what --trials wrote in place of trying those recipes again; may be repeated")
        .repeatable()
        .suggest_files({"json"});
}

void check_shared_search(const QuantizeCommandOptions& options, bool is_json) {
    const SharedSearch& shared = options.shared;
    const bool writes = !shared.trials.empty();
    if (shared.shards > 1 && !writes) throw UsageError("--shard: belongs to --trials");
    if (!writes && shared.known.empty()) return;
    if (!options.search || options.automatic || options.pareto)
        throw UsageError(
            "--trials and --known-trials belong to --search, without --mode auto and --pareto");
    if (writes && !shared.known.empty())
        throw UsageError("leave out one of --trials and --known-trials");
    if (writes && is_json) throw UsageError("--trials writes a file: leave out --json");
}

int try_shared(const QuantizeCommandOptions& options, const ModelPtr& model,
               const PreparedSamples& samples, Terminal& terminal) {
    const std::vector<KnownTrial> tried =
        try_recipes(*model, options.quantize, samples.samples, options.shared.shard,
                    options.shared.shards, terminal.progress());
    save_text(options.shared.trials, app::known_trials_text(tried));
    terminal.out << fmt::format("{} tried, wrote {}\n",
                                count_text(static_cast<std::int64_t>(tried.size()), "recipe"),
                                plain(options.shared.trials.string()));
    return exit_fine;
}

std::vector<KnownTrial> load_known_trials(const SharedSearch& shared) {
    std::vector<KnownTrial> all;
    for (const std::string& file : shared.known) try {
            std::vector<KnownTrial> part =
                app::parse_known_trials(load_text(file, most_trials_bytes));
            std::move(part.begin(), part.end(), std::back_inserter(all));
        } catch (Error& error) { throw error.at(file); }
    return all;
}

}  // namespace lapidary::cli
