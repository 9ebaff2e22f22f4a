#pragma once

#include "core/graph/attributes.h"
#include "core/graph/operator_info.h"
#include "ui/document/document.h"
#include "ui/models/shape_text.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QStatusBar>
#include <QTabBar>
#include <QTranslator>

namespace crosswalk::test {

/// Puts brackets around every text that goes through a translator, and leaves what is filled in outside of them:
/// "Reading %1" becomes "[Reading ]%1", with brackets that no model has. Filters of file dialogs are one text each.
class BracketTranslator final : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* /*comment*/, int /*n*/) const override
    {
        contexts.insert(QString::fromUtf8(context));
        static const QRegularExpression filledIn(QStringLiteral("%L?(?:\\d|n)|;;"));
        const QString text = QString::fromUtf8(source);
        QString marked;
        qsizetype at = 0;
        for (auto found = filledIn.globalMatch(text); found.hasNext();) {
            const auto place = found.next();
            marked += bracketed(text.mid(at, place.capturedStart() - at)) + place.captured();
            at = place.capturedEnd();
        }
        return marked + bracketed(text.mid(at));
    }

    mutable QSet<QString> contexts;

private:
    static QString bracketed(const QString& text)
    {
        return text.isEmpty() ? text : QChar(0x27e6) + text + QChar(0x27e7);
    }
};

inline const QRegularExpression& letters()
{
    static const QRegularExpression words(QStringLiteral("\\p{L}{2,}"));
    return words;
}

/// What is shown as it is: names of a model, and what core says of it.
class ModelWords {
public:
    /// Each word alone may be part of a text.
    void add(const QString& names)
    {
        for (auto found = letters().globalMatch(names); found.hasNext();) {
            m_words.insert(found.next().captured().toLower());
        }
    }
    void add(std::string_view names) { add(ui::fromUtf8(names)); }
    /// Sentences are so as a whole only: their words are those of the window, too.
    void addSentences(const std::string& text)
    {
        static const QRegularExpression ends(QStringLiteral("\\. |\\n"));
        for (const QString& sentence : ui::fromUtf8(text).split(ends)) {
            if (sentence.size() > 2) {
                m_sentences.insert(-sentence.size(), sentence);
                m_sentences.insert(-sentence.size(), sentence.toHtmlEscaped());
            }
        }
    }
    void add(const Graph& graph)
    {
        for (const auto& text : {graph.producer, graph.version, graph.name}) {
            add(text);
        }
        for (const auto& [key, text] : graph.metadata) {
            add(key);
            add(text);
        }
        for (const Value& value : graph.values()) {
            add(value.name);
            add(toString(value.type));
        }
        for (const Node& node : graph.nodes()) {
            add(node.op);
            add(node.name);
            const OperatorDoc doc = operatorInfo(graph, node).doc(graph, node);
            addSentences(doc.text);
            for (const auto& attribute : doc.attributes) {
                add(attribute.name);
                add(attribute.defaultValue);
                addSentences(attribute.text);
            }
            for (const Attribute& attribute : node.attributes) {
                add(attribute.name);
                if (const auto* text = textOf(attribute)) {
                    add(*text);
                }
            }
        }
        for (const auto& body : graph.subgraphs) {
            add(*body);
        }
    }
    void add(const ui::Document& document)
    {
        for (const auto* model : {document.loaded(), document.compared()}) {
            if (model != nullptr) {
                add(model->path.string());
                add(model->weights.string());
            }
        }
        for (const auto side : {ui::Side::Source, ui::Side::Target}) {
            if (const auto& graphSide = document.side(side)) {
                add(*graphSide->graph);
                for (const SceneNode& box : graphSide->scene->nodes) {
                    if (box.kind == SceneNode::Kind::Operator) {
                        add(box.title);
                    }
                }
            }
        }
        if (document.compared() != nullptr) {
            for (const auto& differences : document.converted()->diff->differences) {
                for (const Difference& difference : differences) {
                    const std::size_t name = difference.what.find(' ');
                    add(name != std::string::npos ? difference.what.substr(name) : std::string());
                }
            }
        }
        for (const Diagnostic& problem : document.problems()) {
            add(problem.attribute);
            addSentences(problem.message);
            addSentences(problem.hint);
            for (const Choice& choice : problem.choices) {
                addSentences(choice.cost);
            }
        }
    }
    /// What is left of a text without markup, translations and what is of the model.
    QStringList wordsNotOfIt(QString text) const
    {
        static const QRegularExpression markup(QStringLiteral("<[^>]*>|&[a-z]+;"));
        static const QRegularExpression translated(QStringLiteral("\u27e6[^\u27e6\u27e7]*\u27e7"));
        text.remove(QChar(0x200B)); // where a name may be broken
        text.replace(u'\n', u' ');  // where a tool tip is broken
        text.replace(translated, QStringLiteral(" "));
        for (const QString& sentence : m_sentences) { // the longest first
            text.replace(sentence, QStringLiteral(" "), Qt::CaseInsensitive);
        }
        if (Qt::mightBeRichText(text)) {
            text.replace(markup, QStringLiteral(" "));
        }
        text.remove(u'&');
        QStringList left;
        for (auto found = letters().globalMatch(text); found.hasNext();) {
            if (const QString word = found.next().captured(); !m_words.contains(word.toLower())) {
                left.append(word);
            }
        }
        return left;
    }

private:
    QSet<QString> m_words;
    QMultiMap<qsizetype, QString> m_sentences;
};

