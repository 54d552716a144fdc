// SPDX-License-Identifier: Apache-2.0
#include "kernel_tuner.h"

#include <algorithm>
#include <vector>

#include "kernels/hopper/attention_clusters.h"
#include "kernels/hopper/product.h"
#include "kernels/hopper/window_clusters.h"
#include "tuning_choice.h"

namespace lapidary::cuda {
namespace {

constexpr KernelVariant split_ways[] = {KernelVariant::own, KernelVariant::unsplit,
                                        KernelVariant::fewer, KernelVariant::more};

std::int64_t in_pieces(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }

std::int64_t elements_of(const ProductArgs& args) {
    return static_cast<std::int64_t>(args.batch) * args.m * args.n;
}
std::int64_t elements_of(const ConvolutionArgs& args) {
    return static_cast<std::int64_t>(args.batch) * args.groups * args.filters *
           args.window.output[0] * args.window.output[1] * args.window.output[2];
}
std::int64_t elements_of(const AttentionArgs& args) {
    return static_cast<std::int64_t>(args.batch) * args.heads * args.queries * args.value_size;
}

/// Parts of a variant where split_of() suggests `own`.
std::int32_t parts_of(KernelVariant way, std::int32_t own) {
    switch (way) {
    case KernelVariant::unsplit: return 1;
    case KernelVariant::fewer: return own == 1 ? 2 : own / 2;
    case KernelVariant::more: return own == 1 ? 4 : own * 2;
    default: return own;
    }
}

/// A split into at most `parts` parts of whole `unit`s.
ProductSplit in_parts(std::int32_t parts, std::int32_t depth, std::int32_t unit,
                      std::int64_t bytes_of_part) {
    const std::int32_t of_part = (depth + parts - 1) / parts;
    ProductSplit split{1, depth, 0};
    if (parts == 1 || depth <= unit) return split;
    split.part_depth = (of_part + unit - 1) / unit * unit;
    split.parts = (depth + split.part_depth - 1) / split.part_depth;
    split.partial_bytes = split.parts == 1 ? 0 : split.parts * bytes_of_part;
    return split;
}

/// The distinct splits of the variants that differ by their split, in order.
struct SplitWays {
    std::vector<KernelVariant> ways;
    std::map<KernelVariant, ProductSplit> splits;
    std::int64_t partial_bytes = 0;  // of the largest

