// SPDX-License-Identifier: Apache-2.0
// A provider without a device: its memory is pages that nothing but its own kernels and copies may
// touch, so that a forgotten copy ends the program. It takes a few operators on 32-bit floats of
// one shape.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string>

#include "plugin_abi.h"

struct LpDevice_ {
    const LpHost* host;
    std::string refused;                            // option refuse
    std::string forgotten;                          // option forget
    bool is_coarse = false, stores_halves = false;  // option precision
};

struct LpBlock_ {
    char* data;
    std::size_t bytes;
    std::mutex mutex;
    int users = 0;
};

struct LpQueue_ {
    const LpHost* host;
};

struct LpKernel_ {
    std::string op;
    const LpHost* host;
    bool is_coarse, forgets;
};

namespace {

thread_local LpTime newest;

std::int32_t say(LpError* error, std::int32_t code, const char* text) {
    std::snprintf(error->text, sizeof(error->text), "%s", text);
    return code;
}

class Open {
public:
    explicit Open(LpPlace place) : block_(place.block), data_(block_->data + place.offset) {
        const std::lock_guard lock(block_->mutex);
        if (block_->users++ == 0) ::mprotect(block_->data, block_->bytes, PROT_READ | PROT_WRITE);
    }
    ~Open() {
        const std::lock_guard lock(block_->mutex);
        if (--block_->users == 0) ::mprotect(block_->data, block_->bytes, PROT_NONE);
    }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    float* floats() const { return reinterpret_cast<float*>(data_); }
    char* data() const { return data_; }

private:
    LpBlock block_;
    char* data_;
};

std::uint32_t device_count(const char**) { return 2; }

std::int32_t device_info(std::uint32_t device, LpDeviceInfo* info, LpError*) {
    info->id = device == 0 ? "pages:0" : "pages:1";
    info->name = device == 0 ? "Protected pages" : "A broken device";
    info->architecture = "none";
    info->driver = "none";
    info->memory_bytes = std::uint64_t{1} << 30;
    info->unusable = device == 0 ? nullptr : "it is broken for the tests";
    return LP_OK;
}

const LpOptionInfo options[] = {
    {sizeof(LpOptionInfo), "refuse", "an operator", "", "An operator that is not taken"},
    {sizeof(LpOptionInfo), "precision", "exact, coarse or fp16", "exact",
     "coarse: results are rounded to eighths; fp16: floats are stored as float16"},
    {sizeof(LpOptionInfo), "forget", "an operator", "",
     "An operator whose kernel makes no output"}};

std::uint32_t option_infos(const LpOptionInfo** infos, std::uint32_t* stride) {
    *infos = options;
    *stride = sizeof(LpOptionInfo);
    return std::size(options);
}

std::int32_t open_device(const LpHost* host, std::uint32_t, const LpOptions* given,
                         LpDevice* opened, LpError* error) {
    auto* device = new LpDevice_{host, {}, {}};
    for (std::uint32_t i = 0; i < given->count; ++i) {
        const std::string key = given->items[i].key, value = given->items[i].value;
        if (key == "refuse") device->refused = value;
        if (key == "forget") device->forgotten = value;
        if (key == "precision")
            device->is_coarse = value == "coarse", device->stores_halves = value == "fp16";
    }
    if (device->refused == "everything") {
        delete device;
        return say(error, LP_INVALID, "option refuse: 'everything' leaves nothing");
    }
    *opened = device;
    return LP_OK;
}

void close_device(LpDevice device) { delete device; }

bool is_same_shape(const LpValue& a, const LpValue& b) {
    if (a.rank < 0 || a.rank != b.rank) return false;
    for (std::int32_t i = 0; i < a.rank; ++i) {
        const bool is_known = a.dims[i] >= 0 && a.dims[i] == b.dims[i];
        const bool is_named =
            a.symbols[i] && b.symbols[i] && std::strcmp(a.symbols[i], b.symbols[i]) == 0;
        if (!is_known && !is_named) return false;
    }
    return true;
}

std::int32_t claim(LpDevice device, const LpNode* node, LpClaim* claim, LpError* error) {
    const std::string op = node->op;
    if (op == device->refused) return say(error, LP_UNSUPPORTED, "the option refuse names it");
    const bool is_binary = op == "Add" || op == "Mul" || op == "Sub";
    if (!is_binary && op != "Relu" && op != "Neg")
        return say(error, LP_UNSUPPORTED, "there is no kernel for it");
    for (std::uint32_t i = 0; i < node->input_count; ++i)
        if (lp_input(node, i)->type != 1)
            return say(error, LP_UNSUPPORTED, "it is not of 32-bit floats");
    if (is_binary && !is_same_shape(*lp_input(node, 0), *lp_input(node, 1)))
        return say(error, LP_UNSUPPORTED, "its operands are not known to have one shape");
    claim->gain_ns = 1e12;
    return LP_OK;
}

std::int32_t make(LpDevice device, const LpNode* node, LpKernel* kernel, LpDeviceKernelInfo* info,
                  LpError*) {
    std::snprintf(info->name, sizeof(info->name), "paged_%s", node->op);
    *kernel =
        new LpKernel_{node->op, device->host, device->is_coarse, node->op == device->forgotten};
    return LP_OK;
}

float apply(const std::string& op, float a, float b) {
    if (op == "Add") return a + b;
    if (op == "Mul") return a * b;
    if (op == "Sub") return a - b;
    return op == "Neg" ? -a : std::max(a, 0.0f);
}

std::int32_t run(LpKernel kernel, LpDeviceRun* run, LpError*) {
    if (kernel->forgets) return LP_OK;
    newest.begin_ns = kernel->host->now_ns();
    const LpDeviceTensor* a = lp_device_input(run, 0);
    const LpDeviceTensor* b = run->input_count > 1 ? lp_device_input(run, 1) : a;
    LpPlace to{}, scratch{};
    if (const std::int32_t code = run->output(run, 0, a->type, a->rank, a->dims, &to);
        code != LP_OK)
        return code;
    if (a->bytes == 0) return LP_OK;
    if (const std::int32_t code = run->scratch(run, a->bytes, &scratch); code != LP_OK) return code;
    const Open from(a->place), other(b->place), between(scratch), target(to);
    for (std::uint64_t i = 0; i < a->bytes / 4; ++i)
        between.floats()[i] = apply(kernel->op, from.floats()[i], other.floats()[i]);
    if (kernel->is_coarse)
        for (std::uint64_t i = 0; i < a->bytes / 4; ++i)
            between.floats()[i] = std::round(between.floats()[i] * 8) / 8;
    std::memcpy(target.data(), between.data(), a->bytes);
    newest.end_ns = kernel->host->now_ns();
    return LP_OK;
}

void destroy(LpKernel kernel) { delete kernel; }

double copy_ns(LpDevice, std::int32_t, std::uint64_t bytes) {
    return 1000 + static_cast<double>(bytes);
}

std::int32_t block_make(LpDevice, std::uint64_t bytes, LpBlock* block, LpError* error) {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t whole = (std::max<std::uint64_t>(bytes, 1) + page - 1) / page * page;
    void* data = ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return say(error, LP_OUT_OF_MEMORY, "no pages");
    *block = new LpBlock_{static_cast<char*>(data), whole};
    return LP_OK;
}

void block_free(LpBlock block) {
    ::munmap(block->data, block->bytes);
    delete block;
}

std::int32_t queue_make(LpDevice device, LpQueue* queue, LpError*) {
    *queue = new LpQueue_{device->host};
    return LP_OK;
}

void queue_destroy(LpQueue queue) { delete queue; }

std::int32_t copy_to_device(LpQueue queue, LpPlace to, const void* from, std::uint64_t bytes,
                            LpError*) {
    newest.begin_ns = queue->host->now_ns();
    std::memcpy(Open(to).data(), from, bytes);
    newest.end_ns = queue->host->now_ns();
    return LP_OK;
}

std::int32_t copy_to_host(LpQueue queue, void* to, LpPlace from, std::uint64_t bytes, LpError*) {
    newest.begin_ns = queue->host->now_ns();
    std::memcpy(to, Open(from).data(), bytes);
    newest.end_ns = queue->host->now_ns();
    return LP_OK;
}

std::int32_t finish(LpQueue, LpTime* time, LpError*) {
    *time = newest;
    return LP_OK;
}

const char* queue_note(LpQueue) { return "pages were turned"; }

/// Figures that nothing measured, so that tests know them; one that can be none where "Peaks" is
/// refused.
std::int32_t peaks(LpDevice device, LpPeaks* peaks, LpError*) {
    static const LpRate rates[] = {{sizeof(LpRate), "whole", 200, std::uint64_t{1} << 1, 1},
                                   {sizeof(LpRate), "halves", 800, std::uint64_t{1} << 10, 0}};
    peaks->gb_per_s = device->refused == "Peaks" ? 0 : 50;
    peaks->rate_count = 2;
    peaks->rate_stride = sizeof(LpRate);
    peaks->rates = rates;
    return LP_OK;
}

LpType stored_floats(LpDevice device) { return device->stores_halves ? 10 : 1; }

const char* lowered_precision(LpDevice device) { return device->is_coarse ? "coarse" : nullptr; }

const char* const ort_names[] = {"PagesExecutionProvider", nullptr};

LpProvider make_provider() {
    LpProvider p{};
    p.size = sizeof(p);
    p.name = "pages";
    p.ort_names = ort_names;
    p.device_count = device_count;
    p.device_info = device_info;
    p.option_infos = option_infos;
    p.open = open_device;
    p.close = close_device;
    p.claim = claim;
    p.make = make;
    p.run = run;
    p.destroy = destroy;
    p.copy_ns = copy_ns;
    p.alignment = 64;
    p.block_make = block_make;
    p.block_free = block_free;
    p.queue_make = queue_make;
    p.queue_destroy = queue_destroy;
    p.copy_to_device = copy_to_device;
    p.copy_to_host = copy_to_host;
    p.finish = finish;
    p.queue_note = queue_note;
    p.stored_floats = stored_floats;
    p.peaks = peaks;
    p.lowered_precision = lowered_precision;
    return p;
}

}  // namespace

extern "C" LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost*, LpError*) {
    static const LpProvider provider = make_provider();
    static LpPlugin plugin{};
    plugin.size = sizeof(plugin);
    plugin.major = LP_MAJOR;
    plugin.minor = LP_MINOR;
    plugin.name = "test_device";
    plugin.version = "1";
    plugin.licence = "Apache-2.0";
    plugin.about = "A provider for tests.";
    plugin.provider = &provider;
    return &plugin;
}
