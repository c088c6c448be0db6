package org.onesided.endtoend.storm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.ServerProcess;

/**
 * Clients that connect to one server all at once, from processes of their own: none fails. How many is said by the
 * system properties {@code onesided.storm.processes} (2) and {@code onesided.storm.clients} (of each, 100); how long
 * they took is printed, and bounded where {@code onesided.storm.seconds} is given (with TLS four times as long).
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectStormTest
{
    private static final int PROCESSES = Integer.getInteger("onesided.storm.processes", 2);
    private static final int CLIENTS = Integer.getInteger("onesided.storm.clients", 100);
    private static final int SECONDS = Integer.getInteger("onesided.storm.seconds", 0);
    private static final int TLS_FACTOR = 4;
    /** A guard against hanging, on a machine that others use, too. */
    private static final String DEADLINE_MS = "120000";

    @TempDir
    private Path folder;

    @Test
    void shouldConnectAllOverTcp() throws Exception
    {
        connect("tcp", SECONDS, List.of(), List.of());
    }

    @Tag("full")
    @Test
    void shouldConnectAllWithinTls() throws Exception
    {
        final TestAuthority authority = new TestAuthority("storm");
        final TlsOptions files = authority.forLoopback().write(folder, "server");
        connect("tcp", SECONDS * TLS_FACTOR,
            List.of("--tls-certificate", files.certificate().toString(), "--tls-key", files.key().toString()),
            List.of(authority.write(folder.resolve("ca.crt")).toString()));
    }

    /** As many handshakes at a time as a server had for them all: those that find no room come again. */
    @Tag("full")
    @Test
    void shouldConnectAllWhereFewMayConnectAtATime() throws Exception
    {
        connect("shm", SECONDS, List.of("--max-handshakes", "4"), List.of());
    }

    private static void connect(
        final String device, final int seconds, final List<String> ofServer, final List<String> ofClients)
        throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "--device", device, "--memory", "64m", "--max-sessions", Integer.toString(PROCESSES * CLIENTS + 100)));
        arguments.addAll(ofServer);
        final List<Storm> storms = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(arguments.toArray(new String[0])))
        {
            for (int i = 0; i < PROCESSES; i++)
            {
                storms.add(new Storm(server.address(), device, ofClients));
            }
            for (final Storm storm : storms)
            {
                assertEquals("ready", storm.output.readLine());
            }
            final long startNs = System.nanoTime();
            for (final Storm storm : storms)
            {
                storm.goOn();
            }
            for (final Storm storm : storms)
            {
                final String line = storm.output.readLine();
                assertEquals("connected " + CLIENTS + " 0", line.substring(0, line.lastIndexOf(' ')));
            }
            final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            System.out.println("storm: device=" + device + " clients=" + PROCESSES * CLIENTS + " options=" + ofServer +
                " took-ms=" + tookMs);
            for (final Storm storm : storms)
            {
                storm.goOn();
            }
            for (final Storm storm : storms)
            {
                assertEquals("done " + CLIENTS + " 0", storm.output.readLine());
            }
            if (seconds > 0 && tookMs > TimeUnit.SECONDS.toMillis(seconds))
            {
                throw new AssertionError("clients took too long to connect: took-ms=" + tookMs + " most-s=" + seconds);
            }
        }
        finally
        {
            CloseHelper.quietCloseAll(storms);
        }
    }

    /** One process. */
    private static final class Storm implements AutoCloseable
    {
        private final Process process;
        private final BufferedReader output;

        Storm(final String server, final String device, final List<String> further) throws IOException
        {
            final List<String> arguments =
                new ArrayList<>(List.of(server, device, Integer.toString(CLIENTS), DEADLINE_MS));
            arguments.addAll(further);
            process = new ProcessBuilder(JavaCommand.of(StormProcess.class.getName(), arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
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
