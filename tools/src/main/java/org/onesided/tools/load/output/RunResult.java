package org.onesided.tools.load.output;

import java.time.Instant;
import java.util.List;

/**
 * A load run and its result.
 *
 * @param version of the tools, empty if they are not packaged.
 * @param command exact command line, one element per word.
 * @param start   begin of the run.
 * @param machine of the run.
 * @param settings requested.
 * @param store   under load.
 * @param phases  results: of the load phase, the run phase, or both in this order.
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
     * @param command exact command line, one element per word.
     * @param start   begin of the run.
     * @param machine of the run.
     * @param settings requested.
     * @param store   under load.
     * @param phases  results.
     */
    public RunResult
    {
        command = List.copyOf(command);
        phases = List.copyOf(phases);
    }
}
