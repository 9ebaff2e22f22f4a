#pragma once

#include "tests/support/paths.h"
#include "tests/support/temporary_files.h"
#include "ui/canvas/canvas_view.h"
#include "ui/main_window/bottom_area.h"
#include "ui/main_window/main_window.h"
#include "ui/theme/fonts.h"

#include <QAbstractItemView>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QtTest>

#include <map>

namespace crosswalk::test {

inline QString exampleModel(const char* name)
{
    return (sourceFolder() + QStringLiteral("/resources/examples/%1/model-symbol.json")).arg(QLatin1String(name));
}

/// The window, shown and driven by mouse and keys.
class DrivenWindow {
public:
    static constexpr int patience = 60000; ///< milliseconds, for a loaded machine under a sanitizer

    explicit DrivenWindow(std::unique_ptr<QSettings> settings = nullptr, QSize size = {1440, 900})
        : window(std::move(settings))
    {
        window.setAnimated(false);
        window.resize(size);
        window.show();
        window.activateWindow();
        QCoreApplication::processEvents();
    }

    /// Until nothing runs and everything is shown.
    bool settle()
    {
        QCoreApplication::processEvents(); // a cell that was left by Enter asks for its change through the queue
        const bool idle = QTest::qWaitFor([this] { return window.isIdle(); }, patience);
        QCoreApplication::processEvents();
        return idle;
    }
    bool open(const QString& path)
    {
        window.openModel(path);
        return settle();
    }
    ui::Document& document() { return window.document(); }

    template <typename Widget>
    Widget* find(const char* name)
    {
        // What was replaced lives on, hidden, until the event loop has deleted it.
        const auto all = window.findChildren<Widget*>(QLatin1String(name));
        for (auto* widget : all) {
            if constexpr (std::is_base_of_v<QWidget, Widget>) {
                if (widget->isVisible()) {
                    return widget;
                }
            }
        }
        if (all.isEmpty()) {
            qFatal("there is no %s", name);
        }
        return all.front();
    }
    /// Of a panel with new contents: a layout of wrapped texts takes several rounds of events, and until then the
    /// button may have no height.
    void clickButton(const char* name)
    {
        QTRY_VERIFY(!find<QPushButton>(name)->size().isEmpty());
        QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton);
    }
    QString text(const char* label) { return find<QLabel>(label)->text(); }
    bool isShown(const char* name) { return find<QWidget>(name)->isVisible(); }
    /// The tab of a dock that stands behind others.
    void showDock(const char* name)
    {
        find<QDockWidget>(name)->show();
        find<QDockWidget>(name)->raise();
        window.findChild<ui::BottomArea*>()->reveal(*find<QDockWidget>(name));
        QCoreApplication::processEvents();
    }

