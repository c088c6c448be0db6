package org.onesided.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onesided.testing.ProjectFolder;

/**
 * The tables of docs/running.md on what the server's log says: each line in them is in the code, and each line of the
 * code in them.
 */
class LogLinesTest
{
    private static final Path PAGE = ProjectFolder.ROOT.resolve("docs/running.md");
    private static final String SERVER = "store-server/src/main/java";
    private static final String TOOLS = "tools/src/main/java/org/onesided/tools/";
    private static final Pattern LOGGING = Pattern.compile("(?:LOGGER|logger\\(\\))\\.(info|warn|error)\\(");
    private static final String LITERAL = "\"((?:[^\"\\\\]|\\\\.)*)\"";
    private static final Pattern TEXT = Pattern.compile(LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*");
    private static final Pattern DATA = Pattern.compile(":? [\\w-]+=\\{}.*|: \\{}.*");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern REFUSAL = Pattern.compile("(?m)^    ([A-Z_]+)\\(RefusalCode\\.");

    @Test
    void shouldTellOfEachLineOfTheLog() throws IOException
    {
        final Map<String, Boolean> told = new LinkedHashMap<>();
        for (final String[] row : rows("lines"))
        {
            codes(row[1]).forEach((line) -> assertEquals(null, told.put(row[0] + " " + line, false), line));
        }
        final Set<String> untold = new TreeSet<>();
        for (final String line : lines())
        {
            final List<String> about = told.keySet().stream().filter(line::startsWith).toList();
            about.forEach((each) -> told.put(each, true));
            if (about.isEmpty())
            {
                untold.add(line);
            }
        }

        assertEquals(Set.of(), untold, "not in " + PAGE);
        told.values().removeIf((isThere) -> isThere);
        assertEquals(Set.of(), told.keySet(), "not in the code");
    }

    @Test
    void shouldTellOfEachCodeOfARefusal() throws IOException
    {
        final Set<String> told = new TreeSet<>();
        for (final String[] row : rows("codes"))
        {
            told.addAll(codes(row[0]));
        }
        final Set<String> there = REFUSAL
            .matcher(Files.readString(ProjectFolder.ROOT.resolve(SERVER + "/org/onesided/server/session/Refusal.java")))
            .results().map((match) -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));

        assertFalse(there.isEmpty());
        assertEquals(there, told);
    }

    @Test
    void shouldTellOfReasonsThatThereAre() throws IOException
    {
        final List<String> texts = new ArrayList<>();
        for (final Path source : sources(SERVER, "store-protocol/src/main/java/org/onesided/verbs/DeviceWatch.java"))
        {
            TEXT.matcher(Files.readString(source)).results().forEach((match) -> texts.add(joined(match.group())));
        }
        for (final String[] row : rows("reasons"))
        {
            for (final String reason : codes(row[0]))
            {
                assertTrue(texts.stream().anyMatch((text) -> text.startsWith(reason)), reason);
            }
        }
    }

    /** What the server logs: level, and text without the data at its end. */
    private static Set<String> lines() throws IOException
    {
        final Set<String> lines = new TreeSet<>();
        for (final Path source : sources(SERVER, TOOLS + "metrics", TOOLS + "kvctl/server"))
        {
            final String code = Files.readString(source);
            final Matcher text = TEXT.matcher(code);
            for (final Matcher call = LOGGING.matcher(code); call.find();)
            {
                assertTrue(text.find(call.end()) && code.substring(call.end(), text.start()).isBlank(),
                    "a log's line must begin with its text: " + source + " at " + call.group());
                lines.add(call.group(1).toUpperCase(Locale.ROOT) + " " +
                    DATA.matcher(joined(text.group())).replaceFirst("").replace("{}", "..."));
            }
        }
        return lines;
    }

    private static String joined(final String literals)
    {
        return Pattern.compile(LITERAL).matcher(literals).results().map((match) -> match.group(1))
            .collect(Collectors.joining());
    }

    private static List<Path> sources(final String... folders) throws IOException
    {
        final List<Path> sources = new ArrayList<>();
        for (final String folder : folders)
        {
            try (Stream<Path> files = Files.walk(ProjectFolder.ROOT.resolve(folder)))
            {
                files.filter((file) -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    /** A table's rows, without its head. */
    private static List<String[]> rows(final String name) throws IOException
    {
        final String page = Files.readString(PAGE);
        final int begin = page.indexOf("<!-- " + name + " of the log: ");
        final int end = page.indexOf("<!-- end of " + name + " of the log -->");
        assertTrue(begin >= 0 && end > begin, PAGE + " has no table of the log's " + name);
        final List<String[]> rows = page.substring(begin, end).lines()
            .filter((line) -> line.startsWith("| "))
            .skip(1)
            .map((line) -> line.substring(2).split(" \\| "))
            .toList();
        assertFalse(rows.isEmpty());
        return rows;
    }

    private static List<String> codes(final String cell)
    {
        return CODE.matcher(cell).results().map((match) -> match.group(1)).toList();
    }
}
