package org.onesided.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.junit.OnesidedServer;
import org.onesided.junit.TestStore;
import org.onesided.testing.ProjectFolder;

/**
 * The flags of the JVM that docs/library.md lists are those of the samples, and programs need no others.
 */
@OnesidedServer
class JvmFlagsTest
{
    private static final Pattern FLAG = Pattern.compile("`(--[a-z-]+)[ =]([^`]+?)(?:=ALL-UNNAMED)?`");

    @TempDir
    private Path directory;

    /** Flags that the page says are for anything, then also those for {@code Bytes}. */
    @Test
    void shouldListWhatTheManifestsOfTheSamplesHave() throws IOException
    {
        final Set<String> listed = new TreeSet<>();
        final Set<String> mentioned = new TreeSet<>();
        rows().forEach(row ->
        {
            if (row.flag().contains("unsafe-memory"))
            {
                mentioned.add(row.flag());
            }
            else
            {
                listed.add(row.flag());
            }
        });
        assertEquals(Set.of("--sun-misc-unsafe-memory-access allow"), mentioned);
        for (final String pom : List.of("docs/sample/pom.xml", "docs/spring-sample/pom.xml", "tools/pom.xml"))
        {
            assertEquals(listed, manifest(Files.readString(ProjectFolder.ROOT.resolve(pom))), pom);
        }
        final Set<String> ofTests = new TreeSet<>();
        final Matcher flags = Pattern.compile("(--(?:add|enable)[a-z-]+)[ =](\\S+?)(?:=ALL-UNNAMED)?\\s").matcher(
            Files.readString(ProjectFolder.ROOT.resolve("pom.xml")).replaceAll("(?s).*<jvm.flags>|</jvm.flags>.*", ""));
        while (flags.find())
        {
            ofTests.add(flags.group(1) + " " + flags.group(2));
        }
        assertEquals(listed, ofTests, "pom.xml");
    }

    /** Chronicle complains aloud where it misses a flag, and so does the JVM. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRunInSilenceWithTheFlagsOfThePage(final boolean withBytes, final TestStore store) throws Exception
    {
        final String output = run(store.address(), withBytes, rows().stream()
            .filter(row -> withBytes || !row.isForBytes()).filter(JvmFlagsTest::isKnownHere).map(Row::flag).toList());
        final String wanted = withBytes ? "true 1 true ms=\\d+\n" : "key23 2 2\n";
        assertTrue(output.matches(wanted), output);
        // Chronicle's start takes longer than all else that a client does: only who uses Bytes pays for it.
        try (Stream<String> classes = Files.lines(directory.resolve("classes")))
        {
            assertEquals(withBytes, classes.anyMatch(line -> line.contains(" net.openhft.chronicle.core.Jvm ")));
        }
    }

    private static boolean isKnownHere(final Row row)
    {
        return !row.flag().contains("unsafe-memory") || Runtime.version().feature() >= 24;
    }

    private String run(final String address, final boolean withBytes, final List<String> flags) throws Exception
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String flag : flags)
        {
            final String[] parts = flag.split(" ");
            command.add(parts[0] + "=" + parts[1] + (parts[0].startsWith("--add") ? "=ALL-UNNAMED" : ""));
        }
        command.add("-Xlog:class+load:file=" + directory.resolve("classes"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FlagsProgram.class.getName(), address,
            withBytes ? "bytes" : "anything else"));
        final Path output = directory.resolve("output");
        final Process process =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try
        {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "still running: " + Files.readString(output));
        }
        finally
        {
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), Files.readString(output));
        return Files.readString(output);
    }

    private static Set<String> manifest(final String pom)
    {
        final Set<String> flags = new TreeSet<>();
        for (final String name : List.of("Add-Exports", "Add-Opens", "Enable-Native-Access"))
        {
            final Matcher entry = Pattern.compile("<" + name + ">(.*?)</").matcher(pom);
            assertTrue(entry.find(), name);
            Stream.of(entry.group(1).trim().split("\\s+"))
                .forEach(value -> flags.add("--" + name.toLowerCase(Locale.ROOT) + " " + value));
        }
        return flags;
    }

    /** A row of the table of flags. */
    private record Row(String flag, boolean isForBytes)
    {
    }

    private static List<Row> rows() throws IOException
    {
        final String page = Files.readString(ProjectFolder.ROOT.resolve("docs/library.md"));
        final String section = page.substring(page.indexOf("## What the JVM must be told"));
        final List<Row> rows = new ArrayList<>();
        for (final String line : section.substring(0, section.indexOf("\n## ")).split("\n"))
        {
            final Matcher flag = FLAG.matcher(line);
            if (line.startsWith("| `") && flag.find())
            {
                rows.add(new Row(flag.group(1) + " " + flag.group(2), line.contains("| `Bytes` |")));
            }
        }
        assertEquals(6, rows.size(), rows.toString());
        return rows;
    }
}
