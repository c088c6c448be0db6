package org.onesided.verbs.shm;

import org.onesided.verbs.soft.SoftCompletionChannel;
import org.onesided.verbs.soft.SoftContext;

/**
 * A channel that sleeps on a FIFO, which peers find by its number.
 */
final class ShmCompletionChannel extends SoftCompletionChannel
{
    private final ContextDirectory directory;
    private final int number;
    private final Bell bell;

    ShmCompletionChannel(final SoftContext context, final ContextDirectory directory, final int number)
    {
        super(context, context.uses());
        this.directory = directory;
        this.number = number;
        bell = new Bell(directory.createFifo(FileNames.channel(number)));
    }

    int number()
    {
        return number;
    }

    @Override
    public boolean alsoAwait(final int descriptor)
    {
        return bell.alsoAwait(descriptor);
    }

    @Override
    protected void ring()
    {
        bell.ring();
    }

    @Override
    protected boolean clearRing()
    {
        return bell.clear();
    }

    @Override
    protected void sleep(final long timeoutNs)
    {
        if (bell.await(timeoutNs))
        {
            endWait();
        }
    }

    @Override
    protected void release()
    {
        bell.close();
        directory.unlink(FileNames.channel(number));
    }
}
