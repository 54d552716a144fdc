/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plugin of Lapidary sees of the program, and the program of a plugin: this one header, C99
 * and C++, which needs no other. A plugin is a shared library that exports
 *
 *     const LpPlugin* lapidary_plugin_1(const LpHost* host, LpError* error);
 *
 * and offers any of three things: operators (they run on the processor like those of the program),
 * a provider (it runs nodes of a model on a device with memory of its own) and an engine (it runs
 * whole models by itself). A library in the program's folder of plugins, in the user's, or named by
 * --plugin or LAPIDARY_PLUGINS is found; a process of its own opens it first, so that one that
 * crashes is refused with that reason.
 *
 * Versions. The major is part of the symbol's name: a library that exports only lapidary_plugin_2
 * is refused as made for another interface and never called. The minor counts additions. Structs
 * only grow, at their end. Each begins with its size as its maker compiled it; a reader asks
 * LP_HAS(p, field) before it reads a field that a later minor added. No field is removed, moved or
 * given another meaning within a major. Enumerations grow: a reader declines what it does not know.
 *
 * Rules. Nothing throws, longjmps or exits across the boundary. Who makes an object destroys it.
 * Strings are UTF-8, end with zero, belong to the side that made them and live as long as what they
 * came with; what is handed to a call lives until the call returns. Functions may be called from
 * any thread, also at once for different objects. Loading the library must be cheap and need no
 * device. A function that returns an int32_t returns an LpCode; for all but LP_OK it writes a
 * sentence into the caller's LpError.
 */
#ifndef LAPIDARY_PLUGIN_ABI_H
#define LAPIDARY_PLUGIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LP_MAJOR 1
/* 1: LpPlugin::engine, LpProvider::queue_note. 2: LpProvider::stored_floats. 3: LpProvider::peaks,
 * lowered_precision. 4: LpProvider::calls_make, calls_repeat, calls_free */
#define LP_MINOR 4
#define LP_ENTRY lapidary_plugin_1
#if defined(_WIN32)
#define LP_EXPORT __declspec(dllexport)
#else
#define LP_EXPORT __attribute__((visibility("default")))
#endif

/* True when the maker of *p knew of `field`. */
#define LP_HAS(p, field) \
    ((p)->size >= (uint32_t)((const char*)(&(p)->field + 1) - (const char*)(p)))

typedef enum LpCode {
    LP_OK = 0,
    LP_INVALID =
        1, /* the node, its inputs or an option are wrong: the model's or the user's mistake */
    LP_UNSUPPORTED = 2, /* right, but not for this plugin */
    LP_OUT_OF_MEMORY = 3,
    LP_DEVICE_LOST = 4, /* nothing more will run until the process ends */
    LP_CANCELLED = 5,
    LP_INTERNAL = 6 /* a bug of the plugin or the program */
} LpCode;

typedef struct LpError {
    uint32_t size;
    int32_t native; /* the plugin's own code, 0: none */
    char text[1024];
} LpError;

/* Element types as ONNX numbers them in TensorProto.DataType: FLOAT 1, UINT8 2, INT8 3 ... 0: not
 * known, no tensor. */
typedef int32_t LpType;

/* ------------------------------------------------------------------------------------------------
 * nodes, read only */

typedef enum LpAttributeKind {
    LP_ATTRIBUTE_FLOAT = 1,
    LP_ATTRIBUTE_INT = 2,
    LP_ATTRIBUTE_STRING = 3,
    LP_ATTRIBUTE_TENSOR = 4,
    LP_ATTRIBUTE_FLOATS = 6,
    LP_ATTRIBUTE_INTS = 7,
    LP_ATTRIBUTE_STRINGS = 8,
    LP_ATTRIBUTE_OTHER = 99 /* a graph, a type, a sparse tensor: cannot be read here */
} LpAttributeKind;

