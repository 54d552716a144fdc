// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_decode.h"

#include <algorithm>
#include <iostream>
#include <iterator>

#include <lapidary/base/error.h>
#include <lapidary/exec/compute.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/proof/choose_compute.h>

#include "worker/process/command_program.h"

#include "cli/bench/bench_models.h"
#include "cli/exit_code.h"
#include "cli/models/model_argument.h"
#include "cli/terminal.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t usual_contexts[] = {128, 1024};

void check_options(const BenchCommandOptions& options) {
    const auto refuse = [](const char* option) {
        fail_input(std::string("--decode measures tokens one after the other: leave out ") +
                   option);
    };
    if (!options.concurrency.empty()) refuse("--concurrency");
    if (!options.batches.empty()) refuse("--batch");
    if (!options.baseline.empty()) refuse("--baseline");
    if (!options.csv_file.empty()) refuse("--csv");
    if (options.runs > 0) refuse("--runs");
    if (options.inter != std::vector<int>{1}) refuse("--inter and --execution parallel");
}

class DecodingBench {
public:
    DecodingBench(const BenchCommandOptions& options, Terminal& terminal)
        : options_(options), terminal_(terminal), program_(app::command_program()) {
        result_.has_processes = !program_.empty();
        if (options.against == "self") result_.against = "itself";
        const auto info = find_peer(options.against);
        if (!info) return;
        peer_ = info->peer;
        const auto peer = peer_of(options);
        place_ = peer->path();
        result_.version = peer->version();
        result_.against = std::string(info->title) + " " + peer->version() + ", " + place_.string();
    }

    /// After a cancel keeps the complete rows; throws cancelled if there are none.
    DecodingResult run() {
        try {
            for (const std::string& argument : options_.models) run_model(argument);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled || result_.rows.empty()) throw;
            result_.cancelled = true;
        }
        return std::move(result_);
    }

