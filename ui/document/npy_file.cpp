#include "ui/document/npy_file.h"

#include "core/base/changed_files.h"
#include "core/base/diagnostic.h"
#include "core/formats/model_files.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <QSaveFile>

#include <optional>

namespace crosswalk::ui {
namespace {

std::optional<QByteArray> numpyType(ElementType type)
{
    switch (type) {
    case ElementType::Float32:
        return "<f4";
    case ElementType::Float16:
        return "<f2";
    case ElementType::Float64:
        return "<f8";
    case ElementType::Int8:
        return "|i1";
    case ElementType::UInt8:
        return "|u1";
    case ElementType::Int16:
        return "<i2";
    case ElementType::UInt16:
        return "<u2";
    case ElementType::Int32:
        return "<i4";
    case ElementType::UInt32:
        return "<u4";
    case ElementType::Int64:
        return "<i8";
    case ElementType::UInt64:
        return "<u8";
    case ElementType::Bool:
        return "|b1";
    default:
        return std::nullopt;
    }
}

QByteArray header(const QByteArray& type, const std::vector<std::int64_t>& dims)
{
    QByteArray shape;
    for (const auto dim : dims) {
        shape += QByteArray::number(static_cast<qlonglong>(dim)) + ", ";
    }
    QByteArray text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape.trimmed() + "), }";
    // Magic, version and length take ten bytes; the header is padded to a multiple of 64 and ends with a line break.
    constexpr qsizetype prefix = 10;
    constexpr qsizetype grain = 64;
    text += QByteArray((grain - (prefix + text.size() + 1) % grain) % grain, ' ') + '\n';
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(text.size() & 0xff);
    bytes += static_cast<char>(text.size() >> 8);
    return bytes + text;
}

} // namespace

QString writeNpy(const Tensor& tensor, const QString& path, const std::vector<std::filesystem::path>& sources)
{
    try {
        expectNoneOf(sources, path.toStdString());
        Tensor written = tensor;
        auto type = numpyType(tensor.type());
        if (!type && isNumeric(tensor.type())) {
            written = tensor.converted(ElementType::Float32);
            type = numpyType(ElementType::Float32);
        }
        if (!type) {
            return Words::tr("NumPy does not support the type %1").arg(typeText({tensor.type(), std::nullopt}));
        }
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly)) {
            return file.errorString();
        }
        file.write(header(*type, written.dims()));
        bool isWritten = true;
        written.stream([&](std::span<const std::byte> bytes) {
            isWritten = file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())) ==
                        static_cast<qint64>(bytes.size());
            return isWritten;
        });
        expectUnchanged(sources); // lost parts read as zeros
        return isWritten && file.commit() ? QString() : file.errorString();
    } catch (const ModelError& error) {
        return messageText(error.diagnostic.message);
    }
}

} // namespace crosswalk::ui
