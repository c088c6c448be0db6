package org.onesided.linearizability.mutation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onesided.testing.JavaCommand;

/**
 * The one test that must fail with a planted bug.
 *
 * @param module    whose tests it is among.
 * @param className in full.
 * @param method    without its parameters.
 */
record NamedTest(String module, String className, String method)
{
    /** Fewer seeds and steps may miss a bug. */
    private static final String FULL_SIZE = "-Donesided.full=true";
    private static final String CONSOLE = "org.junit.platform.console.ConsoleLauncher";
    private static final Pattern FORM = Pattern.compile("(\\S+) ([\\w.]+)#(\\w+)");
    private static final int PASSED = 0;
    private static final int FAILED = 1;
    /** Tests with deadlines of their own end long before. */
    private static final long SECONDS = 400;

    /** As mutations name it: {@code store-server org.onesided.server.SomeTest#shouldDoSomething}. */
    static NamedTest of(final String text)
    {
        final Matcher matcher = FORM.matcher(text);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("no test, write MODULE CLASS#METHOD: test=" + text);
        }
        return new NamedTest(matcher.group(1), matcher.group(2), matcher.group(3));
    }

    /** Where it is written. */
    Path source(final Path root)
    {
        return root.resolve(module).resolve("src/test/java").resolve(className.replace('.', '/') + ".java");
    }

    /**
     * Runs it, as it was built, in a JVM of its own.
     *
     * @param root    of the project.
     * @param classes to be found before the real ones; empty for none.
     * @return the first line of its failure; empty if it passed.
     * @throws IOException if it did neither.
     */
    String run(final Path root, final String classes) throws IOException
    {
        final String tests = root.resolve(module).resolve("target/test-classes").toString();
        final Path output = Files.createTempFile("test", ".log");
        try
        {
            final Process process = new ProcessBuilder(JavaCommand.of(
                List.of(FULL_SIZE),
                (classes.isEmpty() ? "" : classes + ":") + tests + ":" + System.getProperty("java.class.path"), CONSOLE,
                List.of("execute", "--disable-banner", "--disable-ansi-colors", "--details=testfeed",
                    "--fail-if-no-tests", "--include-engine=junit-jupiter", "--select-class=" + className,
                    "--include-methodname=.*#" + method + "\\b.*")))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new IOException("test hangs: test=" + this + " seconds=" + SECONDS);
            }
            final int exitCode = process.exitValue();
            final String text = Files.readString(output, StandardCharsets.UTF_8);
            if (exitCode == PASSED)
            {
                return "";
            }
            final Matcher failure = Pattern.compile("(?m)^.*" + method + ".* :: FAILED$\\R\\s*(.*)").matcher(text);
            if (exitCode != FAILED || !failure.find())
            {
                throw new IOException("test could not be run: test=" + this + " exitCode=" + exitCode + "\n" + text);
            }
            return failure.group(1);
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        finally
        {
            Files.delete(output);
        }
    }

    @Override
    public String toString()
    {
        return className + "#" + method;
    }
}
