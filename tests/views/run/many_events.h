// SPDX-License-Identifier: Apache-2.0
// A recording of any number of events.
#pragma once

#include <memory>
#include <string>

#include <lapidary/profile/profile.h>

namespace lapidary::views {

/// Runs of 1000 kernels, each with ranges on three workers: `events` spans in all, in time order.
inline std::shared_ptr<Profile> manyEvents(std::size_t events) {
    auto profile = std::make_shared<Profile>();
    profile->threads = 4;
    const char* const ops[] = {"Conv", "MatMul", "Add", "Softmax", "Transpose"};
    profile->kernels.reserve(events / 4 + 1000);
    profile->ranges.reserve(events * 3 / 4 + 3000);
    std::int64_t time = 0;
    while (profile->kernels.size() + profile->ranges.size() < events) {
        Span run;
        run.kind = EventKind::run;
        run.label = profile->labels.add({.name = "run"});
        run.run = int(profile->run_spans.size());
        run.begin_ns = time;
        for (int node = 0; node < 1000; ++node) {
            Span kernel;
            kernel.label =
                profile->labels.add({.name = "node" + std::to_string(node), .op = ops[node % 5]});
            kernel.node = NodeId(std::uint32_t(node));
            kernel.run = run.run;
            kernel.begin_ns = time;
            time += 2000 + node % 17 * 300;
            kernel.end_ns = time;
            for (int thread = 1; thread <= 3; ++thread) {
                Span& range = profile->ranges.emplace_back(kernel);
                range.kind = EventKind::range;
                range.thread = thread;
                range.begin_ns += 200 * thread;
                range.end_ns -= 100 * (node % 7);
            }
            profile->kernels.push_back(kernel);
            time += 50;
        }
        run.end_ns = time;
        profile->run_spans.push_back(run);
        time += 5000;
    }
    profile->runs = int(profile->run_spans.size());
    return profile;
}

}  // namespace lapidary::views
