package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.testing.JavaCommand;
import org.onesided.testing.ProcessorTime;
import org.onesided.testing.ServerProcess;

/**
 * What a server and a client cost that have nothing to do but to stay connected.
 */
@Timeout(180)
class IdleTest
{
    /** Sessions that the server has besides the client's. */
    private static final int SESSIONS = 7;
    private static final double MOST = 0.002;
    private static final long SETTLE_MS = 2_000;
    private static final long MEASURED_MS = 10_000;

    // Measures processor time: a machine with much to do makes waking up dearer.
    @Tag("timing")
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldCostNextToNothing(final String device) throws Exception
    {
        final List<StoreSession> sessions = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--device", device);
            StoreClient client = StoreClient.builder().server(server.address()).device(device)
                .deadline(Duration.ofSeconds(30)).build())
        {
            for (int i = 0; i < SESSIONS; i++)
            {
                final StoreSession session = client.openSession();
                sessions.add(session);
                session.put("key-" + i, "value");
            }
            final Process process = new ProcessBuilder(
                JavaCommand.of(IdleClient.class.getName(), List.of(server.address(), device)))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (BufferedReader output = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
            {
                assertEquals("idle", output.readLine());
                TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
                final long beginNs = System.nanoTime();
                final ProcessorTime ofServer = server.processorTime();
                final ProcessorTime ofClient = ProcessorTime.of(process.pid());
                TimeUnit.MILLISECONDS.sleep(MEASURED_MS);
                final double serverNs = ofServer.sinceNs();
                final double clientNs = ofClient.sinceNs();
                final long tookNs = System.nanoTime() - beginNs;
                final String text = String.format("idle over %s for %d ms: server %.3f %%, client %.3f %% of a core",
                    device, tookNs / 1_000_000, 100 * serverNs / tookNs, 100 * clientNs / tookNs);
                System.out.println(text);
                assertTrue(serverNs < MOST * tookNs && clientNs < MOST * tookNs, text);
                assertTrue(process.isAlive());
            }
            finally
            {
                process.destroyForcibly().onExit().join();
                CloseHelper.quietCloseAll(sessions);
            }
        }
    }
}
