// SPDX-License-Identifier: Apache-2.0
// Which of several ways computes a product fastest, measured on the device when asked for (option `tune`) and kept in a
// file by device and driver.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "blas_library.h"
#include "node_kernel.h"

namespace lapidary::cuda {

enum class ProductWay : std::uint8_t {
    own,      // launch_product(), split where split_of() says so
    unsplit,  // launch_product() in one part
    hopper,   // launch_hopper_product()
    library   // BlasLibrary, then the epilogue
};
const char* name_of(ProductWay way);

/// What was measured, by key_of() of the product; a text file.
class TuningTable {
public:
    struct Entry {
        ProductWay way = ProductWay::own;
        double microseconds = 0;  // of one launch
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
class ProductTuner {
public:
    enum class Mode : std::uint8_t { use, measure };
    struct Place {
        std::string device, driver, file;
    };
    /// Throws DeviceError where the file does not fit. `library`: may be null, then `no_library` says why.
    ProductTuner(Mode mode, Place place, std::shared_ptr<BlasLibrary> library, std::string no_library);

    /// Computes the product in the way that is fastest as far as is known. `hopper`: that way may be taken.
    void launch(KernelRun& run, const ProductArgs& args, Arithmetic arithmetic, bool hopper);
    /// "2 of 3 products by cuBLASLt 13.0.0, as measured"
    std::string summary();

private:
    bool takes(ProductWay way, const ProductArgs& args, Arithmetic arithmetic, bool hopper);
    std::int64_t memory_bytes(const ProductArgs& args, Arithmetic arithmetic);
    void launch_way(Queue& queue, ProductWay way, ProductArgs args, Arithmetic arithmetic, char* memory);
    ProductWay measured(KernelRun& run, const std::string& key, const ProductArgs& args, Arithmetic arithmetic,
                        bool hopper, char* memory);

    const Mode mode_;
    const Place place_;
    std::shared_ptr<BlasLibrary> library_;
    const std::string no_library_;
    std::mutex mutex_;
    TuningTable table_;
    std::map<std::string, ProductWay> used_;
};

}  // namespace lapidary::cuda
