package org.onesided.client.read;

import org.agrona.UnsafeApi;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.RequestCodec;
import org.onesided.client.request.Requests;
import org.onesided.client.request.Rpc;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Counters;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.OperationBuffers;
import org.onesided.client.session.ReadLease;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.waiting.Pause;

/**
 * A session's lookups: by READs, and by asking the server where READs do not settle them. Not thread-safe.
 */
public final class SessionGets
{
    /** The key is absent. */
    public static final int ABSENT = -1;

    private static final int UNSETTLED = -2;
    /** What was found may not be believed. */
    private static final int STALE = -3;

    private final Reads reads;
    private final Requests requests;
    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final OperationBuffers buffers;
    private final Counters counters;
    private boolean asksFirst;
    private long valueAddress;
    /** A value that came in an answer, without its record: its place and version. */
    private long answeredAddress;
    private long answeredVersion;

    /**
     * @param core     of the session.
     * @param reads    of the session.
     * @param requests of the session.
     */
    public SessionGets(final SessionCore core, final Reads reads, final Requests requests)
    {
        this(reads, requests, core.operation(), core.reconnector(), core.buffers(), core.counters());
    }

    /** As the other constructor, with the parts of the core. */
    SessionGets(
        final Reads reads,
        final Requests requests,
        final RunningOperation operation,
        final Reconnector reconnector,
        final OperationBuffers buffers,
        final Counters counters)
    {
        this.reads = reads;
        this.requests = requests;
        this.operation = operation;
        this.reconnector = reconnector;
        this.buffers = buffers;
        this.counters = counters;
    }

    /**
     * Looks up the key that the operation began with.
     *
     * @return length of the value, which stays at {@link #valueAddress} until the operation ends, or {@link #ABSENT}.
     */
    public int find()
    {
        int attempts = 0;
        while (true)
        {
            final Attachment attachment = reconnector.attached(WriteFate.NONE);
            try
            {
                final int length = find(attachment, asksFirst && attempts == 0);
                if (length == STALE)
                {
                    reconnector.checkDeadline("leases ended before the value was there", WriteFate.NONE);
                    continue;
                }
                if (length != UNSETTLED)
                {
                    reconnector.succeeded();
                    counters.increment(length == ABSENT ? Counters.MISSES : Counters.HITS);
                    return length;
                }
                reconnector.checkDeadline("server has too much to do to answer, try again later", WriteFate.NONE);
                Pause.after(attempts++);
            }
            catch (final AttachmentLostException e)
            {
                reconnector.detach(e, WriteFate.NONE);
            }
            catch (final DeadlinePassedException e)
            {
                throw reconnector.deadlinePassed("deadline passed before the value was there", WriteFate.NONE);
            }
        }
    }

    /**
     * As {@link #find}; then {@link #version} and {@link #tableId} can be asked.
     *
     * @return as {@link #find}.
     */
    public int findVersioned()
    {
        // A READ may have brought another value to the same place since.
        answeredAddress = 0;
        return find();
    }

    /**
     * @return version of the value that {@link #findVersioned} found.
     */
    public long version()
    {
        return valueAddress == answeredAddress ? answeredVersion : UnsafeApi.getLong(
            valueAddress - operation.keyLength() - RecordDescriptor.KEY_OFFSET + RecordDescriptor.VERSION_OFFSET);
    }

    /**
     * @return the table that {@link #findVersioned} looked in.
     */
    public long tableId()
    {
        return reconnector.attachment().table().id();
    }

    /** Whether to ask the server without a READ, for tests of lookups by request, which are rare. */
    void askFirst(final boolean value)
    {
        asksFirst = value;
    }

    /** The read path over the session's attachment, for READs that are chosen from here on. */
    ReadPath reads(final Attachment attachment)
    {
        return reads.begin(attachment);
    }

    /**
     * @return raw address of the value found last.
     */
    public long valueAddress()
    {
        return valueAddress;
    }

    private int find(final Attachment attachment, final boolean asksAtOnce)
    {
        final ReadLease lease = attachment.lease();
        if (lease == ReadLease.ALWAYS)
        {
            return findUnchecked(attachment, asksAtOnce);
        }
        final long held = lease.begin();
        final int length = findUnchecked(attachment, asksAtOnce);
        return lease.isStillHeld(held) ? length : STALE;
    }

