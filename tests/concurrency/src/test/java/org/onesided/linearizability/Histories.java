package org.onesided.linearizability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What all sessions of a run recorded, by key, and the check of it.
 */
final class Histories
{
    /** What the names of the sessions' files begin with. */
    static final String PREFIX = "session-";

    /** Violations that are told of; others are counted. */
    private static final int MAX_TOLD = 3;

    private Histories()
    {
    }

    /** Reads the files of all sessions in a folder. */
    static List<List<Operation>> read(final Path folder, final int keys) throws IOException
    {
        final List<List<Operation>> histories = new ArrayList<>();
        for (int i = 0; i < keys + SharedCounts.KEYS; i++)
        {
            histories.add(new ArrayList<>());
        }
        try (Stream<Path> files = Files.list(folder))
        {
            for (final Path file : files.filter(f -> f.getFileName().toString().startsWith(PREFIX)).toList())
            {
                Recorder.read(file, operation -> histories.get(operation.key()).add(operation));
            }
        }
        return histories;
    }

    /** What is wrong with them, as text. */
    static List<String> violations(
        final List<List<Operation>> histories, final int keys, final ExpiryTimes times)
    {
        final List<String> violations = Collections.synchronizedList(new ArrayList<>());
        IntStream.range(0, histories.size()).parallel().forEach(key ->
        {
            if (violations.size() < MAX_TOLD)
            {
                final Violation violation = key < keys ?
                    KeyChecker.check(histories.get(key), times) : CountChecker.check(histories.get(key));
                if (violation != null)
                {
                    violations.add(violation.text() + elsewhere(violation, histories));
                }
            }
        });
        return violations;
    }

    /** Where else a value of a violation was put. */
    private static String elsewhere(final Violation violation, final List<List<Operation>> histories)
    {
        final StringBuilder text = new StringBuilder();
        for (int key = 0; key < histories.size(); key++)
        {
            for (final Operation put : histories.get(key))
            {
                if (key != violation.key() && put.kind() == Operation.Kind.PUT && violation.history().stream()
                    .anyMatch(o -> o.isLookup() && o.value() == put.value()))
                {
                    text.append("but ").append(new Violation(key, "there it was put", List.of(put)).text());
                }
            }
        }
        return text.toString();
    }
}
