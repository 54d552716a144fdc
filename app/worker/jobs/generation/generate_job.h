// SPDX-License-Identifier: Apache-2.0
// Tokens of a decoder, timed, and where their time goes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/exec/run_resources.h>
#include <lapidary/generation/generator.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/generate_record.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

constexpr std::int64_t most_new_tokens = 100'000;

/// Generates with the first of one or two models. The second is given the first's tokens, in turn
/// with it, and compared: its logits, and what it would have chosen. Some tokens are recorded (the
/// first, whenever the context has doubled, and the last), to tell where their time goes. Throws
/// not_supported where a model is no decoder or runs in another engine, and what Generator,
/// Tokenizer, encode_prompt() and find_end_tokens() throw.
/// After a cancel the newest state has what was generated.
struct GenerateJob {
    using Result = GenerateRecord;
    using State = GenerateRecord;
    static constexpr std::string_view name = "generate";

    std::vector<ModelSource> models;
    std::vector<std::int64_t> prompt;  // at least one token, unless there is a text
    std::string text;                  // the prompt, which the tokenizer makes tokens of
    std::filesystem::path tokenizer;   // a tokenizer.json; empty: tokens are numbers
    std::int64_t new_tokens = 64;      // at most
    SamplingOptions sampling;
    std::vector<std::int64_t> stop_tokens;  // it ends behind one of these
    /// Without stop_tokens: those that find_end_tokens() finds for the first model's file.
    bool finds_stop_tokens = true;
    CacheStorage storage = CacheStorage::automatic;
    std::int64_t capacity = 0;  // of caches of fixed size; 0: prompt and new tokens
    RunResources resources;     // threads and configuration alone are sent

    std::string title() const {
        return "the generation with " + (models.empty() ? "nothing" : models.front().title());
    }
    GenerateRecord run(const JobContext& context,
                       const std::function<void(const GenerateRecord&)>& on_change) const;
};
template <>
const JobKind& kind_of<GenerateJob>();

}  // namespace lapidary::app
