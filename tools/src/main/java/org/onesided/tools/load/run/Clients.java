package org.onesided.tools.load.run;

import org.onesided.tools.load.output.StoreFacts;

/**
 * The workers of a run: this process, or others. For one thread.
 */
interface Clients extends AutoCloseable
{
    /**
     * Runs a phase until it ends or the calling thread is interrupted; clears the interrupt.
     *
     * @param phase    LOAD or RUN.
     * @param listener gets the progress.
     * @return the result.
     */
    PhaseEnd run(RunPlan.Phases phase, PhaseListener listener);

    StoreFacts facts();

    @Override
    void close();
}
