#pragma once

#include <QObject>

#include <optional>

class QWidget;

namespace crosswalk::ui {

/// Which of the two graphs are shown: as the user chose for this model, or else as suits it.
class PaneSwitch final : public QObject {
    Q_OBJECT
public:
    enum class Panes { Source, Both, Target };

    PaneSwitch(QWidget& source, QWidget& target, QObject* parent);

    Panes shown() const { return m_chosen.value_or(m_suitable); }
    bool isShown(const QWidget& pane) const;
    /// By the user: stays until forget().
    void choose(Panes panes);
    void suggest(Panes panes);
    /// Forgets the user's choice: another model is open.
    void forget();

signals:
    /// `focusHidden`: a widget of the pane that was hidden had the focus.
    void changed(bool focusHidden);

private:
    void apply(Panes before);

    QWidget& m_source;
    QWidget& m_target;
    std::optional<Panes> m_chosen;
    Panes m_suitable = Panes::Both;
};

} // namespace crosswalk::ui
