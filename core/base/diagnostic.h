#pragma once

#include "crosswalk/problem.h"

#include <exception>
#include <string>
#include <utility>

namespace crosswalk {

/// Thrown inside core only. The entry points (readModel, convert, writeModel, verify) turn it into a Diagnostic.
struct ModelError : std::exception {
    explicit ModelError(Diagnostic d)
        : diagnostic(std::move(d))
    {
    }
    ModelError(Code code, std::string message, std::string hint = {})
    {
        diagnostic.code = code;
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
    }
    const char* what() const noexcept override { return diagnostic.message.c_str(); }

    Diagnostic diagnostic;
};

} // namespace crosswalk
