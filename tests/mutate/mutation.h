// SPDX-License-Identifier: Apache-2.0
// Damaged models: files with bytes changed where protobuf's structure is, and graphs with
// attributes, sizes and links changed that still make a file.
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
/// payloads. What lies in fields of more than 512 bytes that hold no text or message (weights)
/// stays. Returns what was done.
std::string mutate_bytes(std::vector<std::byte>& file, Random& random);

/// Changes one to three words of a FlatBuffer (.ort), anywhere behind its head, and cuts some files
/// off. Returns what was done.
std::string mutate_words(std::vector<std::byte>& file, Random& random);

/// Names of sizes that mutate_graph() gives to inputs: odd_symbol and a number below odd_symbols.
inline constexpr std::string_view odd_symbol = "odd_";
inline constexpr std::uint64_t odd_symbols = 6;

/// Changes one or two attributes, small constants, declared sizes, links or operators of the graph
/// or of a subgraph; types of inner values are left to inference. Returns what was done.
std::string mutate_graph(Model& model, Random& random);

}  // namespace lapidary::mutate
