// SPDX-License-Identifier: Apache-2.0
// Operators that misbehave, each differently, and a correct one for the tests.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "plugin_abi.h"

namespace {

std::int32_t say(LpError* error, std::int32_t code, const char* text) {
    std::snprintf(error->text, sizeof(error->text), "%s", text);
    return code;
}

std::int32_t run_throws(LpKernel, LpRun*, LpError*) { throw std::runtime_error("out of luck"); }
std::int32_t run_crashes(LpKernel, LpRun*, LpError*) { std::abort(); }
std::int32_t run_refuses(LpKernel, LpRun*, LpError* error) {
    return say(error, LP_INVALID, "the input is too green");
}
std::int32_t run_says_nothing(LpKernel, LpRun*, LpError*) { return LP_INTERNAL; }

std::int32_t run_forgets(LpKernel, LpRun*, LpError*) { return LP_OK; }
std::int32_t run_exits(LpKernel, LpRun*, LpError*) { std::exit(0); }
std::int32_t run_exits_quickly(LpKernel, LpRun*, LpError*) { std::quick_exit(0); }

// Nothing wakes it but the end of the process, or half a minute.
std::int32_t run_sleeps(LpKernel, LpRun*, LpError* error) {
    std::this_thread::sleep_for(std::chrono::seconds(30));
    return say(error, LP_INVALID, "it slept well");
}

std::int32_t run_wants_too_much(LpKernel, LpRun* run, LpError*) {
    const std::int64_t dims[] = {std::int64_t{1} << 40, std::int64_t{1} << 10};
    return run->output(run, 0, 1, 2, dims) ? LP_OK : LP_INTERNAL;
}

std::int32_t infer_refuses(const LpNode* node, LpInference*, LpError* error) {
    return lp_input(node, 0)->rank == 2 ? LP_OK : say(error, LP_INVALID, "X must be a matrix");
}

std::int32_t make_declines(const LpHost*, const LpNode*, LpKernel*, LpError* error) {
    return say(error, LP_UNSUPPORTED, "there is no kernel for Tuesdays");
}

// Y = all inputs, summed; Count = their number.
std::int32_t infer_sum(const LpNode* node, LpInference* inference, LpError*) {
    const LpValue* x = lp_input(node, 0);
    if (x->rank >= 0) inference->set_output(inference, 0, 0, x->rank, x->dims, x->symbols);
    inference->set_output(inference, 1, 7, 0, nullptr, nullptr);
    return LP_OK;
}

std::int32_t run_sum(LpKernel, LpRun* run, LpError* error) {
    const LpTensor* first = lp_run_input(run, 0);
    auto* y = static_cast<float*>(run->output(run, 0, 1, first->rank, first->dims));
    auto* scratch = static_cast<float*>(run->scratch(run, first->bytes + 4));
    if (!y || !scratch) return LP_INTERNAL;
    std::memset(scratch, 0, first->bytes);
    for (std::uint32_t i = 0; i < run->input_count; ++i) {
        const LpTensor* x = lp_run_input(run, i);
        if (x->bytes != first->bytes)
            return say(error, LP_INVALID, "inputs of one size are needed");
        for (std::uint64_t k = 0; k < x->bytes / 4; ++k)
            scratch[k] += static_cast<const float*>(x->data)[k];
    }
    std::memcpy(y, scratch, first->bytes);
    if (!run->wants_output(run, 1)) return LP_OK;
    auto* count = static_cast<std::int64_t*>(run->output(run, 1, 7, 0, nullptr));
    if (!count) return LP_INTERNAL;
    *count = run->input_count;
    return LP_OK;
}

LpOperator one(const char* name, std::int32_t (*run)(LpKernel, LpRun*, LpError*)) {
    LpOperator op{};
    op.size = sizeof(op);
    op.domain = "test";
    op.name = name;
    op.since_version = 1;
    op.inputs = "X:T";
    op.outputs = "Y:T";
    op.types = "T=f32";
    op.attributes = "strength:i!";
    op.doc = "For tests.";
    op.run = run;
    op.destroy = [](LpKernel) {};
    return op;
}

LpOperator without_attributes(LpOperator op) {
    op.attributes = "";
    return op;
}

LpOperator sum() {
    LpOperator op = without_attributes(one("SumAll", run_sum));
    op.inputs = "X*:T";
    op.outputs = "Y:T Count?:i64";
    op.infer = infer_sum;
    return op;
}

LpOperator matrix() {
    LpOperator op = without_attributes(one("OfMatrix", run_refuses));
    op.infer = infer_refuses;
    return op;
}

LpOperator tuesday() {
    LpOperator op = without_attributes(one("OnTuesday", run_refuses));
    op.make = make_declines;
    return op;
}

const LpOperator all[] = {without_attributes(one("Throws", run_throws)),
                          without_attributes(one("Crashes", run_crashes)),
                          without_attributes(one("Refuses", run_refuses)),
                          without_attributes(one("SaysNothing", run_says_nothing)),
                          without_attributes(one("WantsTooMuch", run_wants_too_much)),
                          without_attributes(one("Forgets", run_forgets)),
                          without_attributes(one("Exits", run_exits)),
                          without_attributes(one("ExitsQuickly", run_exits_quickly)),
                          without_attributes(one("Sleeps", run_sleeps)),
                          one("NeedsStrength", run_refuses),
                          matrix(),
                          tuesday(),
                          sum()};
const LpOperator* const list[] = {&all[0], &all[1], &all[2], &all[3],  &all[4],  &all[5],  &all[6],
                                  &all[7], &all[8], &all[9], &all[10], &all[11], &all[12], nullptr};

}  // namespace

extern "C" LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost*, LpError*) {
    static LpPlugin plugin{};
    plugin.size = sizeof(plugin);
    plugin.major = LP_MAJOR;
    plugin.minor = LP_MINOR;
    plugin.name = "test_operators";
    plugin.version = "1";
    plugin.licence = "Apache-2.0";
    plugin.about = "For tests.";
    plugin.operators = list;
    return &plugin;
}
