// SPDX-License-Identifier: Apache-2.0
// Runs sessions on the emulated device of the CUDA provider, or on a GPU, and compares them with
// the reference kernels.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/exec/session.h>

namespace lapidary::test {

/// True if LAPIDARY_CUDA_UNDER_TEST names the plugin of a real device, which then replaces the
/// emulated one.
bool is_on_gpu();
/// "cuda_emulated", or "cuda".
std::string name_of_provider();
/// Orders of the emulated device's threads that tests run in; a GPU has one.
std::vector<int> orders_of_threads();
/// The library of the provider.
const char* path_of_plugin();
/// Number of launches with clusters of more than one block that the emulated device counted; 0 on a
/// GPU.
std::uint64_t launches_of_clusters();
/// The provider, opened once for each set of options: "precision", "order" (of the device's
/// threads; 0: in numerical order).
std::shared_ptr<const Provider> emulated_provider(
    const std::map<std::string, std::string>& options = {});

/// The provider, opened again. LAPIDARY_CUDA_OPTIONS ("overlap=on,hopper=on") adds options that the
/// test does not set.
std::shared_ptr<const Provider> new_provider(const std::map<std::string, std::string>& options);

struct EmulatedRun {
    int order = 0;
    std::string precision = "exact";
    Fallback fallback = Fallback::forbid;
    SessionPasses::Set passes = SessionPasses::Set::none;
    bool replays = true;
    bool has_hopper = false;    // uses such kernels wherever possible
    bool has_clusters = false;  // only in small convolutions
    bool is_together = true;    // the default, which is not given as an option
};
SessionOptions emulated_options(const EmulatedRun& run);
/// Options of a session with the CPU's reference kernels.
SessionOptions reference_options();

/// Runs the model twice and describes how its outputs differ from the expected ones; empty: they do
/// not.
std::string compare_with(const NamedValues& expected, const ModelPtr& model,
                         const NamedValues& inputs, const EmulatedRun& run,
                         const Tolerance& tolerance);
/// The same, compared with the reference kernels.
std::string compare_with_reference(const ModelPtr& model, const NamedValues& inputs,
                                   const EmulatedRun& run, const Tolerance& tolerance);

/// A tolerance relative to the largest element, for sums in another order.
inline constexpr Tolerance exact_arithmetic{1e-4, 2e-5, true};

}  // namespace lapidary::test
