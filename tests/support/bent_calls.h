// SPDX-License-Identifier: Apache-2.0
// What property tests make of a call: the same operator asked for something else, which it gives or
// refuses.
#pragma once

#include <cstdint>
#include <functional>

#include "support/operator_call.h"

namespace lapidary::test {

using TakeCall = std::function<void(const OperatorCall&)>;

/// Each input missing, and at every rank from 0 to 5.
void bend_ranks(const OperatorCall& base, const TakeCall& take);
/// Each integer attribute at the ends of its type and around 0, lists of them too, of several
/// lengths.
void bend_attributes(const OperatorCall& base, const TakeCall& take);
/// Each float attribute around 0 and 1; each text attribute with the words that other calls of the
/// operator have, and with one that means nothing.
void bend_words(const OperatorCall& base, const TakeCall& take);
/// Each number of small integer inputs likewise, as input and as constant.
void bend_small_integers(const OperatorCall& base, const TakeCall& take);
/// NaN and infinities among the floats that are no constants.
void bend_floats(const OperatorCall& base, const TakeCall& take);
/// Wherever an input has one of its sizes, another: 0, 1, and some that no vector or tile divides.
void bend_sizes(const OperatorCall& base, const TakeCall& take);
/// Each type variable of the schema bound to every tensor type that it may be.
void bend_types(const OperatorCall& base, const TakeCall& take);

/// The calls of every operator version, `most` of each; of LAPIDARY_PROPERTY_OP alone where that is
/// set, and all of them where LAPIDARY_PROPERTY_ALL is.
std::vector<OperatorCall> chosen_calls(std::size_t most);

/// Of what is made of each call, every `share`-th. Which does not depend on what other calls there
/// are, so that the same is tested with conformance data beside the sources and without.
class ShareOfCalls {
public:
    explicit ShareOfCalls(std::size_t share) : share_(share) {}
    /// What is_chosen() is asked of from here on is made of this call.
    void begin(const OperatorCall& base);
    /// Whether the next one is of the share.
    bool is_chosen() { return ++number_ % share_ == 0; }
    /// What else may depend on a chosen one: others of the share have other numbers.
    std::uint64_t number() const { return number_ / share_; }

private:
    std::size_t share_;
    std::uint64_t number_ = 0;
};

/// Results that are not a function of the inputs.
bool is_random(const OpSchema& schema);

}  // namespace lapidary::test
