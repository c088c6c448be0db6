package org.onesided.linearizability;

import java.util.List;

/**
 * Why a key's history cannot have been.
 *
 * @param key     number of the key.
 * @param reason  in one line.
 * @param history operations that cannot be explained together, as few as were found, by their beginnings.
 */
record Violation(int key, String reason, List<Operation> history)
{
    private static final int MAX_TOLD = 60;

    /** In lines to be read by people: times in microseconds since the first operation's beginning. */
    String text()
    {
        final StringBuilder text = new StringBuilder();
        text.append("key ").append(key).append(": ").append(reason).append('\n');
        final long start = history.isEmpty() ? 0 : history.get(0).invokeNs();
        final int left = Math.max(0, history.size() - MAX_TOLD);
        if (left > 0)
        {
            text.append("  ... ").append(left).append(" before these\n");
        }
        for (final Operation operation : history.subList(left, history.size()))
        {
            text.append(String.format("  %12.3f", (operation.invokeNs() - start) / 1e3));
            text.append(operation.endNs() == Long.MAX_VALUE ? String.format(" .. %12s", "?") :
                String.format(" .. %12.3f", (operation.endNs() - start) / 1e3));
            text.append(String.format(" us  session %-4d ", operation.session())).append(words(operation));
            text.append('\n');
        }
        return text.toString();
    }

    private static String words(final Operation operation)
    {
        final String version = operation.version() == Operation.NO_VERSION ?
            "" : String.format(" version %x", operation.version());
        final long value = operation.value();
        final String done = switch (operation.kind())
        {
            case PUT -> "put " + Values.text(value);
            case GET -> "get -> " + (value == Operation.ABSENT ? "absent" : Values.text(value));
            case CONTAINS -> "contains -> " + presence(value);
            case DELETE -> "delete -> " + presence(value);
            case MEET -> "meets";
            case ADD -> "add -> " + value;
            case COUNT -> "count -> " + value;
            case ASK -> "get by request -> " + (value == Operation.ABSENT ? "absent" : Values.text(value));
            case TOUCH -> "touch -> " + presence(value);
            case TTL -> "ttl -> " + presence(value);
        };
        return done + version + condition(operation) + life(operation) + switch (operation.fate())
        {
            case DONE -> "";
            case UNKNOWN -> " (fate unknown)";
            case NOT_APPLIED -> " (reported not to have taken effect)";
        };
    }

    private static String condition(final Operation operation)
    {
        final long expected = operation.expected();
        return !operation.isWrite() || expected == Operation.ANY ? "" : " instead of " +
            (expected == Operation.ABSENT ? "nothing" : expected == Operation.PRESENT ? "any" : Values.text(expected));
    }

    private static String life(final Operation operation)
    {
        final long ttlNs = operation.ttlNs();
        return ttlNs == Operation.KEEP ? ", time kept" :
            ttlNs > 0 ? String.format(", lives for %.3f us", ttlNs / 1e3) : "";
    }

    private static String presence(final long value)
    {
        return value == Operation.ABSENT ? "was absent" : value == Operation.PRESENT ? "was present" : "done";
    }
}
