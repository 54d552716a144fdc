// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device_block.h"
#include "device_peaks.h"
#include "kept_file.h"
#include "node_kernel.h"
#include "open_device.h"
#include "runtime.h"

using lapidary::cuda::DeviceError;
using lapidary::cuda::KernelOfNode;
using lapidary::cuda::Making;
using lapidary::cuda::NodeKernel;
using lapidary::cuda::HopperUse;
using lapidary::cuda::NodeView;
using lapidary::cuda::Precision;
using lapidary::cuda::KernelTuner;
using lapidary::cuda::Refusal;
namespace runtime = lapidary::cuda::runtime;

namespace lapidary::cuda {
namespace {

std::uint32_t device_count(const char** note) {
    static thread_local std::string text;
    const std::uint32_t count = runtime::count_devices(text);
    if (note) *note = text.c_str();
    return count;
}

std::int32_t device_info(std::uint32_t device, LpDeviceInfo* info, LpError* error) {
    static std::mutex mutex;
    // kept for the life of the process, because handles point to the texts
    static std::map<std::uint32_t, runtime::DeviceFacts> kept;
    return answer(error, [&] {
        const std::lock_guard lock(mutex);
        const runtime::DeviceFacts& facts =
            kept.insert_or_assign(device, runtime::device_facts(device)).first->second;
        info->id = facts.id.c_str();
        info->name = facts.name.c_str();
        info->architecture = facts.architecture.c_str();
        info->driver = facts.driver.c_str();
        info->memory_bytes = facts.memory_bytes;
        info->unusable = facts.unusable.empty() ? nullptr : facts.unusable.c_str();
    });
}

constexpr LpOptionInfo options[] = {
    {sizeof(LpOptionInfo), "precision", "exact, tf32x3, tf32, fp16 or bf16", "exact",
     "What 32-bit floats are rounded to before products and convolutions multiply them; sums are "
     "of 32 bits. fp16 and "
     "bf16 are what values and weights are stored as, too"},
    {sizeof(LpOptionInfo), "order", "0 to 1000000", "0",
     "On the emulated device: a number other than 0 shuffles the order of threads"},
    {sizeof(LpOptionInfo), "graphs", "on or off", "on",
     "Whether runs that repeat with the same shapes are captured and replayed as a whole"},
    {sizeof(LpOptionInfo), "take_all", "on or off", "off",
     "Whether nodes are taken whatever copies to and from them cost; on, always, on the emulated "
     "device"},
    {sizeof(LpOptionInfo), "tune", "off, use or on", "off",
     "Whether products, convolutions and attention go another way than usually where that was "
     "measured to be faster "
     "(use), and are measured where it is not known (on)"},
    {sizeof(LpOptionInfo), "tune_file", "a file", "in the user's cache, by device and driver",
     "Where what was measured is kept"},
    {sizeof(LpOptionInfo), "peaks_file", "a file, or none",
     "in the user's cache, by device and driver",
     "Where what the device reaches at most is kept, once it was asked for; on the emulated device "
     "none, unless given"},
    {sizeof(LpOptionInfo), "cublaslt", "a file, or none", "where it is found",
     "The library of products that is measured too, with tune"},
    {sizeof(LpOptionInfo), "hopper", "on, off or all", "on where the device has it",
     "Whether products of 16-bit floats and in TF32, and convolutions of float16, use kernels for "
     "compute "
     "capability 9.0 alone, where they are estimated to be faster, or wherever they can be used"},
    {sizeof(LpOptionInfo), "clusters", "on or off", "off",
     "Whether convolutions of float16 with few pixels are parted among blocks of clusters, which "
     "add up in shared "
     "memory, on devices of compute capability 9.0"},
    {sizeof(LpOptionInfo), "overlap", "on or off",
     "on with precision tf32, fp16 and bf16 where the device can",
     "Whether a kernel may begin while the one before it ends, on devices of compute capability "
     "9.0 and newer"},
    {sizeof(LpOptionInfo), "together", "on or off", "on",
     "Whether recurrent layers take all steps in one launch, whose blocks wait for each other, "
     "where they fit"}};

std::uint32_t option_infos(const LpOptionInfo** infos, std::uint32_t* stride) {
    *infos = options;
    *stride = sizeof(LpOptionInfo);
    return std::size(options);
}

Precision precision_of(const std::string& text) {
    if (text == "exact") return Precision::exact;
    if (text == "tf32x3") return Precision::tf32x3;
    if (text == "tf32") return Precision::tf32;
    if (text == "fp16") return Precision::f16;
    if (text == "bf16") return Precision::bf16;
    throw DeviceError(
        LP_INVALID,
        "option precision: expected exact, tf32x3, tf32, fp16 or bf16, found \"" + text + "\"");
}

std::uint32_t order_of(const std::string& text) {
    const bool is_number = !text.empty() && text.size() < 8 &&
                           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number || std::atol(text.c_str()) > 1000000)
        throw DeviceError(LP_INVALID,
                          "option order: expected 0 to 1000000, found \"" + text + "\"");
    return static_cast<std::uint32_t>(std::atol(text.c_str()));
}

bool is_on(const std::string& key, const std::string& text) {
    if (text != "on" && text != "off")
        throw DeviceError(LP_INVALID,
                          "option " + key + ": expected on or off, found \"" + text + "\"");
    return text == "on";
}

/// The tuner for the option `tune` and those that go with it; null: no tuning.
std::shared_ptr<KernelTuner> make_tuner(std::uint32_t index,
                                        std::map<std::string, std::string> options) {
    const std::string tune = options["tune"], file = options["cublaslt"];
    if (tune.empty() || tune == "off") return nullptr;
    if (tune != "use" && tune != "on")
        throw DeviceError(LP_INVALID,
                          "option tune: expected off, use or on, found \"" + tune + "\"");
    const runtime::DeviceFacts facts = runtime::device_facts(index);
    std::string reason = "option cublaslt is none";
    std::shared_ptr<lapidary::cuda::BlasLibrary> library;
    if (file != "none" && (runtime::finds_libraries || !file.empty())) {
        reason.clear();
        library = lapidary::cuda::BlasLibrary::open(file, reason);
        if (!library && !file.empty()) throw DeviceError(LP_INVALID, "option cublaslt: " + reason);
    }
    const std::string& path = options["tune_file"];
    return std::make_shared<KernelTuner>(
        tune == "on" ? KernelTuner::Mode::measure : KernelTuner::Mode::use,
        KernelTuner::Place{
            facts.name,
            facts.driver,
            path.empty() ? lapidary::cuda::usual_tuning_file(facts.name, facts.driver) : path,
            {index, facts.cache_bytes}},
        std::move(library), reason);
}

HopperUse hopper_use_of(const std::string& value) {
    if (value == "on") return HopperUse::of_large;
    if (value == "all") return HopperUse::of_all;
    if (value != "off")
        throw DeviceError(LP_INVALID,
                          "option hopper: expected on, off or all, found \"" + value + "\"");
    return HopperUse::none;
}

std::int32_t open_device(const LpHost* host, std::uint32_t index, const LpOptions* given,
                         LpDevice* opened, LpError* error) {
    return answer(error, [&] {
        auto device = std::make_unique<LpDevice_>();
        device->host = host;
        device->index = index;
        if (runtime::has_hopper(index)) device->hopper = HopperUse::of_large;
        std::optional<bool> overlaps;
        std::map<std::string, std::string> all;
        for (std::uint32_t i = 0; i < given->count; ++i) {
            const std::string key = given->items[i].key;
            all[key] = given->items[i].value;
            if (key == "precision") device->precision = precision_of(given->items[i].value);
            if (key == "order") device->order = order_of(given->items[i].value);
            if (key == "graphs") device->has_graphs = is_on(key, given->items[i].value);
            if (key == "take_all")
                device->takes_all = is_on(key, given->items[i].value) || runtime::takes_all;
            if (key == "hopper") device->hopper = hopper_use_of(given->items[i].value);
            if (key == "clusters") device->clusters = is_on(key, given->items[i].value);
            if (key == "overlap") overlaps = is_on(key, given->items[i].value);
            if (key == "together") device->meets = is_on(key, given->items[i].value);
        }
        if (device->hopper != HopperUse::none && !runtime::has_hopper(index))
            throw DeviceError(LP_INVALID,
                              "option hopper: the device is not of compute capability 9.0");
        if (device->clusters && device->hopper == HopperUse::none)
            throw DeviceError(
                LP_INVALID,
                "option clusters: it needs compute capability 9.0, and hopper on or all");
        const bool is_rounded =
            device->precision != Precision::exact && device->precision != Precision::tf32x3;
        device->overlaps = overlaps.value_or(is_rounded && runtime::can_overlap(index));
        if (device->overlaps && !runtime::can_overlap(index))
            throw DeviceError(LP_INVALID,
                              "option overlap: the device is older than compute capability 9.0");
        if (const std::string& file = all["peaks_file"]; !file.empty()) {
            device->peaks_file = file == "none" ? "" : file;
        } else if (runtime::keeps_peaks) {
            const runtime::DeviceFacts facts = runtime::device_facts(index);
            device->peaks_file = lapidary::cuda::usual_kept_file(facts.name, facts.driver, "peaks");
        }
        device->tuner = make_tuner(index, std::move(all));
        *opened = device.release();
    });
}

std::unique_ptr<NodeKernel> make_kernel(const LpDevice_& device, const LpNode& raw,
                                        Making& making) {
    const NodeView node(raw);
    const Maker maker = find_maker(node.domain(), node.op());
    if (maker == nullptr) throw Refusal("there is no kernel for it");
    making.precision = device.precision;
    making.on_hopper = device.hopper != HopperUse::none;
    making.together = device.meets;
    making.tuner = device.tuner;
    std::unique_ptr<NodeKernel> kernel = maker(node, making);
    for (std::size_t i = 0; i < node.output_count(); ++i)
        if (node.has_output(i) && bytes_of(node.output_type(i)) == 0)
            throw Refusal("output " + std::to_string(i) + " is of " +
                          type_name(node.output_type(i)));
    return kernel;
}

/// Estimated nanoseconds that the node gains over the CPU: the bytes of its values at 10 GB/s
/// instead of 1000. Unknown axes count as 64.
double estimated_gain(const NodeView& node) {
    double bytes = 0;
    const auto add = [&](const std::optional<Dims>& dims, std::int32_t type) {
        double count = dims ? 1 : 0;
        for (std::int64_t d : dims.value_or(Dims())) count *= d < 0 ? 64 : static_cast<double>(d);
        bytes += count * static_cast<double>(bytes_of(type));
    };
    for (std::size_t i = 0; i < node.input_count(); ++i) add(node.dims(i), node.input_type(i));
    for (std::size_t i = 0; i < node.output_count(); ++i)
        add(node.output_dims(i), node.output_type(i));
    return bytes / 10;
}

std::int32_t claim(LpDevice device, const LpNode* node, LpClaim* claim, LpError* error) {
    return answer(error, [&] {
        Making making;
        make_kernel(*device, *node, making);
        claim->gain_ns = device->takes_all ? 1e12 : estimated_gain(NodeView(*node));
        claim->host_inputs = making.host_inputs;
    });
}

std::int32_t make(LpDevice device, const LpNode* node, LpKernel* kernel, LpDeviceKernelInfo* info,
                  LpError* error) {
    return answer(error, [&] {
        Making making;
        auto made = std::make_unique<LpKernel_>();
        auto of_node = std::make_shared<KernelOfNode>();
        of_node->kernel = make_kernel(*device, *node, making);
        const std::lock_guard lock(device->mutex);
        of_node->node = static_cast<std::int32_t>(device->nodes.size());
        device->nodes.push_back(NodeView(*node).name());
        made->kernel = std::move(of_node);
        info->host_inputs = making.host_inputs;
        info->unread_inputs = making.unread_inputs;
        std::snprintf(info->name, sizeof(info->name), "%s", making.kernel.c_str());
        std::snprintf(info->passed_over, sizeof(info->passed_over), "%s",
                      making.passed_over.c_str());
        *kernel = made.release();
    });
}

double copy_ns(LpDevice, std::int32_t, std::uint64_t bytes) { return runtime::copy_ns(bytes); }

std::int32_t block_make(LpDevice device, std::uint64_t bytes, LpBlock* block, LpError* error) {
    return answer(error, [&] {
        auto made = std::make_unique<LpBlock_>();
        const std::uint32_t index = device->index;
        made->data = static_cast<char*>(runtime::allocate(index, bytes));
        made->memory = {made->data, [index](void* data) { runtime::release(index, data); }};
        *block = made.release();
    });
}

void close_device(LpDevice device) { delete device; }
void destroy(LpKernel kernel) { delete kernel; }
void block_free(LpBlock block) { delete block; }

LpType stored_floats(LpDevice device) {
    return device->precision == Precision::f16    ? lapidary::cuda::f16
           : device->precision == Precision::bf16 ? lapidary::cuda::bf16
                                                  : lapidary::cuda::f32;
}

/// A bit set of the element types whose products run at the rate of that kind.
std::uint64_t product_types(PeakKind kind, Precision precision) {
    const auto bit = [](std::int32_t type) { return std::uint64_t{1} << type; };
    const PeakKind of_floats = precision == Precision::tf32   ? PeakKind::tf32
                               : precision == Precision::f16  ? PeakKind::float16
                               : precision == Precision::bf16 ? PeakKind::bfloat16
                                                              : PeakKind::float32;
    // which has a separate rate
    const bool takes_floats = kind == of_floats && precision != Precision::tf32x3;
    std::uint64_t types = takes_floats ? bit(f32) : 0;
    if (kind == PeakKind::float16) types |= bit(f16);
    if (kind == PeakKind::bfloat16) types |= bit(bf16);
    if (kind == PeakKind::int8) types |= bit(i8) | bit(u8);
    return types;
}

std::int32_t peaks(LpDevice device, LpPeaks* reported, LpError* error) {
    return answer(error, [&] {
        const std::lock_guard lock(device->mutex);
        if (device->rates.empty()) {
            const DevicePeaks known = known_peaks(device->index, *device->host, device->peaks_file);
            device->gb_per_s = known.gb_per_s;
            for (std::size_t i = 0; i < std::size(peak_kinds); ++i)
                device->rates.push_back({sizeof(LpRate), name_of(peak_kinds[i]), known.gops[i],
                                         product_types(peak_kinds[i], device->precision),
                                         peak_kinds[i] == PeakKind::float32 ? 1 : 0});
            if (device->precision == Precision::tf32x3) {  // needs three products for each
                const auto* const tf32 = std::ranges::find(peak_kinds, PeakKind::tf32);
                device->rates.push_back({sizeof(LpRate), "tf32x3",
                                         known.gops[tf32 - peak_kinds] / 3, std::uint64_t{1} << f32,
                                         0});
            }
        }
        reported->gb_per_s = device->gb_per_s;
        reported->rate_count = static_cast<std::uint32_t>(device->rates.size());
        reported->rate_stride = sizeof(LpRate);
        reported->rates = device->rates.data();
    });
}

const char* lowered_precision(LpDevice device) {
    switch (device->precision) {
    case Precision::tf32x3: return "tf32x3";
    case Precision::tf32: return "tf32";
    case Precision::f16: return "fp16";
    case Precision::bf16: return "bf16";
    default: return nullptr;
    }
}

LpProvider make_provider() {
    static const char* const names[] = {runtime::ort_name, nullptr};
    LpProvider p{};
    p.size = sizeof(p);
    p.name = runtime::provider_name;
    p.ort_names = names;
    p.device_count = device_count;
    p.device_info = device_info;
    p.option_infos = option_infos;
    p.open = open_device;
    p.close = close_device;
    p.claim = claim;
    p.make = make;
    p.destroy = destroy;
    p.copy_ns = copy_ns;
    p.alignment = 256;
    p.block_make = block_make;
    p.block_free = block_free;
    add_queue_functions(p);
    p.stored_floats = stored_floats;
    p.peaks = peaks;
    p.lowered_precision = lowered_precision;
    return p;
}

/// The provider that a plugin of these kernels offers.
const LpProvider& provider() {
    static const LpProvider made = make_provider();
    return made;
}

}  // namespace
}  // namespace lapidary::cuda

extern "C" LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost*, LpError*) {
    static LpPlugin plugin{};
    plugin.size = sizeof(plugin);
    plugin.major = LP_MAJOR;
    plugin.minor = LP_MINOR;
    plugin.name = runtime::provider_name;
    plugin.version = LAPIDARY_PLUGIN_VERSION;
    plugin.licence = "Apache-2.0";
    plugin.about = runtime::about;
    plugin.provider = &lapidary::cuda::provider();
    return &plugin;
}