/// Every text of the widgets that there are, shown or not, as "where: text".
class VisibleTexts {
public:
    VisibleTexts()
    {
        for (const auto* widget : QApplication::allWidgets()) {
            look(*widget);
        }
    }

    /// "where: text" of each that neither went through the translator nor is of the model.
    QSet<QString> untranslated(const ModelWords& content) const
    {
        QSet<QString> found;
        for (const auto& [where, text] : m_texts) {
            if (const QStringList left = content.wordsNotOfIt(text); !left.isEmpty()) {
                found.insert(QStringLiteral("%1: %2: %3").arg(where, left.mid(0, 6).join(u' '), text.left(200)));
            }
        }
        return found;
    }

    /// Pairs of where and text.
    const QList<std::pair<QString, QString>>& all() const { return m_texts; }

private:
    static constexpr int maxRows = 60;

    void take(const QObject& object, const char* what, const QString& text)
    {
        if (!text.isEmpty()) {
            const QString name = object.objectName().isEmpty() ? QString::fromLatin1(object.metaObject()->className())
                                                               : object.objectName();
            m_texts.append({name + u' ' + QLatin1String(what), text});
        }
    }
    void look(const QWidget& widget)
    {
        if (widget.isWindow() || qobject_cast<const QDialog*>(&widget) != nullptr || widget.inherits("QDockWidget")) {
            take(widget, "title", widget.windowTitle());
        }
        take(widget, "tool tip", widget.toolTip());
        take(widget, "status tip", widget.statusTip());
        take(widget, "what's this", widget.whatsThis());
        take(widget, "accessible name", widget.accessibleName());
        take(widget, "accessible description", widget.accessibleDescription());
        for (const auto* action : widget.actions()) {
            take(*action, "action", action->text());
            take(*action, "icon text", action->iconText());
            take(*action, "action tool tip", action->toolTip());
        }
        if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
            take(widget, "button", button->text());
        } else if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
            take(widget, "label", label->text());
        } else if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) {
            take(widget, "placeholder", field->placeholderText());
        } else if (const auto* group = qobject_cast<const QGroupBox*>(&widget)) {
            take(widget, "group", group->title());
        } else if (const auto* menu = qobject_cast<const QMenu*>(&widget)) {
            take(widget, "menu", menu->title());
        } else if (const auto* status = qobject_cast<const QStatusBar*>(&widget)) {
            take(widget, "status", status->currentMessage());
        } else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
            for (int i = 0; i < tabs->count(); ++i) {
                take(widget, "tab", tabs->tabText(i));
                take(widget, "tab's tool tip", tabs->tabToolTip(i));
            }
        } else if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) {
            for (int i = 0; i < choice->count(); ++i) {
                take(widget, "choice", choice->itemText(i));
            }
        } else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
            look(*view, QModelIndex());
        }
    }
    void look(const QAbstractItemView& view, const QModelIndex& parent)
    {
        // What a file dialog lists are files; a header has the model of its table.
        const auto* model = view.model();
        if (model == nullptr || model->inherits("QFileSystemModel") || view.inherits("QSidebar") ||
            view.inherits("QHeaderView")) {
            return;
        }
        for (int column = 0; column < model->columnCount(parent); ++column) {
            take(view, "header", model->headerData(column, Qt::Horizontal).toString());
            for (int row = 0; row < std::min(model->rowCount(parent), maxRows); ++row) {
                const QModelIndex cell = model->index(row, column, parent);
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole,
                                       Qt::AccessibleDescriptionRole, Qt::StatusTipRole}) {
                    take(view, "cell", cell.data(role).toString());
                }
                if (column == 0 && model->rowCount(cell) > 0) {
                    look(view, cell);
                }
            }
        }
    }

    QList<std::pair<QString, QString>> m_texts;
};

} // namespace crosswalk::test
