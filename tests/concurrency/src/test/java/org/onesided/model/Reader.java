package org.onesided.model;

import java.util.function.Consumer;

/**
 * A reader that looks one key up, by READs that fetch a bucket's words in any order, and may say that it is absent. It
 * may begin in the old array or in the new one, and with a header that its mirror has kept from some time before.
 */
final class Reader
{
    /** Fields of a state. */
    private static final int PHASE = 0;
    private static final int MAIN = 1;
    private static final int IS_KNOWN_LIVE = 2;
    private static final int KEPT = 3;
    private static final int IS_MIRRORED = 4;
    private static final int BUCKET = 5;
    private static final int FETCHED = 6;
    private static final int HEADER = 7;
    private static final int LINKS = 8;
    private static final int HAS_CONFIRMED = 9;
    private static final int MIRRORED = 10;
    private static final int MIRRORED_MAIN = 11;
    private static final int WAS_ABSENT = 12;
    private static final int KNOWS_SPLIT = 13;
    static final int LENGTH = 14;

    /** Before the lookup; READs of the main bucket, of the chain, of the main bucket again; said to be absent. */
    private static final int IDLE = 0;
    private static final int FIRST_LOOK = 1;
    private static final int CHAIN = 2;
    private static final int SECOND_LOOK = 3;
    private static final int ABSENT = 4;

    private static final int NONE = -1;
    private static final int ALL = (1 << Index.BUCKET_WORDS) - 1;
    private static final int ALL_SLOTS = (1 << Index.SLOTS) - 1;
    private static final int MAX_LINKS = 4;

    private final Flaw flaw;

    Reader(final Flaw flaw)
    {
        this.flaw = flaw;
    }

    static void initialise(final World world)
    {
        world.reader(KEPT, NONE);
        world.reader(MIRRORED, NONE);
    }

    static boolean hasConfirmed(final World world)
    {
        return world.reader(HAS_CONFIRMED) != 0;
    }

    /** Remembers that the key was absent during the lookup: then its end may say so. */
    static void noteAbsence(final World world)
    {
        if (world.reader(PHASE) != IDLE && !world.isPresent(World.SOUGHT))
        {
            world.reader(WAS_ABSENT, 1);
        }
    }

    /** Whether the reader says that the key is absent, and it was there all the time. */
    static boolean isWrong(final World world)
    {
        return world.reader(PHASE) == ABSENT && world.reader(WAS_ABSENT) == 0;
    }

    static boolean isOver(final World world)
    {
        return world.reader(PHASE) == ABSENT;
    }

    static String text(final World world)
    {
        final String[] phases = {"idle", "first look", "chain", "second look", "ABSENT"};
        return phases[world.reader(PHASE)] + " bucket=" + world.reader(BUCKET) + " fetched=" + world.reader(FETCHED) +
            " kept=" + world.reader(KEPT) + " mirrored=" + world.reader(MIRRORED) +
            (hasConfirmed(world) ? " confirmed" : "");
    }

    /** Tells all states that the reader's next step can lead to. */
    void step(final World world, final Consumer<World> next)
    {
        if (world.reader(PHASE) == IDLE)
        {
            prepare(world, next);
            begin(world, next);
        }
        else
        {
            if (flaw == Flaw.CONFIRMED_WHILE_READING)
            {
                confirm(world, next);
            }
            for (int i = 0; i < Index.BUCKET_WORDS; i++)
            {
                if ((world.reader(FETCHED) & 1 << i) == 0)
                {
                    fetch(world, i, next);
                }
            }
        }
    }

    /**
     * Has the mirror keep a header, learns of the split from the split point or the old bucket's mark, or confirms that
     * the old array is used no more.
     */
    private void prepare(final World world, final Consumer<World> next)
    {
        for (final int main : new int[] {Index.OLD, world.newMain(World.SOUGHT)})
        {
            final byte header = world.word(Index.header(main));
            if (world.reader(MIRRORED) == NONE && Index.state(header) == Index.LIVE && isUsable(world, main))
            {
                final World mirrored = world.copy();
                mirrored.reader(MIRRORED, header);
                mirrored.reader(MIRRORED_MAIN, main);
                next.accept(mirrored);
            }
        }
        final boolean isMarked = isUsable(world, Index.OLD) && world.stage() != World.REUSED &&
            Index.state(world.word(Index.header(Index.OLD))) == Index.MIGRATED;
        if (world.reader(KNOWS_SPLIT) == 0 && (isMarked || world.word(Index.SPLIT_POINT) != 0))
        {
            final World knowing = world.copy();
            knowing.reader(KNOWS_SPLIT, 1);
            next.accept(knowing);
        }
        confirm(world, next);
    }

    /** Confirms what the server has retired: the reader, or the life line for a session at rest. */
    private static void confirm(final World world, final Consumer<World> next)
    {
        if (world.stage() != World.BEFORE_SPLIT && !hasConfirmed(world))
        {
            final World confirmed = world.copy();
            confirmed.reader(HAS_CONFIRMED, 1);
            next.accept(confirmed);
        }
    }

    private boolean isUsable(final World world, final int main)
    {
        return main != Index.OLD || !hasConfirmed(world) || flaw == Flaw.CONFIRMATION_NOT_LOOKED_AT;
    }