/* A tensor in host memory, row-major; types of less than 8 bits are packed as ONNX packs them. */
typedef struct LpTensor {
    uint32_t size;
    LpType type;
    int32_t rank; /* -1: there is no such tensor (an omitted input) */
    const int64_t* dims;
    void* data;
    uint64_t bytes;
} LpTensor;

typedef struct LpAttribute {
    uint32_t size;
    int32_t kind;
    const char* name;
    uint64_t count; /* elements of a list, bytes of a string; 1 else */
    float f;
    int64_t i;
    const char* string;
    const LpTensor* tensor;
    const float* floats;
    const int64_t* ints;
    const char* const* strings;
} LpAttribute;

/* An input or output of a node as far as it is known before the model runs. */
typedef struct LpValue {
    uint32_t size;
    LpType type;
    const char* name;           /* null: an omitted input or output */
    int32_t rank;               /* -1: not known */
    const int64_t* dims;        /* -1: not known */
    const char* const* symbols; /* parallel to dims: "batch", or null */
    const void* constant; /* data of an initializer, perhaps of a mapped file: read no more than
                             needed; or null */
} LpValue;

typedef struct LpNode {
    uint32_t size;
    const char* name;
    const char* domain; /* "" for ai.onnx; nodes that passes of the program made are of
                           "com.microsoft" or "lapidary" */
    const char* op;
    int64_t version; /* of the domain's operator set, as the model imports it */
    uint32_t input_count, output_count, attribute_count;
    const LpValue* inputs; /* through lp_input(), as LpValue may grow */
    const LpValue* outputs;
    const LpAttribute*
        attributes; /* those of the node; for operators of plugins also the schema's defaults */
    uint32_t value_stride, attribute_stride;
} LpNode;

static inline const LpValue* lp_input(const LpNode* node, uint32_t i) {
    return (const LpValue*)((const char*)node->inputs + (size_t)i * node->value_stride);
}
static inline const LpValue* lp_output(const LpNode* node, uint32_t i) {
    return (const LpValue*)((const char*)node->outputs + (size_t)i * node->value_stride);
}
static inline const LpAttribute* lp_attribute(const LpNode* node, uint32_t i) {
    return (const LpAttribute*)((const char*)node->attributes + (size_t)i * node->attribute_stride);
}

/* ------------------------------------------------------------------------------------------------
 * the program */

/* One run of a session, for the functions of LpHost. */
typedef struct LpJob_* LpJob;

typedef struct LpHost {
    uint32_t size;
    uint32_t major, minor; /* of the program */
    const char* program;   /* "Lapidary 0.9.0" */
    /* Nonzero: stop soon and return LP_CANCELLED. */
    int32_t (*cancelled)(LpJob job);
    /* On the session's own threads: body(argument, begin, end) for parts of [0, n) of at least
     * `grain`, until all are done. */
    void (*parallel_for)(LpJob job, int64_t n, int64_t grain,
                         void (*body)(void* argument, int64_t begin, int64_t end), void* argument);
    /* The clock of all times, in nanoseconds. */
    int64_t (*now_ns)(void);
} LpHost;

/* ------------------------------------------------------------------------------------------------
 * operators */

typedef struct LpKernel_* LpKernel;

/* Says what an output is: type 0 keeps the one that the schema's type variables give; dims -1 are
 * not known unless `symbols` (which may be null) names them. */
typedef struct LpInference {
    uint32_t size;
    void (*set_output)(struct LpInference* inference, uint32_t output, LpType type, int32_t rank,
                       const int64_t* dims, const char* const* symbols);
} LpInference;

/* A run on tensors in host memory: of one node by an operator's kernel, or of a whole model by an
 * engine. */
