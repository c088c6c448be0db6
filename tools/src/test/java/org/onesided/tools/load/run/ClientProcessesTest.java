package org.onesided.tools.load.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.Conflicts;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.StoreFacts;
import org.onesided.tools.load.output.Verification;

/**
 * Client processes that say what they are told to, and die.
 */
class ClientProcessesTest
{
    private static final String READY =
        "echo " + new ClientMessage(
            ClientMessage.Kind.READY, new StoreFacts("server", "host:1", "shm", 1, 1, false)).line();
    private static final String END = "echo " + new ClientMessage(ClientMessage.Kind.END, end()).line();

    @TempDir
    private Path folder;

    @Test
    void shouldFailWhereAClientDies()
    {
        final PhaseEnd end = run(
            READY + "; read order; exit 3",
            READY + "; read order; " + END + "; read order");

        assertEquals(PhaseResult.Ending.FAILED, end.ending());
        assertEquals(5, end.done());
        assertTrue(end.notes().get(0).startsWith("client 1 of 2 ended early: it died (exit code 3)"),
            end.notes().toString());
    }

    @Test
    void shouldFailWhereAllClientsDie()
    {
        final PhaseEnd end = run(READY + "; read order; exit 3", READY + "; read order; exit 4");

        assertEquals(PhaseResult.Ending.FAILED, end.ending());
        assertEquals(0, end.done());
        assertEquals(2, end.notes().size(), end.notes().toString());
    }

    @Test
    void shouldKeepAllThatAClientDidWhichDiesBehindItsEnd() throws Exception
    {
        final Path gone = folder.resolve("gone");
        final Thread watcher = new Thread(() -> tellWhenGone(gone), "test-watcher");
        watcher.setDaemon(true);
        final ClientProcesses clients = start(
            READY + "; read order; " + END + "; exit 3",
            READY + "; read order; until [ -e '" + gone + "' ]; do sleep 0.02; done; " + END + "; read order");
        try
        {
            watcher.start();
            final PhaseEnd end = run(clients, RunPlan.Phases.RUN);

            assertEquals(PhaseResult.Ending.FAILED, end.ending());
            assertEquals(10, end.done());
            assertEquals(List.of(
                "client 1 of 2 ended early: it died (exit code 3); this phase has all that it did"), end.notes());
        }
        finally
        {
            clients.close();
        }
    }

    @Test
    void shouldMissAClientThatDiedBetweenTwoPhases()
    {
        final ClientProcesses clients = start(
            READY + "; read order; " + END + "; exit 3",
            READY + "; read order; " + END + "; read order; " + END + "; read order");
        try
        {
            // It may be told of either phase, but its end of the first was told.
            assertEquals(10, run(clients, RunPlan.Phases.LOAD).done());
            final PhaseEnd end = run(clients, RunPlan.Phases.RUN);

            assertEquals(PhaseResult.Ending.FAILED, end.ending());
            assertEquals(5, end.done());
            assertTrue(end.notes().get(0).startsWith("client 1 of 2 ended early: it died (exit code 3); what it did"),
                end.notes().toString());
        }
        finally
        {
            clients.close();
        }
    }

    /** Makes a file once the end of the first client has been told to the one that waits for all. */
    private static void tellWhenGone(final Path file)
    {
        try
        {
            while (Thread.getAllStackTraces().keySet().stream().anyMatch(thread ->
                thread.getName().equals("load-client-0")))
            {
                Thread.sleep(10);
            }
            Files.createFile(file);
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException("cannot tell the second client", e);
        }
    }

    private static PhaseEnd run(final String... scripts)
    {
        final ClientProcesses clients = start(scripts);
        try
        {
            return run(clients, RunPlan.Phases.RUN);
        }
        finally
        {
            clients.close();
        }
    }

    private static ClientProcesses start(final String... scripts)
    {
        return new ClientProcesses(
            List.of(scripts).stream().map(script -> List.of("sh", "-c", script)).toList());
    }

    private static PhaseEnd run(final ClientProcesses clients, final RunPlan.Phases which)
    {
        return clients.run(which, new PhaseListener()
        {
            @Override
            public void warmingUp(final long leftNs)
            {
                throw new AssertionError("nobody warms up");
            }

            @Override
            public void measuring()
            {
                // Nothing was told that it would be measured with.
            }

            @Override
            public void interval(final Interval interval)
            {
                throw new AssertionError("nobody told any");
            }
        });
    }

    private static PhaseEnd end()
    {
        return new PhaseEnd(PhaseResult.Ending.DONE, 1, 5, 0, 0, Conflicts.NONE, true, List.of(),
            new Verification(0, List.of()), ClientTotals.NONE, 0, List.of());
    }
}
