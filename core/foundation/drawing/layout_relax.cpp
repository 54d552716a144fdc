// SPDX-License-Identifier: Apache-2.0
// Positions by relaxation: every row in turn moves as close as it can to where its neighbours pull
// it, which is a monotone regression because order and distances are kept.
#include <algorithm>

#include "drawing/layout_stages.h"

namespace lapidary::layout {
namespace {

/// Straight lines matter more the longer they are: bends pull hard.
float pull(const Layers& layers, Index a, Index b) {
    const int bends = (layers.is_bend(a) ? 1 : 0) + (layers.is_bend(b) ? 1 : 0);
    return bends == 2 ? 8.0f : bends == 1 ? 2.0f : 1.0f;
}

class RowFitter {
public:
    RowFitter(Layers& layers, const LayoutOptions& options, float total_width)
        : layers_(layers), options_(options), totalWidth_(total_width) {}

    /// Least weighted squares to `wanted` with kept order, kept distances and inside [0,
    /// total_width].
    void fit(const std::vector<Index>& row, const std::vector<float>& wanted,
             const std::vector<float>& weight) {
        offsets_.assign(row.size(), 0);
        for (std::size_t i = 1; i < row.size(); ++i) {
            offsets_[i] = offsets_[i - 1] + layers_.separation(row[i - 1], row[i], options_);
        }
        pools_.clear();
        for (std::size_t i = 0; i < row.size(); ++i) {
            pools_.push_back(
                {static_cast<double>(wanted[i] - offsets_[i]) * weight[i], weight[i], i + 1});
            while (pools_.size() > 1 && pools_[pools_.size() - 2].mean() >= pools_.back().mean()) {
                const Pool last = pools_.back();
                pools_.pop_back();
                pools_.back().sum += last.sum;
                pools_.back().weight += last.weight;
                pools_.back().end = last.end;
            }
        }
        const float low = layers_.width[row.front()] / 2;
        const float high =
            std::max(low, totalWidth_ - layers_.width[row.back()] / 2 - offsets_.back());
        std::size_t i = 0;
        for (const Pool& pool : pools_) {
            const float base = std::clamp(static_cast<float>(pool.mean()), low, high);
            for (; i < pool.end; ++i) layers_.x[row[i]] = base + offsets_[i];
        }
    }

private:
    struct Pool {
        double sum, weight;
        std::size_t end;
        double mean() const { return sum / weight; }
    };
    Layers& layers_;
    const LayoutOptions& options_;
    float totalWidth_;
    std::vector<float> offsets_;
    std::vector<Pool> pools_;
};

}  // namespace

void relax_coordinates(Layers& layers, const LayoutOptions& options, float total_width) {
    RowFitter fitter(layers, options, total_width);
    std::vector<float> wanted, weight;
    layers.x.assign(layers.size(), total_width / 2);
    for (const auto& row : layers.rows) {
        if (row.empty()) continue;
        wanted.assign(row.size(), total_width / 2);
        weight.assign(row.size(), 1);
        fitter.fit(row, wanted, weight);
    }
    constexpr int passes = 12;
    for (int pass = 0; pass < passes; ++pass) {
        options.cancel.throw_if_cancelled();
        const bool downwards = pass % 2 == 0, both = pass >= passes / 2;
        for (std::size_t q = 0; q < layers.rows.size(); ++q) {
            const auto& row = layers.rows[downwards ? q : layers.rows.size() - 1 - q];
            if (row.empty()) continue;
            wanted.clear();
            weight.clear();
            for (Index v : row) {
                float sum = 0, total = 0;
                auto add = [&](const Adjacency& neighbours) {
                    for (const Neighbour& n : neighbours.of(v)) {
                        const float w = pull(layers, v, n.vertex);
                        sum += w * (layers.x[n.vertex] + (n.port - 0.5f) * layers.width[n.vertex]);
                        total += w;
                    }
                };
                if (downwards || both) add(layers.up);
                if (!downwards || both) add(layers.down);
                wanted.push_back(total > 0 ? sum / total : layers.x[v]);
                weight.push_back(total > 0 ? total : 0.1f);
            }
            fitter.fit(row, wanted, weight);
        }
    }
}

}  // namespace lapidary::layout
