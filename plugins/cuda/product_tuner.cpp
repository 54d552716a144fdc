// SPDX-License-Identifier: Apache-2.0
#include "product_tuner.h"

#include <algorithm>
#include <chrono>

#include "kernels/hopper/product.h"

namespace lapidary::cuda {
namespace {

constexpr int launches = 3, rounds = 3;  // launches are timed together, behind one that is not; the least round counts

std::int64_t in_pieces(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }

std::int64_t elements_of(const ProductArgs& args) { return static_cast<std::int64_t>(args.batch) * args.m * args.n; }

}  // namespace

ProductTuner::ProductTuner(Mode mode, Place place, std::shared_ptr<BlasLibrary> library, std::string no_library)
    : mode_(mode), place_(std::move(place)), library_(std::move(library)), no_library_(std::move(no_library)),
      table_(place_.device, place_.driver, library_ ? library_->name() : "") {
    table_.load(place_.file);
}

bool ProductTuner::takes(ProductWay way, const ProductArgs& args, Arithmetic arithmetic, bool hopper) {
    switch (way) {
    case ProductWay::unsplit: return split_of(args, arithmetic).parts > 1;
    case ProductWay::hopper: return hopper;
    case ProductWay::library: return library_ && library_->refusal(args, arithmetic).empty();
    default: return true;
    }
}

/// The same for all ways, so that equal runs ask for equal memory whatever was found out in between: sums of parts or
/// of the library, what the library works with, and a result to measure with.
std::int64_t ProductTuner::memory_bytes(const ProductArgs& args, Arithmetic arithmetic) {
    const std::int64_t sums = std::max(split_of(args, arithmetic).partial_bytes, 4 * elements_of(args));
    const std::int64_t of_library = library_ ? library_->workspace_bytes(args, arithmetic) : 0;
    return in_pieces(sums) + in_pieces(of_library) + elements_of(args) * bytes_of(args.type);
}

void ProductTuner::launch_way(Queue& queue, ProductWay way, ProductArgs args, Arithmetic arithmetic, char* memory) {
    auto* const sums = reinterpret_cast<float*>(memory);
    const ProductSplit split = split_of(args, arithmetic);
    const std::int64_t of_sums = in_pieces(std::max(split.partial_bytes, 4 * elements_of(args)));
    switch (way) {
    case ProductWay::hopper: return launch_hopper_product(queue, args);
    case ProductWay::library:
        library_->multiply(queue, args, arithmetic, sums, memory + of_sums);
        args.partial = sums;
        return launch_epilogue(queue, args);
    case ProductWay::own:
        args.parts = split.parts;
        args.part_depth = split.part_depth;
        args.partial = sums;
        break;
    default: break;
    }
    launch_product(queue, args, arithmetic);
}

ProductWay ProductTuner::measured(KernelRun& run, const std::string& key, const ProductArgs& args,
                                  Arithmetic arithmetic, bool hopper, char* memory) {
    using Clock = std::chrono::steady_clock;
    ProductArgs trial = args;  // the result may take the memory of the residual
    trial.y = memory + memory_bytes(args, arithmetic) - elements_of(args) * bytes_of(args.type);
    TuningTable::Entry best;
    bool is_first = true;
    for (ProductWay way : {ProductWay::own, ProductWay::unsplit, ProductWay::hopper, ProductWay::library}) {
        if (!takes(way, args, arithmetic, hopper)) continue;
        launch_way(run.queue(), way, trial, arithmetic, memory);
        for (int round = 0; round < rounds; ++round) {
            run.stream().wait();
            const auto begin = Clock::now();
            for (int i = 0; i < launches; ++i) launch_way(run.queue(), way, trial, arithmetic, memory);
            run.stream().wait();
            const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
            if (is_first || took.count() / launches < best.microseconds) best = {way, took.count() / launches};
            is_first = false;
        }
    }
    table_.add(key, best);
    table_.save(place_.file);
    return best.way;
}

void ProductTuner::launch(KernelRun& run, const ProductArgs& args, Arithmetic arithmetic, bool hopper) {
    if (elements_of(args) == 0) return;
    auto* const memory = static_cast<char*>(run.scratch(memory_bytes(args, arithmetic)));
    const std::string key = key_of(args, arithmetic);
    ProductWay way = hopper ? ProductWay::hopper : ProductWay::own;
    {
        const std::lock_guard lock(mutex_);
        const TuningTable::Entry* const known = table_.find(key);
        if (known) way = known->way;
        else if (mode_ == Mode::measure) way = measured(run, key, args, arithmetic, hopper, memory);
        if (!takes(way, args, arithmetic, hopper)) way = ProductWay::own;
        used_[key] = way;
    }
    launch_way(run.queue(), way, args, arithmetic, memory);
}

std::string ProductTuner::summary() {
    const std::lock_guard lock(mutex_);
    std::size_t of_library = 0, known = 0;
    for (const auto& [key, way] : used_) {
        of_library += way == ProductWay::library ? 1 : 0;
        known += table_.find(key) ? 1 : 0;
    }
    const std::string products = std::to_string(used_.size()) + (used_.size() == 1 ? " product" : " products");
    std::string text = std::to_string(known) + " of " + products + " as measured, ";
    if (!library_) return text + "cuBLASLt is not used: " + no_library_;
    return text + std::to_string(of_library) + " by " + library_->name();
}

}  // namespace lapidary::cuda