private:
    Progress progress() const { return terminal_.progress(); }

    void run_model(const std::string& argument) {
        DecodingRow row;
        row.model = model_name(argument);
        try {
            const fs::path file =
                model_file_of(argument, options_.channel_block, scratch_.path(), progress());
            DecoderCard card;
            std::vector<Level> unrounded;
            {
                const Model model = load_model(file, {}, progress());
                card = decoder_card(model);
                std::ranges::copy_if(
                    options_.levels, std::back_inserter(unrounded),
                    [&](const Level level) { return rounds_nothing_at(model, level); });
            }
            const std::vector<std::int64_t> contexts = contexts_for(card);
            for (const std::int64_t context : contexts)
                check_decoding(card, {.context = context, .new_tokens = options_.new_tokens});
            for (const Level level : options_.levels) {
                row.rounds_nothing = std::ranges::find(unrounded, level) != unrounded.end();
                for (const int threads : options_.intra)
                    for (const std::int64_t context : contexts) {
                        row.level = level;
                        row.threads = threads;
                        row.context = context;
                        run_row(row, file, card);
                    }
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled || options_.models.size() == 1) throw;
            row.error = error.what();
            result_.rows.push_back(std::move(row));
        }
    }

    /// Optimizes the model only where it has no large weight as it is.
    bool rounds_nothing_at(const Model& model, Level level) const {
        if (options_.computes.at(0) == name_of(Compute::exact)) return false;
        SessionOptions session;
        session.session_passes =
            SessionPasses{session_passes_for(options_.session_passes, level), {}};
        if (large_weight_bytes(model, session, progress()) > 0) return false;
        if (level == Level::disabled) return true;
        OptimizeOptions optimizing;
        optimizing.level = level;
        optimizing.near_misses = false;
        return large_weight_bytes(optimize(model, optimizing, progress()).model, session,
                                  progress()) == 0;
    }

    std::vector<std::int64_t> contexts_for(const DecoderCard& card) const {
        if (!options_.contexts.empty()) return options_.contexts;
        std::vector<std::int64_t> contexts;
        for (const std::int64_t context : usual_contexts)
            if (context + options_.new_tokens <= card.most_positions.value_or(context * 2))
                contexts.push_back(context);
        if (contexts.empty()) contexts.push_back(usual_contexts[0]);  // whose error says why
        return contexts;
    }

    void run_row(DecodingRow row, const fs::path& file, const DecoderCard& card) {
        DecodingSetup setup;
        setup.model = file;
        setup.level = row.level;
        setup.resources = fixed_resources(row.threads);
        setup.session_passes =
            SessionPasses{session_passes_for(options_.session_passes, row.level), {}};
        setup.storage = options_.caches;
        setup.capacity = row.context + options_.new_tokens;
        DecodingOptions measuring;
        measuring.context = row.context;
        measuring.new_tokens = options_.new_tokens;
        measuring.seconds = options_.measuring.seconds;
        measuring.precision = options_.measuring.precision;
        measuring.rtol = options_.measuring.rtol;
        measuring.seed = options_.inputs.seed;
        DecodingSetup chosen = setup;
        if (options_.computes.at(0) != "exact")
            chosen.resources.config[std::string(compute_key)] = options_.computes.at(0);
        const auto ours = open("lapidary", chosen);
        std::unique_ptr<DecodingEngine> theirs;
        if (!options_.against.empty())
            theirs = open(options_.against == "self" ? "lapidary" : options_.against, setup);
        row.measured =
            measure_decoding(card, *ours, theirs.get(), row.threads, measuring, progress());
        result_.rows.push_back(std::move(row));
    }

    std::unique_ptr<DecodingEngine> open(const std::string& engine, const DecodingSetup& setup) {
        if (peer_ && *peer_ != Peer::onnxruntime && engine == options_.against) {
            progress().step("load");
            return start_peer_decoder(*peer_, place_, setup, scratch_.path(), terminal_.cancel);
        }
        if (program_.empty())
            return engine == "onnxruntime"
                       ? open_onnxruntime_decoder(setup, options_.onnxruntime, progress())
                       : open_own_decoder(setup, progress());
        std::vector<std::string> command{program_, "bench", setup.model.string(), "--decode-engine",
                                         engine};
        if (engine == "onnxruntime")
            command.insert(command.end(), {"--onnxruntime", place_.string()});
        progress().step("load");
        return start_decoder(command, setup, terminal_.cancel);
    }

    const BenchCommandOptions& options_;
    Terminal& terminal_;
    std::string program_;
    std::optional<Peer> peer_;  // the other engine; nothing: none, or this one again
    fs::path place_;            // of the other engine
    ScratchFolder scratch_;
    DecodingResult result_;
};

}  // namespace

int run_decode(const BenchCommandOptions& options, Terminal& terminal) {
    check_options(options);
    const DecodingResult result = DecodingBench(options, terminal).run();
    const Json json = decoding_json(options, result);
    save_json(options.json_file, json);
    if (terminal.json) write_json(terminal.out, json);
    else print_decoding(terminal.out, result);
    if (result.cancelled) {
        if (!terminal.json) terminal.err << "lapidary-cli: cancelled; what was measured is shown\n";
        return exit_cancelled;
    }
    if (std::ranges::any_of(result.rows, [](const DecodingRow& r) { return !r.error.empty(); }))
        return exit_not_supported;
    const bool differ = std::ranges::any_of(result.rows, [](const DecodingRow& row) {
        return row.measured.agreement && !row.measured.agreement->matches;
    });
    return differ ? exit_check_failed : exit_fine;
}

int run_decoder_process(const BenchCommandOptions& options, Terminal& terminal) {
    DecodingServer server(options.decode_engine == "onnxruntime" ? BenchEngineKind::onnxruntime
                                                                 : BenchEngineKind::lapidary,
                          options.onnxruntime, terminal.cancel);
    for (std::string line; std::getline(std::cin, line);)
        terminal.out << server.answer(line) << '\n' << std::flush;
    return exit_fine;
}

}  // namespace lapidary::cli
