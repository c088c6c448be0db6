package org.onesided.client.request;

import org.agrona.DirectBuffer;
import org.onesided.client.session.RegisteredBuffer;

/**
 * What a write does to its key, and with what, until its message is written. Reused; not thread-safe.
 */
final class WriteRequest
{
    private enum Kind
    {
        PUT, DELETE, INCREMENT, APPEND, TOUCH
    }

    private Kind kind;
    private boolean isJoint;
    private WriteTerms terms;
    private Object base;
    private long offset;
    private int length;
    private long delta;
    private long initial;

    /**
     * A put.
     *
     * @param with        its terms.
     * @param valueBase   array that holds the value, or null for native memory.
     * @param valueOffset of the value in the array as UnsafeApi counts it, or its address.
     * @param valueLength of the value in bytes.
     */
    void put(final WriteTerms with, final Object valueBase, final long valueOffset, final int valueLength)
    {
        begin(Kind.PUT, with);
        give(valueBase, valueOffset, valueLength);
    }

    /** As {@link #put}, for a plain put that may share its message with others. */
    void putJointly(final Object valueBase, final long valueOffset, final int valueLength)
    {
        put(WriteTerms.PLAIN, valueBase, valueOffset, valueLength);
        isJoint = true;
    }

    /** A delete. */
    void delete(final WriteTerms with)
    {
        begin(Kind.DELETE, with);
    }

    /** An addition to the key's number, or to {@code ifAbsent}. */
    void increment(final WriteTerms with, final long added, final long ifAbsent)
    {
        begin(Kind.INCREMENT, with);
        delta = added;
        initial = ifAbsent;
    }

    /** An addition of bytes, which are given as those of a put, to the end of the key's value. */
    void append(final WriteTerms with, final Object valueBase, final long valueOffset, final int valueLength)
    {
        begin(Kind.APPEND, with);
        give(valueBase, valueOffset, valueLength);
    }

    /** A change of the key's time. */
    void touch(final WriteTerms with)
    {
        begin(Kind.TOUCH, with);
    }

    private void begin(final Kind of, final WriteTerms with)
    {
        kind = of;
        isJoint = false;
        terms = with;
    }

    private void give(final Object valueBase, final long valueOffset, final int valueLength)
    {
        base = valueBase;
        offset = valueOffset;
        length = valueLength;
    }

    /** Lets go of the value's array. */
    void forget()
    {
        base = null;
    }

    /** Whether it may share its message with others. */
    boolean isJoint()
    {
        return isJoint;
    }

    boolean isPut()
    {
        return kind == Kind.PUT;
    }

    boolean isAppend()
    {
        return kind == Kind.APPEND;
    }

    WriteTerms terms()
    {
        return terms;
    }

    /** Array of the value, or null for native memory. */
    Object base()
    {
        return base;
    }

    /** Of the value in its array, or its address. */
    long offset()
    {
        return offset;
    }

    /** Of the value in bytes. */
    int length()
    {
        return length;
    }

    /** Writes the message, which holds the value, into a slot. */
    void stage(final Rpc rpc, final int slot, final DirectBuffer key, final int keyLength)
    {
        switch (kind)
        {
            case PUT ->
            {
                if (terms.isPlain())
                {
                    rpc.stagePut(slot, key, keyLength, base, offset, length);
                }
                else
                {
                    rpc.stage(slot, rpc.codec().put(slot, terms, key, keyLength, base, offset, length));
                }
            }
            case DELETE ->
            {
                if (terms.isPlain())
                {
                    rpc.stageDelete(slot, key, keyLength);
                }
                else
                {
                    rpc.stage(slot, rpc.codec().delete(slot, terms, key, keyLength));
                }
            }
            case INCREMENT -> rpc.stage(
                slot, rpc.codec().increment(slot, terms, key, keyLength, delta, initial));
            case APPEND -> rpc.stage(
                slot, rpc.codec().append(slot, terms, key, keyLength, base, offset, length));
            default -> rpc.stage(slot, rpc.codec().touch(slot, terms, key, keyLength));
        }
    }

    /** As {@link #stage}, for a put whose value the server pulls from a buffer. */
    void stageLarge(
        final Rpc rpc, final int slot, final DirectBuffer key, final int keyLength, final RegisteredBuffer value)
    {
        rpc.stage(slot, terms.isPlain() ? rpc.codec().putLarge(slot, key, keyLength, value, length) :
            rpc.codec().putLarge(slot, terms, key, keyLength, value, length));
    }

    /** Writes the put behind those of the open batch in a slot, which has room for it; returns the message's length. */
    int join(final Rpc rpc, final int slot, final DirectBuffer key, final int keyLength)
    {
        return rpc.codec().join(slot, key, keyLength, base, offset, length);
    }
}
