// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/generator.h>

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "generation/cache_memory.h"
#include "generation/decoder_inputs.h"
#include "generation/decoder_model.h"
#include "generation/last_logits.h"
#include "generation/narrow_caches.h"
#include "generation/rounded_caches.h"
#include "generation/rows_first.h"
#include "generation/vocabulary.h"

namespace lapidary {
namespace {

/// How the caches can be kept in memory of a capacity, which their descriptions say then.
struct FixedCaches {
    std::string reason;      // why they cannot; empty: they can
    bool continues = false;  // some of them by rows that come first

    static FixedCaches of(const Graph& graph, const GeneratorOptions& options,
                          std::vector<DecoderCache>& caches) {
        if (options.storage == CacheStorage::growing) return {};
        if (caches.empty()) return {"the model has no caches"};
        if (!options.session.providers.empty()) return {"caches lie in the memory of a device"};
        FixedCaches found;
        for (DecoderCache& cache : caches) {
            if (reason_against_written(graph, cache).empty()) continue;
            if (std::string why = reason_against_rows_first(graph, cache); !why.empty())
                return {std::move(why)};
            found.continues = cache.is_continued = true;
        }
        return found;
    }
};

/// The model with all caches of f16, or of i8 with a scale for each row.
ModelPtr narrowed(ModelPtr model, std::vector<DecoderCache>& caches, DType dtype,
                  const CancelToken& cancel) {
    for (const DecoderCache& cache : caches)
        if (const std::string why = reason_against_narrow(model->graph, cache, dtype); !why.empty())
            fail_unsupported((dtype == DType::f16 ? "caches of float16: " : "caches of 8 bits: ") +
                             why);
    return std::make_shared<const Model>(with_narrow_caches(*model, caches, dtype, cancel));
}

/// The logits behind the last tokens of each sequence as f32: `last` of those that the model gave,
/// which are all, or the last one's where it computes no others. `to` has their shape, with or
/// without an axis of the tokens.
void copy_logits(const Tensor& logits, const TokenRows& run, std::int64_t last, bool has_axis,
                 Tensor& to) {
    const std::int64_t sequences = run.sequences,
                       count = logits.rank() == 3 && logits.dim(1) == last ? last : run.length();
    if (logits.rank() != 3 || logits.dim(0) != sequences || logits.dim(1) != count)
        fail_input("the logits have shape " + to_string(logits.shape()) + ", expected [" +
                   std::to_string(sequences) + "," + std::to_string(run.length()) + ",vocabulary]");
    const std::int64_t vocabulary = logits.dim(2);
    const Shape shape =
        has_axis ? Shape{sequences, last, vocabulary} : Shape{sequences, vocabulary};
    if (to.shape() != shape) to = Tensor(DType::f32, shape);
    float* out = to.mutable_data<float>().data();
    const std::int64_t each = last * vocabulary;
    for (std::int64_t s = 0; s < sequences; ++s, out += each) {
        const std::int64_t from = (s * count + count - last) * vocabulary;
        const auto copy = [&]<typename T>(std::span<const T> all) {
            std::transform(all.begin() + from, all.begin() + from + each, out,
                           [](T x) { return static_cast<float>(x); });
        };
        if (logits.dtype() == DType::f32) copy(logits.data<float>());
        else if (logits.dtype() == DType::f16) copy(logits.data<Half>());
        else if (logits.dtype() == DType::bf16) copy(logits.data<BFloat16>());
        else fail_input("the logits are " + std::string(name_of(logits.dtype())) + ", not floats");
    }
}

}  // namespace

struct Generator::State {
    State(DecoderModel described, std::optional<std::int64_t> tokens, Session compiled,
          const GeneratorOptions& given, const FixedCaches& fixed)
        : decoder(std::move(described)), table(tokens), session(std::move(compiled)),
          options(given), continues(fixed.continues), reason(fixed.reason) {
        if (reason.empty() && options.storage != CacheStorage::growing)
            for (const DecoderCache& cache : decoder.caches)
                if (!cache.is_continued && reason.empty())
                    reason = reason_against_written(session.model().graph, cache);
        if (!reason.empty() && options.storage == CacheStorage::fixed)
            fail_unsupported("caches of fixed size: " + reason);
        storage = options.storage == CacheStorage::growing || !reason.empty()
                      ? CacheStorage::growing
                      : CacheStorage::fixed;
    }

    bool is_fixed() const { return storage == CacheStorage::fixed; }

    /// The first rows of a cache, over its memory.
    Tensor rows_of(std::size_t cache, std::int64_t count) const {
        const Tensor& whole = caches[cache];
        Shape shape = whole.shape();
        shape[decoder.caches[cache].axis] = count;
        return Tensor::borrow(whole.dtype(), std::move(shape), const_cast<void*>(whole.raw()),
                              whole.owner());
    }

