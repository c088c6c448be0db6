package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.tools.kvctl.cluster.ServerPorts;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Surroundings;

/**
 * Runs the usual commands once, in this process, so that Java can archive the classes that they load. The launcher
 * starts it. Servers of it have an empty store on a free port of the loopback, which is gone when it ends: one for each
 * device, one with a log, and the members of a cluster.
 */
final class TrainingRun
{
    /**
     * System property that makes kvctl take its arguments for devices, and train. Its value is a folder for the data of
     * servers, which whoever sets it removes; or empty, for none with a log.
     */
    static final String PROPERTY = "org.onesided.tools.training";

    /** For a server to start and a command to be done: what fails leaves no archive, or a poor one. */
    private static final long LONGEST_S = 120;
    private static final String DEADLINE = LONGEST_S + "s";
    private static final int MEMBERS = 3;
    private static final List<List<String>> COMMANDS = List.of(
        List.of("put", "key", "value"),
        List.of("get", "key"),
        List.of("incr", "count"),
        List.of("append", "key", "more"),
        List.of("ttl", "key"),
        List.of("mput", "one", "1", "two", "2"),
        List.of("mget", "one", "two"),
        List.of("stats"),
        List.of("delete", "key"));

    private TrainingRun()
    {
    }

    /**
     * Ends the process with 0 if all commands did what they should, otherwise with 1 and a message.
     *
     * @param devices names of devices whose classes to load.
     */
    static void main(final String[] devices)
    {
        final AtomicInteger exitCode = new AtomicInteger(ExitCode.FAILED.code());
        try
        {
            run("--version");
            run("get", "--help");
            for (final String device : devices)
            {
                use(startServer("ready: ", "--listen", "127.0.0.1:0", "--device", device), device);
            }
            final String folder = System.getProperty(PROPERTY);
            if (!folder.isEmpty())
            {
                useDisk(Path.of(folder));
            }
            exitCode.set(ExitCode.DONE.code());
        }
        catch (final IllegalStateException e)
        {
            System.err.println(e.getMessage());
        }
        catch (final InterruptedException e)
        {
            System.err.println("interrupted");
        }
        // Stops the servers, too, as a signal would.
        System.exit(exitCode.get());
    }

    private static void use(final String address, final String device)
    {
        for (final List<String> command : COMMANDS)
        {
            final List<String> arguments = new ArrayList<>(command);
            arguments.addAll(1, List.of("--server", address, "--device", device, "--deadline", DEADLINE));
            run(arguments.toArray(String[]::new));
        }
    }

    /** Goes without where that fails: the disk may be full, and a port somebody else's by then. */
    private static void useDisk(final Path folder) throws InterruptedException
    {
        try
        {
            Files.createDirectories(folder);
            use(startServer("ready: ", "--listen", "127.0.0.1:0", "--device", "tcp",
                "--data", folder.resolve("alone").toString()), "tcp");
            final List<String> addresses = new ArrayList<>();
            final List<Integer> ports = ServerPorts.choose(2 * MEMBERS);
            for (int i = 0; i < MEMBERS; i++)
            {
                addresses.add(startServer("blank: ", "--listen", "127.0.0.1:" + ports.get(i),
                    "--peer-listen", "127.0.0.1:" + ports.get(MEMBERS + i), "--device", "tcp",
                    "--data", folder.resolve("member-" + i).toString()));
            }
            final List<String> create = new ArrayList<>(List.of(
                "cluster", "create", "--partitions", "1", "--lease", "200ms", "--deadline", DEADLINE));
            create.addAll(addresses);
            run(create.toArray(String[]::new));
            use(String.join(",", addresses), "tcp");
        }
        catch (final IllegalStateException | IOException e)
        {
            System.err.println("without the classes of servers with a log: " + e.getMessage());
        }
    }

    private static void run(final String... arguments)
    {
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        final ExitCode exitCode = Kvctl.run(arguments, surroundings(printed, printed));
        if (exitCode != ExitCode.DONE)
        {
            throw new IllegalStateException("command failed: exitCode=" + exitCode + " command=" +
                String.join(" ", arguments) + " printed=" + printed.toString(UTF_8).strip());
        }
    }

    /** Where it listens, once it has printed a line that begins so. */
    private static String startServer(final String begin, final String... options) throws InterruptedException
    {
        final List<String> arguments = new ArrayList<>(List.of("server", "--memory", "16m"));
        arguments.addAll(List.of(options));
        final FirstLine ready = new FirstLine();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final Thread server = new Thread(
            () ->
            {
                Kvctl.run(arguments.toArray(String[]::new), surroundings(ready, err));
                ready.end();
            },
            "server");
        server.setDaemon(true);
        server.start();
        final String line = ready.await();
        if (!line.startsWith(begin))
        {
            throw new IllegalStateException("server did not get ready: arguments=" + String.join(" ", arguments) +
                " printed=" + line + err.toString(UTF_8).strip());
        }
        return line.split(" ")[1];
    }

    private static Surroundings surroundings(final OutputStream out, final OutputStream err)
    {
        return new Surroundings(
            InputStream.nullInputStream(), out, new PrintStream(err, true, UTF_8), Map.of(), false, false, false);
    }

    /**
     * Output whose first line another thread waits for.
     */
    private static final class FirstLine extends OutputStream
    {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CountDownLatch written = new CountDownLatch(1);

        @Override
        public void write(final int octet) throws IOException
        {
            write(new byte[]{(byte)octet});
        }

        @Override
        public synchronized void write(final byte[] octets, final int offset, final int length)
        {
            bytes.write(octets, offset, length);
            if (bytes.toString(UTF_8).contains("\n"))
            {
                written.countDown();
            }
        }

        /** Nothing more will be written. */
        void end()
        {
            written.countDown();
        }

        /** The line, or what there is of it when the server ended or its time is up. */
        String await() throws InterruptedException
        {
            written.await(LONGEST_S, TimeUnit.SECONDS);
            synchronized (this)
            {
                return bytes.toString(UTF_8).lines().findFirst().orElse("");
            }
        }
    }
}
