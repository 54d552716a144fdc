// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/held_out_rows.h"

#include <algorithm>
#include <cmath>

#include "quantize/calibration/visit_values.h"

namespace lapidary {
namespace {

constexpr std::size_t kept_of_sample = 8, kept_of_part = 32;

void widen(HeldOutRows::Part& part, const std::vector<float>& low, const std::vector<float>& high) {
    if (part.low.empty()) {
        part.low = low;
        part.high = high;
        return;
    }
    for (std::size_t c = 0; c < low.size(); ++c) {
        part.low[c] = std::min(part.low[c], low[c]);
        part.high[c] = std::max(part.high[c], high[c]);
    }
}

/// Only uses rows whose elements are finite. False: the number of channels differs from before.
bool add_rows(HeldOutRows::Part& part, const Tensor& tensor) {
    if (tensor.dtype() != DType::f32 || tensor.rank() == 0 || tensor.size() == 0) return true;
    const auto channels = static_cast<std::size_t>(tensor.shape().back());
    if (!part.low.empty() && part.low.size() != channels) return false;
    const auto data = tensor.data<float>();
    const std::size_t rows = data.size() / channels,
                      step = std::max<std::size_t>(1, rows / kept_of_sample);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto values = data.subspan(row * channels, channels);
        if (!std::ranges::all_of(values, [](float v) { return std::isfinite(v); })) continue;
        const std::vector<float> found(values.begin(), values.end());
        widen(part, found, found);
        if (row % step == 0 && part.rows.size() < kept_of_part * channels)
            part.rows.insert(part.rows.end(), found.begin(), found.end());
    }
    return true;
}

}  // namespace

std::vector<std::size_t> HeldOutRows::judging() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!parts[i].rows.empty()) found.push_back(i);
    if (found.size() < 2) found.clear();
    return found;
}

HeldOutRows::Part HeldOutRows::others(std::size_t part) const {
    Part all;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (i != part && !parts[i].low.empty()) widen(all, parts[i].low, parts[i].high);
    return all;
}

std::vector<HeldOutRows> hold_rows_out(const Model& model, const SampleSource& samples,
                                       std::size_t count, const std::vector<std::string>& names,
                                       int threads, const Progress& progress) {
    std::vector<HeldOutRows> found(names.size());
    std::vector<bool> differs(names.size(), false);
    std::size_t seen = 0;
    visit_values(
        model, samples, names, threads, {progress.cancel, {}}, [&] { return seen < count; },
        [&](const SeenValues& values) {
            const std::size_t part = seen++ % evaluation_period;
            for (std::size_t i = 0; i < names.size(); ++i)
                if (const Tensor* const tensor = values.find(names[i]); tensor && !differs[i])
                    differs[i] = !add_rows(found[i].parts[part], *tensor);
        });
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& parts = found[i].parts;
        for (const HeldOutRows::Part& part : parts)
            differs[i] =
                differs[i] || (!part.low.empty() && part.low.size() != parts[0].low.size());
        if (differs[i]) found[i] = {};
    }
    return found;
}

}  // namespace lapidary
