package org.onesided.client;

import java.util.Arrays;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;

/**
 * READs over the session's queue pairs, in pieces of what device and protocol allow, chained as deep as the queue
 * pair takes, with one completion a chain. Not thread-safe.
 */
final class VerbsReader implements RegionReader
{
    private final QueuePair[] queuePairs;
    private final CompletionLoop loop;
    private final Segments segments;
    private final SendRequests requests;
    private final int depth;
    private final long maxPieceLength;
    /** READs of each shard that were posted and not awaited yet. */
    private final int[] posted;
    private int queued;
    private int queuedShard;

    /**
     * @param requests       of one element each.
     * @param depth          READs posted at a time, at most {@code requests.capacity()}.
     * @param maxPieceLength of one READ, in bytes.
     */
    VerbsReader(
        final QueuePair[] queuePairs,
        final CompletionLoop loop,
        final Segments segments,
        final SendRequests requests,
        final int depth,
        final long maxPieceLength)
    {
        this.queuePairs = queuePairs;
        this.loop = loop;
        this.segments = segments;
        this.requests = requests;
        this.depth = depth;
        this.maxPieceLength = maxPieceLength;
        posted = new int[queuePairs.length];
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
            post();
        }
        queuedShard = shard;
        long done = 0;
        while (done < length)
        {
            final Segments.Segment segment = segments.at(tableOffset + done);
            if (segment == null)
            {
                throw loop.lost("the table's memory has a hole: tableOffset=" + (tableOffset + done));
            }
            final long place = tableOffset + done - segment.tableOffset();
            final long piece = Math.min(Math.min(length - done, segment.length() - place), maxPieceLength);
            if (posted[shard] + queued == depth)
            {
                complete();
            }
            requests.at(queued)
                .begin(CompletionLoop.readId(), Opcode.RDMA_READ, 0)
                .element(target.addressOf(targetOffset + done, piece), (int)piece, target.localKey())
                .remote(segment.address() + place, segment.remoteKey());
            queued++;
            done += piece;
        }
    }

    @Override
    public void complete()
    {
        post();
        loop.awaitReads();
        Arrays.fill(posted, 0);
    }

    private void post()
    {
        if (queued > 0)
        {
            final int count = queued;
            queued = 0;
            // READs complete in order, so the last one tells of all.
            requests.at(count - 1).addFlags(SendFlags.SIGNALED);
            final int errno = requests.post(queuePairs[queuedShard], count);
            if (errno != 0)
            {
                loop.readsPosted(requests.firstRefused() > 0 ? 1 : 0);
                throw loop.lost("READ cannot be posted: " + Errno.name(errno) + " shard=" + queuedShard);
            }
            loop.readsPosted(1);
            posted[queuedShard] += count;
        }
    }
}
