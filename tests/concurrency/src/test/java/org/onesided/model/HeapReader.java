package org.onesided.model;

import java.util.function.Consumer;

/**
 * A reader that looks one key up, by READs that fetch the words of a bucket or a record in any order. It may begin with
 * any place, as its mirror may know one from any time before. Its steps are those of {@code Lookup} and
 * {@code RecordReader}.
 */
final class HeapReader
{
    /** Fields of a state. */
    private static final int PHASE = 0;
    private static final int FETCHED = 1;
    private static final int SLOT = 2;
    private static final int PLACE = 3;
    private static final int IS_TWIN_MET = 4;
    private static final int WINDOW = 5;
    private static final int KEPT_VERSION = 6;
    private static final int SLOTS = 7;
    private static final int RECORD = SLOTS + Heap.SLOTS;
    static final int LENGTH = RECORD + Heap.RECORD_WORDS;

    /** Before the lookup. */
    private static final int IDLE = 0;
    /** READs of a record that a hint leads to, of the bucket, and of a record that its slots lead to. */
    private static final int HINT = 1;
    private static final int BUCKET = 2;
    private static final int OF_SLOT = 3;
    /** READs of a slot and its record once more, in {@link HeapFlaw#COLLISION_BELIEVED_ON_EQUAL_VERSION}. */
    private static final int SLOT_AGAIN = 4;
    private static final int RECORD_AGAIN = 5;
    /** Ends. */
    private static final int FOUND = 6;
    private static final int ABSENT = 7;
    private static final int ASKS_SERVER = 8;

    private static final int ALL_SLOTS = (1 << Heap.SLOTS) - 1;
    private static final int ALL_WORDS = (1 << Heap.RECORD_WORDS) - 1;

    private final HeapFlaw flaw;

    HeapReader(final HeapFlaw flaw)
    {
        this.flaw = flaw;
    }

    /** Remembers what the key's version was during the lookup: its end may say so. */
    static void noteCurrent(final HeapWorld world)
    {
        if (world.reader(PHASE) != IDLE)
        {
            world.reader(WINDOW, world.reader(WINDOW) | 1 << world.current());
        }
    }

    /** Whether a READ is under way that goes to a place. */
    static boolean isReading(final HeapWorld world, final int place)
    {
        return world.reader(PLACE) == place;
    }

    /** Whether the reader tells what was at no moment of the lookup. */
    static boolean isWrong(final HeapWorld world)
    {
        return switch (world.reader(PHASE))
        {
            case FOUND -> (world.reader(WINDOW) & 1 << world.reader(KEPT_VERSION)) == 0;
            case ABSENT -> (world.reader(WINDOW) & 1 << Heap.NONE) == 0;
            default -> false;
        };
    }

    static boolean isOver(final HeapWorld world)
    {
        return world.reader(PHASE) >= FOUND;
    }

    static String text(final HeapWorld world)
    {
        final String[] phases =
            {"idle", "hint", "bucket", "record", "slot again", "record again", "FOUND", "ABSENT", "asks"};
        return phases[world.reader(PHASE)] + " place=" + world.reader(PLACE) + " fetched=" + world.reader(FETCHED) +
            " slots=" + world.reader(SLOTS) + world.reader(SLOTS + 1) + " kept=" + world.reader(KEPT_VERSION);
    }

    /** Tells all states that the reader's next step can lead to. */
    void step(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        switch (world.reader(PHASE))
        {
            case IDLE -> begin(world, next);
            case BUCKET -> fetchSlots(world, next);
            case SLOT_AGAIN -> fetchSlotAgain(world, next);
            default -> fetchRecord(world, next);
        }
    }

    private static void begin(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        final HeapWorld begun = world.copy();
        begun.reader(WINDOW, 1 << world.current());
        next.accept(again(begun.copy()));
        for (int place = 1; place <= Heap.PLACES; place++)
        {
            next.accept(read(begun.copy(), HINT, place));
        }
    }

    private void fetchSlots(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        for (int i = 0; i < Heap.SLOTS; i++)
        {
            if ((world.reader(FETCHED) & 1 << i) == 0)
            {
                final HeapWorld fetched = world.copy();
                fetched.reader(SLOTS + i, world.word(Heap.slot(i)));
                fetched.reader(FETCHED, world.reader(FETCHED) | 1 << i);
                next.accept(fetched.reader(FETCHED) == ALL_SLOTS ? follow(fetched, 0) : fetched);
            }
        }
    }

    private void fetchSlotAgain(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        final int slot = world.reader(SLOT);
        final int place = world.reader(SLOTS + slot);
        final HeapWorld fetched = world.copy();
        next.accept(world.word(Heap.slot(slot)) == place ? read(fetched, RECORD_AGAIN, place) : again(fetched));
    }