    private int findUnchecked(final Attachment attachment, final boolean asksAtOnce)
    {
        final long keyAddress = operation.keySpace().addressOffset();
        final int keyLength = operation.keyLength();
        final ReadPath path = reads.begin(attachment);
        final long hash = path.table().hash(keyAddress, keyLength);
        final int length = switch (asksAtOnce ? Lookup.UNSETTLED : path.lookup().find(keyAddress, keyLength, hash))
        {
            case Lookup.FOUND ->
            {
                valueAddress = path.records().valueAddress();
                yield path.records().valueLength();
            }
            case Lookup.ABSENT -> ABSENT;
            default -> ask(path, KeyHash.shard(hash, path.table().shardCount()));
        };
        if (length != UNSETTLED)
        {
            path.accesses().looked(hash, length != ABSENT);
        }
        return length;
    }

    private int ask(final ReadPath path, final int shard)
    {
        counters.increment(Counters.RPC_GETS);
        final Rpc rpc = requests.rpc();
        rpc.get(shard, operation.keySpace(), operation.keyLength());
        reconnector.pauseReads();
        final GetAnswerDecoder answer = rpc.awaitGet();
        final Status status = RequestCodec.status(answer.statusRaw());
        return switch (status)
        {
            case OK ->
            {
                if (answer.extent() != 0)
                {
                    yield readExtent(
                        path, shard, answer.extent(), answer.wholeLength(), answer.version(), answer.check(),
                        answer.expiry());
                }
                valueAddress = rpc.valueAddress();
                answeredAddress = valueAddress;
                answeredVersion = answer.version();
                yield answer.valueLength();
            }
            case NOT_FOUND -> ABSENT;
            // The server lends a limited amount at a time. The next READ may need no loan.
            case BUSY -> UNSETTLED;
            default -> throw new StoreLimitException(
                "server refuses the lookup: status=" + status, operation.failure(WriteFate.NONE));
        };
    }

    /**
     * READs the record of a value that the server lent. Its check word and version may have changed since, if the
     * record is dead by now, and its expiry; those it had are in the answer.
     */
    private int readExtent(
        final ReadPath path,
        final int shard,
        final long extent,
        final long wholeLength,
        final long version,
        final long check,
        final long expiry)
    {
        final CompletionLoop loop = path.attachment().loop();
        final Rpc rpc = requests.rpc();
        // Record the loan first: it is given back before the next request to the shard, even if the code below fails.
        requests.slots().owed().owe(shard, extent);
        rpc.releaseAnswer();
        final long offset = extent - RecordDescriptor.KEY_OFFSET - operation.keyLength();
        if (wholeLength > RecordDescriptor.MAX_VALUE_LENGTH)
        {
            throw loop.lost("server lent a value that is too long: length=" + wholeLength);
        }
        final long length = RecordDescriptor.length(operation.keyLength(), wholeLength);
        if (!path.table().shard(shard).heapContains(offset, length))
        {
            throw loop.lost("server lent a value outside its table: length=" + wholeLength);
        }
        final long longest = length + RecordDescriptor.EXPIRY_LENGTH;
        final RegisteredBuffer space =
            longest <= path.recordSpace().length() ? path.recordSpace() : buffers.longRecord(longest);
        // Memory may have gone and come again while the session waited for the answer.
        path.attachment().confirmation().look();
        path.reader().read(shard, offset, length, space, 0);
        counters.increment(Counters.RECORD_READS);
        counters.add(Counters.BYTES_READ, length);

        rpc.release(shard, extent);
        final ReleaseAnswerDecoder released = rpc.awaitRelease();
        if (RequestCodec.status(released.statusRaw()) != Status.OK)
        {
            throw loop.lost("server took an extent back too early: status=" + released.statusRaw());
        }
        rpc.releaseAnswer();
        UnsafeApi.putLong(space.addressOf(length, RecordDescriptor.EXPIRY_LENGTH), expiry);
        return judge(path, space.addressOf(0, longest), longest, offset, version, check);
    }

    /** Checks a lent record, which must not change: other bytes than the answer described are a fault of the server. */
    private int judge(
        final ReadPath path,
        final long address,
        final long length,
        final long offset,
        final long version,
        final long check)
    {
        final RecordReader records = path.records();
        UnsafeApi.putLong(address + RecordDescriptor.CHECK_OFFSET, check);
        UnsafeApi.putLong(address + RecordDescriptor.VERSION_OFFSET, version);
        if (records.judge(address, length, offset) != RecordReader.LIVE ||
            !records.hasKey(operation.keySpace().addressOffset(), operation.keyLength()))
        {
            throw path.attachment().loop().lost("server lent other bytes than its answer told of: length=" + length);
        }
        valueAddress = records.valueAddress();
        return records.valueLength();
    }
}
