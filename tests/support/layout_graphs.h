// SPDX-License-Identifier: Apache-2.0
// Generated inputs for layout tests: shapes that exported models have, and ones that they do not.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <lapidary/graph/layered_layout.h>

namespace lapidary {

class LayoutGraph {
public:
    using Id = std::uint32_t;
    Id add(std::initializer_list<Id> inputs, float width = 90) {
        return add(std::vector<Id>(inputs), width);
    }
    Id add(const std::vector<Id>& inputs, float width = 90) {
        const Id id = static_cast<Id>(input.boxes.size());
        input.boxes.push_back({width, 26});
        input.edges.push_back({id, 0.5f, {}});
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            input.edges[inputs[i]].targets.push_back(
                {id, static_cast<float>(i + 1) / static_cast<float>(inputs.size() + 1)});
        }
        return id;
    }
    Id chain(Id from, int length) {
        for (int i = 0; i < length; ++i) from = add({from}, i % 3 == 0 ? 60.0f : 90.0f);
        return from;
    }
    std::size_t size() const { return input.boxes.size(); }
    LayoutInput input;
};

/// Bottleneck blocks with skip connections.
inline LayoutInput resnet_shape(std::size_t nodes) {
    LayoutGraph g;
    auto x = g.chain(g.add({}), 3);
    for (int block = 0; g.size() < nodes; ++block) {
        const auto branch = g.chain(x, 8);
        const auto skip = block % 4 == 0 ? g.chain(x, 2) : x;
        x = g.add({g.add({branch, skip})});
    }
    return g.input;
}

/// Attention and feed-forward layers with shape arithmetic, residuals and one mask that every layer
/// reads.
inline LayoutInput transformer_shape(std::size_t nodes) {
    LayoutGraph g;
    const auto mask = g.chain(g.add({}), 4);
    auto x = g.add({g.add({})});
    auto normalize = [&](LayoutGraph::Id v) {
        const auto mean = g.add({v});
        const auto centred = g.add({v, mean});
        const auto deviation = g.chain(centred, 4);
        return g.chain(g.add({centred, deviation}), 2);
    };
    while (g.size() < nodes) {
        const auto h = normalize(x);
        std::vector<LayoutGraph::Id> heads;
        for (int i = 0; i < 3; ++i) {
            const auto dense = g.chain(h, 2);
            const auto shape = g.add({g.chain(dense, 3), g.chain(dense, 3)});
            heads.push_back(g.add({g.add({dense, shape})}));
        }
        const auto scores = g.add({g.add({g.add({heads[0], heads[1]}), mask})});
        const auto mixed = g.add({scores, heads[2]});
        x = g.add({x, g.chain(mixed, 4)});
        const auto f = g.chain(normalize(x), 2);
        x = g.add({x, g.chain(g.add({f, g.chain(f, 4)}), 3)});
    }
    return g.input;
}

/// Every layer of a block reads all earlier layers of the block.
inline LayoutInput dense_shape(std::size_t nodes, int wide = 24) {
    LayoutGraph g;
    auto x = g.add({});
    while (g.size() < nodes) {
        std::vector<LayoutGraph::Id> outputs{x};
        for (int i = 0; i < wide && g.size() < nodes; ++i)
            outputs.push_back(g.chain(g.add(outputs), 6));
        x = g.add({g.add(outputs)});
    }
    return g.input;
}

inline LayoutInput chain_shape(std::size_t nodes) {
    LayoutGraph g;
    g.chain(g.add({}), static_cast<int>(nodes) - 1);
    return g.input;
}

/// Each node reads one or two of the `window` nodes before it.
inline LayoutInput random_shape(std::size_t nodes, unsigned seed, int window = 40) {
    LayoutGraph g;
    std::mt19937 random(seed);
    g.add({});
    while (g.size() < nodes) {
        const int n = static_cast<int>(g.size());
        auto pick = [&] {
            return static_cast<LayoutGraph::Id>(
                std::max(0, n - 1 - static_cast<int>(random() % static_cast<unsigned>(window))));
        };
        const float width = 40.0f + static_cast<float>(random() % 100);
        if (random() % 3 == 0) g.add({pick()}, width);
        else g.add({pick(), pick()}, width);
    }
    return g.input;
}

}  // namespace lapidary
