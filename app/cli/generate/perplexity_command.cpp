// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/generation/text_quality.h>
#include <lapidary/generation/token_numbers.h>
#include <lapidary/tokenizer/tokenizer.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/models/model_at_level.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr const char* perplexity_notes = R"(
The model is a decoder, as for `generate`. The text is cut into windows; in each of them every token is predicted from
those before it. Perplexity is what is left of the choice: 20 is as if the model drew from 20 equally probable tokens.
With --against the float model that MODEL was made from, their probabilities are compared token by token: the
Kullback-Leibler divergence of MODEL from it in nats (0 is equal; 0.01 is hard to notice), and tokens whose most
probable successor is another. Errors behind +- are standard errors of a mean over the text. Exit code 1 where --most-kl
is exceeded.)";

class PerplexityCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Say how well a decoder predicts a text, and what fewer bits cost it",
                .notes = perplexity_notes,
                .examples = {"lapidary-cli perplexity llm.onnx --text book.txt --tokenizer "
                             "tokenizer.json",
                             "lapidary-cli perplexity llm.int4.onnx --against llm.onnx --text "
                             "book.txt --tokenizer tokenizer.json --most-kl 0.05",
                             "lapidary-cli perplexity llm.onnx --tokens book.ids --window 1024 "
                             "--stride 512"}};
    }

    void declare(OptionList& options) override {
        add_model(options, model_);
        Option& against = options
                              .value("--against", "MODEL", against_,
                                     "Compare with this model, which is the float one as a rule")
                              .suggest(model_suggestions());
        text_ =
            &options.value("--text", "F", text_file_, "File of the text").suggest_files({"txt"});
        Option& tokenizer = options
                                .value("--tokenizer", "F", tokenizer_file_,
                                       "File tokenizer.json, which makes tokens of it")
                                .suggest_files({"json"})
                                .needs(*text_);
        text_->needs(tokenizer);
        tokens_ = &options
                       .value("--tokens", "F", tokens_file_,
                              "File of the text's tokens as numbers with spaces between them")
                       .suggest_files({"txt"})
                       .excludes(*text_);
        options.value("--window", "N", quality_.window, "Tokens that the model sees at most")
            .between(2, 1'000'000);
        options
            .value("--stride", "N", quality_.stride,
                   "Begin a window every N tokens; below --window they overlap, so that more "
                   "tokens stand in front of most\n"
                   "Default: windows follow each other.")
            .between(1, 1'000'000);
        options
            .value("--begin-token", "ID", quality_.begin_token,
                   "Token that each window begins with, as some models were trained")
            .not_negative();
        options
            .value("--most-tokens", "N", quality_.most_tokens,
                   "Take so many tokens of the text alone; 0: all")
            .not_negative();
        options
            .value("--tokens-per-run", "N", quality_.tokens_per_run,
                   "Tokens that a run is given at most: fewer need less memory")
            .between(1, 1'000'000);
        options
            .value("--most-kl", "NATS", most_kl_,
                   "The mean divergence that is still fine; above it the exit code is 1")
            .not_negative()
            .needs(against);
        add_threads(options, resources_.threads);
        add_level_options(options, levels_);
        add_config(options, resources_.config);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (!text_->is_given() && !tokens_->is_given())
            throw UsageError("expected --text with --tokenizer, or --tokens");
        const Progress progress = terminal.progress();
        const std::vector<std::int64_t> tokens = tokens_of_text();
        capacity_ = std::min(quality_.window, static_cast<std::int64_t>(tokens.size()) + 1);
        Generator model = compiled(model_, terminal, progress);
        std::optional<Generator> other;
        if (!against_.empty()) other.emplace(compiled(against_, terminal, progress));
        const TextQuality found =
            measure_text_quality(model, other ? &*other : nullptr, tokens, quality_, progress);
        const bool is_fine = !most_kl_ || found.divergence->kl.mean <= *most_kl_;
        const RunConditions conditions =
            conditions_of(level_, {.resources = resources_}, model.session().threads(), {});
        if (terminal.json) write_json(terminal.out, report(found, is_fine, conditions));
        else print(terminal.out, found, is_fine, conditions);
        return is_fine ? exit_fine : exit_check_failed;
    }

