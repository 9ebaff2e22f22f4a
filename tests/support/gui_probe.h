#pragma once

#include <QApplication>
#include <QEvent>

#include <ctime>

namespace crosswalk::test {

/// CPU time of the calling thread, in seconds.
inline double threadSeconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// How many times longer events take in this build.
#if defined(__SANITIZE_THREAD__)
inline constexpr double probeSlowdown = 15;
#elif defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
inline constexpr double probeSlowdown = 6;
#else
inline constexpr double probeSlowdown = 1;
#endif

/// An application that records the event with the longest processing time in the GUI thread. Measures CPU time, so that
/// other programs on the machine do not affect it.
class ProbedApplication final : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth++ > 0) {
            const bool result = QApplication::notify(receiver, event);
            --m_depth;
            return result;
        }
        const auto type = event->type();
        const QByteArray who = receiver->metaObject()->className() + QByteArray(" ") + receiver->objectName().toUtf8();
        const double start = threadSeconds();
        const bool result = QApplication::notify(receiver, event);
        const double took = threadSeconds() - start;
        --m_depth;
        if (took > m_longest) {
            m_longest = took;
            m_culprit = who + " event " + QByteArray::number(type);
        }
        return result;
    }

    void reset()
    {
        m_longest = 0;
        m_culprit.clear();
    }
    double longest() const { return m_longest; }
    const QByteArray& culprit() const { return m_culprit; }

private:
    int m_depth = 0;
    double m_longest = 0;
    QByteArray m_culprit;
};

/// The application of a test whose main() makes a ProbedApplication.
inline ProbedApplication& probe()
{
    return static_cast<ProbedApplication&>(*QCoreApplication::instance());
}

} // namespace crosswalk::test
