package org.onesided.endtoend.storm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.onesided.client.StoreClient;
import org.onesided.endtoend.faults.ScrapedMetric;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.ServerProcess;

/**
 * Clients that connect to one server all at once, from processes of their own, each of which has connected one client
 * before.
 *
 * @param processes of clients.
 * @param clients   of each process.
 */
record ConnectStorm(int processes, int clients)
{
    /** A guard against hanging, on a machine that others use, too. */
    private static final String DEADLINE_MS = "120000";
    /** Sessions of the server that the storm leaves free. */
    private static final int FREE_SESSIONS = 100;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** How long so many clients may take, or fewer, on two cores that do nothing else. */
    private static final int MANY = 1000;
    private static final long MOST_MS = 5_000;
    private static final long MOST_WITHIN_TLS_MS = 20_000;

    /**
     * What a storm cost.
     *
     * @param tookMs    from the first attempt until all were connected, in milliseconds.
     * @param ofClients processor time of all processes meanwhile.
     * @param ofServer  processor time of the server meanwhile.
     * @param refused   connections that the server refused meanwhile, whose clients tried again.
     */
    record Cost(long tookMs, Duration ofClients, Duration ofServer, long refused)
    {
        @Override
        public String toString()
        {
            return String.format(Locale.ROOT, "took-ms=%d clients-cpu-ms=%d server-cpu-ms=%d refused=%d",
                tookMs, ofClients.toMillis(), ofServer.toMillis(), refused);
        }
    }

    /**
     * How long they may take, on two cores that do nothing else.
     *
     * @param isWithinTls whether they connect within TLS.
     * @return milliseconds, more in proportion for more than 1,000 clients.
     */
    long mostMs(final boolean isWithinTls)
    {
        return (isWithinTls ? MOST_WITHIN_TLS_MS : MOST_MS) * Math.max(MANY, processes * clients) / MANY;
    }

    /**
     * Lets them all connect, look a key up, and end.
     *
     * @param device    of server and clients.
     * @param ofServer  further options of the server.
     * @param ofClients further arguments of {@link StormProcess}.
     * @return what it cost.
     * @throws IOException           if a process ends.
     * @throws IllegalStateException if a client does not connect, or its lookup fails.
     */
    Cost blow(final String device, final List<String> ofServer, final List<String> ofClients) throws IOException
    {
        return blow(device, ofServer, ofClients, false);
    }

    /**
     * As above, but at a server that has room for half of them only, until as many have been refused as there is no
     * room for.
     */
    Cost blowAtAFullServer(final String device, final List<String> ofServer) throws IOException
    {
        return blow(device, ofServer, List.of(), true);
    }

    private Cost blow(
        final String device, final List<String> ofServer, final List<String> ofClients, final boolean isFull)
        throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of("--device", device, "--memory", "64m",
            "--metrics", "127.0.0.1:0", "--max-sessions", Integer.toString(processes * clients + FREE_SESSIONS)));
        arguments.addAll(ofServer);
        final List<Storm> storms = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(arguments.toArray(new String[0])))
        {
            for (int i = 0; i < processes; i++)
            {
                storms.add(new Storm(server.address(), device, clients, ofClients));
            }
            for (final Storm storm : storms)
            {
                storm.expect("ready");
            }
            final List<AutoCloseable> occupants =
                isFull ? occupy(server, device, FREE_SESSIONS + processes * clients / 2) : List.of();
            final long refusedBefore = refused(server);
            final Duration clientsBefore = cpu(storms);
            final Duration serverBefore = cpu(server.pid());
            final long startNs = System.nanoTime();
            for (final Storm storm : storms)
            {
                storm.goOn();
            }
            while (isFull && refused(server) - refusedBefore < processes * clients / 2)
            {
                LockSupport.parkNanos(LOOK_NS);
            }
            CloseHelper.closeAll(occupants);
            for (final Storm storm : storms)
            {
                storm.expect("connected " + clients + " 0 ");
            }
            final Cost cost = new Cost(
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs),
                cpu(storms).minus(clientsBefore),
                cpu(server.pid()).minus(serverBefore),
                refused(server) - refusedBefore);
            for (final Storm storm : storms)
            {
                storm.goOn();
            }
            for (final Storm storm : storms)
            {
                storm.expect("done " + clients + " 0");
            }
            return cost;
        }
        finally
        {
            CloseHelper.quietCloseAll(storms);
        }
    }

    /** Takes so many sessions of a server; the last resource is their client. */
    private static List<AutoCloseable> occupy(final ServerProcess server, final String device, final int sessions)
    {
        final StoreClient client = StoreClient.builder().server(server.address()).device(device)
            .deadline(Duration.ofMillis(Long.parseLong(DEADLINE_MS))).build();
        final List<AutoCloseable> all = new ArrayList<>();
        // The client has one of its own.
        while (all.size() < sessions - 1)
        {
            all.add(client.openSession());
        }
        all.add(client);
        return all;
    }

    private static long refused(final ServerProcess server)
    {
        return ScrapedMetric.sum(server.metricsAddress(), "onesided_handshakes_refused_total");
    }

    private static Duration cpu(final List<Storm> storms)
    {
        return storms.stream().map((storm) -> cpu(storm.process.pid())).reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration cpu(final long pid)
    {
        return ProcessHandle.of(pid).flatMap((process) -> process.info().totalCpuDuration())
            .orElseThrow(() -> new IllegalStateException("process has ended: pid=" + pid));
    }

    /** One process. */
    private static final class Storm implements AutoCloseable
    {
        private final Process process;
        private final BufferedReader output;

        Storm(final String server, final String device, final int clients, final List<String> further)
            throws IOException
        {
            final List<String> arguments =
                new ArrayList<>(List.of(server, device, Integer.toString(clients), DEADLINE_MS));
            arguments.addAll(further);
            process = new ProcessBuilder(JavaCommand.of(StormProcess.class.getName(), arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        }

        /** Reads a line that begins so. */
        void expect(final String start) throws IOException
        {
            final String line = output.readLine();
            if (line == null || !line.startsWith(start))
            {
                throw new IllegalStateException("clients failed: expected=" + start + " line=" + line);
            }
        }

        void goOn() throws IOException
        {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }

        @Override
        public void close() throws IOException
        {
            process.destroyForcibly().onExit().join();
            output.close();
        }
    }
}
