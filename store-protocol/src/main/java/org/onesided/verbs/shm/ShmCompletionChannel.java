package org.onesided.verbs.shm;

import org.onesided.verbs.soft.SoftCompletionChannel;

/**
 * A channel that sleeps on a FIFO, which peers find by its number.
 */
final class ShmCompletionChannel extends SoftCompletionChannel
{
    private final ShmContext context;
    private final int number;
    private final Bell bell;

    ShmCompletionChannel(final ShmContext context, final int number)
    {
        super(context);
        this.context = context;
        this.number = number;
        bell = new Bell(context.directory().createFifo(name(number)));
    }

    static String name(final int number)
    {
        return "channel-" + Integer.toUnsignedString(number);
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
        context.directory().unlink(name(number));
    }
}
