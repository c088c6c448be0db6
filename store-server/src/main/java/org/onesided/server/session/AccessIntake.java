package org.onesided.server.session;

import java.net.ProtocolException;
import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.bootstrap.AccessWord;
import org.onesided.protocol.bootstrap.codec.AccessesDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.server.eviction.AccessQueue;
import org.onesided.server.shard.Shard;

/**
 * Hands sampled lookups, as clients report them, to the shards. They are hints: nothing is believed that could do harm,
 * and a session that reports too many loses the rest of each message. For the acceptor's thread.
 */
final class AccessIntake
{
    private static final long MAX_SAMPLING = 1 << 20;

    private final List<Shard> shards;
    private final NanoClock clock;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final AccessesDecoder accesses = new AccessesDecoder();
    private final UnsafeBuffer words = new UnsafeBuffer(0, 0);
    private long taken;
    private long dropped;

    AccessIntake(final List<Shard> shards, final NanoClock clock)
    {
        this.shards = shards;
        this.clock = clock;
    }

    /** Whether clients are asked for samples. */
    static boolean isWanted(final List<Shard> shards)
    {
        return shards.stream().anyMatch((shard) -> shard.accesses() != null);
    }

    /** Takes an Accesses of an open connection. */
    void onAccesses(final BootstrapConnection connection, final Session session) throws ProtocolException
    {
        if (!isWanted(shards))
        {
            throw new ProtocolException("message out of order: Accesses were not asked for");
        }
        accesses.wrapAndApplyHeader(connection.message(), 0, header);
        final int sampling = (int)Math.max(1, Math.min(MAX_SAMPLING, accesses.sampling()));
        dropped += accesses.dropped();
        for (final AccessesDecoder.ShardsDecoder each : accesses.shards())
        {
            final int number = each.shard();
            each.wrapWords(words);
            final int count = words.capacity() / AccessWord.LENGTH;
            final int allowed = session.accesses().take(count, clock.nanoTime());
            final int kept = number < shards.size() ? add(shards.get(number), allowed, sampling) : 0;
            taken += kept;
            dropped += count - kept;
        }
    }

    private int add(final Shard shard, final int count, final int sampling)
    {
        final AccessQueue queue = shard.accesses();
        final int kept = count - queue.add(words, 0, count * AccessWord.LENGTH, sampling);
        if (queue.isUrgent())
        {
            shard.wakeUp();
        }
        return kept;
    }

    /** Samples that were handed to the shards. */
    long taken()
    {
        return taken;
    }

    /** Samples that were lost: clients had no room for them, sent too many, or shards did not keep up. */
    long dropped()
    {
        return dropped;
    }
}