typedef struct LpRun {
    uint32_t size;
    uint32_t input_count, output_count;
    const LpTensor* inputs;
    uint32_t tensor_stride;
    LpJob job;
    /* Nonzero: that output is wanted. One that is not may be given too: it is dropped. */
    int32_t (*wants_output)(struct LpRun* run, uint32_t output);
    /* Memory for an output, of unknown contents; once per output. Null where it cannot be had:
     * return LP_INTERNAL then, and the program, which knows why, says so. */
    void* (*output)(struct LpRun* run, uint32_t output, LpType type, int32_t rank,
                    const int64_t* dims);
    /* Memory until run() returns; null as above. */
    void* (*scratch)(struct LpRun* run, uint64_t bytes);
} LpRun;

static inline const LpTensor* lp_run_input(const LpRun* run, uint32_t i) {
    return (const LpTensor*)((const char*)run->inputs + (size_t)i * run->tensor_stride);
}

/* An operator of the user. The texts `inputs`, `outputs`, `types` and `attributes` describe it as a
 * line each: inputs, outputs  "X:T W:T B?:T": names with a type variable or a type (f32 i64 bool
 * ...); `?` optional, a last `*` any number of values types            "T=f16,f32": what a type
 * variable may be; "" where there is none attributes       "alpha:f=1.0 axis:i! names:ss": name,
 * kind (i f s t, is fs ss: lists), `!` required or `=default` Tensors of numbers and booleans
 * alone.
 */
typedef struct LpOperator {
    uint32_t size;
    const char* domain; /* not ai.onnx, ai.onnx.ml, com.microsoft or lapidary */
    const char* name;
    int64_t since_version; /* of the domain */
    const char* inputs;
    const char* outputs;
    const char* types;
    const char* attributes;
    const char* doc; /* what it computes, a sentence or more */
    /* Shapes of the outputs before the model runs. Null: they are not known. LP_INVALID: the node
     * cannot be right. */
    int32_t (*infer)(const LpNode* node, LpInference* inference, LpError* error);
    /* A kernel for one node, which may keep what it reads of attributes and constants. */
    int32_t (*make)(const LpHost* host, const LpNode* node, LpKernel* kernel, LpError* error);
    /* From several threads at once for one kernel: what it changes must be its own. */
    int32_t (*run)(LpKernel kernel, LpRun* run, LpError* error);
    void (*destroy)(LpKernel kernel);
} LpOperator;

/* ------------------------------------------------------------------------------------------------
 * provider */

typedef struct LpDevice_*
    LpDevice; /* a device opened with options: the memory and kernels of a session's nodes */
typedef struct LpBlock_* LpBlock; /* device memory */
typedef struct LpQueue_* LpQueue; /* work of one run, in order */
typedef struct LpCalls_* LpCalls; /* calls of run() as they were, to be queued again */

typedef struct LpOption {
    const char* key;
    const char* value;
} LpOption;

typedef struct LpOptions {
    uint32_t size;
    uint32_t count;
    const LpOption* items;
} LpOptions;

/* What an option may be: for lists of options and for messages. */
typedef struct LpOptionInfo {
    uint32_t size;
    const char* key;
    const char* values;   /* "0 to 7", "off or on" */
    const char* fallback; /* the value that holds where none is given */
    const char* meaning;
} LpOptionInfo;

typedef struct LpDeviceInfo {
    uint32_t size;
    const char* id;           /* "cuda:0", the same in every process on this machine */
    const char* name;         /* "NVIDIA H200" */
    const char* architecture; /* "sm_90" */
    const char* driver;       /* "580.159, CUDA 13.0" */
    uint64_t memory_bytes;
    const char* unusable; /* null, or why the device cannot be used */
} LpDeviceInfo;

typedef struct LpClaim {
    uint32_t size;
    double gain_ns; /* time that the node takes less than on the processor, copies not counted; 0:
                       not known */
    uint64_t host_inputs; /* bit i: the kernel reads input i in host memory (shapes, axes) */
} LpClaim;