private:
    std::vector<std::int64_t> tokens_of_text() const {
        return tokens_->is_given() ? load_token_numbers(tokens_file_)
                                   : load_text_tokens(text_file_, Tokenizer::load(tokenizer_file_));
    }

    Generator compiled(const std::string& path, Terminal& terminal, const Progress& progress) {
        const LoadedModel loaded = load_at_level(path, levels_, progress);
        terminal.note(loaded.layout_note);
        level_ = loaded.report.level;
        GeneratorOptions options;
        options.capacity = capacity_;
        options.session.session_passes = loaded.session_passes;
        options.session.resources = resources_;
        try {
            return Generator::compile(loaded.model, options, progress);
        } catch (Error& error) { throw error.at(path); }
    }

    static Json prediction_json(const TextPrediction& prediction) {
        return {{"perplexity", json_number(prediction.perplexity())},
                {"perplexity_error", json_number(prediction.perplexity_error())},
                {"nats", json_number(prediction.nats.mean)},
                {"right", prediction.right}};
    }

    Json report(const TextQuality& found, bool is_fine, const RunConditions& conditions) const {
        Json json = {{"file", model_}};
        json.update(conditions_json(conditions));
        json["window"] = quality_.window;
        json["windows"] = found.windows;
        json["tokens"] = found.tokens;
        json["not_finite"] = found.not_finite;
        json.update(prediction_json(found.model));
        if (!found.divergence) return json;
        const TextDivergence& divergence = *found.divergence;
        json["against"] = {{"file", against_},
                           {"kl", json_number(divergence.kl.mean)},
                           {"kl_error", json_number(divergence.kl.error)},
                           {"kl_median", json_number(divergence.kl_median)},
                           {"kl_99", json_number(divergence.kl_99)},
                           {"kl_most", json_number(divergence.kl_most)},
                           {"changed", divergence.changed},
                           {"perplexity_ratio", json_number(divergence.perplexity_ratio())},
                           {"probability_change", json_number(divergence.probability_change)},
                           {"prediction", prediction_json(*found.other)}};
        if (most_kl_) json["against"]["is_fine"] = is_fine;
        return json;
    }

    static double percent(std::int64_t part, std::int64_t whole) {
        return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
    }

    void print(std::ostream& out, const TextQuality& found, bool is_fine,
               const RunConditions& conditions) const {
        print_conditions(out, conditions);
        out << fmt::format("text  {} tokens predicted, windows of {}: {}\n", found.tokens,
                           quality_.window, found.windows);
        if (found.not_finite > 0)
            out << fmt::format("warning  {} tokens do not count: their figures are not finite\n",
                               found.not_finite);
        const auto line = [&](const std::string& name, const TextPrediction& one) {
            out << fmt::format("{}  perplexity {:.4f} +- {:.4f}, {:.2f} % of the tokens right\n",
                               plain(name), one.perplexity(), one.perplexity_error(),
                               percent(one.right, found.tokens));
        };
        line(model_, found.model);
        if (!found.divergence) return;
        line(against_, *found.other);
        const TextDivergence& divergence = *found.divergence;
        out << fmt::format(
            "divergence  {:.6f} +- {:.6f} nats; median {:.6f}, 99 % of tokens below "
            "{:.6f}, at most {:.6f}\n",
            divergence.kl.mean, divergence.kl.error, divergence.kl_median, divergence.kl_99,
            divergence.kl_most);
        out << fmt::format("perplexity ratio  {:.5f}\n", divergence.perplexity_ratio());
        out << fmt::format(
            "changed tokens  {} of {} ({:.2f} %); the right token's probability "
            "moved by {:.4f} (root of the mean square)\n",
            divergence.changed, found.tokens, percent(divergence.changed, found.tokens),
            divergence.probability_change);
        if (!is_fine)
            out << fmt::format("the divergence is above {:g}, which --most-kl allows\n", *most_kl_);
    }

    std::string model_, against_;
    std::filesystem::path text_file_, tokenizer_file_, tokens_file_;
    TextQualityOptions quality_;
    std::int64_t capacity_ = 1;  // of fixed caches
    std::optional<double> most_kl_;
    RunResources resources_;
    LevelOptions levels_;
    Level level_ = default_run_level;
    Option *text_ = nullptr, *tokens_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> perplexity_command() { return std::make_unique<PerplexityCommand>(); }

}  // namespace lapidary::cli
