package org.onesided.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where a thread was when the flight recorder looked, as shares of the parts of an operation. A sample counts for the
 * part of the innermost method that is of one.
 */
final class SampledParts
{
    static final String EVENT = "jdk.ExecutionSample";
    private static final String OTHER = "caller, and what is in no part";

    /** What begins with a prefix is of a part; the first that fits counts. */
    private record Part(String prefix, String name)
    {
    }

    private static final List<Part> PARTS = List.of(
        new Part("org.onesided.protocol.table.RecordCheck", "record check"),
        new Part("org.onesided.protocol.table.KeyHash", "key hash"),
        new Part("org.onesided.client.session.Mirror", "mirror, with its misses"),
        new Part("org.onesided.client.read.MirroredSlots.find", "mirror, with its misses"),
        new Part("org.onesided.client.read.KeyGroup.fetchAhead", "mirror, with its misses"),
        new Part("org.onesided.verbs.soft.SoftCompletionChannel", "device: sleep and wake"),
        // Not apart: the processor waits for what is copied where it must, which may be in the poll behind it.
        new Part("org.onesided.verbs", "device: post, copy with its misses, poll"),
        new Part("org.onesided.server.table", "server: table"),
        new Part("org.onesided.server", "server: requests and answers"),
        new Part("org.onesided.client.session.CompletionLoop", "client: completions"),
        new Part("org.onesided.client", "client: the rest"));

    private final Map<String, Integer> counts = new TreeMap<>();
    private int total;

    private SampledParts()
    {
    }

    /**
     * @param recording  file of the flight recorder.
     * @param threadName beginning of the name of the thread that counts.
     */
    static SampledParts of(final Path recording, final String threadName) throws IOException
    {
        final SampledParts parts = new SampledParts();
        try (RecordingFile file = new RecordingFile(recording))
        {
            while (file.hasMoreEvents())
            {
                final RecordedEvent event = file.readEvent();
                final RecordedThread thread = event.getEventType().getName().equals(EVENT) ?
                    event.getThread("sampledThread") : null;
                if (thread != null && thread.getJavaName() != null && thread.getJavaName().startsWith(threadName))
                {
                    parts.counts.merge(part(event.getStackTrace().getFrames()), 1, Integer::sum);
                    parts.total++;
                }
            }
        }
        return parts;
    }

    /** Lines of a table, most first. */
    List<String> lines()
    {
        return counts.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .map(entry -> String.format("| %s | %.0f %% |", entry.getKey(), 100.0 * entry.getValue() / total))
            .toList();
    }

    int total()
    {
        return total;
    }

    private static String part(final List<RecordedFrame> frames)
    {
        for (final RecordedFrame frame : frames)
        {
            final RecordedMethod method = frame.getMethod();
            final String name = method.getType().getName() + '.' + method.getName();
            for (final Part part : PARTS)
            {
                if (name.startsWith(part.prefix()))
                {
                    return part.name();
                }
            }
        }
        return OTHER;
    }
}
