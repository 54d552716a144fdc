// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>

namespace lapidary::onnx_io {

/// Names the weights files that a save would leave without a model if it were killed now: the new
/// ones until the model stands, the old ones from then on. Lies beside the model as a temporary
/// that is locked while this lives, and goes with it. remove_left_weights() reads those of
/// processes that are gone.
class WeightsJournal {
public:
    /// If the file cannot be written there is no journal, and a killed save leaves files behind.
    WeightsJournal(const std::filesystem::path& model,
                   const std::set<std::filesystem::path>& weights);
    WeightsJournal(const WeightsJournal&) = delete;
    WeightsJournal& operator=(const WeightsJournal&) = delete;
    ~WeightsJournal();

private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

/// Removes from `folder` the weights files that saves of killed processes left there, unless a
/// model names them or a living save is at them.
void remove_left_weights(const std::filesystem::path& folder) noexcept;

}  // namespace lapidary::onnx_io
