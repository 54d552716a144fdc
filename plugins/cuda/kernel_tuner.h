// SPDX-License-Identifier: Apache-2.0
// Which of several ways computes a product, a convolution or an attention fastest, measured on the device when asked
// for (option `tune`) and kept in a file by device and driver.
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
#include "kernels/attention.h"
#include "kernels/convolution.h"
#include "node_kernel.h"

namespace lapidary::cuda {

enum class KernelWay : std::uint8_t {
    own,      // the portable kernel, split where split_of() says so
    unsplit,  // in one part
    hopper,   // launch_hopper_product()
    library,  // BlasLibrary, then the epilogue
    fewer,    // split into half as many parts as split_of() says, or into 2 where it says 1
    more      // into twice as many, or into 4
};
const char* name_of(KernelWay way);

/// What was measured, by key_of() of the arguments; a text file.
class TuningTable {
public:
    struct Entry {
        KernelWay way = KernelWay::own;
        double microseconds = 0;  // of one launch
        std::vector<std::pair<KernelWay, double>> slower = {};  // the other ways, for whoever reads the file
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    /// `blas`: name of the library that was measured too, or empty.
    TuningTable(std::string device, std::string driver, std::string blas)
        : device_(std::move(device)), driver_(std::move(driver)), blas_(std::move(blas)) {}
    /// Reads the file, where there is one. Throws DeviceError saying why it does not fit: another device, driver or
    /// library, another version, a line that is wrong.
    void load(const std::string& path);
    /// Whole or not at all. Throws DeviceError.
    void save(const std::string& path) const;
    const Entry* find(const std::string& key) const;
    void add(const std::string& key, const Entry& entry) { entries_[key] = entry; }
    const std::map<std::string, Entry>& entries() const { return entries_; }

private:
    std::string device_, driver_, blas_;
    std::map<std::string, Entry> entries_;
};

/// "$XDG_CACHE_HOME/lapidary/cuda-NVIDIA_H200-CUDA_13.0.tuning", below ~/.cache where that is not set.
std::string usual_tuning_file(const std::string& device, const std::string& driver);

/// Of an opened device, for all its queues.
class KernelTuner {
public:
    enum class Mode : std::uint8_t { use, measure };
    struct Place {
        std::string device, driver, file;
    };
    /// Throws DeviceError where the file does not fit. `library`: may be null, then `no_library` says why.
    KernelTuner(Mode mode, Place place, std::shared_ptr<BlasLibrary> library, std::string no_library);

    /// Each computes it in the way that is fastest as far as is known. `hopper`: that way may be taken.
    void launch(KernelRun& run, const ProductArgs& args, Arithmetic arithmetic, bool hopper);
    void launch(KernelRun& run, const ConvolutionArgs& args, Arithmetic arithmetic);
    void launch(KernelRun& run, const AttentionArgs& args);
    /// "2 of 3 products as measured, 1 by cuBLASLt 13.0.0; 4 of 4 convolutions and attentions as measured"
    std::string summary();

private:
    using Launch = std::function<void(KernelWay)>;
    /// The way that is known for the key, or that is measured with `trial`, which must not write what is read.
    KernelWay way_for(KernelRun& run, const std::string& key, std::span<const KernelWay> ways, KernelWay otherwise,
                      const Launch& trial);
    TuningTable::Entry measured(KernelRun& run, std::span<const KernelWay> ways, const Launch& trial);
    bool takes(KernelWay way, const ProductArgs& args, Arithmetic arithmetic, bool hopper);
    std::int64_t memory_bytes(const ProductArgs& args, Arithmetic arithmetic, HopperUse use);
    void launch_way(Queue& queue, KernelWay way, ProductArgs args, Arithmetic arithmetic, char* memory);

    const Mode mode_;
    const Place place_;
    std::shared_ptr<BlasLibrary> library_;
    const std::string no_library_;
    std::mutex mutex_;
    TuningTable table_;
    std::map<std::string, KernelWay> used_;
};

/// As key_of() of a product, with "conv_" or "attention_" in front.
std::string key_of(const ConvolutionArgs& args, Arithmetic arithmetic);
std::string key_of(const AttentionArgs& args);

}  // namespace lapidary::cuda
