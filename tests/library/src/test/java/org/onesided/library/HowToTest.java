package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.typed.TypedStore;
import org.onesided.testing.ProjectFolder;

/**
 * The calls that docs/library.md shows beside those of Lettuce and Caffeine exist, and none of a client's is missing
 * but for those that other sections are about.
 */
class HowToTest
{
    private static final Map<String, Class<?>> TYPES = Map.of(
        "store", StoreClient.class, "async", AsyncStore.class, "users", TypedStore.class, "map", ConcurrentMap.class);
    private static final Pattern CALL = Pattern.compile("(\\w+)\\.(\\w+)\\(([^)]*)\\)");

    /** Kinds of others, and what asks about the server. */
    private static final Set<String> ELSEWHERE = Set.of(
        "getVersioned", "putIfPresent", "deleteIfVersion", "getAndDelete", "persist", "scan", "scanEntries",
        "statistics", "snapshot", "reportedStatistics", "server");

    @Test
    void shouldShowCallsThatExist() throws Exception
    {
        final Set<String> shown = new TreeSet<>();
        for (final String row : rows())
        {
            final Matcher calls = CALL.matcher(row.split("\\|")[2]);
            while (calls.find())
            {
                final Class<?> type = TYPES.get(calls.group(1));
                if (type != null)
                {
                    final int parameters = calls.group(3).isEmpty() ? 0 : calls.group(3).split(",").length;
                    assertTrue(Arrays.stream(type.getMethods()).anyMatch(method ->
                        method.getName().equals(calls.group(2)) && method.getParameterCount() == parameters),
                        calls.group());
                    shown.add(calls.group(2));
                }
            }
        }
        final Set<String> missing = Arrays.stream(StoreOperations.class.getMethods()).map(method -> method.getName())
            .filter(name -> !shown.contains(name) && !ELSEWHERE.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), missing);
    }

    private static List<String> rows() throws Exception
    {
        final String page = Files.readString(ProjectFolder.ROOT.resolve("docs/library.md"));
        final String section = page.substring(page.indexOf("## How do I"));
        final List<String> rows = section.substring(0, section.indexOf("\n## ")).lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| How do I")).toList();
        assertTrue(rows.size() > 20, rows.toString());
        rows.forEach(row -> assertEquals(5, row.chars().filter(each -> each == '|').count(), row));
        return rows;
    }
}