    /// Caches without a row in use, for so many sequences.
    void begin(std::int64_t sequences) {
        caches.clear();
        if (continues && is_fixed() && sequences > 1) {
            constexpr const char* why = "caches are continued in place for one sequence alone";
            if (options.storage == CacheStorage::fixed)
                fail_unsupported("caches of fixed size: " + std::string(why));
            storage = CacheStorage::growing;
            reason = why;
        }
        std::vector<CacheMemory::Cache> wanted;
        for (const DecoderCache& cache : decoder.caches) {
            Shape shape = cache.shape;
            if (shape[0] < 0) shape[0] = sequences;
            shape[cache.axis] = is_fixed() ? options.capacity : 0;
            wanted.push_back({cache.dtype, std::move(shape), cache.axis});
        }
        // What is behind the rows in use is never read, but must be numbers to be the same in
        // every run.
        if (is_fixed()) caches = memory.cleared(wanted, written);
        else
            for (const CacheMemory::Cache& cache : wanted)
                caches.emplace_back(cache.dtype, cache.shape);
        written = 0;
        rows.sequences = sequences;
    }

    void check(const TokenRows& tokens) const {
        if (tokens.sequences < 1 || tokens.ids.empty() ||
            static_cast<std::int64_t>(tokens.ids.size()) % tokens.sequences != 0)
            fail_input("tokens: expected at least one for each sequence, all of one length");
        if (const auto least = std::ranges::min(tokens.ids); least < 0)
            fail_input("token " + std::to_string(least) + ": tokens count from 0");
        if (const auto most = std::ranges::max(tokens.ids); most >= table.value_or(most + 1))
            fail_input("token " + std::to_string(most) + ": the model's tokens are 0 to " +
                       std::to_string(*table - 1));
        if (rows.sequences != 0 && rows.sequences != tokens.sequences)
            fail_input("tokens of " + std::to_string(tokens.sequences) +
                       " sequences behind those of " + std::to_string(rows.sequences));
        if (is_fixed() && length + tokens.length() > options.capacity)
            fail_input(std::to_string(length + tokens.length()) +
                       " tokens are more than the caches have room for: " +
                       std::to_string(options.capacity));
    }

    /// Without caches: all tokens so far with the new ones behind.
    TokenRows all_with(const TokenRows& tokens) const {
        TokenRows all{tokens.sequences, {}};
        for (std::int64_t s = 0; s < tokens.sequences; ++s) {
            const auto add = [&](const TokenRows& from) {
                const auto begin = from.ids.begin() + s * from.length();
                all.ids.insert(all.ids.end(), begin, begin + from.length());
            };
            if (rows.sequences != 0) add(rows);
            add(tokens);
        }
        return all;
    }

    DecoderOutputs outputs() const {
        DecoderOutputs outputs{decoder.logits, {}};
        for (const DecoderCache& cache : decoder.caches) outputs.caches.push_back(cache.output);
        return outputs;
    }

    /// What is wanted of a run.
    struct Wanted {
        std::int64_t last = 1;  // tokens whose logits
        bool has_axis = false;  // of these, in the logits
        bool profile = false;
    };

    void run(const TokenRows& tokens, std::int64_t before, const Wanted& wanted,
             const CancelToken& cancel) {
        const TokenPlace place{
            tokens.sequences, before, tokens.length(),
            is_fixed() && !continues ? options.capacity : before + tokens.length()};
        NamedValues inputs;
        for (const DecoderPort& port : decoder.inputs)
            inputs.emplace_back(port.name, decoder_input(port, place, tokens.ids.data()));
        RunOptions run_options;
        run_options.cancel = cancel;
        run_options.profile = wanted.profile;
        run_options.observer = observer;
        for (std::size_t i = 0; i < caches.size(); ++i) {
            const DecoderCache& cache = decoder.caches[i];
            const bool grows_there = is_fixed() && cache.is_continued;
            inputs.emplace_back(cache.input, grows_there ? rows_of(i, before) : caches[i]);
            if (is_fixed())
                run_options.output_buffers.push_back(
                    {cache.output, grows_there ? rows_of(i, before + tokens.length()) : caches[i]});
        }
        session.run(inputs, run_options, result);
        copied = result.copied_outputs.empty() ? "" : result.copied_outputs[0].reason;
        if (wanted.profile) recorded = result.profile;
        for (auto& [name, value] : result.outputs) {
            if (name == decoder.logits)
                copy_logits(value.tensor(), tokens, wanted.last, wanted.has_axis, logits);
            if (is_fixed()) continue;
            const auto cache = std::ranges::find(decoder.caches, name, &DecoderCache::output);
            if (cache != decoder.caches.end())
                caches[static_cast<std::size_t>(cache - decoder.caches.begin())] = value.tensor();
        }
    }

