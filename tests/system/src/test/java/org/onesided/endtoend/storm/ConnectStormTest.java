package org.onesided.endtoend.storm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.TestAuthority;
import org.onesided.protocol.bootstrap.TlsOptions;

/**
 * Clients that connect to one server all at once, from processes of their own: none fails. How many is said by the
 * system properties {@code onesided.storm.processes} (2) and {@code onesided.storm.clients} (of each, 100); how long
 * they took is printed, and bounded where {@code onesided.storm.seconds} is given (with TLS four times as long).
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectStormTest
{
    private static final ConnectStorm STORM = new ConnectStorm(
        Integer.getInteger("onesided.storm.processes", 2), Integer.getInteger("onesided.storm.clients", 100));
    private static final int SECONDS = Integer.getInteger("onesided.storm.seconds", 0);
    private static final int TLS_FACTOR = 4;

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

    /** Fewer handshakes at a time than clients: most wait until others are done. */
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
        final ConnectStorm.Cost cost = STORM.blow(device, ofServer, ofClients);
        System.out.println("storm: device=" + device + ' ' + STORM + " options=" + ofServer + ' ' + cost);
        assertTrue(seconds == 0 || cost.tookMs() <= TimeUnit.SECONDS.toMillis(seconds),
            () -> "clients took too long to connect: took-ms=" + cost.tookMs() + " most-s=" + seconds);
    }
}
