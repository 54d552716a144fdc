// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lapidary/generation/decoder_compute.h>
#include <lapidary/base/error.h>
#include <lapidary/generation/generator.h>
#include <lapidary/inspect/value_watch.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/generate/prompt_options.h"
#include "cli/models/model_at_level.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/output/conditions_output.h"
#include "cli/output/inspection_text.h"
#include "cli/output/json_output.h"
#include "cli/output/value_text.h"
#include "cli/run/compute_choice.h"

namespace lapidary::cli {
namespace {

constexpr const char* generate_notes = R"(
The model is a decoder: input_ids, outputs present* that are inputs past* of the next run, logits.
A prompt of text needs its tokenizer.json; the answer is shown as its tokens come.
Caches of a fixed size are written where they lie, which needs operators that append to them
(GroupQueryAttention, TensorScatter); others grow with every token.
--watch shows what values inside hold for each token: token 0 is the first of the answer, whose run is that of the
prompt. Caches then grow, unless --caches says otherwise. Values inside of fused nodes are there with --session-passes
off, those that passes replaced with --level disabled.)";

const char* word(CacheStorage storage) {
    return storage == CacheStorage::fixed ? "fixed" : "growing";
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

class GenerateCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Generate tokens with a decoder, and time them",
                .notes = generate_notes,
                .examples = {"lapidary-cli generate llm/model.onnx --prompt \"Once upon a time\"",
                             "lapidary-cli generate sample:llama-160m --prompt-tokens 1,15,87 "
                             "--new-tokens 16",
                             "lapidary-cli generate llm.onnx --prompt-tokens 1,15,87 --temperature "
                             "0.8 --top-p 0.9 --seed 3"}};
    }

    void declare(OptionList& options) override {
        add_model(options, model_);
        prompt_options_.declare(options);
        options.value("--new-tokens", "N", request_.new_tokens, "Tokens that are generated at most")
            .between(1, 1'000'000);
        declare_sampling(options);
        options
            .take(
                "--caches", "KIND", [this](const std::string& kind) { take_storage(kind); },
                "How keys and values are kept\n"
                "fixed: memory for --capacity tokens, written where it lies; growing: every run "
                "gives longer ones; auto: fixed where the model can")
            .one_of({"auto", "fixed", "growing"});
        options
            .take(
                "--cache-type", "TYPE", [this](const std::string& type) { cache_type_ = type; },
                "Element type of keys and values\n"
                "model: as the model has them; f16: half the memory of float32, new rows are "
                "rounded; q8: a quarter, 8 bits with a scale for each row")
            .one_of({"model", "f16", "q8"});
        options
            .value("--capacity", "N", capacity_,
                   "Tokens that caches of fixed size have room for\n"
                   "Default: as many as the prompt and the new ones are.")
            .between(1, 1'000'000'000);
        options
            .take_all(
                "--watch", "NAME",
                [this](const std::vector<std::string>& names) { watched_names_ = names; },
                "Show the figures of a value inside for each token, by its name or a pattern of "
                "it (see inspect); may be repeated")
            .repeatable();
        add_threads(options, resources_.threads);
        add_level_options(options, levels_);
        add_config(options, resources_.config);
        add_compute(options, resources_.config);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        prompt_options_.check();
        const Progress progress = terminal.progress();
        const LoadedModel loaded = load_at_level(model_, levels_, progress);
        terminal.note(loaded.layout_note);
        prompt_ = prompt_options_.read(model_, *loaded.model, terminal);
        request_.prompt = {1, prompt_.ids};
        request_.stop_tokens = prompt_.ends.ids;
        const auto asked = static_cast<std::int64_t>(prompt_.ids.size()) + request_.new_tokens;
        GeneratorOptions options;
        options.storage = watched_names_.empty() || storage_ != CacheStorage::automatic
                              ? storage_
                              : CacheStorage::growing;
        options.half_caches = cache_type_ == "f16";
        options.byte_caches = cache_type_ == "q8";
        options.capacity = capacity_ > 0 ? capacity_ : asked;
        options.only_last_logits = true;
        options.session.session_passes = loaded.session_passes;
        options.session.resources = resources_;
        if (wants_choice(resources_.config)) {
            options.session.resources.config.erase(std::string(compute_key));
            const auto subject = decoder_subject(loaded.model, options, request_.prompt);
            choice_ = choose_compute(*subject, {}, progress);
            options.session.resources.config[std::string(compute_key)] = name_of(choice_->compute);
        } else if (compute_of(options.session) != Compute::exact) {
            rounds_nothing_ = large_weight_bytes(*loaded.model, options.session, progress) == 0;
        }
        Generator generator = Generator::compile(loaded.model, options, progress);
        const RunConditions conditions =
            conditions_of(loaded.report.level, options.session, generator.session().threads(), {});
        if (!terminal.json) print_conditions(terminal.out, conditions);
        const std::unique_ptr<ValueWatch> watch = watch_of(generator, terminal.cancel);
        generator.observe(watch.get());
        const GeneratedTokens made = run(generator, terminal);
        generator.observe(nullptr);
        if (watch) watched_ = watch->take();
        if (terminal.json) write_json(terminal.out, report(generator, options, made, conditions));
        else print(terminal.out, generator, options, made);
        return exit_fine;
    }

private:
    void declare_sampling(OptionList& options) {
        SamplingOptions& sampling = request_.sampling;
        options
            .value("--temperature", "T", sampling.temperature,
                   "Logits are divided by it before a token is drawn; 0: the most probable token")
            .not_negative();
        options
            .value("--top-k", "N", sampling.top_k,
                   "Draw from the N most probable tokens; 0: from all")
            .not_negative();
        options
            .value("--top-p", "P", sampling.top_p,
                   "Draw from the most probable tokens that together have this probability")
            .between(0.0, 1.0);
        options
            .value("--repetition-penalty", "R", sampling.repetition_penalty,
                   "Makes tokens that were there before less probable; 1: not")
            .not_negative();
        options.value("--seed", "N", sampling.seed, "Same seed, same draws");
    }

    void take_storage(const std::string& kind) {
        storage_ = kind == "fixed"     ? CacheStorage::fixed
                   : kind == "growing" ? CacheStorage::growing
                                       : CacheStorage::automatic;
    }

    /// Generates, and shows text as it comes.
    GeneratedTokens run(Generator& generator, Terminal& terminal) {
        if (!prompt_.tokenizer) return generate(generator, request_, terminal.cancel);
        DecodeStream stream(*prompt_.tokenizer);
        const auto take = [&](const std::string& piece) {
            text_ += piece;
            if (!terminal.json) terminal.out << piece << std::flush;
        };
        request_.on_token = [&](std::int64_t, std::int64_t token) {
            take(stream.next(token));
            return true;
        };
        if (!terminal.json) terminal.out << '\n';
        GeneratedTokens made = generate(generator, request_, terminal.cancel);
        take(stream.finish());
        if (!terminal.json) terminal.out << "\n\n";
        return made;
    }

    /// Null without --watch. Throws UsageError for a constant, and invalid_input for what is not in
    /// the graph that runs.
    std::unique_ptr<ValueWatch> watch_of(const Generator& generator,
                                         const CancelToken& cancel) const {
        if (watched_names_.empty()) return nullptr;
        InspectOptions options;
        options.choice.values = watched_names_;
        options.bins = 1;
        try {
            auto watch = std::make_unique<ValueWatch>(generator.session().model().graph,
                                                      std::move(options), cancel);
            if (!watch->needs_run())
                throw UsageError("--watch: only constants have this name, which no token changes");
            return watch;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::invalid_input) throw;
            fail_input("--watch: " + error.message() +
                       "; with --level disabled --session-passes off every value of the file is "
                       "there");
        }
    }

    /// The token that ended the answer before all were generated that might be.
    std::optional<std::int64_t> end_of(const GeneratedTokens& made) const {
        const std::int64_t last = made.tokens[0].back();
        const auto& ends = request_.stop_tokens;
        return std::ranges::find(ends, last) == ends.end() ? std::nullopt : std::optional(last);
    }

    double prefill_rate(const GeneratedTokens& made) const {
        return made.first_ms > 0 ? static_cast<double>(prompt_.ids.size()) * 1000 / made.first_ms
                                 : 0;
    }

    Json report(const Generator& generator, const GeneratorOptions& options,
                const GeneratedTokens& made, const RunConditions& conditions) const {
        Json json = {{"file", model_}};
        json.update(conditions_json(conditions));
        json["prompt"] = prompt_.ids;
        json["tokens"] = made.tokens[0];
        if (prompt_.tokenizer) {
            json["text"] = text_;
            json["tokenizer"] = prompt_.tokenizer_file.string();
        }
        json["stop_tokens"] = request_.stop_tokens;
        if (const auto end = end_of(made)) json["stopped_by"] = *end;
        json["prompt_tokens"] = prompt_.ids.size();
        json["first_token_ms"] = json_number(made.first_ms);
        json["prefill_tokens_per_second"] = json_number(prefill_rate(made));
        json["token_ms"] = Json::array();
        for (const double ms : made.token_ms) json["token_ms"].push_back(json_number(ms));
        if (const double ms = median(made.token_ms); ms > 0) {
            json["median_token_ms"] = json_number(ms);
            json["decode_tokens_per_second"] = json_number(1000 / ms);
        }
        Json caches = {{"count", generator.cache_count()},
                       {"storage", word(generator.storage())},
                       {"bytes", generator.cache_bytes()}};
        if (generator.cache_count() > 0) caches["type"] = name_of(generator.cache_type());
        if (generator.storage() == CacheStorage::fixed) caches["capacity"] = options.capacity;
        else if (!generator.storage_reason().empty()) caches["reason"] = generator.storage_reason();
        json["caches"] = std::move(caches);
        if (choice_) json["compute_choice"] = compute_json(*choice_);
        if (!watched_names_.empty()) {
            json["watched"] = watched_json(watched_);
            json["watched_left_out"] = watched_.left_out;
        }
        return json;
    }

    void print(std::ostream& out, const Generator& generator, const GeneratorOptions& options,
               const GeneratedTokens& made) const {
        if (!prompt_.tokenizer) out << fmt::format("tokens  {}\n", fmt::join(made.tokens[0], ","));
        if (const auto end = end_of(made))
            out << fmt::format("stopped by token {} ({})\n", *end, prompt_.ends.source);
        out << fmt::format("first token  {:.2f} ms behind {} tokens of prompt ({:.1f} a second)\n",
                           made.first_ms, prompt_.ids.size(), prefill_rate(made));
        if (const double ms = median(made.token_ms); ms > 0)
            out << fmt::format("next tokens  {:.2f} ms each ({:.1f} a second; median of {})\n", ms,
                               1000 / ms, made.token_ms.size());
        if (choice_) print_compute(out, *choice_);
        if (rounds_nothing_) out << "compute  " << nothing_rounded_text() << '\n';
        if (!watched_names_.empty()) print_watched(out, watched_);
        if (generator.cache_count() == 0) {
            out << "caches  none: every run is given all tokens again\n";
            return;
        }
        out << fmt::format("caches  {} {} of {}, {}", generator.cache_count(),
                           name_of(generator.cache_type()),
                           word(generator.storage()) + std::string(" size"),
                           byte_text(static_cast<double>(generator.cache_bytes())));
        if (generator.storage() == CacheStorage::fixed)
            out << fmt::format(" for {} tokens", options.capacity);
        else if (!generator.storage_reason().empty())
            out << ": " << plain(generator.storage_reason());
        out << '\n';
    }

    std::string model_;
    PromptOptions prompt_options_;
    Prompt prompt_;
    std::string text_;  // of the answer
    GenerateRequest request_;
    CacheStorage storage_ = CacheStorage::automatic;
    std::optional<ComputeChoice> choice_;  // with --compute auto
    bool rounds_nothing_ = false;          // with --compute
    std::string cache_type_ = "model";
    std::vector<std::string> watched_names_;
    Inspection watched_;  // runs are tokens
    std::int64_t capacity_ = 0;
    RunResources resources_;
    LevelOptions levels_;
};

}  // namespace

std::unique_ptr<Command> generate_command() { return std::make_unique<GenerateCommand>(); }

}  // namespace lapidary::cli
