package org.onesided.client.session;

import static org.onesided.protocol.table.SegmentDirectoryDescriptor.*;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.client.bootstrap.Segments;
import org.onesided.protocol.table.SegmentDirectoryDescriptor;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;
import org.onesided.waiting.Pause;

/**
 * READs over the session's queue pairs, in pieces that device and protocol allow, chained up to the depth of the queue
 * pair, with one completion per chain. Each READ belongs to a lane, and lanes are awaited separately: one batch can be
 * judged while the next is in flight, with a lookup in between. Not thread-safe.
 */
public final class VerbsReader implements RegionReader
{
    /** Lane of the READs by {@link RegionReader}'s methods. */
    private static final int SINGLE = 0;
    private static final long SINGLE_ID = CompletionLoop.readId(SINGLE);
    /** How often the directory is READ again because it changes: the server takes less than a READ for a change. */
    private static final int MAX_CHANGES = 1 << 12;

    private final QueuePair[] queuePairs;
    private final CompletionLoop loop;
    private final Segments segments;
    private final RegisteredBuffer directorySpace;
    private final SendRequests requests;
    private final int depth;
    private final long maxPieceLength;
    /** Posted READs that were not awaited yet, per lane and shard. */
    private final int[][] posted;
    /** Sums over the lanes. */
    private final int[] underWay;
    private int lane;
    private int queued;
    private int queuedShard;

    /**
     * @param queuePairs     by shard; null where the session is for others.
     * @param segments       known so far, added to when the reader meets memory that it does not know.
     * @param directorySpace room for entries of their directory.
     * @param requests       of one element each.
     * @param depth          READs posted at a time, at most {@code requests.capacity()}.
     * @param maxPieceLength of one READ, in bytes.
     */
    VerbsReader(
        final QueuePair[] queuePairs,
        final CompletionLoop loop,
        final Segments segments,
        final RegisteredBuffer directorySpace,
        final SendRequests requests,
        final int depth,
        final long maxPieceLength)
    {
        this.queuePairs = queuePairs;
        this.loop = loop;
        this.segments = segments;
        this.directorySpace = directorySpace;
        this.requests = requests;
        this.depth = depth;
        this.maxPieceLength = maxPieceLength;
        posted = new int[CompletionLoop.LANES][queuePairs.length];
        underWay = new int[queuePairs.length];
    }

    /**
     * @return READs that may be under way at a time, to one shard.
     */
    public int depth()
    {
        return depth;
    }

    /**
     * What is enqueued from here on belongs to that lane, until it is posted.
     *
     * @param newLane from 1; 0 is that of single READs.
     */
    public void begin(final int newLane)
    {
        lane = newLane;
    }

    /** Posts the enqueued READs. Later READs are in the lane of single READs again. */
    public void post()
    {
        postQueued();
        lane = SINGLE;
    }

    /** Drops enqueued READs that were not posted, after a failure. */
    void forget()
    {
        queued = 0;
        lane = SINGLE;
    }

    /**
     * Waits until all that was posted in a lane is there.
     *
     * @param awaited lane.
     */
    public void await(final int awaited)
    {
        loop.awaitReads(awaited);
        final int[] done = posted[awaited];
        for (int i = 0; i < done.length; i++)
        {
            underWay[i] -= done[i];
            done[i] = 0;
        }
    }

    @Override
    public boolean reaches(final int shard, final long tableOffset, final long length)
    {
        if (segments.contains(tableOffset, length))
        {
            return true;
        }
        learn(shard);
        return segments.contains(tableOffset, length);
    }

    /**
     * READs the segments that the directory has beyond those known, as {@link SegmentDirectoryDescriptor} says.
     *
     * @param shard whose queue pair carries the READs.
     */
    void learn(final int shard)
    {
        if (segments.directory() == Segments.NO_DIRECTORY)
        {
            return;
        }
        postQueued();
        for (int i = 0; i < MAX_CHANGES; i++)
        {
            if (tryLearn(shard, segments.directory()))
            {
                return;
            }
            Pause.after(i);
        }
        throw loop.lost("the table's segment directory changes all the time");
    }

    /** Whether the directory stayed as it was meanwhile; if not, nothing was learned. */
    private boolean tryLearn(final int shard, final long directory)
    {
        final long count = readAlone(shard, directory + COUNT_OFFSET, ENTRIES_OFFSET - COUNT_OFFSET);
        final long generation = wordOf(GENERATION_OFFSET - COUNT_OFFSET);
        if ((generation & 1) != 0)
        {
            return false;
        }
        if (generation != segments.generation())
        {
            segments.learnAnew(generation);
        }
        if (count < segments.learned() || count > MAX_ENTRIES)
        {
            throw loop.lost("the table's segment directory is damaged: count=" + count);
        }
        if (count == segments.learned())
        {
            return true;
        }
        final List<Segments.Segment> added = readEntries(shard, directory, count);
        if (readAlone(shard, directory + GENERATION_OFFSET, Long.BYTES) != generation)
        {
            return false;
        }
        try
        {
            segments.learn(added, count);
        }
        catch (final IllegalArgumentException e)
        {
            throw loop.lost("the table's segment directory is damaged: " + e.getMessage());
        }
        return true;
    }

