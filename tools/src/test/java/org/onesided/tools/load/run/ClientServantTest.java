package org.onesided.tools.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.workload.WorkloadProperties;

class ClientServantTest
{
    @Test
    void shouldTellTheEndOfAPhaseThatIsStoppedBeforeItBegins() throws Exception
    {
        final RunPlan plan = new RunPlan(new WorkloadProperties(Map.of("recordcount", "100")).workload("b"),
            RunPlan.Phases.BOTH, 2, 1, 0, 0, 0, RunPlan.Verify.ON, 1);
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        ClientServant.serve(plan, new MapAccess(), 0, new ByteArrayInputStream("STOP\nRUN\n".getBytes(UTF_8)),
            new PrintStream(out, true, UTF_8));

        final List<String> lines = out.toString(UTF_8).lines().toList();
        assertEquals(ClientMessage.Kind.READY, ClientMessage.parse(lines.get(0)).kind());
        final ClientMessage last = ClientMessage.parse(lines.get(lines.size() - 1));
        assertEquals(ClientMessage.Kind.END, last.kind());
        assertEquals(PhaseResult.Ending.INTERRUPTED, last.body(PhaseEnd.class).ending());
        assertEquals(false, Thread.interrupted());
    }
}
