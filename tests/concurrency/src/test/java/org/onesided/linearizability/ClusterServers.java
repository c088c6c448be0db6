package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.TableIdentity;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;

/** The servers of a cluster, each in a process of its own, that are killed, stopped and started again. */
final class ClusterServers implements AutoCloseable
{
    static final int PARTITIONS = 4;
    static final long LEASE_MS = 500;

    private static final String MAIN = "org.onesided.tools.kvctl.Kvctl";
    private static final long START_SECONDS = 120;
    private static final long END_SECONDS = 60;

    private final List<String> options;
    private final Path folder;
    private final List<ClusterMember> members = new ArrayList<>();
    private final Process[] processes;

    /**
     * @param count   of the members.
     * @param folder  for their data and logs.
     * @param options of each.
     */
    ClusterServers(final int count, final Path folder, final List<String> options) throws IOException
    {
        this.folder = folder;
        this.options = options;
        processes = new Process[count];
        final List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++)
        {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        for (int i = 0; i < count; i++)
        {
            members.add(new ClusterMember(i + 1, "127.0.0.1:" + sockets.get(2 * i).getLocalPort(),
                "127.0.0.1:" + sockets.get(2 * i + 1).getLocalPort()));
        }
        for (final ServerSocket socket : sockets)
        {
            socket.close();
        }
        final TableIdentity identity = TableIdentity.draw();
        for (int i = 0; i < count; i++)
        {
            try (BlankDirectory directory = BlankDirectory.open(data(i)))
            {
                directory.form(identity, PARTITIONS, ClusterDescription.founding(i + 1, members, LEASE_MS));
            }
        }
    }

    private Path data(final int index)
    {
        return folder.resolve("data-" + index);
    }

    /** The log of all processes of a member. */
    Path log(final int index)
    {
        return folder.resolve("server-" + index + ".log");
    }

    int count()
    {
        return processes.length;
    }

    /** Where clients find the cluster. */
    String addresses()
    {
        return members.stream().map(ClusterMember::address).collect(Collectors.joining(","));
    }

    /** Starts a member, without waiting. */
    void start(final int index) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "server", "--listen", members.get(index).address(), "--data", data(index).toString()));
        arguments.addAll(options);
        processes[index] = new ProcessBuilder(JavaCommand.of(MAIN, arguments))
            .redirectError(ProcessBuilder.Redirect.appendTo(log(index).toFile()))
            .start();
    }

    /** Waits until a member is ready that was just started. */
    void awaitReady(final int index) throws IOException
    {
        // The ready line comes on standard output, once.
        final BufferedReader output = processes[index].inputReader(StandardCharsets.UTF_8);
        final long endNs = System.nanoTime() + HangGuard.nanos(START_SECONDS);
        try
        {
            while (!output.ready())
            {
                if (processes[index].waitFor(20, TimeUnit.MILLISECONDS))
                {
                    throw new IOException("member ended before it was ready: member=" + (index + 1) + " exitCode=" +
                        processes[index].exitValue());
                }
                if (System.nanoTime() - endNs > 0)
                {
                    throw new IOException("member does not get ready: member=" + (index + 1));
                }
            }
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
    }

    /** Kills a member by SIGKILL. */
    void kill(final int index) throws IOException, InterruptedException
    {
        if (!processes[index].isAlive())
        {
            throw new IOException("member ended by itself: member=" + (index + 1) + " exitCode=" +
                processes[index].exitValue());
        }
        processes[index].destroyForcibly();
        awaitEnd(index);
    }

    /** Stops a member in order, by SIGTERM. */
    void stop(final int index) throws IOException, InterruptedException
    {
        processes[index].destroy();
        awaitEnd(index);
        if (processes[index].exitValue() != 0)
        {
            throw new IOException("member ended with an error: member=" + (index + 1) + " exitCode=" +
                processes[index].exitValue());
        }
    }

    /** Sends a member a signal. */
    void signal(final int index, final String name) throws IOException, InterruptedException
    {
        final Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(processes[index].pid())).start();
        if (kill.waitFor() != 0)
        {
            throw new IOException("member cannot be signalled: member=" + (index + 1) + " signal=" + name);
        }
    }

    /** Asks all to stop, and gives their exit codes. */
    List<Integer> terminate() throws IOException, InterruptedException
    {
        for (final Process process : processes)
        {
            process.destroy();
        }
        final List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < processes.length; i++)
        {
            awaitEnd(i);
            codes.add(processes[i].exitValue());
        }
        return codes;
    }

    private void awaitEnd(final int index) throws IOException, InterruptedException
    {
        if (!processes[index].waitFor(HangGuard.seconds(END_SECONDS), TimeUnit.SECONDS))
        {
            throw new IOException("member does not end: member=" + (index + 1));
        }
    }

    @Override
    public void close()
    {
        for (final Process process : processes)
        {
            if (process != null)
            {
                process.destroyForcibly();
            }
        }
    }
}
