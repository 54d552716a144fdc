// SPDX-License-Identifier: Apache-2.0
// Sessions on the emulated device of the CUDA provider, or on a GPU, and how they compare with the
// reference kernels.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/exec/session.h>

namespace lapidary::test {

/// LAPIDARY_CUDA_UNDER_TEST names the plugin of the device, which then takes the place of the
/// emulated one.
bool is_on_gpu();
/// "cuda_emulated", or "cuda".
std::string name_of_provider();
/// Orders of the emulated device's threads that tests run in; a GPU has one.
std::vector<int> orders_of_threads();
/// The library of the provider.
const char* path_of_plugin();
/// Of more than one block, that the emulated device counted so far; 0 on a GPU.
std::uint64_t launches_of_clusters();
/// Opened once per set of options: "precision", "order" (of the device's threads; 0: as they are
/// numbered).
std::shared_ptr<const Provider> emulated_provider(
    const std::map<std::string, std::string>& options = {});

/// Opened anew. LAPIDARY_CUDA_OPTIONS ("overlap=on,hopper=on") adds options that the test does not
/// set.
std::shared_ptr<const Provider> new_provider(const std::map<std::string, std::string>& options);

struct EmulatedRun {
    int order = 0;
    std::string precision = "exact";
    Fallback fallback = Fallback::forbid;
    SessionPasses::Set passes = SessionPasses::Set::none;
    bool replays = true;
    bool has_hopper = false;    // wherever such kernels can be used
    bool has_clusters = false;  // small convolutions alone
    bool is_together = true;    // the default, which is not given as an option
};
SessionOptions emulated_options(const EmulatedRun& run);
/// The plain kernels of the processor.
SessionOptions reference_options();

/// Runs the model twice and says how its outputs differ from those expected, empty when they do
/// not.
std::string compare_with(const NamedValues& expected, const ModelPtr& model,
                         const NamedValues& inputs, const EmulatedRun& run,
                         const Tolerance& tolerance);
/// The same with what the reference kernels give.
std::string compare_with_reference(const ModelPtr& model, const NamedValues& inputs,
                                   const EmulatedRun& run, const Tolerance& tolerance);

/// A share of the largest element, for sums in another order.
inline constexpr Tolerance exact_arithmetic{1e-4, 2e-5, true};

}  // namespace lapidary::test
