package org.onesided.linearizability.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes to sources, by their exact text:
 *
 * <pre>{@code
 * what it is, in a line
 * # how it shows
 * failure what else than a violation shows it: a part of the line that tells of it
 * test store-server org.onesided.server...Test#shouldDoSomething
 * file store-server/src/main/java/...
 * <<<<
 * lines that the file has once
 * ====
 * lines in their place
 * >>>>
 * }</pre>
 *
 * <p>A mutation that names a test is shown by that test; the others show in runs of the linearizability test.
 *
 * @param name    of the mutation.
 * @param title   what it is.
 * @param failure of a run by which it counts as caught, as text that it has; null where only a violation counts.
 * @param test    that must fail with it; null where runs must find it.
 * @param hunks   changes to each file, by its path in the project.
 */
record Mutation(String name, String title, String failure, NamedTest test, Map<String, List<Hunk>> hunks)
{
    private static final String SUFFIX = ".txt";
    private static final String FAILURE = "failure ";
    private static final String TEST = "test ";

    /** One text in place of another. */
    record Hunk(String before, String after)
    {
    }

    static Mutation read(final Path file) throws IOException
    {
        final Map<String, List<Hunk>> hunks = new LinkedHashMap<>();
        final Iterator<String> lines = Files.readAllLines(file).iterator();
        final String title = lines.next();
        String failure = null;
        NamedTest test = null;
        String source = null;
        while (lines.hasNext())
        {
            final String line = lines.next();
            if (line.startsWith("file "))
            {
                source = line.substring("file ".length());
            }
            else if (line.startsWith(FAILURE) && line.length() > FAILURE.length() && source == null)
            {
                failure = line.substring(FAILURE.length());
            }
            else if (line.startsWith(TEST) && source == null)
            {
                test = NamedTest.of(line.substring(TEST.length()));
            }
            else if (line.equals("<<<<") && source != null)
            {
                hunks.computeIfAbsent(source, s -> new ArrayList<>())
                    .add(new Hunk(until("====", lines, file), until(">>>>", lines, file)));
            }
            else if (!line.startsWith("# "))
            {
                throw new IOException("line is out of place: file=" + file + " line=" + line);
            }
        }
        final String fileName = file.getFileName().toString();
        return new Mutation(fileName.substring(0, fileName.length() - SUFFIX.length()), title, failure, test, hunks);
    }

    private static String until(final String end, final Iterator<String> lines, final Path file) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        while (lines.hasNext())
        {
            final String line = lines.next();
            if (line.equals(end))
            {
                return text.toString();
            }
            text.append(line).append('\n');
        }
        throw new IOException("text does not end: file=" + file + " end=" + end);
    }

    /**
     * Changes sources.
     *
     * @param sources by their paths; those that are not there yet are read.
     * @param root    of the project.
     */
    void apply(final Map<String, String> sources, final Path root) throws IOException
    {
        for (final Map.Entry<String, List<Hunk>> entry : hunks.entrySet())
        {
            final String path = entry.getKey();
            String text = sources.containsKey(path) ? sources.get(path) : Files.readString(root.resolve(path));
            for (final Hunk hunk : entry.getValue())
            {
                final int at = text.indexOf(hunk.before());
                if (at < 0 || text.indexOf(hunk.before(), at + 1) >= 0)
                {
                    throw new IOException("mutation does not fit the source any more, adapt it: mutation=" + name +
                        " source=" + path + " times=" + (at < 0 ? "0" : "2 or more") + " text=" + hunk.before());
                }
                text = text.substring(0, at) + hunk.after() + text.substring(at + hunk.before().length());
            }
            sources.put(path, text);
        }
    }
}
