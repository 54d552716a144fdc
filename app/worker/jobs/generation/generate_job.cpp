// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/generation/generate_job.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/generation/divergence.h>
#include <lapidary/generation/text_files.h>
#include <lapidary/internal/decoding_members.h>

#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"

namespace lapidary {

template <>
struct Members<SamplingOptions> {
    using T = SamplingOptions;
    static constexpr auto list =
        members<T>(member<&T::temperature>("temperature"), member<&T::top_k>("top_k"),
                   member<&T::top_p>("top_p"), member<&T::repetition_penalty>("repetition_penalty"),
                   member<&T::seed>("seed").as_text());
};
template <>
struct Members<app::TokenSample> {
    using T = app::TokenSample;
    static constexpr auto list = members<T>(member<&T::context>("context"), inlined<&T::time>(),
                                            member<&T::cache_bytes>("cache_bytes"),
                                            member<&T::activation_bytes>("activation_bytes"));
};
template <>
struct Members<app::GeneratedSide> {
    using T = app::GeneratedSide;
    static constexpr auto list =
        members<T>(member<&T::tokens>("tokens"), member<&T::load_ms>("load_ms"),
                   member<&T::first_ms>("first_token_ms"), member<&T::token_ms>("token_ms"),
                   member<&T::samples>("samples"), member<&T::weight_bytes>("weight_bytes"),
                   member<&T::cache_bytes>("cache_bytes"), member<&T::cache_count>("cache_count"),
                   member<&T::storage>("storage"), member<&T::storage_reason>("storage_reason"),
                   member<&T::head_type>("head_type"));
};
template <>
struct Members<app::GenerateRecord> {
    using T = app::GenerateRecord;
    static constexpr auto list =
        members<T>(member<&T::prompt>("prompt"), member<&T::stop_tokens>("stop_tokens"),
                   member<&T::pieces>("pieces"), member<&T::capacity>("capacity"),
                   member<&T::threads>("threads"), member<&T::sides>("sides"),
                   member<&T::divergence>("divergence"), member<&T::complete>("complete"));
};
template <>
struct Members<app::GenerateJob> {
    using T = app::GenerateJob;
    using R = RunResources;
    static constexpr auto list = members<T>(
        member<&T::models>("models").required(), member<&T::prompt>("prompt"),
        member<&T::text>("text").if_changed(), member<&T::tokenizer>("tokenizer").if_changed(),
        member<&T::new_tokens>("new_tokens").within(1, app::most_new_tokens),
        inlined<&T::sampling>(), member<&T::stop_tokens>("stop_tokens").if_changed(),
        member<&T::finds_stop_tokens>("finds_stop_tokens").if_changed(),
        member<&T::storage>("caches"), member<&T::capacity>("capacity"),
        inlined<&T::resources>(
            members<R>(member<&R::threads>("threads").within(0, app::most_run_threads),
                       unsent<&R::inter_threads>(), unsent<&R::mode>(), unsent<&R::spinning>(),
                       member<&R::config>("config").if_changed())));
    static void check(const T& job) {
        if (job.models.empty() || job.models.size() > 2)
            fail_input("one model or two expected, found " + std::to_string(job.models.size()));
        if (job.prompt.empty() && job.text.empty()) fail_input("the prompt has no tokens");
    }
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

using Clock = std::chrono::steady_clock;

// Reports are at least so far apart, so that a window keeps up with fast tokens.
constexpr std::chrono::milliseconds report_interval{30};

double ms_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class Generation {
public:
    Generation(const GenerateJob& job, const JobContext& context,
               const std::function<void(const GenerateRecord&)>& on_change)
        : job_(job), context_(context), on_change_(on_change) {}

    GenerateRecord run() {
        read_prompt();
        for (std::size_t i = 0; i < job_.models.size(); ++i) compile(i);
        try {
            context_.progress.step("prompt", 0);
            feed({1, record_.prompt});
            while (!is_done()) feed({1, {seen_.back()}});
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled && on_change_) on_change_(record_);
            throw;
        }
        if (text_ && !record_.pieces.empty()) record_.pieces.back() += text_->finish();
        record_.complete = true;
        return std::move(record_);
    }

private:
    void read_prompt() {
        record_.prompt = job_.prompt;
        if (!job_.text.empty() && job_.tokenizer.empty())
            fail_input("a prompt of text needs a tokenizer");
        std::optional<Tokenizer> tokenizer;
        if (!job_.tokenizer.empty()) {
            context_.progress.step("tokenizer");
            tokenizer = Tokenizer::load(job_.tokenizer);
            if (!job_.text.empty())
                record_.prompt = encode_prompt(*tokenizer, job_.text, *job_.models[0].model);
            text_.emplace(*tokenizer);
        }
        record_.stop_tokens = job_.stop_tokens;
        if (record_.stop_tokens.empty() && job_.finds_stop_tokens)
            record_.stop_tokens = find_end_tokens(job_.models[0].file, job_.tokenizer,
                                                  tokenizer ? &*tokenizer : nullptr)
                                      .ids;
        if (record_.prompt.empty()) fail_input("the prompt has no tokens");
        seen_ = record_.prompt;
        record_.capacity = job_.capacity > 0
                               ? job_.capacity
                               : static_cast<std::int64_t>(seen_.size()) + job_.new_tokens;
    }

