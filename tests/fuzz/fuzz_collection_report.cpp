// Reads arbitrary bytes as the JSON report of a part of a collection, merges it and writes the page.

#include "core/base/visible_text.h"
#include "core/report/collection_html.h"
#include "tests/fuzz/no_defect.h"

#include <array>
#include <cstdint>

using namespace crosswalk;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        const CollectionReport part = reportFromJson({reinterpret_cast<const char*>(data), size});
        const CollectionReport whole = withoutWeightFiles(merged(std::array{part, part}));
        const std::string page = collectionHtml(whole);
        if (visibleText(page) != page) {
            fuzz::reportDefect("a control character of the report is in the page");
        }
        if (reportFromJson(reportJson(whole)).models != whole.models) {
            fuzz::reportDefect("a report is read otherwise than it was written");
        }
    } catch (const ModelError&) {
        return 0; // an error is the expected result for text that is not a report
    }
    return 0;
}
