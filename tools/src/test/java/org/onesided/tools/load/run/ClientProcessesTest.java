package org.onesided.tools.load.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.StoreFacts;
import org.onesided.tools.load.output.Verification;

/**
 * Client processes that say what they are told to, and die.
 */
class ClientProcessesTest
{
    private static final String READY =
        "echo " + ClientMessage.ready(new StoreFacts("server", "host:1", "shm", 1, 1, false)).line();
    private static final String END = "echo " + ClientMessage.of(ClientMessage.Kind.END, end()::encode).line();

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

    private static PhaseEnd run(final String... scripts)
    {
        final List<List<String>> commands =
            List.of(scripts).stream().map(script -> List.of("sh", "-c", script)).toList();
        final ClientProcesses clients = new ClientProcesses(commands);
        try
        {
            return clients.run(RunPlan.Phases.RUN, new PhaseListener()
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
        finally
        {
            clients.close();
        }
    }

    private static PhaseEnd end()
    {
        return new PhaseEnd(PhaseResult.Ending.DONE, 1, 5, 0, 0, true, List.of(), new Verification(0, List.of()),
            ClientTotals.NONE, 0, List.of());
    }
}
