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
 * Clients that connect to one server all at once, from processes of their own: none fails. {@code tests/run storm} is
 * for how long they may take; here, only a time that is much too long fails.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectStormTest
{
    private static final ConnectStorm SMALL = new ConnectStorm(2, 100);
    private static final ConnectStorm WHOLE = new ConnectStorm(10, 100);
    /** So many times as long as they may take on a machine that does nothing else. */
    private static final int SLOWNESS = 3;

    @TempDir
    private Path folder;

    @Test
    void shouldConnectAllOverTcp() throws Exception
    {
        connect(SMALL, "tcp", List.of(), List.of());
    }

    @Tag("full")
    @Test
    void shouldConnectAllWithinTls() throws Exception
    {
        final TestAuthority authority = new TestAuthority("storm");
        final TlsOptions files = authority.forLoopback().write(folder, "server");
        connect(SMALL, "tcp",
            List.of("--tls-certificate", files.certificate().toString(), "--tls-key", files.key().toString()),
            List.of(authority.write(folder.resolve("ca.crt")).toString()));
    }

    /** Clients wait for the handshakes of others; those for whom there is no room then are refused, and try again. */
    @Tag("full")
    @Test
    void shouldConnectAllWhereFewMayConnectAtATimeAndTheServerIsFullForAWhile() throws Exception
    {
        final ConnectStorm.Cost cost = SMALL.blowAtAFullServer("shm", List.of("--max-handshakes", "4"));
        System.out.println("storm: at a full server " + SMALL + ' ' + cost);
        assertTrue(cost.refused() >= SMALL.processes() * SMALL.clients() / 2, cost::toString);
    }

    // Bounds the time of ten processes, which a machine with much to do may not have for them.
    @Tag("timing")
    @Tag("full")
    @Test
    void shouldConnectAThousandInAFewSeconds() throws Exception
    {
        final ConnectStorm.Cost cost = connect(WHOLE, "tcp", List.of(), List.of());
        assertTrue(cost.tookMs() <= SLOWNESS * WHOLE.mostMs(false), cost::toString);
    }

    private static ConnectStorm.Cost connect(
        final ConnectStorm storm, final String device, final List<String> ofServer, final List<String> ofClients)
        throws Exception
    {
        final ConnectStorm.Cost cost = storm.blow(device, ofServer, ofClients);
        System.out.println("storm: device=" + device + ' ' + storm + " options=" + ofServer + ' ' + cost);
        return cost;
    }
}