    private void begin(final World world, final Consumer<World> next)
    {
        final World begun = world.copy();
        begun.reader(WAS_ABSENT, world.isPresent(World.SOUGHT) ? 0 : 1);
        if (isUsable(world, Index.OLD))
        {
            next.accept(firstLook(begun.copy(), Index.OLD, true));
        }
        next.accept(firstLook(begun.copy(), world.newMain(World.SOUGHT), world.reader(KNOWS_SPLIT) != 0));
        final byte mirrored = world.reader(MIRRORED);
        if (mirrored != NONE && isUsable(world, world.reader(MIRRORED_MAIN)))
        {
            begun.reader(MAIN, world.reader(MIRRORED_MAIN));
            begun.reader(IS_KNOWN_LIVE, 1);
            begun.reader(IS_MIRRORED, 1);
            next.accept(keep(begun, mirrored));
        }
    }

    private static World firstLook(final World world, final int main, final boolean isKnownLive)
    {
        world.reader(MAIN, main);
        world.reader(IS_KNOWN_LIVE, isKnownLive ? 1 : 0);
        world.reader(KEPT, NONE);
        world.reader(IS_MIRRORED, 0);
        return read(world, FIRST_LOOK, main);
    }

    /** Keeps the main bucket's header, and goes on with the chain that it begins. */
    private World keep(final World world, final byte header)
    {
        world.reader(KEPT, header);
        world.reader(LINKS, 0);
        return Index.link(header) == Index.NO_LINK ? secondLook(world) : read(world, CHAIN, Index.link(header));
    }

    private World secondLook(final World world)
    {
        read(world, SECOND_LOOK, world.reader(MAIN));
        // With a header of the mirror, this look at the main bucket is the only one.
        final boolean isHeaderEnough = flaw == Flaw.SECOND_LOOK_AT_HEADER_ONLY && world.reader(IS_MIRRORED) == 0;
        world.reader(FETCHED, isHeaderEnough ? ALL_SLOTS : 0);
        return world;
    }

    private static World read(final World world, final int phase, final int bucket)
    {
        world.reader(PHASE, phase);
        world.reader(BUCKET, bucket);
        world.reader(FETCHED, 0);
        world.reader(HEADER, 0);
        return world;
    }

    private void fetch(final World world, final int number, final Consumer<World> next)
    {
        final byte word = world.word(Index.slot(world.reader(BUCKET), number));
        if (number < Index.SLOTS && word == World.SOUGHT)
        {
            // The reader goes on with the record, which is right or tells that it is not: no concern of this model.
            return;
        }
        final World fetched = world.copy();
        fetched.reader(FETCHED, world.reader(FETCHED) | 1 << number);
        if (number == Index.SLOTS)
        {
            fetched.reader(HEADER, word);
        }
        next.accept(fetched.reader(FETCHED) == ALL ? evaluate(fetched) : fetched);
    }

    private World evaluate(final World world)
    {
        final byte header = world.reader(HEADER);
        return switch (world.reader(PHASE))
        {
            case FIRST_LOOK -> evaluateFirstLook(world, header);
            case CHAIN -> evaluateChain(world, header);
            default -> evaluateSecondLook(world, header);
        };
    }

    private World evaluateFirstLook(final World world, final byte header)
    {
        final boolean isOld = world.reader(MAIN) == Index.OLD;
        if (Index.state(header) == Index.MIGRATED && flaw != Flaw.MIGRATED_BUCKET_TRUSTED)
        {
            return firstLook(world, world.newMain(World.SOUGHT), true);
        }
        if (Index.state(header) == Index.NOT_LIVE)
        {
            return firstLook(world, Index.OLD, true);
        }
        final boolean isKnownLive = isOld || world.reader(IS_KNOWN_LIVE) != 0 || flaw == Flaw.KNOWN_LIVE_IGNORED;
        final boolean isFresh = Index.tag(header) == 0 || flaw == Flaw.SINGLE_BUCKET_TRUSTED;
        return Index.link(header) == Index.NO_LINK && isFresh && isKnownLive ? absent(world) : keep(world, header);
    }

    private World evaluateChain(final World world, final byte header)
    {
        final int link = Index.link(header);
        if (link == Index.NO_LINK)
        {
            return flaw == Flaw.NO_SECOND_LOOK ? absent(world) : secondLook(world);
        }
        world.reader(LINKS, world.reader(LINKS) + 1);
        return world.reader(LINKS) == MAX_LINKS ? again(world) : read(world, CHAIN, link);
    }

    private World evaluateSecondLook(final World world, final byte header)
    {
        final byte kept = world.reader(KEPT);
        final boolean isLive = Index.state(header) == Index.LIVE ||
            Index.state(header) == Index.MIGRATED && flaw == Flaw.MIGRATED_BUCKET_TRUSTED;
        // A chain that the mirror did not know may have held the key all the time.
        final boolean isWhole = world.reader(IS_MIRRORED) == 0 || Index.link(kept) != Index.NO_LINK ||
            Index.link(header) == Index.NO_LINK || flaw == Flaw.MIRRORED_LINK_IGNORED;
        return isLive && Index.tag(header) == Index.tag(kept) && isWhole ? absent(world) : again(world);
    }

    private static World again(final World world)
    {
        return firstLook(world, world.reader(MAIN), world.reader(IS_KNOWN_LIVE) != 0);
    }

    private static World absent(final World world)
    {
        world.reader(PHASE, ABSENT);
        return world;
    }
}
