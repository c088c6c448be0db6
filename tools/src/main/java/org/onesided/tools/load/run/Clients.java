package org.onesided.tools.load.run;

import org.onesided.tools.load.output.StoreFacts;

/**
 * What does the work: this process, or others. For one thread.
 */
interface Clients extends AutoCloseable
{
    /**
     * Runs a phase until it ends, or the calling thread is interrupted, which is then no longer marked as such.
     *
     * @param phase    LOAD or RUN.
     * @param listener told how it goes on.
     * @return what came of it.
     */
    PhaseEnd run(RunPlan.Phases phase, PhaseListener listener);

    StoreFacts facts();

    @Override
    void close();
}
