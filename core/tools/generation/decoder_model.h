// SPDX-License-Identifier: Apache-2.0
// Which inputs and outputs of a model are those of a decoder that is run token by token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// What an input that is not a cache is fed with.
enum class DecoderInput : std::uint8_t {
    ids,            // i64 or i32 [sequences, tokens]: the tokens
    mask,           // [sequences, rows]: 1 for rows that hold a token
    positions,      // [sequences, tokens]: how many tokens stand before
    row_positions,  // [tokens]: the same for all sequences (cache_position)
    last_rows,      // i32 [sequences]: rows that hold a token, less one (seqlens_k)
    total_rows,     // one number: rows with the new ones (total_sequence_length)
    past_rows,      // one number: rows before the new ones (past_sequence_length)
    has_past        // one bool: whether there are any (use_cache_branch)
};

/// A cache: an output that is an input of the next run.
struct DecoderCache {
    std::string input, output;
    DType dtype = DType::undefined;
    Shape shape;           // of the input; -1 along sequences and rows
    std::size_t axis = 0;  // of the rows
    // new rows come behind the old ones in memory: a run gives a cache of more rows (rows_first.h);
    // else they are written into a cache of fixed size
    bool is_continued = false;
};

struct DecoderPort {
    std::string name;
    DecoderInput kind = DecoderInput::ids;
    DType dtype = DType::undefined;
    std::size_t rank = 0;
};

struct DecoderModel {
    std::vector<DecoderPort> inputs;
    std::vector<DecoderCache> caches;  // empty: every run is given all tokens again
    std::string logits;                // [sequences, tokens, vocabulary]
};

/// Why new rows cannot be written into the cache where it lies; empty: they can.
std::string reason_against_written(const Graph& graph, const DecoderCache& cache);

/// Throws not_supported naming the input or output that does not fit, and what was expected.
DecoderModel describe_decoder(const Model& model);

}  // namespace lapidary
