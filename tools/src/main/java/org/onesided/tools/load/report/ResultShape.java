package org.onesided.tools.load.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
     * @param tree the result.
     * @throws IllegalArgumentException if a field is missing or has the wrong type; the message names its place.
     */
    static void check(final Map<String, Object> tree)
    {
        final Part result = new Part("", tree);
        result.texts("format", "version", "start");
        result.listOfTexts("command");
        final Part machine = result.object("machine");
        machine.texts("host", "os", "cpu", "java");
        machine.numbers("cores", "memoryBytes");
        final Part settings = result.object("settings");
        settings.texts("workload", "distribution", "keyOrder", "seed");
        settings.numbers("records", "operations", "durationMs", "warmUpMs", "threads", "clients", "target",
            "fieldCount", "fieldLength");
        settings.booleans("verified");
        final Part mix = settings.object("mix");
        mix.numbers(mix.fields().keySet().toArray(String[]::new));
        final Part store = result.object("store");
        store.texts("kind", "address", "device");
        store.numbers("shards", "regionBytes");
        store.booleans("hugePages");
        result.objects("phases").forEach(ResultShape::checkPhase);
    }

    private static void checkPhase(final Part phase)
    {
        phase.texts("phase", "ending");
        phase.numbers("elapsedNs", "done", "failed", "behind", "throughput");
        phase.objects("operations").forEach(ResultShape::checkOperation);
        for (final Part interval : phase.objects("intervals"))
        {
            interval.numbers("startMs", "lengthMs");
            for (final Part operation : interval.objects("operations"))
            {
                operation.texts("operation");
                operation.numbers("count", "p50", "p99", "max");
            }
        }
        for (final Part failure : phase.objects("failures"))
        {
            failure.texts("operation", "kind", "example");
            failure.numbers("count");
        }
        final Part verification = phase.object("verification");
        verification.numbers("verified");
        for (final Part fault : verification.objects("faults"))
        {
            fault.texts("kind", "example");
            fault.numbers("count");
        }
        phase.object("client").numbers("gets", "mirrorHits", "bucketReads", "recordReads", "bytesRead", "retries",
            "rpcGets", "puts", "reconnects", "readsPerGet");
        phase.object("cpu").numbers("serverNs", "clientNs");
        phase.listOfTexts("notes");
    }

    private static void checkOperation(final Part operation)
    {
        operation.texts("operation");
        operation.numbers("count");
        final boolean isEmpty = ((Number)operation.fields().get("count")).doubleValue() == 0;
        checkDistribution(operation.object("service"), isEmpty);
        if (operation.fields().containsKey("intended"))
        {
            checkDistribution(operation.object("intended"), isEmpty);
        }
    }

    private static void checkDistribution(final Part distribution, final boolean isEmpty)
    {
        distribution.numbers("count", "mean", "max");
        final Part percentiles = distribution.object("percentiles");
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

    /** An object within the result, and its place. */
    private record Part(String path, Map<String, Object> fields)
    {
        void texts(final String... names)
        {
            require(String.class, "a text", names);
        }

        void numbers(final String... names)
        {
            require(Number.class, "a number", names);
        }

        void booleans(final String... names)
        {
            require(Boolean.class, "a boolean", names);
        }

        Part object(final String name)
        {
            return part(path + name, fields.get(name), "an object", name);
        }

        List<Part> objects(final String name)
        {
            final List<Part> parts = new ArrayList<>();
            for (final Object element : list(name))
            {
                parts.add(part(path + name + '[' + parts.size() + ']', element, "a list of objects", name));
            }
            return parts;
        }

        List<?> list(final String name)
        {
            if (fields.get(name) instanceof List<?> list)
            {
                return list;
            }
            throw lack("a list", name);
        }

        void listOfTexts(final String name)
        {
            if (!list(name).stream().allMatch(String.class::isInstance))
            {
                throw lack("a list of texts", name);
            }
        }

        @SuppressWarnings("unchecked")
        private Part part(final String where, final Object value, final String kind, final String name)
        {
            if (value instanceof Map<?, ?> map)
            {
                return new Part(where + '.', (Map<String, Object>)map);
            }
            throw lack(kind, name);
        }

        private void require(final Class<?> type, final String kind, final String... names)
        {
            for (final String name : names)
            {
                if (!type.isInstance(fields.get(name)))
                {
                    throw lack(kind, name);
                }
            }
        }

        IllegalArgumentException lack(final String kind, final String name)
        {
            return new IllegalArgumentException("result lacks " + kind + ": field=" + path + name);
        }
    }
}
