#include "ui/collection/model_verdict.h"

#include "ui/models/words.h"

namespace crosswalk::ui {

ModelVerdict modelVerdict(const std::optional<ModelOutcome>& outcome)
{
    if (!outcome) {
        return ModelVerdict::Unchecked;
    }
    switch (outcome->outcome) {
    case Outcome::Converted:
        return outcome->verdict == "approximate"  ? ModelVerdict::Approximate
               : outcome->verdict == "decomposed" ? ModelVerdict::Decomposed
                                                  : ModelVerdict::Exact;
    case Outcome::Refused:
        return ModelVerdict::Refused;
    case Outcome::BadInput:
        return ModelVerdict::BadInput;
    case Outcome::NotWritable:
        return ModelVerdict::NotWritable;
    case Outcome::TimedOut:
        return ModelVerdict::TimedOut;
    case Outcome::OutOfMemory:
        return ModelVerdict::OutOfMemory;
    case Outcome::Crashed:
        return ModelVerdict::Crashed;
    case Outcome::Cancelled:
        return ModelVerdict::Unchecked;
    }
    return ModelVerdict::Unchecked;
}

QString modelVerdictWord(ModelVerdict verdict)
{
    switch (verdict) {
    case ModelVerdict::Exact:
        return verdictWord(Verdict::Exact);
    case ModelVerdict::Decomposed:
        return verdictWord(Verdict::Decomposed);
    case ModelVerdict::Approximate:
        return verdictWord(Verdict::Approximate);
    case ModelVerdict::Refused:
        return Words::tr("not convertible");
    case ModelVerdict::BadInput:
        return Words::tr("bad input");
    case ModelVerdict::NotWritable:
        return Words::tr("not writable");
    case ModelVerdict::TimedOut:
        return Words::tr("timed out");
    case ModelVerdict::OutOfMemory:
        return Words::tr("out of memory");
    case ModelVerdict::Crashed:
        return Words::tr("crashed");
    case ModelVerdict::Unchecked:
        return Words::tr("not checked");
    }
    return {};
}

QIcon modelVerdictIcon(ModelVerdict verdict)
{
    switch (verdict) {
    case ModelVerdict::Exact:
        return icon(QLatin1String("check"), IconTint::Exact);
    case ModelVerdict::Decomposed:
        return icon(QLatin1String("branches"), IconTint::Decomposed);
    case ModelVerdict::Approximate:
        return icon(QLatin1String("wave"), IconTint::Approximate);
    case ModelVerdict::Refused:
        return icon(QLatin1String("cross"), IconTint::Unsupported);
    case ModelVerdict::Unchecked:
        return icon(QLatin1String("dot"), IconTint::Folded);
    default:
        return icon(QLatin1String("warning"), IconTint::Unsupported);
    }
}

} // namespace crosswalk::ui