typedef struct LpDeviceKernelInfo {
    uint32_t size;
    uint64_t host_inputs;   /* as claimed */
    uint64_t unread_inputs; /* bit i: a constant that the kernel holds in a form of its own: it is
                               not uploaded */
    char name[128];         /* "gemm_f16_128x64" */
    char passed_over[512];  /* kernels that were considered, and why not them; may stay empty */
} LpDeviceKernelInfo;

typedef struct LpPlace {
    LpBlock block;   /* null: nothing lies there */
    uint64_t offset; /* bytes from its begin */
} LpPlace;

typedef struct LpDeviceTensor {
    uint32_t size;
    LpType type;
    int32_t rank; /* -1: there is no such tensor */
    const int64_t* dims;
    uint64_t bytes;
    LpPlace place;
    const void* host; /* inputs read in host memory; null else */
} LpDeviceTensor;

/* One node's view of a run on a device. */
typedef struct LpDeviceRun {
    uint32_t size;
    uint32_t input_count, output_count;
    const LpDeviceTensor* inputs;
    uint32_t tensor_stride;
    LpQueue queue;
    LpJob job;
    int32_t (*wants_output)(struct LpDeviceRun* run, uint32_t output);
    /* Writes where the output lies; LP_OK, or LP_INTERNAL to be returned. That of Flatten,
     * Identity, Reshape, Squeeze, Unsqueeze and a Transpose that keeps the order of elements may be
     * where input 0 lies, those of a Split where their parts of it do: there is nothing to copy
     * then. */
    int32_t (*output)(struct LpDeviceRun* run, uint32_t output, LpType type, int32_t rank,
                      const int64_t* dims, LpPlace* place);
    /* Working memory until the kernel's queued work is done. */
    int32_t (*scratch)(struct LpDeviceRun* run, uint64_t bytes, LpPlace* place);
} LpDeviceRun;

static inline const LpDeviceTensor* lp_device_input(const LpDeviceRun* run, uint32_t i) {
    return (const LpDeviceTensor*)((const char*)run->inputs + (size_t)i * run->tensor_stride);
}

typedef struct LpTime {
    int64_t begin_ns, end_ns; /* of LpHost::now_ns */
} LpTime;

/* A kind of arithmetic, and what a device reaches of it at most. */
typedef struct LpRate {
    uint32_t size;
    const char* name; /* "float32", "tf32", "int8": for people */
    double gops;      /* 1e9 operations per second, a multiplication with its addition being two */
    uint64_t product_types; /* bit t: products and convolutions of element type t run at it, as the
                               device was opened */
    int32_t is_of_others;   /* nonzero: and so does whatever is no product; of one rate at most */
} LpRate;

typedef struct LpPeaks {
    uint32_t size;
    double gb_per_s;     /* reading memory of the device far larger than its caches, 1e9 bytes per
                            second */
    uint32_t rate_count; /* items through their stride; they live until the device is closed */
    uint32_t rate_stride;
    const LpRate* rates;
} LpPeaks;

typedef enum LpDirection { LP_TO_DEVICE = 0, LP_TO_HOST = 1 } LpDirection;

