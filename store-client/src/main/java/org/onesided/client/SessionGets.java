package org.onesided.client;

import org.agrona.UnsafeApi;
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
    private boolean asksFirst;
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
                final int length = find(attachment, asksFirst && attempts == 0);
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

    /** Whether to ask the server before anything is READ: so that tests have lookups by request, which are rare. */
    void askFirst(final boolean value)
    {
        asksFirst = value;
    }

    /** Of the value found last. */
    long valueAddress()
    {
        return valueAddress;
    }

    private int find(final Attachment attachment, final boolean asksAtOnce)
    {
        final long keyAddress = link.keySpace().addressOffset();
        final int keyLength = link.keyLength();
        final long hash = attachment.table().hash(keyAddress, keyLength);
        return switch (asksAtOnce ? Lookup.UNSETTLED : attachment.lookup().find(keyAddress, keyLength, hash))
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
        final Status status = RequestCodec.status(answer.statusRaw());
        return switch (status)
        {
            case OK ->
            {
                if (answer.extent() != 0)
                {
                    yield readExtent(
                        attachment, shard, answer.extent(), answer.wholeLength(), answer.version(), answer.check());
                }
                valueAddress = rpc.valueAddress();
                yield answer.valueLength();
            }
            case NOT_FOUND -> ABSENT;
            // It lends no more than so much at a time: the next READ may do without.
            case BUSY -> UNSETTLED;
            default -> throw new StoreLimitException(
                "server refuses the lookup: status=" + status, link.failure(WriteFate.NONE));
        };
    }

    /**
     * READs the record of a value that the server lent. Its check word and version may have changed since, if the
     * record is dead by now; those it had are in the answer.
     */
    private int readExtent(
        final Attachment attachment,
        final int shard,
        final long extent,
        final long wholeLength,
        final long version,
        final long check)
    {
        // Whatever comes in between, it goes back before the next request to the shard.
        attachment.slots().owe(shard, extent);
        attachment.rpc().releaseAnswer();
        final long offset = extent - RecordDescriptor.KEY_OFFSET - link.keyLength();
        if (wholeLength > RecordDescriptor.MAX_VALUE_LENGTH)
        {
            throw attachment.loop().lost("server lent a value that is too long: length=" + wholeLength);
        }
        final long length = RecordDescriptor.length(link.keyLength(), wholeLength);
        if (!attachment.table().shard(shard).heapContains(offset, length))
        {
            throw attachment.loop().lost("server lent a value outside its table: length=" + wholeLength);
        }
        final RegisteredBuffer space =
            length <= attachment.recordSpace().length() ? attachment.recordSpace() : link.longRecord(length);
        attachment.reader().read(shard, offset, length, space, 0);
        counters.increment(Counters.RECORD_READS);
        counters.add(Counters.BYTES_READ, length);

        final Rpc rpc = attachment.rpc();
        rpc.release(shard, extent);
        final ReleaseAnswerDecoder released = rpc.awaitRelease();
        if (RequestCodec.status(released.statusRaw()) != Status.OK)
        {
            throw attachment.loop().lost("server took an extent back too early: status=" + released.statusRaw());
        }
        rpc.releaseAnswer();
        return judge(attachment, space.addressOf(0, length), length, offset, version, check);
    }

    /** Nothing that is lent changes: other bytes than the answer told of come of a fault at the server. */
    private int judge(
        final Attachment attachment,
        final long address,
        final long length,
        final long offset,
        final long version,
        final long check)
    {
        final RecordReader records = attachment.records();
        UnsafeApi.putLong(address + RecordDescriptor.CHECK_OFFSET, check);
        UnsafeApi.putLong(address + RecordDescriptor.VERSION_OFFSET, version);
        if (records.judge(address, length, offset) != RecordReader.LIVE ||
            !records.hasKey(link.keySpace().addressOffset(), link.keyLength()))
        {
            throw attachment.loop().lost("server lent other bytes than its answer told of: length=" + length);
        }
        valueAddress = records.valueAddress();
        return records.valueLength();
    }
}
