// SPDX-License-Identifier: Apache-2.0
// A provider for tests of split runs: it runs the CPU's kernels on memory that only its own kernels
// and copies can access, so that a forgotten copy crashes the program. Delays of kernels and copies
// differ from node to node and are the same each time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "exec/provider.h"

namespace lapidary::test {

class SecondProvider final : public DeviceProvider {
public:
    /// Decides about nodes for which the CPU has a kernel.
    using Rule = std::function<Claim(const KernelRequest& request)>;
    struct Costs {
        double copy_ns = 0;  // each copy
        double copy_ns_per_byte = 0;
    };
    struct Counts {
        // blocks: the number that exist now
        std::atomic<std::int64_t> kernels{0}, to_device{0}, to_host{0}, bytes{0}, blocks{0};
        // number of blocks and queues made so far
        std::atomic<std::int64_t> made{0}, queues{0};
        std::atomic<std::int64_t> repeats{0};  // repeats of all kernels of a run at once
        // requested bytes of blocks: now, and the most so far
        std::atomic<std::int64_t> held{0}, peak{0};
    };

    explicit SecondProvider(Rule rule, std::string name = "second")
        : rule_(std::move(rule)), name_(std::move(name)) {}
    SecondProvider(Rule rule, Costs costs)
        : rule_(std::move(rule)), name_("second"), costs_(costs) {}

    const std::string& name() const override { return name_; }
    Claim claim(const KernelRequest& request) const override;
    DeviceKernelChoice make_device_kernel(const KernelRequest& request) const override;
    double copy_ns(CopyDirection, std::uint64_t bytes) const override {
        return costs_.copy_ns + costs_.copy_ns_per_byte * static_cast<double>(bytes);
    }
    std::shared_ptr<DeviceBlock> allocate(std::uint64_t bytes) const override;
    std::unique_ptr<DeviceQueue> make_queue() const override;

    /// Lets sessions repeat the kernels of its queues. For models whose shapes follow from input
    /// shapes and host values only. Call it before sessions are made.
    void offer_repeats() { offers_repeats_ = true; }
    Counts& counts() const { return *counts_; }

private:
    Rule rule_;
    std::string name_;
    Costs costs_;
    bool offers_repeats_ = false;
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

/// A rule that takes the nodes for which `takes` is true, with a gain larger than the cost of all
/// copies.
SecondProvider::Rule rule_of(std::function<bool(const Node&)> takes,
                             std::string refusal = "the rule leaves it out");

}  // namespace lapidary::test
