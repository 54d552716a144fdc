// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/device_bytes.h"

namespace lapidary::app {

// Bindings to all members: a new one has to be added before this compiles.
void write_device_peaks(ByteWriter& out, const std::vector<DevicePeak>& peaks) {
    out.number(std::uint64_t(peaks.size()));
    for (const DevicePeak& peak : peaks) {
        const auto& [provider, gb_per_s, arithmetic, problem] = peak;
        out.text(provider);
        out.number(gb_per_s);
        out.number(std::uint64_t(arithmetic.size()));
        for (const ArithmeticPeak& kind : arithmetic) {
            const auto& [name, gops, product_types, is_of_others] = kind;
            out.text(name);
            out.number(gops);
            out.number(std::uint64_t(product_types.size()));
            for (const DType type : product_types) out.number(std::int32_t(type));
            out.number(std::uint8_t(is_of_others));
        }
        out.text(problem);
    }
}

std::vector<DevicePeak> read_device_peaks(ByteReader& in) {
    std::vector<DevicePeak> peaks;
    for (std::size_t n = in.count(); n > 0; --n) {
        DevicePeak& peak = peaks.emplace_back();
        peak.provider = in.text();
        peak.gb_per_s = in.number<double>();
        for (std::size_t kinds = in.count(); kinds > 0; --kinds) {
            ArithmeticPeak& kind = peak.arithmetic.emplace_back();
            kind.name = in.text();
            kind.gops = in.number<double>();
            for (std::size_t types = in.count(); types > 0; --types) {
                const auto type = in.number<std::int32_t>();
                if (!is_known_dtype(type)) ByteReader::broken();
                kind.product_types.push_back(static_cast<DType>(type));
            }
            kind.is_of_others = in.number<std::uint8_t>() != 0;
        }
        peak.problem = in.text();
    }
    return peaks;
}

void write_lowered(ByteWriter& out, const std::optional<LoweredPrecision>& lowered) {
    out.number(std::uint8_t(lowered.has_value()));
    if (!lowered) return;
    const auto& [by, outputs, problem] = *lowered;
    out.number(std::uint64_t(by.size()));
    for (const auto& [precision, provider] : by) {
        out.text(precision);
        out.text(provider);
    }
    out.text(problem);
    out.number(std::uint64_t(outputs.size()));
    for (const LoweredOutput& output : outputs) {
        const auto& [name, is_float, comparison] = output;
        const auto& [matches, reason, elements, mismatches, max_abs, max_rel, magnitude, sqnr_db,
                     cosine] = comparison;
        out.text(name);
        out.text(reason);
        out.number(std::uint8_t(is_float));
        out.number(std::uint8_t(matches));
        for (const std::int64_t count : {elements, mismatches}) out.number(count);
        for (const double figure : {max_abs, max_rel, magnitude, sqnr_db, cosine})
            out.number(figure);
    }
}

std::optional<LoweredPrecision> read_lowered(ByteReader& in) {
    if (in.number<std::uint8_t>() == 0) return std::nullopt;
    LoweredPrecision lowered;
    for (std::size_t n = in.count(); n > 0; --n) {
        LoweredBy& by = lowered.by.emplace_back();
        by.precision = in.text();
        by.provider = in.text();
    }
    lowered.problem = in.text();
    for (std::size_t n = in.count(); n > 0; --n) {
        LoweredOutput& output = lowered.outputs.emplace_back();
        Comparison& c = output.comparison;
        output.name = in.text();
        c.reason = in.text();
        output.is_float = in.number<std::uint8_t>() != 0;
        c.matches = in.number<std::uint8_t>() != 0;
        for (std::int64_t* count : {&c.elements, &c.mismatches}) *count = in.number<std::int64_t>();
        for (double* figure : {&c.max_abs, &c.max_rel, &c.magnitude, &c.sqnr_db, &c.cosine})
            *figure = in.number<double>();
    }
    return lowered;
}

}  // namespace lapidary::app
