#include "core/report/collection_html.h"

#include "core/base/diagnostic.h"
#include "core/base/output_file.h"
#include "core/base/readable.h"
#include "core/base/text_file.h"
#include "core/report/html_page.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t listedLimit = 200; ///< models of a gap or an architecture that are listed by name

/// A path as a URL: every byte that is not allowed in one is written as %XX.
std::string urlOf(std::string_view path)
{
    std::string url;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                             (byte >= '0' && byte <= '9') ||
                             std::string_view("/-_.~").find(c) != std::string_view::npos;
        url += isPlain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return url;
}

std::string link(const std::string& base, const std::string& path, std::string_view text)
{
    const std::string whole = base.empty() ? path : base + "/" + path;
    return fmt::format("<a href=\"{}\">{}</a>", urlOf(whole), htmlText(text));
}

std::string_view classOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Converted:
        return "note";
    case Outcome::Refused:
    case Outcome::Cancelled:
        return "warning";
    default:
        return "error";
    }
}

std::string names(const CollectionReport& report, const std::vector<std::size_t>& models)
{
    std::string text = fmt::format("<details><summary>{}</summary>", counted(models.size(), "model"));
    for (std::size_t i = 0; i < std::min(models.size(), listedLimit); ++i) {
        text += fmt::format("<a href=\"#m{}\"><code>{}</code></a><br>", models[i],
                            htmlText(report.models[models[i]].model));
    }
    if (models.size() > listedLimit) {
        text += fmt::format("and {} more", models.size() - listedLimit);
    }
    return text + "</details>";
}

std::string summary(const CollectionReport& report)
{
    std::string text = counted(report.models.size(), "model");
    const auto counts = report.counts();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0) {
            text += fmt::format(", {} {}", counts[i], outcomeName(static_cast<Outcome>(i)));
        }
    }
    return fmt::format("<p class=\"about\">{}</p>\n", text);
}

std::string gaps(const CollectionReport& report)
{
    std::string rows;
    for (const Gap& gap : report.gaps()) {
        rows += fmt::format("<tr><td>{}</td><td><code>{}</code></td><td><code>{}</code></td><td>{}</td></tr>\n",
                            names(report, gap.models), htmlText(gap.op), htmlText(gap.code), htmlText(gap.message));
    }
    return rows.empty() ? std::string()
                        : "<h2>What blocks models</h2>\n<table><tr><th>Blocks</th><th>Operator</th><th>Code</th>"
                          "<th>Problem of the first one</th></tr>\n" +
                              rows + "</table>\n";
}

std::string architectures(const CollectionReport& report)
{
    std::string rows;
    for (const Architecture& architecture : report.architectures()) {
        if (architecture.models.size() > 1) {
            const ModelOutcome& first = report.models[architecture.models.front()];
            rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n",
                                names(report, architecture.models), htmlText(first.format),
                                counted(first.nodes, "operator"), htmlText(architecture.hash));
        }
    }
    return rows.empty() ? std::string()
                        : "<h2>Equal architectures</h2>\n<p>Models that differ in their weights only.</p>\n"
                          "<table><tr><th>Models</th><th>Format</th><th>Size</th><th>Hash</th></tr>\n" +
                              rows + "</table>\n";
}

std::string problems(const ModelOutcome& model)
{
    std::string text;
    for (const ReportedProblem& problem : model.problems) {
        text += fmt::format("<div><span class=\"{0}\">{0}</span> {1}{2}{3}</div>", severityName(problem.severity),
                            problem.node.empty() ? "" : "<code>" + htmlText(problem.node) + "</code>: ",
                            htmlText(problem.message), problem.hint.empty() ? "" : " (" + htmlText(problem.hint) + ")");
    }
    if (model.problems.size() > 1) {
        text =
            fmt::format("<details><summary>{}</summary>{}</details>", counted(model.problems.size(), "problem"), text);
    }
    return text;
}

std::string models(const CollectionReport& report)
{
    std::string rows;
    for (std::size_t i = 0; i < report.models.size(); ++i) {
        const ModelOutcome& model = report.models[i];
        std::string links;
        if (!model.output.empty()) {
            links += link(report.folder, model.output, "ONNX");
        }
        if (!model.report.empty()) {
            links += (links.empty() ? "" : " ") + link(report.folder, model.report, "report");
        }
        rows += fmt::format("<tr id=\"m{}\"><td><code>{}</code></td><td class=\"{}\">{}</td><td>{}</td><td>{}</td>"
                            "<td>{:.2f} s</td><td>{}</td><td>{}</td></tr>\n",
                            i, htmlText(model.model), classOf(model.outcome), outcomeName(model.outcome),
                            htmlText(model.format), model.nodes == 0 ? std::string() : readableCount(model.nodes),
                            model.seconds, links, problems(model));
    }
    return "<h2>Models</h2>\n<table><tr><th>Model</th><th>Outcome</th><th>Format</th><th>Operators</th><th>Time</th>"
           "<th></th><th>Problems</th></tr>\n" +
           rows + "</table>\n";
}

} // namespace

std::string collectionHtml(const CollectionReport& report)
{
    return htmlHead("Conversion of a collection to ONNX") + summary(report) + gaps(report) + architectures(report) +
           models(report) + htmlFoot();
}

void expectReportName(const fs::path& path)
{
    if (path.extension() != ".json" && path.extension() != ".html") {
        throw ModelError("usage", fmt::format("{}: a report of a collection is a .json or .html file", path.string()));
    }
}

void expectWritableReport(const fs::path& path)
{
    const OutputFile withoutName(path);
}

void writeCollectionReport(CollectionReport report, const fs::path& path, const fs::path& output)
{
    expectReportName(path);
    const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
    const fs::path base =
        output.empty() ? fs::path() : fs::absolute(output).lexically_normal().lexically_relative(folder);
    report.folder = base == "." ? std::string() : base.generic_string();
    writeTextFile(path, path.extension() == ".json" ? reportJson(report) : collectionHtml(report));
}

} // namespace crosswalk