typedef struct LpProvider {
    uint32_t size;
    const char* name; /* "cuda": as it is chosen, and as placement and profiles show it */
    const char* const* ort_names; /* "CUDAExecutionProvider", null: names that other programs give
                                     it; may be null */
    /* Cheap and safe where no device or driver is: 0 devices then, and *note says why. */
    uint32_t (*device_count)(const char** note);
    int32_t (*device_info)(uint32_t device, LpDeviceInfo* info, LpError* error);
    /* May be null: no options. Items through their stride. */
    uint32_t (*option_infos)(const LpOptionInfo** infos, uint32_t* stride);
    int32_t (*open)(const LpHost* host, uint32_t device, const LpOptions* options, LpDevice* opened,
                    LpError* error);
    void (*close)(LpDevice device);

    /* LP_OK: the node may run here. LP_UNSUPPORTED: it does not, and the error's text, which is
     * shown beside the node, is the reason as a noun phrase or short sentence without a full stop.
     */
    int32_t (*claim)(LpDevice device, const LpNode* node, LpClaim* claim, LpError* error);
    /* For a node that was claimed. LP_UNSUPPORTED as above. */
    int32_t (*make)(LpDevice device, const LpNode* node, LpKernel* kernel, LpDeviceKernelInfo* info,
                    LpError* error);
    /* Queues the node's work and returns. What fails later comes out of finish() or a copy. */
    int32_t (*run)(LpKernel kernel, LpDeviceRun* run, LpError* error);
    void (*destroy)(LpKernel kernel);

    /* The estimated time of a copy. */
    double (*copy_ns)(LpDevice device, int32_t direction, uint64_t bytes);
    uint64_t alignment; /* of begins of values in a block; a power of two */
    int32_t (*block_make)(LpDevice device, uint64_t bytes, LpBlock* block, LpError* error);
    /* Queued work that uses the block is done first. */
    void (*block_free)(LpBlock block);

    int32_t (*queue_make)(LpDevice device, LpQueue* queue, LpError* error);
    /* Waits for what is queued. */
    void (*queue_destroy)(LpQueue queue);
    /* Returns when `from` may change. */
    int32_t (*copy_to_device)(LpQueue queue, LpPlace to, const void* from, uint64_t bytes,
                              LpError* error);
    /* Returns when `to` is written, which is after all that was queued before. */
    int32_t (*copy_to_host)(LpQueue queue, void* to, LpPlace from, uint64_t bytes, LpError* error);
    /* Waits for what is queued, and tells when the newest work of the calling thread ran. */
    int32_t (*finish)(LpQueue queue, LpTime* newest, LpError* error);

    /* Since 1.1; may be null. What the program may tell of how runs were carried out (what was
     * replayed as a whole, and why not), as a sentence without a full stop, until the next call for
     * the queue. */
    const char* (*queue_note)(LpQueue queue);

    /* Since 1.2; may be null. What the program is to store floats of 32 bits as, values between
     * nodes and weights alike: FLOAT, FLOAT16 or BFLOAT16. The provider then finds nodes of that
     * type where the model has FLOAT; inputs and outputs of the model stay FLOAT, and so do nodes
     * that 16 bits have no room for. */
    LpType (*stored_floats)(LpDevice device);

    /* Since 1.3; may be null. What the device reaches at most, which the program holds nodes
     * against: measured there by kernels made for it, not taken from data sheets. May take a second
     * the first time; what was found holds for later calls. */
    int32_t (*peaks)(LpDevice device, LpPeaks* peaks, LpError* error);
    /* Since 1.3; may be null. What floats of 32 bits are rounded to because the device was opened
     * that way ("tf32", "fp16"): the program then measures what that costs. Null: they are not. */
    const char* (*lowered_precision)(LpDevice device);
    /* Since 1.4; null all three: every run is queued node by node. The newest `count` calls of
     * run() for the queue, if nothing else was asked of it between them, to be queued again without
     * a call for each. Null: they cannot be, or an output of theirs has a shape that only the
     * device knew. Of the queue alone; may outlive it. */
    LpCalls (*calls_make)(LpQueue queue, uint32_t count);
    /* Queues the work of all of them again. Everything is as it was: shapes, places and what they
     * read in host memory; the memory of those places stays until a wait. */
    int32_t (*calls_repeat)(LpQueue queue, LpCalls calls, LpError* error);
    void (*calls_free)(LpCalls calls);
} LpProvider;

/* ------------------------------------------------------------------------------------------------
 * engine */

typedef struct LpModel_* LpModel; /* a model that an engine has loaded and made ready to run */

/* An ONNX file: by its path, with external data beside it, or its bytes, which have none. */
typedef struct LpModelSource {
    uint32_t size;
    const char* file; /* null: `data` */
    const void* data; /* null: `file` */
    uint64_t bytes;   /* of data */
} LpModelSource;

