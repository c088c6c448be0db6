package org.onesided.client.read;

import java.lang.reflect.Field;
import org.onesided.client.StoreSession;
import org.onesided.client.request.RequestEngine;
import org.onesided.client.request.Requests;
import org.onesided.client.request.Rpc;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Connection;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SessionCore;
import org.onesided.client.session.SessionParts;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequest;
import org.onesided.verbs.SendRequests;
import org.onesided.verbs.WorkCompletions;

/**
 * Looks into a session for what it does not tell: versions, and its table. For the session's thread, between operations
 * or where it hands a value over.
 */
public final class SessionProbe
{
    /** The version is not known. */
    public static final long NO_VERSION = 0;

    /** Id of a request that is no session's. */
    private static final long VIOLATION = 0x5EED_0000_0000_0001L;

    /** Longer records are in a buffer that goes back to others. */
    private static final int LONGEST_KEPT = 16 << 10;

    private final SessionCore core;
    private final Requests ofSession;
    private final Reads reads;
    private final SessionGets gets;
    /** Of a class that only its package knows. */
    private final Object doneWrites;
    private final Field writeVersion;
    private final Field writeBucket;
    private final Field getAnswer;
    private long requests;

    /**
     * @param session to look into.
     */
    public SessionProbe(final StoreSession session)
    {
        try
        {
            core = (SessionCore)field(StoreSession.class, "core").get(session);
            final RequestEngine engine = (RequestEngine)field(StoreSession.class, "engine").get(session);
            ofSession = engine.requests();
            final Object writes = field(RequestEngine.class, "writes").get(engine);
            doneWrites = field(writes.getClass(), "done").get(writes);
            writeVersion = field(doneWrites.getClass(), "version");
            writeBucket = field(doneWrites.getClass(), "bucketOffset");
            reads = (Reads)field(StoreSession.class, "reads").get(session);
            gets = (SessionGets)field(StoreSession.class, "gets").get(session);
            getAnswer = field(Rpc.class, "getAnswer");
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("session is made otherwise than this knows", e);
        }
    }

    private static Field field(final Class<?> of, final String name) throws NoSuchFieldException
    {
        final Field field = of.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /**
     * Lets lookups ask the server before they READ anything, or not.
     *
     * @param value whether they do.
     */
    public void askFirst(final boolean value)
    {
        gets.askFirst(value);
    }

    /**
     * Tells how often the server was asked for a value.
     *
     * @return lookups by request.
     */
    public long requests()
    {
        return SessionParts.count(core.counters(), Counters.RPC_GETS);
    }

    /**
     * Tells where the server has its table.
     *
     * @return its raw address in the server's process.
     */
    public long regionAddress()
    {
        return SessionParts.tableAddress(core.reconnector().attachment());
    }

    /** Notes that lookups begin whose versions will be asked for. */
    public void begin()
    {
        requests = SessionParts.count(core.counters(), Counters.RPC_GETS);
    }

    /**
     * Tells the version of the value that was looked up last.
     *
     * @param length of the value in bytes.
     * @return its version, or {@link #NO_VERSION} if it is not in reach any more.
     */
    public long readVersion(final int length)
    {
        final Attachment attachment = core.reconnector().attachment();
        if (attachment == null || length > LONGEST_KEPT || hasAsked())
        {
            requests = SessionParts.count(core.counters(), Counters.RPC_GETS);
            return NO_VERSION;
        }
        return reads.over(attachment).records().version();
    }

    /**
     * Tells whether lookups asked the server since {@link #begin}.
     *
     * @return whether they did.
     */
    public boolean hasAsked()
    {
        return requests != requests();
    }

    /**
     * Tells the version of the value that the server was asked for, in the operation that ended last.
     *
     * @param length of the value in bytes.
     * @return its version, or {@link #NO_VERSION} if it is not in reach any more.
     */
    public long askedVersion(final int length)
    {
        final Attachment attachment = core.reconnector().attachment();
        if (attachment == null || length > LONGEST_KEPT)
        {
            return NO_VERSION;
        }
        try
        {
            final RecordReader records = reads.over(attachment).records();
            return gets.valueAddress() == records.valueAddress() ? records.version() :
                ((GetAnswerDecoder)getAnswer.get(ofSession.rpc())).version();
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Tells the version of the write that the session waited for last and that was done.
     *
     * @return the version.
     */
    public long writeVersion()
    {
        return doneWrite(writeVersion);
    }

    /**
     * Tells the bucket of the key that the session put last, and waited for.
     *
     * @return its table offset.
     */
    public long writeBucket()
    {
        return doneWrite(writeBucket);
    }

    private long doneWrite(final Field field)
    {
        try
        {
            return field.getLong(doneWrites);
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Tells how many records were READ torn, or where there was none any more, and found out.
     *
     * @return READs whose check word did not fit.
     */
    public long tornReads()
    {
        return SessionParts.count(core.counters(), Counters.TORN_READS);
    }

    /**
     * Tells how far the session knows the splitting of a shard's index to have come.
     *
     * @param shard of the table.
     * @return the first bucket in use, as far as is known; 0 if the session is detached.
     */
    public long firstInUse(final int shard)
    {
        final Attachment attachment = core.reconnector().attachment();
        return attachment == null ? 0 : attachment.table().firstInUse(shard);
    }

    /**
     * Does to the server's table what no client should, which ends the session's attachment.
     *
     * @param opcode of the request, which is for 8 bytes.
     * @return how it failed, a {@link CompletionStatus}, or a negative errno if the device takes no such request.
     */
    public int violate(final int opcode)
    {
        final Attachment attachment = core.reconnector().attachment();
        try (SendRequests requests = new SendRequests(1, 1); WorkCompletions completions = new WorkCompletions(16))
        {
            final QueuePair queuePair =
                ((QueuePair[])field(Connection.class, "queuePairs").get(attachment.connection()))[0];
            final CompletionQueue queue =
                (CompletionQueue)field(CompletionLoop.class, "queue").get(attachment.loop());

            final RegisteredBuffer from = attachment.readSpace();
            final long remote = SessionParts.tableAddress(attachment);
            final int remoteKey = SessionParts.tableKey(attachment);
            final SendRequest request = requests.at(0).begin(VIOLATION, opcode, SendFlags.SIGNALED)
                .element(from.addressOf(0, Long.BYTES), Long.BYTES, from.localKey());
            if (opcode == Opcode.RDMA_WRITE)
            {
                request.remote(remote, remoteKey);
            }
            else
            {
                request.atomic(remote, remoteKey, 0, 1);
            }
            final int errno = requests.post(queuePair, 1);
            return errno == 0 ? failure(completions, queue) : -errno;
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("session is made otherwise than this knows", e);
        }
    }

    private static int failure(final WorkCompletions completions, final CompletionQueue queue)
    {
        while (true)
        {
            final int count = completions.poll(queue);
            for (int i = 0; i < count; i++)
            {
                if (completions.id(i) == VIOLATION)
                {
                    return completions.status(i);
                }
            }
            Thread.yield();
        }
    }

    /**
     * Tells what the session knows of its table.
     *
     * @return the superblock that it has READ.
     * @throws IllegalStateException if it has none, being detached.
     */
    public Superblock superblock()
    {
        final Attachment attachment = core.reconnector().attachment();
        if (attachment == null)
        {
            throw new IllegalStateException("session is detached");
        }
        return SessionParts.superblock(attachment);
    }
}
