// SPDX-License-Identifier: Apache-2.0
// com.microsoft GreedySearch: the most likely token at each step, until every row met eos or
// max_length.
#include <algorithm>

#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {

void generate_tokens(KernelContext& context, const GenerationSettings& settings,
                     const std::function<std::int64_t(std::span<float> scores)>& choose) {
    const auto decoder = make_decoder(context, settings, settings.batch);
    std::vector<TokenSequence> sequences = prompts_of(settings, 1);
    std::vector<bool> finished(sequences.size(), false);
    for (std::int64_t length = settings.prompt; length < settings.max_length; ++length) {
        context.cancel().throw_if_cancelled();
        std::vector<float> scores = decoder->step(sequences);
        for (std::size_t r = 0; r < sequences.size(); ++r) {
            float* row = scores.data() + static_cast<std::ptrdiff_t>(r) * decoder->vocabulary();
            process_scores(settings, static_cast<std::int64_t>(r), sequences[r],
                           length == settings.prompt, row, decoder->vocabulary());
            const std::span<float> all(row, static_cast<std::size_t>(decoder->vocabulary()));
            require_numbers(context, all);
            const std::int64_t chosen = choose(all);
            if (chosen == settings.eos) finished[r] = true;
            sequences[r].push_back(finished[r] ? settings.pad : chosen);
        }
        if (std::ranges::all_of(finished, [](bool f) { return f; })) break;
    }
    auto out = context.output(0, DType::i32, {settings.batch, settings.max_length})
                   .mutable_data<std::int32_t>();
    std::ranges::fill(out, static_cast<std::int32_t>(settings.pad));
    for (std::size_t r = 0; r < sequences.size(); ++r)
        for (std::size_t i = 0; i < sequences[r].size(); ++i)
            out[r * static_cast<std::size_t>(settings.max_length) + i] =
                static_cast<std::int32_t>(sequences[r][i]);
}

void greedy_search(KernelContext& context) {
    generate_tokens(context, GenerationSettings(context), [](std::span<float> scores) {
        return std::ranges::max_element(scores) - scores.begin();
    });
}

}  // namespace lapidary::reference
