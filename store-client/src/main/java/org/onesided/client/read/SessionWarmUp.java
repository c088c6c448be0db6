package org.onesided.client.read;

import org.onesided.client.session.Attachment;
import org.onesided.client.session.Counters;
import org.onesided.client.session.OperationBuffers;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;

/**
 * Fills the mirror by bulk READs of the buckets. Not thread-safe.
 */
public final class SessionWarmUp
{
    private final RunningOperation operation;
    private final Counters counters;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;

    /**
     * @param core of the session.
     */
    public SessionWarmUp(final SessionCore core)
    {
        operation = core.operation();
        counters = core.counters();
        reconnector = core.reconnector();
        buffers = core.buffers();
    }

    /**
     * Sweeps the buckets, within an operation that has begun.
     *
     * @return buckets that the mirror took.
     */
    public long run()
    {
        return reconnector.read(
            attachment -> run(attachment, buffers.longRecord(BucketSweep.CHUNK_LENGTH)),
            "deadline passed before the buckets were there");
    }

    private long run(final Attachment attachment, final RegisteredBuffer space)
    {
        final BucketSweep sweep = new BucketSweep(attachment.table());
        long taken = 0;
        while (!sweep.isDone())
        {
            attachment.confirmation().look();
            taken += sweep.step(attachment, space, counters);
            reconnector.succeeded();
            operation.beginStep();
        }
        return taken;
    }
}
