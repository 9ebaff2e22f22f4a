#pragma once

namespace crosswalk::forms {
}

namespace crosswalk::keras {

using namespace forms; // NOLINT(google-build-using-namespace): the vocabulary of translations

} // namespace crosswalk::keras
