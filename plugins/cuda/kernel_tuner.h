// SPDX-License-Identifier: Apache-2.0
// Finds the fastest of several kernels for a product, a convolution or an attention. They are
// measured on the device when the option `tune` asks for it, and the result is kept in a file for
// each device and driver.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "blas_library.h"
#include "kernels/attention/attention.h"
#include "kernels/convolution/convolution.h"
#include "kernels/product/normalized_product.h"
#include "node_kernel.h"
#include "tuning_trial.h"

namespace lapidary::cuda {

enum class KernelVariant : std::uint8_t {
    own,      // the portable kernel, split as split_of() suggests
    unsplit,  // in one part
    hopper,   // launch_hopper_product(), launch_attention_clusters()
    library,  // BlasLibrary, then the epilogue
    fewer,    // split into half as many parts as split_of() suggests, or into 2 where it suggests 1
    more,     // into twice as many, or into 4
    fused,    // launch_normalized_product(); all others run launch_normalize() first
    clusters,        // launch_window_clusters()
    small_clusters,  // of half as many blocks
    large_clusters   // of twice as many
};
const char* name_of(KernelVariant way);

/// Measured variants by key_of() of the arguments; kept in a text file.
class TuningTable {
public:
    struct Entry {
        KernelVariant way = KernelVariant::own;  // that is taken
        // that one launch adds to the time of a queue; see times_of_ways()
        double microseconds = 0;
        // the other variants with their times; one may be faster, but by less than least_gain
        std::vector<std::pair<KernelVariant, double>> others = {};
        // copies of constants that the launches read in turn
        std::uint64_t copies = 1, wanted_copies = 1;
        bool has(KernelVariant measured) const;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    /// `blas`: the name of the library whose products were measured too; empty: none.
    TuningTable(std::string device, std::string driver, std::string blas)
        : device_(std::move(device)), driver_(std::move(driver)), blas_(std::move(blas)) {}
    /// Reads the file, where there is one. Throws DeviceError saying why it does not fit: another
    /// device, driver or library, another version, a line that is wrong. Entries of an older
    /// version are ignored, and entries whose key is already known stay as they are.
    void load(const std::string& path);
    /// The file that was loaded is of an older version.
    bool is_older() const { return is_older_; }
    /// Writes the whole file or nothing. Throws DeviceError.
    void save(const std::string& path);
    const Entry* find(const std::string& key) const;
    void add(const std::string& key, const Entry& entry) { entries_[key] = entry; }
    const std::map<std::string, Entry>& entries() const { return entries_; }

private:
    std::string device_, driver_, blas_;
    std::map<std::string, Entry> entries_;
    bool is_older_ = false;
};

/// "$XDG_CACHE_HOME/lapidary/cuda-NVIDIA_H200-CUDA_13.0.tuning", below ~/.cache where that is not
/// set.
std::string usual_tuning_file(const std::string& device, const std::string& driver);

/// The tuner of an opened device, shared by all its queues.
class KernelTuner {
public:
    enum class Mode : std::uint8_t { use, measure };
    struct Place {
        std::string device, driver, file;
        TrialDevice trials = {};
    };
    /// Throws DeviceError where the file does not fit. `library`: may be null, then `no_library`
    /// says why.
    KernelTuner(Mode mode, Place place, std::shared_ptr<BlasLibrary> library,
                std::string no_library);

    /// Each launch() takes the fastest variant that is known. `hopper`: the variant for compute
    /// capability 9.0 may be taken. `has_constant_a`: no kernel writes a.
    void launch(KernelRun& run, const ProductArgs& args, Arithmetic arithmetic, bool hopper,
                bool has_constant_a = false);
    /// Only for arguments that is_for_normalized_product() accepts.
    void launch(KernelRun& run, const NormalizeArgs& norm, const ProductArgs& args,
                Arithmetic arithmetic);
    void launch(KernelRun& run, const ConvolutionArgs& args, Arithmetic arithmetic);
    void launch(KernelRun& run, const AttentionArgs& args);
    /// "2 of 3 products as measured, 1 by cuBLASLt 13.0.0, 1 with the normalization before it; 4 of
    /// 4 convolutions and attentions as measured"
    std::string summary();

private:
    using Launch = std::function<void(KernelVariant)>;
    /// The fastest variant for the key, if it is known; otherwise it is measured with `trial`,
    /// which must not write its inputs. `usual`: the variant among `ways` that is taken where
    /// nothing is known. `constants` are those of the model that the arguments of trials hold.
    KernelVariant way_for(KernelRun& run, std::string key, std::span<const KernelVariant> ways,
                          KernelVariant usual, const Launch& trial,
                          std::span<const TrialConstant> constants = {});
    TuningTable::Entry measured(KernelRun& run, std::span<const KernelVariant> ways,
                                KernelVariant usual, const Launch& trial,
                                std::span<const TrialConstant> constants) const;
    bool takes(KernelVariant way, const ProductArgs& args, Arithmetic arithmetic, bool hopper);
    std::int64_t memory_bytes(const ProductArgs& args, Arithmetic arithmetic, HopperUse use);
    void launch_way(Queue& queue, KernelVariant way, ProductArgs args, Arithmetic arithmetic,
                    char* memory);

    const Mode mode_;
    const Place place_;
    std::shared_ptr<BlasLibrary> library_;
    const std::string no_library_;
    std::mutex mutex_;
    TuningTable table_;
    struct Use {
        KernelVariant way = KernelVariant::own;
        bool is_measured = false;
    };
    std::map<std::string, Use> used_;
};

/// As key_of() of a product, with "conv_" or "attention_" in front.
std::string key_of(const ConvolutionArgs& args, Arithmetic arithmetic);
std::string key_of(const AttentionArgs& args);

}  // namespace lapidary::cuda
