// SPDX-License-Identifier: Apache-2.0
// The sizes at which models run if none are chosen: one default for every command and page.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// Why a free dimension has the size that it was given.
enum class SizeReason : std::uint8_t {
    one_at_a_time,  // 1: batches, and dimensions of unknown meaning
    text,           // tokens
    steps,          // of other sequences: features in time
    decoder_step,   // new tokens of a decoder with caches
    past,           // positions in its caches
    past_and_new,   // both together
    attention,      // follows from the attention that reads the input
    weight,         // follows from a weight
    image,          // height and width
    channels,       // of a picture
    sound,          // samples of a recording
    signal,         // the width of an input of floats whose dimension has no meaningful name
    rows,           // of the only input, a table
    volume          // sides of it
};
/// "the default for text"
std::string_view words_for(SizeReason reason);

/// A size that was not given.
struct ChosenSize {
    std::string dimension;                          // its name in the model
    std::int64_t size = 0;                          // elements along it
    SizeReason reason = SizeReason::one_at_a_time;  // why that many
};

/// Sizes of symbolic dimensions, given and chosen.
struct UsualSizes {
    /// of every symbolic dimension of the inputs, given sizes included
    std::map<std::string, std::int64_t> all;
    std::vector<ChosenSize> chosen;  // sizes that were not given, in the order of the inputs
};

/// Sizes to measure a model at, derived from the names and places of the inputs' symbolic
/// dimensions: batch 1; 128 tokens of text; for a decoder with caches one new token after 128;
/// pictures of 224 x 224; a second of sound at 16 kHz. Never more positions than the model has rows
/// for. `dimensions` and the shapes of `given` come first. Throws invalid_input if those contradict
/// each other or the declaration.
UsualSizes usual_sizes(const Model& model,
                       const std::map<std::string, std::int64_t>& dimensions = {},
                       const NamedValues& given = {});

/// "sequence 128: the default for text; --dim sequence=N". Leaves out batches of 1, and sizes that
/// follow from other ones. May be empty.
std::string text_of_chosen(const UsualSizes& sizes);

}  // namespace lapidary
