package org.onesided.tools.load.output;

import java.time.Instant;
import java.util.List;

/**
 * What a load run was, and what came of it.
 *
 * @param version of the tools, empty if they are not packaged.
 * @param command the exact command line, a word each.
 * @param start   when it began.
 * @param machine where it ran.
 * @param settings what was asked for.
 * @param store   what was asked.
 * @param phases  what came of it: the load phase, the run phase, or both in this order.
 */
public record RunResult(
    String version,
    List<String> command,
    Instant start,
    Machine machine,
    Settings settings,
    StoreFacts store,
    List<PhaseResult> phases)
{
    /**
     * @param version of the tools, empty if they are not packaged.
     * @param command the exact command line, a word each.
     * @param start   when it began.
     * @param machine where it ran.
     * @param settings what was asked for.
     * @param store   what was asked.
     * @param phases  what came of it.
     */
    public RunResult
    {
        command = List.copyOf(command);
        phases = List.copyOf(phases);
    }
}
