package org.onesided.client.session;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * The operation that a session carries out: its name, its key, its deadline, and the text of its failure. A session has
 * one at a time. For the session's thread, except {@link #beginClosing} and {@link #isClosing}.
 */
public final class RunningOperation
{
    private static final int NO_KEY = -1;

    private final String server;
    private final Deadline deadline = new Deadline();
    private final UnsafeBuffer key = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(RecordDescriptor.MAX_KEY_LENGTH, Long.BYTES));

    private volatile boolean isClosing;
    private boolean isClosed;
    private String name;
    private int keyLength = NO_KEY;
    private long durationNs;
    private long spentNs;
    private boolean isBusy;
    private int asyncInFlight;

    /**
     * @param first      name of the operation that the session is made for.
     * @param server     host and port.
     * @param durationNs nanoseconds that an operation may take, unless {@link #allow} changes it.
     */
    RunningOperation(final String first, final String server, final long durationNs)
    {
        name = first;
        this.server = server;
        this.durationNs = durationNs;
    }

    /**
     * Sets how long each operation may take from now on.
     *
     * @param ns nanoseconds.
     */
    public void allow(final long ns)
    {
        durationNs = ns;
    }

    /**
     * Begins an operation on the key in {@link #keySpace}.
     *
     * @param begun  its name.
     * @param length of the key, which was checked.
     */
    public void begin(final String begun, final int length)
    {
        if (asyncInFlight > 0)
        {
            throw new IllegalStateException("operations of the session's asynchronous view are in flight, " +
                "drain it first: inFlight=" + asyncInFlight + " begun=" + begun);
        }
        checkIdle(begun);
        checkOpen(begun);
        name = begun;
        keyLength = length;
        isBusy = true;
        deadline.begin(durationNs - spentNs);
        spentNs = 0;
    }

    /**
     * Begins an operation that has no key.
     *
     * @param begun its name.
     */
    public void begin(final String begun)
    {
        begin(begun, NO_KEY);
    }

    /**
     * Begins a call of the asynchronous view, whose operations have deadlines of their own; after the close, too, to
     * tell these of it.
     *
     * @param begun its name.
     */
    public void beginAsync(final String begun)
    {
        checkIdle(begun);
        next(begun, NO_KEY);
        isBusy = true;
    }

    /**
     * The running call goes on with another operation, on a key in {@link #keySpace}.
     *
     * @param begun  its name.
     * @param length of the key, which was checked.
     */
    public void next(final String begun, final int length)
    {
        name = begun;
        keyLength = length;
    }

    /**
     * The running operation goes on with another key in {@link #keySpace}.
     *
     * @param length of the key, which was checked.
     */
    public void nextKey(final int length)
    {
        keyLength = length;
    }

    /** Starts the time of the running operation's next step. */
    public void beginStep()
    {
        deadline.begin(durationNs);
    }

    void end()
    {
        isBusy = false;
    }

    /**
     * Refuses a second operation at a time.
     *
     * @param begun name of the second.
     */
    public void checkIdle(final String begun)
    {
        if (isBusy)
        {
            throw new IllegalStateException(
                "session is in the midst of an operation, use another: running=" + name + " begun=" + begun);
        }
    }

    /**
     * Refuses an operation after the close.
     *
     * @param begun its name.
     */
    public void checkOpen(final String begun)
    {
        if (isClosing)
        {
            throw new StoreClosedException(
                "client or session was closed, open another", FailureContext.unsent(begun, server));
        }
    }

    /**
     * Refuses a key of a length that none has.
     *
     * @param begun  name of the operation.
     * @param length in bytes.
     * @return the length.
     */
    public int checkedKeyLength(final String begun, final int length)
    {
        return KeyLength.checked(begun, length, server);
    }

    /**
     * Puts the key of the operation that begins, from an array or a raw address; its range was checked.
     *
     * @param base   array that holds the key, or null for native memory.
     * @param offset of the key in the array as UnsafeApi counts it, or its address.
     * @param length in bytes.
     */
    public void key(final Object base, final long offset, final int length)
    {
        SmallCopy.copy(base, offset, key.addressOffset(), length);
    }

    /**
     * @return where the key of the next operation is put, with room for the longest.
     */
    public UnsafeBuffer keySpace()
    {
        return key;
    }

    /**
     * @return length of its key.
     */
    public int keyLength()
    {
        return keyLength;
    }

    /**
     * @return when it must end.
     */
    public Deadline deadline()
    {
        return deadline;
    }

    /**
     * @return when an operation that begins now must end, a time of {@link System#nanoTime()}.
     */
    public long newDeadlineNs()
    {
        return System.nanoTime() + durationNs;
    }

    /**
     * The next operation's caller has waited so long already; 0 for not at all.
     *
     * @param waitedNs nanoseconds.
     */
    public void spend(final long waitedNs)
    {
        spentNs = waitedNs;
    }

    /**
     * @return when a run of operations that begins now must end, a time of {@link System#nanoTime()}.
     */
    public long runDeadlineNs()
    {
        return System.nanoTime() + durationNs - spentNs;
    }

    /**
     * The next operation belongs to a run of them and ends with it.
     *
     * @param deadlineNs as {@link #runDeadlineNs} returned it.
     */
    public void limit(final long deadlineNs)
    {
        spend(durationNs - (deadlineNs - System.nanoTime()));
    }

    /**
     * Operations of the asynchronous view whose ends were not told: until then there are no others.
     *
     * @param count of them.
     */
    public void asyncInFlight(final int count)
    {
        asyncInFlight = count;
    }

    String name()
    {
        return name;
    }

    /**
     * @return host and port of the server.
     */
    public String server()
    {
        return server;
    }

    /**
     * @param fate of its write.
     * @return the context of a failure.
     */
    public FailureContext failure(final WriteFate fate)
    {
        final String text = keyLength < 0 ? null : KeyText.of(key.addressOffset(), keyLength);
        return new FailureContext(name, text, server, fate);
    }

    /** The failure of the operation by a close. */
    StoreClosedException closed(final WriteFate fate)
    {
        return new StoreClosedException("client was closed meanwhile", failure(fate));
    }

    /**
     * @return whether nothing is to be begun any more.
     */
    public boolean isClosing()
    {
        return isClosing;
    }

    /** The client is closed. Operations fail from now on. */
    void beginClosing()
    {
        isClosing = true;
    }

    /**
     * The session is closed.
     *
     * @return whether it was open.
     * @throws IllegalStateException in the midst of an operation.
     */
    boolean close()
    {
        if (isBusy)
        {
            throw new IllegalStateException(
                "session is in the midst of an operation, close it afterwards: running=" + name);
        }
        final boolean wasOpen = !isClosed;
        isClosed = true;
        isClosing = true;
        return wasOpen;
    }
}
