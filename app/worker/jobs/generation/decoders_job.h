// SPDX-License-Identifier: Apache-2.0
// Variants of a decoder side by side: speed by context, memory, and quality on a text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/exec/run_resources.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/decoders_record.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// Measures one decoder after another, as bench --decode does, but in this process: memory is
/// that of the plan. Then gives each the text, and compares its probabilities with those
/// of the first one. What a decoder refuses stands in its side; the others go on. After a cancel
/// the newest state has what was measured. Throws not_supported where the first model is no
/// decoder, and what Tokenizer, load_text_tokens() and load_token_numbers() throw.
struct DecodersJob {
    using Result = DecodersRecord;
    using State = DecodersRecord;
    static constexpr std::string_view name = "measure_decoders";

    std::vector<ModelSource> models;
    bool half_caches = false;                       // each once more with its caches in float16
    std::vector<std::int64_t> contexts{128, 1024};  // those that the first model has positions for
    std::int64_t new_tokens = 32;                   // behind the prompt
    double seconds = 2;                             // of measuring, for each context of each side
    std::int64_t capacity = 0;        // of caches of fixed size; 0: as many tokens as are needed
    std::filesystem::path text;       // a file; empty: none
    std::filesystem::path tokenizer;  // that makes its tokens; empty: it has numbers of tokens
    std::int64_t text_tokens = 1024;  // of it at most
    std::int64_t window = 256;        // as TextQualityOptions::window
    /// each is measured with each of these numbers of threads; none: that of `resources`
    std::vector<int> threads;
    RunResources resources;  // threads and configuration alone are sent

    std::string title() const {
        return "the measurement of " + (models.empty() ? "nothing" : models.front().title());
    }
    DecodersRecord run(const JobContext& context,
                       const std::function<void(const DecodersRecord&)>& on_change) const;
};
template <>
const JobKind& kind_of<DecodersJob>();

}  // namespace lapidary::app
