package org.onesided.client;

import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * A session's lookups: by READs, and where these cannot settle it by asking the server. Not thread-safe.
 */
final class SessionGets
{
    /** The key is absent. */
    static final int ABSENT = -1;

    private static final int UNSETTLED = -2;

    private final SessionLink link;
    private final Counters counters;
    private long valueAddress;

    SessionGets(final SessionLink link)
    {
        this.link = link;
        this.counters = link.counters();
    }

    /**
     * Looks up the key that the operation began with.
     *
     * @return length of the value, which stays at {@link #valueAddress} until the operation ends, or {@link #ABSENT}.
     */
    int find()
    {
        int attempts = 0;
        while (true)
        {
            final Attachment attachment = link.attached(WriteFate.NONE);
            try
            {
                final int length = find(attachment);
                if (length != UNSETTLED)
                {
                    link.succeeded();
                    counters.increment(length == ABSENT ? Counters.MISSES : Counters.HITS);
                    return length;
                }
                link.checkDeadline("server has too much to do to answer, try again later", WriteFate.NONE);
                Pause.after(attempts++);
            }
            catch (final AttachmentLostException e)
            {
                link.detach(e.getMessage());
                link.checkDeadline("server was lost (" + e.getMessage() + ") and time is up", WriteFate.NONE);
            }
            catch (final DeadlinePassedException e)
            {
                throw link.deadlinePassed("deadline passed before the value was there", WriteFate.NONE);
            }
        }
    }

    /** Of the value found last. */
    long valueAddress()
    {
        return valueAddress;
    }

    private int find(final Attachment attachment)
    {
        final long keyAddress = link.keySpace().addressOffset();
        final int keyLength = link.keyLength();
        final long hash = attachment.table().hash(keyAddress, keyLength);
        return switch (attachment.lookup().find(keyAddress, keyLength, hash))
        {
            case Lookup.FOUND ->
            {
                valueAddress = attachment.records().valueAddress();
                yield attachment.records().valueLength();
            }
            case Lookup.ABSENT -> ABSENT;
            default -> ask(attachment, KeyHash.shard(hash, attachment.table().shardCount()));
        };
    }

    private int ask(final Attachment attachment, final int shard)
    {
        counters.increment(Counters.RPC_GETS);
        final Rpc rpc = attachment.rpc();
        rpc.get(shard, link.keySpace(), link.keyLength());
        final GetAnswerDecoder answer = rpc.awaitGet();
        final Status status = Rpc.status(answer.statusRaw());
        final long extent = answer.extent();
        final long wholeLength = answer.wholeLength();
        return switch (status)
        {
            case OK ->
            {
                if (extent == 0)
                {
                    valueAddress = rpc.valueAddress();
                    yield answer.valueLength();
                }
                rpc.releaseAnswer();
                yield readExtent(attachment, shard, extent, wholeLength);
            }
            case NOT_FOUND -> ABSENT;
            // No room for a copy: the next READ may do without.
            case BUSY, STORE_FULL -> UNSETTLED;
            default -> throw new StoreLimitException(
                "server refuses the lookup: status=" + status, link.failure(WriteFate.NONE));
        };
    }

    private int readExtent(final Attachment attachment, final int shard, final long extent, final long wholeLength)
    {
        if (wholeLength > RecordDescriptor.MAX_VALUE_LENGTH || !attachment.segments().contains(extent, wholeLength))
        {
            throw attachment.loop().lost("server named an extent outside its table: length=" + wholeLength);
        }
        final RegisteredBuffer space = extentSpace(attachment, shard, extent, wholeLength);
        attachment.reader().read(shard, extent, wholeLength, space, 0);
        counters.increment(Counters.RECORD_READS);
        counters.add(Counters.BYTES_READ, wholeLength);

        final Rpc rpc = attachment.rpc();
        rpc.release(shard, extent);
        final ReleaseAnswerDecoder released = rpc.awaitRelease();
        if (Rpc.status(released.statusRaw()) != Status.OK)
        {
            throw attachment.loop().lost("server took an extent back too early: status=" + released.statusRaw());
        }
        rpc.releaseAnswer();
        valueAddress = space.addressOf(0, wholeLength);
        return (int)wholeLength;
    }

    private RegisteredBuffer extentSpace(
        final Attachment attachment, final int shard, final long extent, final long wholeLength)
    {
        if (wholeLength <= attachment.recordSpace().length())
        {
            return attachment.recordSpace();
        }
        try
        {
            return link.longRecord(wholeLength);
        }
        catch (final DeadlinePassedException | StoreLimitException e)
        {
            // The session goes on: what the server lent it must go back all the same.
            attachment.slots().owe(shard, extent);
            throw e;
        }
    }
}