    /** Entries from the first that is not known, but for those of removed segments. */
    private List<Segments.Segment> readEntries(final int shard, final long directory, final long count)
    {
        final List<Segments.Segment> added = new ArrayList<>();
        for (long index = segments.learned(); index < count;)
        {
            final long some = Math.min(count - index, directorySpace.length() / ENTRY_LENGTH);
            readAlone(shard, directory + entryOffset(index), some * ENTRY_LENGTH);
            for (long i = 0; i < some; i++)
            {
                final long entry = directorySpace.addressOf(i * ENTRY_LENGTH, ENTRY_LENGTH);
                if (UnsafeApi.getInt(entry + STATE_OFFSET) == PRESENT)
                {
                    added.add(segment(entry));
                }
            }
            index += some;
        }
        return added;
    }

    /** Forgets the segments behind the first ones, as some are about to be removed. */
    void forgetSegments()
    {
        segments.forget();
    }

    /** A word of what {@link #readAlone} has READ. */
    private long wordOf(final long offset)
    {
        return UnsafeApi.getLong(directorySpace.addressOf(offset, Long.BYTES));
    }

    private Segments.Segment segment(final long entry)
    {
        try
        {
            return new Segments.Segment(
                UnsafeApi.getLong(entry + TABLE_OFFSET_OFFSET),
                UnsafeApi.getLong(entry + LENGTH_OFFSET),
                UnsafeApi.getLong(entry + ADDRESS_OFFSET),
                UnsafeApi.getInt(entry + REMOTE_KEY_OFFSET));
        }
        catch (final IllegalArgumentException e)
        {
            throw loop.lost("the table's segment directory is damaged: " + e.getMessage());
        }
    }

    /** One READ into the directory's room while others may be under way; returns its first word. */
    private long readAlone(final int shard, final long tableOffset, final long length)
    {
        if (underWay[shard] == depth)
        {
            awaitAll();
        }
        final Segments.Segment segment = segments.at(tableOffset);
        if (segment == null || length > segment.end() - tableOffset || length > maxPieceLength)
        {
            throw loop.lost("the table's segment directory lies outside its first segment: tableOffset=" + tableOffset);
        }
        requests.at(0)
            .begin(SINGLE_ID, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(directorySpace.addressOf(0, length), (int)length, directorySpace.localKey())
            .remote(segment.address() + tableOffset - segment.tableOffset(), segment.remoteKey());
        final int errno = requests.post(queuePairs[shard], 1);
        if (errno != 0)
        {
            throw refused(errno, shard);
        }
        loop.readsPosted(SINGLE, 1);
        await(SINGLE);
        return wordOf(0);
    }

    @Override
    public void enqueue(
        final int shard,
        final long tableOffset,
        final long length,
        final RegisteredBuffer target,
        final long targetOffset)
    {
        if (shard != queuedShard)
        {
            postQueued();
        }
        queuedShard = shard;
        long done = 0;
        while (done < length)
        {
            final Segments.Segment segment = segmentAt(shard, tableOffset + done);
            final long place = tableOffset + done - segment.tableOffset();
            final long piece = Math.min(Math.min(length - done, segment.length() - place), maxPieceLength);
            if (underWay[shard] + queued == depth)
            {
                awaitAll();
            }
            requests.at(queued)
                .begin(CompletionLoop.readId(lane), Opcode.RDMA_READ, 0)
                .element(target.addressOf(targetOffset + done, piece), (int)piece, target.localKey())
                .remote(segment.address() + place, segment.remoteKey());
            queued++;
            done += piece;
        }
    }

    /**
     * The segment of a byte that there must be: memory grows before anything leads there, so this side may not know it
     * yet.
     */
    private Segments.Segment segmentAt(final int shard, final long tableOffset)
    {
        Segments.Segment segment = segments.at(tableOffset);
        if (segment == null)
        {
            learn(shard);
            segment = segments.at(tableOffset);
            if (segment == null)
            {
                throw loop.lost("the table's memory has a hole: tableOffset=" + tableOffset);
            }
        }
        return segment;
    }

    /** As the others together, without their loops. */
    @Override
    public void read(
        final int shard,
        final long tableOffset,
        final long length,
        final RegisteredBuffer target,
        final long targetOffset)
    {
        final Segments.Segment segment = segments.at(tableOffset);
        if (queued > 0 || segment == null || length > maxPieceLength || length > segment.end() - tableOffset ||
            underWay[shard] == depth)
        {
            enqueue(shard, tableOffset, length, target, targetOffset);
            complete();
            return;
        }
        requests.at(0)
            .begin(SINGLE_ID, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(target.addressOf(targetOffset, length), (int)length, target.localKey())
            .remote(segment.address() + tableOffset - segment.tableOffset(), segment.remoteKey());
        final int errno = requests.post(queuePairs[shard], 1);
        if (errno != 0)
        {
            throw refused(errno, shard);
        }
        loop.readsPosted(SINGLE, 1);
        loop.awaitReads(SINGLE);
    }

    @Override
    public void complete()
    {
        postQueued();
        await(SINGLE);
    }

    private void awaitAll()
    {
        postQueued();
        for (int i = 0; i < posted.length; i++)
        {
            await(i);
        }
    }

    private void postQueued()
    {
        if (queued > 0)
        {
            final int count = queued;
            queued = 0;
            // READs complete in order, so one completion for the last suffices.
            requests.at(count - 1).addFlags(SendFlags.SIGNALED);
            final int errno = requests.post(queuePairs[queuedShard], count);
            if (errno != 0)
            {
                loop.readsPosted(lane, requests.firstRefused() > 0 ? 1 : 0);
                throw refused(errno, queuedShard);
            }
            loop.readsPosted(lane, 1);
            posted[lane][queuedShard] += count;
            underWay[queuedShard] += count;
        }
    }

    private AttachmentLostException refused(final int errno, final int shard)
    {
        return loop.lost("READ cannot be posted: " + Errno.name(errno) + " shard=" + shard);
    }
}
