package org.onesided.model;

import java.util.Arrays;

/**
 * A state of the model: the index, what the writer has left to store of the operation that it is about, and how far the
 * reader is. Key {@link #SOUGHT} is the one that the reader looks up.
 */
final class World
{
    static final int SOUGHT = 1;

    /** What the split has come to. */
    static final byte BEFORE_SPLIT = 0;
    static final byte COMPLETE = 1;
    static final byte REUSED = 2;

    private static final int STAGE = Index.WORDS;
    private static final int OPERATIONS_LEFT = STAGE + 1;
    private static final int PRESENT = OPERATIONS_LEFT + 1;
    private static final int SIDES = PRESENT + 1;
    private static final int USED = SIDES + 1;
    private static final int USED_AFTERWARDS = USED + 1;
    private static final int STAGE_AFTERWARDS = USED_AFTERWARDS + 1;
    private static final int STORES = STAGE_AFTERWARDS + 1;
    private static final int STORE = STORES + 1;
    private static final int READER = STORE + 1;
    private static final int FIRST_STORE = READER + Reader.LENGTH;
    private static final int STORE_LENGTH = 3;
    private static final int MAX_STORES = 24;
    private static final int LENGTH = FIRST_STORE + MAX_STORES * STORE_LENGTH;

    final byte[] bytes;

    World()
    {
        bytes = new byte[LENGTH];
        bytes[Index.header(Index.OLD)] = Index.header(Index.LIVE, 0, Index.NO_LINK);
        Reader.initialise(this);
    }

    private World(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    World copy()
    {
        return new World(bytes.clone());
    }

    byte word(final int at)
    {
        return bytes[at];
    }

    void word(final int at, final int value)
    {
        bytes[at] = (byte)value;
    }

    byte stage()
    {
        return bytes[STAGE];
    }

    byte operationsLeft()
    {
        return bytes[OPERATIONS_LEFT];
    }

    void operationsLeft(final int count)
    {
        bytes[OPERATIONS_LEFT] = (byte)count;
    }

    boolean isPresent(final int key)
    {
        return (bytes[PRESENT] & 1 << key) != 0;
    }

    void put(final int key)
    {
        bytes[PRESENT] |= (byte)(1 << key);
    }

    /** Which of the new buckets a key belongs to. */
    int newMain(final int key)
    {
        return Index.NEW + (bytes[SIDES] >> key & 1);
    }

    void sides(final int keysOfTheSecond)
    {
        bytes[SIDES] = (byte)keysOfTheSecond;
    }

    /** The main bucket in which the writer keeps a key. */
    int main(final int key)
    {
        return stage() == BEFORE_SPLIT ? Index.OLD : newMain(key);
    }

    boolean isUsed(final int overflow)
    {
        return (bytes[USED] & 1 << overflow) != 0;
    }

    void use(final int overflow)
    {
        bytes[USED] |= (byte)(1 << overflow);
    }

    /** A field of the reader. */
    byte reader(final int field)
    {
        return bytes[READER + field];
    }

    void reader(final int field, final int value)
    {
        bytes[READER + field] = (byte)value;
    }

    /** Begins an operation of the writer, which has nothing left to store; stores follow. */
    World operation()
    {
        final World next = copy();
        next.bytes[OPERATIONS_LEFT]--;
        next.bytes[USED_AFTERWARDS] = bytes[USED];
        next.bytes[STAGE_AFTERWARDS] = bytes[STAGE];
        return next;
    }

    /** Adds a store to the operation. */
    World store(final int at, final int value)
    {
        return store(at, value, 0);
    }

    /** Adds a store with which a key (negative: its absence) comes about. */
    World store(final int at, final int value, final int effect)
    {
        final int store = FIRST_STORE + bytes[STORES]++ * STORE_LENGTH;
        bytes[store] = (byte)at;
        bytes[store + 1] = (byte)value;
        bytes[store + 2] = (byte)effect;
        return this;
    }

    /** An overflow bucket can be used anew once the operation is over. */
    World freeAfterwards(final int overflow)
    {
        bytes[USED_AFTERWARDS] &= (byte)~(1 << overflow);
        return this;
    }

    World useAtOnce(final int overflow)
    {
        bytes[USED] |= (byte)(1 << overflow);
        bytes[USED_AFTERWARDS] |= (byte)(1 << overflow);
        return this;
    }

    World stageAfterwards(final byte stage)
    {
        bytes[STAGE_AFTERWARDS] = stage;
        return this;
    }

    boolean hasStores()
    {
        return bytes[STORE] < bytes[STORES];
    }

    /** Does the next store. */
    World stored()
    {
        final World next = copy();
        final int store = FIRST_STORE + next.bytes[STORE]++ * STORE_LENGTH;
        next.word(bytes[store], bytes[store + 1]);
        final int effect = bytes[store + 2];
        if (effect > 0)
        {
            next.put(effect);
        }
        else if (effect < 0)
        {
            next.bytes[PRESENT] &= (byte)~(1 << -effect);
        }
        Reader.noteAbsence(next);
        if (!next.hasStores())
        {
            next.bytes[USED] = bytes[USED_AFTERWARDS];
            next.bytes[STAGE] = bytes[STAGE_AFTERWARDS];
            // Equal states are to look alike.
            next.bytes[USED_AFTERWARDS] = 0;
            next.bytes[STAGE_AFTERWARDS] = 0;
            next.bytes[STORES] = 0;
            next.bytes[STORE] = 0;
            Arrays.fill(next.bytes, FIRST_STORE, LENGTH, (byte)0);
        }
        return next;
    }

    /** In a line to be read by people: buckets with their slots and headers, then the reader. */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        for (int bucket = 0; bucket < Index.BUCKETS; bucket++)
        {
            final int header = word(Index.header(bucket));
            text.append(bucket).append(':').append(word(Index.slot(bucket, 0))).append(word(Index.slot(bucket, 1)))
                .append(" .LM".charAt(Index.state(header) + 1)).append(Index.tag(header)).append("->")
                .append(Index.link(header)).append("  ");
        }
        return text.append(hasStores() ? "storing " : "        ").append(Reader.text(this)).toString();
    }
}
