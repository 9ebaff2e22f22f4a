// Comparison with another model.

#include "ui/document/document.h"

#include "ui/models/shape_text.h"

#include <cassert>
#include <utility>

namespace crosswalk::ui {

void Document::compareWith(const std::filesystem::path& other, bool allowLarge)
{
    assert(m_loaded);
    m_next = openedFiles();
    m_next->compared = other;
    m_next->isAgain = true;
    m_next->allowLarge = m_next->allowLarge || allowLarge;
    m_reading.setActivity(tr("Reading %1").arg(displayText(other.filename().string())));
    m_reading.run(
        this,
        [other, allowLarge](std::stop_token stop) {
            return readModel({.model = other, .weights = {}, .allowLarge = allowLarge, .stop = stop});
        },
        [this, other](Result<LoadedModel> loaded) {
            m_next.reset();
            if (!loaded) {
                m_refused = OpenedFiles{.model = {}, .compared = other};
                emit openFailed(loaded.problem(), other);
                if (!m_converted) {
                    reconvert(); // the first model is open anyway
                }
                return;
            }
            m_compared = std::make_shared<const LoadedModel>(std::move(loaded.value()));
            reconvert();
        });
}

void Document::endComparison()
{
    if (m_compared) {
        m_compared.reset();
        reconvert();
    }
}

} // namespace crosswalk::ui
