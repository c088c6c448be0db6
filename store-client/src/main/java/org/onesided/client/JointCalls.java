package org.onesided.client;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.KeyLength;
import org.onesided.client.session.KeyText;

/**
 * Lookups, puts and deletes that are carried out together with those of other threads, with one deadline for all calls.
 * Thread-safe.
 */
final class JointCalls
{
    private static final int ABSENT = -1;

    private final JointOperations joint;
    private final long deadlineNs;

    /**
     * @param joint      carries them out.
     * @param deadlineNs nanoseconds that a call may take.
     */
    JointCalls(final JointOperations joint, final long deadlineNs)
    {
        this.joint = joint;
        this.deadlineNs = deadlineNs;
    }

    /** The same with another deadline, in nanoseconds. */
    JointCalls within(final long otherNs)
    {
        return new JointCalls(joint, otherNs);
    }

    /** Whether a put of that length may join. */
    boolean takes(final long valueLength)
    {
        return joint.takes(valueLength);
    }

    /** Whether an operation joins. If it should, but the session is missing, this begins to open it. */
    boolean tryAdmit()
    {
        return joint.tryAdmit();
    }

    byte @Nullable [] get(final byte[] key)
    {
        final byte[] found = (byte[])await(Operation.GET, key, null);
        if (found != null)
        {
            joint.found(found.length);
        }
        return found;
    }

    @Nullable String get(final String key)
    {
        final byte[] bytes = text(Operation.GET, key, "key");
        final byte[] found = get(bytes);
        final String text = found == null ? null : Utf8.decode(found);
        if (found != null && text == null)
        {
            throw new StoreLimitException("value is not valid UTF-8, get it as bytes: length=" + found.length,
                new FailureContext(Operation.GET, KeyText.of(bytes), joint.context().addressText(), WriteFate.NONE));
        }
        return text;
    }

    int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        final byte[] found = get(copy(Operation.GET, key, keyOffset, keyLength));
        if (found == null)
        {
            return ABSENT;
        }
        if (found.length > 0)
        {
            final long room = (long)value.capacity() - valueOffset;
            if (valueOffset < 0 || room < found.length && !value.isExpandable())
            {
                throw noRoom(found.length, room);
            }
            value.putBytes(valueOffset, found);
        }
        return found.length;
    }

    int get(final ByteBuffer key, final ByteBuffer value)
    {
        if (value.isReadOnly())
        {
            throw new ReadOnlyBufferException();
        }
        final byte[] found = get(copy(Operation.GET, key));
        if (found == null)
        {
            return ABSENT;
        }
        if (value.remaining() < found.length)
        {
            throw noRoom(found.length, value.remaining());
        }
        value.put(found);
        return found.length;
    }

    void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        value.boundsCheck(valueOffset, valueLength);
        final byte[] bytes = new byte[valueLength];
        value.getBytes(valueOffset, bytes);
        await(Operation.PUT, copy(Operation.PUT, key, keyOffset, keyLength), bytes);
    }

    void put(final ByteBuffer key, final ByteBuffer value)
    {
        await(Operation.PUT, copy(Operation.PUT, key), Copies.of(value));
    }

    boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return tryDelete(copy(Operation.DELETE, key, keyOffset, keyLength));
    }

    boolean delete(final ByteBuffer key)
    {
        return tryDelete(copy(Operation.DELETE, key));
    }

    void put(final byte[] key, final byte[] value)
    {
        // Copy key and value: a caller that gives up at its deadline may change its arrays while the operation runs on.
        await(Operation.PUT, key.clone(), value.clone());
    }

    void put(final String key, final String value)
    {
        await(Operation.PUT, text(Operation.PUT, key, "key"), text(Operation.PUT, value, "value"));
    }

    boolean delete(final byte[] key)
    {
        return tryDelete(key.clone());
    }

    boolean delete(final String key)
    {
        return tryDelete(text(Operation.DELETE, key, "key"));
    }

    private boolean tryDelete(final byte[] key)
    {
        return (Boolean)await(Operation.DELETE, key, null);
    }

    private Object await(final String name, final byte[] key, final byte[] value)
    {
        return joint.await(name, key, value, deadlineNs);
    }

    private byte[] text(final String name, final String text, final String what)
    {
        return Utf8.encoded(text, what, name, joint.context().addressText());
    }

    private byte[] copy(final String name, final DirectBuffer key, final int offset, final int length)
    {
        KeyLength.checked(name, length, joint.context().addressText());
        key.boundsCheck(offset, length);
        final byte[] bytes = new byte[length];
        key.getBytes(offset, bytes);
        return bytes;
    }

    private byte[] copy(final String name, final ByteBuffer key)
    {
        KeyLength.checked(name, key.remaining(), joint.context().addressText());
        return Copies.of(key);
    }

    private StoreLimitException noRoom(final int length, final long room)
    {
        return new StoreLimitException("value does not fit, give more room: length=" + length + " room=" + room,
            FailureContext.unsent(Operation.GET, joint.context().addressText()));
    }
}