    private void fetchRecord(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        for (int i = 0; i < Heap.RECORD_WORDS; i++)
        {
            if ((world.reader(FETCHED) & 1 << i) == 0)
            {
                final HeapWorld fetched = world.copy();
                fetched.reader(RECORD + i, world.word(Heap.check(world.reader(PLACE)) + i));
                fetched.reader(FETCHED, world.reader(FETCHED) | 1 << i);
                next.accept(isJudgeable(fetched) ? judge(fetched) : fetched);
            }
        }
    }

    /** Whether the words that are there decide. */
    private static boolean isJudgeable(final HeapWorld world)
    {
        final int fetched = world.reader(FETCHED);
        final int check = world.reader(RECORD);
        final boolean isCheckEnough =
            check == Heap.BEING_WRITTEN || check == Heap.DEAD && world.reader(PHASE) != HINT;
        return fetched == ALL_WORDS || isCheckEnough && (fetched & 1) != 0;
    }

    private HeapWorld judge(final HeapWorld world)
    {
        final int check = world.reader(RECORD);
        final int version = world.reader(RECORD + 1);
        final int key = world.reader(RECORD + 2);
        final int phase = world.reader(PHASE);
        if (check == Heap.DEAD)
        {
            final boolean isHint = phase == HINT && version > 0 && version <= Heap.PLACES;
            return isHint ? read(world, HINT, version) : dismiss(world, flaw == HeapFlaw.DEAD_MEANS_EMPTY);
        }
        final int code = Heap.code(
            flaw == HeapFlaw.CODE_WITHOUT_VERSION ? 0 : version, key, world.reader(PLACE));
        if (check == Heap.BEING_WRITTEN || check != code && flaw != HeapFlaw.NO_CHECK)
        {
            return dismiss(world, flaw == HeapFlaw.CHANGING_MEANS_EMPTY);
        }
        if (key == Heap.SOUGHT)
        {
            return end(world, FOUND, version);
        }
        return switch (phase)
        {
            case OF_SLOT -> meetTwin(world, version);
            case RECORD_AGAIN ->
                version == world.reader(KEPT_VERSION) ? follow(world, world.reader(SLOT) + 1) : again(world);
            default -> again(world);
        };
    }

    private HeapWorld dismiss(final HeapWorld world, final boolean isEmpty)
    {
        return isEmpty && world.reader(PHASE) == OF_SLOT ? follow(world, world.reader(SLOT) + 1) : again(world);
    }

    private HeapWorld meetTwin(final HeapWorld world, final int version)
    {
        if (flaw == HeapFlaw.COLLISION_BELIEVED_ON_EQUAL_VERSION)
        {
            final HeapWorld kept = read(world, SLOT_AGAIN, Heap.NONE);
            kept.reader(KEPT_VERSION, version);
            return kept;
        }
        world.reader(IS_TWIN_MET, 1);
        return follow(world, world.reader(SLOT) + 1);
    }

    /** Goes on with the record of the next slot that is not empty, from a slot on. */
    private HeapWorld follow(final HeapWorld world, final int first)
    {
        for (int i = first; i < Heap.SLOTS; i++)
        {
            if (world.reader(SLOTS + i) != Heap.NONE)
            {
                world.reader(SLOT, i);
                return read(world, OF_SLOT, world.reader(SLOTS + i));
            }
        }
        final boolean isUnsure = world.reader(IS_TWIN_MET) != 0 && flaw != HeapFlaw.COLLISION_BELIEVED;
        return end(world, isUnsure ? ASKS_SERVER : ABSENT, Heap.NONE);
    }

    /** READs a place; if it has gone, as clients learn before, the bucket. */
    private static HeapWorld read(final HeapWorld world, final int phase, final int place)
    {
        if (place == Heap.LAST && world.isGone())
        {
            return again(world);
        }
        clearRecord(world);
        world.reader(PHASE, phase);
        world.reader(PLACE, place);
        return world;
    }

    private static HeapWorld again(final HeapWorld world)
    {
        clear(world);
        world.reader(PHASE, BUCKET);
        return world;
    }

    private static HeapWorld end(final HeapWorld world, final int phase, final int version)
    {
        clear(world);
        world.reader(PHASE, phase);
        world.reader(KEPT_VERSION, version);
        return world;
    }

    /** Forgets all but the window, so that equal states look alike. */
    private static void clear(final HeapWorld world)
    {
        clearRecord(world);
        world.reader(SLOT, 0);
        world.reader(IS_TWIN_MET, 0);
        world.reader(KEPT_VERSION, 0);
        for (int i = 0; i < Heap.SLOTS; i++)
        {
            world.reader(SLOTS + i, 0);
        }
    }

    private static void clearRecord(final HeapWorld world)
    {
        world.reader(FETCHED, 0);
        world.reader(PLACE, 0);
        for (int i = 0; i < Heap.RECORD_WORDS; i++)
        {
            world.reader(RECORD + i, 0);
        }
    }
}
