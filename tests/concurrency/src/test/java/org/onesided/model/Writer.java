package org.onesided.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The one writer of an index. Its operations are lists of stores, done in their order; it begins one when the former is
 * over, so what it sees is what it stored.
 */
final class Writer
{
    private final Flaw flaw;

    Writer(final Flaw flaw)
    {
        this.flaw = flaw;
    }

    /** Tells all states that the writer's next step can lead to. */
    void step(final World world, final Consumer<World> next)
    {
        if (world.hasStores())
        {
            next.accept(world.stored());
        }
        else if (world.operationsLeft() > 0)
        {
            for (int key = 1; key <= Index.KEYS; key++)
            {
                if (world.isPresent(key))
                {
                    delete(world, key, next);
                    move(world, key, next);
                }
                else
                {
                    insert(world, key, next);
                }
            }
            for (int main = Index.OLD; main < Index.FIRST_OVERFLOW; main++)
            {
                if (Index.state(world.word(Index.header(main))) == Index.LIVE && world.stage() != World.REUSED)
                {
                    unlink(world, main, next);
                }
            }
            split(world, next);
            reuse(world, next);
        }
    }

    /** The buckets of a chain, the main one first. */
    private static List<Integer> chain(final World world, final int main)
    {
        final List<Integer> chain = new ArrayList<>();
        for (int bucket = main; chain.isEmpty() || bucket != Index.NO_LINK;)
        {
            chain.add(bucket);
            bucket = Index.link(world.word(Index.header(bucket)));
        }
        return chain;
    }

    private static int place(final World world, final List<Integer> chain, final int key)
    {
        for (final int bucket : chain)
        {
            for (int i = 0; i < Index.SLOTS; i++)
            {
                if (world.word(Index.slot(bucket, i)) == key)
                {
                    return Index.slot(bucket, i);
                }
            }
        }
        throw new IllegalStateException("key is nowhere: key=" + key + " " + world);
    }

    private static int unused(final World world)
    {
        for (int i = Index.FIRST_OVERFLOW; i < Index.BUCKETS; i++)
        {
            if (!world.isUsed(i))
            {
                return i;
            }
        }
        return Index.NO_LINK;
    }

    /** Into any empty slot; if there is none, into a bucket that is appended. */
    private static void insert(final World world, final int key, final Consumer<World> next)
    {
        final List<Integer> chain = chain(world, world.main(key));
        boolean isFull = true;
        for (final int bucket : chain)
        {
            for (int i = 0; i < Index.SLOTS; i++)
            {
                if (world.word(Index.slot(bucket, i)) == 0)
                {
                    isFull = false;
                    next.accept(world.operation().store(Index.slot(bucket, i), key, key));
                }
            }
        }
        final int added = unused(world);
        if (isFull && added != Index.NO_LINK)
        {
            final int last = Index.header(chain.get(chain.size() - 1));
            next.accept(world.operation().useAtOnce(added)
                .store(Index.slot(added, 0), 0)
                .store(Index.slot(added, 1), 0)
                .store(Index.header(added), Index.header(Index.LIVE, 0, Index.NO_LINK))
                .store(last, Index.withLink(world.word(last), added))
                .store(Index.slot(added, 0), key, key));
        }
    }

    private static void delete(final World world, final int key, final Consumer<World> next)
    {
        final int slot = place(world, chain(world, world.main(key)), key);
        next.accept(world.operation().store(slot, 0, -key));
    }

    /** Into any empty slot of an earlier bucket. */
    private void move(final World world, final int key, final Consumer<World> next)
    {
        final int main = world.main(key);
        final int tagged = Index.header(main);
        final byte header = world.word(tagged);
        final List<Integer> chain = chain(world, main);
        final int from = place(world, chain, key);
        for (final int bucket : chain)
        {
            if (from / Index.BUCKET_WORDS == bucket)
            {
                return;
            }
            final boolean isTagged = bucket != main;
            for (int i = 0; i < Index.SLOTS && (!isTagged || Index.tag(header) < Index.MAX_TAG); i++)
            {
                if (world.word(Index.slot(bucket, i)) == 0)
                {
                    next.accept(move(world, key, from, Index.slot(bucket, i), tagged,
                        isTagged ? Index.withTag(header, Index.tag(header) + 1) : header));
                }
            }
        }
    }

    private World move(
        final World world, final int key, final int from, final int to, final int tagged, final byte header)
    {
        final World moved = world.operation();
        final boolean isTagged = header != world.word(tagged) && flaw != Flaw.MOVE_WITHOUT_TAG;
        final boolean isTaggedFirst = flaw == Flaw.MOVE_TAG_FIRST;
        final boolean isTaggedLast = flaw == Flaw.MOVE_TAG_LAST;
        if (isTagged && isTaggedFirst)
        {
            moved.store(tagged, header);
        }
        if (flaw == Flaw.MOVE_OLD_SLOT_FIRST)
        {
            moved.store(from, 0);
        }
        moved.store(to, key);
        if (isTagged && !isTaggedFirst && !isTaggedLast)
        {
            moved.store(tagged, header);
        }
        moved.store(from, 0);
        if (isTagged && isTaggedLast)
        {
            moved.store(tagged, header);
        }
        return moved;
    }

