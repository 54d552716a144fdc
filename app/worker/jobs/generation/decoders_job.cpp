// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/generation/decoders_job.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/generation/measure_decoding.h>
#include <lapidary/generation/text_quality.h>
#include <lapidary/generation/token_numbers.h>
#include <lapidary/internal/decoding_members.h>

#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"

namespace lapidary {

template <>
struct Members<app::DecoderPoint> {
    using T = app::DecoderPoint;
    static constexpr auto list = members<T>(
        member<&T::context>("context"), member<&T::first_ms>("first_token_ms"),
        member<&T::prompt_tokens_per_second>("prefill_tokens_per_second"),
        member<&T::token_ms>("token_ms"), member<&T::token_low_ms>("token_low_ms"),
        member<&T::token_high_ms>("token_high_ms"),
        member<&T::roof_tokens_per_second>("roof_tokens_per_second"),
        member<&T::activation_bytes>("activation_bytes"), member<&T::recorded>("recorded"));
};
template <>
struct Members<app::DecoderQuality> {
    using T = app::DecoderQuality;
    static constexpr auto list =
        members<T>(member<&T::tokens>("tokens"), member<&T::perplexity>("perplexity"),
                   member<&T::perplexity_error>("perplexity_error"), member<&T::divergence>("kl"),
                   member<&T::divergence_error>("kl_error"), member<&T::most_divergence>("kl_99"),
                   member<&T::changed>("changed"));
};
template <>
struct Members<app::DecoderSide> {
    using T = app::DecoderSide;
    static constexpr auto list =
        members<T>(member<&T::model>("model"), member<&T::half_caches>("half_caches"),
                   member<&T::threads>("threads"), member<&T::error>("error"),
                   member<&T::weight_bytes>("weight_bytes"), member<&T::cache_bytes>("cache_bytes"),
                   member<&T::points>("points"), member<&T::quality>("quality"));
};
template <>
struct Members<app::DecodersRecord> {
    using T = app::DecodersRecord;
    static constexpr auto list =
        members<T>(member<&T::contexts>("contexts"), member<&T::capacity>("capacity"),
                   member<&T::text_tokens>("text_tokens"), member<&T::sides>("sides"),
                   member<&T::complete>("complete"));
};
template <>
struct Members<app::DecodersJob> {
    using T = app::DecodersJob;
    using R = RunResources;
    static constexpr auto list = members<T>(
        member<&T::models>("models").required(), member<&T::half_caches>("half_caches"),
        member<&T::contexts>("contexts"), member<&T::new_tokens>("new_tokens").within(1, 100'000),
        member<&T::seconds>("seconds").within(0, 3600), member<&T::capacity>("capacity"),
        member<&T::text>("text").if_changed(), member<&T::tokenizer>("tokenizer").if_changed(),
        member<&T::text_tokens>("text_tokens").within(2, 100'000'000),
        member<&T::window>("window").within(2, 1'000'000),
        member<&T::threads>("thread_counts").if_changed(),
        inlined<&T::resources>(
            members<R>(member<&R::threads>("threads").within(0, app::most_run_threads),
                       unsent<&R::inter_threads>(), unsent<&R::mode>(), unsent<&R::spinning>(),
                       member<&R::config>("config").if_changed())));
    static void check(const T& job) {
        if (job.models.empty()) fail_input("at least one model expected, found none");
        if (job.contexts.empty()) fail_input("at least one context expected, found none");
        for (const std::int64_t context : job.contexts)
            if (context < 1)
                fail_input("a context has at least one token, found " + std::to_string(context));
        for (const int threads : job.threads)
            if (threads < 1 || threads > app::most_run_threads)
                fail_input("threads: expected 1 to " + std::to_string(app::most_run_threads) +
                           ", found " + std::to_string(threads));
    }
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

/// A decoder, and what is known of it without running it.
struct MeasuredDecoder {
    std::unique_ptr<Generator> generator;
    DecoderCard card;
};

class DecodersRun {
public:
    DecodersRun(const DecodersJob& job, const JobContext& context,
                const std::function<void(const DecodersRecord&)>& on_change)
        : job_(job), context_(context), on_change_(on_change),
          threads_(job.threads.empty() ? std::vector{job.resources.threads} : job.threads),
          total_(static_cast<double>(job.models.size() * threads_.size() *
                                     (job.half_caches ? 2 : 1))) {}

    DecodersRecord run() {
        read_text();
        choose_contexts(decoder_card(*job_.models[0].model));
        try {
            for (std::size_t i = 0; i < job_.models.size(); ++i)
                for (const bool half : {false, true})
                    for (const int threads : threads_)
                        if (!half || job_.half_caches) run_side(i, half, threads);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) report();
            throw;
        }
        record_.complete = true;
        return std::move(record_);
    }

private:
    void read_text() {
        if (job_.text.empty()) return;
        context_.progress.step("text", 0);
        text_ = job_.tokenizer.empty()
                    ? load_token_numbers(job_.text)
                    : load_text_tokens(job_.text, Tokenizer::load(job_.tokenizer));
        if (text_.size() < 2) fail_input("the text has fewer than two tokens");
        text_.resize(std::min(text_.size(), static_cast<std::size_t>(job_.text_tokens)));
        record_.text_tokens = static_cast<std::int64_t>(text_.size());
    }

    void choose_contexts(const DecoderCard& card) {
        for (const std::int64_t context : job_.contexts)
            if (!card.most_positions || context + job_.new_tokens <= *card.most_positions)
                record_.contexts.push_back(context);
        if (record_.contexts.empty())
            fail_input("no context fits: the model's tables of positions have " +
                       std::to_string(card.most_positions.value_or(0)) + " rows, and " +
                       std::to_string(job_.new_tokens) + " tokens are generated behind it");
        window_ = std::min(job_.window, card.most_positions.value_or(job_.window));
        record_.capacity = std::max(
            {job_.capacity, std::ranges::max(record_.contexts) + job_.new_tokens, window_});
    }

    void run_side(std::size_t model, bool half, int threads) {
        context_.progress.cancel.throw_if_cancelled();
        done_ = static_cast<double>(record_.sides.size());
        DecoderSide side;
        side.model = model;
        side.half_caches = half;
        side.threads = threads;
        record_.sides.push_back(std::move(side));
        try {
            MeasuredDecoder compiled = compile(model, half, threads, true);
            measure(compiled);
            if (!text_.empty()) judge(std::move(compiled), threads);
        } catch (const Error& error) {
            // Without the first there is nothing to compare others with.
            if (error.code() == ErrorCode::cancelled || record_.sides.size() == 1) throw;
            record_.sides.back().error = error.what();
        }
        report();
    }

    /// `is_timed`: as text is generated, which needs the logits of the last token alone.
    MeasuredDecoder compile(std::size_t model, bool half, int threads, bool is_timed) {
        const ModelSource& source = job_.models[model];
        if (runs_in_other_engine(source))
            fail_unsupported("generating in another engine than this program's");
        step("compile", 0);
        GeneratorOptions options;
        options.capacity = record_.capacity;
        options.half_caches = half;
        options.only_last_logits = is_timed;
        options.session.resources = job_.resources;
        options.session.resources.threads = threads;
        options.session.session_passes = source.session_passes();
        options.session.limits = context_.limits;
        place_on(options.session, source.runs_on());
        MeasuredDecoder compiled;
        compiled.card = decoder_card(*source.model);
        compiled.generator = std::make_unique<Generator>(
            Generator::compile(source.model, options, {context_.progress.cancel, {}}));
        const Generator& generator = *compiled.generator;
        if (!half) cache_type_ = generator.cache_type();
        else if (generator.cache_count() == 0) fail_unsupported("the model has no caches");
        else if (cache_type_ == DType::f16) fail_unsupported("its caches are of float16 already");
        else compiled.card.cache_row_bytes /= 2;
        record_.sides.back().weight_bytes = compiled.card.weight_bytes;
        record_.sides.back().threads = generator.session().threads();
        return compiled;
    }

    void measure(MeasuredDecoder& compiled) {
        const auto engine = decoding_engine_of(*compiled.generator, context_.progress.cancel);
        for (std::size_t i = 0; i < record_.contexts.size(); ++i) {
            DecodingOptions options;
            options.context = record_.contexts[i];
            options.new_tokens = job_.new_tokens;
            options.seconds = job_.seconds;
            const double share = static_cast<double>(i) / parts();
            const DecodingMeasurement measured =
                measure_decoding(compiled.card, *engine, nullptr, record_.sides.back().threads,
                                 options, part_of(share, 1 / parts()));
            DecoderSide& side = record_.sides.back();
            const double bandwidth = highest_bandwidth(measured.roof_gb_per_s);
            side.points.push_back(point_of(measured, bandwidth));
            side.points.back().activation_bytes = compiled.generator->session().plan().arena_bytes;
            side.cache_bytes = compiled.generator->cache_bytes();
            report();
        }
    }

    /// One bandwidth for all sides on as many threads: the highest that was measured. So roofs
    /// differ by what a token reads alone, and those of points before rise with it.
    double highest_bandwidth(double gb_per_s) {
        const int threads = record_.sides.back().threads;
        double& highest = gb_per_s_[threads];
        if (gb_per_s <= highest) return highest;
        if (highest > 0)
            for (DecoderSide& side : record_.sides)
                for (DecoderPoint& point : side.points)
                    if (side.threads == threads) point.roof_tokens_per_second *= gb_per_s / highest;
        highest = gb_per_s;
        return highest;
    }

    static DecoderPoint point_of(const DecodingMeasurement& measured, double gb_per_s) {
        const DecodingFigures& ours = measured.ours;
        DecoderPoint point;
        point.context = measured.context;
        point.first_ms = ours.first_token_ms;
        point.prompt_tokens_per_second = ours.prefill_tokens_per_second;
        point.token_ms = ours.token_ms.median;
        point.token_low_ms = ours.token_ms.low;
        point.token_high_ms = ours.token_ms.high;
        const std::uint64_t bytes = measured.token_weight_bytes + measured.token_cache_bytes;
        if (bytes > 0) point.roof_tokens_per_second = gb_per_s * 1e9 / static_cast<double>(bytes);
        if (ours.recorded) point.recorded = *ours.recorded;
        return point;
    }

    /// The side on the text. Another number of threads does not change what a decoder computes.
    /// `threads`: as asked for.
    void judge(MeasuredDecoder timed, int threads) {
        if (threads != threads_.front()) {
            record_.sides.back().quality = record_.sides[record_.sides.size() - 2].quality;
            return;
        }
        timed.generator.reset();  // its memory first
        const DecoderSide& side = record_.sides.back();
        std::unique_ptr<Generator> whole =
            compile(side.model, side.half_caches, threads, false).generator;
        TextQualityOptions options;
        options.window = window_;
        const TextQuality found = measure_text_quality(
            *whole, first_.get(), text_, options, part_of((parts() - 1) / parts(), 1 / parts()));
        DecoderQuality quality;
        quality.tokens = found.tokens;
        quality.perplexity = found.model.perplexity();
        quality.perplexity_error = found.model.perplexity_error();
        if (found.divergence) {
            quality.divergence = found.divergence->kl.mean;
            quality.divergence_error = found.divergence->kl.error;
            quality.most_divergence = found.divergence->kl_99;
            quality.changed = found.divergence->changed;
        }
        record_.sides.back().quality = quality;
        if (!first_) first_ = std::move(whole);
    }

    /// Of a side: its contexts, and the text.
    double parts() const {
        return static_cast<double>(record_.contexts.size() + (text_.empty() ? 0 : 1));
    }

    void step(std::string_view stage, double share) const {
        context_.progress.step(stage, (done_ + share) / total_);
    }

    Progress part_of(double from, double share) const {
        Progress part;
        part.cancel = context_.progress.cancel;
        part.report = [this, from, share](std::string_view stage, double fraction) {
            step(stage, from + share * std::clamp(fraction, 0.0, 1.0));
        };
        return part;
    }

    void report() const {
        if (on_change_) on_change_(record_);
    }

    const DecodersJob& job_;
    const JobContext& context_;
    const std::function<void(const DecodersRecord&)>& on_change_;
    std::vector<int> threads_;  // that each is measured with
    std::vector<std::int64_t> text_;
    std::int64_t window_ = 2;
    DType cache_type_ = DType::undefined;  // of the newest model's caches as they are
    DecodersRecord record_;
    std::map<int, double> gb_per_s_;    // by threads: highest_bandwidth()
    std::unique_ptr<Generator> first_;  // the others are compared with it
    double done_ = 0, total_ = 1;       // sides
};

}  // namespace

DecodersRecord DecodersJob::run(const JobContext& context,
                                const std::function<void(const DecodersRecord&)>& on_change) const {
    return DecodersRun(*this, context, on_change).run();
}

template <>
const JobKind& kind_of<DecodersJob>() {
    static const KindOf<DecodersJob> kind;
    return kind;
}

}  // namespace lapidary::app
