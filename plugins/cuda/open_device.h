// SPDX-License-Identifier: Apache-2.0
// What the handles of the interface stand for, and how its functions answer.
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
    std::vector<LpRate> rates;                           // empty: not asked for yet
    double gb_per_s = 0;
};

struct LpQueue_ {
    LpDevice device;
    std::unique_ptr<lapidary::cuda::runtime::Stream> stream;
    std::mutex mutex;  // of what follows
    std::unique_ptr<lapidary::cuda::RunReplay> replay;
    // calls that queue work, and those of them that are known to be done
    std::uint64_t asked = 0, done = 0;
    std::string note;
};

struct LpKernel_ {
    std::shared_ptr<const lapidary::cuda::KernelOfNode> kernel;
};

struct LpCalls_ {
    lapidary::cuda::RunReplay::Calls calls;
};

namespace lapidary::cuda {

/// The code of what `body` throws, whose sentence goes to `error`.
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

/// Those of queues, runs and calls.
void add_queue_functions(LpProvider& provider);

}  // namespace lapidary::cuda
