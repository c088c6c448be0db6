package org.onesided.verbs;

/**
 * Counts the objects created from an object, so that it cannot be destroyed while one is open. Thread-safe.
 */
public final class UseCount
{
    private final String destroyVerb;
    private final String object;
    private int uses;
    private boolean closed;

    /**
     * @param destroyVerb verb that destroys the object, for messages.
     * @param object      name of the object, for messages.
     */
    public UseCount(final String destroyVerb, final String object)
    {
        this.destroyVerb = destroyVerb;
        this.object = object;
    }

    /**
     * Begins a use.
     *
     * @throws VerbsException with {@code EINVAL} if the object is closed.
     */
    public synchronized void acquire()
    {
        if (closed)
        {
            throw new VerbsException("use", Errno.EINVAL, object + " is closed already");
        }
        uses++;
    }

    /**
     * Ends a use.
     */
    public synchronized void release()
    {
        uses--;
    }

    /**
     * @return whether the object's life has ended.
     */
    public synchronized boolean isClosed()
    {
        return closed;
    }

    /**
     * Ends the object's life.
     *
     * @return false if that happened before.
     * @throws VerbsException with {@code EBUSY} while it is used.
     */
    public synchronized boolean close()
    {
        if (closed)
        {
            return false;
        }
        if (uses > 0)
        {
            throw new VerbsException(
                destroyVerb, Errno.EBUSY, object + " is still in use, close what was made from it first: uses=" + uses);
        }
        closed = true;
        return true;
    }
}
