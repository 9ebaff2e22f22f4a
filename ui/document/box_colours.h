#pragma once

#include "ui/document/colouring.h"
#include "ui/jobs/job_runner.h"

#include <array>
#include <memory>
#include <vector>

namespace crosswalk::ui {

class Document;

/// The colours of a document's boxes and what they represent, with their legend. A failed check switches to its errors.
class BoxColours final : public QObject {
    Q_OBJECT
public:
    explicit BoxColours(Document& document);

    JobRunner& job() { return m_job; }
    Colouring colouring() const { return m_colouring; }
    bool areErrors() const { return m_colouring == Colouring::Error; }
    /// Colours the nodes; measures latencies first if they are requested and unknown. Ignored if there is nothing to
    /// colour by.
    void setColouring(Colouring colouring);
    /// The colours in use, with the number of boxes of each; empty while they are computed.
    std::vector<ColourEntry> legend() const;
    /// The marks that boxes are painted with: those of the conversion and the check, in the chosen colours.
    const std::shared_ptr<const SceneMarks>& marks(Side side) const;

    /// Marks the boxes with the document's check. Emits nothing.
    void takeCheck();
    /// Another model: what was computed of the boxes is void. Emits nothing.
    void forgetMarks();
    /// Another conversion: computed colours are void. Emits nothing.
    void forget();
    void recolour();

signals:
    void changed();

private:
    /// The marks of the conversion and the check.
    const std::shared_ptr<const SceneMarks>& plainMarks(Side side) const;
    ColouringInput input() const;

    Document& m_document;
    JobRunner m_job;
    Colouring m_colouring = Colouring::Category;
    std::array<std::shared_ptr<const SceneMarks>, 2> m_checkedMarks; ///< by side: of the conversion, with ticks
    std::array<std::shared_ptr<const SceneMarks>, 2> m_errorMarks;   ///< by side
    ColouredSides m_coloured;                                        ///< in other colours than those of the categories
};

} // namespace crosswalk::ui
