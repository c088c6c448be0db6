package org.onesided.endtoend.faults;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;

/**
 * A thread with a session and keys of its own, which knows of each answer whether it may be, whatever became of the
 * server or of the connection meanwhile. Keys with a number are written again and again, fresh ones once.
 */
final class OwnedWriter implements Runnable
{
    /** What tells that a write was lost with the session that knew of it. */
    private static final String FORGOTTEN = "the server does not know it any more";
    private static final int KEYS = 12;
    private static final int BATCH = 6;
    private static final int MOST_KEYS = 5000;
    /** In messages, in place or not, and pulled. */
    private static final int[] LENGTHS = {0, 40, 40, 200, 700, 3000, 20_000};

    private final OwnedState state;
    private final Random random;
    private final StoreSession session;
    private volatile boolean isTold;
    private volatile long succeeded;
    private volatile long livesSeen;
    private long unapplied;
    private long unknown;
    private long numbers;

    OwnedWriter(final StoreClient client, final String owner, final long seed)
    {
        random = new Random(seed);
        session = client.openSession();
        state = new OwnedState(owner, session.server().serverLife());
    }

    /** Writes of this life that have succeeded. Safe to ask from any thread. */
    long succeeded()
    {
        return succeeded;
    }

    /** Lives of the server after the first that it has met. Safe to ask from any thread. */
    long livesSeen()
    {
        return livesSeen;
    }

    /** To be asked when it has ended, as what follows. */
    OwnedState state()
    {
        return state;
    }

    /** Writes that failed for certain, in all lives. */
    long unapplied()
    {
        return unapplied;
    }

    /** Writes of unknown fate, in all lives. */
    long unknown()
    {
        return unknown;
    }

    /** Ends {@link #run}. */
    void stop()
    {
        isTold = true;
    }

    @Override
    public void run()
    {
        while (!isTold)
        {
            step();
            succeeded = state.puts();
            livesSeen = state.lives();
        }
    }

    void close()
    {
        session.close();
    }

    /** Looks at all pairs that are there; of those that are its own, each must be right and none may be missing. */
    void checkAll(final Map<String, String> found)
    {
        final Map<String, String> mine = new HashMap<>(found);
        mine.keySet().removeIf((key) -> !state.owns(key));
        state.isAll(mine);
    }

    private void step()
    {
        final int kind = random.nextInt(100);
        if (kind < 30 || kind < 45 && state.size() > MOST_KEYS)
        {
            put(ownKey(), LENGTHS[random.nextInt(LENGTHS.length)]);
        }
        else if (kind < 45)
        {
            put(state.key("fresh-" + ++numbers), 0);
        }
        else if (kind < 55)
        {
            delete(ownKey());
        }
        else if (kind < 65)
        {
            putAll();
        }
        else
        {
            final String former = kind < 75 ? state.former(random.nextInt(Integer.MAX_VALUE)) : null;
            get(former == null ? ownKey() : former);
        }
    }

    private String ownKey()
    {
        return state.key("key-" + random.nextInt(KEYS));
    }

    private String nextName()
    {
        return "v" + ++numbers + "-" + random.nextInt(1 << 20);
    }

    private void put(final String key, final int length)
    {
        final String name = nextName();
        try
        {
            session.put(bytes(key), OwnedState.value(name, length));
            state.now(session.server().serverLife());
            state.isPut(key, name);
        }
        catch (final StoreException e)
        {
            failed(e, key, name);
        }
    }

    private void delete(final String key)
    {
        try
        {
            final boolean wasPresent = session.delete(bytes(key));
            state.now(session.server().serverLife());
            state.isDeleted(key, wasPresent);
        }
        catch (final StoreException e)
        {
            failed(e, key, OwnedState.ABSENT);
        }
    }

    private void failed(final StoreException e, final String key, final String name)
    {
        expectLoss(e);
        final boolean isOfFormerLife =
            state.now(session.server().serverLife()) && e.getMessage().contains(FORGOTTEN);
        switch (e.writeFate())
        {
            case NOT_APPLIED -> unapplied++;
            case UNKNOWN ->
            {
                unknown++;
                if (!isOfFormerLife)
                {
                    state.mayBe(key, name);
                }
            }
            default -> throw new AssertionError("a write failed with fate=" + e.writeFate(), e);
        }
    }

    private void putAll()
    {
        final List<byte[]> keys = new ArrayList<>();
        final List<byte[]> values = new ArrayList<>();
        final List<String> names = new ArrayList<>();
        final int first = random.nextInt(KEYS);
        for (int i = 0; i < BATCH; i++)
        {
            names.add(nextName());
            keys.add(bytes(state.key("key-" + (first + i) % KEYS)));
            values.add(OwnedState.value(names.get(i), LENGTHS[random.nextInt(LENGTHS.length)]));
        }
        StoreBatchException failure = null;
        try
        {
            session.putAll(keys, values);
        }
        catch (final StoreBatchException e)
        {
            expectLoss((StoreException)e.getCause());
            failure = e;
        }
        final boolean isNewLife = state.now(session.server().serverLife());
        for (int i = 0; i < BATCH; i++)
        {
            final String key = text(keys.get(i));
            final WriteFate fate = failure == null ? WriteFate.APPLIED : failure.fate(i);
            unapplied += fate == WriteFate.NOT_APPLIED ? 1 : 0;
            unknown += fate == WriteFate.UNKNOWN ? 1 : 0;
            if (fate == WriteFate.APPLIED && !isNewLife)
            {
                state.isPut(key, names.get(i));
            }
            else if (fate != WriteFate.NOT_APPLIED)
            {
                // Some may have been put in the life before, others in this.
                state.mayBe(key, names.get(i));
            }
        }
    }

    private void get(final String key)
    {
        try
        {
            final byte[] found = session.get(bytes(key));
            state.now(session.server().serverLife());
            state.isFound(key, OwnedState.text(found));
        }
        catch (final StoreException e)
        {
            expectLoss(e);
        }
    }

    /** Nothing else than the server's absence makes operations fail here. */
    private static void expectLoss(final StoreException e)
    {
        if (!(e instanceof StoreDisconnectedException ||
            e instanceof StoreDeadlineException || e instanceof StoreConnectException))
        {
            throw e;
        }
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(final byte[] bytes)
    {
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
