// SPDX-License-Identifier: Apache-2.0
// Weights whose rounding was compensated, kept in a folder until the model that they belong to is
// written, so that a run that was stopped does not begin anew.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <lapidary/tensor/tensor.h>

#include "quantize/calibration/input_moments.h"
#include "quantize/weights/block_weight.h"
#include "quantize/weights/fitted_blocks.h"

namespace lapidary {

class KeptBlocks {
public:
    /// The folder is made with the first weight. Empty: keeps nothing. Nothing is kept either where
    /// something else has the folder's name: is_blocked().
    explicit KeptBlocks(std::filesystem::path folder);

    bool is_used() const { return !folder_.empty(); }
    /// True if something has the folder's name that no earlier run made. It stays as it is.
    bool is_blocked() const { return is_blocked_; }
    /// Names a weight [K, N] by its elements, its inputs and how it is rounded: what has the same
    /// name has the same blocks. Reads all of them.
    static std::string name_of(const Tensor& weight, const InputMoments& moments,
                               const BlockKind& kind, bool is_fitted);
    /// The blocks of that name; empty if there are none, or none that fit the weight and have the
    /// checksum that they were kept with.
    std::optional<BlockWeight> find(const std::string& name, const Tensor& weight,
                                    const BlockKind& kind);
    /// Where a file cannot be written, nothing is kept from then on.
    void add(const std::string& name, const BlockWeight& blocks);
    std::size_t found() const { return found_; }  // by find()

private:
    std::filesystem::path folder_;
    std::map<std::string, std::string> checksums_;  // by name, as in the folder's list
    bool is_blocked_ = false;
    std::size_t found_ = 0;
};

}  // namespace lapidary
