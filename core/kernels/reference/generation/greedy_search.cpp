// SPDX-License-Identifier: Apache-2.0
// com.microsoft GreedySearch: the most likely token at each step, until every row met eos or max_length.
#include <algorithm>

#include "kernels/reference/generation/generation.h"

namespace lapidary::reference {

void greedy_search(KernelContext& context) {
    const GenerationSettings settings(context);
    GptDecoder decoder(context, settings, settings.batch);
    std::vector<std::vector<std::int64_t>> sequences(static_cast<std::size_t>(settings.batch));
    for (std::size_t r = 0; r < sequences.size(); ++r)
        sequences[r].assign(settings.tokens.begin() + static_cast<std::ptrdiff_t>(r) * settings.prompt,
                            settings.tokens.begin() + static_cast<std::ptrdiff_t>(r + 1) * settings.prompt);
    std::vector<bool> finished(sequences.size(), false);
    std::vector<std::int64_t> next(sequences.size());
    for (std::int64_t length = settings.prompt; length < settings.max_length; ++length) {
        context.cancel().throw_if_cancelled();
        std::vector<float> scores = decoder.step(next);
        for (std::size_t r = 0; r < sequences.size(); ++r) {
            float* row = scores.data() + static_cast<std::ptrdiff_t>(r) * decoder.vocabulary();
            process_scores(settings, static_cast<std::int64_t>(r), sequences[r], length == settings.prompt, row,
                           decoder.vocabulary());
            const std::int64_t best = std::max_element(row, row + decoder.vocabulary()) - row;
            next[r] = finished[r] ? settings.pad : best;
            if (best == settings.eos) finished[r] = true;
            sequences[r].push_back(next[r]);
        }
        if (std::ranges::all_of(finished, [](bool f) { return f; })) break;
    }
    auto out = context.output(0, DType::i32, {settings.batch, settings.max_length}).mutable_data<std::int32_t>();
    std::ranges::fill(out, static_cast<std::int32_t>(settings.pad));
    for (std::size_t r = 0; r < sequences.size(); ++r)
        for (std::size_t i = 0; i < sequences[r].size(); ++i)
            out[r * static_cast<std::size_t>(settings.max_length) + i] = static_cast<std::int32_t>(sequences[r][i]);
}

}  // namespace lapidary::reference
