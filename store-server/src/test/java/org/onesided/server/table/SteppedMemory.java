package org.onesided.server.table;

/** Memory that comes when the test says so, and goes when the heap gives it up. */
final class SteppedMemory implements PartMemory
{
    static final long STEP = 64 << 10;

    private final long most;
    long usable;
    long wanted;
    boolean isRefused;
    /** What the heap is asked to give up. */
    long surplus = NONE;
    boolean isSurplusUrgent;
    /** What may still come does not count. */
    boolean isLast;

    SteppedMemory(final long most, final long usable)
    {
        this.most = most;
        this.usable = usable;
    }

    @Override
    public long usable()
    {
        return usable;
    }

    @Override
    public boolean ensure(final long length)
    {
        wanted = Math.max(wanted, Math.min(most, length));
        return length <= usable;
    }

    @Override
    public long growable()
    {
        return isRefused || isLast ? 0 : most - usable;
    }

    @Override
    public long ahead()
    {
        return STEP / 2;
    }

    @Override
    public boolean isRefused()
    {
        return isRefused && usable < most;
    }

    @Override
    public long surplus()
    {
        return surplus;
    }

    @Override
    public boolean isSurplusUrgent()
    {
        return isSurplusUrgent;
    }

    @Override
    public boolean giveUp(final long start)
    {
        if (surplus != start || start >= usable)
        {
            return false;
        }
        usable = start;
        wanted = start;
        surplus = NONE;
        return true;
    }

    @Override
    public void keepSurplus()
    {
        surplus = NONE;
    }

    /** Gives what was asked for, in steps. */
    boolean grow()
    {
        if (wanted <= usable)
        {
            return false;
        }
        usable = Math.min(most, Math.max(usable + STEP, wanted));
        surplus = NONE;
        return true;
    }
}
