package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.onesided.testing.HangGuard;
import org.onesided.testing.KvctlCommand;
import org.onesided.tools.kvctl.Kvctl;

/**
 * Runs kvctl as a process of its own.
 */
final class KvctlCall
{
    /** A guard against hanging, no measure. */
    private static final long LONGEST_RUN_S = HangGuard.seconds(240);
    private static final String LONGEST_ANSWER = HangGuard.seconds(60) + "s";
    /** How a line ends that tells of a server which has not answered for a second: a busy one may not. */
    private static final long HINT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String TRYING_ON = "; trying on until the deadline";

    private final List<String> program;
    private final List<String> arguments;
    private final Map<String, String> environment = new HashMap<>();
    private byte[] input = {};

    private KvctlCall(final List<String> program, final String... arguments)
    {
        this.program = new ArrayList<>(program);
        this.arguments = List.of(arguments);
    }

    static KvctlCall of(final String... arguments)
    {
        return new KvctlCall(program(), arguments);
    }

    /** Through something else that starts kvctl. */
    static KvctlCall ofProgram(final List<String> program, final String... arguments)
    {
        return new KvctlCall(program, arguments);
    }

    /** Through a shell, in whose script {@code "$@"} stands for kvctl. */
    static KvctlCall ofScript(final String script)
    {
        final List<String> command = new ArrayList<>(List.of("bash", "-o", "pipefail", "-c", script, "kvctl"));
        command.addAll(program());
        return new KvctlCall(command);
    }

    /** What starts kvctl, without its arguments. */
    static List<String> program()
    {
        return KvctlCommand.program(List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1"));
    }

    /** With more time than the default, which a busy machine may need. */
    KvctlCall to(final KvctlServer server)
    {
        environment.putIfAbsent("KVCTL_DEADLINE", LONGEST_ANSWER);
        return with("KVCTL_SERVER", server.address());
    }

    /** Sets a flag of its Java, where nothing else starts it. */
    KvctlCall flag(final String flag)
    {
        program.add(1, flag);
        return this;
    }

    KvctlCall with(final String variable, final String value)
    {
        environment.put(variable, value);
        return this;
    }

    KvctlCall input(final byte[] bytes)
    {
        input = bytes;
        return this;
    }

    KvctlCall input(final String text)
    {
        return input(text.getBytes(UTF_8));
    }

    Process start() throws IOException
    {
        final List<String> all = new ArrayList<>(HeedsSignals.PREFIX);
        all.addAll(program);
        all.addAll(arguments);
        final ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().keySet().removeIf(name -> name.startsWith("KVCTL_"));
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Runs it in this process, which is much faster; not for what depends on the process. */
    Result runHere()
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int exitCode = Kvctl.run(
            arguments,
            new ByteArrayInputStream(input),
            out,
            new PrintStream(err, true, UTF_8),
            environment);
        return new Result(exitCode, out.toByteArray(), err.toString(UTF_8));
    }

    /** Runs a command that scans a cluster, again where a leader has changed meanwhile, as on a busy machine. */
    Result scanHere()
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_RUN_S);
        Result result = runHere();
        while (result.err().contains("start the scan again") && System.nanoTime() - endNs < 0)
        {
            result = runHere();
        }
        return result;
    }

    /** Runs it. If that took long, leaves out what it says of a server that is slow to answer, as a busy one may be. */
    Result run() throws IOException, InterruptedException
    {
        final long beginNs = System.nanoTime();
        final Result all = runWithHints();
        final boolean isSlow = System.nanoTime() - beginNs >= HINT_NS;
        if (!isSlow || !all.err().contains(TRYING_ON))
        {
            return all;
        }
        return new Result(all.exitCode(), all.outBytes(), all.err().lines()
            .filter((line) -> !line.endsWith(TRYING_ON)).map((line) -> line + '\n').collect(Collectors.joining()));
    }

    Result runWithHints() throws IOException, InterruptedException
    {
        final Process process = start();
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final Thread outReader = reader(process.getInputStream(), out, "kvctl-out");
        final Thread errReader = reader(process.getErrorStream(), err, "kvctl-err");
        try (OutputStream stream = process.getOutputStream())
        {
            stream.write(input);
        }
        catch (final IOException e)
        {
            assertTrue(e.getMessage().contains("pipe") || e.getMessage().contains("closed"), e.getMessage());
        }
        if (!process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
        }
        outReader.join();
        errReader.join();
        return new Result(process.waitFor(), out.toByteArray(), err.toString(UTF_8));
    }

    private static Thread reader(final InputStream input, final OutputStream output, final String name)
    {
        final Thread thread = new Thread(() -> copy(input, output), name);
        thread.start();
        return thread;
    }

    private static void copy(final InputStream input, final OutputStream output)
    {
        try (input)
        {
            input.transferTo(output);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("cannot read what kvctl writes", e);
        }
    }

    /**
     * What a run left.
     *
     * @param exitCode of the process.
     * @param outBytes standard output.
     * @param err      standard error.
     */
    record Result(int exitCode, byte[] outBytes, String err)
    {
        String out()
        {
            return new String(outBytes, UTF_8);
        }

        /** All was done, and nothing was said about it. */
        Result assertDone()
        {
            assertEquals(0, exitCode, err);
            assertEquals("", err);
            return this;
        }

        /** It ended with a code, nothing on standard output, and one line on standard error with these parts. */
        Result assertFailed(final int expectedCode, final String... parts)
        {
            for (final String part : parts)
            {
                assertTrue(err.contains(part), "expected: " + part + " in: " + err);
            }
            assertEquals(expectedCode, exitCode, err);
            assertEquals("", out());
            assertTrue(err.startsWith("kvctl"), err);
            assertTrue(err.endsWith("\n"), err);
            assertEquals(1, err.lines().count(), err);
            return this;
        }
    }
}
