package org.onesided.tools.kvctl.stats;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.settings.TimeSpan;
import org.onesided.tools.text.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code kvctl ping}.
 */
@Command(
    name = "ping",
    description = "Measure the round trips of a READ, which bypasses the store, and of a request.",
    footer = {
        "",
        "The READ is a lookup of an absent key, in one READ of 64 bytes; the request asks a shard for its counters. " +
            "Statistics follow at the end, or after Ctrl-C. The exit code is 0 if at least one round trip of each " +
            "kind succeeded.",
        "",
        "Examples:",
        "  kvctl ping -c 5",
        "  kvctl ping -c 1000 -i 1ms -o json",
    })
public final class PingCommand extends ClientCommand
{
    private static final int KEY_LENGTH = 24;
    private static final int MAX_KEYS_TRIED = 1_000;
    /** Uncounted round trips at the start, while Java loads and compiles classes. */
    private static final int READS_BEFORE = 3_000;
    private static final int REQUESTS_BEFORE = 300;

    @Option(names = {"-c", "--count"}, paramLabel = "N", description = "How many of each; default until Ctrl-C.")
    private Long count;

    @Option(
        names = {"-i", "--interval"},
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "Time between two, such as 10ms; default 1s.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = {"-q", "--quiet"}, description = "Show the statistics only.")
    private boolean isQuiet;

    @Mixin
    private OutputOption output;

    private final RoundTrips reads = new RoundTrips("READ");
    private final RoundTrips requests = new RoundTrips("RPC");
    private StoreException failure;

    /** A round trip. */
    @FunctionalInterface
    private interface Trip
    {
        void run(StoreSession session);
    }

    @Override
    protected ExitCode run() throws IOException
    {
        if (count != null && count < 1)
        {
            throw new CommandException(ExitCode.USAGE, "--count must be 1 or more: --count=" + count);
        }
        final ConnectedClient connected = connectServer("see kvctl cluster status, or ping a server that is alone");
        // Closes the client before the process may end.
        try (StopHook stop = StopHook.ending(); connected; StoreSession session = connected.client().openSession())
        {
            final OutputForm form = output.or(OutputForm.TABLE);
            ping(session, stop, form == OutputForm.TABLE && !isQuiet);
            print(statistics(session, form));
            final boolean isAnswered = reads.count() > 0 && requests.count() > 0;
            final ExitCode exitCode =
                isAnswered || failure == null ? ExitCode.DONE : Failures.exitCode(failure);
            stop.exitCode(exitCode);
            return exitCode;
        }
    }

    private void ping(final StoreSession session, final StopHook stop, final boolean isShown) throws IOException
    {
        final Trip request = of -> of.statistics(0);
        final byte[] key = WaitNotice.during(surroundings(), "warming up", () -> warmUp(session, request));
        final Trip read = of -> of.contains(key);
        if (isShown)
        {
            print("ping " + session.server().address() + " device=" + session.server().device() + "\n");
        }
        try (ProgressBar progress = new ProgressBar(
            surroundings().err(), surroundings().errIsTerminal() && !isShown, "measuring", count == null ? -1 : count))
        {
            for (long i = 1; count == null || i <= count; i++)
            {
                progress.step(i - 1);
                final String readTime = measure(reads, read, session);
                final String requestTime = measure(requests, request, session);
                if (isShown)
                {
                    print(String.format(Locale.ROOT, "seq=%d READ=%s RPC=%s%n", i, readTime, requestTime));
                }
                if (count != null && i == count || stop.await(interval.toNanos()))
                {
                    return;
                }
            }
        }
        catch (final InterruptedException e)
        {
            // Only the command was told to stop; the shell continues.
            return;
        }
    }

    /** A key whose absence one READ shows. */
    private byte[] warmUp(final StoreSession session, final Trip request)
    {
        final byte[] key = absentKey(session);
        for (int i = 0; i < READS_BEFORE; i++)
        {
            session.contains(key);
        }
        for (int i = 0; i < REQUESTS_BEFORE; i++)
        {
            request.run(session);
        }
        return key;
    }

    private String measure(final RoundTrips trips, final Trip trip, final StoreSession session)
    {
        final long beforeNs = System.nanoTime();
        try
        {
            trip.run(session);
        }
        catch (final StoreException e)
        {
            trips.lose();
            failure = e;
            tell(e.getMessage());
            return "lost";
        }
        final long ns = System.nanoTime() - beforeNs;
        trips.record(ns);
        return RoundTrips.time(ns);
    }

    /** Finds a key whose absence one READ shows. */
    private byte[] absentKey(final StoreSession session)
    {
        final SecureRandom random = new SecureRandom();
        final byte[] part = new byte[KEY_LENGTH / 2];
        for (int i = 0; i < MAX_KEYS_TRIED; i++)
        {
            random.nextBytes(part);
            // Messages show keys.
            final byte[] key = HexFormat.of().formatHex(part).getBytes(UTF_8);
            // The second lookup finds the bucket in the mirror.
            if (!session.contains(key))
            {
                final long before = session.clientStatistics().reads();
                if (!session.contains(key) && session.clientStatistics().reads() == before + 1)
                {
                    return key;
                }
            }
        }
        throw new CommandException(ExitCode.FAILED,
            "no bucket could be READ alone, all seem to overflow: tried=" + MAX_KEYS_TRIED);
    }

    private String statistics(final StoreSession session, final OutputForm form)
    {
        if (form == OutputForm.TABLE)
        {
            final Table table = new Table("", "count", "lost", "min", "p50", "p99", "max");
            for (final RoundTrips trips : new RoundTrips[]{reads, requests})
            {
                table.row(trips.name(), trips.count(), trips.lost(), trips.least(), trips.percentile(50),
                    trips.percentile(99), trips.most());
            }
            return (isQuiet ? "" : "\n") + table;
        }
        final Figures figures = new Figures()
            .add("server", session.server().address())
            .add("device", session.server().device());
        reads.addTo(figures);
        requests.addTo(figures);
        return form == OutputForm.JSON ? figures.json() + "\n" : figures.plain();
    }
}
