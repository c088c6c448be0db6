package org.onesided.endtoend.storm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.TlsOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Prints the table of connect storms in docs/library.md.
 */
@Command(
    name = "tests/run storm",
    description = "Measures how long clients take that connect all at once. Fails where that is longer than it may " +
        "be on two cores that do nothing else: 5 s for 1,000 clients or fewer, within TLS 20 s.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class ConnectStormRun implements Callable<Integer>
{
    private static final String ROW = "| %s | %.1f s | %.1f s | %.1f s |%n";
    private static final double MS_PER_S = 1000;

    @Option(names = "--processes", paramLabel = "N", description = "Processes of clients; default 10.")
    private int processes = 10;
    @Option(names = "--clients", paramLabel = "N", description = "Clients of each process; default 100.")
    private int clients = 100;
    private final List<String> missed = new ArrayList<>();

    private ConnectStormRun()
    {
    }

    /**
     * @param arguments that {@code tests/run storm --help} shows.
     */
    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new ConnectStormRun()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception
    {
        System.out.println("| device | until all were connected | processor time of the clients | of the server |");
        System.out.println("|---|---|---|---|");
        print("`tcp`", "tcp", List.of(), List.of());
        print("`shm`", "shm", List.of(), List.of());
        final Path folder = Files.createTempDirectory("onesided-storm");
        try
        {
            final TestAuthority authority = new TestAuthority("storm");
            final TlsOptions files = authority.forLoopback().write(folder, "server");
            print("`tcp`, within TLS", "tcp",
                List.of("--tls-certificate", files.certificate().toString(), "--tls-key", files.key().toString()),
                List.of(authority.write(folder.resolve("ca.crt")).toString()));
        }
        finally
        {
            try (var left = Files.list(folder))
            {
                for (final Path file : left.toList())
                {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
        missed.forEach(System.out::println);
        return missed.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void print(
        final String name, final String device, final List<String> ofServer, final List<String> ofClients)
        throws Exception
    {
        final ConnectStorm storm = new ConnectStorm(processes, clients);
        final ConnectStorm.Cost cost = storm.blow(device, ofServer, ofClients);
        System.out.printf(Locale.ROOT, ROW, name, cost.tookMs() / MS_PER_S,
            cost.ofClients().toMillis() / MS_PER_S, cost.ofServer().toMillis() / MS_PER_S);
        final long mostMs = storm.mostMs(!ofClients.isEmpty());
        if (cost.tookMs() > mostMs)
        {
            missed.add(String.format(Locale.ROOT, "missed: %s: took-ms=%d most-ms=%d", name, cost.tookMs(), mostMs));
        }
    }
}
