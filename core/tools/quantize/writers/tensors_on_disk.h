// SPDX-License-Identifier: Apache-2.0
// Quantized weights of large models wait in files until the model is saved: the weights of a model
// of 16 GB in 4 bits would need more memory than making them one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include <lapidary/internal/scratch_folder.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Constants of a model, in bytes, from which on its quantized weights wait in files.
inline constexpr std::uint64_t on_disk_from_bytes = std::uint64_t{1} << 29;

/// Files among the system's temporary ones. They are removed with the last tensor that was kept in
/// them.
class TensorsOnDisk {
public:
    /// `model_bytes`: of the model's constants; below `from_bytes` keep() keeps nothing.
    explicit TensorsOnDisk(std::uint64_t model_bytes,
                           std::uint64_t from_bytes = on_disk_from_bytes);

    /// Replaces tensors of one weight by read-only ones with the same elements, in one mapped file.
    /// Absent ones stay absent. Leaves small weights as they are, and all if a file cannot be
    /// written: memory is then the place that is left.
    void keep(std::initializer_list<Tensor*> weight);

private:
    bool is_used_;
    std::size_t files_ = 0;
    std::shared_ptr<const ScratchFolder> folder_;  // null until it is needed
};

}  // namespace lapidary
