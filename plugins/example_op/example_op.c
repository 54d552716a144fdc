/* SPDX-License-Identifier: Apache-2.0
 * A plugin with one operator, to be copied: example::ScaleClamp(X, low?) = min(max(alpha * X, low), high). It shows
 * attributes with defaults, an optional input, an output of the input's shape and work on the session's threads.
 */
#include "plugin_abi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ScaleClamp {
    const LpHost* host;
    float alpha, high;
} ScaleClamp;

static int32_t refuse(LpError* error, int32_t code, const char* text) {
    snprintf(error->text, sizeof(error->text), "%s", text);
    return code;
}

static float float_of(const LpNode* node, const char* name) {
    for (uint32_t i = 0; i < node->attribute_count; ++i) {
        const LpAttribute* attribute = lp_attribute(node, i);
        if (strcmp(attribute->name, name) == 0) return attribute->f;
    }
    return 0; /* not reached: the program fills in the schema's defaults */
}

/* The output has the shape of X, named dimensions included. */
static int32_t infer(const LpNode* node, LpInference* inference, LpError* error) {
    (void)error;
    const LpValue* x = lp_input(node, 0);
    if (x->rank >= 0) inference->set_output(inference, 0, 0, x->rank, x->dims, x->symbols);
    return LP_OK;
}

static int32_t make(const LpHost* host, const LpNode* node, LpKernel* kernel, LpError* error) {
    ScaleClamp* made = malloc(sizeof(*made));
    if (!made) return refuse(error, LP_OUT_OF_MEMORY, "no memory for a kernel");
    made->host = host;
    made->alpha = float_of(node, "alpha");
    made->high = float_of(node, "high");
    *kernel = (LpKernel)made;
    return LP_OK;
}

typedef struct Work {
    const float* x;
    float* y;
    float alpha, low, high;
} Work;

static void scale_clamp(void* argument, int64_t begin, int64_t end) {
    const Work* work = argument;
    for (int64_t i = begin; i < end; ++i)
        work->y[i] = fminf(fmaxf(work->alpha * work->x[i], work->low), work->high);
}

static int32_t run(LpKernel kernel, LpRun* run, LpError* error) {
    const ScaleClamp* self = (const ScaleClamp*)kernel;
    const LpTensor* x = lp_run_input(run, 0);
    Work work = {x->data, NULL, self->alpha, -INFINITY, self->high};
    if (run->input_count > 1 && lp_run_input(run, 1)->rank >= 0) {
        const LpTensor* low = lp_run_input(run, 1);
        if (low->bytes != sizeof(float)) return refuse(error, LP_INVALID, "input low: expected one element");
        work.low = *(const float*)low->data;
    }
    if (work.low > work.high) return refuse(error, LP_INVALID, "input low is above attribute high");
    work.y = run->output(run, 0, x->type, x->rank, x->dims);
    if (!work.y) return LP_INTERNAL;
    self->host->parallel_for(run->job, (int64_t)(x->bytes / sizeof(float)), 4096, scale_clamp, &work);
    return LP_OK;
}

static void destroy(LpKernel kernel) { free(kernel); }

static const LpOperator scale_clamp_operator = {
    .size = sizeof(LpOperator),
    .domain = "example",
    .name = "ScaleClamp",
    .since_version = 1,
    .inputs = "X:T low?:T",
    .outputs = "Y:T",
    .types = "T=f32",
    .attributes = "alpha:f=1.0 high:f=6.0",
    .doc = "Y = min(max(alpha * X, low), high); without low there is no lower bound.",
    .infer = infer,
    .make = make,
    .run = run,
    .destroy = destroy};

static const LpOperator* const operators[] = {&scale_clamp_operator, NULL};

static const LpPlugin plugin = {.size = sizeof(LpPlugin),
                                .major = LP_MAJOR,
                                .minor = LP_MINOR,
                                .needs_minor = 0,
                                .name = "example_op",
                                .version = "1.0",
                                .licence = "Apache-2.0",
                                .about = "The operator example::ScaleClamp, a template for operators of your own.",
                                .operators = operators,
                                .provider = NULL};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host;
    (void)error;
    return &plugin;
}
