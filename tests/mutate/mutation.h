// SPDX-License-Identifier: Apache-2.0
// Makes damaged models: files with changed bytes in protobuf's structure, and graphs with changed
// attributes, sizes and links that can still be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary::mutate {

using Random = std::mt19937_64;

/// Changes one to three places of the file's structure: messages, field numbers, lengths, small
/// payloads. Fields of more than 512 bytes without text or messages (weights) stay unchanged.
/// Returns a description.
std::string mutate_bytes(std::vector<std::byte>& file, Random& random);

/// Changes one to three words of a FlatBuffer (.ort), anywhere after its header, and truncates some
/// files. Returns a description.
std::string mutate_words(std::vector<std::byte>& file, Random& random);

/// Names of sizes that mutate_graph() gives to inputs: odd_symbol and a number below odd_symbols.
inline constexpr std::string_view odd_symbol = "odd_";
inline constexpr std::uint64_t odd_symbols = 6;

/// Changes one or two attributes, small constants, declared sizes, links or operators of the graph
/// or of a subgraph; types of inner values are inferred again. Returns a description.
std::string mutate_graph(Model& model, Random& random);

}  // namespace lapidary::mutate