    std::optional<std::uint32_t> boxNamed(ui::Side side, std::string_view name)
    {
        const auto& graphSide = document().side(side);
        for (std::uint32_t i = 0; graphSide && i < graphSide->scene->nodes.size(); ++i) {
            if (graphSide->label(i) == name) {
                return i;
            }
        }
        return std::nullopt;
    }
    /// Clicks the middle of a box, after scrolling to it.
    void clickNode(ui::Side side, std::uint32_t box)
    {
        auto* canvas = window.canvas(side);
        const auto drawn = canvas->drawnScene()->drawnAs(box);
        canvas->reveal({drawn});
        const QPointF middle = canvas->drawnScene()->index.box(drawn).center();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->transform().toView(middle).toPoint());
        QCoreApplication::processEvents();
    }
    void clickNode(ui::Side side, std::string_view name)
    {
        const auto box = boxNamed(side, name);
        QVERIFY2(box, std::string(name).c_str());
        clickNode(side, *box);
    }
    std::vector<std::string> labels(ui::Side side, const std::vector<std::uint32_t>& boxes)
    {
        std::vector<std::string> names;
        for (const auto box : boxes) {
            names.push_back(document().side(side)->label(box));
        }
        return names;
    }
    std::string operatorOf(ui::Side side, std::uint32_t box) { return document().side(side)->box(box).title; }

    /// A cell of a table, by the text of one in its row, and the column.
    QModelIndex cell(const char* table, const QString& rowText, int column)
    {
        const auto* model = find<QAbstractItemView>(table)->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, 0).data().toString() == rowText) {
                return model->index(row, column);
            }
        }
        return {};
    }
    void clickCell(const char* table, const QModelIndex& index, bool twice = false)
    {
        QVERIFY(index.isValid());
        auto* view = find<QAbstractItemView>(table);
        view->scrollTo(index);
        const QPoint place = view->visualRect(index).center();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, place);
        if (twice) {
            QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, place);
        }
    }
    /// The editor of the cell that is being edited.
    QLineEdit* editor() { return window.findChild<QLineEdit*>(QStringLiteral("shapeEditor")); }
    /// Opens the editor of an input's shape with all of its text selected.
    QLineEdit* editShape(const QString& input)
    {
        showDock("inputsDock");
        clickCell("inputsTable", cell("inputsTable", input, 2), true);
        if (editor() == nullptr) {
            qFatal("the shape cannot be edited");
        }
        editor()->selectAll();
        return editor();
    }
    /// Types another shape for an input.
    void giveShape(const QString& input, const QString& shape)
    {
        auto* field = editShape(input);
        QTest::keyClicks(field, shape);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(settle());
    }
    /// Clicks the button of a strategy in the node's panel.
    void pick(const char* strategy)
    {
        auto* button = find<QRadioButton>(strategy);
        QVERIFY(button->isVisible());
        QCoreApplication::processEvents(); // the cards take their places
        find<QScrollArea>("nodeHead")->ensureWidgetVisible(button);
        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(8, button->height() / 2));
        QVERIFY(settle());
    }
    void undo()
    {
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settle());
    }
    /// How often each operator stands in what a side draws.
    std::map<std::string, int> operators(ui::Side side)
    {
        std::map<std::string, int> counts;
        for (const auto& box : window.canvas(side)->drawnScene()->scene.nodes) {
            if (box.kind == SceneNode::Kind::Operator) {
                ++counts[box.title];
            }
        }
        return counts;
    }
    /// The value of a row in a details tree, by its name.
    QModelIndex detailIndex(const char* tree, const QString& name)
    {
        const auto* model = find<QAbstractItemView>(tree)->model();
        for (int section = 0; section < model->rowCount(); ++section) {
            const QModelIndex parent = model->index(section, 0);
            for (int row = 0; row < model->rowCount(parent); ++row) {
                if (model->index(row, 0, parent).data().toString() == name) {
                    return model->index(row, 1, parent);
                }
            }
        }
        return {};
    }
    /// "num_hidden" gives "10".
    QString detail(const char* tree, const QString& name) { return detailIndex(tree, name).data().toString(); }
    void clickDetail(const char* tree, const QString& name)
    {
        clickCell(tree, detailIndex(tree, name));
        QCoreApplication::processEvents();
    }

    /// Puts a path into the file dialog of this name and takes it.
    void answerFileDialog(const char* name, const QString& path)
    {
        QTRY_VERIFY(window.findChild<QDialog*>(QLatin1String(name)) != nullptr);
        auto* dialog = window.findChild<QDialog*>(QLatin1String(name));
        auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(field != nullptr);
        field->setText(path); // as pasted: typing would have the dialog complete each letter
        for (auto* button : dialog->findChild<QDialogButtonBox*>()->buttons()) {
            if (dialog->findChild<QDialogButtonBox*>()->buttonRole(button) == QDialogButtonBox::AcceptRole) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        }
        QTRY_VERIFY(window.findChild<QDialog*>(QLatin1String(name)) == nullptr);
        window.activateWindow(); // as window managers do
    }

    /// Ctrl+E, and a name for the file.
    void exportTo(const QString& path)
    {
        QSignalSpy exported(&document().exporter(), &ui::Exporter::exported);
        QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
        answerFileDialog("exportDialog", path);
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, patience);
        QVERIFY(QFileInfo::exists(path));
    }

    /// Drops files on the window.
    void drop(const QStringList& paths)
    {
        QMimeData mime;
        QList<QUrl> urls;
        std::transform(paths.begin(), paths.end(), std::back_inserter(urls), &QUrl::fromLocalFile);
        mime.setUrls(urls);
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({200, 200}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&window, &drop);
    }

    /// Keeps a picture of the window as it is.
    void keepPicture(const QString& name)
    {
        QCoreApplication::processEvents(); // layouts that wait
        const QString folder = artifactsFolder();
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
    }

    ui::MainWindow window;
};

/// The bundled font, one theme and plain numbers, so that windows look alike everywhere.
inline void prepareWindows()
{
    ui::loadFonts();
    ui::applyTheme(ui::ThemeChoice::Light);
    QLocale::setDefault(QLocale::c());
}

} // namespace crosswalk::test
