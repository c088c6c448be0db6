package org.onesided.linearizability.mutation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plants bugs, one at a time, and runs the stress test that must fail with each: so that they are seen to be able to.
 */
public final class StressMutations
{
    /** Within which {@link #main} sees each planted bug. */
    static final int ITERATION_MS = 1000;

    private static final Map<String, String> TESTS = new LinkedHashMap<>();
    private static final Pattern FAILED = Pattern.compile("(?m)^ *(\\S.*?) +[1-9][0-9,]* +\\S+ +Forbidden .*");

    static
    {
        TESTS.put("stress/code-of-the-place-only", "InPlaceStress");
        TESTS.put("live-before-dead", "MoveStress");
        TESTS.put("stress/frame-shown-too-early", "RingStress");
        TESTS.put("stress/wake-without-fence", "WakeStress");
    }

    /** The tests that there are. */
    static Collection<String> tests()
    {
        return TESTS.values();
    }

    private StressMutations()
    {
    }

    /**
     * @param arguments the project's folder, flags of Java, and more options for jcstress.
     * @throws IOException if a mutation does not fit the sources, or a test cannot be run.
     * @throws InterruptedException if interrupted.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final Path root = Path.of(arguments[0]);
        boolean isGood = true;
        for (final Map.Entry<String, String> test : TESTS.entrySet())
        {
            final Path file = root.resolve(Mutations.FOLDER).resolve(test.getKey() + ".txt");
            try (MutatedClasses classes = new MutatedClasses(root, List.of(Mutation.read(file))))
            {
                final List<String> options = new ArrayList<>(List.of(arguments).subList(2, arguments.length));
                options.addAll(List.of("-t", test.getValue()));
                final String seen = forbidden(output(
                    Files.createDirectories(root.resolve("tests/concurrency/target/jcstress/mutations")),
                    classes.classes() + ":" + System.getProperty("java.class.path"), arguments[1], ITERATION_MS,
                    options));
                System.out.printf("%-32s %-14s %s%n", test.getKey(), test.getValue(),
                    seen.isEmpty() ? "NOT CAUGHT" : "caught: saw " + seen);
                isGood &= !seen.isEmpty();
            }
        }
        System.exit(isGood ? 0 : 1);
    }

    /**
     * Runs jcstress, briefly.
     *
     * @param folder    of its results and of what it prints.
     * @param classPath of the tests.
     * @param flags     of Java.
     * @param timeMs    of an iteration, in milliseconds.
     * @param options   of jcstress, besides these.
     * @return what it prints, with the outcomes of each test.
     */
    static String output(
        final Path folder, final String classPath, final String flags, final int timeMs, final List<String> options)
        throws IOException, InterruptedException
    {
        final Path output = folder.resolve("output");
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", classPath, "org.openjdk.jcstress.Main",
            "-r", folder + "/", "-jvmArgs", flags, "-f", "1", "-iters", "2", "-time", Integer.toString(timeMs),
            "-sc", "false", "-v"));
        command.addAll(options);
        final Process process = new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
        try
        {
            process.waitFor();
        }
        finally
        {
            process.destroyForcibly();
        }
        final String text = Files.readString(output, StandardCharsets.UTF_8);
        if (!text.contains("RESULT"))
        {
            throw new IOException("stress test did not run:\n" + text);
        }
        return text;
    }

    /** The first that was seen and is forbidden; empty for nothing. */
    static String forbidden(final String output)
    {
        final Matcher matcher = FAILED.matcher(output);
        return matcher.find() ? matcher.group(1) : "";
    }
}
