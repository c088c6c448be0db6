package org.onesided.linearizability;

import java.util.ArrayList;
import java.util.List;

/**
 * What a run is to do.
 *
 * @param device         that server and clients use.
 * @param operations     in all, about.
 * @param firstCheck     operations after which it is looked for violations, and then each time that they have doubled;
 *                       the run ends where one is found.
 * @param seed           of all that is drawn.
 * @param clients        how many; every third has no mirror and a short deadline, and every third loses its connection
 *                       again and again.
 * @param inThreads      whether they are threads of one process: for where a start of Java takes a minute.
 * @param sessions       of each client.
 * @param keys           how many.
 * @param stopMs         mean time between two moments for which the server is stopped, as by a debugger.
 * @param stopsPerOutage of how many such moments one is an outage, longer than impatient clients wait: so few, since
 *                       each write of unknown fate explains more of what is wrong.
 * @param cutMs          mean time between two cuts of a client's connection.
 * @param impatienceMs   the short deadline; outages are longer, so that writes are of unknown fate.
 * @param server         further options of the server.
 */
record RunSettings(
    String device,
    long operations,
    long firstCheck,
    long seed,
    int clients,
    boolean inThreads,
    int sessions,
    int keys,
    int stopMs,
    int stopsPerOutage,
    int cutMs,
    int impatienceMs,
    List<String> server)
{
    private static final long MANY = 500_000;
    private static final int STOP_MS = 20;
    private static final int CUT_MS = 60;
    /** Stops, and connections that are made anew, take a fifth of the time and more; many operations need fewer. */
    private static final int RARE_STOP_MS = 40;
    private static final int RARE_CUT_MS = 250;
    /** From one outage to the next. */
    private static final int OUTAGE_MS = 8_000;
    /** Mostly enough to connect again. */
    private static final int IMPATIENCE_MS = 100;
    /** All takes ten times as long and more in the virtual machine. */
    private static final int SLOWNESS = 20;
    private static final int CONNECTING_SLOWNESS = 10;
    /** Of which the pairs of {@link Growth} take a third in the end, and those of {@link Tide} a fifth at times. */
    private static final String MEMORY = "1m";
    private static final String EVICT = "--evict";

    static RunSettings of(final String device, final long operations, final long seed)
    {
        final boolean isSlow = device.startsWith("ibv");
        final int slowness = isSlow ? SLOWNESS : 1;
        final int stopMs = operations > MANY ? RARE_STOP_MS : STOP_MS;
        final int cutMs = operations > MANY ? RARE_CUT_MS : CUT_MS;
        return new RunSettings(
            device, operations, operations, seed, 3, isSlow, 2, 400, slowness * stopMs, OUTAGE_MS / stopMs,
            slowness * cutMs, (isSlow ? CONNECTING_SLOWNESS : 1) * IMPATIENCE_MS,
            List.of("--memory", MEMORY, "--memory-initial", "1k", "--memory-release", "1ms", "--shards", "2",
                "--handshake-timeout", "60s", "--spin", "never"));
    }

    /** The same with a server that evicts. */
    RunSettings evicting()
    {
        final List<String> options = new ArrayList<>(server);
        options.addAll(List.of(EVICT, "density"));
        return new RunSettings(
            device, operations, firstCheck, seed, clients, inThreads, sessions, keys, stopMs, stopsPerOutage, cutMs,
            impatienceMs, List.copyOf(options));
    }

    boolean evicts()
    {
        return server.contains(EVICT);
    }

    /** The server's device: one side must listen, and within another device nobody else says where. */
    String serverDevice()
    {
        return device + (device.endsWith(":tcp") ? ":127.0.0.1:0" : "");
    }

    /** The same, but looking for violations as early as that. */
    RunSettings checkedFrom(final long count)
    {
        return new RunSettings(
            device, operations, count, seed, clients, inThreads, sessions, keys, stopMs, stopsPerOutage, cutMs,
            impatienceMs, server);
    }
}
