package org.onesided.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Searches all states of the model, from each index that a server can have come to: keys anywhere in the old bucket's
 * chain.
 */
final class IndexSearch implements Exploration.Model<World>
{
    private final Writer writer;
    private final Reader reader;
    private final int operations;
    private final Exploration<World> exploration = new Exploration<>(this);

    /**
     * @param flaw       of writer or reader; null for none.
     * @param operations of the writer, at most.
     */
    IndexSearch(final Flaw flaw, final int operations)
    {
        writer = new Writer(flaw);
        reader = new Reader(flaw);
        this.operations = operations;
    }

    int states()
    {
        return exploration.states();
    }

    /** The steps that lead to a lookup that misses a key that is there; null if there are none. */
    String violation(final int overflows)
    {
        for (final World start : starts(overflows))
        {
            final String found = exploration.violation(start);
            if (found != null)
            {
                return found;
            }
        }
        return null;
    }

    private List<World> starts(final int overflows)
    {
        final List<World> starts = new ArrayList<>();
        final int[] keysOfTheSecond = {0, 1 << Index.KEYS};
        for (final int sides : keysOfTheSecond)
        {
            for (int links = 0; links <= overflows; links++)
            {
                for (int tag = 0; tag < Index.MAX_TAG; tag += Index.MAX_TAG - 1)
                {
                    final World world = new World();
                    world.sides(sides);
                    world.operationsLeft(operations);
                    int last = Index.OLD;
                    world.word(Index.header(last), Index.header(Index.LIVE, tag, Index.NO_LINK));
                    for (int i = Index.FIRST_OVERFLOW; i < Index.FIRST_OVERFLOW + links; i++)
                    {
                        world.use(i);
                        world.word(Index.header(i), Index.header(Index.LIVE, 0, Index.NO_LINK));
                        world.word(Index.header(last), Index.withLink(world.word(Index.header(last)), i));
                        last = i;
                    }
                    place(world, 1, links, starts);
                }
            }
        }
        return starts;
    }

    /** Gives a key, and those behind it, each place in a chain that is free, and none. */
    private static void place(final World world, final int key, final int links, final List<World> starts)
    {
        if (key > Index.KEYS)
        {
            starts.add(world);
            return;
        }
        place(world, key + 1, links, starts);
        for (int i = 0; i <= links; i++)
        {
            final int bucket = i == 0 ? Index.OLD : Index.FIRST_OVERFLOW + i - 1;
            for (int j = 0; j < Index.SLOTS; j++)
            {
                if (world.word(Index.slot(bucket, j)) == 0)
                {
                    final World with = world.copy();
                    with.word(Index.slot(bucket, j), key);
                    with.put(key);
                    place(with, key + 1, links, starts);
                }
            }
        }
    }

    @Override
    public byte[] bytes(final World world)
    {
        return world.bytes;
    }

    @Override
    public void step(final World world, final Consumer<World> next)
    {
        writer.step(world, next);
        reader.step(world, next);
    }

    @Override
    public boolean isWrong(final World world)
    {
        return Reader.isWrong(world);
    }

    @Override
    public boolean isOver(final World world)
    {
        return Reader.isOver(world);
    }
}