    void compile(std::size_t i) {
        const ModelSource& source = job_.models[i];
        if (runs_in_other_engine(source))
            fail_unsupported("generating in another engine than this program's");
        context_.progress.step("compile",
                               static_cast<double>(i) / static_cast<double>(job_.models.size()));
        GeneratorOptions options;
        options.storage = job_.storage;
        options.capacity = record_.capacity;
        options.only_last_logits = true;
        options.session.resources = job_.resources;
        options.session.session_passes = source.session_passes();
        options.session.limits = context_.limits;
        place_on(options.session, source.runs_on());
        const auto begin = Clock::now();
        generators_.push_back(
            Generator::compile(source.model, options, {context_.progress.cancel, {}}));
        samplers_.emplace_back(job_.sampling);
        const Generator& generator = generators_.back();
        GeneratedSide side;
        side.load_ms = ms_since(begin);
        side.weight_bytes = generator.session().plan().weight_bytes;
        side.cache_count = generator.cache_count();
        side.storage = generator.storage();
        side.storage_reason = generator.storage_reason();
        if (const DType type = generator.head_weight_type(); type != DType::undefined)
            side.head_type = name_of(type);
        record_.threads = generator.session().threads();
        record_.sides.push_back(std::move(side));
    }

    /// Runs the tokens on all sides and has each choose the next one.
    void feed(const TokenRows& tokens) {
        const bool recorded = is_recorded();
        std::vector<const Tensor*> logits;
        for (std::size_t i = 0; i < generators_.size(); ++i) {
            GeneratedSide& side = record_.sides[i];
            const auto begin = Clock::now();
            logits.push_back(&generators_[i].feed(tokens, context_.progress.cancel, recorded));
            const std::int64_t token = samplers_[i].choose(logits[i]->data<float>(), seen_);
            const double ms = ms_since(begin);
            if (side.tokens.empty()) side.first_ms = ms;
            else side.token_ms.push_back(ms);
            side.tokens.push_back(token);
            side.cache_bytes = generators_[i].cache_bytes();
            if (recorded)
                side.samples.push_back({generators_[i].length(), generators_[i].token_time(),
                                        side.cache_bytes,
                                        generators_[i].session().plan().arena_bytes});
        }
        if (logits.size() == 2)
            record_.divergence.push_back(
                kl_divergence(logits[0]->data<float>(), logits[1]->data<float>()));
        seen_.push_back(record_.sides[0].tokens.back());
        if (text_) record_.pieces.push_back(text_->next(seen_.back()));
        report();
    }

    std::int64_t made() const { return static_cast<std::int64_t>(record_.sides[0].tokens.size()); }

    bool is_done() const {
        return made() >= job_.new_tokens ||
               std::ranges::find(record_.stop_tokens, seen_.back()) != record_.stop_tokens.end();
    }

    /// Whether the run of the next token is recorded. The first run behind the prompt is not: it
    /// plans memory for one token at a time.
    bool is_recorded() const {
        if (made() < 2) return false;
        const std::vector<TokenSample>& samples = record_.sides[0].samples;
        if (samples.empty() || made() + 1 == job_.new_tokens) return true;
        return static_cast<std::int64_t>(seen_.size()) >= 2 * samples.back().context;
    }

    void report() {
        context_.progress.step("tokens",
                               static_cast<double>(made()) / static_cast<double>(job_.new_tokens));
        const auto now = Clock::now();
        if (!on_change_ || now - reported_ < report_interval) return;
        reported_ = now;
        on_change_(record_);
    }

    const GenerateJob& job_;
    const JobContext& context_;
    const std::function<void(const GenerateRecord&)>& on_change_;
    std::vector<std::int64_t> seen_;  // prompt and what the first side chose
    GenerateRecord record_;
    std::vector<Generator> generators_;
    std::vector<Sampler> samplers_;
    std::optional<DecodeStream> text_;  // of the first side; nothing: there is no tokenizer
    Clock::time_point reported_;
};

}  // namespace

GenerateRecord GenerateJob::run(const JobContext& context,
                                const std::function<void(const GenerateRecord&)>& on_change) const {
    return Generation(*this, context, on_change).run();
}

template <>
const JobKind& kind_of<GenerateJob>() {
    static const KindOf<GenerateJob> kind;
    return kind;
}

}  // namespace lapidary::app