    /** Takes an empty overflow bucket out of a chain, from any place. */
    private void unlink(final World world, final int main, final Consumer<World> next)
    {
        final List<Integer> chain = chain(world, main);
        final byte mainHeader = world.word(Index.header(main));
        final int tag = Index.tag(mainHeader);
        for (int i = 1; i < chain.size() && tag < Index.MAX_TAG; i++)
        {
            final int bucket = chain.get(i);
            if (world.word(Index.slot(bucket, 0)) == 0 && world.word(Index.slot(bucket, 1)) == 0)
            {
                final int previous = Index.header(chain.get(i - 1));
                final int behind = Index.link(world.word(Index.header(bucket)));
                final int after = flaw == Flaw.UNLINK_WITHOUT_TAG ? tag : tag + 1;
                final World unlinked = world.operation().freeAfterwards(bucket);
                if (i == 1)
                {
                    unlinked.store(previous, Index.withTag(Index.withLink(mainHeader, behind), after));
                }
                else
                {
                    unlinked.store(previous, Index.withLink(world.word(previous), behind))
                        .store(Index.header(main), Index.withTag(mainHeader, after));
                }
                next.accept(unlinked);
            }
        }
    }

    /** Splits the old bucket in one operation. */
    private void split(final World world, final Consumer<World> next)
    {
        if (world.stage() != World.BEFORE_SPLIT)
        {
            return;
        }
        final World split = world.operation().stageAfterwards(World.COMPLETE);
        final List<Integer> chain = chain(world, Index.OLD);
        final byte header = world.word(Index.header(Index.OLD));
        final byte marked = Index.header(Index.MIGRATED, Index.tag(header), Index.link(header));
        if (flaw == Flaw.POINT_BEFORE_FILLED)
        {
            split.store(Index.SPLIT_POINT, 1);
        }
        if (flaw == Flaw.MARKED_BEFORE_FILLED)
        {
            split.store(Index.header(Index.OLD), marked);
        }
        for (int main = Index.NEW; main < Index.FIRST_OVERFLOW; main++)
        {
            if (!fill(world, split, chain, main))
            {
                return;
            }
        }
        if (flaw != Flaw.MARKED_BEFORE_FILLED)
        {
            split.store(Index.header(Index.OLD), marked);
        }
        if (flaw == Flaw.OLD_SLOTS_CLEARED)
        {
            split.store(Index.slot(Index.OLD, 0), 0).store(Index.slot(Index.OLD, 1), 0);
        }
        if (flaw != Flaw.POINT_BEFORE_FILLED)
        {
            split.store(Index.SPLIT_POINT, 1);
        }
        if (flaw != Flaw.OVERFLOW_REUSED_BEFORE_MARK)
        {
            chain.stream().skip(1).forEach(split::freeAfterwards);
        }
        next.accept(split);
    }

    /** Copies a new bucket's keys, and makes it live; false if an overflow bucket is missing. */
    private boolean fill(final World world, final World split, final List<Integer> chain, final int main)
    {
        final List<Integer> keys = new ArrayList<>();
        for (final int bucket : flaw == Flaw.SPLIT_DROPS_OVERFLOW ? chain.subList(0, 1) : chain)
        {
            for (int i = 0; i < Index.SLOTS; i++)
            {
                final int key = world.word(Index.slot(bucket, i));
                if (key != 0 && world.newMain(key) == main)
                {
                    keys.add(key);
                }
            }
        }
        final int spare =
            flaw == Flaw.OVERFLOW_REUSED_BEFORE_MARK && chain.size() > 1 ? chain.get(1) : unused(split);
        final int overflow = keys.size() > Index.SLOTS ? spare : Index.NO_LINK;
        if (keys.size() > Index.SLOTS && overflow == Index.NO_LINK)
        {
            return false;
        }
        final byte header = Index.header(Index.LIVE, 0, overflow);
        if (flaw == Flaw.LIVE_BEFORE_FILLED)
        {
            split.store(Index.header(main), header);
        }
        if (overflow != Index.NO_LINK)
        {
            split.useAtOnce(overflow)
                .store(Index.slot(overflow, 0), keys.get(Index.SLOTS))
                .store(Index.slot(overflow, 1), 0)
                .store(Index.header(overflow), Index.header(Index.LIVE, 0, Index.NO_LINK));
        }
        for (int i = 0; i < Math.min(Index.SLOTS, keys.size()); i++)
        {
            split.store(Index.slot(main, i), keys.get(i));
        }
        split.store(Index.header(main), header);
        return true;
    }

    /** Puts something else where the old array was: bytes that look like an empty bucket. */
    private void reuse(final World world, final Consumer<World> next)
    {
        if (world.stage() == World.COMPLETE && (Reader.hasConfirmed(world) || flaw == Flaw.ARRAY_REUSED_EARLY))
        {
            next.accept(world.operation().stageAfterwards(World.REUSED)
                .store(Index.slot(Index.OLD, 0), 0)
                .store(Index.slot(Index.OLD, 1), 0)
                .store(Index.header(Index.OLD), Index.header(Index.LIVE, 0, Index.NO_LINK)));
        }
    }
}
