package org.onesided.endtoend.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.DatagramReceiver;
import org.onesided.testing.HangGuard;

/**
 * A server in another root, started as systemd would: it says by a datagram when it is ready.
 */
final class RootServer implements AutoCloseable
{
    private static final long LONGEST_STOP_S = HangGuard.seconds(240);

    private final String socket = "@onesided-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    private final DatagramReceiver manager = DatagramReceiver.at(socket);
    private final Path log = Files.createTempFile("onesided-server-", ".log");
    private final Process process;
    private final String address;

    RootServer(final OtherRoot root, final Map<String, String> variables, final List<String> command)
        throws IOException
    {
        final Map<String, String> all = new HashMap<>(variables);
        all.put("NOTIFY_SOCKET", socket);
        process = root.builder(all, command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try
        {
            final List<String> told = manager.receiveUntil(message -> message.startsWith("READY=1\n"));
            address = told.get(told.size() - 1).replaceFirst("(?s)READY=1\nSTATUS=ready: (\\S+) .*", "$1");
        }
        catch (final AssertionError e)
        {
            process.destroyForcibly();
            throw new AssertionError(Files.readString(log), e);
        }
    }

    String address()
    {
        return address;
    }

    String log() throws IOException
    {
        return Files.readString(log);
    }

    /** Stops it as systemd does. */
    void stop() throws IOException, InterruptedException
    {
        process.toHandle().destroy();
        assertEquals("STOPPING=1\nSTATUS=stopping\n", manager.receive());
        assertTrue(process.waitFor(LONGEST_STOP_S, TimeUnit.SECONDS), "still running");
        assertEquals(0, process.exitValue(), log());
    }

    @Override
    public void close() throws IOException
    {
        process.destroyForcibly();
        manager.close();
        Files.delete(log);
    }
}
