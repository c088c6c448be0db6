package org.onesided.endtoend.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ProjectFolder;

/**
 * One run of YCSB's client class in a process of its own, by the commands of the documentation.
 */
final class YcsbRun
{
    private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?\n})\n\n(ycsb .*?)```", Pattern.DOTALL);
    private static final Pattern RETURN = Pattern.compile("\\[(\\S+)\\], Return=(\\w+), (\\d+)");

    private final String output;
    private final Map<String, Long> returns = new TreeMap<>();

    private YcsbRun(final String output)
    {
        this.output = output;
        final Matcher matcher = RETURN.matcher(output);
        while (matcher.find())
        {
            returns.put(matcher.group(1) + ' ' + matcher.group(2), Long.parseLong(matcher.group(3)));
        }
    }

    /** What docs/ycsb.md says is to be typed, definitions and calls apart. */
    static Matcher documentation() throws IOException
    {
        final Matcher matcher = COMMANDS.matcher(Files.readString(ProjectFolder.ROOT.resolve("docs/ycsb.md")));
        assertTrue(matcher.find(), "docs/ycsb.md has a block of sh with the function and calls of it");
        return matcher;
    }

    /**
     * @param folder  of YCSB.
     * @param address of the server.
     * @param calls   of the documentation's function, followed by further arguments.
     */
    static YcsbRun of(final Path folder, final String address, final String calls) throws Exception
    {
        final String definitions = documentation().group(1).replace("127.0.0.1:19875", address);
        assertTrue(definitions.contains(address), "docs/ycsb.md names the default address");
        final ProcessBuilder builder = new ProcessBuilder("sh", "-euc", definitions + "\n" + calls);
        builder.directory(ProjectFolder.ROOT.toFile());
        builder.environment().put("YCSB", folder.toString());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m");
        builder.environment().merge(
            "PATH", Path.of(System.getProperty("java.home"), "bin").toString(), (path, java) -> java + ':' + path);
        final Path output = Files.createTempFile(folder, "run", ".log");
        final Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try
        {
            assertTrue(
                process.waitFor(HangGuard.seconds(240), TimeUnit.SECONDS), () -> "YCSB does not end: " + read(output));
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        final YcsbRun run = new YcsbRun(read(output));
        assertEquals(0, process.exitValue(), run.output);
        return run;
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file, UTF_8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** How many operations of that kind ended well; 0 if there was none. */
    long ok(final String operation)
    {
        return returns.getOrDefault(operation + " OK", 0L);
    }

    /** Fails if an operation ended in another way, or a thread did not get to its operations. */
    YcsbRun assertNothingFailed()
    {
        assertTrue(returns.keySet().stream().allMatch((name) -> name.endsWith(" OK")), output);
        assertTrue(!returns.isEmpty() && !output.contains("-FAILED") && !output.contains("Exception"), output);
        return this;
    }

    @Override
    public String toString()
    {
        return output;
    }
}