    const Tensor& feed(const TokenRows& tokens, const Wanted& wanted, const CancelToken& cancel) {
        check(tokens);
        if (rows.sequences == 0) begin(tokens.sequences);
        written = length + tokens.length();
        if (decoder.caches.empty()) {
            TokenRows all = all_with(tokens);
            run(all, 0, wanted, cancel);
            rows = std::move(all);
        } else {
            run(tokens, length, wanted, cancel);
        }
        length += tokens.length();
        return logits;
    }

    DecoderModel decoder;
    std::optional<std::int64_t> table;  // tokens that it has rows for; nothing: not known
    Session session;
    GeneratorOptions options;
    CacheStorage storage;
    bool continues;      // some caches have their rows first
    std::string reason;  // why caches are not of fixed size
    std::vector<Tensor> caches;
    CacheMemory memory;        // of those of fixed size
    std::int64_t written = 0;  // rows of it that runs may have written since it was cleared
    TokenRows rows;            // all tokens, where there are no caches; else their sequences alone
    std::int64_t length = 0;
    std::string copied;  // the first reason of the newest run
    RunResult result;
    Tensor logits;
    std::shared_ptr<const Profile> recorded;  // of the newest recorded run
    StepObserver* observer = nullptr;         // of runs; null: none
};

Generator::Generator(std::unique_ptr<State> state) : state_(std::move(state)) {}
Generator::Generator(Generator&&) noexcept = default;
Generator& Generator::operator=(Generator&&) noexcept = default;
Generator::~Generator() = default;

std::string why_no_decoder(const Model& model) {
    try {
        describe_decoder(model);
        return {};
    } catch (const Error& error) { return error.message(); }
}

Generator Generator::compile(ModelPtr model, const GeneratorOptions& options,
                             const Progress& progress) {
    if (options.capacity < 1)
        fail_input("capacity of caches: expected at least 1, found " +
                   std::to_string(options.capacity));
    DecoderModel decoder = describe_decoder(*model);
    const std::optional<std::int64_t> table = vocabulary_sizes(model->graph, decoder).table;
    if (std::ranges::any_of(decoder.caches, [&](const DecoderCache& cache) {
            return kept_type(model->graph, cache) != cache.dtype;
        }))
        model = std::make_shared<const Model>(
            with_rounded_caches(*model, decoder.caches, progress.cancel));
    if (options.half_caches && options.byte_caches)
        fail_input("caches are wanted both in float16 and in 8 bits");
    if (options.half_caches || options.byte_caches)
        model = narrowed(std::move(model), decoder.caches,
                         options.half_caches ? DType::f16 : DType::i8, progress.cancel);
    if (options.only_last_logits && reason_against_last_logits(*model, decoder.logits).empty())
        model = std::make_shared<const Model>(
            with_last_logits(*model, decoder.logits, progress.cancel));
    const FixedCaches fixed = FixedCaches::of(model->graph, options, decoder.caches);
    if (fixed.reason.empty() && fixed.continues) {
        model = std::make_shared<Model>(with_rows_first(*model, decoder.caches, progress.cancel));
    }
    Session session = Session::compile(std::move(model), options.session, progress);
    return Generator(
        std::make_unique<State>(std::move(decoder), table, std::move(session), options, fixed));
}

const Tensor& Generator::feed(const TokenRows& tokens, const CancelToken& cancel, bool profile) {
    return state_->feed(tokens, {.profile = profile}, cancel);
}

const Tensor& Generator::feed_all(const TokenRows& tokens, const CancelToken& cancel) {
    if (state_->options.only_last_logits)
        fail_input("logits behind each token: the decoder was compiled for the last one's alone");
    return state_->feed(tokens, {.last = tokens.length(), .has_axis = true}, cancel);
}

void Generator::observe(StepObserver* observer) { state_->observer = observer; }

void Generator::reset() {
    state_->caches.clear();
    state_->rows = {};
    state_->length = 0;
    state_->recorded = nullptr;
}

TokenTime Generator::token_time() const {
    if (!state_->recorded) return {};
    return lapidary::token_time(state_->session.model().graph, state_->outputs(),
                                *state_->recorded);
}
DType Generator::head_weight_type() const {
    return lapidary::head_weight_type(state_->session.model().graph, state_->decoder.logits);
}

std::int64_t Generator::length() const { return state_->length; }
CacheStorage Generator::storage() const { return state_->storage; }
const std::string& Generator::storage_reason() const { return state_->reason; }
const std::string& Generator::copied_caches() const { return state_->copied; }
std::size_t Generator::cache_count() const { return state_->decoder.caches.size(); }
DType Generator::cache_type() const {
    const std::vector<DecoderCache>& caches = state_->decoder.caches;
    return caches.empty() ? DType::undefined : caches.front().dtype;
}
const Session& Generator::session() const { return state_->session; }

std::uint64_t Generator::cache_bytes() const {
    std::uint64_t bytes = 0;
    for (const Tensor& cache : state_->caches) bytes += cache.byte_size();
    return bytes;
}

}  // namespace lapidary
