package org.onesided.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.session.Deadline;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.ScannedEntry;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.Version;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;

/**
 * A store's operations over sessions that are lent for one call each, or together with those of other threads. As
 * thread-safe as its sessions.
 */
sealed class LentOperations implements StoreOperations permits ServerClient
{
    private final LentSessions sessions;
    /** Null where joint requests cost as much as single ones. */
    private final JointCalls joint;

    /**
     * @param sessions that are lent.
     * @param joint    calls that are carried out together, or null.
     */
    LentOperations(final LentSessions sessions, final @Nullable JointCalls joint)
    {
        this.sessions = sessions;
        this.joint = joint;
    }

    @Override
    public byte @Nullable [] get(final byte[] key)
    {
        return tryJoin() ? joint.get(key) : sessions.apply(Operation.GET, key, (session, of) -> session.get(of));
    }

    @Override
    public @Nullable String get(final String key)
    {
        return tryJoin() ? joint.get(key) : sessions.apply(Operation.GET, key, (session, of) -> session.get(of));
    }

    @Override
    public boolean getUsing(final Bytes<?> key, final Bytes<?> value)
    {
        return sessions.test(Operation.GET, key, value, (session, of, into) -> session.getUsing(of, into));
    }

    @Override
    public int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        if (tryJoin())
        {
            return joint.get(key, keyOffset, keyLength, value, valueOffset);
        }
        final LentSession lent = sessions.borrow(Operation.GET);
        try
        {
            return lent.session().get(key, keyOffset, keyLength, value, valueOffset);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public int get(final ByteBuffer key, final ByteBuffer value)
    {
        if (tryJoin())
        {
            return joint.get(key, value);
        }
        final LentSession lent = sessions.borrow(Operation.GET);
        try
        {
            return lent.session().get(key, value);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public @Nullable VersionedValue<byte[]> getVersioned(final byte[] key)
    {
        return sessions.apply(Operation.GET, key, (session, of) -> session.getVersioned(of));
    }

    @Override
    public int getVersioned(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset, final MutableVersion version)
    {
        final LentSession lent = sessions.borrow(Operation.GET);
        try
        {
            return lent.session().getVersioned(key, keyOffset, keyLength, value, valueOffset, version);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public void getAll(final List<byte[]> keys, final ValueConsumer consumer)
    {
        sessions.accept(Operation.GET_ALL, keys, consumer, (session, all, to) -> session.getAll(all, to));
    }

    @Override
    public void put(final byte[] key, final byte[] value)
    {
        if (tryJoin(value.length))
        {
            joint.put(key, value);
        }
        else
        {
            sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
        }
    }

    @Override
    public void put(final String key, final String value)
    {
        // A character has up to three bytes.
        if (tryJoin(3L * value.length()))
        {
            joint.put(key, value);
        }
        else
        {
            sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
        }
    }

    @Override
    public void put(final ByteBuffer key, final ByteBuffer value)
    {
        if (tryJoin(value.remaining()))
        {
            joint.put(key, value);
        }
        else
        {
            sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
        }
    }

    @Override
    public void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        if (tryJoin(valueLength))
        {
            joint.put(key, keyOffset, keyLength, value, valueOffset, valueLength);
            return;
        }
        final LentSession lent = sessions.borrow(Operation.PUT);
        try
        {
            lent.session().put(key, keyOffset, keyLength, value, valueOffset, valueLength);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public void put(final Bytes<?> key, final Bytes<?> value)
    {
        sessions.accept(Operation.PUT, key, value, (session, of, to) -> session.put(of, to));
    }

    @Override
    public boolean put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final PutOptions options, final MutableVersion version)
    {
        final LentSession lent = sessions.borrow(Operation.PUT);
        try
        {
            return lent.session().put(key, keyOffset, keyLength, value, valueOffset, valueLength, options, version);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public WriteOutcome deleteIfVersion(
        final DirectBuffer key, final int keyOffset, final int keyLength, final Version version)
    {
        return sessions.apply(Operation.DELETE, key,
            (session, of) -> session.deleteIfVersion(of, keyOffset, keyLength, version));
    }

    @Override
    public byte @Nullable [] update(final byte[] key, final UnaryOperator<byte @Nullable []> function)
    {
        return sessions.apply(Operation.UPDATE, key, (session, of) -> session.update(of, function));
    }

    @Override
    public long increment(
        final DirectBuffer key, final int keyOffset, final int keyLength, final long delta, final long initial,
        final Expiry expiry, final @Nullable MutableVersion version)
    {
        final LentSession lent = sessions.borrow(Operation.INCREMENT);
        try
        {
            return lent.session().increment(key, keyOffset, keyLength, delta, initial, expiry, version);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public int append(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength, final Expiry expiry, final @Nullable MutableVersion version)
    {
        final LentSession lent = sessions.borrow(Operation.APPEND);
        try
        {
            return lent.session().append(
                key, keyOffset, keyLength, value, valueOffset, valueLength, expiry, version);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public boolean touch(final DirectBuffer key, final int keyOffset, final int keyLength, final Expiry expiry)
    {
        return sessions.apply(
            Operation.TOUCH, key, (session, of) -> session.touch(of, keyOffset, keyLength, expiry));
    }

    @Override
    public @Nullable TimeToLive ttl(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return sessions.apply(Operation.TTL, key, (session, of) -> session.ttl(of, keyOffset, keyLength));
    }

    @Override
    public void putAll(final List<byte[]> keys, final List<byte[]> values)
    {
        sessions.accept(Operation.PUT_ALL, keys, values, (session, all, to) -> session.putAll(all, to));
    }

    @Override
    public List<WriteOutcome> putAll(
        final List<byte[]> keys, final List<byte[]> values, final List<PutOptions> options)
    {
        return sessions.apply(Operation.PUT_ALL, keys, (session, all) -> session.putAll(all, values, options));
    }

    @Override
    public int deleteAll(final List<byte[]> keys)
    {
        return sessions.apply(Operation.DELETE_ALL, keys, StoreSession::deleteAll);
    }

    @Override
    public void putAll(final Map<String, String> pairs)
    {
        sessions.accept(Operation.PUT_ALL, pairs, null, (session, all, none) -> session.putAll(all));
    }

    @Override
    public boolean delete(final byte[] key)
    {
        return tryJoin() ? joint.delete(key) :
            sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean delete(final String key)
    {
        return tryJoin() ? joint.delete(key) :
            sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean delete(final ByteBuffer key)
    {
        return tryJoin() ? joint.delete(key) :
            sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        if (tryJoin())
        {
            return joint.delete(key, keyOffset, keyLength);
        }
        final LentSession lent = sessions.borrow(Operation.DELETE);
        try
        {
            return lent.session().delete(key, keyOffset, keyLength);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public boolean delete(final Bytes<?> key)
    {
        return sessions.test(Operation.DELETE, key, null, (session, of, none) -> session.delete(of));
    }

    @Override
    public boolean contains(final byte[] key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean contains(final String key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean contains(final ByteBuffer key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean contains(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        final LentSession lent = sessions.borrow(Operation.CONTAINS);
        try
        {
            return lent.session().contains(key, keyOffset, keyLength);
        }
        finally
        {
            sessions.giveBack(lent);
        }
    }

    @Override
    public boolean contains(final Bytes<?> key)
    {
        return sessions.test(Operation.CONTAINS, key, null, (session, of, none) -> session.contains(of));
    }

    @Override
    public boolean scanWhile(final byte[] prefix, final Predicate<? super ScannedEntry> visitor)
    {
        return sessions.test(Operation.SCAN, prefix, visitor, (session, of, to) -> session.scanWhile(of, to));
    }

    @Override
    public List<ShardStatistics> statistics()
    {
        return sessions.apply(Operation.STATISTICS, null, (session, none) -> session.statistics());
    }

    @Override
    public List<ShardStatistics> snapshot()
    {
        return sessions.apply(Operation.STATISTICS, null, (session, none) -> session.snapshot());
    }

    @Override
    public ClientStatistics reportedStatistics()
    {
        return sessions.apply(Operation.STATISTICS, null, (session, none) -> session.reportedStatistics());
    }

    @Override
    public StoreOperations within(final Duration deadline)
    {
        final long deadlineNs = Deadline.checked(deadline);
        return new LentOperations(sessions.within(deadlineNs), joint == null ? null : joint.within(deadlineNs));
    }

    @Override
    public ClientStatistics clientStatistics()
    {
        return sessions.statistics();
    }

    @Override
    public ServerInfo server()
    {
        return sessions.server();
    }

    /** Those of the sessions. */
    @Override
    public String toString()
    {
        return sessions.toString();
    }

    /** Whether an operation joins those of other threads. Opens their session if it is missing. */
    private boolean tryJoin()
    {
        return joint != null && joint.tryAdmit();
    }

    /** The same for a put of a value of so many bytes. */
    private boolean tryJoin(final long valueLength)
    {
        return joint != null && joint.takes(valueLength) && tryJoin();
    }
}