typedef enum LpSpanKind {
    LP_SPAN_KERNEL = 0,
    LP_SPAN_COPY_TO_DEVICE = 1,
    LP_SPAN_COPY_TO_HOST = 2
} LpSpanKind;

/* What an engine did in a run, and when. */
typedef struct LpSpan {
    uint32_t size;
    int32_t kind;     /* LpSpanKind */
    const char* node; /* name of the node in the file, or of the first of those that were made one;
                       * of a copy the name of the value; null: of none */
    const char* op;   /* "Conv", "com.microsoft::Gelu"; null: not reported */
    const char* kernel; /* which of the engine's kernels; null: not reported */
    const char*
        device;      /* that it ran on, or that a copy is to or from: "GPU"; null: the processor */
    uint32_t thread; /* from 0; spans of one thread do not overlap */
    uint64_t bytes;  /* that a copy moved; 0 else */
    LpTime time;
} LpSpan;

/* Takes the spans of one run, in any order, until the run returns. */
typedef struct LpSpans {
    uint32_t size;
    void (*add)(struct LpSpans* spans, const LpSpan* span);
} LpSpans;

/* Runs whole models: it reads the file, optimizes and places nodes as it likes. Three options have
 * a meaning of their own where option_infos() lists them, and are given by the program then:
 * `level` (disabled, basic, extended, all: how much the engine may rewrite), `intra_threads` and
 * `inter_threads` (a number, 0: as the engine likes). */
typedef struct LpEngine {
    uint32_t size;
    const char* name;    /* "abacus": as --engine takes it; neither lapidary nor onnxruntime */
    const char* version; /* of what runs the models; null: the plugin's */
    /* Why it cannot be used on this machine, as a short sentence without a full stop; null: it can.
     * Cheap. May be null: it always can. */
    const char* (*unusable)(void);
    /* May be null: no options. Items through their stride. */
    uint32_t (*option_infos)(const LpOptionInfo** infos, uint32_t* stride);
    /* Options that are not given have their fallback. LP_UNSUPPORTED: right, but not for this
     * engine; the error's text names the node. */
    int32_t (*load)(const LpHost* host, const LpModelSource* source, const LpOptions* options,
                    LpModel* model, LpError* error);
    /* Of the loaded model, in the order of LpRun's; with names; valid until release(). Items
     * through their stride. */
    uint32_t (*inputs)(LpModel model, const LpValue** values, uint32_t* stride);
    uint32_t (*outputs)(LpModel model, const LpValue** values, uint32_t* stride);
    /* Once through, on inputs and for outputs in that order; an input of rank -1 is not given: its
     * default holds. Done when it returns. `spans` null: nothing is recorded. One at a time for a
     * model. */
    int32_t (*run)(LpModel model, LpRun* run, LpSpans* spans, LpError* error);
    void (*release)(LpModel model);
} LpEngine;

/* ------------------------------------------------------------------------------------------------
 * the plugin */

typedef struct LpPlugin {
    uint32_t size;
    uint32_t major, minor;              /* it was compiled against */
    uint32_t needs_minor;               /* least minor of a program that it can live with */
    const char* name;                   /* "cuda" */
    const char* version;                /* "0.9.0" */
    const char* licence;                /* SPDX */
    const char* about;                  /* a sentence */
    const LpOperator* const* operators; /* ends with null; null: none */
    const LpProvider* provider;         /* null: none */
    const LpEngine* engine;             /* null: none; since minor 1 */
} LpPlugin;

/* The one symbol. Null, and the error says why, where it cannot live with the program. Called once
 * per process; the library stays loaded until the process ends. */
typedef const LpPlugin* (*LpEntry)(const LpHost* host, LpError* error);

#ifdef __cplusplus
}
#endif
#endif