    SplitWays(const ProductSplit& own, bool can_split, std::int32_t depth, std::int32_t unit,
              std::int64_t bytes_of_part) {
        for (KernelVariant way : split_ways) {
            const ProductSplit split =
                way == KernelVariant::own
                    ? own
                    : in_parts(parts_of(way, own.parts), depth, unit, bytes_of_part);
            const bool is_known = std::ranges::any_of(
                splits, [&](const auto& s) { return s.second.parts == split.parts; });
            if (is_known || (split.parts > 1 && !can_split)) continue;
            ways.push_back(way);
            splits[way] = split;
            partial_bytes = std::max(partial_bytes, split.partial_bytes);
        }
    }
    /// Adds a variant that differs by more than its split.
    void add(KernelVariant way, const ProductSplit& split) {
        ways.push_back(way);
        splits[way] = split;
    }
    const ProductSplit& of(KernelVariant way) const {
        const auto found = splits.find(way);
        return found == splits.end() ? splits.at(KernelVariant::own) : found->second;
    }
};

class Key {
public:
    explicit Key(std::string text) : text_(std::move(text)) {}
    template <typename... Numbers>
    Key& add(Numbers... numbers) {
        ((text_ += "_" + std::to_string(numbers)), ...);
        return *this;
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

bool is_of_product(const std::string& key) {
    return !key.starts_with("conv_") && !key.starts_with("attention_");
}

}  // namespace

std::string key_of(const ConvolutionArgs& args, Arithmetic arithmetic) {
    Key key("conv_" + type_name(args.type) + (args.channels_last ? "_last" : ""));
    key.add(static_cast<int>(arithmetic), args.batch, args.groups, args.channels, args.filters);
    const Window& w = args.window;
    for (int axis = 0; axis < spatial_axes; ++axis)
        key.add(w.input[axis], w.output[axis], w.kernel[axis], w.stride[axis], w.dilation[axis],
                w.pad[axis]);
    return key.text();
}

std::string key_of(const AttentionArgs& args) {
    Key key("attention_" + (args.in_tf32 ? "tf32" : type_name(args.type)));
    key.add(args.batch, args.heads, args.key_heads, args.queries, args.keys, args.size,
            args.value_size);
    return key.add(args.is_causal ? 1 : 0, args.bias || args.allowed ? 1 : 0, args.k_strides.column)
        .text();
}

KernelTuner::KernelTuner(Mode mode, Place place, std::shared_ptr<BlasLibrary> library,
                         std::string no_library)
    : mode_(mode), place_(std::move(place)), library_(std::move(library)),
      no_library_(std::move(no_library)),
      table_(place_.device, place_.driver, library_ ? library_->name() : "") {
    table_.load(place_.file);
}

TuningTable::Entry KernelTuner::measured(KernelRun& run, std::span<const KernelVariant> ways,
                                         KernelVariant usual, const Launch& trial,
                                         std::span<const TrialConstant> constants) const {
    const TrialTimes times = times_of_ways(run.stream(), place_.trials, constants, ways.size(),
                                           [&](std::size_t way) { trial(ways[way]); });
    const auto at = static_cast<std::size_t>(std::ranges::find(ways, usual) - ways.begin());
    const std::size_t chosen = chosen_way(times.rounds, at);
    TuningTable::Entry entry;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const double median = quartiles_of(times.rounds[i]).median;
        if (i == chosen) entry.way = ways[i], entry.microseconds = median;
        else entry.others.emplace_back(ways[i], median);
    }
    std::ranges::stable_sort(entry.others, {}, &std::pair<KernelVariant, double>::second);
    entry.copies = times.copies;
    entry.wanted_copies = times.wanted_copies;
    return entry;
}

KernelVariant KernelTuner::way_for(KernelRun& run, std::string key,
                                   std::span<const KernelVariant> ways, KernelVariant usual,
                                   const Launch& trial, std::span<const TrialConstant> constants) {
    if (!run.queue().overlaps) key += "_apart";
    const std::lock_guard lock(mutex_);
    KernelVariant way = usual;
    const TuningTable::Entry* const known = table_.find(key);
    // without `usual` in it, the entry is incomplete: it was not measured against the usual variant
    const bool is_known = known && known->has(usual);
    if (is_known) {
        way = known->way;
    } else if (mode_ == Mode::measure) {
        const TuningTable::Entry found = measured(run, ways, usual, trial, constants);
        table_.load(place_.file);  // keeps what other processes wrote meanwhile
        table_.add(key, found);
        table_.save(place_.file);
        way = found.way;
    }
    if (std::ranges::find(ways, way) == ways.end()) way = usual;
    used_[key] = {way, is_known || mode_ == Mode::measure};
    return way;
}

namespace {

/// key_of() and what else affects which variant is fastest: an epilogue costs cuBLASLt another
/// launch, and constants can be read early.
std::string tuning_key_of(const ProductArgs& args, Arithmetic arithmetic, bool has_constant_a) {
    return key_of(args, arithmetic) + (has_plain_epilogue(args) ? "" : "_epilogue") +
           (has_constant_a || args.has_constant_b ? "_constant" : "");
}

/// Bytes from the first element that is read to the last.
std::int64_t operand_bytes(const ProductArgs& args, std::int64_t row_extent,
                           std::int64_t column_extent, const std::int32_t (&batch)[batch_axes]) {
    std::int64_t elements = row_extent + column_extent + 1;
    for (int axis = 0; axis < args.batch_rank; ++axis)
        elements += (args.batch_dims[axis] - std::int64_t{1}) * batch[axis];
    return elements * bytes_of(args.type);
}

/// The constants of the model that the product reads.
std::vector<TrialConstant> constants_of(ProductArgs& args, bool has_constant_a) {
    std::vector<TrialConstant> constants;
    if (args.k == 0) return constants;
    const std::int64_t m = args.m - 1, n = args.n - 1, k = args.k - 1;
    const Epilogue& e = args.epilogue;
    if (has_constant_a)
        constants.push_back(
            {&args.a, operand_bytes(args, m * args.a_row, k * args.a_column, args.a_batch)});
    if (args.has_constant_b)
        constants.push_back(
            {&args.b, operand_bytes(args, k * args.b_row, n * args.b_column, args.b_batch)});
    if (args.has_constant_bias)
        constants.push_back(
            {&args.epilogue.bias, (m * e.bias_row + n * e.bias_column + 1) * bytes_of(args.type)});
    return constants;
}

std::int64_t weight_bytes_of(const ConvolutionArgs& args) {
    std::int64_t elements = std::int64_t{args.groups} * args.filters * args.channels;
    for (std::int32_t taps : args.window.kernel) elements *= taps;
    return elements * bytes_of(args.type);
}

/// Bytes of sums: those of the parts of a variant, or the library's result.
std::int64_t bytes_of_sums(const ProductArgs& args, Arithmetic arithmetic, HopperUse use) {
    const bool may_be_hopper =
        use != HopperUse::none && hopper_refusal(args, arithmetic) == nullptr;
    const std::int64_t of_hopper = may_be_hopper ? hopper_split(args, use).partial_bytes : 0;
    return in_pieces(
        std::max({split_of(args, arithmetic).partial_bytes, of_hopper, 4 * elements_of(args)}));
}

}  // namespace

bool KernelTuner::takes(KernelVariant way, const ProductArgs& args, Arithmetic arithmetic,
                        bool hopper) {
    switch (way) {
    case KernelVariant::unsplit: return split_of(args, arithmetic).parts > 1;
    case KernelVariant::hopper: return hopper;
    case KernelVariant::library: return library_ && library_->refusal(args, arithmetic).empty();
    default: return way == KernelVariant::own;
    }
}

/// Working memory, the same for all variants, so that equal runs request equal memory even if a
/// variant was chosen in between. It holds sums of parts or of the library, the library's
/// workspace, and a result for measurements.
std::int64_t KernelTuner::memory_bytes(const ProductArgs& args, Arithmetic arithmetic,
                                       HopperUse use) {
    const std::int64_t sums = bytes_of_sums(args, arithmetic, use);
    const std::int64_t of_library = library_ ? library_->workspace_bytes(args, arithmetic) : 0;
    return sums + in_pieces(of_library) + elements_of(args) * bytes_of(args.type);
}

void KernelTuner::launch_way(Queue& queue, KernelVariant way, ProductArgs args,
                             Arithmetic arithmetic, char* memory) {
    auto* const sums = reinterpret_cast<float*>(memory);
    const ProductSplit split = way == KernelVariant::hopper ? hopper_split(args, queue.hopper)
                                                            : split_of(args, arithmetic);
    switch (way) {
    case KernelVariant::library:
        library_->multiply(queue, args, arithmetic, sums,
                           memory + bytes_of_sums(args, arithmetic, queue.hopper));
        if (has_plain_epilogue(args)) return;
        args.partial = sums;
        return launch_epilogue(queue, args);
    case KernelVariant::own:
    case KernelVariant::hopper:
        args.parts = split.parts;
        args.part_depth = split.part_depth;
        args.partial = sums;
        break;
    default: break;
    }
    if (way == KernelVariant::hopper) launch_hopper_product(queue, args);
    else launch_product(queue, args, arithmetic);
}

void KernelTuner::launch(KernelRun& run, const ProductArgs& args, Arithmetic arithmetic,
                         bool hopper, bool has_constant_a) {
    if (elements_of(args) == 0) return;
    const HopperUse use = run.queue().hopper;
    const std::int64_t bytes = memory_bytes(args, arithmetic, use);
    auto* const memory = static_cast<char*>(run.scratch(bytes));
    ProductArgs trial = args;  // the result may share memory with the residual
    trial.y = memory + bytes - elements_of(args) * bytes_of(args.type);
    std::vector<KernelVariant> ways;
    for (KernelVariant way : {KernelVariant::own, KernelVariant::unsplit, KernelVariant::hopper,
                              KernelVariant::library})
        if (takes(way, args, arithmetic, hopper)) ways.push_back(way);
    const KernelVariant way = way_for(
        run, tuning_key_of(args, arithmetic, has_constant_a), ways,
        hopper && is_for_hopper(args, use, arithmetic) ? KernelVariant::hopper : KernelVariant::own,
        [&](KernelVariant tried) { launch_way(run.queue(), tried, trial, arithmetic, memory); },
        constants_of(trial, has_constant_a));
    launch_way(run.queue(), way, args, arithmetic, memory);
}

void KernelTuner::launch(KernelRun& run, const NormalizeArgs& norm, const ProductArgs& args,
                         Arithmetic arithmetic) {
    const std::int64_t of_product = in_pieces(memory_bytes(args, arithmetic, run.queue().hopper)),
                       of_row = in_pieces(std::int64_t{norm.width} * bytes_of(norm.type));
    auto* const memory = static_cast<char*>(run.scratch(of_product + 2 * of_row));
    char* const row = memory + of_product;
    NormalizeArgs trial_norm = norm;  // outputs may share memory with inputs
    ProductArgs trial = args;
    if (norm.sum) trial_norm.sum = row + of_row;
    trial.y = row - in_pieces(elements_of(args) * bytes_of(args.type));
    const auto launch_in = [&](KernelVariant way, NormalizeArgs of_row_norm, ProductArgs product) {
        if (way == KernelVariant::fused)
            return launch_normalized_product(run.queue(), of_row_norm, product);
        of_row_norm.output = row;
        product.a = row;
        launch_normalize(run.queue(), of_row_norm);
        launch_way(run.queue(), way, product, arithmetic, memory);
    };
    std::vector<KernelVariant> ways{KernelVariant::fused};
    for (KernelVariant way : {KernelVariant::own, KernelVariant::unsplit, KernelVariant::library})
        if (takes(way, args, arithmetic, false)) ways.push_back(way);
    std::vector<TrialConstant> constants = constants_of(trial, false);
    const std::int64_t of_scale = std::int64_t{norm.width} * bytes_of(norm.scale_type);
    constants.push_back({&trial_norm.scale, of_scale});
    constants.push_back({&trial_norm.bias, of_scale});
    const KernelVariant way = way_for(
        run, "normalized_" + tuning_key_of(args, arithmetic, false), ways, KernelVariant::fused,
        [&](KernelVariant tried) { launch_in(tried, trial_norm, trial); }, constants);
    launch_in(way, norm, args);
}

namespace {

ClusterSize cluster_size(KernelVariant way) {
    return way == KernelVariant::small_clusters   ? ClusterSize::half
           : way == KernelVariant::large_clusters ? ClusterSize::twice
                                                  : ClusterSize::estimated;
}

/// The distinct variants.
std::vector<KernelVariant> cluster_ways(const ConvolutionArgs& args, HopperUse use) {
    if (!is_for_window_clusters(args, use)) return {};
    std::vector<KernelVariant> ways{KernelVariant::clusters};
    const std::int32_t parts = product_of_windows(args).parts;
    if (parts > 1) ways.push_back(KernelVariant::small_clusters);
    if (product_of_windows(args, ClusterSize::twice).parts == 2 * parts)
        ways.push_back(KernelVariant::large_clusters);
    return ways;
}

}  // namespace

void KernelTuner::launch(KernelRun& run, const ConvolutionArgs& args, Arithmetic arithmetic) {
    if (elements_of(args) == 0) return;
    const std::int32_t depth =
        args.channels * args.window.kernel[0] * args.window.kernel[1] * args.window.kernel[2];
    SplitWays ways(split_of(args, arithmetic), args.groups == 1, depth, 64, part_bytes_of(args));
    const std::vector<KernelVariant> in_clusters = cluster_ways(args, run.queue().hopper);
    ways.ways.insert(ways.ways.end(), in_clusters.begin(), in_clusters.end());
    auto* const memory = static_cast<char*>(
        run.scratch(in_pieces(ways.partial_bytes) + elements_of(args) * bytes_of(args.type)));
    const auto launch_in = [&](KernelVariant way, ConvolutionArgs in, void* y) {
        const ProductSplit& split = ways.of(way);
        in.parts = split.parts;
        in.part_depth = split.part_depth;
        in.partial = reinterpret_cast<float*>(memory);
        in.y = y;
        if (std::ranges::find(in_clusters, way) != in_clusters.end())
            return launch_window_clusters(run.queue(), in, cluster_size(way));
        launch_convolution(run.queue(), in, arithmetic);
    };
    const KernelVariant otherwise =
        !in_clusters.empty() && run.queue().clusters ? KernelVariant::clusters : KernelVariant::own;
    ConvolutionArgs trial = args;
    std::vector<TrialConstant> constants;
    if (args.has_constant_weight) constants.push_back({&trial.w, weight_bytes_of(args)});
    const KernelVariant way = way_for(
        run, key_of(args, arithmetic), ways.ways, otherwise,
        [&](KernelVariant tried) {
            launch_in(tried, trial, memory + in_pieces(ways.partial_bytes));
        },
        constants);
    launch_in(way, args, args.y);
}

void KernelTuner::launch(KernelRun& run, const AttentionArgs& args) {
    if (elements_of(args) == 0) return;
    const AttentionSplit own = split_of(args);
    const std::int64_t of_part =
        4LL * args.batch * args.heads * args.queries * (args.value_size + 2);
    SplitWays ways({own.parts, own.part_keys, own.partial_bytes}, true, args.keys, 64, of_part);
    const AttentionSplit clustered = attention_cluster_split(args);
    if (run.queue().hopper != HopperUse::none && clustered.parts > 1)
        ways.add(KernelVariant::hopper, {clustered.parts, clustered.part_keys, 0});
    auto* const memory = static_cast<char*>(
        run.scratch(in_pieces(ways.partial_bytes) + elements_of(args) * bytes_of(args.type)));
    const auto launch_in = [&](KernelVariant way, void* y) {
        AttentionArgs in = args;
        const ProductSplit& split = ways.of(way);
        in.parts = split.parts;
        in.part_keys = split.part_depth;
        in.in_clusters = way == KernelVariant::hopper;
        in.partial = reinterpret_cast<float*>(memory);
        in.y = y;
        launch_attention(run.queue(), in);
    };
    const KernelVariant way = way_for(
        run, key_of(args), ways.ways, KernelVariant::own,
        [&](KernelVariant tried) { launch_in(tried, memory + in_pieces(ways.partial_bytes)); });
    launch_in(way, args.y);
}

std::string KernelTuner::summary() {
    const std::lock_guard lock(mutex_);
    std::size_t products = 0, of_library = 0, fused = 0, known_products = 0, others = 0,
                known_others = 0;
    for (const auto& [key, use] : used_) {
        const std::size_t is_known = use.is_measured ? 1 : 0;
        of_library += use.way == KernelVariant::library ? 1 : 0;
        fused += use.way == KernelVariant::fused ? 1 : 0;
        (is_of_product(key) ? products : others) += 1;
        (is_of_product(key) ? known_products : known_others) += is_known;
    }
    std::string text = std::to_string(known_products) + " of " + std::to_string(products) +
                       (products == 1 ? " product" : " products") + " as measured, ";
    text += library_ ? std::to_string(of_library) + " by " + library_->name()
                     : "cuBLASLt is not used: " + no_library_;
    if (fused > 0) text += ", " + std::to_string(fused) + " with the normalization before it";
    if (others > 0)
        text += "; " + std::to_string(known_others) + " of " + std::to_string(others) +
                (others == 1 ? " convolution or attention" : " convolutions and attentions") +
                " as measured";
    if (table_.is_older()) text += "; the tuning file is of an older version and is not used";
    return text;
}

}  // namespace lapidary::cuda
