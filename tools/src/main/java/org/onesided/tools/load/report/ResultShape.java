package org.onesided.tools.load.report;

import java.util.List;

/**
 * Checks that a result has all fields that are shown, with the right types. Ignores other fields.
 */
final class ResultShape
{
    private static final String[] PERCENTILES = {"50", "90", "95", "99", "99.9", "99.99"};

    private ResultShape()
    {
    }

    /**
     * @param result to check.
     * @throws IllegalArgumentException if a field is missing or has the wrong type; the message names its place.
     */
    static void check(final JsonPart result)
    {
        result.texts("format", "version", "start");
        result.listOfTexts("command");
        final JsonPart machine = result.object("machine");
        machine.texts("host", "os", "cpu", "java");
        machine.numbers("cores", "memoryBytes");
        final JsonPart settings = result.object("settings");
        settings.texts("workload", "distribution", "keyOrder", "seed");
        settings.numbers("records", "operations", "durationMs", "warmUpMs", "threads", "clients", "target",
            "fieldCount", "fieldLength");
        settings.booleans("verified");
        if (settings.fields().containsKey("readModifyWrite"))
        {
            settings.texts("readModifyWrite");
        }
        if (settings.fields().containsKey("ttlMs"))
        {
            settings.numbers("ttlMs");
        }
        final JsonPart mix = settings.object("mix");
        mix.numbers(mix.fields().keySet().toArray(String[]::new));
        final JsonPart store = result.object("store");
        store.texts("kind", "address", "device");
        store.numbers("shards", "regionBytes");
        store.booleans("hugePages");
        result.objects("phases").forEach(ResultShape::checkPhase);
    }

    private static void checkPhase(final JsonPart phase)
    {
        phase.texts("phase", "ending");
        phase.numbers("elapsedNs", "done", "failed", "behind", "throughput");
        if (phase.fields().containsKey("conflicts"))
        {
            phase.object("conflicts").numbers("puts", "givenUp");
        }
        phase.objects("operations").forEach(ResultShape::checkOperation);
        for (final JsonPart interval : phase.objects("intervals"))
        {
            interval.numbers("startMs", "lengthMs");
            if (interval.fields().containsKey("conflicts"))
            {
                interval.numbers("conflicts");
            }
            for (final JsonPart operation : interval.objects("operations"))
            {
                operation.texts("operation");
                operation.numbers("count", "p50", "p99", "max");
            }
        }
        for (final JsonPart failure : phase.objects("failures"))
        {
            failure.texts("operation", "kind", "example");
            failure.numbers("count");
        }
        final JsonPart verification = phase.object("verification");
        verification.numbers("verified");
        for (final JsonPart fault : verification.objects("faults"))
        {
            fault.texts("kind", "example");
            fault.numbers("count");
        }
        phase.object("client").numbers("gets", "mirrorHits", "bucketReads", "recordReads", "bytesRead", "retries",
            "rpcGets", "puts", "reconnects", "readsPerGet");
        phase.object("cpu").numbers("serverNs", "clientNs");
        phase.listOfTexts("notes");
    }

    private static void checkOperation(final JsonPart operation)
    {
        operation.texts("operation");
        operation.numbers("count");
        final boolean isEmpty = operation.number("count") == 0;
        checkDistribution(operation.object("service"), isEmpty);
        if (operation.fields().containsKey("intended"))
        {
            checkDistribution(operation.object("intended"), isEmpty);
        }
    }

    private static void checkDistribution(final JsonPart distribution, final boolean isEmpty)
    {
        distribution.numbers("count", "mean", "max");
        final JsonPart percentiles = distribution.object("percentiles");
        if (!isEmpty)
        {
            percentiles.numbers(PERCENTILES);
        }
        final List<?> curve = distribution.list("curve");
        final boolean isCurve = curve.stream().allMatch(point -> point instanceof List<?> pair && pair.size() == 2 &&
            pair.stream().allMatch(Number.class::isInstance));
        if (!isCurve || curve.isEmpty() && !isEmpty)
        {
            throw distribution.lack("a list of pairs of numbers", "curve");
        }
    }
}
