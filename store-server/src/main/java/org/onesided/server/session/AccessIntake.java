package org.onesided.server.session;

import static org.onesided.server.session.BootstrapConnection.State.OPEN;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.bootstrap.AccessWord;
import org.onesided.protocol.bootstrap.codec.AccessesDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.SamplingEncoder;
import org.onesided.server.eviction.AccessQueue;
import org.onesided.server.eviction.SampledKeys;
import org.onesided.server.shard.agent.Shard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands sampled lookups, as clients report them, to the shards. They are hints: nothing is believed that could do harm,
 * and a session that reports too many loses the rest of each message. For the acceptor's thread.
 */
final class AccessIntake
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AccessIntake.class);
    private static final long MAX_SAMPLING = 1 << 20;
    /** More than a fingerprint has. */
    private static final short ALL_BITS = 0xFF - 1;

    private final List<Shard> shards;
    private final NanoClock clock;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final AccessesDecoder accesses = new AccessesDecoder();
    private final UnsafeBuffer words = new UnsafeBuffer(0, 0);
    private final Sessions sessions;
    private final MessageHeaderEncoder outgoingHeader = new MessageHeaderEncoder();
    private final SamplingEncoder sampling = new SamplingEncoder();
    /** Low bits of fingerprints that sessions were told to be zero in keys of which they report all hits. */
    private int toldBits = SampledKeys.NONE;
    private long taken;
    private long dropped;

    AccessIntake(final List<Shard> shards, final NanoClock clock, final Sessions sessions)
    {
        this.shards = shards;
        this.clock = clock;
        this.sessions = sessions;
    }

    /** Tells all sessions of which keys they report all hits, if that has changed. */
    void check()
    {
        int bits = SampledKeys.NONE;
        for (int i = 0; i < shards.size(); i++)
        {
            final int ofShard = shards.get(i).sampledKeys().bits();
            // A shard passes over keys that others want.
            bits = bits == SampledKeys.NONE || ofShard != SampledKeys.NONE && ofShard < bits ? ofShard : bits;
        }
        if (bits != toldBits)
        {
            toldBits = bits;
            sessions.toList().forEach(this::tell);
        }
    }

    /** The session is open. */
    void onOpen(final Session session)
    {
        if (toldBits != SampledKeys.NONE)
        {
            tell(session);
        }
    }

    private void tell(final Session session)
    {
        final BootstrapConnection owner = session.owner();
        if (owner == null || owner.state() != OPEN)
        {
            return;
        }
        try
        {
            sampling.wrapAndApplyHeader(owner.outgoing(), 0, outgoingHeader)
                .bits((short)(toldBits == SampledKeys.NONE ? ALL_BITS : toldBits));
            owner.send(sampling.limit());
        }
        catch (final IOException e)
        {
            // The connection is about to end.
            LOGGER.debug("sampling could not be told: session={} cause={}", session.id(), e.getMessage());
        }
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
        final int interval = (int)Math.max(1, Math.min(MAX_SAMPLING, accesses.sampling()));
        dropped += accesses.dropped();
        for (final AccessesDecoder.ShardsDecoder each : accesses.shards())
        {
            final int number = each.shard();
            each.wrapWords(words);
            final int count = words.capacity() / AccessWord.LENGTH;
            final int allowed = session.accesses().take(count, clock.nanoTime());
            final int kept = number < shards.size() ? add(shards.get(number), allowed, interval) : 0;
            taken += kept;
            dropped += count - kept;
        }
    }

    private int add(final Shard shard, final int count, final int interval)
    {
        final AccessQueue queue = shard.accesses();
        final int kept = count - queue.add(words, 0, count * AccessWord.LENGTH, interval);
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
