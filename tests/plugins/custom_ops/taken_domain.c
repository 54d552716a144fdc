/* SPDX-License-Identifier: Apache-2.0
 * Its second operator is in a domain that is not open to others: then the first is not known either. */
#include <stddef.h>
#include <stdint.h>

typedef struct Op Op;
struct Op {
    uint32_t version;
    void* (*create)(const Op*, const void*, const void*);
    const char* (*name)(const Op*);
    const char* (*provider)(const Op*);
    int (*input_type)(const Op*, size_t);
    size_t (*input_count)(const Op*);
    int (*output_type)(const Op*, size_t);
    size_t (*output_count)(const Op*);
    void (*compute)(void*, void*);
    void (*destroy)(void*);
};
typedef struct {
    const void* (*get)(uint32_t);
    const char* (*version)(void);
} Base;

static void* create(const Op* op, const void* api, const void* info) {
    (void)op, (void)api, (void)info;
    return 0;
}
static const char* name(const Op* op) { return op ? "First" : ""; }
static const char* provider(const Op* op) { return op ? 0 : ""; }
static int type(const Op* op, size_t i) { return op && i < 8 ? 1 : 0; }
static size_t one(const Op* op) { return op ? 1 : 0; }
static void compute(void* kernel, void* context) { (void)kernel, (void)context; }
static void destroy(void* kernel) { (void)kernel; }
static const Op op = {7, create, name, provider, type, one, type, one, compute, destroy};

__attribute__((visibility("default"))) void* RegisterCustomOps(void* options, const Base* base) {
    void* const* api = (void* const*)base->get(7);
    void *open = 0, *taken = 0;
    ((void* (*)(const char*, void**))api[26])("test.first", &open);
    ((void* (*)(void*, const void*))api[27])(open, &op);
    ((void* (*)(void*, void*))api[28])(options, open);
    ((void* (*)(const char*, void**))api[26])("com.microsoft", &taken);
    ((void* (*)(void*, const void*))api[27])(taken, &op);
    return ((void* (*)(void*, void*))api[28])(options, taken);
}
