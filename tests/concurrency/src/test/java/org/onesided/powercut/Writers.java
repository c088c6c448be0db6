package org.onesided.powercut;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.BufferUtil;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.read.SessionProbe;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.testing.HangGuard;

/**
 * Several writers, each with a sequence in each shard, and the check of what is left of all these.
 */
final class Writers implements AutoCloseable
{
    private static final long LOOK_MS = 5;

    private final List<Sequence> sequences = new ArrayList<>();
    private final List<Writer> writers = new ArrayList<>();
    private final Sums sums = new Sums();

    /** What all checks found. */
    static final class Sums
    {
        private long lost;
        private double lostSeconds;

        /** Writes that were acknowledged and then lost. */
        long lost()
        {
            return lost;
        }

        /** Longest time from the acknowledgement of such a write to the cut. */
        double lostSeconds()
        {
            return lostSeconds;
        }
    }

    /**
     * Makes writers that are paused.
     *
     * @param client         whose sessions they use.
     * @param count          how many.
     * @param onAcknowledged called after each acknowledgement, by several threads.
     * @param seed           of what is drawn.
     */
    Writers(final StoreClient client, final int count, final Consumer<Sequence> onAcknowledged, final long seed)
    {
        final Superblock table;
        try (StoreSession session = client.openSession())
        {
            table = new SessionProbe(session).superblock();
        }
        for (int i = 0; i < count; i++)
        {
            final List<Sequence> ofWriter = new ArrayList<>();
            for (int shard = 0; shard < table.shards().size(); shard++)
            {
                final int number = sequences.size() + 1;
                final Sequence sequence = new Sequence(shard, number, keys(table, shard, "s" + number + "-"));
                sequences.add(sequence);
                ofWriter.add(sequence);
            }
            writers.add(new Writer(client.openSession(), ofWriter, onAcknowledged, seed + i));
        }
    }

    private static List<byte[]> keys(final Superblock table, final int shard, final String prefix)
    {
        final KeyHash keyHash = new KeyHash(table.hashSeed());
        final ByteBuffer space = BufferUtil.allocateDirectAligned(64, Long.BYTES);
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; keys.size() < Sequence.KEYS; i++)
        {
            final byte[] key = (prefix + i).getBytes(StandardCharsets.US_ASCII);
            space.put(0, key);
            if (KeyHash.shard(keyHash.hash(BufferUtil.address(space), key.length), table.shards().size()) == shard)
            {
                keys.add(key);
            }
        }
        return keys;
    }

    List<Sequence> sequences()
    {
        return sequences;
    }

    Sums sums()
    {
        return sums;
    }

    /** Writes acknowledged by all. For when they are idle. */
    long acknowledged()
    {
        return sequences.stream().mapToLong(Sequence::acknowledged).sum();
    }

    void go()
    {
        writers.forEach(Writer::go);
    }

    void pause()
    {
        writers.forEach(Writer::pause);
    }

    /**
     * Waits until all are idle.
     *
     * @return what is wrong, or null.
     */
    String awaitIdle(final long seconds) throws InterruptedException
    {
        final long endNs = System.nanoTime() + HangGuard.nanos(seconds);
        while (!writers.stream().allMatch(Writer::isIdle))
        {
            if (System.nanoTime() - endNs > 0)
            {
                return "writes do not end: seconds=" + HangGuard.seconds(seconds);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        return writers.stream().map(Writer::crash).filter(crash -> crash != null)
            .map(crash -> "writer crashed: " + crash).findFirst().orElse(null);
    }

    /** How the last writes of those failed that ended so. */
    List<StoreException> failures()
    {
        return writers.stream().map(Writer::lastFailure).filter(failure -> failure != null).toList();
    }

    /**
     * Compares, and lets the sequences go on from what was found.
     *
     * @param client   to look by.
     * @param isStrict whether all that was acknowledged must be left: otherwise, of each shard, a beginning.
     * @param cutNs    when the machine was surely gone.
     * @return what is wrong; empty if nothing is.
     */
    String check(final StoreClient client, final boolean isStrict, final long cutNs)
    {
        final List<long[]> held = look(client);
        final String wrong = compare(held, isStrict, cutNs);
        for (int i = 0; i < sequences.size(); i++)
        {
            sequences.get(i).goOnFrom(held.get(i));
        }
        return wrong;
    }

    /** Numbers of what the keys of each sequence hold. The writers are idle. */
    List<long[]> look(final StoreClient client)
    {
        return sequences.stream().map(sequence -> sequence.keys().stream()
            .mapToLong(key -> NumberedValue.read(client.get(key))).toArray()).toList();
    }

    /**
     * Compares what all keys hold with what was written.
     *
     * @param held     of all sequences.
     * @param isStrict whether all that was acknowledged must be left: otherwise, of each shard, a beginning.
     * @param cutNs    when the machine was surely gone.
     * @return what is wrong; empty if nothing is.
     */
    String compare(final List<long[]> held, final boolean isStrict, final long cutNs)
    {
        final List<Sequence.Left> left = new ArrayList<>();
        final StringBuilder wrong = new StringBuilder();
        for (int i = 0; i < sequences.size(); i++)
        {
            left.add(sequences.get(i).left(held.get(i), cutNs));
        }
        for (int i = 0; i < sequences.size(); i++)
        {
            final Sequence sequence = sequences.get(i);
            final Sequence.Left now = left.get(i);
            if (Arrays.stream(held.get(i)).anyMatch(number -> number == NumberedValue.CORRUPT))
            {
                tell(wrong, "a value is there that nobody put", i, held, left);
            }
            else if (now.most() < 0)
            {
                tell(wrong, isStrict ? "an acknowledged write is missing" : "what is left is no beginning",
                    i, held, left);
            }
            else if (isStrict && now.lost() > 0)
            {
                tell(wrong, "an acknowledged write is missing", i, held, left);
            }
            else
            {
                sums.lost += now.lost();
                sums.lostSeconds = Math.max(sums.lostSeconds, sequence.lostSeconds(now, cutNs));
                for (int j = 0; j < sequences.size(); j++)
                {
                    if (sequences.get(j).shard() == sequence.shard() &&
                        !sequence.fits(now, sequences.get(j), left.get(j)))
                    {
                        tell(wrong, "a later write of the shard is there, an acknowledged one before it is not",
                            i, held, left);
                    }
                }
            }
        }
        return wrong.toString();
    }

    private void tell(
        final StringBuilder wrong,
        final String what,
        final int i,
        final List<long[]> held,
        final List<Sequence.Left> left)
    {
        wrong.append(wrong.length() == 0 ? "" : "\n").append(what).append(": ")
            .append(sequences.get(i).text(held.get(i), left.get(i)));
    }

    @Override
    public void close()
    {
        writers.forEach(Writer::close);
    }
}
