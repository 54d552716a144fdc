// SPDX-License-Identifier: Apache-2.0
// The objects behind the handles of the plugin interface, and how its functions report errors.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "device_error.h"
#include "kernel_tuner.h"
#include "node_kernel.h"
#include "replay.h"
#include "runtime.h"

struct LpDevice_ {
    const LpHost* host;
    std::uint32_t index;
    lapidary::cuda::Precision precision = lapidary::cuda::Precision::exact;
    std::uint32_t order = 0;
    bool has_graphs = true, overlaps = false, meets = true,
         takes_all = lapidary::cuda::runtime::takes_all;
    lapidary::cuda::HopperUse hopper = lapidary::cuda::HopperUse::none;
    bool clusters = false;
    std::shared_ptr<lapidary::cuda::KernelTuner> tuner;  // null: products are not tuned
    std::string peaks_file;                              // empty: they are not kept
    std::mutex mutex;                                    // of what follows
    std::vector<std::string> nodes;                      // by number, for faults
    std::vector<LpRate> rates;                           // empty: not measured yet
    double gb_per_s = 0;
};

struct LpQueue_ {
    LpDevice device;
    std::unique_ptr<lapidary::cuda::runtime::Stream> stream;
    std::mutex mutex;  // of what follows
    std::unique_ptr<lapidary::cuda::RunReplay> replay;
    // queued: calls that queued work; done: how many of them are known to be complete
    std::uint64_t queued = 0, done = 0;
    std::string note;
};

struct LpKernel_ {
    std::shared_ptr<const lapidary::cuda::KernelOfNode> kernel;
};

struct LpCalls_ {
    lapidary::cuda::RunReplay::Calls calls;
};

namespace lapidary::cuda {

/// Calls `body` and returns its code. Of an exception it returns the code and puts the message into
/// `error`.
template <typename Body>
std::int32_t answer(LpError* error, const Body& body) noexcept {
    const auto say = [&](std::int32_t code, const char* text, std::int32_t native) {
        error->native = native;
        std::snprintf(error->text, sizeof(error->text), "%s", text);
        return code;
    };
    try {
        body();
        return LP_OK;
    } catch (const Refusal& r) {
        return say(LP_UNSUPPORTED, r.what(), 0);
    } catch (const DeviceError& e) {
        return say(e.code(), e.what(), e.native());
    } catch (const std::bad_alloc&) {
        return say(LP_OUT_OF_MEMORY, "the host has no memory left", 0);
    } catch (const std::exception& e) { return say(LP_INTERNAL, e.what(), 0); }
}

/// Adds the functions for queues, runs and calls.
void add_queue_functions(LpProvider& provider);

}  // namespace lapidary::cuda
