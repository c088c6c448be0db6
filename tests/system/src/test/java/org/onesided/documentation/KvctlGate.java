package org.onesided.documentation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.onesided.testing.HangGuard;
import org.onesided.tools.kvctl.Kvctl;

/**
 * Lets scripts run kvctl in this process, since a Java for each call would take minutes: a program named kvctl, which
 * {@link #install} makes, hands its arguments and standard input to this. Runs and pauses are shortened.
 */
final class KvctlGate implements AutoCloseable
{
    private static final Path PROGRAM = Path.of("src/test/resources/org/onesided/documentation/kvctl");
    private static final Pattern FILE =
        Pattern.compile("(?:[\\w.-]+/)*[\\w-]+(?:\\.(?:tsv|jsonl?|html|crt|key|properties|hlog)|load[abcdf])");
    private static final Map<String, String> SHORTER = Map.of(
        "--duration", "300ms", "--warm-up", "50ms", "-i", "1ms", "--operations", "1000");
    private static final int LONGEST_COUNT = 50;

    private final Path calls;
    private final ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final AtomicInteger threads = new AtomicInteger();
    private final ExecutorService callers =
        Executors.newCachedThreadPool(task -> new Thread(task, "kvctl-gate-" + threads.incrementAndGet()));

    /**
     * @param calls folder for what calls leave.
     */
    KvctlGate(final Path calls) throws IOException
    {
        this.calls = calls;
        callers.execute(this::accept);
    }

    /** Makes the program in a folder. */
    void install(final Path folder) throws IOException
    {
        Files.createDirectories(folder);
        final Path program = Files.copy(PROGRAM, folder.resolve("kvctl"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    /** Variables that the program needs. */
    Map<String, String> variables()
    {
        return Map.of("GATE_CALLS", calls.toString(), "GATE_PORT", String.valueOf(socket.getLocalPort()));
    }

    /** A call with less time and less memory than its arguments say. */
    static List<String> shortened(final List<String> arguments)
    {
        final List<String> shortened = new ArrayList<>(arguments);
        for (int i = 1; i < shortened.size(); i++)
        {
            final String option = shortened.get(i - 1);
            if (SHORTER.containsKey(option))
            {
                shortened.set(i, SHORTER.get(option));
            }
            else if (option.equals("-c"))
            {
                shortened.set(i, String.valueOf(Math.min(LONGEST_COUNT, Integer.parseInt(shortened.get(i)))));
            }
            else if (option.equals("--memory"))
            {
                shortened.set(i, "32m");
            }
        }
        addMissing(shortened);
        return shortened;
    }

    /** Adds what is short to what would be long by default. */
    private static void addMissing(final List<String> arguments)
    {
        final String command = arguments.get(0);
        if (command.equals("ping") && !arguments.contains("-i"))
        {
            arguments.addAll(List.of("-i", SHORTER.get("-i")));
        }
        else if (command.equals("load") && !arguments.contains("-P") && !arguments.contains("compare"))
        {
            arguments.addAll(List.of("--records", "500"));
            if (!arguments.contains("--duration") && !arguments.contains("--operations"))
            {
                arguments.addAll(List.of("--duration", SHORTER.get("--duration")));
            }
        }
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
        callers.shutdown();
        try
        {
            if (!callers.awaitTermination(HangGuard.seconds(60), TimeUnit.SECONDS))
            {
                throw new IllegalStateException("a call of kvctl does not end");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void accept()
    {
        while (!socket.isClosed())
        {
            try
            {
                final Socket caller = socket.accept();
                callers.execute(() -> serve(caller));
            }
            catch (final IOException e)
            {
                if (!socket.isClosed())
                {
                    throw new IllegalStateException("no call of kvctl can be had", e);
                }
            }
        }
    }

    private static void serve(final Socket caller)
    {
        try (caller; BufferedReader reader = new BufferedReader(new InputStreamReader(caller.getInputStream(), UTF_8)))
        {
            final Path call = Path.of(reader.readLine());
            final Path folder = Path.of(reader.readLine());
            caller.getOutputStream().write((run(call, folder) + "\n").getBytes(UTF_8));
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("cannot serve a call of kvctl", e);
        }
    }

    private static int run(final Path call, final Path folder) throws IOException
    {
        final Map<String, String> environment = new HashMap<>();
        for (final String variable : words(call.resolve("environment")))
        {
            if (variable.startsWith("KVCTL_"))
            {
                environment.put(
                    variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1));
            }
        }
        final List<String> arguments = new ArrayList<>(shortened(words(call.resolve("arguments"))));
        // The script's folder is not this process'.
        arguments.replaceAll(word -> FILE.matcher(word).matches() ? folder.resolve(word).toString() : word);
        try (InputStream in = Files.newInputStream(call.resolve("in"));
            OutputStream out = Files.newOutputStream(call.resolve("out"));
            PrintStream err = new PrintStream(call.resolve("err").toFile(), UTF_8))
        {
            return Kvctl.run(arguments, in, out, err, environment);
        }
    }

    private static List<String> words(final Path file) throws IOException
    {
        final String text = Files.readString(file);
        return text.isEmpty() ? List.of() : List.of(text.substring(0, text.length() - 1).split("\0", -1));
    }
}
